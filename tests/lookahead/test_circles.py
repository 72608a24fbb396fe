"""Look-ahead that comes back to itself, and plays that can be made for ever: every answer comes."""

from __future__ import annotations

import random
from itertools import islice

import pytest
from lookahead.small_games import differences, positions, table

from meldc_runtime import legality, machine
from meldc_runtime.lookahead import outlook_of
from meldc_runtime.lookahead.circles import WITHIN, Circles, Counts


@pytest.mark.parametrize("game", ["endings_ask_each_other", "to_and_fro"])
def test_legal__is_what_exhaustive_search_finds(game: str) -> None:
    outlook = outlook_of(table(f"circles/{game}"))
    found = [
        text
        for state in islice(positions(outlook.table, 1), 30)
        for text in differences(outlook, state)
    ]
    assert not found
    assert not outlook.counts.cut_offs


def test_question_about_itself__is_cut_off_and_counted() -> None:
    of = table("circles/the_end_asks_itself")
    counts, chance = outlook_of(of).counts, random.Random(1)
    state = machine.start_game(of, 1)
    for _ in range(6):
        plays = legality.legal_plays(state)
        assert plays
        machine.apply(state, chance.choice(plays))
    assert counts.cut_offs


def test_asked__within_itself_is_no() -> None:
    of = table("circles/to_and_fro")
    state = machine.start_game(of, 1)
    circles = Circles(outlook_of(of).candidates, Counts())

    def itself(name: str) -> bool:
        return circles.asked(name, state, lambda: not itself(name))

    assert circles.asked("first", state, lambda: itself("within"))
    assert not circles.counts.cut_offs


def test_asked__goes_so_deep_and_no_deeper() -> None:
    of = table("circles/to_and_fro")
    state = machine.start_game(of, 1)
    circles = Circles(outlook_of(of).candidates, Counts())

    def deeper(number: int) -> bool:
        return circles.asked(number, state, lambda: deeper(number + 1))

    def often() -> bool:
        return all(circles.asked(number, state, lambda: True) for number in range(WITHIN))

    assert not deeper(0)
    assert circles.counts.cut_offs == 1
    assert circles.asked("many", state, often)
    assert not circles.asked("too many", state, lambda: often() and often())
    assert circles.asked("again", state, lambda: True)
