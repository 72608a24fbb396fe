"""What in a Program tells cards apart.

Found from the nodes: every condition or value of one card alone is worked out for each face;
attributes compared with something else (`rank = top(pile).rank`) count by their value; a card
compared with a card as a whole keeps all faces apart. What is said in sentences does not count:
people see their cards.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from meldc_runtime.cards import FACES, RANK_OF, SUIT_OF
from meldc_runtime.face_sets import FaceSets
from meldc_runtime.oracle import evaluate
from meldc_runtime.program import expressions as x
from meldc_runtime.program.declarations import Definition, MeldKind, Program
from meldc_runtime.program.reserved import VALUES, WILD
from meldc_runtime.state import State
from meldc_runtime.table import Table
from meldc_runtime.writing.nodes import BINDERS, READS_STATE, RECKONING, children

STATIC_ATTRIBUTES = ("rank", "suit", "value", "number", "red", "black")


class Distinctions:
    """Walks the nodes of a Program and collects what tells cards apart."""

    def __init__(self, table: Table, runs: bool = True) -> None:
        self.table = table
        self.runs = runs
        self.program = table.program
        self.state = State(table)
        self.definitions = {d.name: d for d in self.program.definitions}
        self.tables = {t.name: t for t in self.program.tables}
        self.static: dict[str, bool] = {}
        self.seen: set[tuple[str, str]] = set()
        self.columns: dict[Any, tuple[Any, ...]] = {}
        self.all_apart = False
        self.sets = FaceSets(self.program, self.of_faces)

    def classes_are_static(self) -> bool:
        """Whether what each card may be in a meld is the same whatever is remembered."""
        own = all(self.is_static(kind.cards) for kind in self.program.kinds)
        return own and (WILD not in self.definitions or self.definition_is_static(WILD))

    def signatures(self) -> list[tuple[Any, ...]]:
        """For each face everything that is ever asked of it."""
        for part in _judged(self.program):
            self.walk(part)
        for kind in self.program.kinds:
            self.walk_kind(kind)
        columns = list(self.columns.values())
        if self.all_apart:
            columns.append(tuple(FACES))
        return [tuple(column[face] for column in columns) for face in FACES]

    # ---- melds
    def walk_kind(self, kind: MeldKind) -> None:
        cards = self.of_faces(x.Var(x.Marker.CARD), kind.cards)
        own = cards if cards is not None else (True,) * len(FACES)
        if cards is None:
            self.walk(kind.cards)
        for condition in kind.contains:
            self.walk(condition)
        if kind.condition is not None:
            self.walk(kind.condition)
        self.add(("cards", kind.name), own)
        if kind.shape == "run" and not self.runs:
            return
        if kind.shape != "any":
            self.add(("rank", kind.name), tuple(RANK_OF[f] if own[f] else None for f in FACES))
        if kind.shape == "run":
            self.add(("suit", kind.name), tuple(SUIT_OF[f] if own[f] else None for f in FACES))
        if kind.wilds[1] != 0 and WILD in self.definitions:
            self.walk(x.Apply(WILD, (x.Var(x.Marker.CARD),)))

    # ---- expressions
    def walk(self, node: Any) -> None:
        if isinstance(node, x.Expr) and self.settled(node):
            return
        if isinstance(node, BINDERS):
            self.walk_query(node)
            return
        for child in children(node):
            self.walk(child)

    def walk_query(self, node: Any) -> None:
        """A query: its condition counts only for the faces that its source may hold."""
        self.walk(node.source)
        inside = node.by if isinstance(node, RECKONING) else node.where
        column = None
        if inside is not None and self.lone_card(inside) == node.var:
            column = self.of_faces(x.Var(node.var), inside)
        if column is None:
            self.walk(inside)
            return
        faces = self.sets.of(node.source)
        self.add(
            (node, "of its source"),
            tuple(column[face] if face in faces else None for face in FACES),
        )

    def settled(self, node: x.Expr) -> bool:
        """Takes account of a node; whether what is below it counts as well is still to be looked at
        (no: settled).
        """
        variable = self.lone_card(node)
        if variable is not None:
            column = self.of_faces(x.Var(variable), node)
            if column is not None:
                self.add(node, column)
            return True
        match node:
            case x.CardAttr(attr="value") if not self.values_are_static():
                self.walk_table(VALUES)
            case x.CardAttr(attr=attr) if attr in STATIC_ATTRIBUTES:
                self.add(attr, self.attribute(attr))
            case x.Compare(cards=True) | x.Member(cards=True):
                self.all_apart = self.all_apart or not self.is_static(node)
            case x.Apply(definition=name):
                self.walk_definition(self.definitions[name])
            case x.Lookup(table=name):
                self.walk_table(name)
            case x.After(cards=True):
                self.all_apart = True
            case x.MeldAttr(attr="suit" | "lowest" | "highest"):
                self.add("suit", self.attribute("suit"))
            case x.SortedAs(table=name) | x.RowAttr(table=name) | x.RowsOf(table=name):
                self.walk_table(name)
            case _:
                pass
        return False

    def walk_definition(self, definition: Definition) -> None:
        key = ("definition", definition.name)
        if key in self.seen:
            return
        self.seen.add(key)
        self.walk(definition.body)

    def walk_table(self, name: str) -> None:
        key = ("table", name)
        if key in self.seen:
            return
        self.seen.add(key)
        table = self.tables[name]
        if table.form == "card":
            column = self.of_faces(x.Var(x.Marker.CARD), x.Lookup(name, x.Var(x.Marker.CARD)))
            if column is not None:
                self.add(key, column)
                return
        for row in table.rows:
            self.walk(row.condition)
            for _, cell in row.cells:
                self.walk(cell)

    # ---- conditions of one card alone
    def lone_card(self, node: x.Expr) -> str | None:
        """The one variable of a static expression, where it stands for a card throughout."""
        if isinstance(node, x.Var) or not self.is_static(node):
            return None
        found: set[str] = set()
        if not self.card_variables(node, found) or len(found) != 1:
            return None
        return found.pop()

    def card_variables(self, node: Any, found: set[str]) -> bool:
        match node:
            case x.Var():
                return False
            case x.CardAttr(card=x.Var(name=name)):
                found.add(name)
                return True
            case x.Compare(cards=True, left=left, right=right):
                sides = [side for side in (left, right) if not isinstance(side, x.Const)]
                return all(self.card_position(side, found) for side in sides)
            case x.Member(cards=True, element=element, source=source):
                return self.card_position(element, found) and self.card_variables(source, found)
            case x.Apply(definition=name, arguments=arguments):
                types = [kind for _, kind in self.definitions[name].params]
                return all(
                    self.card_position(argument, found)
                    if kind == "card"
                    else self.card_variables(argument, found)
                    for argument, kind in zip(arguments, types, strict=True)
                )
            case x.Lookup(table=name, key=key) if self.tables[name].form == "card":
                return self.card_position(key, found)
            case _:
                return all(self.card_variables(child, found) for child in children(node))

    def card_position(self, node: Any, found: set[str]) -> bool:
        if isinstance(node, x.Var):
            found.add(node.name)
            return True
        return self.card_variables(node, found)

    def is_static(self, node: Any) -> bool:
        """Whether an expression reads nothing of the state."""
        match node:
            case x.CardAttr(attr="value") if not self.values_are_static():
                return False
            case x.CardAttr(attr=attr) if attr not in STATIC_ATTRIBUTES:
                return False
            case x.Apply(definition=name):
                if not self.definition_is_static(name):
                    return False
            case x.Lookup(table=name):
                if not self.table_is_static(name):
                    return False
            case _ if isinstance(node, READS_STATE):
                return False
            case _:
                pass
        return all(self.is_static(child) for child in children(node))

    def definition_is_static(self, name: str) -> bool:
        if name not in self.static:
            self.static[name] = False
            self.static[name] = self.is_static(self.definitions[name].body)
        return self.static[name]

    def table_is_static(self, name: str) -> bool:
        rows = self.tables[name].rows
        return all(
            self.is_static(row.condition) and all(self.is_static(cell) for _, cell in row.cells)
            for row in rows
        )

    def values_are_static(self) -> bool:
        return VALUES not in self.tables or self.table_is_static(VALUES)

    # ---- values
    def of_faces(self, variable: x.Var, node: x.Expr) -> tuple[Any, ...] | None:
        """The value for each face; None where it depends on the state."""
        if not self.is_static(node):
            return None
        return tuple(
            evaluate(self.table, self.state, {variable.name: face}, node) for face in FACES
        )

    def attribute(self, attr: str) -> tuple[Any, ...]:
        column = self.of_faces(x.Var(x.Marker.CARD), x.CardAttr(x.Var(x.Marker.CARD), attr))
        assert column is not None
        return column

    def add(self, key: Any, column: tuple[Any, ...]) -> None:
        self.columns[key] = column


def _judged(program: Program) -> Iterator[Any]:
    """All that is evaluated in play and at its end: not sentences, not places."""
    for action in program.actions:
        yield from (param.domain for param in action.params)
        yield action.effects
    for moment in program.moments:
        yield (moment.when, moment.effects)
    for rule in program.rules:
        yield (rule.when, rule.unless, rule.requires)
    for allowance in program.allowances:
        yield (allowance.when, allowance.unless)
    for line in program.scores:
        yield (line.gives, line.when, line.unless)
    for memory in program.memories:
        yield memory.initial
