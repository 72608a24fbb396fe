"""How many deals of each game the default tests play; a command plays more (`long.py`)."""

from __future__ import annotations

USUAL = 3
"""Deals at each number of players."""

DEALS: dict[str, tuple[int, int | None]] = {
    # Deals, and the action after which they are cut (None: never).
    "american": (2, None),
    "american-league": (2, None),
    "hand-and-foot": (2, None),
    "italian": (2, None),
    "rummy-5000": (2, None),
}


def deals(variant: str) -> int:
    return DEALS.get(variant, (USUAL, None))[0]


def cut(variant: str) -> int | None:
    return DEALS.get(variant, (USUAL, None))[1]
