"""How a position lies in a kernel: vectors of numbers instead of lists of cards and objects.

A hand that its owner sees is a vector of counts by kind of card, with its size at the end. What a
side has (cards of each meld that it can have, memory, sums over melds) is one vector, what the
table has another. Other zones are lists of kinds of card. A Program that needs more is not lowered.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from meldc_runtime.cards import FACES, RANK_OF, UNKNOWN
from meldc_runtime.kernel.terms import Number, Place, Truth, at, plus
from meldc_runtime.kinds import Kinds, classes_are_static, kinds_of
from meldc_runtime.program import expressions as x
from meldc_runtime.program.declarations import MeldKind, Zone
from meldc_runtime.table import BUILT_IN, Table
from meldc_runtime.writing.nodes import expressions_of, walk

HAND, SIDE, TABLE = "h", "m", "g"
"""The vectors: of the acting player, of the side of the acting player, of the table."""


class NotLowered(Exception):  # noqa: N818  an answer, no error
    """The Program has something that a kernel cannot do; the machine plays it."""


@dataclass(frozen=True, slots=True)
class Slot:
    """A meld that a side can have at most once: its kind and rank, the kinds of card that lie in it
    as themselves, and those that stand for others. base: its first place in the vector of the side,
    which has its size; then its wild cards in all, then each of its kinds of card.
    """

    number: int
    kind: int
    rank: int
    naturals: tuple[int, ...]
    wilds: tuple[int, ...]
    base: int

    @property
    def size(self) -> Number:
        return at(Place(SIDE, self.base))

    @property
    def wild(self) -> Number:
        return at(Place(SIDE, self.base + 1))

    @property
    def cards(self) -> tuple[int, ...]:
        return (*self.naturals, *self.wilds)

    def place(self, kind: int) -> Place:
        """Where the cards of a kind are counted."""
        return Place(SIDE, self.base + 2 + self.cards.index(kind))


@dataclass(slots=True)
class Sum:
    """A number kept up to date in the vector of a side: the sum of what each slot gives."""

    place: Place
    by_slot: tuple[Number, ...]


@dataclass(slots=True)
class Tally:
    """How many cards of a class are in a list, kept up to date in the vector of the table."""

    place: Place
    zone: str
    kinds: frozenset[int]


@dataclass(slots=True)
class Layout:
    """Where everything lies. truths: the places that hold truths. sums, tallies: found while
    conditions are lowered. due: of state moments, when they are due and when they are kept.
    folded, read, of_card: worked out before.
    """

    table: Table
    kinds: Kinds
    counted: str
    slots: tuple[Slot, ...]
    memory: dict[str, Place]
    side_width: int
    table_width: int
    lists: dict[str, int]
    sums: dict[object, Sum] = field(default_factory=dict)
    tallies: dict[tuple[str, frozenset[int]], Tally] = field(default_factory=dict)
    due: dict[str, tuple[Truth, Truth]] = field(default_factory=dict)
    truths: frozenset[Place] = field(init=False)
    folded: dict[int, tuple[Any, Any]] = field(default_factory=dict)
    read: dict[Any, tuple[Any, Any]] = field(default_factory=dict)
    of_card: dict[tuple[str, int], Any] = field(default_factory=dict)

    @property
    def unknown(self) -> int:
        """The number that stands for a card nobody may count on."""
        return len(self.kinds.faces) - 1

    def __post_init__(self) -> None:
        memories = self.table.memories
        self.truths = frozenset(p for n, p in self.memory.items() if memories[n].type == "yes_no")

    @property
    def hand_size(self) -> Place:
        return Place(HAND, self.unknown)

    def in_hand(self, kind: int) -> Place:
        return Place(HAND, kind)

    def sum_of(self, key: object, by_slot: tuple[Number, ...]) -> Number:
        if key not in self.sums:
            self.sums[key] = Sum(Place(SIDE, self.side_width + len(self.sums)), by_slot)
        return at(self.sums[key].place)

    def tally_of(self, zone: str, kinds: frozenset[int]) -> Number:
        key = (zone, kinds)
        if key not in self.tallies:
            place = Place(TABLE, self.table_width + len(self.tallies))
            self.tallies[key] = Tally(place, zone, kinds)
        return at(self.tallies[key].place)

    def slot_of(self, natural: int) -> Slot | None:
        """The meld in which a kind of card lies as itself."""
        return next((slot for slot in self.slots if natural in slot.naturals), None)

    def list_text(self, zone: str) -> str:
        """The list of a zone; of a zone of sides, that of the acting player's."""
        base = self.lists[zone]
        return f"s.lists[{base} + q]" if self.zone(zone).owner == "side" else f"s.lists[{base}]"

    def zone(self, name: str) -> Zone:
        return self.table.zones[name]

    def melded(self) -> Number:
        return plus(*(slot.size for slot in self.slots))


