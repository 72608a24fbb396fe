"""Counts and intervals."""

from __future__ import annotations

import pytest

from meldc_runtime.statistics import Moments, Tally, share


def moments(*values: int) -> Moments:
    found = Moments()
    for value in values:
        found.add(value)
    return found


def test_mean__has_the_interval_of_the_normal_distribution() -> None:
    estimate = moments(1, 2, 3, 4).mean()
    half = 1.959964 * (5 / 3 / 4) ** 0.5
    assert estimate.value == 2.5
    assert estimate.low == pytest.approx(2.5 - half)
    assert estimate.high == pytest.approx(2.5 + half)


@pytest.mark.parametrize(
    ("hits", "n", "low", "high"),
    [(0, 10, 0.0, 0.2775), (10, 10, 0.7225, 1.0), (5, 10, 0.2366, 0.7634), (0, 0, 0.0, 1.0)],
)
def test_share__has_the_interval_of_wilson(hits: int, n: int, low: float, high: float) -> None:
    estimate = share(hits, n)
    assert (estimate.low, estimate.high) == pytest.approx((low, high), abs=1e-4)


def test_merge__does_not_depend_on_the_parts() -> None:
    whole, left, right = Tally(), Tally(), Tally()
    for number in range(20):
        for tally in (whole, left if number % 3 else right):
            tally.count("games")
            tally.number("score", number * 5 - 30)
    left.merge(right)
    assert left == whole
