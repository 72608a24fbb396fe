"""Joins what can be laid of each group to plans for a whole turn.

A depth-first search over the groups. What it knows on the way is a vector of numbers (the facts
that the goal asks for, as far as they are gathered) and how many of the cards are left that several
groups could use. It is cut where no way to the goal is open whatever the groups still to come may
give, and where the same knowledge led nowhere before.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from operator import add, itemgetter, mul, sub
from typing import Any

from meldc_runtime.light import dataclass
from meldc_runtime.lookahead.groups import Group, Outcome, Vector
from meldc_runtime.lookahead.search import CutOff

NODES = 30_000
"""Points looked at for one question before it is given up."""

FAR = 1_000_000
"""Stands for what cannot be."""

SOON = 60
"""The same before options are narrowed."""

ROUNDS = 3
"""How often options are narrowed."""


@dataclass(frozen=True, slots=True, eq=False)
class Layout:
    """Which numbers ways ask for. components: what the vector consists of. places, most: for each
    number its place in the vector and whether its greatest value is meant. picks: for each way the
    numbers it asks for.
    """

    components: tuple[tuple[str, int], ...]
    places: tuple[int, ...]
    most: tuple[bool, ...]
    picks: tuple[Callable[[Sequence[int]], tuple[int, ...]], ...]


@dataclass(frozen=True, slots=True)
class Option:
    """What may be laid of a group: shared cards used, what the vector gains, and how. own: the
    gains without those of shared cards that leave the hand. firsts: the steps with which it, or
    what is the same to a join, can begin, as bits.
    """

    uses: Vector
    gains: Vector
    own: Vector
    outcome: Outcome
    firsts: int


class Level:
    """A group of which something can be laid; nothing is among the options.

    options: most cards first; sparing: fewest first, but nothing last. least, most: what each
    number of the vector gains at the least and most, shared cards left out where they only leave
    the hand. uses: the most that it uses of each shared card.
    """

    __slots__ = ("bests", "falls", "group", "least", "most", "options", "sparing", "uses")

    def __init__(self, group: Group, options: Sequence[Option]) -> None:
        self.group = group
        self.options = tuple(options)
        self.sparing = tuple(sorted(options, key=lambda o: sum(o.outcome.used) or FAR))
        columns = list(zip(*(option.own for option in options), strict=True))
        self.least = tuple(map(min, columns))
        self.most = tuple(map(max, columns))
        self.uses = tuple(map(max, zip(*(option.uses for option in options), strict=True)))
        self.falls = tuple(
            min(gains) < 0 for gains in zip(*(option.gains for option in options), strict=True)
        )
        self.bests: dict[Layout, Vector] = {}

    def best(self, layout: Layout) -> Vector:
        """What it may add to each number asked for, at the least or most."""
        known = self.bests.get(layout)
        if known is None:
            known = self.bests[layout] = tuple(
                [
                    self.most[p] if m else self.least[p]
                    for p, m in zip(layout.places, layout.most, strict=True)
                ]
            )
        return known

    def most_of(self, place: int, held: int) -> int:
        """How many of so many cards of a shared kind it can use at the most."""
        return max(
            (option.uses[place] for option in self.options if option.uses[place] <= held),
            default=-FAR,
        )


@dataclass(frozen=True, slots=True)
class OpenWay:
    """A way to the goal as a test of the numbers at these places of the list of all that ways ask
    for.
    """

    test: Callable[..., Any]
    pick: Callable[[Sequence[int]], tuple[int, ...]]

    def is_open(self, numbers: Sequence[int]) -> bool:
        return bool(self.test(*self.pick(numbers)))


def picker(places: Sequence[int]) -> Callable[[Sequence[int]], tuple[int, ...]]:
    """The numbers at some places as a tuple, however many."""
    if not places:
        return lambda numbers: ()
    if len(places) == 1:
        only = places[0]
        return lambda numbers: (numbers[only],)
    get: Callable[[Sequence[int]], tuple[int, ...]] = itemgetter(*places)
    return get


Part = tuple[Group, Outcome]
Choice = tuple[Part, ...]


class Join:
    """One question. ways: those that can be open at all; actions: by which they end."""

    def __init__(
        self,
        layout: Layout,
        levels: list[Level],
        shared: Vector,
        vector: Vector,
        worth: Sequence[Vector],
        free: frozenset[int] = frozenset(),
        sparing: bool = False,
    ) -> None:
        """worth: by number of the vector, what the hand counts for it with each of the shared
        cards. free: places of shared cards that may leave the hand without being laid. sparing:
        whether choices that lay few cards come first.
        """
        self.layout = layout
        self.free = free
        self.sparing = sparing
        self.levels = levels
        self.shared = shared
        self.vector = vector
        self.leaving = self._leaving(worth) if shared else []
        self.users = [
            [n for n, level in enumerate(levels) if level.uses[place]]
            for place in range(len(shared))
        ]
        self.gone: dict[tuple[int, int, int], int] = {}
        self.caps: list[tuple[int, int]] = []
        self.ahead = self._ahead()
        self.ways: list[OpenWay] = []
        self.actions: set[int] = set()
        self.loosest = self._bounds(0, shared, vector)
        self.limit = NODES
        self.dead: set[Any] = set()
        self.exhaustive = False
        self.nodes = 0

    def _leaving(self, worth: Sequence[Vector]) -> list[tuple[int, list[int]]]:
        """By number asked for, how much less (or more) it is for each shared card that leaves the
        hand.
        """
        found = []
        for number, (place, most) in enumerate(
            zip(self.layout.places, self.layout.most, strict=True)
        ):
            if any(worth[place]):
                weights = [min(each, 0) if most else max(each, 0) for each in worth[place]]
                if any(weights):
                    found.append((number, weights))
        return found

    def cap(self, caps: dict[int, int]) -> None:
        """By place of the vector the value beyond which no way tells numbers apart; used where a
        number can only grow.
        """
        self.caps = [
            (place, cap)
            for place, cap in caps.items()
            if not any(level.falls[place] for level in self.levels)
        ]
        self.vector = self._capped(self.vector)

    def is_open(self, way: OpenWay) -> bool:
        """Whether a way may be open after some choice."""
        return way.is_open(self.loosest)

    def _capped(self, vector: Vector) -> Vector:
        if not self.caps:
            return vector
        numbers = list(vector)
        for place, cap in self.caps:
            if numbers[place] > cap:
                numbers[place] = cap
        return tuple(numbers)

    def _ahead(self) -> list[Vector]:
        """By level, what the groups from there on may add to each number at the least or most."""
        row: Vector = (0,) * len(self.layout.places)
        rows = [row]
        for level in reversed(self.levels):
            row = tuple(map(add, row, level.best(self.layout)))
            rows.append(row)
        rows.reverse()
        return rows

    def _numbers(self, ahead: Vector, vector: Vector) -> list[int]:
        return [vector[place] + more for place, more in zip(self.layout.places, ahead)]  # noqa: B905

    def _bounds(self, depth: int, shared: Vector, vector: Vector) -> list[int]:
        """The numbers at their loosest, whatever the groups from a level on may give: shared cards
        leave the hand but once.
        """
        numbers = self._numbers(self.ahead[depth], vector)
        if self.leaving and shared:
            leave = [
                self._leave(depth, place, held) if held else 0 for place, held in enumerate(shared)
            ]
            for number, weights in self.leaving:
                numbers[number] -= sum(map(mul, weights, leave))
        return numbers

    def _leave(self, depth: int, place: int, held: int) -> int:
        """How many of so many cards of a shared kind the groups from a level on can use at the
        most.
        """
        key = (depth, place, held)
        known = self.gone.get(key)
        if known is None:
            users = [self.levels[n] for n in self.users[place] if n >= depth]
            runs = sum(level.uses[place] for level in users if level.group.shape == "run")
            others = [level for level in users if level.group.shape != "run"]
            if place in self.free or len(others) > 1:
                known = held
            elif not others:
                known = min(held, runs)
            else:
                known = max(
                    gone + others[0].most_of(place, held - gone)
                    for gone in range(min(held, runs) + 1)
                )
            self.gone[key] = known
        return known

    def is_closed(self) -> bool:
        """Whether no way is open, as far as is seen without a search."""
        return not (self.ways and self.narrow())

    def beginnings(self) -> dict[int, int]:
        """By number of a group, the steps with which its options can begin, as bits."""
        found = {}
        for level in self.levels:
            bits = 0
            for option in level.options:
                bits |= option.firsts
            found[level.group.number] = bits
        return found

    def is_open_now(self) -> bool:
        """Whether a way may be open if nothing is laid."""
        return self._open(self._bounds(len(self.levels), self.shared, self.vector))

    def choices(self) -> Iterator[Choice]:
        """Choices of outcomes after which a way may be open, each worth a try. Raises CutOff."""
        if not self.ways:
            return
        self.limit = SOON
        given: list[Choice] = []
        try:
            for choice in self._descend(0, self.shared, self.vector, ()):
                given.append(choice)
                yield choice
        except CutOff:
            self.limit = NODES
            if self.narrow():
                for choice in self._descend(0, self.shared, self.vector, ()):
                    if choice not in given:
                        yield choice

    def every_choice(self) -> Iterator[Choice]:
        """The choices, those too after which the same is known as after others."""
        self.exhaustive = True
        self.nodes, self.limit = 0, NODES
        yield from self._descend(0, self.shared, self.vector, ())

    def narrow(self) -> bool:
        """Leaves out options after which no way is open, whatever the other groups give; whether
        any way is still open.
        """
        for _ in range(ROUNDS):
            narrowed = False
            for depth, level in enumerate(self.levels):
                others = list(map(sub, self.ahead[0], level.best(self.layout)))
                options = [
                    option for option in level.options if self._open(self._with(option, others))
                ]
                if not options:
                    return False
                if len(options) < len(level.options):
                    narrowed = True
                    self.levels[depth] = Level(level.group, options)
                    self.ahead = self._ahead()
                    self.gone.clear()
            if not narrowed:
                break
        return True

    def _with(self, option: Option, others: list[int]) -> list[int]:
        """The numbers at their loosest with one option of a group, and what the other groups may
        give.
        """
        numbers = [
            self.vector[p] + option.own[p] + more
            for p, more in zip(self.layout.places, others, strict=True)
        ]
        if self.leaving and self.shared:
            leave = [
                self._leave(0, place, held) if held else 0 for place, held in enumerate(self.shared)
            ]
            for number, weights in self.leaving:
                numbers[number] -= sum(map(mul, weights, leave))
        return numbers

    def _open(self, numbers: Sequence[int]) -> bool:
        for way in self.ways:  # noqa: SIM110
            if way.test(*way.pick(numbers)):
                return True
        return False

    def _descend(
        self, depth: int, shared: Vector, vector: Vector, chosen: Choice
    ) -> Iterator[Choice]:
        key = (depth, shared, vector)
        if (
            key in self.dead and not self.free and not self.exhaustive
        ):  # what cards may leave by depends on more than the key
            return
        self.nodes += 1
        if self.nodes > self.limit:
            raise CutOff
        if self._open(self._bounds(depth, shared, vector)):
            if chosen and self._open(self._bounds(len(self.levels), shared, vector)):
                yield chosen
            if depth < len(self.levels):
                level = self.levels[depth]
                for option in level.sparing if self.sparing else level.options:
                    left = tuple(map(sub, shared, option.uses))
                    if left and min(left) < 0:
                        continue
                    after = self._capped(tuple(map(add, vector, option.gains)))
                    more = (
                        (*chosen, (level.group, option.outcome)) if option.outcome.steps else chosen
                    )
                    yield from self._descend(depth + 1, left, after, more)
        self.dead.add(key)
