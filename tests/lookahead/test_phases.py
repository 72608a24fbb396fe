"""Look-ahead across phases: what a later phase asks is owed by the action that leads there."""

from __future__ import annotations

from pathlib import Path

import pytest
from lookahead.small_games import dead_ends, table, wrongly_judged

from meldc_runtime import actions, legality, machine
from meldc_runtime.cards import parse_card

PHASES = Path(__file__).parent / "phases"
GAMES = sorted(path.stem for path in PHASES.glob("*.yaml"))


@pytest.mark.parametrize("game", GAMES)
def test_legal__is_what_exhaustive_search_finds(game: str) -> None:
    assert wrongly_judged(f"phases/{game}") == []


@pytest.mark.parametrize("game", GAMES)
def test_legal__never_leads_into_a_dead_end(game: str) -> None:
    assert dead_ends(f"phases/{game}") == []


KNOCKS = ["knock_at_the_end", "knock_then_lay", "knock_then_turn", "next_phase_by_the_action"]


@pytest.mark.parametrize("game", KNOCKS)
@pytest.mark.parametrize(
    ("hand", "knocks"),
    [
        ("7C 7D 7H 6C 5D 3S", ["knock 6C"]),
        ("7C 7D 7H 3C 2D 2S", ["knock 2D", "knock 2S", "knock 3C"]),
        ("7C 6D 5H 4C 3D 2S", []),
    ],
)
def test_knock__is_legal_where_the_melds_after_it_leave_little_enough(
    game: str, hand: str, knocks: list[str]
) -> None:
    of = table(f"phases/{game}")
    state = machine.start_game(of, 1)
    state.phase = of.phases["play"]
    faces = [face for face in map(parse_card, hand.split()) if face is not None]
    state.zones[of.zone_slot("hand", state.player)][:] = faces
    listed = [actions.text(state, play) for play in legality.legal_plays(state)]
    assert [text for text in listed if text.startswith("knock")] == knocks
