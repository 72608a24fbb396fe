"""Builds the module of a kernel: a function for every play there can be, the lists of legal plays
by phase, and quick tests whether the turn can be ended.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby

from meldc_runtime.cards import RANK_WORDS
from meldc_runtime.kernel.acting import Acting, Flow
from meldc_runtime.kernel.ahead import Ahead, Script, paths
from meldc_runtime.kernel.coding import Code
from meldc_runtime.kernel.conditions import Names, broken, due
from meldc_runtime.kernel.layout import Layout, NotLowered
from meldc_runtime.kernel.listing import Entry, write_group, write_groups
from meldc_runtime.kernel.reading import Card, Cards, NeedsTop, Player, Reader
from meldc_runtime.kernel.terms import (
    ONE,
    ZERO,
    Number,
    Truth,
    all_of,
    any_of,
    assumed,
    at,
    at_least,
    atoms,
    certain,
    denied,
    forget,
    substituted_truth,
)  # fmt: skip
from meldc_runtime.kernel.text import place_text, truth_text
from meldc_runtime.program import expressions as x
from meldc_runtime.program.declarations import Action, Param
from meldc_runtime.program.effects import EndTurn, MoveCount
from meldc_runtime.writing.folding import Folding
from meldc_runtime.writing.nodes import walk
from meldc_runtime.writing.writer import Writer

SIMPLEST = 3
"""So many of the ways in which it can be seen that a turn can be ended are looked at."""

MOST_TESTS = 8
"""Tests for which it does not pay to leave ways out."""

Tops = Mapping[str, Card | None]


@dataclass(frozen=True, slots=True)
class Made:
    """A play as written: the name of its function, the action, its arguments (cards by kind)."""

    name: str
    action: int
    args: tuple[int, ...]


class Builder:
    """Builds for one layout. Raises NotLowered where the Program does not fit."""

    def __init__(self, layout: Layout) -> None:
        self.layout = layout
        self.table = layout.table
        self.program = self.table.program
        self.folding = Folding(self.table)
        self.reader = Reader(layout, self.folding)
        self.writer = Writer()
        self.made: list[Made] = []
        self.sure: dict[int, Truth] = {}
        self.rules = {rule.name: rule for rule in self.program.rules}
        if not self.table.schedule.has_turns:
            raise NotLowered("a game without turns")
        if any(self.table.schedule.moment_rules[i] for i in self.table.schedule.end_turn):
            raise NotLowered("rules about moments at the end of a turn")

    # ---- plays
    def names_of(self, action: Action) -> Iterator[tuple[Names, Truth]]:
        """The names of each play of an action, and whether its cards are held."""
        start: Names = {x.Marker.PLAYER: Player(0)}
        yield from self._bound(action.params, start, True)

    def _bound(
        self, params: tuple[Param, ...], names: Names, held: Truth
    ) -> Iterator[tuple[Names, Truth]]:
        if not params:
            yield dict(names), held
            return
        param, *rest = params
        if param.mode != "one":
            raise NotLowered("choices of several cards")
        domain = self.reader.value(self.reader.folded(param.domain), names)
        if isinstance(domain, Cards):
            values = [(Card(kind), at_least(n, ONE)) for kind, n in domain.by_kind if n != ZERO]
        elif isinstance(domain, list):
            values = [(value, True) for value in domain]
        else:
            raise NotLowered("what a parameter ranges over")
        for value, present in values:
            yield from self._bound(tuple(rest), {**names, param.name: value}, all_of(held, present))

    def known_tops(self, action: int, names: Names) -> list[Tops]:
        """The top cards that must be known to judge a play: one set for each possibility."""
        try:
            self.base(action, names, {}, True)
        except NeedsTop as needed:
            kinds = [None, *map(Card, range(self.layout.unknown))]
            return [{needed.zone: kind} for kind in kinds]
        return [{}]

    def base(self, action: int, names: Names, tops: Tops, held: Truth) -> Truth:
        """Whether no rule about an action is broken."""
        reader = Reader(self.layout, self.folding, None, tops)
        parts = [held]
        for name in self.table.schedule.action_rules[action]:
            kept = denied(broken(reader, self.rules[name], names))
            if kept is False:
                return False
            parts.append(kept)
        return all_of(*parts)

    def judged(self, action: int, names: Names, tops: Tops, held: Truth) -> tuple[Truth, Truth]:
        """When a play is legal as far as rules say, and when it is sure that the turn can be
        completed after it.
        """
        base = self.base(action, names, tops, held)
        if base is False:
            return False, False
        reader = Reader(self.layout, self.folding, None, tops)
        legal = self._legal(action, names, reader, base)
        if legal is False:
            return False, False
        ends = any(isinstance(e, EndTurn) for e in self.program.actions[action].effects)
        sure: Truth = True
        for drawn in self._draws(action):
            done = self._surely(action, names, reader, legal, drawn, ends)
            sure = all_of(sure, done)
            if ends:
                legal = all_of(legal, assumed(done, legal))
        return legal, True if ends else assumed(sure, legal)

    def _legal(self, action: int, names: Names, reader: Reader, base: Truth) -> Truth:
        """When rules and patterns let a play be made."""

        def run(script: Script) -> Truth:
            ahead = Ahead(reader, script, base, ONE)
            Acting(self.layout, ahead, base).step(action, dict(names), scans=False)
            rest = all_of(ahead.path, ahead.given, ahead.legal)
            return all_of(ahead.path, assumed(rest, all_of(ahead.path, ahead.facts)))

        legal = any_of(*paths(run))
        if certain(legal) != legal:
            raise NotLowered("legality that depends on what is not seen")
        return legal

    def _surely(
        self, action: int, names: Names, reader: Reader, legal: Truth, drawn: Number | None,
        exact: bool,
    ) -> Truth:  # fmt: skip
        """When it is sure that the turn can be completed after a legal play; exact: when it can."""

        def run(script: Script) -> Truth:
            ahead = Ahead(reader, script, all_of(legal, self.settled), drawn)
            acting = Acting(self.layout, ahead, legal)
            acting.step(action, dict(names))
            done = self.completed(ahead, acting.flow, self.phase_of(action))
            done = all_of(ahead.path, ahead.simple(done))
            return assumed(done if exact else certain(done), all_of(legal, self.settled))

        ways = [way for way in paths(run) if way is not False]
        if exact:
            return any_of(*ways)
        return simplest(ways)

    @cached_property
    def settled(self) -> Truth:
        """What holds wherever a player decides: no state moment is due and free to happen."""
        names: Names = {x.Marker.PLAYER: Player(0)}
        found: list[Truth] = []
        for index in self.table.schedule.scan:
            is_due, kept = due(self.reader, self.program.moments[index], names)
            found.append(denied(all_of(is_due, denied(kept))))
        return all_of(*found)

    def phase_of(self, action: int) -> int:
        phases = self.table.schedule.phases[action]
        if len(phases) != 1:
            raise NotLowered("actions of several phases")
        return next(iter(phases))

    def _draws(self, action: int) -> list[Number | None]:
        """How many cards a draw may bring, where an action draws."""
        effects = [e for each in self.program.actions[action].effects for e in walk(each)]
        counts = [e.count for e in effects if isinstance(e, MoveCount)]
        if not counts:
            return [None]
        count = self.folding.fold(counts[0])
        if len(counts) > 1 or not isinstance(count, x.Const) or count.value != 1:
            raise NotLowered("drawing several cards")
        return [ZERO, ONE]

    # ---- whether the turn can be ended
    def completed(self, ahead: Ahead, flow: Flow, phase: int) -> Truth:
        """Whether the turn can surely be completed after a step."""
        if flow.ended:
            return True
        if flow.ends_turn:
            return self._accepted(ahead)
        if flow.target is not None:
            phase, step = flow.target
            if step or self.program.phases[phase].begins_turn:
                return True
        later = substituted_truth(self.sure_at(phase), ahead.number, ahead.truth)
        return ahead.simple(later)

    def _accepted(self, ahead: Ahead) -> Truth:
        names: Names = {x.Marker.PLAYER: Player(0)}
        rules = [self.rules[name] for name in self.table.schedule.end_rules]
        kept = [denied(broken(ahead.reader, rule, names)) for rule in rules]
        return all_of(denied(ahead.blocked), *kept)

    def sure_at(self, phase: int) -> Truth:
        """When one of the plays that lead to an end of the turn is surely there."""
        if phase not in self.sure:
            self.sure[phase] = False  # as long as it is being worked out
            ways: list[Truth] = []
            for index, action in enumerate(self.program.actions):
                if phase in self.table.schedule.phases[index] and len(action.params) <= 1:
                    try:
                        ways.append(certain(self._way(index, action, phase)))
                    except (NotLowered, NeedsTop):
                        continue
            self.sure[phase] = any_of(*ways)
        return self.sure[phase]

    def _way(self, index: int, action: Action, phase: int) -> Truth:
        names: Names = {x.Marker.PLAYER: Player(0)}
        if not action.params:
            return self._leads_on(index, names, phase)
        param = action.params[0]
        if param.type != "card" or param.mode != "one":
            return False
        domain = self.reader.value(self.reader.folded(param.domain), names)
        held = {kind: n for kind, n in domain.by_kind if n != ZERO}
        whole = len(held) == self.layout.unknown
        kinds = [*held, *([self.layout.unknown] if whole else [])]
        ways = [self._leads_on(index, {**names, param.name: Card(k)}, phase) for k in kinds]
        if whole and all(each == ways[0] for each in ways):
            return all_of(at_least(at(self.layout.hand_size), ONE), ways[0])
        pairs = zip(held, ways, strict=False)
        return any_of(*(all_of(at_least(held[kind], ONE), way) for kind, way in pairs))

    def _leads_on(self, index: int, names: Names, phase: int) -> Truth:
        """When a play is legal and surely leads to an end of the turn."""
        base = self.base(index, names, {}, True)
        if base is False:
            return False

        def run(script: Script) -> Truth:
            given = all_of(base, self.settled)
            ahead = Ahead(self.reader, script, given)
            acting = Acting(self.layout, ahead, base)
            acting.step(index, dict(names))
            done = self.completed(ahead, acting.flow, phase)
            way = all_of(base, ahead.path, ahead.simple(all_of(ahead.legal, done)))
            return certain(assumed(way, self.settled))

        ways = [way for way in paths(run) if way is not False]
        return simplest(ways)

    # ---- the module
    def build(self) -> str:
        """The source."""
        self._prepare()
        lists: dict[int, list[list[Entry]]] = {i: [] for i in range(len(self.program.phases))}
        for index, action in enumerate(self.program.actions):
            groups = self._plays(index, action)
            lists[self.phase_of(index)].extend(groups)
        for phase, groups in lists.items():
            self._list(phase, groups)
        for phase in lists:
            with self._function(f"sure_{phase}"):
                self.writer.line(f"return {truth_text(self.sure_at(phase))}")
        self._scan()
        self._begin_turn()
        return self.writer.text()

    def _prepare(self) -> None:
        """Reads all conditions once, so that the sums and tallies they need are known."""
        for index, action in enumerate(self.program.actions):
            for names, held in self.names_of(action):
                for tops in self.known_tops(index, names):
                    self.base(index, names, tops, held)
        for index in self.table.schedule.scan:
            due(self.reader, self.program.moments[index], {x.Marker.PLAYER: Player(0)})
        for name in self.table.schedule.end_rules:
            broken(self.reader, self.rules[name], {x.Marker.PLAYER: Player(0)})

    def _plays(self, index: int, action: Action) -> list[list[Entry]]:
        """Writes the plays of an action; entries for the list, in groups of the first argument."""
        groups: dict[object, list[Entry]] = {}
        for number, (names, held) in enumerate(self.names_of(action)):
            for tops in self.known_tops(index, names):
                forget()
                legal, sure = self.judged(index, names, tops, held)
                if legal is False:
                    continue
                name = self._name(action, names, tops, number)
                self._step(name, index, names, tops, legal)
                args = tuple(_argument(names[param.name]) for param in action.params)
                self.made.append(Made(name, index, args))
                first = names[action.params[0].name] if action.params else None
                key = (tuple(tops.items()), None) if tops else ((), first)
                groups.setdefault(key, []).append(Entry(name, legal, sure, dict(tops)))
        return list(groups.values())

    def _name(self, action: Action, names: Names, tops: Tops, number: int) -> str:
        words = [action.name]
        for param in action.params:
            value = names[param.name]
            if isinstance(value, Card):
                words.append(f"k{value.kind}")
            elif param.type == "rank":
                words.append(RANK_WORDS[value.constant])
            elif param.type.startswith("row:"):
                rows = self.table.tables[param.type[4:]].rows
                words.append(str(rows[value.constant].key))
            else:
                words.append(str(number))
        words += [f"on_k{card.kind}" for card in tops.values() if card is not None]
        return "play_" + re.sub(r"\W", "_", "_".join(words))

    def _step(self, name: str, index: int, names: Names, tops: Tops, legal: Truth) -> None:
        with self._function(name):
            code = Code(Reader(self.layout, self.folding, None, tops), self.writer)
            acting = Acting(self.layout, code, legal)
            own = dict(names)
            acting.step(index, own)
            self._finish(acting, code, own)

    def _finish(self, acting: Acting, code: Code, names: Names) -> None:
        """Where the step leads."""
        flow = acting.flow
        if flow.ended is True:
            return
        if code.may_end:
            with self.writer.block("if s.over:"):
                self.writer.line("return")
        if flow.ends_turn:
            with self.writer.block("if s.blind:"):
                self.writer.line("s.ended = True")
                self.writer.line("return")
            for moment in self.table.schedule.end_turn:
                acting.moment(self.program.moments[moment], names)
            flow = acting.flow
            if flow.target is None or flow.ended is not False:
                raise NotLowered("a turn that leads nowhere, or ends the deal")
        if flow.target is None:
            return
        phase, step = flow.target
        self.writer.line(f"s.phase = {phase}  # {self.program.phases[phase].name}")
        if self.program.phases[phase].begins_turn:
            if step:
                self.writer.line(f"s.p = (p + {step}) % {self.table.players}")
            self.writer.line("begin_turn(s)")
        elif step:
            raise NotLowered("phases of other players within a turn")

    def _function(self, name: str, more: str = "") -> _Function:
        return _Function(self.writer, f"{name}(s{more})", self.table.sides, bool(more))

    def _list(self, phase: int, groups: list[list[Entry]]) -> None:
        tables: list[tuple[str, list[str]]] = []
        for number, group in enumerate(groups):
            zone = next(iter(group[0].tops), None)
            if zone is None:
                continue
            name = f"list_{phase}_{number}"
            with self._function(name, ", look, plays"):
                write_group(self.writer, group)
            card = group[0].tops[zone]
            if card is None:
                raise NotLowered("plays that need an empty list")
            if not tables or tables[-1][0] != zone:
                tables.append((zone, ["None"] * self.layout.unknown))
            tables[-1][1][card.kind] = name
        for number, (_, names) in enumerate(tables):
            self.writer.line()
            self.writer.line(f"LISTS_{phase}_{number} = ({', '.join(names)})")
        with self._function(f"list_{phase}", ", look"):
            self.writer.line("plays = []")
            done: set[str] = set()
            for zone, some in groupby(groups, lambda group: next(iter(group[0].tops), None)):
                if zone is None:
                    write_groups(self.writer, list(some))
                elif zone not in done:
                    done.add(zone)
                    number = next(i for i, (z, _) in enumerate(tables) if z == zone)
                    cards = self.layout.list_text(zone)
                    with self.writer.block(f"if {cards} and LISTS_{phase}_{number}[{cards}[-1]]:"):
                        self.writer.line(f"LISTS_{phase}_{number}[{cards}[-1]](s, look, plays)")
            self.writer.line("return plays")

    def _scan(self) -> None:
        names: Names = {x.Marker.PLAYER: Player(0)}
        with self._function("scan"):
            self.writer.line("done = 0")
            with self.writer.block("while not s.over:"):
                for place, index in enumerate(self.table.schedule.scan):
                    moment = self.program.moments[index]
                    is_due, kept = due(self.reader, moment, names)
                    test = truth_text(all_of(is_due, denied(kept)), tight=True)
                    with self.writer.block(f"if not done & {1 << place} and {test}:"):
                        self.writer.line(f"done |= {1 << place}  # {moment.name}")
                        acting = Acting(self.layout, Code(self.reader, self.writer))
                        acting.effects(moment.effects, dict(names))
                        if acting.flow.target is not None or acting.flow.ends_turn:
                            raise NotLowered("state moments that lead elsewhere")
                        self.writer.line("continue")
                self.writer.line("break")
            with self.writer.block(
                f"if not s.over and {truth_text(denied(self.settled), tight=True)}:"
            ):
                self.writer.line('raise RuntimeError("a moment is due twice in a step")')

    def _begin_turn(self) -> None:
        names: Names = {x.Marker.PLAYER: Player(0)}
        with self._function("begin_turn"):
            with self.writer.block("if s.blind:"):
                self.writer.line("s.ended = True")
                self.writer.line("return")
            self._reset()
            code = Code(self.reader, self.writer, settled=False)
            acting = Acting(self.layout, code)
            for index in self.table.schedule.start_turn:
                if self.table.schedule.moment_rules[index]:
                    raise NotLowered("rules about moments at the start of a turn")
                acting.moment(self.program.moments[index], dict(names))
            code.scan(acting, names)
            if acting.flow.target is not None or acting.flow.ends_turn:
                raise NotLowered("turns that are over as they begin")

    def _reset(self) -> None:
        for memory in self.program.memories:
            if memory.scope != "turn":
                continue
            initial = None if memory.initial is None else self.folding.fold(memory.initial)
            if memory.owner != "none" or not (initial is None or isinstance(initial, x.Const)):
                raise NotLowered("memory of a turn")
            value = None if initial is None else initial.value
            self.writer.line(f"{place_text(self.layout.memory[memory.name])} = {value!r}")


def simplest(ways: Sequence[Truth]) -> Truth:
    """Some of the ways, where all of them together are too many to look at."""
    whole = any_of(*ways)
    if len(list(atoms(whole))) <= MOST_TESTS:
        return whole
    return any_of(*sorted(ways, key=lambda way: len(list(atoms(way))))[:SIMPLEST])


READ = re.compile(r"len\(s\.lists\[\d+\]\)|\b[hmg]\[\d+\]")
OFTEN = 8


class _Function:
    """A function whose first lines fetch what its body uses."""

    def __init__(self, writer: Writer, head: str, sides: int, only_reads: bool = False) -> None:
        self.only_reads = only_reads
        self.writer = writer
        self.head = head
        self.sides = sides

    def __enter__(self) -> None:
        self.writer.line()
        self.writer.line()
        self.writer.line(f"def {self.head}:")
        self.writer.depth += 1
        self.start = len(self.writer.lines)

    def __exit__(self, *error: object) -> None:
        often = self._keep_what_is_often_read() if self.only_reads else []
        body = "\n".join([*often, *self.writer.lines[self.start :]])
        first = []
        if re.search(r"\bm\[|\+ q\]", body):
            body += " q"
            first.append(f"q = p % {self.sides}")
        if re.search(r"\bm\[", body):
            first.append("m = s.m[q]")
        if re.search(r"\bh\[", body):
            first.append("h = s.h[p]")
        if re.search(r"\bg\[", body):
            first.append("g = s.g")
        if (first[:1] != ["g = s.g"] and first) or re.search(r"\bp\b", body):
            first.insert(0, "p = s.p")
        lines = [f"    {line}" for line in first] or ([] if body else ["    pass"])
        self.writer.lines[self.start : self.start] = [*lines, *often]
        self.writer.depth -= 1

    def _keep_what_is_often_read(self) -> list[str]:
        """Gives names to places that are read again and again; lines that say so."""
        body = self.writer.lines[self.start :]
        counts = Counter(READ.findall("\n".join(body)))
        often = sorted(place for place, count in counts.items() if count >= OFTEN)
        names = {place: "n_" + "_".join(re.findall(r"\w+", place)) for place in often}
        for number, line in enumerate(body):
            body[number] = READ.sub(lambda match: names.get(match[0], match[0]), line)
        self.writer.lines[self.start :] = body
        return [f"    {name} = {place}" for place, name in names.items()]


def _argument(value: object) -> int:
    match value:
        case Card(kind):
            return kind
        case Number(constant, ()):
            return constant
    raise NotLowered("an argument of this type")
