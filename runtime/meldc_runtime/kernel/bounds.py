"""What the cards of a hand can bring: bounds, and plans.

A plan takes one outcome for each meld; what melds share are the wild cards. A test on bounds cuts
off what leads nowhere: how few and how many cards the hand can come to have (`low`, `high`), how
high and how low each sum over melds can go (`up`, `down`, packed). The plans found are at least
those that the rules allow; whether one works is for the kernel's own plays to show.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import Any

from meldc_runtime.kernel.outcomes import SIZE, SUM_BITS, Counts, Laying, Outcomes, Worked
from meldc_runtime.kernel.position import Position
from meldc_runtime.melds import within

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
        self.wild = laying.wild
        self.watched = [
            (index, SUM_BITS * place)
            for place, index in enumerate(laying.watched, start=len(laying.sums))
        ]
        sums = len(laying.sums) + len(self.watched)
        self.high = self.packing.sums([MANY] * sums) + self.packing.nothing
        self.none = self.packing.nothing
        self.worths = [self.packing.sums(worth) for worth in laying.worth]

    # ---- by the sizes of melds alone
    def may_by_sizes(self, position: Position, test: Test, more: int = 0) -> bool:
        """Whether a test may come to hold, judged by the sizes of melds alone. more: what watched
        places will have beside what is there, packed.
        """
        hand, side = position.h[position.p], position.m[position.p % len(position.m)]
        size = hand[-1]
        down = self.none + more  # melds never shrink
        for index, place in self.watched:
            if side[index]:
                down += side[index] << place
        if not test(position, self._left(hand, side), size, self.high, down):
            return False
        return bool(test(position, self._low(hand, side), size, self.high, down))

    @cached_property
    def _left(self) -> Callable[[list[int], list[Any]], int]:
        """How many cards of a hand no meld can take, by a glance: those of which there are too few
        to begin one.
        """
        lines = ["def left(h, m):", f"    wilds = {self._wild_cards}"]
        meldable = {kind for shape in self.laying.shapes for kind in shape.naturals}
        others = [
            f"h[{kind}]"
            for kind in range(self.layout.unknown)
            if kind not in meldable and kind not in self.wild
        ]
        lines.append(f"    left = {' + '.join(others) or 0}")
        for shape in self.laying.shapes:
            held = " + ".join(f"h[{kind}]" for kind in shape.naturals) or "0"
            few = f"held + wilds < {shape.least}"
            if shape.need > 1:
                few = f"(held < {shape.need} or {few})"
            lines += [
                f"    held = {held}",
                f"    if held and not m[{shape.base}] and {few}:",
                "        left += held",
            ]
        lines.append("    return left")
        return _made(lines, "left", {})

    @property
    def _wild_cards(self) -> str:
        return " + ".join(f"h[{kind}]" for kind in self.wild) or "0"

    @cached_property
    def _low(self) -> Callable[[list[int], list[Any]], int]:
        """How few cards a hand can come down to."""
        lines = ["def low(h, m):", f"    wilds = {self._wild_cards}", "    naturals = beside = 0"]
        for shape in self.laying.shapes:
            slot = shape.slot
            held = " + ".join(f"h[{kind}]" for kind in shape.naturals) or "0"
            lines += [
                f"    held = {held}",
                f"    size = m[{shape.base}]",
                f"    if (held or wilds) if size else held >= {max(shape.need, 1)}:",
                f"        own, other = counted[{slot.kind}, size, m[{slot.base + 1}], held, wilds]",
                "        naturals += own",
                "        beside += other",
            ]
        lines.append("    return h[-1] - naturals - (beside if beside < wilds else wilds)")
        return _made(lines, "low", {"counted": Worked(self._counted)})

    def _counted(self, kind: int, size: int, wild: int, held: int, wilds: int) -> tuple[int, int]:
        """How many naturals, and how many wild cards, may be laid in a meld at most."""
        pattern = self.kinds[kind]
        low, high = pattern.size
        fitting = [
            (own, other)
            for own in range(held + 1)
            for other in range(wilds + 1)
            if own + other
            and size + own + other >= low
            and (high is None or size + own + other <= high)
            and within(size - wild + own, pattern.naturals)
            and within(wild + other, pattern.wilds)
        ]
        return (
            max((own for own, _ in fitting), default=0),
            max((other for _, other in fitting), default=0),
        )

    # ---- by all that can be laid
    def may(self, position: Position, test: Test) -> bool:
        """Whether a test may come to hold."""
        if not self.may_by_sizes(position, test):
            return False
        now = self.laying.now(position)
        return Plans(self, position, now, self.laying.of(position), test).may(0, now)


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
        self.tried = 0

    @cached_property
    def later(self) -> list[tuple[int, int, int, int, dict[int, tuple[int, int]]]]:
        """By place in the options, what all from there on bring: naturals and wild cards laid at
        most, sums at most and at least; and what that is, the wild cards left given.
        """
        naturals = beside = up = down = 0
        later: list[Any] = [(0, 0, 0, 0, {})]
        for each in reversed(self.options):
            naturals += each.naturals
            beside += each.beside
            up += each.up
            down += each.down
            later.append((naturals, beside, up, down, {}))
        later.reverse()
        return later

    def top(self, place: int, state: int) -> tuple[int, int]:
        """How many cards can be laid at most from a place on, and how high the sums go."""
        naturals, beside, up, _, _ = self.later[place]
        left = self.bounds.packing.wilds_of(state, len(self.bounds.wild))
        for number, worth in zip(left, self.bounds.worths, strict=True):
            up += number * worth
        wilds = sum(left)
        needing = [each.needing for each in self.options[place:] if each.needing]
        if len(needing) > wilds:
            needing.sort()
            naturals -= sum(needing[: len(needing) - wilds])
        return naturals + min(beside, wilds), up

    def may(self, place: int, state: int) -> bool:
        """Whether the test may hold after what can still be laid from a place on."""
        _, _, _, down, tops = self.later[place]
        wilds = state >> self.wilds_at
        top = tops.get(wilds)
        if top is None:
            top = tops[wilds] = self.top(place, state)
        most, up = top
        size = state >> self.size_at & SIZE
        return self.test(self.position, size - most, size, state + up, state + down)  # type: ignore[no-any-return]

    def first(self, works: Callable[[Plan], bool], most: int) -> Plan | None:
        """The first plan that works, of so many at most."""
        plan = self._greedy()
        if plan is not None:
            self.tried += 1
            if works(plan):
                return plan
        return self._sought(works, most)

    def _greedy(self) -> Plan | None:
        """What lays of each meld as much as it can, one after the other, if the test holds then."""
        state, there = self.now, self.there
        plan: Plan = {}
        for each in self.options:
            for outcome in each.all:
                further = state + outcome.change
                if further & there == there:
                    plan[each.slot] = outcome.used
                    state = further
                    break
            else:
                return None
        size = state >> self.size_at & SIZE
        return plan if self.test(self.position, size, size, state, state) else None

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


def _made(lines: list[str], name: str, names: dict[str, Any]) -> Callable[..., Any]:
    """A function from its lines."""
    exec("\n".join(lines), names)
    return names[name]  # type: ignore[no-any-return]
