"""Facts of a turn: sums over the melds of the side and over the cards left in hand, and what else a
plan must know of a state.

A goal of the turn is turned into bounds over such facts (`PlanWorld`). Each fact is a sum of
something local, so it can be added up group by group; its value at the end of the turn lies between
two numbers that the plan knows.
"""

from __future__ import annotations

from dataclasses import field, replace
from typing import TYPE_CHECKING, Any

from meldc_runtime.light import dataclass
from meldc_runtime.lookahead.footprints import Footprint
from meldc_runtime.lookahead.ranges import (
    PLAYER,
    SIDE,
    UNKNOWN_NUMBER,
    UNKNOWN_TRUTH,
    Pair,
    Query,
    Reasoning,
    all_of,
    any_of,
    as_node,
    denied,
    least_of,
    minus,
    most_of,
    number,
)
from meldc_runtime.program import expressions as x
from meldc_runtime.program.binding import substituted
from meldc_runtime.program.reserved import VALUES
from meldc_runtime.writing.folding import NO, YES, Folding, is_yes_no
from meldc_runtime.writing.nodes import children, free_names

if TYPE_CHECKING:
    from meldc_runtime.table import Table

MELD, CARD = x.Var(x.Marker.MELD), x.Var(x.Marker.CARD)
SPLITS = 3
"""Unknown conditions inside a query that are told apart."""


@dataclass(frozen=True, slots=True)
class Fact:
    """A sum of `body` over the melds of the side (of Var("meld")) or over the cards left in hand
    (of Var("card")).
    """

    of_melds: bool
    body: x.Expr


@dataclass(slots=True)
class Registry:
    """The facts and the constants of a turn that goals ask for. A fact `i` stands in expressions as
    its least and greatest value at the end (`least i`, `most i`), and over the rest of the turn
    (`low i`, `high i`); a constant as `given i`.
    """

    facts: dict[Fact, int] = field(default_factory=dict)
    constants: dict[x.Expr, int] = field(default_factory=dict)

    def fact(self, fact: Fact) -> int:
        return self.facts.setdefault(fact, len(self.facts))

    def constant(self, expr: x.Expr) -> x.Var:
        return x.Var(f"given_{self.constants.setdefault(expr, len(self.constants))}")


