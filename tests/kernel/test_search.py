"""What kernels take for possible, held against trying everything."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice, product
from typing import Any

import pytest

import meldc
from meldc_runtime import machine
from meldc_runtime.kernel import Kernel, kernel_of
from meldc_runtime.kernel.bounds import Plans
from meldc_runtime.kernel.outcomes import SIZE
from meldc_runtime.kernel.position import Position, Step
from meldc_runtime.kernel.search import whatever
from meldc_runtime.randomness import Random

SMALL = 7
"""Cards in a hand with which everything can be tried."""

MOST_PLANS = 3_000


@pytest.fixture(scope="module")
def kernel() -> Kernel:
    return kernel_of(meldc.load("classic").table)


def positions(kernel: Kernel, seed: int) -> Iterator[Position]:
    """Positions of random deals in which a player with few cards may lay some, with minimums of all
    sizes.
    """
    below = Random.of(seed, "positions").below
    while True:
        seed += 1
        position = kernel.load(machine.start_game(kernel.table, seed))
        position.c = [(15 + 35 * below(4), *rest) for _, *rest in position.c]
        while not position.over:
            steps = kernel.legal(position)
            if position.phase == 1 and position.h[position.p][-1] <= SMALL:
                yield position
            steps[below(len(steps))](position)


def is_completable(kernel: Kernel, position: Position, player: int, seen: dict[Any, bool]) -> bool:
    """Whether a turn can be completed, by trying every play. Cards that have come to the hand
    unseen are in no play; that one of them can be discarded is seen by the quick test.
    """
    if position.over or position.ended or position.p != player:
        return True
    if position.h[player][-1] > sum(position.h[player][:-1]):
        return bool(kernel.search.sure[position.phase](position))
    side = position.m[player % len(position.m)]
    key = (*position.h[player], *side, *position.g, position.phase)
    if key not in seen:
        seen[key] = any(
            is_completable(kernel, after_of(position, step), player, seen)
            for step in kernel.lists[position.phase](position, whatever)
        )
    return seen[key]


def after_of(position: Position, step: Step) -> Position:
    after = position.ahead()
    step(after)
    return after


def test_lists__hold_the_plays_after_which_a_turn_can_be_completed(kernel: Kernel) -> None:
    search, asked = kernel.search, 0

    def look(position: Position, step: Step) -> bool:
        nonlocal asked
        asked += 1
        search.within = True  # as in look-ahead: questions about plays to come count as no
        found = is_completable(kernel, after_of(position, step), position.p, {})
        search.within = False
        return found

    for position in islice(positions(kernel, 3), 1_000):
        listed = kernel.lists[1](position, look)
        search.known.clear()
        assert kernel.legal(position) == listed
    assert asked > 250


def test_bounds__hold_for_every_plan(kernel: Kernel) -> None:
    """No choice of an outcome for each meld goes beyond what is taken to be laid at most, or at
    least; so no plan is cut off that could work.
    """
    bounds = kernel.search.bounds
    laying, packing = bounds.laying, bounds.packing
    reached = 0
    limits: list[tuple[int, int, int, int]] = []

    def test(_: Position, low: int, high: int, up: int, down: int) -> bool:
        limits.append((low, high, up, down))
        return True

    for position in islice(positions(kernel, 8), 600):
        now, options = laying.now(position), laying.of(position)
        Plans(bounds, position, now, options, test).may(0, now)
        low, high, up, down = limits.pop()
        for plan in islice(product(*(each.all for each in options)), MOST_PLANS):
            state = now + sum(outcome.change for outcome in plan)
            if state & packing.there != packing.there:
                continue  # more wild cards than there are
            reached += 1
            assert low <= state >> packing.size_at & SIZE <= high
            for shift in range(0, packing.size_at, 32):
                least, most = (bound >> shift & 0xFFFFFFFF for bound in (down, up))
                assert least <= state >> shift & 0xFFFFFFFF <= most
    assert reached > 1_000


def test_outcomes__that_are_kept_are_those_of_the_meld_as_it_lies(kernel: Kernel) -> None:
    """Melds that are taken to be alike (long ones, wild cards that find no room) bring the same."""
    laying = kernel.search.bounds.laying
    compared = 0
    for position in islice(positions(kernel, 21), 150):
        hand, side = position.h[position.p], position.m[position.p % 2]
        kept = {each.slot: each for each in laying.of(position)}
        for slot in kernel.layout.slots:
            held = tuple(hand[kind] for kind in slot.cards)
            here = laying._all(slot, side, held)
            found = kept[slot.number].all if slot.number in kept else here[-1:]
            assert {each.change for each in found} == {each.change for each in here}
            compared += len(here) > 1
    assert compared > 200
