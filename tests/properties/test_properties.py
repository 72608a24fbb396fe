"""Every game at every number of players keeps what must hold in all games."""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest
from properties import digests
from properties.amounts import cut, deals
from properties.kit import play, play_checked, replay
from properties.tables import Seat, all_seats

SEATS = [pytest.param(seat, id=str(seat)) for seat in all_seats()]


@pytest.fixture(scope="session")
def other_process() -> Iterator[dict[str, str]]:
    """Digests of deals as another process plays them."""
    process = digests.start()
    try:
        told, _ = process.communicate(timeout=300)
        assert process.returncode == 0
        yield json.loads(told)
    finally:
        process.kill()
        process.wait()


@pytest.mark.parametrize("seat", SEATS)
def test_deals__end_without_dead_ends_leaks_or_lost_cards(seat: Seat) -> None:
    for seed in range(deals(seat.variant)):
        played = play_checked(seat.game, seed, cut(seat.variant))
        assert played.finished or cut(seat.variant)


@pytest.mark.parametrize("seat", SEATS)
def test_recorded_texts__lead_to_the_same_state(seat: Seat) -> None:
    replay(seat.game, play(seat.game, 5, cut(seat.variant)))


@pytest.mark.parametrize("seat", SEATS)
def test_same_seed__gives_the_same_deal(seat: Seat, other_process: dict[str, str]) -> None:
    actions = min(digests.ACTIONS, cut(seat.variant) or digests.ACTIONS)
    once = play(seat.game, digests.SEED, actions)
    again = play(seat.fresh_game(), digests.SEED, actions)
    assert once == again
    assert once.digest == other_process[str(seat)]


def test_every_seating__is_played() -> None:
    seats = {str(seat) for seat in all_seats()}
    assert {"hand-and-foot-6x2", "hand-and-foot-6x1", "rummy-5000-8x1", "classic-six-6x3"} <= seats
