"""Evaluates expressions by walking their nodes: slow, plain, the measure of the written code."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any

from meldc_runtime.cards import BLACK, FACE, RANK_OF, RED, SUIT_OF, UNKNOWN, laid_by
from meldc_runtime.melds import highest_face, joined, lowest_face, standing_faces
from meldc_runtime.program import expressions as x
from meldc_runtime.program.declarations import Row
from meldc_runtime.program.declarations import Table as ProgramTable
from meldc_runtime.program.reserved import VALUES
from meldc_runtime.splitting import unmelded
from meldc_runtime.state import Meld, State

if TYPE_CHECKING:
    from meldc_runtime.table import Table


def evaluate(table: Table, state: State | None, names: dict[str, Any], expr: x.Expr) -> Any:
    """The value of an expression; `state` may be None for one that reads none."""
    return _Walk(table, state).value(expr, names)


class _Walk:
    def __init__(self, table: Table, state: State | None) -> None:
        self.table = table
        self.given = state

    @property
    def state(self) -> State:
        assert self.given is not None, "this expression reads the table; it needs a state"
        return self.given

    def value(self, expr: x.Expr, names: dict[str, Any]) -> Any:
        return EVALUATORS[type(expr)](self, expr, names)

    def list_of(self, expr: x.Expr, names: dict[str, Any]) -> Sequence[Any]:
        return as_list(self.value(expr, names))

    def holds(self, expr: x.Expr | None, names: dict[str, Any]) -> bool:
        return expr is None or bool(self.value(expr, names))

    # ---- plain values

    def const(self, e: x.Const, names: dict[str, Any]) -> Any:
        return self.table.constant(e)

    def var(self, e: x.Var, names: dict[str, Any]) -> Any:
        return names.get(e.name)

    def setting(self, e: x.SettingValue, names: dict[str, Any]) -> Any:
        return self.table.settings[e.name]

    # ---- what lies and is remembered

    def remembered(self, e: x.Remembered, names: dict[str, Any]) -> Any:
        owner = None
        if e.owner is not None:
            owner = self.value(e.owner, names)
            if owner is None:
                return None
        return self.state.memory[self.table.memory_slot(e.memory, owner)]

    def zone(self, e: x.ZoneCards, names: dict[str, Any]) -> Any:
        if e.owner is None:
            return self.state.zones[self.table.zone_slot(e.zone)]
        return [
            card
            for owner in self.list_of(e.owner, names)
            for card in self.state.zones[self.table.zone_slot(e.zone, owner)]
        ]

    def melds_of(self, e: x.MeldsOf, names: dict[str, Any]) -> Any:
        return [meld for side in self.list_of(e.owner, names) for meld in self.state.melds[side]]

    def meld_cards(self, e: x.MeldCards, names: dict[str, Any]) -> Any:
        return [card for meld in self.list_of(e.melds, names) for card in meld.cards]

    # ---- who

    def acting(self, e: x.Acting, names: dict[str, Any]) -> Any:
        return self.state.player

    def side_of(self, e: x.SideOf, names: dict[str, Any]) -> Any:
        player = self.value(e.player, names)
        return None if player is None else self.table.side_of(player)

    def players_of(self, e: x.PlayersOf, names: dict[str, Any]) -> Any:
        return [p for side in self.list_of(e.side, names) for p in self.table.players_of(side)]

    def neighbour(self, e: x.Neighbour, names: dict[str, Any]) -> Any:
        player = self.value(e.player, names)
        return None if player is None else (player + e.step) % self.table.players

    def seats_on(self, e: x.SeatsOn, names: dict[str, Any]) -> Any:
        player, steps = self.value(e.player, names), self.value(e.steps, names)
        return None if None in (player, steps) else (player + steps) % self.table.players

    def partners(self, e: x.Partners, names: dict[str, Any]) -> Any:
        player = self.value(e.player, names)
        return () if player is None else self.table.partners_of(player)

    def opponents(self, e: x.Opponents, names: dict[str, Any]) -> Any:
        side = self.value(e.side, names)
        return () if side is None else self.table.opponents_of(side)

    def next_of(self, e: x.NextOf, names: dict[str, Any]) -> Any:
        return next_of(
            self.list_of(e.players, names), self.value(e.after, names), self.table.players
        )

    def starting_at(self, e: x.StartingAt, names: dict[str, Any]) -> Any:
        return starting_at(
            self.list_of(e.players, names), self.value(e.start, names), self.table.players
        )

    # ---- attributes

    def card_attr(self, e: x.CardAttr, names: dict[str, Any]) -> Any:
        card = self.value(e.card, names)
        if card is None:
            return None
        face = card & FACE
        match e.attr:
            case "rank" | "number":
                return RANK_OF[face]
            case "suit":
                return SUIT_OF[face]
            case "red":
                return RED[face]
            case "black":
                return BLACK[face]
            case "laid_by":
                return laid_by(card)
            case "value":
                worth = self.table.tables.get(VALUES)
                return 0 if worth is None else self.by_card(worth, face) or 0
        raise AssertionError(f"no attribute {e.attr} of a card; this is a bug in meldc")

    def meld_attr(self, e: x.MeldAttr, names: dict[str, Any]) -> Any:
        meld: Meld | None = self.value(e.meld, names)
        if meld is None:
            return None
        match e.attr:
            case "size":
                return len(meld.cards)
            case "naturals":
                return len(meld.cards) - meld.wilds
            case "stands_for":
                return standing_faces(meld)
            case "lowest":
                return lowest_face(meld)
            case "highest":
                return highest_face(meld)
        return getattr(meld, e.attr)

    def sorted_as(self, e: x.SortedAs, names: dict[str, Any]) -> Any:
        meld = self.value(e.meld, names)
        return None if meld is None else self.row_of(e.table, meld)

    def row_of(self, table: str, meld: Meld) -> int | None:
        rows = self.table.tables[table].rows
        for index in range(len(rows) - 1, -1, -1):
            if self.holds(rows[index].condition, {"meld": meld}):
                return index
        return None

    def row_attr(self, e: x.RowAttr, names: dict[str, Any]) -> Any:
        row = self.value(e.row, names)
        if row is None:
            return None
        return (
            row + 1
            if e.column == "place"
            else self.cell(self.table.tables[e.table].rows[row], e.column)
        )

    def cell(self, row: Row, column: str = "", names: dict[str, Any] | None = None) -> Any:
        found = dict(row.cells).get(column)
        return None if found is None else self.value(found, names or {})

    def lookup(self, e: x.Lookup, names: dict[str, Any]) -> Any:
        key = self.value(e.key, names)
        if key is None:
            return None
        table = self.table.tables[e.table]
        match table.form:
            case "number":
                return self.by_number(table, key)
            case "band":
                return self.by_band(table, key)
        return self.by_card(table, key & FACE)

    def by_number(self, table: ProgramTable, key: int) -> Any:
        last: tuple[int, Row] | None = None
        for row in table.rows:
            if row.key == key:
                return self.cell(row)
            if isinstance(row.key, int) and (last is None or row.key > last[0]):
                last = (row.key, row)
        if table.each_more is not None and last is not None and key > last[0]:
            return self.cell(last[1]) + (key - last[0]) * self.value(table.each_more, {})
        return 0

    def by_band(self, table: ProgramTable, key: int) -> Any:
        best: tuple[float, Row] | None = None
        for row in table.rows:
            bound = row.key if isinstance(row.key, int) else float("-inf")
            if bound <= key and (best is None or bound >= best[0]):
                best = (bound, row)
        return 0 if best is None else self.cell(best[1])

    def by_card(self, table: ProgramTable, face: int) -> Any:
        if face == UNKNOWN:
            return None
        for row in reversed(table.rows):
            if self.holds(row.condition, {"card": face}):
                return self.cell(row, names={"card": face})
        return None

    def apply(self, e: x.Apply, names: dict[str, Any]) -> Any:
        definition = self.table.definitions[e.definition]
        arguments = [self.value(argument, names) for argument in e.arguments]
        if any(argument is None for argument in arguments):
            return None
        if is_class(definition.params, definition.type) and arguments[0] & FACE == UNKNOWN:
            return False
        return self.value(
            definition.body,
            {name: v for (name, _), v in zip(definition.params, arguments, strict=True)},
        )

    # ---- queries

    def each(
        self, source: x.Expr, var: str, names: dict[str, Any]
    ) -> Iterable[tuple[Any, dict[str, Any]]]:
        for element in self.list_of(source, names):
            yield element, {**names, var: element}

    def filter(self, e: x.Filter, names: dict[str, Any]) -> Any:
        return [
            element
            for element, inner in self.each(e.source, e.var, names)
            if self.holds(e.where, inner)
        ]

    def count(self, e: x.Count, names: dict[str, Any]) -> Any:
        return sum(self.holds(e.where, inner) for _, inner in self.each(e.source, e.var, names))

    def exists(self, e: x.Exists, names: dict[str, Any]) -> Any:
        return any(self.holds(e.where, inner) for _, inner in self.each(e.source, e.var, names))

    def for_all(self, e: x.ForAll, names: dict[str, Any]) -> Any:
        return all(self.holds(e.where, inner) for _, inner in self.each(e.source, e.var, names))

    def sum(self, e: x.Sum, names: dict[str, Any]) -> Any:
        return sum(self.value(e.by, inner) or 0 for _, inner in self.each(e.source, e.var, names))

    def best(self, e: x.Best, names: dict[str, Any]) -> Any:
        pairs = [
            (self.value(e.by, inner), element)
            for element, inner in self.each(e.source, e.var, names)
        ]
        return best(pairs, e.tie_is_none)

    def unmelded(self, e: x.Unmelded, names: dict[str, Any]) -> Any:
        pairs = [
            (card, self.value(e.by, inner)) for card, inner in self.each(e.source, e.var, names)
        ]
        return unmelded(self.state, pairs)

    # ---- lists

    def after(self, e: x.After, names: dict[str, Any]) -> Any:
        return after(self.list_of(e.source, names), self.value(e.element, names), e.cards)

    def first(self, e: x.First, names: dict[str, Any]) -> Any:
        elements = self.list_of(e.source, names)
        return elements[0] if elements else None

    def top(self, e: x.Top, names: dict[str, Any]) -> Any:
        cards = self.list_of(e.cards, names)
        return cards[-1] if cards else None

    def bottom(self, e: x.Bottom, names: dict[str, Any]) -> Any:
        cards = self.list_of(e.cards, names)
        return cards[0] if cards else None

    def nth(self, e: x.Nth, names: dict[str, Any]) -> Any:
        return nth(self.list_of(e.cards, names), self.value(e.index, names))

    def listing(self, e: x.ListOf, names: dict[str, Any]) -> Any:
        values = [self.value(item, names) for item in e.items]
        return [value for value in values if value is not None]

    def join(self, e: x.Join, names: dict[str, Any]) -> Any:
        return [*self.list_of(e.left, names), *self.list_of(e.right, names)]

    def range(self, e: x.Range, names: dict[str, Any]) -> Any:
        low, high = self.value(e.low, names), self.value(e.high, names)
        return () if low is None or high is None else range(low, high + 1)

    def member(self, e: x.Member, names: dict[str, Any]) -> Any:
        element = self.value(e.element, names)
        elements = self.list_of(e.source, names)
        if e.cards and element is not None:
            return any(element & FACE == other & FACE for other in elements)
        return element in elements

    # ---- logic and arithmetic

    def compare(self, e: x.Compare, names: dict[str, Any]) -> Any:
        left, right = self.value(e.left, names), self.value(e.right, names)
        if left is None or right is None:
            return e.op == "!="
        if e.cards:
            left, right = left & FACE, right & FACE
        match e.op:
            case "=":
                return left == right
            case "!=":
                return left != right
            case "<":
                return left < right
            case "<=":
                return left <= right
            case ">":
                return left > right
        return left >= right

    def arith(self, e: x.Arith, names: dict[str, Any]) -> Any:
        left, right = self.value(e.left, names), self.value(e.right, names)
        if left is None or right is None:
            return None
        match e.op:
            case "+":
                return left + right
            case "-":
                return left - right
            case "*":
                return left * right
            case "min":
                return min(left, right)
        return max(left, right)

    def remainder(self, e: x.Remainder, names: dict[str, Any]) -> Any:
        return divided(self.value(e.left, names), self.value(e.right, names))[1]

    def quotient(self, e: x.Quotient, names: dict[str, Any]) -> Any:
        return divided(self.value(e.left, names), self.value(e.right, names))[0]

    def choice(self, e: x.If, names: dict[str, Any]) -> Any:
        return self.value(e.then if self.holds(e.condition, names) else e.otherwise, names)

    def otherwise(self, e: x.Otherwise, names: dict[str, Any]) -> Any:
        for option in e.options:
            value = self.value(option, names)
            if value is not None:
                return value
        return None

    # ---- the course of the deal

    def current_phase(self, e: x.CurrentPhase, names: dict[str, Any]) -> Any:
        return self.state.phase

    def deal_score(self, e: x.DealScore, names: dict[str, Any]) -> Any:
        side = self.value(e.side, names)
        return self.state.scores[side] if side is not None and self.state.scores else None

    # ---- the meld to be, the plays to come

    def joined(self, e: x.Joined, names: dict[str, Any]) -> Any:
        cards = [card & FACE for card in self.list_of(e.cards, names)]
        found = joined(self.table, self.state, cards, self.state.player) if cards else None
        return found and found[0]

    def can(self, e: x.Can, names: dict[str, Any]) -> Any:
        player = self.value(e.player, names)
        if player is None:
            return False
        foresight = self.table.foresight
        if e.subject == "action":
            return foresight.can_action(self.state, e.name, player, e.without)
        if e.subject == "moment":
            return foresight.can_moment(self.state, e.name, player, e.without)
        return foresight.can_end_turn(self.state, player, e.without)

    def only(self, e: x.Only, names: dict[str, Any]) -> Any:
        return self.table.foresight.only(self.state, e.actions)


EVALUATORS: dict[type[x.Expr], Callable[[_Walk, Any, dict[str, Any]], Any]] = {
    x.Const: _Walk.const,
    x.Var: _Walk.var,
    x.SettingValue: _Walk.setting,
    x.Remembered: _Walk.remembered,
    x.ZoneCards: _Walk.zone,
    x.MeldsOf: _Walk.melds_of,
    x.MeldCards: _Walk.meld_cards,
    x.AllPlayers: lambda w, e, n: range(w.table.players),
    x.AllSides: lambda w, e, n: range(w.table.sides),
    x.AllKinds: lambda w, e, n: range(len(w.table.program.kinds)),
    x.RowsOf: lambda w, e, n: range(len(w.table.tables[e.table].rows)),
    x.Acting: _Walk.acting,
    x.SideOf: _Walk.side_of,
    x.PlayersOf: _Walk.players_of,
    x.Neighbour: _Walk.neighbour,
    x.SeatsOn: _Walk.seats_on,
    x.Partners: _Walk.partners,
    x.Opponents: _Walk.opponents,
    x.NextOf: _Walk.next_of,
    x.StartingAt: _Walk.starting_at,
    x.CardAttr: _Walk.card_attr,
    x.MeldAttr: _Walk.meld_attr,
    x.SortedAs: _Walk.sorted_as,
    x.RowAttr: _Walk.row_attr,
    x.Lookup: _Walk.lookup,
    x.Apply: _Walk.apply,
    x.Filter: _Walk.filter,
    x.Count: _Walk.count,
    x.Exists: _Walk.exists,
    x.ForAll: _Walk.for_all,
    x.Sum: _Walk.sum,
    x.Best: _Walk.best,
    x.Unmelded: _Walk.unmelded,
    x.After: _Walk.after,
    x.First: _Walk.first,
    x.Top: _Walk.top,
    x.Bottom: _Walk.bottom,
    x.Nth: _Walk.nth,
    x.ListOf: _Walk.listing,
    x.Join: _Walk.join,
    x.Range: _Walk.range,
    x.Member: _Walk.member,
    x.Not: lambda w, e, n: not w.value(e.operand, n),
    x.And: lambda w, e, n: all(w.value(operand, n) for operand in e.operands),
    x.Or: lambda w, e, n: any(w.value(operand, n) for operand in e.operands),
    x.Compare: _Walk.compare,
    x.Arith: _Walk.arith,
    x.Remainder: _Walk.remainder,
    x.Quotient: _Walk.quotient,
    x.If: _Walk.choice,
    x.Otherwise: _Walk.otherwise,
    x.IsSomething: lambda w, e, n: w.value(e.operand, n) is not None,
    x.CurrentPhase: _Walk.current_phase,
    x.DealScore: _Walk.deal_score,
    x.Joined: _Walk.joined,
    x.Can: _Walk.can,
    x.Only: _Walk.only,
}


def is_class(params: tuple[tuple[str, str], ...], result: str) -> bool:
    """Whether a definition is a class of cards; a card whose face is not known is of none."""
    return len(params) == 1 and params[0][1] == "card" and result == "yes_no"


def as_list(value: Any) -> Sequence[Any]:
    """A value as a list: nothing is the empty one, a single thing a list of one."""
    if value is None:
        return ()
    return value if isinstance(value, (list, tuple, range)) else (value,)


def best(pairs: Iterable[tuple[Any, Any]], tie_is_none: bool) -> Any:
    """The element of the highest pair (worth, element); the first of equals, or nothing."""
    worth: Any = None
    found: Any = None
    tied = False
    for by, element in pairs:
        if by is None:
            continue
        if worth is None or by > worth:
            worth, found, tied = by, element, False
        elif by == worth:
            tied = True
    return None if tied and tie_is_none else found


def after(elements: Sequence[Any], element: Any, cards: bool = False) -> Any:
    """What comes after an element in a list; nothing behind the last, or where it is not."""
    if element is None:
        return None
    faces = [other & FACE for other in elements] if cards else list(elements)
    sought = element & FACE if cards else element
    place = faces.index(sought) + 1 if sought in faces else len(faces)
    return elements[place] if place < len(faces) else None


def divided(left: int | None, right: int | None) -> tuple[int | None, int | None]:
    """How often a number goes into another, and what is left; nothing where it is below 1."""
    if left is None or right is None or right < 1:
        return None, None
    return divmod(left, right)


def nth(cards: Sequence[int], index: int | None) -> int | None:
    """The card with this number from the top, 1 the top itself."""
    return None if index is None or not 1 <= index <= len(cards) else cards[-index]


def next_of(players: Sequence[int], after: int | None, seats: int) -> int | None:
    """Of some players the first after one, clockwise; that one comes last."""
    if after is None or not players:
        return None
    return min(players, key=lambda player: (player - after - 1) % seats)


def starting_at(players: Sequence[int], start: int | None, seats: int) -> Sequence[int]:
    """Some players, clockwise from one."""
    if start is None:
        return ()
    return sorted(players, key=lambda player: (player - start) % seats)
