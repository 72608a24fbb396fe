"""A position as a kernel keeps it, and the search for an end of the turn from it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

Step = Callable[["Position"], None]
"""A play, as the function that makes it."""

Look = Callable[["Position", Step], bool]
List = Callable[["Position", Look], list[Step]]
Test = Callable[["Position"], Any]

REMEMBERED = 50_000
"""Positions whose answer is kept before all are forgotten."""


class Position:
    """p: who acts. turn: whose turn it is. phase. back: phase and player to go back to.

    h, w: vectors by player, of the hand and of what else is the player's; m, r, c: by side, of what
    it has, of the order in which its melds were begun, of what stays the same in the deal; g: of
    the table. lists: by zone. serial: of the latest meld. blind, ended, over: as of a `State`.
    happened: in a look-ahead, the moments asked for that have happened, as bits.
    """

    __slots__ = (
        "back", "blind", "c", "ended", "g", "h", "happened", "lists", "m", "over", "p", "phase",
        "r", "serial", "turn", "w",
    )  # fmt: skip

    def __init__(self) -> None:
        self.p = self.turn = self.phase = self.serial = self.happened = 0
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
        other.lists = [cards[:] for cards in self.lists]
        other.blind = True
        other.ended = self.ended
        other.over = self.over
        return other


class Search:
    """Whether a turn can be completed, or a moment reached: by quick tests of the phase, else by
    trying plays. sure: tests that show that the turn can be ended; hopeless: that it cannot.
    """

    def __init__(
        self, lists: tuple[List, ...], sure: tuple[Test, ...], hopeless: tuple[Test, ...]
    ) -> None:
        self.lists = lists
        self.sure = sure
        self.hopeless = hopeless
        self.known: dict[Any, bool] = {}
        self.asked = self.searched = self.within = 0

    def allows(self, position: Position, step: Step) -> bool:
        """Whether the turn can be completed after a play."""
        after = position.ahead()
        step(after)
        self.asked += 1
        return self.completable(after, position.p)

    def completable(self, position: Position, player: int) -> bool:
        if position.over or position.ended or position.p != player:
            return True
        phase = position.phase
        if self.sure[phase](position):
            return True
        if self.hopeless[phase](position):
            return False
        key = (
            phase, tuple(position.h[player]), tuple(position.m[player % len(position.m)]),
            tuple(position.g), tuple(map(len, position.lists)),
        )  # fmt: skip
        known = self.known.get(key)
        if known is not None:
            return known
        self.searched += 1
        self.within += 1
        found = False
        for step in self.lists[phase](position, whatever):
            after = position.ahead()
            step(after)
            if self.completable(after, player):
                found = True
                break
        self.within -= 1
        if len(self.known) > REMEMBERED:
            self.known.clear()
        self.known[key] = found
        return found

    def reaches(self, position: Position, goal: Test, hopeless: Test | None = None) -> bool:
        """Whether own plays of the acting player lead to a step after which something holds;
        hopeless: shows that nothing leads there. Within a look-ahead no: a play for which this is
        asked leads no further than others do.
        """
        if self.within or (hopeless is not None and hopeless(position)):
            return False
        self.within += 1
        found = self._reaches(position, goal, hopeless, set())
        self.within -= 1
        return found

    def _reaches(
        self, position: Position, goal: Test, hopeless: Test | None, seen: set[Any]
    ) -> bool:
        player = position.p
        further = []
        for step in self.lists[position.phase](position, whatever):
            after = position.ahead()
            step(after)
            if goal(after):
                return True
            if not (after.over or after.ended or after.p != player):
                further.append(after)
        for after in further:
            key = (
                after.phase, tuple(after.h[player]), tuple(after.m[player % len(after.m)]),
                tuple(after.g), tuple(map(len, after.lists)),
            )  # fmt: skip
            if key not in seen:
                seen.add(key)
                if hopeless is not None and hopeless(after):
                    continue
                if self._reaches(after, goal, hopeless, seen):
                    return True
        return False


def whatever(position: Position, step: Step) -> bool:
    """In the place of a look-ahead: none."""
    return True
