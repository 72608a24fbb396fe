"""A position as a kernel keeps it, and the search for an end of the turn from it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

Step = Callable[["Position"], None]
"""A play, as the function that makes it."""

Look = Callable[["Position", Step], bool]
List = Callable[["Position", Look], list[Step]]

REMEMBERED = 200_000
"""Dead positions kept before all are forgotten."""


class Position:
    """p: who acts. phase. h, m: vectors by player and by side; g: of the table. lists: by zone.

    blind, ended, over: as of a `State`.
    """

    __slots__ = ("blind", "ended", "g", "h", "lists", "m", "over", "p", "phase")

    def __init__(self) -> None:
        self.p = 0
        self.phase = 0
        self.h: list[list[int]] = []
        self.m: list[list[Any]] = []
        self.g: list[Any] = []
        self.lists: list[list[int]] = []
        self.blind = self.ended = self.over = False

    def ahead(self) -> Position:
        """A copy for look-ahead; hands of others, which do not change in it, are shared."""
        other = Position.__new__(Position)
        other.p = p = self.p
        other.phase = self.phase
        other.h = self.h[:]
        other.h[p] = self.h[p][:]
        other.m = [side[:] for side in self.m]
        other.g = self.g[:]
        other.lists = [cards[:] for cards in self.lists]
        other.blind = True
        other.ended = self.ended
        other.over = self.over
        return other


class Search:
    """Whether a turn can be completed: by a quick test of the phase, else by trying plays."""

    def __init__(
        self, lists: tuple[List, ...], sure: tuple[Callable[[Position], Any], ...]
    ) -> None:
        self.lists = lists
        self.sure = sure
        self.dead: set[Any] = set()
        self.asked = 0

    def allows(self, position: Position, step: Step) -> bool:
        """Whether the turn can be completed after a play."""
        after = position.ahead()
        step(after)
        self.asked += 1
        return self.completable(after, position.p)

    def completable(self, position: Position, player: int) -> bool:
        if position.over or position.ended or position.p != player:
            return True
        if self.sure[position.phase](position):
            return True
        key = (
            position.phase, tuple(position.h[player]), tuple(position.m[player % len(position.m)]),
            tuple(position.g), tuple(map(len, position.lists)),
        )  # fmt: skip
        if key in self.dead:
            return False
        for step in self.lists[position.phase](position, whatever):
            after = position.ahead()
            step(after)
            if self.completable(after, player):
                return True
        if len(self.dead) > REMEMBERED:
            self.dead.clear()
        self.dead.add(key)
        return False


def whatever(position: Position, step: Step) -> bool:
    """In the place of a look-ahead: none."""
    return True
