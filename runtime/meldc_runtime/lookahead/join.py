"""Joins what can be laid of each group to plans for a whole turn.

A depth-first search over the groups. What it knows on the way is a vector of numbers (the facts that the goal asks for, as far as they
are gathered) and how many of the cards are left that several groups could use. It is cut where no way to the goal is open whatever the groups
still to come may give, and where the same knowledge led nowhere before.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from operator import add, itemgetter, sub
from typing import Any

from meldc_runtime.lookahead.groups import Group, Outcome, Vector
from meldc_runtime.lookahead.search import CutOff

NODES = 30_000
"""Points looked at for one question before it is given up."""


@dataclass(frozen=True, slots=True)
class Option:
    """What may be laid of a group: shared cards used, what the vector gains, and how."""

    uses: Vector
    gains: Vector
    outcome: Outcome


class Level:
    """A group of which something can be laid; nothing is among the options. least, most: what each number of the vector gains at the
    least and most."""

    __slots__ = ("group", "least", "most", "options")

    def __init__(self, group: Group, options: Sequence[Option]) -> None:
        self.group = group
        self.options = tuple(options)
        columns = list(zip(*(option.gains for option in options), strict=True))
        self.least = tuple(map(min, columns))
        self.most = tuple(map(max, columns))


@dataclass(frozen=True, slots=True)
class OpenWay:
    """A way to the goal as a test of the numbers at these places of the list of all that ways ask for."""

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


Choice = tuple[tuple[Group, Outcome], ...]


class Join:
    """One question. asked: for each number that ways ask for, its place in the vector and whether its greatest value is meant.
    caps: by place of the vector the value beyond which no way tells numbers apart, where it can only grow. ways: those that can be open at all; actions: by
    which they end."""

    def __init__(
        self, levels: list[Level], shared: Vector, vector: Vector, asked: Sequence[tuple[int, bool]], caps: dict[int, int]
    ) -> None:
        self.levels = levels
        self.shared = shared
        self.places = [place for place, _ in asked]
        self.caps = [(place, cap) for place, cap in caps.items() if all(level.least[place] >= 0 for level in levels)]
        self.vector = self._capped(vector)
        self.ahead = self._ahead([most for _, most in asked])
        self.ways: list[OpenWay] = []
        self.actions: set[int] = set()
        self.loosest = self._numbers(self.ahead[0], self.vector)
        self.dead: set[Any] = set()
        self.nodes = 0

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

    def _ahead(self, most: list[bool]) -> list[Vector]:
        """By level, what the groups from there on may add to each number at the least or most."""
        row = (0,) * len(self.places)
        rows = [row]
        for level in reversed(self.levels):
            best = [level.most[p] if m else level.least[p] for p, m in zip(self.places, most, strict=True)]
            row = tuple(map(add, row, best))
            rows.append(row)
        rows.reverse()
        return rows

    def _numbers(self, ahead: Vector, vector: Vector) -> list[int]:
        return [vector[place] + more for place, more in zip(self.places, ahead)]  # noqa: B905

    def choices(self) -> Iterator[Choice]:
        """Choices of outcomes after which a way may be open, each worth a try. Raises CutOff."""
        if self.ways:
            yield from self._descend(0, self.shared, self.vector, ())

    def _open(self, numbers: Sequence[int]) -> bool:
        for way in self.ways:  # noqa: SIM110
            if way.test(*way.pick(numbers)):
                return True
        return False

    def _descend(self, depth: int, shared: Vector, vector: Vector, chosen: Choice) -> Iterator[Choice]:
        key = (depth, shared, vector)
        if key in self.dead:
            return
        self.nodes += 1
        if self.nodes > NODES:
            raise CutOff
        if self._open(self._numbers(self.ahead[depth], vector)):
            if chosen and self._open(self._numbers(self.ahead[-1], vector)):
                yield chosen
            if depth < len(self.levels):
                level = self.levels[depth]
                for option in level.options:
                    left = tuple(map(sub, shared, option.uses))
                    if left and min(left) < 0:
                        continue
                    after = self._capped(tuple(map(add, vector, option.gains)))
                    more = (*chosen, (level.group, option.outcome)) if option.outcome.steps else chosen
                    yield from self._descend(depth + 1, left, after, more)
        self.dead.add(key)