class PlanWorld(Reasoning):
    """What is known when some cards of the hand will have been laid in melds of the side.

    over_turn: whether a condition may hold at any time in the rest of the turn, not at its end
    only. one_less: one card has left the hand besides. marks: what else may have changed. monotone:
    memories that only ever become yes, and when they may.
    """

    def __init__(
        self,
        table: Table,
        folding: Folding,
        registry: Registry,
        zone: str,
        marks: Footprint,
        monotone: dict[str, x.Expr],
        over_turn: bool,
        one_less: bool,
    ) -> None:
        super().__init__(table, folding)
        self.registry = registry
        self.zone = zone
        self.marks = marks
        self.monotone = monotone
        self.over_turn = over_turn
        self.one_less = one_less
        self.inside = 0

    # ---- what may change
    def changed(self, node: x.Expr) -> bool:
        match node:
            case x.Remembered(memory):
                return memory in self.marks.written
            case x.ZoneCards(zone, owner):
                if owner is not None and self.is_others(owner):
                    return False
                return zone == self.zone or zone in self.marks.zones
            case x.MeldsOf(owner):
                return not isinstance(owner, x.Opponents)
            case x.Can() | x.Only() | x.Joined() | x.CurrentPhase() | x.Unmelded():
                return True
        return False

    def is_others(self, owner: x.Expr) -> bool:
        match owner:
            case x.Opponents(side) | x.PlayersOf(x.Opponents(side)):
                return side == SIDE
            case x.Partners(player) | x.Neighbour(player):
                return player == PLAYER
        return False

    def known(self, node: x.Expr, truth: bool = False) -> x.Expr:
        if (
            self.inside
            or isinstance(node, (x.Const, x.Var))
            or free_names(node) - {x.Marker.PLAYER}
        ):
            return node
        return self.registry.constant(x.Not(x.Not(node)) if truth and not is_yes_no(node) else node)

    def truth(self, e: x.Expr | None) -> Pair:
        if isinstance(e, x.Remembered) and self.changed(e):
            value = self.marks.written[e.memory]
            if value is not None:
                return value, value
            if e.memory in self.monotone:
                now = self.now(e, truth=True)
                return now, any_of(now, self.monotone[e.memory])
            return UNKNOWN_TRUTH
        return super().truth(e)

    def memory(self, node: x.Remembered) -> x.Expr | None:
        return self.marks.written[node.memory]

    def now(self, node: x.Expr, truth: bool = False) -> x.Expr:
        """The value that something has before the rest of the turn."""
        return self.known(node, truth)

    # ---- queries
    def query(self, query: Query) -> Pair:
        match query.source:
            case x.ZoneCards(zone, owner) if zone == self.zone and owner in (PLAYER, x.Acting()):
                return self._in_hand(query)
            case x.ZoneCards(zone) if (
                zone == self.zone and query.by is None and self.is_known(query.where)
            ):
                return number(0), self.now(as_node(query))
            case x.MeldsOf(owner) if owner == SIDE:
                return self._sum(query, of_melds=True, splits=SPLITS)
            case x.MeldCards(melds):
                return self._of_meld_cards(query, melds)
        return (number(0), UNKNOWN_NUMBER[1]) if query.by is None else UNKNOWN_NUMBER

    def _of_meld_cards(self, query: Query, melds: x.Expr) -> Pair:
        """A query over all cards of melds: of each meld the same over its cards."""
        var = "meld__one"
        inner = as_node(replace(query, source=x.MeldAttr(x.Var(var), "cards")))
        return self._query(Query(melds, var, YES, inner))

    def _in_hand(self, query: Query) -> Pair:
        low, high = self._sum(query, of_melds=False, splits=SPLITS)
        if not self.one_less:
            return low, high
        if query.by is None and query.where == YES:
            return minus(low, number(1)), minus(high, number(1))
        if query.by is None:
            return most_of(number(0), minus(low, number(1))), high
        return UNKNOWN_NUMBER

    def _sum(self, query: Query, of_melds: bool, splits: int) -> Pair:
        element = MELD if of_melds else CARD
        where = substituted(query.where, {query.var: element})
        by = number(1) if query.by is None else substituted(query.by, {query.var: element})
        self.inside += 1
        known = self.is_known(where) and self.is_known(by)
        self.inside -= 1
        if known:
            fact = self.registry.fact(Fact(of_melds, _only_if(where, by)))
            return self._bounds(fact)
        if splits and (unknown := self._unknown_part(where, element.name)) is not None:
            return self._split(
                replace(query, var=element.name, where=where), unknown, of_melds, splits
            )
        return self._partly_known(where, by, query, of_melds)

    def _partly_known(self, where: x.Expr, by: x.Expr, query: Query, of_melds: bool) -> Pair:
        """Bounds from a condition that must, and one that may, hold of an element, as far as they
        can be told locally.
        """
        allowed = {MELD.name if of_melds else CARD.name, x.Marker.PLAYER}
        self.inside += 1
        must, may = self.truth(where)
        low, high = self.number(by)
        self.inside -= 1
        if free_names(must) - allowed:
            must = NO
        if free_names(may) - allowed:
            may = YES
        if free_names(low) - allowed or free_names(high) - allowed:
            return (number(0), UNKNOWN_NUMBER[1]) if query.by is None else UNKNOWN_NUMBER
        if query.by is not None:
            low, high = (
                least_of(low, number(0)) if must != may else low,
                most_of(high, number(0)) if must != may else high,
            )
        first = self.registry.fact(Fact(of_melds, _only_if(must, low)))
        second = self.registry.fact(Fact(of_melds, _only_if(may, high)))
        return self._bounds(first)[0], self._bounds(second)[1]

    def _unknown_part(self, node: Any, element: str) -> x.Expr | None:
        """The first condition inside that is unknown and says nothing about the element."""
        match node:
            case x.And(parts) | x.Or(parts):
                return next(
                    (
                        found
                        for part in parts
                        if (found := self._unknown_part(part, element)) is not None
                    ),
                    None,
                )
            case x.Not(operand):
                return self._unknown_part(operand, element)
        if isinstance(node, x.Expr) and not self.is_known(node) and element not in free_names(node):
            return node
        return None

    def _split(self, query: Query, unknown: x.Expr, of_melds: bool, splits: int) -> Pair:
        must, may = self.truth(unknown)
        if_so = self._sum(
            replace(query, where=self._settled(query.where, unknown, YES)), of_melds, splits - 1
        )
        if_not = self._sum(
            replace(query, where=self._settled(query.where, unknown, NO)), of_melds, splits - 1
        )
        low = _cases(must, may, if_so[0], if_not[0], least_of(if_so[0], if_not[0]))
        high = _cases(must, may, if_so[1], if_not[1], most_of(if_so[1], if_not[1]))
        return low, high

    def _settled(self, node: x.Expr, part: x.Expr, value: x.Expr) -> x.Expr:
        if node == part:
            return value
        match node:
            case x.And(parts):
                return all_of(*(self._settled(p, part, value) for p in parts))
            case x.Or(parts):
                return any_of(*(self._settled(p, part, value) for p in parts))
            case x.Not(operand):
                return denied(self._settled(operand, part, value))
        return node

    def _bounds(self, fact: int) -> Pair:
        if self.over_turn:
            return x.Var(f"low_{fact}"), x.Var(f"high_{fact}")
        return x.Var(f"least_{fact}"), x.Var(f"most_{fact}")


