"""Whether a turn can be completed: by quick tests, else by plans that the kernel's plays carry out,
else by trying every play.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from operator import sub
from typing import Any

from meldc_runtime.kernel.bounds import Bounds, Plan, Plans, Test
from meldc_runtime.kernel.layout import OWN
from meldc_runtime.kernel.outcomes import Counts, Outcomes
from meldc_runtime.kernel.position import List, Position, Step

Holds = Callable[[Position], Any]

Seen = tuple[int, int, list[int], list[Any], list[Any], tuple[Any, ...], list[Any], int]
"""A position as it is told from others: who acts, the phase, hand, side, table, constants, what the
player remembers, the rule left aside.
"""

REMEMBERED = 20_000
"""Positions whose answer is kept before all are forgotten."""

PLANS = 50
"""Plans that are tried before every play is."""

FEW_PLANS = 3
"""Plans that lay as much as can be laid that are tried for a play."""

NODES = 3_000
"""Positions looked at for one question before it is given up."""


class Search:
    """Answers for one kernel. lists: of plays, by phase; sure: tests that show that the turn can be
    ended, ending: that it can be ended and the deal goes on; may_end: tests on bounds that fail
    where it cannot be ended. lays: of plays that only lay cards, the slot and the kinds of card.
    has_plans: by phase, whether plans can be made. cut_offs: questions given up, counted as no.
    """

    def __init__(
        self,
        lists: tuple[List, ...],
        sure: tuple[Holds, ...],
        ending: tuple[Holds, ...],
        may_end: tuple[Test, ...],
        bounds: Bounds,
        lays: dict[Step, tuple[int, tuple[int, ...]]],
        plans: tuple[bool, ...],
    ) -> None:
        self.lists = lists
        self.sure = sure
        self.ending = ending
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
        self.growth_of = bounds.laying.start_growth()
        self.slots = bounds.layout.slots
        self.bases = [slot.base for slot in self.slots]
        wild = bounds.laying.wild
        self.several = [len(set(slot.naturals).difference(wild)) > 1 for slot in self.slots]
        self.full = {
            slot.number: (slot.after, bounds.kinds[slot.kind].size[1])
            for slot in self.slots
            if slot.after is not None
        }
        self.used_of = {
            laid: tuple(laid[1].count(kind) for kind in self.slots[laid[0]].cards)
            for laid in lays.values()
        }
        self.steps_of: dict[tuple[int, Counts, bool], list[Step]] = {}
        layout = bounds.layout
        self.own_from = min(
            (p.index for p in layout.memory.values() if p.vector == OWN), default=layout.own_width
        )
        self.seen: tuple[Any, ...] = ()
        self.plans: list[tuple[Plan, int]] = []
        self.happened = 0
        self.options: list[Outcomes] = []
        self.of_slot: dict[int, Outcomes] = {}
        self.now = self.low = self.up = self.down = 0

    # ---- the position whose plays are asked about
    def _look_at(self, position: Position) -> None:
        """Works out what can be laid in a position whose plays are asked about."""
        player, phase, hand, side, table, constants, own, rule = self._seen(position)
        self.seen = (player, phase, hand[:], side[:], table[:], constants, own, rule)
        self.plans.clear()
        self.options = options = self.bounds.laying.of(position)
        self.now = now = self.bounds.laying.now(position)
        self.of_slot = {each.slot: each for each in options}
        wilds, worth = self.bounds.wild_cards(now)
        fewer, less = self.bounds.without(options, wilds, 1)
        naturals = beside = 0
        up, down = now + worth - less, now
        for each in options:
            naturals += each.naturals
            beside += each.beside
            up += each.up
            down += each.down
        self.up, self.down = up, down
        self.low = hand[-1] - naturals + fewer - (beside if beside < wilds else wilds)

    def _is_planned(self, position: Position, laid: tuple[int, Counts]) -> bool:
        """Whether a play is part of a plan that works: what that lays may be laid."""
        slot = laid[0]
        begun = position.m[position.p % len(position.m)][self.bases[slot]]
        if not begun and laid not in self.begins:
            return False
        wanted = self.used_of[laid]
        for plan, _ in self.plans:
            used = plan.get(slot)
            if used is not None and all(map(_at_most, wanted, used)):
                return True
        return False

    def _with(self, laid: tuple[int, Counts]) -> tuple[Outcomes, Outcomes] | None:
        """The outcomes of a slot, and those of them that a play is part of; None where they do not
        tell it.
        """
        whole = self.of_slot.get(laid[0])
        if whole is None or self.several[laid[0]]:
            return None
        some = self.bounds.laying.holding(whole, self.used_of[laid])
        return None if some is None else (whole, some)

    def _may_be_part(self, position: Position, laid: tuple[int, Counts]) -> bool:
        """Whether bounds let a plan be thought of that a play is part of."""
        found = self._with(laid)
        if found is None:
            return True
        whole, some = found
        up, down = self.up - whole.up + some.up, self.down - whole.down + some.down
        size = position.h[position.p][-1] - some.fewest
        return self.may_end[position.phase](position, self.low, size, up, down)  # type: ignore[no-any-return]

    def _is_part(
        self, position: Position, after: Position, laid: tuple[int, Counts]
    ) -> bool | None:
        """Whether there is a plan that a play is part of; None where none was found that works.
        after: the position after it.
        """
        found, player = self._with(laid), position.p
        left = position.h[player][-1] - len(laid[1])
        if found is None or after.h[player][-1] != left or after.phase != position.phase:
            return None
        whole, some = found
        slot, wanted = laid[0], self.used_of[laid]
        options = [some, *[each for each in self.options if each is not whole]]
        plans = Plans(self.bounds, position, self.now, options, self.may_end[position.phase])

        def works(plan: Plan) -> bool:
            rest = {**plan, slot: (*map(sub, plan[slot], wanted),)}
            return self._works(after, rest, _completed)

        self.planned += 1
        within, self.within = self.within, True
        plan = plans.first(works, FEW_PLANS)
        self.within = within
        if plan is not None:
            self.plans.append((plan, after.happened | self.happened))
            return True
        return None if plans.tried else False

    def _seen(self, position: Position) -> Seen:
        """What tells a position from others in which plays may be asked about."""
        player = position.p
        side = player % len(position.m)
        hand, melds, constants = position.h[player], position.m[side], position.c[side]
        own = position.w[player][self.own_from :]
        return player, position.phase, hand, melds, position.g, constants, own, position.without

    def _key(self, position: Position, player: int) -> Any:
        """What an answer that is kept depends on."""
        side = player % len(position.m)
        return (
            player, position.without, position.phase, *position.h[player], *position.m[side],
            *position.c[side], *position.g, *position.w[player][self.own_from :],
            *map(len, position.lists),
        )  # fmt: skip

    # ---- questions
    def allows(self, position: Position, step: Step) -> bool:
        """Whether the turn can be completed after a play."""
        player, phase = position.p, position.phase
        laid = self.lays.get(step) if self.has_plans[phase] else None
        looked_at = laid is not None and self.seen == self._seen(position)
        if looked_at and laid is not None:
            if self._is_planned(position, laid):
                return True
            if not self._may_be_part(position, laid):
                return False
        after = position.ahead()
        step(after)
        self.asked += 1
        if after.over or after.ended or after.p != player or self.sure[after.phase](after):
            return True
        if laid is not None:
            if not looked_at:
                more = self.growth_of[laid[0]] if laid in self.begins else 0
                if not self.bounds.may_by_sizes(position, self.may_end[phase], more):
                    return False
                self._look_at(position)
                if not self._may_be_part(position, laid):
                    return False
            known = self._is_part(position, after, laid)
            if known is not None:
                return known
        if not self.has_plans[after.phase]:
            return self._completable(after, player)
        key = self._key(after, player)
        known = self.known.get(key)
        if known is None:
            if len(self.known) > REMEMBERED:
                self.known.clear()
            known = self.known[key] = self._found(after, self.may_end[after.phase], _completed)
        return known

    def happens(self, position: Position, moment: int, may: Test) -> bool:
        """Whether own plays can bring a moment (its bit). Within a look-ahead no: a play for which
        this is asked leads no further than others do.
        """
        if self.within:
            return False
        if self.has_plans[position.phase] and not self.bounds.may_by_sizes(position, may, 0):
            return False
        if any(happened & moment for _, happened in self.plans) and self.seen == self._seen(
            position
        ):
            return True
        return self._found(position, may, lambda s: s.happened & moment)

    def ends(self, position: Position) -> bool:
        """Whether own plays can bring an accepted end of the turn. Within a look-ahead no."""
        if self.within:
            return False
        if self.ending[position.phase](position):
            return True
        return self._found(position, self.may_end[position.phase], lambda s: s.ended and not s.over)

    def _completable(self, position: Position, player: int) -> bool:
        """Whether the turn can be completed, by trying every play."""
        if position.over or position.ended or position.p != player:
            return True
        if self.sure[position.phase](position):
            return True
        key = self._key(position, player)
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
        self.planned += 1
        within, self.within = self.within, True
        try:
            if plannable:
                options, now = self.options, self.now
                if self.seen != self._seen(position):
                    options = self.bounds.laying.of(position)
                    now = self.bounds.laying.now(position)
                plans = Plans(self.bounds, position, now, options, may, short=True)
                if plans.first(partial(self._works, position, goal=goal), PLANS) is not None:
                    return True
                if not plans.tried:
                    return False
            self.searched += 1
            self.budget = NODES
            return self._reached(position, may, goal, set())
        finally:
            self.within = within

    def _works(self, position: Position, plan: Plan, goal: Holds) -> bool:
        """Whether a plan can be carried out and followed by what is wanted; `happened` has then
        what has happened meanwhile.
        """
        player = position.p
        side = position.m[player % len(position.m)]
        at = position.ahead()
        bases, known = self.bases, self.steps_of
        if self.full:
            plan = dict(sorted(plan.items()))
            if not self._in_turn(side, plan):
                return False
        for slot, used in plan.items():
            begun = bool(side[bases[slot]])
            steps = known.get((slot, used, begun))
            if steps is None:
                steps = known[slot, used, begun] = self._steps(slot, used, begun)
            for step in steps:
                step(at)
                if goal(at):
                    self.happened = at.happened
                    return True
                if at.over or at.ended or at.p != player:
                    return False
        self.happened = at.happened
        if goal is _completed and self.sure[at.phase](at):
            return True
        for step in self.lists[at.phase](at, whatever):
            if step not in self.lays:
                after = at.ahead()
                step(after)
                if goal(after):
                    self.happened |= after.happened
                    return True
        return False

    def _in_turn(self, side: list[Any], plan: Plan) -> bool:
        """Whether a plan begins no meld before the one is full that comes before it."""
        bases = self.bases
        return not any(
            any(plan.get(slot, ()))
            and not side[bases[slot]]
            and side[bases[before]] + sum(plan.get(before, ())) != size
            for slot, (before, size) in self.full.items()
        )

    def _steps(self, slot: int, used: Counts, begun: bool) -> list[Step]:
        """Plays that lay so many cards of each kind in a slot: a start, where there is no meld yet,
        and single cards.
        """
        if not any(used):
            return []
        meld = self.slots[slot]
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
            if goal is _completed and (after.p != player or self.sure[after.phase](after)):
                return True
            if not (after.over or after.ended or after.p != player):
                further.append(after)
        for after in further:
            key = self._key(after, player)
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


def _at_most(one: int, other: int) -> bool:
    return one <= other
