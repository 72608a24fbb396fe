"""What players and sides are called: `P1 …` clockwise, `A …` in the order of the sides' first
players.
"""

from __future__ import annotations

import re
from string import ascii_uppercase

MOST_PLAYERS = len(ascii_uppercase)
"""Where everyone plays alone each is a side, and a side is called by one letter."""

_PLAYER = re.compile(r"[Pp]([1-9][0-9]?)")


def player_name(player: int) -> str:
    return f"P{player + 1}"


def side_name(side: int) -> str:
    return ascii_uppercase[side]


def parse_player(text: str, players: int) -> int | None:
    """The player of this name among so many, or None."""
    match = _PLAYER.fullmatch(text.strip())
    number = int(match[1]) - 1 if match else players
    return number if number < players else None


def parse_seat(text: str, sides: int, players: int) -> int | None:
    """The player of this name; where everyone plays alone a side's letter is read too."""
    return parse_side(text, sides, players) if sides == players else parse_player(text, players)


def parse_side(text: str, sides: int, players: int) -> int | None:
    """The side of this name; where everyone plays alone a player's name is read too."""
    word = text.strip().upper()
    if len(word) == 1 and word in ascii_uppercase[:sides]:
        return ascii_uppercase.index(word)
    return parse_player(word, players) if sides == players else None
