"""The plays of an action that there can be: every choice of values for its parameters, in the order
of the machine's list.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from meldc_runtime.forms import Form, forms_of
from meldc_runtime.kernel.conditions import Names
from meldc_runtime.kernel.layout import SIDE, Layout, NotLowered, Slot
from meldc_runtime.kernel.reading import Reader
from meldc_runtime.kernel.terms import (
    ONE,
    ZERO,
    Holds,
    Number,
    Place,
    Truth,
    all_of,
    at,
    at_least,
    fixed,
    substituted_truth,
)  # fmt: skip
from meldc_runtime.kernel.values import HOME, Card, Cards, Melds, Player, Value
from meldc_runtime.program import expressions as x
from meldc_runtime.program.declarations import Param
from meldc_runtime.program.reserved import UNFINISHED
from meldc_runtime.starts import Starts

Kinds = tuple[int, ...]
"""Cards by kind, ascending."""


@dataclass(frozen=True, slots=True)
class Choice:
    """One choice. held: when its cards and melds are there. group: choices of a group stand next to
    each other. order: where the place among those of the same group is kept, if it changes. lays:
    of a choice that does nothing but lay cards of the hand, the slot and the kinds of card.
    """

    names: Names
    held: Truth
    group: object = None
    order: Place | None = None
    lays: tuple[int, Kinds] | None = None


class Choices:
    """Lists choices for one layout. Raises NotLowered for what it does not know how to choose."""

    def __init__(self, layout: Layout, reader: Reader) -> None:
        self.layout = layout
        self.reader = reader
        self.forms = forms_of(layout.table)
        self.starts = Starts(layout.table, layout.kinds, True)
        laid = sorted({kind for slot in layout.slots for kind in slot.cards})
        faces = layout.kinds.faces
        self.in_order = all(faces[one][-1] < faces[other][0] for one, other in pairwise(laid))
        others = [kind for kind in range(layout.unknown) if kind not in laid]
        self.crossing = [
            {one, other} for one, other in pairwise(others) if faces[one][-1] > faces[other][0]
        ]

    def of(self, action: int, top: int | None) -> Iterator[Choice]:
        """The choices of an action. top: the kind of the top card that it reads, where it does."""
        form = self.forms[action]
        start: Names = {x.Marker.PLAYER: Player(0)}
        if form.starts or form.adds or form.cards is not None:
            if not self.in_order:
                raise NotLowered("kinds of card whose order changes")
            if form.starts:
                yield from self._starts(form, start)
            elif form.adds:
                yield from self._adds(form, start)
            else:
                yield from self._laid_beside(form, start, top)
        else:
            yield from self._bound(form.action.params, start, True)

    # ---- melds begun
    def _starts(self, form: Form, start: Names) -> Iterator[Choice]:
        assert form.cards is not None and form.kind is not None
        self._of_the_hand(form, form.cards, start)
        if len(form.names) != 2:
            raise NotLowered("starts of melds with more parameters")
        kinds = self._domain(form, form.kind, start)
        if not isinstance(kinds, list):
            raise NotLowered("kinds of meld that change")
        for kind in kinds:
            found = []
            for slot in self.layout.slots:
                if slot.kind == kind.constant:
                    shapes = self.starts.least[slot.kind] + self.starts.extra[slot.kind]
                    for shape in shapes:
                        own = multisets(slot.naturals, shape.naturals)
                        beside = list(multisets(slot.wilds, shape.wilds))
                        found += [
                            (tuple(sorted(one + other)), slot) for one in own for other in beside
                        ]
            for cards, slot in sorted(found, key=lambda pair: pair[0]):
                names = {**start, form.cards: counted(cards), form.kind: kind, HOME: slot}
                held = all_of(self.held(cards), at_least(ZERO, slot.size), self._may_begin(slot))
                yield Choice(names, held, (kind.constant, cards[0]), None, (slot.number, cards))

    def _may_begin(self, slot: Slot) -> Truth:
        """Whether the meld before a meld of the same kind is full."""
        if slot.after is None:
            return True
        before = self.layout.slots[slot.after]
        low, high = self.layout.table.program.kinds[slot.kind].size
        assert high is not None
        if UNFINISHED in self.layout.table.definitions:
            asked = x.Apply(UNFINISHED, (x.Var(x.Marker.MELD),))
            unfinished = self.reader.truth(self.reader.folded(asked), {x.Marker.MELD: before})
            if any(_of_size(unfinished, before, n) is not (n < high) for n in range(low, high + 1)):
                raise NotLowered("melds that are finished before they are full")
        return at_least(before.size, fixed(high))

    # ---- melds added to
    def _adds(self, form: Form, start: Names) -> Iterator[Choice]:
        assert form.cards is not None and form.onto is not None
        self._of_the_hand(form, form.cards, start)
        if form.names != (form.cards, form.onto):
            raise NotLowered("cards added to a meld that is named before them")
        for kind in range(self.layout.unknown):
            homes = [slot for slot in self._homes(form, start) if kind in slot.cards]
            for slot in homes:
                names = {**start, form.cards: counted((kind,)), form.onto: slot}
                held = all_of(self.held((kind,)), at_least(slot.size, ONE))
                order = slot.serial if len(homes) > 1 else None
                yield Choice(names, held, kind, order, (slot.number, (kind,)))

    def _homes(self, form: Form, start: Names) -> list[Slot]:
        assert form.onto is not None
        domain = self._domain(form, form.onto, start)
        if not isinstance(domain, Melds) or len(domain.among) < len(self.layout.slots):
            raise NotLowered("only some of the melds")
        return [slot for slot, _ in domain.among]

    # ---- cards laid with the top card of a list
    def _laid_beside(self, form: Form, start: Names, top: int | None) -> Iterator[Choice]:
        assert form.cards is not None
        self._of_the_hand(form, form.cards, start)
        if form.lay is None or form.lay.onto is not None or len(form.names) > 1:
            raise NotLowered("choices of several cards that start no meld")
        if form.exactly is not None:
            raise NotLowered("choices of a fixed number of cards")
        slot = None if top is None else self.layout.slot_of(top)
        if slot is None:
            return
        for size in range(1, self.starts.size + 2):
            for cards in multisets(slot.cards, size):
                yield Choice({**start, form.cards: counted(cards)}, self.held(cards), cards)

    # ---- parameters one after the other
    def _bound(
        self, params: Sequence[Param], names: Names, held: Truth, group: object = None
    ) -> Iterator[Choice]:
        if not params:
            yield Choice(dict(names), held, group)
            return
        param, *rest = params
        domain = self.reader.value(self.reader.folded(param.domain), names)
        values: list[tuple[Value, Truth]]
        if isinstance(domain, Cards):
            offered = {kind for kind, n in domain.by_kind if n != ZERO}
            if domain.zone is not None and any(pair <= offered for pair in self.crossing):
                raise NotLowered("kinds of card whose order changes with the suits that are held")
            values = [(Card(kind), at_least(n, ONE)) for kind, n in domain.by_kind if n != ZERO]
        elif isinstance(domain, Melds):
            values = list(domain.among)
        elif isinstance(domain, list):
            values = [(value, True) for value in domain]
        else:
            raise NotLowered("what a parameter ranges over")
        for value, present in values:
            more = {**names, param.name: value}
            yield from self._bound(
                rest, more, all_of(held, present), value if group is None else group
            )

    # ---- cards of the hand
    def _domain(self, form: Form, name: str, names: Names) -> Value:
        param = form.action.params[form.names.index(name)]
        return self.reader.value(self.reader.folded(param.domain), names)

    def _of_the_hand(self, form: Form, name: str, names: Names) -> None:
        domain = self._domain(form, name, names)
        if not isinstance(domain, Cards) or domain.zone != self.layout.counted:
            raise NotLowered("choices of cards elsewhere than in the own hand")
        if any(n != at(self.layout.in_hand(kind)) for kind, n in domain.by_kind):
            raise NotLowered("choices of some cards of the hand")

    def held(self, cards: Kinds) -> Truth:
        """Whether the hand has these cards."""
        return all_of(
            *(
                at_least(at(self.layout.in_hand(kind)), fixed(cards.count(kind)))
                for kind in sorted(set(cards))
            )
        )


def _of_size(truth: Truth, slot: Slot, size: int) -> Truth:
    """A truth where a meld has so many cards."""
    place = Place(SIDE, slot.base)
    return substituted_truth(truth, lambda p: fixed(size) if p == place else at(p), Holds)


def counted(cards: Kinds) -> Cards:
    return Cards(tuple((kind, fixed(cards.count(kind))) for kind in sorted(set(cards))), None)


def multisets(kinds: Sequence[int], size: int) -> Iterator[Kinds]:
    """The choices of so many cards of these kinds, as the machine tries them."""
    if size == 0:
        yield ()
    elif kinds:
        for count in range(size, -1, -1):
            for rest in multisets(kinds[1:], size - count):
                yield (kinds[0],) * count + rest


def argument(value: object) -> object:
    """A value of a parameter as an argument: cards by kind, melds by the number of their slot."""
    match value:
        case Card(kind):
            return kind
        case Number(constant, ()):
            return constant
        case Cards(by_kind):
            return tuple(kind for kind, n in by_kind for _ in range(n.constant))
        case Slot():
            return value.number
        case Player(step):
            return step
        case bool():
            return value
    raise NotLowered("an argument of this type")
