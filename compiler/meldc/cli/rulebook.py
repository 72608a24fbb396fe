"""`meldc rulebook`: the rules of a game as text, from the compiled program and nothing else."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import click

from meldc.cli.games import house_option, load_game, seating_options
from meldc_runtime.game import Game
from meldc_runtime.program.declarations import Program, Rule, Sentence, Table, Value
from meldc_runtime.program.expressions import Apply, Remembered, SettingValue, Var


@click.command()
@click.argument("spec")
@seating_options
@house_option
def rulebook(
    spec: str, players: int | None, side_size: int | None, houses: tuple[str, ...]
) -> None:
    """Print the rules of a game, as they are in force, in Markdown."""
    click.echo("\n".join(Rulebook(load_game(spec, houses, players, side_size)).lines()))


class Rulebook:
    """The text of one game for the seats that it is played with."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.program: Program = game.program
        self.written = {key: steps[-1].text for key, steps in self.program.provenance if steps}

    def lines(self) -> Iterator[str]:
        yield f"# {self.program.title}"
        if self.program.house:
            yield from ("", f"House rules: {', '.join(self.program.house)}.")
        yield from self._section("Players and cards", self._players())
        yield from self._section("What is set", self._settings())
        for phase in self.program.phases:
            yield from self._section(
                f"To do: {phase.text or _words(phase.name)}", self._phase(phase.name)
            )
        yield from self._section("Melds", self._melds())
        yield from self._section("At the end of a turn", self._about_the_turn())
        yield from self._section("What happens by itself", self._moments())
        for table in self.program.tables:
            title = table.text or _words(table.name)
            yield from self._section(title[0].upper() + title[1:], self._table(table))
        yield from self._section("Score of a deal", self._scores())

    def _section(self, title: str, body: Iterable[str]) -> Iterator[str]:
        listed = list(body)
        if listed:
            yield from ("", f"## {title}", "", *listed)

    def _players(self) -> Iterator[str]:
        table = self.game.table
        sides = "each alone" if table.side_size == 1 else f"in sides of {table.side_size}"
        yield f"- {table.players} players, {sides}; {len(table.pack)} cards"
        for key, text in self.written.items():
            head, _, name = key.partition(".")
            if head in ("cards", "values"):
                yield f"- {head}: {_words(name)}: {text}"
        for zone in self.program.zones:
            shown = {"hidden": "face down", "top": "top card shown", "shown": "open"}
            seen = shown.get(zone.visibility, f"seen by its {zone.owner} alone")
            owner = "" if zone.owner == "none" else f" of each {zone.owner}"
            yield f"- {_words(zone.name)}{owner}: {seen}"

    def _settings(self) -> Iterator[str]:
        for setting in self.program.settings:
            value = self.written.get(f"settings.{setting.name}", "")
            yield f"- {setting.text}: {_words(value)}"

    def _phase(self, phase: str) -> Iterator[str]:
        for action in self.program.actions:
            if phase in action.phases:
                yield f"- `{action.text}`"
                yield from self._rules(r for r in self._in_force() if action.name in r.actions)
        for allowance in self.program.allowances:
            if phase in allowance.phases:
                yield f"- {self._said(allowance.sentence)} ({', '.join(allowance.actions)})"

    def _melds(self) -> Iterator[str]:
        for kind in self.program.kinds:
            cells = {
                key.rpartition(".")[2]: text
                for key, text in self.written.items()
                if key.startswith(f"melds.{kind.name}.")
            }
            about = ", ".join(f"{_words(name)} {_words(text)}" for name, text in cells.items())
            yield f"- {_words(kind.name)}: {about}"
            yield from self._rules(r for r in self._in_force() if kind.name in r.kinds)

    def _about_the_turn(self) -> Iterator[str]:
        for rule in self._in_force():
            if rule.end_of_turn:
                yield f"- refused: {self._said(rule.sentence)}"

    def _moments(self) -> Iterator[str]:
        for moment in self.program.moments:
            rules = [rule for rule in self._in_force() if moment.name in rule.moments]
            if rules:
                yield f"- {_words(moment.name)}"
                yield from self._rules(rules)

    def _in_force(self) -> list[Rule]:
        """The rules that the settings do not switch off."""
        never = self.game.table.code.never_broken
        return [rule for rule in self.program.rules if rule.name not in never]

    def _rules(self, rules: Iterable[Rule]) -> Iterator[str]:
        for rule in rules:
            tags = f" [{', '.join(rule.tags)}]" if rule.tags else ""
            yield f"  - refused: {self._said(rule.sentence)}{tags}"

    def _table(self, table: Table) -> Iterator[str]:
        titles = {str(row.key): row.title for row in table.rows}
        rows: dict[str, list[str]] = {}
        for key, text in self.written.items():
            head, _, name = key.partition(".")
            row, _, column = name.partition(".")
            if head == table.name and row and text != "{…}":
                rows.setdefault(row, []).append(f"{_words(column)} {_words(text)}".strip())
        for row, cells in rows.items():
            yield f"- {titles.get(row) or _words(row)}: {', '.join(cells)}"

    def _scores(self) -> Iterator[str]:
        for line in self.program.scores:
            only = " (nothing else counts then)" if line.only else ""
            yield f"- {self._said(line.sentence) or _words(line.name)}{only}"

    def _said(self, sentence: Sentence) -> str:
        return "".join(part if isinstance(part, str) else self._value(part) for part in sentence)

    def _value(self, value: Value) -> str:
        """What stands for a value that only play gives."""
        match value.expr:
            case SettingValue(name):
                return _words(self.written.get(f"settings.{name}", name))
            case Apply(definition=name) | Var(name) | Remembered(memory=name):
                return f"<{_words(name)}>"
        return "…"


def _words(text: str) -> str:
    return text.replace("_", " ")