def _cases(must: x.Expr, may: x.Expr, if_so: x.Expr, if_not: x.Expr, unknown: x.Expr) -> x.Expr:
    if must == YES or if_so == if_not:
        return if_so
    if may == NO:
        return if_not
    rest = unknown if may == YES else x.If(may, unknown, if_not)
    return rest if must == NO else x.If(must, if_so, rest)


def _only_if(condition: x.Expr, value: x.Expr) -> x.Expr:
    if isinstance(condition, x.Const):
        return value if condition.value else number(0)
    return x.If(condition, value, number(0))


def reads(table: Table, folding: Folding, node: Any, found: set[str] | None = None) -> set[str]:
    """What an expression reads of a state beside the thing it is about: `memory NAME`, `zone NAME`,
    `melds`; through definitions and tables.
    """
    found = set() if found is None else found
    match node:
        case x.Remembered(memory):
            found.add(f"memory {memory}")
        case x.ZoneCards(zone):
            found.add(f"zone {zone}")
        case x.MeldsOf():
            found.add("melds")
        case x.Apply(definition):
            _once(table, folding, f"definition {definition}", [folding.body(definition)], found)
        case x.SortedAs(_, name) | x.Lookup(name) | x.RowAttr(_, name):
            _read_table(table, folding, name, found)
        case x.CardAttr(_, "value"):
            _read_table(table, folding, VALUES, found)
        case x.CardAttr(_, "laid_by"):
            found.add("laid by")
    for child in children(node):
        reads(table, folding, child, found)
    return found


def _read_table(table: Table, folding: Folding, name: str, found: set[str]) -> None:
    declared = table.tables.get(name)
    if declared is not None:
        parts = [
            p
            for row in declared.rows
            for p in (row.condition, *(cell for _, cell in row.cells))
            if p is not None
        ]
        _once(table, folding, f"table {name}", [folding.fold(part) for part in parts], found)


def _once(table: Table, folding: Folding, key: str, parts: list[x.Expr], found: set[str]) -> None:
    if key not in found:
        found.add(key)
        for part in parts:
            reads(table, folding, part, found)