def layout_of(table: Table) -> Layout:
    """The layout of a Table. Raises NotLowered."""
    program = table.program
    for node in (n for each in expressions_of(program) for n in walk(each)):
        if isinstance(node, (x.Can, x.Only, x.Joined)):
            raise NotLowered("look-ahead in conditions")
        if isinstance(node, x.CardAttr) and node.attr == "laid_by":
            raise NotLowered("who laid a card")
        if isinstance(node, x.MeldAttr) and node.attr in ("stands_for", "owner"):
            raise NotLowered(f"`{node.attr}` of melds")
    if not classes_are_static(table):
        raise NotLowered("classes of cards that change")
    if any(rule.soft or rule.kinds for rule in program.rules) or program.allowances:
        raise NotLowered("soft rules, rules about kinds of meld or allowances")
    kinds = kinds_of(table)
    hands = [zone for zone in program.zones if zone.visibility == "owner"]
    if len(hands) != 1 or hands[0].owner != "player":
        raise NotLowered("other than one hand for each player")
    lists: dict[str, int] = {}
    for zone in program.zones:
        if zone is not hands[0]:
            if zone.owner == "player":
                raise NotLowered("lists of cards of each player")
            lists[zone.name] = sum(table.owners(table.zones[n].owner) for n in lists)
    slots = _slots(table, kinds)
    width = slots[-1].base + 2 + len(slots[-1].cards) if slots else 0
    memory, side_width, table_width = _memory(table, width)
    return Layout(
        table, kinds, hands[0].name, slots, memory, side_width, table_width, lists
    )  # fmt: skip


def _slots(table: Table, kinds: Kinds) -> tuple[Slot, ...]:
    found: list[Slot] = []
    base = 0
    wild = frozenset(kinds.of[face] for face in FACES if _is_wild(table, face))
    for number, kind in enumerate(table.program.kinds):
        _check_kind(kind)
        own = [face for face in FACES if _is_natural(table, number, face)]
        for rank in sorted({RANK_OF[face] or 0 for face in own}):
            naturals = tuple(sorted({kinds.of[face] for face in own if RANK_OF[face] == rank}))
            if any(kind in slot.naturals for slot in found for kind in naturals):
                raise NotLowered("cards that several kinds of meld take")
            wilds = tuple(sorted(wild - set(naturals))) if kind.wilds[1] != 0 else ()
            if wild & set(naturals):
                raise NotLowered("wild cards that lie as themselves")
            slot = Slot(len(found), number, rank, naturals, wilds, base)
            base += 2 + len(slot.cards)
            found.append(slot)
    return tuple(found)


def _check_kind(kind: MeldKind) -> None:
    if kind.shape != "same_rank" or kind.how_many != "one" or kind.contains or kind.condition:
        raise NotLowered("melds other than one of each rank")


def _is_natural(table: Table, kind: int, face: int) -> bool:
    from meldc_runtime.state import State

    return table.naturals(State(table), kind)[face]


def _is_wild(table: Table, face: int) -> bool:
    from meldc_runtime.state import State

    return table.can_be_wild(State(table), face)


def _memory(table: Table, width: int) -> tuple[dict[str, Place], int, int]:
    found: dict[str, Place] = {}
    on_table = 0
    kept = {memory.name for memory in BUILT_IN}
    for memory in table.memories.values():
        if memory.name in kept:
            continue
        if memory.owner == "side":
            found[memory.name] = Place(SIDE, width)
            width += 1
        elif memory.owner == "none":
            found[memory.name] = Place(TABLE, on_table)
            on_table += 1
        else:
            raise NotLowered("memory of each player")
    return found, width, on_table


__all__ = [
    "HAND",
    "SIDE",
    "TABLE",
    "UNKNOWN",
    "Layout",
    "NotLowered",
    "Slot",
    "Sum",
    "Tally",
    "layout_of",
]
