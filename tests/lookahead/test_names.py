"""Moments and rules that read what an action names: they have no value before the action is chosen,
and look-ahead takes them for unknown.
"""

from __future__ import annotations

import random
from itertools import islice
from pathlib import Path

import pytest
from lookahead.small_games import differences, positions, table

from meldc_runtime import legality, machine
from meldc_runtime.lookahead import outlook_of

GAMES = sorted(path.stem for path in (Path(__file__).parent / "names").glob("*.yaml"))


@pytest.mark.parametrize("game", GAMES)
def test_legal__is_what_exhaustive_search_finds(game: str) -> None:
    outlook = outlook_of(table(f"names/{game}"))
    found = [
        text
        for state in islice(positions(outlook.table, 1), 40)
        for text in differences(outlook, state)
    ]
    assert not found
    assert not outlook.counts.cut_offs


@pytest.mark.parametrize("game", GAMES)
def test_legal__never_leads_into_a_dead_end(game: str) -> None:
    of = table(f"names/{game}")
    chance = random.Random(4)
    for deal in range(6):
        state = machine.start_game(of, deal, deal % of.players)
        for _ in range(200):
            if state.over:
                break
            plays = legality.legal_plays(state)
            assert plays, f"deal {deal}: nothing to do"
            machine.apply(state, chance.choice(plays))


@pytest.mark.parametrize(("game", "alike"), [("noted_by_cards", False), ("draws_by_card", True)])
def test_commutes__only_if_what_is_remembered_of_melds_is_always_the_same(
    game: str, alike: bool
) -> None:
    assert outlook_of(table(f"names/{game}")).planner.commutes is alike
