"""Estimates and their intervals."""

from __future__ import annotations

import random
from collections.abc import Sequence
from math import inf, sqrt

import pytest

from meldc_runtime.statistics import (
    Base,
    Sums,
    chance,
    difference_variance,
    mean,
    share,
    shown,
    student,
    wilson,
)

Clusters = Sequence[tuple[int, int]]
"""x and y of each cluster."""


def base(clusters: Clusters) -> Base:
    return Base(len(clusters), sum(x for x, _ in clusters), sum(x * x for x, _ in clusters))


def sums(clusters: Clusters) -> Sums:
    y = sum(y for _, y in clusters)
    return Sums(y, sum(y * y for _, y in clusters), sum(x * y for x, y in clusters))


def test_mean__of_single_cases_has_students_interval() -> None:
    cases = [(1, 1), (1, 2), (1, 3), (1, 4)]
    estimate = mean(base(cases), sums(cases))
    half = 3.1824 * sqrt(5 / 3 / 4)
    assert estimate.value == 2.5
    assert (estimate.low, estimate.high) == pytest.approx((2.5 - half, 2.5 + half), abs=0.01)


def test_mean__of_one_cluster_has_no_ends() -> None:
    estimate = mean(base([(4, 10)]), sums([(4, 10)]))
    assert (estimate.value, estimate.low, estimate.high, estimate.n) == (2.5, -inf, inf, 4)


def test_mean__takes_cases_of_a_cluster_as_dependent() -> None:
    """Each case told five times over says no more than told once."""
    once = [(1, 3), (1, 5), (1, 4), (1, 9)]
    often = [(5 * x, 5 * y) for x, y in once]
    one, five = mean(base(once), sums(once)), mean(base(often), sums(often))
    assert (one.value, one.low, one.high) == pytest.approx((five.value, five.low, five.high))


@pytest.mark.parametrize(("freedom", "value"), [(1, 12.706), (2, 4.303), (3, 3.182), (30, 2.042)])
def test_student__has_the_values_of_the_tables(freedom: int, value: float) -> None:
    assert student(freedom) == pytest.approx(value, rel=2e-3)


@pytest.mark.parametrize(
    ("hits", "n", "low", "high"),
    [(0, 10, 0.0, 0.2775), (10, 10, 0.7225, 1.0), (5, 10, 0.2366, 0.7634)],
)
def test_share__of_independent_cases_has_wilsons_interval(
    hits: int, n: int, low: float, high: float
) -> None:
    assert wilson(hits / n, n) == pytest.approx((low, high), abs=1e-4)
    cases = [(1, int(case < hits)) for case in range(n)]
    estimate = share(base(cases), sums(cases))
    assert (estimate.low, estimate.high) == pytest.approx((low, high), abs=0.02)


def test_share__of_nothing_may_be_anything() -> None:
    estimate = share(Base(0, 0, 0), Sums(0, 0, 0))
    assert (estimate.low, estimate.high, estimate.n) == (0.0, 1.0, 0)


def test_share__of_like_cases_in_clusters_is_wider() -> None:
    """Four cases that always agree tell as much as one."""
    agreeing = [(4, 4 * (case % 2)) for case in range(20)]
    single = [(1, case % 2) for case in range(20)]
    wide, same = share(base(agreeing), sums(agreeing)), share(base(single), sums(single))
    assert (wide.low, wide.high) == pytest.approx((same.low, same.high), abs=0.01)


def test_mean__covers_the_truth_as_often_as_it_says() -> None:
    """Games of unequal length with deals that hang together: 95 % of intervals hold the mean."""
    source = random.Random(5)
    held = 0
    for _ in range(400):
        games = []
        for _ in range(40):
            level, deals = source.gauss(50, 20), source.randint(2, 9)
            games.append((deals, sum(round(source.gauss(level, 10)) for _ in range(deals))))
        estimate = mean(base(games), sums(games))
        held += estimate.low <= 50 <= estimate.high
    assert 0.92 <= held / 400 <= 0.98


def cross(first: Clusters, second: Clusters) -> tuple[int, int, int, int]:
    pairs = list(zip(first, second, strict=True))
    return (
        sum(one[1] * two[1] for one, two in pairs),
        sum(one[1] * two[0] for one, two in pairs),
        sum(one[0] * two[1] for one, two in pairs),
        sum(one[0] * two[0] for one, two in pairs),
    )


def test_difference__of_means_is_that_of_pairs() -> None:
    """With one case a cluster it is the variance of the mean of the differences."""
    first = [(1, 10), (1, 12), (1, 17), (1, 21)]
    second = [(1, 13), (1, 14), (1, 21), (1, 23)]
    apart = [two[1] - one[1] for one, two in zip(first, second, strict=True)]
    centre = sum(apart) / 4
    expected = sum((each - centre) ** 2 for each in apart) / 3 / 4
    found = difference_variance(
        (base(first), base(second)), (sums(first), sums(second)), cross(first, second), 4
    )
    assert found == pytest.approx(expected)


def test_difference__of_a_game_with_itself_is_none() -> None:
    games = [(3, 10), (5, 12), (2, 17)]
    found = difference_variance(
        (base(games), base(games)), (sums(games), sums(games)), cross(games, games), 3
    )
    assert found == pytest.approx(0)


def test_chance__falls_with_the_difference() -> None:
    assert chance(0.0, 1.0, 100) == 1.0
    assert chance(1.0, 0.0, 100) == 0.0
    assert chance(1.984, 1.0, 100) == pytest.approx(0.05, abs=1e-3)
    assert chance(2.228, 1.0, 10) == pytest.approx(0.05, abs=2e-3)


def test_shown__holds_back_what_one_of_many_shows_by_chance() -> None:
    assert shown([0.04] + [0.5] * 19) == [False] * 20
    assert shown([0.001, 0.9, 0.02, 0.5]) == [True, False, True, False]
    assert shown([]) == []
