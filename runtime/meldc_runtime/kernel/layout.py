"""How a position lies in a kernel: vectors of numbers instead of lists of cards and objects.

A hand that its owner sees is a vector of counts by kind of card, with its size at the end. What a
side has (cards of each meld that it can have, memory, sums over melds) is one vector, what a player
has (memory, cards laid by this player where that matters) another, what the table has a third.
Other zones are lists of kinds of card. What stays the same in a deal is worked out when it begins.
A Program that needs more is not lowered.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from meldc_runtime.cards import FACES, RANK_OF, UNKNOWN
from meldc_runtime.forms import looking_ahead
from meldc_runtime.kernel.terms import NAMED, Holds, Number, Place, Truth, at, plus
from meldc_runtime.kinds import Kinds, classes_are_static, kinds_of
from meldc_runtime.program import expressions as x
from meldc_runtime.program.declarations import MeldKind, Memory, Program, Zone
from meldc_runtime.table import BUILT_IN, Table
from meldc_runtime.writing.nodes import expressions_of, walk

HAND, SIDE, TABLE, OWN, DEAL, ORDER = "h", "m", "g", "w", "c", "r"
"""The vectors: the hand of the acting player, what the side of this player has, what the table has,
what the player has, what stays the same for the side while the deal goes on, the order in which the
melds of the side were begun.
"""

LAID = 2
"""Places of a meld before those of its cards: size, wild cards."""


class NotLowered(Exception):  # noqa: N818  an answer, no error
    """The Program has something that a kernel cannot do; the machine plays it."""


@dataclass(frozen=True, slots=True)
class Slot:
    """A meld that a side can have at most once: its kind and rank (None: it has none), the kinds of
    card that lie in it as themselves, and those that stand for others. base: its first place in the
    vector of the side, which has its size; then its wild cards in all, then each of its kinds of
    card. own: where the cards of each kind are counted that the acting player has laid (None:
    nobody asks). after: the number of the meld of the same kind that must be full before this one
    is begun (None: none).
    """

    number: int
    kind: int
    rank: int | None
    naturals: tuple[int, ...]
    wilds: tuple[int, ...]
    base: int
    own: int | None
    after: int | None = None

    @property
    def width(self) -> int:
        return LAID + len(self.cards)

    @property
    def serial(self) -> Place:
        """Where the number of the meld is kept, by which the melds of a side are ordered."""
        return Place(ORDER, self.number)

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
        return Place(SIDE, self.base + LAID + self.cards.index(kind))

    def own_place(self, kind: int) -> Place:
        """Where those of them are counted that the acting player has laid."""
        assert self.own is not None
        return Place(OWN, self.own + self.cards.index(kind))


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
    watched: places of single melds that tests on bounds
    read. folded, read, of_card: worked out before.
    """

    table: Table
    kinds: Kinds
    counted: str
    slots: tuple[Slot, ...]
    memory: dict[str, Place]
    side_width: int
    table_width: int
    own_width: int
    lists: dict[str, int]
    constants: dict[x.Expr, Place] = field(default_factory=dict)
    questions: dict[tuple[str, ...], str] = field(default_factory=dict)
    watched: list[Place] = field(default_factory=list)
    sums: dict[object, Sum] = field(default_factory=dict)
    tallies: dict[tuple[str, frozenset[int]], Tally] = field(default_factory=dict)
    due: dict[str, tuple[Truth, Truth]] = field(default_factory=dict)
    truths: frozenset[Place] = field(init=False)
    late: frozenset[str] = field(init=False)
    moments_asked: dict[str, int] = field(init=False)
    asides: dict[str, Place] = field(init=False)
    folded: dict[int, tuple[Any, Any]] = field(default_factory=dict)
    read: dict[Any, tuple[Any, Any]] = field(default_factory=dict)
    of_card: dict[tuple[str, int], Any] = field(default_factory=dict)

    @property
    def unknown(self) -> int:
        """The number that stands for a card nobody may count on."""
        return len(self.kinds.faces) - 1

    def __post_init__(self) -> None:
        memories = self.table.memories
        self.late = looking_ahead(self.table.program)
        asked = [
            node
            for each in expressions_of(self.table.program)
            for node in walk(each)
            if isinstance(node, x.Can)
        ]
        left = {node.without for node in asked} - {None, *self.table.code.never_broken}
        self.asides = {
            rule: Place(f"(s.without == {number})", NAMED)
            for number, rule in enumerate(sorted(map(str, left)), start=1)
        }
        remembered = {p for n, p in self.memory.items() if is_truth(memories[n])}
        self.truths = frozenset(remembered.union(self.asides.values()))
        self.moments_asked = {
            node.name: number
            for number, node in enumerate(n for n in asked if n.subject == "moment")
        }

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

    def homes(self, kinds: frozenset[int], kind: int | None) -> list[Slot]:
        """The melds, of a kind if one is given, that cards can begin or join."""
        return [
            slot
            for slot in self.slots
            if kind in (None, slot.kind)
            and kinds <= set(slot.cards)
            and not kinds.isdisjoint(slot.naturals)
        ]

    def list_text(self, zone: str) -> str:
        """The list of a zone; of a zone of sides or players, that of the acting player."""
        base, owner = self.lists[zone], self.zone(zone).owner
        own = {"side": " + q", "player": " + p"}.get(owner, "")
        return f"s.lists[{base}{own}]"

    @property
    def melds_width(self) -> int:
        """So many places of the vector of a side belong to melds."""
        return sum(slot.width for slot in self.slots)

    def watch(self, place: Place) -> int:
        """The number of a place of one meld that tests on bounds read."""
        if place not in self.watched:
            self.watched.append(place)
        return self.watched.index(place)

    def question(self, about: tuple[str, ...]) -> Truth:
        """A question about plays to come, answered by a function of the module."""
        if about not in self.questions:
            self.questions[about] = "_".join(about)
        return Holds(Place(f"{self.questions[about]}(s)", NAMED))

    def left_aside(self, rule: str) -> Truth:
        """Whether a question about plays to come leaves a rule aside."""
        return Holds(self.asides[rule]) if rule in self.asides else False

    def constant(self, e: x.Expr) -> Number:
        """A number that stays the same for a side while the deal goes on."""
        if e not in self.constants:
            self.constants[e] = Place(DEAL, len(self.constants))
        return at(self.constants[e])

    def zone(self, name: str) -> Zone:
        return self.table.zones[name]

    def melded(self) -> Number:
        return plus(*(slot.size for slot in self.slots))


