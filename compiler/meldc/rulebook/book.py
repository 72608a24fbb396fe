"""The sections of a rulebook, each line with the clauses that it comes from."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import chain

from meldc.comparing.melds import pattern_in_words
from meldc.comparing.words import listed, plain, said, value_in_words
from meldc.rulebook.doing import sentences
from meldc.rulebook.phrases import Phrases
from meldc_runtime.game import Game
from meldc_runtime.program import expressions as x
from meldc_runtime.program.declarations import Moment, Program, Rule, Table, Trigger
from meldc_runtime.program.nodes import walk
from meldc_runtime.writing.nodes import expressions_of

ALWAYS = x.Const(True, "yes_no")
NEVER = x.Const(False, "yes_no")


@dataclass(frozen=True, slots=True)
class Line:
    """A line of a section. key: of the value it comes from. level: how deep it stands below."""

    text: str
    tags: tuple[str, ...] = ()
    key: str = ""
    level: int = 0


@dataclass(frozen=True, slots=True)
class Section:
    title: str
    lines: tuple[Line, ...]


def write_rulebook(game: Game) -> list[Section]:
    """The rules of a game for the seats it is played with; sections without a line are left out."""
    book = _Book(game)
    sections = [
        Section("Players and cards", tuple(book.players())),
        Section("The deal", tuple(book.moments(_is_deal))),
        Section("What is set", tuple(book.settings())),
        *(
            Section(f"To do: {phase.text or plain(phase.name)}", tuple(book.phase(phase.name)))
            for phase in book.program.phases
        ),
        Section("Melds", tuple(book.melds())),
        Section("At the end of a turn", tuple(book.about_the_turn())),
        Section("What happens by itself", tuple(book.moments(_is_neither))),
        *(Section(*book.table(each)) for each in book.program.tables if each.name != "values"),
        Section("Score of a deal", tuple(book.scores())),
        Section("After a deal", tuple(book.moments(_is_end))),
        Section("Words used", tuple(book.definitions())),
    ]
    return [section for section in sections if section.lines]


def _is_deal(trigger: Trigger) -> bool:
    return (trigger.kind, trigger.period) == ("start", "deal")


def _is_end(trigger: Trigger) -> bool:
    return (trigger.kind, trigger.period) == ("end", "deal")


def _is_neither(trigger: Trigger) -> bool:
    return not _is_deal(trigger) and not _is_end(trigger)


class _Book:
    def __init__(self, game: Game) -> None:
        self.game = game
        self.program: Program = game.program
        self.phrases = Phrases(game.program)
        self.written = {key: steps[-1].text for key, steps in self.program.provenance if steps}
        self._moments = {each.name: each for each in self.program.moments}

    # ---- what there is ---------------------------------------------------------------------

    def players(self) -> Iterator[Line]:
        table = self.game.table
        sides = (
            "each alone" if table.side_size == 1 else f"in {table.sides} sides of {table.side_size}"
        )
        yield Line(f"{table.players} players, {sides}; {len(table.pack)} cards", key="players")
        if len(self.program.players) > 1:
            allowed = ", ".join(map(str, self.program.players))
            yield Line(f"played by {allowed} players", key="players")
        for key, text in self.written.items():
            head, _, name = key.partition(".")
            if head == "cards" and text != "none":
                cards = "" if name.endswith("card") else " cards"
                yield Line(f"{plain(name)}{cards}: {value_in_words(text)}", key=key)
            elif head == "values" and name:
                yield Line(f"{value_in_words(name)}: {text} each", key=key)
        for zone in self.program.zones:
            shown = {"hidden": "face down", "top": "top card shown", "shown": "open"}
            seen = shown.get(zone.visibility, f"seen by its {zone.owner} alone")
            owner = "" if zone.owner == "none" else f" of each {zone.owner}"
            yield Line(f"{plain(zone.name)}{owner}: {seen}", key=f"zones.{zone.name}")

    def settings(self) -> Iterator[Line]:
        for setting in self.program.settings:
            key = f"settings.{setting.name}"
            yield Line(f"{setting.text}: {plain(self.written.get(key, ''))}", key=key)

    def melds(self) -> Iterator[Line]:
        for kind in self.program.kinds:
            cells = {
                key.rpartition(".")[2]: text
                for key, text in self.written.items()
                if key.startswith(f"melds.{kind.name}.")
            }
            yield Line(f"{plain(kind.name)}: {pattern_in_words(cells)}", key=f"melds.{kind.name}")
            yield from self._rules(r for r in self._in_force() if kind.name in r.kinds)

    # ---- what may be done ------------------------------------------------------------------

    def phase(self, phase: str) -> Iterator[Line]:
        for action in self.program.actions:
            if phase in action.phases:
                done = "; ".join(sentences(self.phrases, action.effects))
                text = f"`{action.text}`" + (f": {done}" if done else "")
                yield Line(text, action.tags, f"actions.{action.name}")
                yield from self._rules(r for r in self._in_force() if action.name in r.actions)
        for allowance in self.program.allowances:
            never = self.game.table.code.never_allowed
            if phase in allowance.phases and allowance.name not in never:
                actions = listed([plain(each) for each in allowance.actions], "and")
                text = f"{said(self.program, allowance.sentence)} ({actions})"
                yield Line(text, allowance.tags, f"rules.{allowance.name}")

    def about_the_turn(self) -> Iterator[Line]:
        yield from self._rules((r for r in self._in_force() if r.end_of_turn), level=0)

    def _in_force(self) -> list[Rule]:
        """The rules that the settings do not switch off."""
        never = self.game.table.code.never_broken
        return [rule for rule in self.program.rules if rule.name not in never]

    def _rules(self, rules: Iterable[Rule], level: int = 1) -> Iterator[Line]:
        softly = {
            "another": " (while another will do)",
            "otherwise": " (while the turn can end otherwise)",
        }
        for rule in rules:
            text = f"refused: {said(self.program, rule.sentence)}{softly.get(rule.soft, '')}"
            yield Line(text, rule.tags, f"rules.{rule.name}", level)

    # ---- what happens ----------------------------------------------------------------------

    def moments(self, wanted: Callable[[Trigger], bool]) -> Iterator[Line]:
        for moment in self.program.moments:
            if not wanted(self._root(moment)):
                continue
            condition = self.phrases.folded(moment.when) if moment.when is not None else ALWAYS
            if condition == NEVER:
                continue
            done = "; ".join(sentences(self.phrases, moment.effects))
            words = self.phrases.condition(condition) if condition != ALWAYS else ""
            text = f"{plain(moment.name)} ({_when(moment.trigger, words)}): {done}"
            yield Line(text, moment.tags, f"moments.{moment.name}")
            yield from self._rules(r for r in self._in_force() if moment.name in r.moments)

    def _root(self, moment: Moment) -> Trigger:
        """The trigger of the moment that one hangs on."""
        trigger = moment.trigger
        if trigger.targets and trigger.targets[0] in self._moments:
            return self._root(self._moments[trigger.targets[0]])
        return trigger

    # ---- numbers ---------------------------------------------------------------------------

    def table(self, table: Table) -> tuple[str, tuple[Line, ...]]:
        title = f"{table.text or plain(table.name)}{self._read_by(table)}"
        titles = {str(row.key): row.title for row in table.rows}
        keys = [*sorted(titles, key=len, reverse=True), "each more"]
        keys += self._rows_below(table)
        rows: dict[str, list[str]] = {}
        for key, text in self.written.items():
            head, _, name = key.partition(".")
            row = next((each for each in keys if name in (each, *_cells(each, name))), "")
            column = name.removeprefix(row).removeprefix(".")
            if head == table.name and row and text != "{…}":
                words = f"{plain(column)} {value_in_words(text)}".strip()
                rows.setdefault(row, []).append(words)
        lines = tuple(
            Line(f"{titles.get(row) or plain(row)}: {', '.join(cells)}", key=f"{table.name}.{row}")
            for row, cells in rows.items()
        )
        return title[0].upper() + title[1:], lines

    def _read_by(self, table: Table) -> str:
        """What finds a row, where that is one memory wherever the table is read."""
        nodes = chain.from_iterable(map(walk, expressions_of(self.program)))
        keys = {n.key for n in nodes if isinstance(n, x.Lookup) and n.table == table.name}
        memories = {key.memory for key in keys if isinstance(key, x.Remembered)}
        if len(memories) != 1 or len(keys) != 1:
            return ""
        return f", by {self.phrases.of(keys.pop())}"

    def _rows_below(self, table: Table) -> Iterator[str]:
        """The key, as written, of the row below all bounds."""
        for key in self.written:
            head, _, name = key.partition(".")
            if head == table.name and name.startswith("below "):
                yield name

    def scores(self) -> Iterator[Line]:
        for line in self.program.scores:
            only = " (nothing else counts then)" if line.only else ""
            what = said(self.program, line.sentence) or plain(line.name)
            fold = self.phrases.folded
            parts = [self.phrases.of(fold(line.gives))]
            when = fold(line.when) if line.when is not None else ALWAYS
            unless = fold(line.unless) if line.unless is not None else NEVER
            if when == NEVER or unless == ALWAYS:
                continue
            if when != ALWAYS:
                parts.append(f"when {self.phrases.condition(when)}")
            if unless != NEVER:
                parts.append(f"unless {self.phrases.condition(unless)}")
            yield Line(f"{what}{only}: {', '.join(parts)}", line.tags, f"scores.{line.name}")

    def definitions(self) -> Iterator[Line]:
        for definition in self.program.definitions:
            key = f"definitions.{definition.name}"
            if key in self.written:
                folded = self.phrases.folded(definition.body)
                if folded == NEVER and definition.body != NEVER:
                    continue  # the settings switch it off
                body = self.phrases.of(folded)
                yield Line(f"{plain(definition.name)}: {body}", definition.tags, key)


def _cells(row: str, name: str) -> tuple[str, ...]:
    """The name, where it is that of a cell of the row."""
    return (name,) if name.startswith(f"{row}.") and not name.startswith(f"{row}..") else ()


def _when(trigger: Trigger, condition: str) -> str:
    further = f", when {condition}" if condition else ""
    match trigger.kind:
        case "start" | "end":
            return f"at the {trigger.kind} of a {trigger.period}{further}"
        case "before" | "after":
            targets = listed([plain(each) for each in trigger.targets], "or")
            return f"{trigger.kind} {targets}{further}"
    return f"as soon as {condition or 'anything was done'}"
