"""Whether a turn can be completed: by quick tests, else by plans that the kernel's plays carry out,
else by trying every play.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from operator import add
from typing import Any

from meldc_runtime.kernel.bounds import Bounds, Counts, Outcomes, Plan, Test
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
    the slot and the kinds of card. has_plans: by phase, whether plans can be made. cut_offs:
    questions given up, counted as no.
    """

    def __init__(
        self,
        lists: tuple[List, ...],
        sure: tuple[Holds, ...],
        may_end: tuple[Test, ...],
        bounds: Bounds,
        lays: dict[Step, tuple[int, tuple[int, ...]]],
        plans: tuple[bool, ...],
    ) -> None:
        self.lists = lists
        self.sure = sure
        self.may_end = may_end
        self.bounds = bounds
        self.lays = lays
        self.has_plans = plans
        self.known: dict[Any, bool] = {}
        self.asked = self.planned = self.searched = self.cut_offs = 0
        self.within = False
        self.budget = 0
        self.step_of = {laid: step for step, laid in lays.items()}
        self.begins = {laid for laid in lays.values() if len(laid[1]) > 1}
        self.starts_of: dict[int, list[tuple[int, ...]]] = {}
        for slot, kinds in sorted(self.begins, key=lambda laid: laid[1], reverse=True):
            self.starts_of.setdefault(slot, []).append(kinds)
        self.growth_of = bounds.start_growth()
        self.growth = tuple(min(column) for column in zip(*self.growth_of, strict=True))
        self.bases = [slot.base for slot in bounds.layout.slots]
        self.steps_of: dict[tuple[int, Counts, bool], list[Step]] = {}
        self.seen: tuple[Any, ...] = ()
        self.plans: dict[bool, Plan | None] = {}
        self.none_begins = False
        self.options: list[Outcomes] = []
        self.low = 0
        self.up: list[int] = []
        self.down: list[int] = []

    # ---- questions
    def _look_at(self, position: Position) -> None:
        """Works out the bounds of a position whose plays are asked about."""
        player, phase, hand, side, table = _seen(position)
        self.seen = (player, phase, hand[:], side[:], table[:])
        self.plans.clear()
        self.options = self.bounds.outcomes(position)
        self.low, self.up, self.down = self.bounds.of(position, self.options)

    def _plan_for_all(self, position: Position, begins: bool) -> Plan | None:
        """One plan of a position, sought once: what it lays may be laid. begins: a plan that begins
        a meld; without any such plan no meld may be begun.
        """
        if begins not in self.plans:
            may = self.may_end[position.phase]
            growth = self.growth if begins else ()
            works = partial(self._works, position, goal=_completed)
            plan, tried = self.bounds.sought(position, may, self.options, works, 3, growth)
            self.plans[begins] = plan
            if begins:
                self.none_begins = not tried
        return self.plans[begins]

    def _laid(self, position: Position, laid: tuple[int, Counts]) -> bool | None:
        """What bounds and a plan for all plays of the position say about laying cards."""
        hand, side = position.h[position.p], position.m[position.p % len(position.m)]
        slot, kinds = laid
        begins = laid in self.begins
        down = [*map(add, self.down, self.growth_of[slot])] if begins else self.down
        may = self.may_end[position.phase]
        if not may(position, self.low, hand[-1] - len(kinds), self.up, down):
            return False
        plan = self._plan_for_all(position, begins)
        if begins and self.none_begins:
            return False
        if plan is not None and slot in plan:
            meld = self.bounds.layout.slots[slot]
            used = plan[slot]
            if all(kinds.count(k) <= n for k, n in zip(meld.cards, used, strict=True)) and (
                begins or side[meld.base]
            ):
                return True
        return None

    def allows(self, position: Position, step: Step) -> bool:
        """Whether the turn can be completed after a play."""
        player = position.p
        laid = self.lays.get(step) if self.has_plans[position.phase] else None
        looked_at = laid is not None and self.seen == _seen(position)
        known = self._laid(position, laid) if looked_at and laid is not None else None
        if known is not None:
            return known
        after = position.ahead()
        step(after)
        self.asked += 1
        if after.over or after.ended or after.p != player or self.sure[after.phase](after):
            return True
        if laid is not None and not looked_at:
            self._look_at(position)
            known = self._laid(position, laid)
            if known is not None:
                return known
        key = _key(after, player)
        known = self.known.get(key)
        if known is None and not self.has_plans[after.phase]:
            return self._completable(after, player)
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

    def _completable(self, position: Position, player: int) -> bool:
        """Whether the turn can be completed, by trying every play."""
        if position.over or position.ended or position.p != player:
            return True
        if self.sure[position.phase](position):
            return True
        key = _key(position, player)
        known = self.known.get(key)
        if known is None:
            known = False
            for step in self.lists[position.phase](position, whatever):
                after = position.ahead()
                step(after)
                if self._completable(after, player):
                    known = True
                    break
            if len(self.known) > REMEMBERED:
                self.known.clear()
            self.known[key] = known
        return known

    # ---- plans, then every play
    def _found(self, position: Position, may: Test, goal: Holds) -> bool:
        plannable = self.has_plans[position.phase]
        if plannable and not self.bounds.may_by_sizes(position, may):
            return False
        self.planned += 1
        within, self.within = self.within, True
        try:
            if plannable:
                options = self.options
                if self.seen != _seen(position):
                    options = self.bounds.outcomes(position)
                works = partial(self._works, position, goal=goal)
                plan, tried = self.bounds.sought(position, may, options, works, PLANS, short=True)
                if plan is not None:
                    return True
                if not tried:
                    return False
            self.searched += 1
            self.budget = NODES
            return self._reached(position, may, goal, set())
        finally:
            self.within = within

    def _works(self, position: Position, plan: Plan, goal: Holds) -> bool:
        """Whether a plan can be carried out and followed by what is wanted."""
        player = position.p
        side = position.m[player % len(position.m)]
        at = position.ahead()
        bases, known = self.bases, self.steps_of
        for slot, used in plan.items():
            begun = bool(side[bases[slot]])
            steps = known.get((slot, used, begun))
            if steps is None:
                steps = known[slot, used, begun] = self._steps(slot, used, begun)
            for step in steps:
                step(at)
                if goal(at):
                    return True
                if at.over or at.ended or at.p != player:
                    return False
        if goal is _completed and self.sure[at.phase](at):
            return True
        for step in self.lists[at.phase](at, whatever):
            if step not in self.lays:
                after = at.ahead()
                step(after)
                if goal(after):
                    return True
        return False

    def _steps(self, slot: int, used: Counts, begun: bool) -> list[Step]:
        """Plays that lay so many cards of each kind in a slot: a start, where there is no meld yet,
        and single cards.
        """
        if not any(used):
            return []
        meld = self.bounds.layout.slots[slot]
        left = dict(zip(meld.cards, used, strict=True))
        steps = []
        if not begun:
            for kinds in self.starts_of.get(slot, ()):
                if all(kinds.count(kind) <= left.get(kind, 0) for kind in kinds):
                    steps.append(self.step_of[slot, kinds])
                    for kind in kinds:
                        left[kind] -= 1
                    break
            else:
                return []
        if any(count and (slot, (kind,)) not in self.step_of for kind, count in left.items()):
            return []  # no plays lay that, in this order
        for kind, count in left.items():
            steps += [self.step_of[slot, (kind,)]] * count if count else []
        return steps

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
            if (not self.has_plans[after.phase] or self.bounds.may(after, may)) and self._reached(
                after, may, goal, seen
            ):
                return True
        return False


def whatever(position: Position, step: Step) -> bool:
    """In the place of a look-ahead: none."""
    return True


def _completed(position: Position) -> bool:
    return position.over or position.ended


def _seen(position: Position) -> tuple[int, int, list[int], list[Any], list[Any]]:
    """What tells a position from others in which plays may be asked about."""
    player = position.p
    side = position.m[player % len(position.m)]
    return player, position.phase, position.h[player], side, position.g


def _key(position: Position, player: int) -> Any:
    return (
        position.phase, *position.h[player], *position.m[player % len(position.m)],
        *position.g, *map(len, position.lists),
    )  # fmt: skip
