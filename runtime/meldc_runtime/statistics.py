"""Counts from bulk play, kept as whole numbers so that the order of adding them up does not
matter, and what they say.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from math import sqrt

Z95 = 1.959963984540054
"""Of the normal distribution: 95 % lie within so many standard deviations of the mean."""


@dataclass(frozen=True, slots=True)
class Estimate:
    """A value from `n` cases with the ends of its 95 % confidence interval."""

    value: float
    low: float
    high: float
    n: int


@dataclass(slots=True)
class Moments:
    """Number, sum and sum of squares of whole numbers."""

    n: int = 0
    total: int = 0
    squares: int = 0

    def add(self, value: int) -> None:
        self.n += 1
        self.total += value
        self.squares += value * value

    def merge(self, other: Moments) -> None:
        self.n += other.n
        self.total += other.total
        self.squares += other.squares

    def mean(self) -> Estimate:
        """The mean; the interval is that of the normal distribution."""
        if self.n == 0:
            return Estimate(0.0, 0.0, 0.0, 0)
        mean = self.total / self.n
        if self.n == 1:
            return Estimate(mean, mean, mean, 1)
        spread = (self.n * self.squares - self.total * self.total) / (self.n * (self.n - 1))
        half = Z95 * sqrt(max(0.0, spread) / self.n)
        return Estimate(mean, mean - half, mean + half, self.n)


def share(hits: int, n: int) -> Estimate:
    """A proportion with its Wilson interval, which is honest near 0 and 1 and for few cases."""
    if n == 0:
        return Estimate(0.0, 0.0, 1.0, 0)
    p = hits / n
    scale = 1 + Z95 * Z95 / n
    centre = (p + Z95 * Z95 / (2 * n)) / scale
    half = Z95 * sqrt(p * (1 - p) / n + Z95 * Z95 / (4 * n * n)) / scale
    return Estimate(p, max(0.0, centre - half), min(1.0, centre + half), n)


@dataclass(slots=True)
class Tally:
    """What is counted: how often something was (by name), and numbers of which the mean is asked
    (by name).
    """

    counts: dict[str, int] = field(default_factory=dict)
    numbers: dict[str, Moments] = field(default_factory=dict)

    def count(self, name: str, times: int = 1) -> None:
        self.counts[name] = self.counts.get(name, 0) + times

    def number(self, name: str, value: int) -> None:
        moments = self.numbers.get(name)
        if moments is None:
            moments = self.numbers[name] = Moments()
        moments.add(value)

    def merge(self, other: Tally) -> None:
        for name, times in other.counts.items():
            self.count(name, times)
        for name, moments in other.numbers.items():
            self.numbers.setdefault(name, Moments()).merge(moments)
