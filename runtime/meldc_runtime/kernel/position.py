"""A position as a kernel keeps it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

Step = Callable[["Position"], None]
"""A play, as the function that makes it."""

Look = Callable[["Position", Step], bool]
List = Callable[["Position", Look], list[Step]]


class Position:
    """p: who acts. turn: whose turn it is. phase. back: phase and player to go back to.

    h, w: vectors by player, of the hand and of what else is the player's; m, r, c: by side, of what
    it has, of the order in which its melds were begun, of what stays the same in the deal; g: of
    the table. lists: by zone. serial: of the latest meld. blind, ended, over: as of a `State`.
    happened: in a look-ahead, the moments asked for that have happened, as bits. without: the
    number of the rule that a look-ahead leaves aside.
    """

    __slots__ = (
        "back", "blind", "c", "ended", "g", "h", "happened", "lists", "m", "over", "p", "phase",
        "r", "serial", "turn", "w", "without",
    )  # fmt: skip

    def __init__(self) -> None:
        self.p = self.turn = self.phase = self.serial = self.happened = self.without = 0
        self.back: tuple[int, int] | None = None
        self.h: list[list[int]] = []
        self.w: list[list[Any]] = []
        self.m: list[list[Any]] = []
        self.r: list[list[int]] = []
        self.c: list[tuple[Any, ...]] = []
        self.g: list[Any] = []
        self.lists: list[list[int]] = []
        self.blind = self.ended = self.over = False

    def ahead(self) -> Position:
        """A copy for look-ahead; what is of other players and sides and does not change in it is
        shared.
        """
        other = Position.__new__(Position)
        other.p = p = self.p
        other.turn = self.turn
        other.phase = self.phase
        other.back = self.back
        other.serial = self.serial
        other.happened = 0
        other.without = self.without
        other.h = self.h[:]
        other.h[p] = self.h[p][:]
        other.w = self.w[:]
        other.w[p] = self.w[p][:]
        q = p % len(self.m)
        other.m = self.m[:]
        other.m[q] = self.m[q][:]
        other.r = self.r[:]
        other.r[q] = self.r[q][:]
        other.c = self.c
        other.g = self.g[:]
        other.lists = [*map(list.copy, self.lists)]
        other.blind = True
        other.ended = self.ended
        other.over = self.over
        return other
