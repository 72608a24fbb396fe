"""What is kept of positions and lists of numbers: never the answer of another position."""

from __future__ import annotations

from lookahead.small_games import table

from meldc_runtime import machine
from meldc_runtime.lookahead.lanes import MOST, Lanes, packed
from meldc_runtime.lookahead.looks import LOOKS, Looks


def test_packed__adds_and_takes_times_in_every_lane() -> None:
    first, second = packed([1, 0, 700]), packed([5, MOST, 3])
    assert Lanes(3).unpacked(2 * first + second) == (7, MOST, 1403)


def test_packed__has_nothing_and_less_than_nothing_for_0_and_bounds_what_is_large() -> None:
    assert Lanes(4).unpacked(packed([None, -5, 10**30, 2])) == (0, 0, MOST, 2)


def test_looks__know_a_position_by_what_it_holds() -> None:
    state, looks = machine.start_game(table("little_classic"), 1), Looks()
    look = looks.of(state)
    assert looks.of(state.copy()) is look
    hand = state.zones[state.table.zone_slot("hand", state.player)]
    hand.append(hand.pop(0))
    assert looks.of(state) is not look
    assert look.state.zones != state.zones, "what is changed later leaves the kept one as it was"
    state.phase += 1
    assert looks.of(state) is not looks.of(look.state)


def test_looks__keep_the_last_positions_only() -> None:
    state, looks = machine.start_game(table("little_classic"), 1), Looks()
    for number in range(2 * LOOKS):
        state.turn = number
        looks.of(state)
    assert len(looks.kept) == LOOKS
