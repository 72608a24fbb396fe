"""Cards named several at once: by their ends, or with one suit for all."""

from __future__ import annotations

from functools import cache

import pytest

import meldc
from meldc.cli.play.asking import Asking
from meldc.cli.play.ranges import in_full
from meldc.cli.play.screen import Screen
from meldc.cli.play.session import HUMAN, Session
from meldc.cli.play.terminal import Terminal
from meldc_runtime import legality
from meldc_runtime.game import Game

HAND = "4D 5D 6D 7D 4H 9C QS KC"


@cache
def samba() -> Game:
    return meldc.load("samba")


class Kept(Terminal):
    """Keeps what is said."""

    said: list[str] = []  # noqa: RUF012 - set anew for each

    def say(self, *lines: str) -> None:
        self.said.extend(lines)


def understood(typed: str) -> tuple[str | None, str]:
    """The action that is understood, and what is said where there is none."""
    given = {"turn": "P1", "phase": "play", "hands": {"P1": HAND}, "melds": {"A": ["8S 8H 8D"]}}
    position = samba().position(given)
    terminal = Kept(False)
    terminal.said = []
    seats = dict.fromkeys(position.game.players, HUMAN)
    session = Session(position, seats, 1, Screen(position.game), terminal, None)
    asking = Asking(session, "P1", legality.legal_plays(position.state))
    action = asking._understand(typed)
    return None if action is None else str(action), "\n".join(terminal.said)


@pytest.mark.parametrize(
    "typed",
    ["meld 4-6d", "meld 4d-6d", "meld 4d-6", "meld 4♦-6♦", "meld 4..6 of diamonds",
     "meld 4 5 6 of diamonds", "meld 4, 5 and 6 diamonds", "meld four five six of diamonds",
     "meld 4 5 6d", "meld 4-6", "mel 4-6d"],
)  # fmt: skip
def test_several_cards__may_be_named_at_once(typed: str) -> None:
    assert understood(typed) == ("meld 4D 5D 6D", "")


def test_one_card__is_said_as_people_say_it() -> None:
    assert understood("discard the nine of clubs") == ("discard 9C", "")


@pytest.mark.parametrize("typed", ["meld 6-9d", "meld 4-6c"])
def test_cards_between__that_are_not_held_are_refused(typed: str) -> None:
    action, said = understood(typed)
    assert action is None
    assert said.startswith("Not possible:")


@pytest.mark.parametrize(
    ("typed", "full"),
    [
        ("meld q-ah", "meld QH KH AH"),
        ("meld a-3 of spades", "meld AS 2S 3S"),
        ("meld 4D-6H", "meld 4D-6H"),
        ("meld 6-4d", "meld 6-4d"),
        ("meld 9 9 of hearts", "meld 9 9 of hearts"),
        ("meld 2 jokers", "meld 2 jokers"),
        ("add 5 6 to run 7d", "add 5 6 to run 7d"),
    ],
)
def test_text__is_spread_only_where_it_means_one_thing(typed: str, full: str) -> None:
    assert in_full(typed) == full