def is_truth(memory: Memory) -> bool:
    """Whether a memory is always yes or no."""
    return memory.type == "yes_no" and memory.initial is not None


def layout_of(table: Table) -> Layout:
    """The layout of a Table. Raises NotLowered."""
    program = table.program
    if not classes_are_static(table):
        raise NotLowered("classes of cards that change")
    if any(rule.soft or rule.kinds for rule in program.rules):
        raise NotLowered("soft rules, or rules about kinds of meld")
    kinds = kinds_of(table)
    hands = [zone for zone in program.zones if zone.visibility == "owner"]
    if len(hands) != 1 or hands[0].owner != "player":
        raise NotLowered("other than one hand for each player")
    lists: dict[str, int] = {}
    for zone in program.zones:
        if zone is not hands[0]:
            lists[zone.name] = sum(table.owners(table.zones[n].owner) for n in lists)
    own = reads_who_laid(program)
    slots = _slots(table, kinds, own)
    width = slots[-1].base + slots[-1].width if slots else 0
    own_width = sum(len(slot.cards) for slot in slots) if own else 0
    memory, widths = _memory(table, {SIDE: width, TABLE: 0, OWN: own_width})
    return Layout(
        table, kinds, hands[0].name, slots, memory, widths[SIDE], widths[TABLE], widths[OWN], lists
    )  # fmt: skip


