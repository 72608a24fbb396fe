"""What the cards of a hand can bring: bounds, and plans.

A plan takes one outcome for each meld; what melds share are the wild cards. A test on bounds cuts
off what leads nowhere: how few and how many cards the hand can come to have (`low`, `high`), how
high and how low each sum over melds can go (`up`, `down`, packed). The plans found are at least
those that the rules allow; whether one works is for the kernel's own plays to show.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import Any, NamedTuple

from meldc_runtime.kernel.outcomes import (
    SIZE,
    SUM_BITS,
    THERE,
    WILD_BITS,
    Counts,
    Laying,
    Outcome,
    Outcomes,
)
from meldc_runtime.kernel.position import Position

Plan = dict[int, Counts]
"""By slot, how many cards of each of its kinds are laid."""

Test = Callable[[Position, int, int, int, int], Any]

MANY = 1 << 29
"""More than any sum over melds."""


class Bounds:
    """Bounds and plans for the positions of one layout."""

    def __init__(self, laying: Laying) -> None:
        self.laying = laying
        self.layout = laying.layout
        self.kinds = self.layout.table.program.kinds
        self.packing = laying.packing
        self.watched = [
            (index, place) for place, index in enumerate(laying.watched, start=len(laying.sums))
        ]
        sums = len(laying.sums) + len(self.watched)
        self.high = self.packing.sums([MANY] * sums) + self.packing.nothing
        self.worths = [self.packing.sums(worth) for worth in laying.worth]

    @cached_property
    def may_by_sizes(self) -> Callable[[Position, Test, int], bool]:
        """Whether a test may come to hold, judged by the sizes of melds and by the cards of which
        there are too few to begin one. The last argument: what watched places will have beside what
        is there, packed.
        """
        laying, layout = self.laying, self.layout
        meldable = {kind for slot in layout.slots for kind in slot.cards}
        others = [f"h[{kind}]" for kind in range(layout.unknown) if kind not in meldable]
        lines = [
            "def may_by_sizes(s, test, more):",
            "    p = s.p",
            f"    h, m = s.h[p], s.m[p % {layout.table.sides}]",
            f"    wilds = {' + '.join(f'h[{kind}]' for kind in laying.wild) or 0}",
            f"    left = {' + '.join(others) or 0}",
        ]
        for slot, need, least in zip(layout.slots, laying.need, laying.least, strict=True):
            if not set(slot.naturals).isdisjoint(laying.wild):
                continue  # other melds may get its cards
            few = f"held + wilds < {least}"
            if need > 1:
                few = f"(held < {need} or {few})"
            lines += [
                f"    held = {' + '.join(f'h[{kind}]' for kind in slot.naturals) or 0}",
                f"    if held and not m[{slot.base}] and {few}:",
                "        left += held",
            ]
        down = [f"(m[{index}] << {SUM_BITS * place})" for index, place in self.watched]
        lines += [
            f"    down = {' + '.join([f'{self.packing.nothing:#x}', 'more', *down])}",
            f"    return test(s, left, h[{layout.unknown}], {self.high:#x}, down)",
        ]
        names: dict[str, Any] = {}
        exec("\n".join(lines), names)
        return names["may_by_sizes"]  # type: ignore[no-any-return]

    def wild_cards(self, state: int) -> tuple[int, int]:
        """How many wild cards there are, and what they are worth for the sums."""
        wilds = worth = 0
        state >>= self.packing.wilds_at
        for of_kind in self.worths:
            number = state & THERE - 1
            if number:
                wilds += number
                worth += number * of_kind
            state >>= WILD_BITS
        return wilds, worth

    def without(self, options: list[Outcomes], wilds: int, but: int = 0) -> tuple[int, int]:
        """How many naturals fewer are laid, and by how much the sums are lower, since not every
        meld gets a wild card. but: so many of the melds are left out of account, whichever.
        """
        needing = [each.needing for each in options if each.needing]
        lacking = len(needing) - wilds - but
        if lacking <= 0:
            return 0, 0
        *sums, fewer = [sum(sorted(one)[:lacking]) for one in zip(*needing, strict=True)]
        return fewer, self.packing.sums(sums)

    def may(self, position: Position, test: Test) -> bool:
        """Whether a test may come to hold."""
        if not self.may_by_sizes(position, test, 0):
            return False
        now = self.laying.now(position)
        return Plans(self, position, now, self.laying.of(position), test).may(0, now)


class Later(NamedTuple):
    """What melds bring: naturals and wild cards laid at most, cards laid at least, sums at most and
    at least; tops: how many cards are laid at most and how high sums go, by the wild cards left.
    """

    naturals: int
    beside: int
    fewest: int
    up: int
    down: int
    tops: dict[int, tuple[int, int]]


class Plans:
    """The plans of a position after which a test holds. now: the packed number of the position;
    options: the outcomes of its melds, in the order in which they are gone through; short: as soon
    as the test holds nothing more is laid.

    tried: how many plans were tried.
    """

    def __init__(
        self,
        bounds: Bounds,
        position: Position,
        now: int,
        options: list[Outcomes],
        test: Test,
        short: bool = False,
    ) -> None:
        self.bounds = bounds
        self.position = position
        self.test = test
        self.short = short
        self.now = now
        self.options = options
        self.size_at, self.wilds_at = bounds.packing.size_at, bounds.packing.wilds_at
        self.there = bounds.packing.there
        self.no_wilds = self.there >> self.wilds_at
        self.tried = 0
        self.later: list[Later] = []

    def _of_all(self) -> list[Later]:
        """By place in the options, what all from there on bring."""
        naturals = beside = fewest = up = down = 0
        later = [Later(0, 0, 0, 0, 0, {})]
        for each in reversed(self.options):
            naturals += each.naturals
            beside += each.beside
            fewest += each.fewest
            up += each.up
            down += each.down
            later.append(Later(naturals, beside, fewest, up, down, {}))
        later.reverse()
        return later

    def _top(self, place: int, state: int) -> tuple[int, int]:
        """How many cards can be laid at most from a place on, and how high the sums go."""
        naturals, beside, _, up, _, _ = self.later[place]
        wilds, worth = self.bounds.wild_cards(state)
        fewer, less = self.bounds.without(self.options[place:], wilds)
        return naturals - fewer + min(beside, wilds), up + worth - less

    def may(self, place: int, state: int) -> bool:
        """Whether the test may hold after what can still be laid from a place on."""
        self.later = self.later or self._of_all()
        _, _, fewest, _, down, tops = self.later[place]
        wilds = state >> self.wilds_at
        top = tops.get(wilds)
        if top is None:
            top = tops[wilds] = self._top(place, state)
        most, up = top
        size = state >> self.size_at & SIZE
        return self.test(self.position, size - most, size - fewest, state + up, state + down)  # type: ignore[no-any-return]

    def first(self, works: Callable[[Plan], bool], most: int) -> Plan | None:
        """The first plan that works, of so many at most."""
        plan = self._greedy()
        if plan is not None:
            self.tried += 1
            if works(plan):
                return plan
        return self._sought(works, most)

    def _greedy(self) -> Plan | None:
        """What lays of each meld as many naturals as it can with as few wild cards as that needs,
        one after the other, then more wild cards; if the test holds then.
        """
        state, there, laid = self.now, self.there, list[Outcome]()
        for each in self.options:
            for outcome in each.lean:
                further = state + outcome.change
                if further & there == there:
                    laid.append(outcome)
                    state = further
                    break
            else:
                return None
        for place, each in enumerate(self.options):
            if state >> self.wilds_at == self.no_wilds:
                break
            before = laid[place]
            for outcome in each.all:
                if outcome.number <= before.number:
                    break
                further = state + outcome.change - before.change
                if further & there == there:
                    laid[place], state = outcome, further
                    break
        size = state >> self.size_at & SIZE
        if not self.test(self.position, size, size, state, state):
            return None
        return {each.slot: one.used for each, one in zip(self.options, laid, strict=True)}

    def _sought(self, works: Callable[[Plan], bool], most: int) -> Plan | None:
        """The same by trying everything."""
        position, test, options, there = self.position, self.test, self.options, self.there
        size_at, may, short = self.size_at, self.may, self.short
        last = len(options)
        failed: list[set[int]] = [set() for _ in range(last)]
        plan: Plan = {}
        found = False

        def done(place: int, state: int) -> bool:
            """Whether the search is at its end."""
            nonlocal found
            if place == last or (short and place):
                size = state >> size_at & SIZE
                if test(position, size, size, state, state):
                    self.tried += 1
                    found = works(plan)
                    return found or self.tried >= most
                if place == last:
                    return False
            if state in failed[place]:
                return False
            if not may(place, state):
                failed[place].add(state)
                return False
            before = self.tried
            slot = options[place].slot
            for outcome in options[place].all:
                further = state + outcome.change
                if further & there == there:  # else there are too few wild cards
                    plan[slot] = outcome.used
                    if done(place + 1, further):
                        return True
            plan.pop(slot, None)
            if self.tried == before:
                failed[place].add(state)
            return False

        done(0, self.now)
        return plan if found else None
