"""Settings that the rules leave to the table: off in the games as they are shipped."""

from __future__ import annotations

import pytest
from rules.dealing import game

KINGS = "KH KD KS KC KH KD KS"
"""A canasta of 70 points; the side needs 120 to open."""


@pytest.mark.parametrize(
    ("setting", "hand", "legal"),
    [
        ("no", KINGS, False),
        ("no", f"{KINGS} 5H", False),
        ("yes", KINGS, True),
        ("yes", f"{KINGS} 5H", True),
        ("yes", f"{KINGS} 5H 6H", False),
    ],
)
def test_concealed_hand__needs_no_minimum_where_the_setting_says_so(
    setting: str, hand: str, legal: bool
) -> None:
    """CC-36: after a draw from the stock; one card may be discarded."""
    position = game("classic", f"concealed_opens={setting}").position(
        {
            "turn": "P1",
            "phase": "play",
            "scores": {"A": 3000},
            "hands": {"P1": hand},
            "melds": {"A": [], "B": []},
            "pile": "4C",
        }
    )
    assert position.is_legal(f"meld {KINGS}") == legal


@pytest.mark.parametrize(
    ("setting", "hand", "passes"),
    [
        ("always", "9H 9C 5S 6S", False),
        ("fits_meld", "9H 9C 5S 6S", True),
        ("never", "9H 9C 5S 6S", True),
    ],
)
def test_pile__must_be_taken_or_may_be_left(setting: str, hand: str, passes: bool) -> None:
    """CC-37: with no stock left; where cards of the hand would be needed."""
    assert _may_pass(setting, hand, ["KH KD KS"]) == passes


@pytest.mark.parametrize(("setting", "passes"), [("fits_meld", False), ("never", True)])
def test_pile_that_fits_a_meld__must_be_taken_or_may_be_left(setting: str, passes: bool) -> None:
    """CC-37: the published law."""
    assert _may_pass(setting, "5S 6S 7S", ["9H 9C 9S"]) == passes


def _may_pass(setting: str, hand: str, melds: list[str]) -> bool:
    position = game("classic", f"forced_take={setting}").position(
        {
            "turn": "P1",
            "phase": "draw",
            "stock": 0,
            "pile": "4C 9D",
            "hands": {"P1": hand},
            "melds": {"A": melds, "B": []},
        }
    )
    return position.is_legal("pass")


def test_margin__is_the_difference_of_the_totals() -> None:
    """CC-43: both reach 5000, the higher total wins."""
    position = game("classic").position(
        {
            "scores": {"A": 4990, "B": 5000},
            "out": "P1",
            "hands": {"P1": "", "P2": "", "P3": "", "P4": ""},
            "melds": {"A": ["KH KD KS KC KH KD KS"], "B": ["QH QD QS"]},
        },
        finished=True,
    )
    position.score()
    assert position.game_over
    assert position.winners == ("A",)
    assert position.totals["A"] - position.totals["B"] == (4990 + 70 + 500 + 100) - (5000 + 30)
