"""Whether a turn can be completed: by quick tests, else by plans that the kernel's plays carry out,
else by trying every play.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import islice
from typing import Any

from meldc_runtime.kernel.bounds import Bounds, Plan, Test
from meldc_runtime.kernel.position import List, Position, Step

Holds = Callable[[Position], Any]

REMEMBERED = 20_000
"""Positions whose answer is kept before all are forgotten."""

PLANS = 50
"""Plans that are tried before every play is."""

NODES = 3_000
"""Positions looked at for one question before it is given up."""


class Search:
    """Answers for one kernel. lists: of plays, by phase; sure: tests that show that the turn can be
    ended; may_end: tests on bounds that fail where it cannot. lays: of plays that only lay cards,
    the slot and the kinds of card. cut_offs: questions given up, counted as no.
    """

    def __init__(
        self,
        lists: tuple[List, ...],
        sure: tuple[Holds, ...],
        may_end: tuple[Test, ...],
        bounds: Bounds,
        lays: dict[Step, tuple[int, tuple[int, ...]]],
    ) -> None:
        self.lists = lists
        self.sure = sure
        self.may_end = may_end
        self.bounds = bounds
        self.lays = lays
        self.known: dict[Any, bool] = {}
        self.asked = self.planned = self.searched = self.cut_offs = 0
        self.within = False
        self.budget = 0

    # ---- questions
    def allows(self, position: Position, step: Step) -> bool:
        """Whether the turn can be completed after a play."""
        after = position.ahead()
        step(after)
        self.asked += 1
        player = position.p
        if after.over or after.ended or after.p != player or self.sure[after.phase](after):
            return True
        key = _key(after, player)
        known = self.known.get(key)
        if known is None:
            known = self._found(after, self.may_end[after.phase], _completed)
            if len(self.known) > REMEMBERED:
                self.known.clear()
            self.known[key] = known
        return known

    def happens(self, position: Position, moment: int, may: Test) -> bool:
        """Whether own plays can bring a moment (its bit). Within a look-ahead no: a play for which
        this is asked leads no further than others do.
        """
        return not self.within and self._found(position, may, lambda s: s.happened & moment)

    def ends(self, position: Position) -> bool:
        """Whether own plays can bring an accepted end of the turn. Within a look-ahead no."""
        if self.within:
            return False
        return self._found(position, self.may_end[position.phase], lambda s: s.ended and not s.over)

    # ---- plans, then every play
    def _found(self, position: Position, may: Test, goal: Holds) -> bool:
        self.planned += 1
        self.within = True
        try:
            plans = 0
            for plan in islice(self.bounds.plans(position, may), PLANS):
                plans += 1
                if self._works(position, plan, goal):
                    return True
            if not plans:
                return False
            self.searched += 1
            self.budget = NODES
            return self._reached(position, may, goal, set())
        finally:
            self.within = False

    def _works(self, position: Position, plan: Plan, goal: Holds) -> bool:
        """Whether a plan can be carried out and followed by what is wanted."""
        at, player = position, position.p
        left = {
            slot: {
                kind: count
                for kind, count in zip(self.bounds.layout.slots[slot].cards, used, strict=True)
            }
            for slot, used in plan.items()
            if any(used)
        }
        while True:
            steps = self.lists[at.phase](at, whatever)
            step = next((s for s in steps if s in self.lays and self._belongs(s, left)), None)
            if step is None:
                break
            slot, kinds = self.lays[step]
            for kind in kinds:
                left[slot][kind] -= 1
            at = at.ahead()
            step(at)
            if goal(at):
                return True
            if at.over or at.ended or at.p != player:
                return False
        if any(count for counts in left.values() for count in counts.values()):
            return False
        if goal is _completed and self.sure[at.phase](at):
            return True
        for step in steps:
            if step not in self.lays:
                after = at.ahead()
                step(after)
                if goal(after):
                    return True
        return False

    def _belongs(self, step: Step, left: dict[int, dict[int, int]]) -> bool:
        slot, kinds = self.lays[step]
        counts = left.get(slot)
        return counts is not None and all(kinds.count(k) <= counts.get(k, 0) for k in kinds)

    def _reached(self, position: Position, may: Test, goal: Holds, seen: set[Any]) -> bool:
        player = position.p
        further = []
        for step in self.lists[position.phase](position, whatever):
            after = position.ahead()
            step(after)
            if goal(after):
                return True
            if after.p != player and goal is _completed:
                return True
            if not (after.over or after.ended or after.p != player):
                further.append(after)
        for after in further:
            key = _key(after, player)
            if key in seen:
                continue
            seen.add(key)
            self.budget -= 1
            if self.budget <= 0:
                self.cut_offs += self.budget == 0
                return False
            if self.bounds.may(after, may, ()) and self._reached(after, may, goal, seen):
                return True
        return False


def whatever(position: Position, step: Step) -> bool:
    """In the place of a look-ahead: none."""
    return True


def _completed(position: Position) -> bool:
    return position.over or position.ended


def _key(position: Position, player: int) -> Any:
    return (
        position.phase, *position.h[player], *position.m[player % len(position.m)],
        *position.g, *map(len, position.lists),
    )  # fmt: skip
