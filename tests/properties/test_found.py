"""Smallest cases of what random deals have found."""

from __future__ import annotations

from typing import Any

import pytest
from properties.tables import Seat

CASES = [
    pytest.param(
        Seat("brazilian", 4, 2),
        {
            "turn": "P1",
            "phase": "draw",
            "stock": 20,
            "opened": {"A": True},
            "hands": {"P1": "8D 8S"},
            "pile": "8C",
            "melds": {"A": ["KH KD KS KC KH KD KS", "QH QD QS QC QH QD QS"]},
        },
        "draw",
        id="asking for leave asks whether it may be asked",
    ),
    pytest.param(
        Seat("bolivian", 4, 2),
        {
            "turn": "P3",
            "phase": "play",
            "scores": {"A": 7970, "B": -2970},
            "hands": {"P3": "2C 2D 3S 6D 6H 7H 7S 8D 8D 8H 9H 9S QS KC AD AH AH"},
            "melds": {"A": [], "B": ["KS KH KH"]},
            "pile": "QH 10C 8S",
            "stock": 60,
        },
        "meld AD AH AH",
        id="an opening of 150 by four melds: AAA 2 66 2 77 888",
    ),
    pytest.param(
        Seat("rummy-5000", 5, 1),
        {
            "turn": "P4",
            "phase": "draw",
            "stock": 20,
            "wild_rank": "K",
            "hands": {"P4": "3C 3S 5S 10C QC KD"},
            "pile": "3H 2C 6S 3C 9S 3H",
            "melds": {
                "P1": ["5C KS 7C", "QC QH QS", "JC JC JS JD"],
                "P2": ["10D 10H 10S 10D", "5C 5H KH"],
                "P5": ["8H 9H KC JH", "4C 4H KH"],
            },
        },
        "take 5 from pile",
        id="the deepest card goes into a run with a wild card",
    ),
]


@pytest.mark.parametrize(("seat", "given", "action"), CASES)
def test_action__is_legal(seat: Seat, given: dict[str, Any], action: str) -> None:
    position = seat.game.position({"players": seat.players, **given})
    assert action in [str(listed) for listed in position.legal_actions()]
