"""Estimates with 95 % intervals from sums that are kept as whole numbers, so that the order of
adding them up does not matter.

Cases that belong together (the deals of a game, the seats of a deal) form a *cluster*; clusters are
independent. Every figure is a ratio of two totals, sum(y) / sum(x) over clusters: a mean where x
counts the cases, a share where y counts those of them that have something.

- Interval of a mean: Student's t with clusters - 1 degrees of freedom and the variance of a ratio
  by linearisation (W. G. Cochran, "Sampling Techniques", 3rd ed. 1977, sections 6.3 and 9A.2).
- Interval of a share: Wilson's (JASA 22, 1927), with the number of cases that would tell as much if
  they were independent (C. Franco, R. J. A. Little, T. A. Louis, E. V. Slud, "Comparative study of
  confidence intervals for proportions in complex sample surveys", JSSAM 7, 2019).
- Difference of two figures from the same seeds: linearised cluster by cluster, so that what both
  have in common drops out.
"""

from __future__ import annotations

from fractions import Fraction
from math import erfc, isfinite, pi, sqrt, tan

from meldc_runtime.light import dataclass

Z95 = 1.959963984540054
"""Of the normal distribution: 95 % lie within so many standard deviations of the mean."""


@dataclass(frozen=True, slots=True)
class Estimate:
    """A value from `n` cases with the ends of its 95 % confidence interval."""

    value: float
    low: float
    high: float
    n: int

    @property
    def half(self) -> float:
        """Half the width of the interval."""
        return (self.high - self.low) / 2


@dataclass(frozen=True, slots=True)
class Base:
    """Sums over clusters of what figures are counted by: how many clusters have any of it, x, and
    x squared.
    """

    clusters: int
    x: int
    xx: int


@dataclass(frozen=True, slots=True)
class Sums:
    """Sums over clusters of what a figure counts: y, y squared, x times y."""

    y: int
    yy: int
    xy: int


NOTHING = Sums(0, 0, 0)


def mean(base: Base, sums: Sums) -> Estimate:
    """Sum(y) / sum(x) with Student's interval; from one cluster an interval without ends."""
    if base.x == 0:
        return Estimate(0.0, 0.0, 0.0, 0)
    value = sums.y / base.x
    half = student(base.clusters - 1) * sqrt(variance(base, sums)) if base.clusters > 1 else 0.0
    if base.clusters == 1:
        return Estimate(value, float("-inf"), float("inf"), base.x)
    return Estimate(value, value - half, value + half, base.x)


def share(base: Base, sums: Sums) -> Estimate:
    """Sum(y) / sum(x), where y counts some of the cases that x counts, with Wilson's interval."""
    if base.x == 0:
        return Estimate(0.0, 0.0, 1.0, 0)
    p = sums.y / base.x
    found = wilson(p, _independent(base, sums, p))
    return Estimate(p, found[0], found[1], base.x)


def _independent(base: Base, sums: Sums, p: float) -> float:
    """How many independent cases would tell as much: at most as many as there are. Where all cases
    are alike their clusters count, since no more is known of how they hang together.
    """
    spread = variance(base, sums) if base.clusters > 1 else 0.0
    if spread <= 0 or not 0 < p < 1:
        return float(base.clusters)
    return min(float(base.x), max(1.0, p * (1 - p) / spread))


def wilson(p: float, n: float) -> tuple[float, float]:
    """The ends of Wilson's interval of a share from n independent cases."""
    scale = 1 + Z95 * Z95 / n
    centre = (p + Z95 * Z95 / (2 * n)) / scale
    half = Z95 * sqrt(p * (1 - p) / n + Z95 * Z95 / (4 * n * n)) / scale
    low = 0.0 if p == 0 else max(0.0, centre - half)
    high = 1.0 if p == 1 else min(1.0, centre + half)
    return low, high


def variance(base: Base, sums: Sums) -> float:
    """The variance of sum(y) / sum(x) among clusters (there must be two at least); exact up to the
    last division, however large the sums.
    """
    n, x, y = base.clusters, base.x, sums.y
    squares = sums.yy * x * x - 2 * y * x * sums.xy + y * y * base.xx
    return float(Fraction(squares * n, (n - 1) * x**4))


def difference_variance(
    bases: tuple[Base, Base], sums: tuple[Sums, Sums], cross: tuple[int, int, int, int], pairs: int
) -> float:
    """The variance of the second figure less the first, where both come from the same clusters.

    cross: sums over clusters of y1 y2, y1 x2, x1 y2, x1 x2. pairs: clusters.
    """
    (one, two), (x1, x2) = sums, (bases[0].x, bases[1].x)
    r1, r2 = Fraction(one.y, x1), Fraction(two.y, x2)
    own = [
        (s.yy - 2 * r * s.xy + r * r * b.xx) / (b.x * b.x)
        for b, s, r in zip(bases, sums, (r1, r2), strict=True)
    ]
    yy, yx, xy, xx = cross
    common = (yy - r2 * yx - r1 * xy + r1 * r2 * xx) / (x1 * x2)
    return max(0.0, float((own[0] + own[1] - 2 * common) * Fraction(pairs, pairs - 1)))


def student(freedom: int) -> float:
    """How many standard errors on either side hold 95 %, by Student's t.

    Exact for 1 and 2 degrees of freedom, else the expansion in Abramowitz and Stegun, "Handbook of
    Mathematical Functions", 26.7.5 (its error is below 0.2 %).
    """
    if freedom == 1:
        return tan(pi * 0.475)
    if freedom == 2:
        return 0.95 * sqrt(2 / (1 - 0.95**2))
    z = Z95
    terms = (
        (z**3 + z) / 4,
        (5 * z**5 + 16 * z**3 + 3 * z) / 96,
        (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384,
        (79 * z**9 + 776 * z**7 + 1482 * z**5 - 1920 * z**3 - 945 * z) / 92160,
    )
    return z + sum(term / float(freedom) ** power for power, term in enumerate(terms, 1))


def chance(value: float, spread: float, freedom: int) -> float:
    """How likely so large a difference is by chance alone, of this variance: two-sided, by
    Student's t (its normal approximation, Abramowitz and Stegun 26.7.8).
    """
    if value == 0:
        return 1.0
    if spread == 0:
        return 0.0
    t = abs(value) / sqrt(spread)
    z = t * (1 - 1 / (4 * freedom)) / sqrt(1 + t * t / (2 * freedom)) if freedom else 0.0
    return erfc(z / sqrt(2)) if isfinite(z) else 0.0


def shown(chances: list[float], limit: float = 0.05) -> list[bool]:
    """Which of many differences are shown, so that on average at most this share of those shown is
    chance (Y. Benjamini and Y. Hochberg, JRSS B 57, 1995).
    """
    order = sorted(range(len(chances)), key=chances.__getitem__)
    last = 0
    for place, index in enumerate(order, 1):
        if chances[index] <= limit * place / len(order):
            last = place
    kept = set(order[:last])
    return [index in kept for index in range(len(chances))]