def reads_who_laid(program: Program) -> bool:
    """Whether anything asks who laid a card."""
    nodes = (node for each in expressions_of(program) for node in walk(each))
    return any(isinstance(node, x.CardAttr) and node.attr == "laid_by" for node in nodes)


def _slots(table: Table, kinds: Kinds, own: bool) -> tuple[Slot, ...]:
    found: list[Slot] = []
    base = laid = 0
    wild = frozenset(kinds.of[face] for face in FACES if _is_wild(table, face))
    for number, kind in enumerate(table.program.kinds):
        _check_kind(kind)
        faces = [face for face in FACES if _is_natural(table, number, face)]
        for rank, naturals, after in _places(table, kinds, kind, faces):
            if any(each in slot.naturals for slot in found for each in set(naturals) - wild):
                raise NotLowered("cards that several kinds of meld take")
            if after is not None:
                after += len(found)
            wilds = tuple(sorted(wild - set(naturals))) if kind.wilds[1] != 0 else ()
            if wild & set(naturals) and (wilds or kind.shape != "any"):
                raise NotLowered("wild cards that lie as themselves beside others")
            slot = Slot(
                len(found), number, rank, naturals, wilds, base, laid if own else None, after
            )  # fmt: skip
            base += slot.width
            laid += len(slot.cards)
            found.append(slot)
    return tuple(found)


Where = tuple[int | None, tuple[int, ...], int | None]
"""Rank, cards that lie as themselves, how far on the meld stands that must be full before."""


def _places(table: Table, kinds: Kinds, kind: MeldKind, faces: list[int]) -> list[Where]:
    """The melds of a kind that a side can have, from the cards that lie in them as themselves."""
    if kind.shape == "same_rank":
        return [
            (rank, tuple(sorted({kinds.of[f] for f in faces if RANK_OF[f] == rank})), None)
            for rank in sorted({RANK_OF[face] or 0 for face in faces})
        ]
    most, naturals = 1, tuple(sorted({kinds.of[face] for face in faces}))
    if kind.how_many == "one_unfinished":
        low, high = kind.size
        if high is None or kind.wilds[1] != 0:
            raise NotLowered("melds of any cards that never are full")
        full, left = divmod(sum(face in faces for face in table.pack), high)
        most = max(1, full + (left >= low))
    return [(None, naturals, -1 if place else None) for place in range(most)]


def _check_kind(kind: MeldKind) -> None:
    by_rank = kind.shape == "same_rank" and kind.how_many == "one"
    if not by_rank and (kind.shape != "any" or kind.how_many == "many"):
        raise NotLowered("melds other than one of each rank, or of any cards one after the other")
    if kind.contains:
        raise NotLowered("cards that a meld must contain")
    for node in () if kind.condition is None else walk(kind.condition):
        counts = isinstance(node, x.MeldAttr) and node.attr in ("size", "naturals", "wilds")
        if not counts and not isinstance(node, COUNTING):
            raise NotLowered("conditions on melds that read more than numbers of cards")


COUNTING = (x.Const, x.Var, x.SettingValue, x.Compare, x.Arith, x.And, x.Or, x.Not, x.If)
"""Nodes that only compare numbers."""


def _is_natural(table: Table, kind: int, face: int) -> bool:
    from meldc_runtime.state import State

    return table.naturals(State(table), kind)[face]


def _is_wild(table: Table, face: int) -> bool:
    from meldc_runtime.state import State

    return table.can_be_wild(State(table), face)


def _memory(table: Table, widths: dict[str, int]) -> tuple[dict[str, Place], dict[str, int]]:
    found: dict[str, Place] = {}
    kept = {memory.name for memory in BUILT_IN}
    vectors = {"side": SIDE, "none": TABLE, "player": OWN}
    for memory in table.memories.values():
        if memory.name not in kept:
            vector = vectors[memory.owner]
            found[memory.name] = Place(vector, widths[vector])
            widths[vector] += 1
    return found, widths


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
