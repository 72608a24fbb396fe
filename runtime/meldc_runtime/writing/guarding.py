"""Refuses a Program that cannot be written: a saved one may come from anybody, and its names become
names of Python.

*Establishes*: names are plain words, operators and attributes are known, what is referred to
exists, expressions do not refer to themselves nor grow without measure and read no name but their
own, templates of actions name their parameters once. *Rejects* with ProgramError, which says what
is wrong.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from meldc_runtime.names import MOST_PLAYERS
from meldc_runtime.program import effects as f
from meldc_runtime.program import expressions as x
from meldc_runtime.program.codec import ProgramError
from meldc_runtime.program.declarations import Action, Program
from meldc_runtime.program.extents import first_too_large
from meldc_runtime.program.reserved import ARITHMETIC, CARD_ATTRS, COMPARISONS, MELD_ATTRS
from meldc_runtime.templates import pieces
from meldc_runtime.writing.nodes import expressions_of, free_names, walk

WORD = re.compile(r"[A-Za-z_][A-Za-z0-9_]{0,80}")

SUBJECTS = {"action", "moment", "end_of_turn"}


def guard(program: Program, built_in: Iterable[str]) -> None:
    """Checks a Program before it is seated; `built_in`: memories that need no declaration.

    Raises ProgramError.
    """
    _Guard(program, frozenset(built_in)).check()


class _Guard:
    def __init__(self, program: Program, built_in: frozenset[str]) -> None:
        self.program = program
        self.memories = {m.name for m in program.memories} | built_in
        self.zones = {z.name for z in program.zones}
        self.tables = {t.name: t for t in program.tables}
        self.definitions = {d.name: d for d in program.definitions}
        self.settings = {s.name for s in program.settings}
        self.actions = {a.name for a in program.actions}
        self.moments = {m.name for m in program.moments}
        self.phases = {p.name for p in program.phases}

    def check(self) -> None:
        if not self.program.players or not all(
            2 <= n <= MOST_PLAYERS for n in self.program.players
        ):
            raise ProgramError(f"a game is for 2 to {MOST_PLAYERS} players")
        if not self.program.phases:
            raise ProgramError("a game has a phase at least")
        self._check_declarations()
        for root in expressions_of(self.program):
            for node in walk(root):
                check = CHECKS.get(type(node))
                if check is not None:
                    check(self, node)
        large = first_too_large(self.program)
        if large is not None:
            raise ProgramError(f"{large.name} grows too large, or refers to itself")
        for reads, names in _closed(self.program):
            for unknown in sorted(free_names(reads) - names):
                raise ProgramError(f"{unknown!r} is no name here")

    def word(self, text: str) -> None:
        if not WORD.fullmatch(text):
            raise ProgramError(f"{text!r} is no name")

    def known(self, text: str, names: Iterable[str], what: str) -> None:
        if text not in names:
            raise ProgramError(f"{text!r} is no {what}")

    def _check_declarations(self) -> None:
        p = self.program
        groups: tuple[tuple[Any, ...], ...] = (
            p.settings, p.tables, p.zones, p.memories, p.phases, p.definitions, p.kinds, p.actions,
            p.moments, p.rules, p.allowances, p.scores, (*p.actions, *p.moments),
        )  # fmt: skip
        for group in groups:
            names = [declared.name for declared in group]
            for name in names:
                self.word(name)
            if len(set(names)) < len(names):
                raise ProgramError(
                    f"declared twice: {next(n for n in names if names.count(n) > 1)}"
                )
        for table in p.tables:
            for column, _ in table.columns:
                if column:
                    self.word(column)
            for row in table.rows:
                if table.form == "number" and not isinstance(row.key, int):
                    raise ProgramError(f"a row of {table.name} has no number")
                if table.form in ("number", "band", "card") and "" not in dict(row.cells):
                    raise ProgramError(f"a row of {table.name} has no cell")
        for definition in p.definitions:
            for name, _ in definition.params:
                self.word(name)
        for action in p.actions:
            for param in action.params:
                self.word(param.name)
            for phase in action.phases:
                self.known(phase, self.phases, "phase")
            self._check_template(action)
        for allowance in p.allowances:
            for phase in allowance.phases:
                self.known(phase, self.phases, "phase")

    def _check_template(self, action: Action) -> None:
        named = [piece.param for piece in pieces(action.text) if piece.param]
        for name in named:
            self.known(name, {param.name for param in action.params}, "parameter")
        if len(set(named)) < len(named):
            raise ProgramError(f"the text of {action.name} names a parameter twice")

    # ---- nodes

    def apply(self, node: x.Apply) -> None:
        self.known(node.definition, self.definitions, "definition")
        if len(node.arguments) != len(self.definitions[node.definition].params):
            raise ProgramError(f"the definition {node.definition} takes other arguments")

    def row_attr(self, node: x.RowAttr) -> None:
        self.known(node.table, self.tables, "table")
        if node.column != "place":
            self.known(node.column, dict(self.tables[node.table].columns), "column")

    def can(self, node: x.Can) -> None:
        self.known(node.subject, SUBJECTS, "subject of look-ahead")
        if node.subject != "end_of_turn":
            self.known(node.name, self.actions | self.moments, "action or moment")

    def zone(self, node: x.ZoneCards | f.ZoneRef) -> None:
        self.known(node.zone, self.zones, "zone")

    def memory(self, node: x.Remembered | f.Become | f.Gain | f.Chance) -> None:
        self.known(node.memory, self.memories, "memory")

    def table(self, node: x.Lookup | x.SortedAs | x.RowsOf) -> None:
        self.known(node.table, self.tables, "table")
        form = self.tables[node.table].form
        wanted = {x.SortedAs: ("sorts",), x.Lookup: ("number", "band", "card")}.get(type(node))
        if wanted is not None and form not in wanted:
            raise ProgramError(f"the table {node.table} is not to be read so")

    def binder(self, node: Any) -> None:
        if node.var:
            self.word(node.var)


def _closed(program: Program) -> Iterator[tuple[x.Expr, frozenset[str]]]:
    """Every expression that is written as a function of its own, and the names it may read; those
    of rules, actions and moments are looked up in the step, where a name may be missing.
    """
    card, meld = frozenset((x.Marker.CARD,)), frozenset((x.Marker.MELD,))
    nothing = frozenset[str]()
    yield program.pack.packs, nothing
    yield program.pack.jokers, nothing
    for setting in program.settings:
        yield setting.value, nothing
    for table in program.tables:
        for row in table.rows:
            if row.condition is not None:
                yield row.condition, meld if table.form == "sorts" else card
            for _, cell in row.cells:
                yield cell, card if table.form == "card" else nothing
        if table.each_more is not None:
            yield table.each_more, nothing
    for memory in program.memories:
        if memory.initial is not None:
            yield memory.initial, frozenset((x.Marker.PLAYER, x.Marker.SIDE))
    for definition in program.definitions:
        yield definition.body, frozenset(name for name, _ in definition.params)
    for kind in program.kinds:
        for condition in (kind.cards, *kind.contains):
            yield condition, card
        if kind.condition is not None:
            yield kind.condition, meld
    for line in program.scores:
        for part in (line.gives, line.when, line.unless):
            if part is not None:
                yield part, frozenset((line.owner,))


CHECKS: dict[type, Callable[[_Guard, Any], None]] = {
    x.Var: lambda g, n: g.word(n.name),
    x.SettingValue: lambda g, n: g.known(n.name, g.settings, "setting"),
    x.Remembered: _Guard.memory,
    x.ZoneCards: _Guard.zone,
    x.CardAttr: lambda g, n: g.known(n.attr, CARD_ATTRS, "attribute of a card"),
    x.MeldAttr: lambda g, n: g.known(n.attr, MELD_ATTRS, "attribute of a meld"),
    x.SortedAs: _Guard.table,
    x.RowsOf: _Guard.table,
    x.Lookup: _Guard.table,
    x.RowAttr: _Guard.row_attr,
    x.Apply: _Guard.apply,
    x.Filter: _Guard.binder,
    x.Count: _Guard.binder,
    x.Exists: _Guard.binder,
    x.ForAll: _Guard.binder,
    x.Sum: _Guard.binder,
    x.Best: _Guard.binder,
    x.Unmelded: _Guard.binder,
    x.Compare: lambda g, n: g.known(n.op, COMPARISONS, "comparison"),
    x.Arith: lambda g, n: g.known(n.op, ARITHMETIC, "arithmetic"),
    x.Can: _Guard.can,
    f.ZoneRef: _Guard.zone,
    f.Exception_: _Guard.binder,
    f.Let: lambda g, n: g.word(n.name),
    f.ForEach: _Guard.binder,
    f.Become: _Guard.memory,
    f.Gain: _Guard.memory,
    f.Chance: _Guard.memory,
    f.GoTo: lambda g, n: g.known(n.phase, g.phases, "phase"),
}
