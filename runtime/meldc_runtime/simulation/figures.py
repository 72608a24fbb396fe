"""From rows to figures: what is counted of every game, and the sums that estimates come from."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import field
from math import isfinite, sqrt
from typing import NamedTuple

from meldc_runtime import statistics
from meldc_runtime.light import dataclass
from meldc_runtime.simulation.measuring import Cluster, Key
from meldc_runtime.statistics import Base, Estimate, Sums

OF_POINTS = ("points", "per side", "mean")
"""Measures that may be negative."""


class Difference(NamedTuple):
    """A figure in two games. change: the second less the first, with its interval. chance: how
    likely so large a change is if there is none. size: the change in standard deviations of a
    cluster. shown: whether it is more than chance, all figures taken together.
    """

    key: Key
    first: Estimate
    second: Estimate
    change: Estimate
    chance: float
    size: float
    shown: bool


@dataclass(slots=True)
class Figures:
    """The sums of all figures of a game. counts: plain totals. values: how often each value of
    some numbers was met, by their names.
    """

    bases: dict[str, list[int]] = field(default_factory=dict)
    sums: dict[Key, list[int]] = field(default_factory=dict)
    counts: Counter[str] = field(default_factory=Counter)
    values: dict[str, Counter[int]] = field(default_factory=dict)
    stuck: list[tuple[int, int]] = field(default_factory=list)

    def add(self, cluster: Cluster) -> None:
        for name, x in cluster.x.items():
            _add(self.bases.setdefault(name, [0, 0, 0]), (1, x, x * x))
        for key, y in cluster.y.items():
            x = cluster.x.get(key.base, 0)
            _add(self.sums.setdefault(key, [0, 0, 0]), (y, y * y, x * y))
        self.counts.update(cluster.counts)
        for name, values in cluster.values.items():
            self.values.setdefault(name, Counter()).update(values)
        self.stuck = (self.stuck + cluster.stuck)[:100]

    def merge(self, other: Figures) -> None:
        for name, base in other.bases.items():
            _add(self.bases.setdefault(name, [0, 0, 0]), base)
        for key, sums in other.sums.items():
            _add(self.sums.setdefault(key, [0, 0, 0]), sums)
        self.counts.update(other.counts)
        for name, values in other.values.items():
            self.values.setdefault(name, Counter()).update(values)
        self.stuck = sorted(set(self.stuck + other.stuck))[:100]

    def base(self, name: str) -> Base:
        return Base(*self.bases.get(name, (0, 0, 0)))

    def sums_of(self, key: Key) -> Sums:
        return Sums(*self.sums.get(key, (0, 0, 0)))

    def estimate(self, key: Key) -> Estimate:
        base, sums = self.base(key.base), self.sums_of(key)
        if key.share:
            return statistics.share(base, sums)
        found = statistics.mean(base, sums)
        if key.measure in OF_POINTS or found.low >= 0 or not isfinite(found.low):
            return found
        return Estimate(found.value, 0.0, found.high, found.n)  # what is counted is never less

    def known(self) -> Iterator[Key]:
        """The figures of which there are cases."""
        return (key for key in self.sums if self.bases.get(key.base, (0,))[0])


@dataclass(slots=True)
class Results:
    """What was counted of a game, or of two from the same seeds: then what both have in common."""

    first: Figures = field(default_factory=Figures)
    second: Figures = field(default_factory=Figures)
    clusters: int = 0
    cross: dict[Key, list[int]] = field(default_factory=dict)
    """By figure the sums over clusters of y1 y2, y1 x2, x1 y2."""
    bases: dict[str, int] = field(default_factory=dict)
    """By base the sum of x1 x2."""

    def add(self, first: Cluster, second: Cluster | None = None) -> None:
        self.first.add(first)
        self.clusters += 1
        if second is None:
            return
        self.second.add(second)
        for name in first.x.keys() & second.x.keys():
            self.bases[name] = self.bases.get(name, 0) + first.x[name] * second.x[name]
        for key in first.y.keys() | second.y.keys():
            y1, y2 = first.y.get(key, 0), second.y.get(key, 0)
            x1, x2 = first.x.get(key.base, 0), second.x.get(key.base, 0)
            _add(self.cross.setdefault(key, [0, 0, 0]), (y1 * y2, y1 * x2, x1 * y2))

    def merge(self, other: Results) -> None:
        self.first.merge(other.first)
        self.second.merge(other.second)
        self.clusters += other.clusters
        for name, xx in other.bases.items():
            self.bases[name] = self.bases.get(name, 0) + xx
        for key, cross in other.cross.items():
            _add(self.cross.setdefault(key, [0, 0, 0]), cross)

    def differences(self, keys: Iterable[Key]) -> list[Difference]:
        """The figures of which both games have cases, in the order given."""
        found = [each for key in keys if (each := self._difference(key)) is not None]
        kept = statistics.shown([each.chance for each in found])
        return [each._replace(shown=shown) for each, shown in zip(found, kept, strict=True)]

    def _difference(self, key: Key) -> Difference | None:
        games = (self.first, self.second)
        bases = (self.first.base(key.base), self.second.base(key.base))
        if self.clusters < 2 or not all(base.x for base in bases):
            return None
        sums = (self.first.sums_of(key), self.second.sums_of(key))
        cross = self.cross.get(key, [0, 0, 0])
        spread = statistics.difference_variance(
            bases, sums, (cross[0], cross[1], cross[2], self.bases.get(key.base, 0)), self.clusters
        )
        one, two = (game.estimate(key) for game in games)
        change = two.value - one.value
        half = statistics.student(self.clusters - 1) * sqrt(spread)
        return Difference(
            key,
            one,
            two,
            Estimate(change, change - half, change + half, self.clusters),
            statistics.chance(change, spread, self.clusters - 1),
            abs(change) / (_deviation(bases[0], sums[0]) or _deviation(bases[1], sums[1]) or 1.0),
            False,
        )


def _deviation(base: Base, sums: Sums) -> float:
    """The standard deviation of a figure from cluster to cluster."""
    if base.clusters < 2:
        return 0.0
    return sqrt(statistics.variance(base, sums) * base.clusters)


def _add(sums: list[int], values: Iterable[int]) -> None:
    for place, value in enumerate(values):
        sums[place] += value
