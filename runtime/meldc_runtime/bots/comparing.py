"""What several plays come to in the same imagined worlds, and which of them are worth more worlds.

What a play gains is reckoned against the one that looks best at first sight, world by world: what
the plays have in common drops out. First sight counts for as many worlds as it deserves: the less
the worlds agree, and the nearer two plays are at first sight, the more.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from math import sqrt

DOUBT = 0.15
"""Standard errors by which a gain must pass nothing before the play at first sight is left."""
BEHIND = 2.0
"""Standard errors behind the best beyond which a play is left out."""
SHARE = 0.3
"""How far first sight errs at the least, as a share of what a gain differs by between worlds."""
POOLED = 2
"""Worlds that what the gains of all plays differ by weighs as much as, beside the own ones."""
SAME = 1e-6
"""Points that are nothing: sums in another order."""


@dataclass(frozen=True, slots=True)
class Gain:
    """What a play gains over the first one, in points. error: its standard error."""

    points: float = 0.0
    error: float = 0.0


@dataclass(slots=True)
class Comparison:
    """Plays by their places. left: the places still compared, the best at first sight first; that
    one stays as long as others do. sooner: by place, what the plays are worth at first sight; None
    where that tells nothing. came_to: by place, what the play came to in each world so far.
    """

    left: list[int]
    sooner: Sequence[float] | None
    came_to: dict[int, list[float]] = field(default_factory=dict)

    def add(self, values: dict[int, float | None]) -> None:
        """What the places that are left came to in another world; None where the play cannot be
        made there, so that it is out of the question. (Where none can, the world tells nothing.)
        """
        if all(value is None for value in values.values()):
            return
        for place, value in values.items():
            if value is None:
                self.left = [other for other in self.left if other != place]
            else:
                self.came_to.setdefault(place, []).append(value)

    def mean(self, place: int) -> float:
        """What a play came to on the average; nothing is below that of one never tried."""
        values = self.came_to.get(place, ())
        return sum(values) / len(values) if values else float("-inf")

    def gains(self) -> dict[int, Gain]:
        """By place, of those that are left: what they gain over the first."""
        first, *others = self.left
        worlds = len(self.came_to[first])
        differences = {place: self._over(place, first) for place in others}
        spread = {place: _variance(each) for place, each in differences.items()}
        pooled = sum(spread.values()) / len(spread) if spread else 0.0
        gains = {first: Gain()}
        for place in others:
            variance = (spread[place] * (worlds - 1) + POOLED * pooled) / (worlds - 1 + POOLED)
            looked, weight = 0.0, 0.0
            if self.sooner is not None:
                looked = self.sooner[place] - self.sooner[first]
                errs = abs(looked) + SHARE * sqrt(pooled)
                weight = variance / errs**2 if errs and worlds > 1 else 1.0
            points = (sum(differences[place]) + weight * looked) / (worlds + weight)
            gains[place] = Gain(points, sqrt(variance / (worlds + weight)))
        return gains

    def ranking(self) -> list[int]:
        """The places that are left, the best first; of equal ones the better at first sight."""
        gains = self.gains()
        doubt = 0.0 if self.sooner is None else DOUBT
        return sorted(self.left, key=lambda place: doubt * gains[place].error - gains[place].points)

    def narrow(self) -> None:
        """Leaves out the worse half, what is surely worse than the best, and of plays that came to
        the same in all worlds all but one.
        """
        gains = self.gains()
        ranked = sorted(self.left, key=lambda place: -gains[place].points)
        best, kept = ranked[0], ranked[:1]
        for place in ranked[1:]:
            if self._is_behind(place, best) or any(self._is_like(place, one) for one in kept):
                continue
            kept.append(place)
        kept = kept[: max(2, (len(self.left) + 1) // 2)]
        first = self.left[0]
        if self.sooner is not None and len(self.left) > 2 and first != best:
            kept.append(first)
        self.left = [place for place in self.left if place in kept]

    def _over(self, place: int, other: int) -> list[float]:
        pairs = zip(self.came_to[place], self.came_to[other], strict=True)
        return [value - against for value, against in pairs]

    def _is_like(self, place: int, other: int) -> bool:
        return all(abs(each) < SAME for each in self._over(place, other))

    def _is_behind(self, place: int, other: int) -> bool:
        differences = self._over(place, other)
        if len(differences) < 2:
            return False
        mean = sum(differences) / len(differences)
        return mean + BEHIND * sqrt(_variance(differences) / len(differences)) < 0


def _variance(values: Sequence[float]) -> float:
    """Of a sample; nothing of one value."""
    if len(values) < 2:
        return 0.0
    mean = sum(values) / len(values)
    return sum((value - mean) ** 2 for value in values) / (len(values) - 1)
