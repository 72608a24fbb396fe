"""Reads expressions of a Program as numbers and truths over the places of a kernel.

Parameters have values, so most of an expression is worked out here: a condition on cards becomes
the kinds that satisfy it, a query over melds a sum over the melds that a side can have.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from meldc_runtime.kernel.layout import OWN, Layout, NotLowered, Slot
from meldc_runtime.kernel.seats import Seats
from meldc_runtime.kernel.staying import cell_that_stays
from meldc_runtime.kernel.terms import (
    ONE,
    ZERO,
    All,
    AtLeastZero,
    Holds,
    IsZero,
    Not,
    Number,
    Place,
    Some,
    Truth,
    all_of,
    any_of,
    at,
    at_least,
    denied,
    equal,
    fixed,
    minus,
    pick,
    places_of,
    plus,
    substituted,
    times,
)  # fmt: skip
from meldc_runtime.kernel.values import (
    CODED,
    OTHER,
    Card,
    Cards,
    Code,
    Look,
    Melds,
    Names,
    NeedsOwner,
    NeedsTop,
    One,
    OwnSide,
    Player,
    Value,
    same,
)
from meldc_runtime.oracle import evaluate
from meldc_runtime.program import expressions as x
from meldc_runtime.writing.folding import Folding
from meldc_runtime.writing.nodes import free_names

FEW = 2
"""Queries over so many melds are written out; others are kept up to date as sums."""


@dataclass
class Reader(Seats):
    """Reads for one layout. look: what is at a place (by default: itself). tops: the top cards of
    lists, where they are known.
    """

    layout: Layout
    folding: Folding
    look: Look | None = None
    tops: Mapping[str, Card | None] | None = None

    # ---- places
    def number_at(self, place: Place) -> Number:
        found = at(place) if self.look is None else self.look(place)
        assert isinstance(found, Number)
        return found

    def truth_at(self, place: Place) -> Truth:
        if self.look is None:
            return Holds(place)
        found = self.look(place)
        assert not isinstance(found, Number)
        return found

    def again(self, number: Number) -> Number:
        """A number over places as they were written down, at the places as they are now."""
        return number if self.look is None else substituted(number, self.number_at)

    # ---- readings
    def truth(self, e: x.Expr | None, names: Names) -> Truth:
        value = True if e is None else self.value(e, names)
        if value is None:
            return False
        if isinstance(value, Code) and value.type == "yes_no":
            return value.is_now(True)
        if not isinstance(value, TRUTHS):
            raise NotLowered("another thing in the place of a condition")
        return value

    def number(self, e: x.Expr, names: Names) -> Number:
        value = self.value(e, names)
        if not isinstance(value, Number):
            raise NotLowered("a number that may be nothing")
        return value

    def value(self, e: x.Expr, names: Names) -> Value:
        handler = HANDLERS.get(type(e))
        if handler is None:
            raise NotLowered(type(e).__name__)
        if self.look is not None or type(e) not in KEPT:
            return handler(self, e, names)
        key = (id(e), *(self.tops or {}).items(), *names.items())
        known = self.layout.read.get(key)
        if known is None or known[0] is not e:
            known = self.layout.read[key] = (e, handler(self, e, names))
        return known[1]

    # ---- plain values
    def _const(self, e: x.Const, names: Names) -> Value:
        value = self.layout.table.constant(e)
        if e.type == "card" and value is not None:
            return Card(self.layout.kinds.of[value])
        return fixed(value) if type(value) is int else value

    def _var(self, e: x.Var, names: Names) -> Value:
        if e.name not in names:
            raise NotLowered(f"`{e.name}`")
        return names[e.name]

    def _settingvalue(self, e: x.SettingValue, names: Names) -> Value:
        value = self.layout.table.settings[e.name]
        return fixed(value) if type(value) is int else value

    def _remembered(self, e: x.Remembered, names: Names) -> Value:
        place = self.layout.memory.get(e.memory)
        if place is None:
            raise NotLowered(f"memory `{e.memory}`")
        if e.owner is not None and self.value(e.owner, names) not in (OwnSide(), Player(0)):
            raise NotLowered("memory of others")
        memory = self.layout.table.memories[e.memory]
        if place in self.layout.truths:
            return self.truth_at(place)
        if memory.type in CODED:
            return Code(self.number_at(place), memory.type)
        if memory.type != "number" or memory.initial is None:
            raise NotLowered(f"memory of type {memory.type}")
        return self.number_at(place)

    def _allkinds(self, e: x.AllKinds, names: Names) -> Value:
        return [fixed(kind) for kind in range(len(self.layout.table.program.kinds))]

    def _lookup(self, e: x.Lookup, names: Names) -> Value:
        return cell_that_stays(self, e, names)

    # ---- cards
    def _zonecards(self, e: x.ZoneCards, names: Names) -> Value:
        layout = self.layout
        owner = None if e.owner is None else self.value(e.owner, names)
        if e.zone == layout.counted:
            if owner != Player(0):
                raise NotLowered("hands of others")
            kinds = range(layout.unknown)
            cards = tuple((kind, self.number_at(layout.in_hand(kind))) for kind in kinds)
            return Cards(cards, e.zone, self.number_at(layout.hand_size))
        if e.many or owner not in (None, OwnSide(), Player(0)):
            raise NotLowered("lists of others")
        length = self.number_at(Place(layout.list_text(e.zone), -1))
        kinds = range(layout.unknown)
        tallies = tuple((kind, at(Place(f"?{e.zone}", kind))) for kind in kinds)
        return Cards(tallies, e.zone, length)

    def _top(self, e: x.Top, names: Names) -> Value:
        cards = self.value(e.cards, names)
        if not isinstance(cards, Cards) or cards.zone is None or cards.total is None:
            raise NotLowered("the top of chosen cards")
        if self.tops is None or cards.zone not in self.tops:
            raise NeedsTop(cards.zone)
        return self.tops[cards.zone]

    def _first(self, e: x.First, names: Names) -> Value:
        source = self.value(e.source, names)
        if isinstance(source, Melds):
            some = [(slot, present) for slot, present in source.among if present is not False]
            if len(some) > 1:
                raise NotLowered("the first of several melds")
            return One(*some[0]) if some else None
        if isinstance(source, Cards):
            held = [(kind, n) for kind, n in source.by_kind if n != ZERO]
            if len(held) > 1:
                raise NotLowered("the first of several kinds of card")
            if not held:
                return None
            kind, number = held[0]
            return One(Card(kind), at_least(number, ONE), source.zone)
        raise NotLowered("the first of a list")

    def _join(self, e: x.Join, names: Names) -> Value:
        parts = [self._as_cards(self.value(part, names)) for part in (e.left, e.right)]
        seen = {kind for kind, n in parts[0].by_kind if n != ZERO}
        rest = tuple((kind, n) for kind, n in parts[1].by_kind if kind not in seen)
        first = tuple((kind, n) for kind, n in parts[0].by_kind if n != ZERO)
        return Cards((*first, *rest), None)

    def _as_cards(self, value: Value) -> Cards:
        if isinstance(value, Cards):
            return value
        raise NotLowered("a list put together")

    def _cardattr(self, e: x.CardAttr, names: Names) -> Value:
        card = self.value(e.card, names)
        return None if card is None else self.of_card(e.attr, card)

    def of_card(self, attr: str, card: Value) -> Value:
        if not isinstance(card, Card):
            raise NotLowered("an attribute of a card that is not known")
        if attr == "laid_by":
            if card.own is None:
                raise NeedsOwner
            return Player(0) if card.own else Player(OTHER)
        key = (attr, card.kind)
        if key not in self.layout.of_card:
            face = self.layout.kinds.faces[card.kind][0]
            asked = x.CardAttr(x.Var("card"), attr)
            value = evaluate(self.layout.table, None, {"card": face}, asked)
            self.layout.of_card[key] = fixed(value) if type(value) is int else value
        return self.layout.of_card[key]

    # ---- melds
    def _meldsof(self, e: x.MeldsOf, names: Names) -> Value:
        if e.many or self.value(e.owner, names) != OwnSide():
            raise NotLowered("melds of others")
        return Melds(tuple((s, at_least(self.again(s.size), ONE)) for s in self.layout.slots))

    def _meldattr(self, e: x.MeldAttr, names: Names) -> Value:
        meld = self.value(e.meld, names)
        if not isinstance(meld, Slot):
            raise NotLowered("an attribute of a meld that is not known")
        match e.attr:
            case "kind":
                return fixed(meld.kind)
            case "rank":
                return None if meld.rank is None else fixed(meld.rank)
            case "size":
                return self.again(meld.size)
            case "wilds":
                return self.again(meld.wild)
            case "naturals":
                return self.again(minus(meld.size, meld.wild))
            case "cards":
                return self.cards_of(meld)
        raise NotLowered(f"`{e.attr}` of a meld")

    def cards_of(self, meld: Slot) -> Cards:
        cards = tuple((kind, self.number_at(meld.place(kind))) for kind in meld.cards)
        return Cards(cards, None, None, meld)

    def _sortedas(self, e: x.SortedAs, names: Names) -> Value:
        raise NotLowered("the row of a meld")

    def _sorted_as(self, e: x.Compare, sorting: x.SortedAs, names: Names) -> Truth:
        """Whether the last row of a table whose condition holds for a meld is this one."""
        row = self.value(e.right, names)
        if e.op not in ("=", "!=") or not isinstance(row, Number) or row.terms:
            raise NotLowered("the row of a meld")
        inner = {x.Marker.MELD: self.value(sorting.meld, names)}
        rows = self.layout.table.tables[sorting.table].rows[row.constant :]
        own, *later = [self.truth(self.folded(each.condition), inner) for each in rows]
        found = all_of(own, *map(denied, later))
        return found if e.op == "=" else denied(found)

    def _issomething(self, e: x.IsSomething, names: Names) -> Value:
        if isinstance(e.operand, x.SortedAs):
            rows = self.layout.table.tables[e.operand.table].rows
            inner = {x.Marker.MELD: self.value(e.operand.meld, names)}
            return any_of(*(self.truth(self.folded(row.condition), inner) for row in rows))
        value = self.value(e.operand, names)
        if isinstance(value, Code):
            return at_least(value.number, ONE)
        return value.present if isinstance(value, One) else value is not None

    def folded(self, node: Any) -> Any:
        """A node folded, once."""
        if node is None:
            return None
        kept = self.layout.folded.get(id(node))
        if kept is None:
            kept = self.layout.folded[id(node)] = (node, self.folding.fold(node))
        return kept[1]

    # ---- queries
    def chosen(self, source: Value, var: str, where: x.Expr | None, names: Names) -> Value:
        """The elements that satisfy a condition."""
        if where is None:
            return source
        if isinstance(source, Melds):
            return Melds(
                tuple(
                    (slot, all_of(present, self.truth(where, {**names, var: slot})))
                    for slot, present in source.among
                )
            )
        if isinstance(source, Cards):
            kept = [
                (kind, self.chosen_of(source, kind, number, var, where, names))
                for kind, number in source.by_kind
            ]
            return Cards(tuple(kept), source.zone)
        raise NotLowered("a query over other things than cards and melds")

    def chosen_of(
        self, source: Cards, kind: int, number: Number, var: str, where: x.Expr, names: Names
    ) -> Number:
        """How many cards of a kind satisfy a condition."""
        try:
            return pick(self.truth(where, {**names, var: Card(kind)}), number, ZERO)
        except NeedsOwner:
            if source.meld is None or number != self.number_at(source.meld.place(kind)):
                raise NotLowered("who laid one of some cards") from None
        own = self.number_at(source.meld.own_place(kind))
        by_owner = ((True, own), (False, minus(number, own)))
        return plus(
            *(
                pick(self.truth(where, {**names, var: Card(kind, laid)}), count, ZERO)
                for laid, count in by_owner
            )
        )

    def _filter(self, e: x.Filter, names: Names) -> Value:
        return self.chosen(self.value(e.source, names), e.var, e.where, names)

    def _count(self, e: x.Count, names: Names) -> Value:
        found = self.chosen(self.value(e.source, names), e.var, e.where, names)
        if isinstance(found, list):
            return fixed(len(found))
        if isinstance(found, Melds):
            return self.summed(e, [pick(present, ONE, ZERO) for _, present in found.among])
        return self.counted(found)

    def counted(self, cards: Cards) -> Number:
        """How many cards; of a list, kept up to date by class."""
        if cards.total is not None or cards.zone is None or cards.zone == self.layout.counted:
            return cards.number
        kinds = frozenset(kind for kind, n in cards.by_kind if n != ZERO)
        if any(n not in (ZERO, at(Place(f"?{cards.zone}", k))) for k, n in cards.by_kind):
            raise NotLowered("a class that changes, of a list")
        tally = self.layout.tally_of(cards.zone, kinds)
        return self.again(tally)

    def _exists(self, e: x.Exists, names: Names) -> Value:
        if isinstance(e.source, x.MeldCards):
            melds = self.value(e.source.melds, names)
            some = []
            for slot, present in melds.among:
                cards = self.chosen(self.cards_of(slot), e.var, e.where, names)
                some.append(all_of(present, at_least(cards.number, ONE)))
            return any_of(*some)
        found = self.chosen(self.value(e.source, names), e.var, e.where, names)
        if isinstance(found, list):
            return bool(found)
        if isinstance(found, Melds):
            some = [present for _, present in found.among if present is not False]
            if len(some) <= FEW:
                return any_of(*some)
            numbers = [pick(present, ONE, ZERO) for _, present in found.among]
            return at_least(self.summed(e, numbers), ONE)
        return at_least(self.counted(found), ONE)

    def _forall(self, e: x.ForAll, names: Names) -> Value:
        return denied(self._exists(x.Exists(e.source, e.var, x.Not(e.where)), names))

    def _sum(self, e: x.Sum, names: Names) -> Value:
        if isinstance(e.source, x.MeldCards):
            melds = self.value(e.source.melds, names)
            numbers = [
                pick(present, self.total(self.cards_of(slot), e, names), ZERO)
                if present != at_least(self.again(slot.size), ONE)
                else self.total(self.cards_of(slot), e, names)
                for slot, present in melds.among
            ]
            return self.summed(e, numbers)
        found = self.value(e.source, names)
        if isinstance(found, Melds):
            numbers = [
                pick(present, self.number(e.by, {**names, e.var: slot}), ZERO)
                for slot, present in found.among
            ]
            return self.summed(e, numbers)
        return self.total(found, e, names)

    def total(self, cards: Cards, e: x.Sum, names: Names) -> Number:
        parts = []
        for kind, number in cards.by_kind:
            by = self.value(e.by, {**names, e.var: Card(kind)})
            if by is not None and (not isinstance(by, Number) or by.terms):
                raise NotLowered("values that change")
            parts.append(times(number, 0 if by is None else by.constant))
        return plus(*parts)

    def summed(self, query: x.Expr, by_slot: list[Number]) -> Number:
        """The sum over melds: of a few written out, else kept up to date."""
        if sum(number != ZERO for number in by_slot) <= FEW:
            return plus(*by_slot)
        if any(place.vector == OWN for n in by_slot for place in places_of(n)):
            return plus(*by_slot)
        if free_names(query) - {x.Marker.PLAYER, "side"}:
            raise NotLowered("a sum over melds that depends on more than the side")
        if self.look is None:
            return self.layout.sum_of(query, tuple(by_slot))
        known = self.layout.sums.get(query)
        if known is None:
            raise NotLowered("a sum that is first asked for in look-ahead")
        return self.number_at(known.place)

    # ---- look-ahead
    def _can(self, e: x.Can, names: Names) -> Value:
        if self.look is not None:
            raise NotLowered("look-ahead within look-ahead")
        if self.value(e.player, names) != Player(0):
            raise NotLowered("what others can do")
        without = (e.without,) if e.without in self.layout.asides else ()
        return self.layout.question(("can", e.subject, e.name, *without))

    def _only(self, e: x.Only, names: Names) -> Value:
        return self.layout.question(("only", *e.actions))

    # ---- logic and arithmetic
    def _not(self, e: x.Not, names: Names) -> Value:
        return denied(self.truth(e.operand, names))

    def _and(self, e: x.And, names: Names) -> Value:
        parts: list[Truth] = []
        for operand in e.operands:
            part = self.truth(operand, names)
            if part is False:
                return False
            parts.append(part)
        return all_of(*parts)

    def _or(self, e: x.Or, names: Names) -> Value:
        parts: list[Truth] = []
        for operand in e.operands:
            part = self.truth(operand, names)
            if part is True:
                return True
            parts.append(part)
        return any_of(*parts)

    def _compare(self, e: x.Compare, names: Names) -> Value:
        if isinstance(e.left, x.SortedAs):
            return self._sorted_as(e, e.left, names)
        left, right = self.value(e.left, names), self.value(e.right, names)
        if left is None or right is None:
            return e.op == "!="
        if e.op in ("=", "!=") and not isinstance(left, Number):
            alike = same(left, right, self.layout.table.side_size)
            return denied(alike) if e.op == "!=" else alike
        if not (isinstance(left, Number) and isinstance(right, Number)):
            raise NotLowered("a comparison of other things than numbers")
        match e.op:
            case "=":
                return equal(left, right)
            case "!=":
                return denied(equal(left, right))
            case ">=":
                return at_least(left, right)
            case "<=":
                return at_least(right, left)
            case ">":
                return at_least(left, plus(right, ONE))
        return at_least(right, plus(left, ONE))

    def _arith(self, e: x.Arith, names: Names) -> Value:
        left, right = self.value(e.left, names), self.value(e.right, names)
        if left is None or right is None:
            return None
        match e.op:
            case "+":
                return plus(left, right)
            case "-":
                return minus(left, right)
            case "min":
                return pick(at_least(left, right), right, left)
            case "max":
                return pick(at_least(left, right), left, right)
        if not left.terms:
            return times(right, left.constant)
        if not right.terms:
            return times(left, right.constant)
        raise NotLowered("a product")

    def _if(self, e: x.If, names: Names) -> Value:
        condition = self.truth(e.condition, names)
        if isinstance(condition, bool):
            return self.value(e.then if condition else e.otherwise, names)
        then, otherwise = self.value(e.then, names), self.value(e.otherwise, names)
        if isinstance(then, Number) and isinstance(otherwise, Number):
            return pick(condition, then, otherwise)
        raise NotLowered("a choice of other things than numbers")

    def _apply(self, e: x.Apply, names: Names) -> Value:
        definition = self.layout.table.definitions[e.definition]
        given = {
            name: self.value(argument, names)
            for (name, _), argument in zip(definition.params, e.arguments, strict=True)
        }
        if any(value is None for value in given.values()):
            return None
        return self.value(self.folding.body(e.definition), given)

    def _rowattr(self, e: x.RowAttr, names: Names) -> Value:
        row = self.value(e.row, names)
        if not isinstance(row, Number) or row.terms:
            raise NotLowered("a row that is not known")
        if e.column == "place":
            return fixed(row.constant + 1)
        cell = dict(self.layout.table.tables[e.table].rows[row.constant].cells).get(e.column)
        return None if cell is None else self.value(self.folded(cell), names)

    def _range(self, e: x.Range, names: Names) -> Value:
        low, high = self.number(e.low, names), self.number(e.high, names)
        if low.terms or high.terms:
            raise NotLowered("a range that changes")
        return [fixed(n) for n in range(low.constant, high.constant + 1)]

    def _rowsof(self, e: x.RowsOf, names: Names) -> Value:
        return [fixed(n) for n in range(len(self.layout.table.tables[e.table].rows))]

    def _listof(self, e: x.ListOf, names: Names) -> Value:
        return [self.value(item, names) for item in e.items]

    def _member(self, e: x.Member, names: Names) -> Value:
        element, source = self.value(e.element, names), self.value(e.source, names)
        if element is None or not isinstance(source, list):
            raise NotLowered("membership")
        return any_of(*(equal(element, each) for each in source if each is not None))


HANDLERS: dict[type[x.Expr], Callable[[Reader, Any, Names], Value]] = {
    node: getattr(Reader, f"_{node.__name__.lower()}")
    for node in vars(x).values()
    if isinstance(node, type) and hasattr(Reader, f"_{node.__name__.lower()}")
}

TRUTHS = (bool, AtLeastZero, IsZero, Holds, Not, All, Some)

KEPT = (x.And, x.Or, x.Filter, x.Count, x.Exists, x.Sum, x.ZoneCards, x.Apply, x.Join)
"""Nodes whose reading is kept."""
