"""Moments and rules that read what an action names: they have no value before the action is chosen,
and look-ahead takes them for unknown.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from lookahead.small_games import dead_ends, table, wrongly_judged

from meldc_runtime.lookahead import outlook_of

GAMES = sorted(path.stem for path in (Path(__file__).parent / "names").glob("*.yaml"))


@pytest.mark.parametrize("game", GAMES)
def test_legal__is_what_exhaustive_search_finds(game: str) -> None:
    assert wrongly_judged(f"names/{game}") == []


@pytest.mark.parametrize("game", GAMES)
def test_legal__never_leads_into_a_dead_end(game: str) -> None:
    assert dead_ends(f"names/{game}") == []


@pytest.mark.parametrize(("game", "alike"), [("noted_by_cards", False), ("draws_by_card", True)])
def test_commutes__only_if_what_is_remembered_of_melds_is_always_the_same(
    game: str, alike: bool
) -> None:
    assert outlook_of(table(f"names/{game}")).planner.commutes is alike
