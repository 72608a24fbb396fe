"""What the cards of a hand can bring: all that can be laid in each meld, and plans made of it.

A plan takes one outcome for each meld; what melds share are the wild cards. A test on bounds cuts
off what leads nowhere: how few and how many cards the hand can come to have (`low`, `high`), how
high and how low each sum over melds can go (`up`, `down`). The plans found are at least those that
the rules allow; whether one works is for the kernel's own plays to show.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from operator import add, sub
from typing import Any

from meldc_runtime.kernel.layout import LAID, Layout, Slot
from meldc_runtime.kernel.position import Position
from meldc_runtime.melds import within
from meldc_runtime.starts import Starts

REMEMBERED = 20_000
"""Melds with what may be laid there that are kept before all are forgotten."""

Counts = tuple[int, ...]
Plan = dict[int, Counts]
"""By slot, how many cards of each of its kinds are laid."""

Test = Callable[[Position, int, int, Sequence[int], Sequence[int]], Any]

MANY = 1 << 40
"""More than any sum over melds."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """Cards of each kind of a slot that are laid, their number, that of the wild cards among them
    and which those are, and by how much each sum grows.
    """

    used: Counts
    number: int
    wild: int
    wilds: Counts
    sums: Counts


@dataclass(frozen=True, slots=True)
class Outcomes:
    """All outcomes of a slot, with the most cards first. naturals, beside: as themselves and wild
    cards laid at most. up: by how much each sum grows at most, less what the wild cards are worth
    for it; down: at least.
    """

    slot: int
    all: tuple[Outcome, ...]
    naturals: int
    beside: int
    up: Counts
    down: Counts

    @property
    def most(self) -> int:
        return self.all[0].number


class Bounds:
    """Outcomes and plans for the positions of one layout. sums: what each slot gives to each sum,
    written as numbers by slot over the vector `m` of the side; places of single melds that tests
    read follow them.
    """

    def __init__(
        self,
        layout: Layout,
        starts: Starts,
        sums: Sequence[str],
        watched: Counts,
    ) -> None:
        self.layout = layout
        self.kinds = layout.table.program.kinds
        self.sums = [[ast.unparse(each) for each in _elements(text)] for text in sums]
        self.first_sum = layout.side_width
        self.watched = watched
        self.wild = sorted({kind for slot in layout.slots for kind in slot.wilds})
        self.shapes = [starts.least[slot.kind] + starts.extra[slot.kind] for slot in layout.slots]
        self.known: dict[Any, Outcomes] = {}
        self.worth = self._worths()
        self.none = [0] * len(self.sums)
        self.high = [MANY] * (len(self.sums) + len(watched))
        self.plain = [
            (
                slot,
                slot.naturals,
                min((s.naturals for s in shapes), default=0),
                slot.base,
                self._telling(slot),
                dict[Any, Outcomes](),
            )
            for slot, shapes in zip(layout.slots, self.shapes, strict=True)
        ]

    def outcomes(self, position: Position) -> list[Outcomes]:
        """What can be laid in each meld where anything can."""
        hand = position.h[position.p]
        side = position.m[position.p % len(position.m)]
        others = tuple([hand[kind] for kind in self.wild])
        wilds = sum(others)
        found = []
        for slot, naturals, need, start, places, kept in self.plain:
            held = hand[naturals[0]] if len(naturals) == 1 else sum([hand[k] for k in naturals])
            if side[start]:
                if not held and not wilds:
                    continue
                key: Any = (held, others, *[side[place] for place in places])
            elif held < need or held + wilds < 2:
                continue
            else:
                key = (held, others)
            if len(naturals) > 1:
                key = (key, *[hand[kind] for kind in naturals])
            known = kept.get(key)
            if known is None:
                if len(kept) > REMEMBERED:
                    kept.clear()
                known = kept[key] = self._outcomes_like(slot, side, hand, key)
            if len(known.all) > 1:
                found.append(known)
        return found

    def _outcomes_like(self, slot: Slot, side: list[Any], hand: list[int], key: Any) -> Outcomes:
        """The outcomes of a slot, taken from those of a slot that is like it, if they are known."""
        like = (self.like[slot.number], key)
        known = self.known.get(like)
        if known is None:
            if len(self.known) > REMEMBERED:
                self.known.clear()
            known = self.known[like] = self._outcomes(slot, side, hand)
        return replace(known, slot=slot.number)

    def _telling(self, slot: Slot) -> list[int]:
        """The places of a begun meld on which it depends what cards laid there bring."""
        telling = {slot.base, slot.base + 1}
        for texts in self.sums:
            telling |= _not_linear(ast.parse(texts[slot.number], mode="eval").body)
        return sorted(telling & set(range(slot.base, slot.base + slot.width)))

    @cached_property
    def sums_of(self) -> list[Callable[[list[Any]], Counts]]:
        """By slot, what it gives to all sums."""
        return [
            eval(f"lambda m: ({''.join(f'{texts[slot.number]}, ' for texts in self.sums)})")
            for slot in self.layout.slots
        ]

    @cached_property
    def like(self) -> list[Any]:
        """By slot, what is the same for slots with the same outcomes."""
        found = []
        for slot in self.layout.slots:
            places = range(slot.base, slot.base + slot.width)
            texts = tuple(_seen_from(texts[slot.number], places) for texts in self.sums)
            watched = tuple(i - slot.base if i in places else None for i in self.watched)
            found.append((slot.kind, len(slot.naturals), slot.wilds, texts, watched))
        return found

    def now(self, position: Position) -> list[int]:
        """The sums as they are, and the places that are watched."""
        side = position.m[position.p % len(position.m)]
        return side[self.first_sum :] + [side[index] for index in self.watched]

    def low(self, position: Position) -> int:
        """How few cards the hand can come down to, by the sizes of melds alone."""
        hand, side = position.h[position.p], position.m[position.p % len(position.m)]
        return self._low(hand, side)

    @cached_property
    def _low(self) -> Callable[[list[int], list[Any]], int]:
        """The same of a hand and a side, written out slot by slot."""
        wilds = " + ".join(f"h[{kind}]" for kind in self.wild) or "0"
        lines = ["def low(h, m):", f"    wilds = {wilds}", "    naturals = beside = 0"]
        for slot, kinds, need, start, _, _ in self.plain:
            held = " + ".join(f"h[{kind}]" for kind in kinds) or "0"
            lines += [
                f"    held = {held}",
                f"    size = m[{start}]",
                f"    if (held or wilds) if size else held >= {max(need, 1)}:",
                f"        own, other = counted[{slot.kind}, size, m[{start + 1}], held, wilds]",
                "        naturals += own",
                "        beside += other",
            ]
        lines.append("    return h[-1] - naturals - (beside if beside < wilds else wilds)")
        names: dict[str, Any] = {"counted": _Worked(self._counted)}
        exec("\n".join(lines), names)
        return names["low"]  # type: ignore[no-any-return]

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

    def of(self, position: Position, options: list[Outcomes]) -> tuple[int, list[int], list[int]]:
        """How few cards the hand can come down to, how high and how low each sum can go."""
        hand = position.h[position.p]
        naturals = beside = 0
        now = self.now(position)
        up, down = now, now
        for each in options:
            naturals += each.naturals
            beside += each.beside
            up = [*map(add, up, each.up)]
            down = [*map(add, down, each.down)]
        wilds = 0
        for kind, worth in zip(self.wild, self.worth, strict=True):
            if hand[kind]:
                wilds += hand[kind]
                up = [a + hand[kind] * b for a, b in zip(up, worth, strict=True)]
        return hand[-1] - naturals - min(beside, wilds), up, down

    def may_by_sizes(self, position: Position, test: Test) -> bool:
        """Whether a test may come to hold, judged by the sizes of melds alone."""
        size = position.h[position.p][-1]
        side = position.m[position.p % len(position.m)]
        down = self.none + [side[index] for index in self.watched]  # melds never shrink
        return bool(test(position, self.low(position), size, self.high, down))

    def may(self, position: Position, test: Test) -> bool:
        """Whether a test may come to hold."""
        if not self.may_by_sizes(position, test):
            return False
        low, up, down = self.of(position, self.outcomes(position))
        return bool(test(position, low, position.h[position.p][-1], up, down))

    def sought(
        self,
        position: Position,
        test: Test,
        options: list[Outcomes],
        works: Callable[[Plan], bool],
        most: int,
        more: Counts = (),
        short: bool = False,
    ) -> tuple[Plan | None, int]:
        """The first plan after which a test holds and that works, and how many were tried: so many
        at most. options: the outcomes of the position; more: by how much each sum must grow, of
        those that never fall; short: as soon as the test holds nothing more is laid.
        """
        hand = position.h[position.p]
        now = tuple(self.now(position))
        options = sorted(options, key=_size)
        grown = [
            (number, now[number] + growth)
            for number, growth in enumerate(more)
            if growth and all(each.down[number] >= 0 for each in options)
        ]
        later = self._later(options, len(now))
        failed: set[Any] = set()
        plan: Plan = {}
        worths = self.worth
        last = len(options)
        tried = 0
        found = None
        met = False
        tops: dict[Any, Any] = {}

        def may(place: int, size: int, wilds: Counts, sums: Counts) -> bool:
            """Whether the test may hold after what can still be laid."""
            naturals, beside, up, down = later[place]
            top = tops.get((place, wilds))
            if top is None:
                for number, worth in zip(wilds, worths, strict=True):
                    if number:
                        up = [a + number * b for a, b in zip(up, worth, strict=True)]
                left = sum(wilds)
                top = tops[place, wilds] = naturals + min(beside, left), up
            most_laid, up = top
            high = [*map(add, sums, up)]
            least = [*map(add, sums, down)]
            for number, bound in grown:
                if high[number] < bound:
                    return False
                if least[number] < bound:
                    least[number] = bound
            return bool(test(position, size - most_laid, size, high, least))

        def tries(sums: Counts) -> bool:
            nonlocal tried, found
            if any(sums[number] < bound for number, bound in grown):
                return False
            tried += 1
            if works(plan):
                found = plan
            return found is not None or tried >= most

        def done(place: int, size: int, wilds: Counts, sums: Counts) -> bool:
            """Whether the search is at its end."""
            nonlocal met
            if place == last:
                met = True
                return bool(test(position, size, size, sums, sums)) and tries(sums)
            if short and place and test(position, size, size, sums, sums):
                met = True
                return tries(sums)
            key = (place, size, wilds, sums)
            if key in failed:
                return False
            untested = place > 0 and not met  # the way down to the first end needs no tests
            if not untested and not may(place, size, wilds, sums):
                failed.add(key)
                return False
            before = tried
            each = options[place]
            slot = each.slot
            for outcome in each.all:
                if untested and met:
                    untested = False
                    if not may(place, size, wilds, sums):
                        break
                rest = wilds
                if outcome.wild:
                    rest = (*map(sub, wilds, outcome.wilds),)
                    if min(rest) < 0:
                        continue
                plan[slot] = outcome.used
                further = (*map(add, sums, outcome.sums),) if outcome.number else sums
                if done(place + 1, size - outcome.number, rest, further):
                    return True
            del plan[slot]
            if tried == before:
                failed.add(key)
            return False

        done(0, hand[-1], tuple([hand[kind] for kind in self.wild]), now)
        return found, tried

    def _later(
        self, options: list[Outcomes], width: int
    ) -> list[tuple[int, int, Sequence[int], Sequence[int]]]:
        """By place in the options, what all from there on bring at most and at least."""
        none: Sequence[int] = (0,) * width
        later = [(0, 0, none, none)]
        for each in reversed(options):
            naturals, beside, up, down = later[-1]
            later.append(
                (
                    naturals + each.naturals,
                    beside + each.beside,
                    (*map(add, up, each.up),),
                    (*map(add, down, each.down),),
                )
            )
        later.reverse()
        return later

    # ---- outcomes of a slot
    def _outcomes(self, slot: Slot, side: list[Any], hand: list[int]) -> Outcomes:
        scratch = side[:]
        held = [hand[kind] for kind in slot.cards]
        sums_of = self.sums_of[slot.number]
        before = sums_of(scratch)
        own = len(slot.naturals)
        found: dict[Any, Outcome] = {}
        for used in sorted(self._reached(slot, side, held), reverse=True):
            wild = sum(used[own:])
            scratch[slot.base] = side[slot.base] + sum(used)
            scratch[slot.base + 1] = side[slot.base + 1] + wild
            for place, count in enumerate(used):
                index = slot.base + LAID + place
                scratch[index] = side[index] + count
            sums = (
                *map(sub, sums_of(scratch), before),
                *(
                    scratch[i] - side[i] if slot.base <= i < slot.base + slot.width else 0
                    for i in self.watched
                ),
            )
            by_kind = dict(zip(slot.cards[own:], used[own:], strict=True))
            wilds = tuple(by_kind.get(kind, 0) for kind in self.wild)
            outcome = Outcome(used, sum(used), wild, wilds, sums)
            found.setdefault((outcome.number, wilds, sums), outcome)
        every = sorted(found.values(), key=lambda outcome: -outcome.number)
        return Outcomes(
            slot.number,
            tuple(every),
            max(o.number - sum(o.wilds) for o in every),
            max(sum(o.wilds) for o in every),
            tuple(max(column) for column in zip(*map(self._less_wilds, every), strict=True)),
            tuple(min(column) for column in zip(*(o.sums for o in every), strict=True)),
        )

    def _less_wilds(self, outcome: Outcome) -> Counts:
        """By how much each sum grows, less what the wild cards are worth for it."""
        sums = outcome.sums
        for number, worth in zip(outcome.wilds, self.worth, strict=True):
            if number:
                sums = tuple(a - number * b for a, b in zip(sums, worth, strict=True))
        return sums

    def start_growth(self) -> list[Counts]:
        """By slot, by how much each sum grows at least when a meld is begun; and all places of
        single melds that are watched.
        """
        found = []
        width = self.first_sum + len(self.sums)
        for slot, shapes in zip(self.layout.slots, self.shapes, strict=True):
            ways = []
            sums_of = self.sums_of[slot.number]
            for shape in shapes:
                side = [0] * width
                before = sums_of(side)
                side[slot.base] = shape.naturals + shape.wilds
                side[slot.base + 1] = shape.wilds
                sums = map(sub, sums_of(side), before)
                ways.append([max(0, n) for n in sums] + [side[i] for i in self.watched])
            found.append(tuple(min(column) for column in zip(*ways, strict=True)))
        return found

    def _worths(self) -> list[Counts]:
        """What a card of each wild kind adds to each sum, in a meld like any other."""
        found = []
        width = self.first_sum + len(self.sums)
        for kind in self.wild:
            slot = next(slot for slot in self.layout.slots if kind in slot.wilds)
            before = [0] * width
            after = before[:]
            after[slot.base] = after[slot.base + 1] = after[slot.place(kind).index] = 1
            before[slot.base] = 1
            sums_of = self.sums_of[slot.number]
            worth = map(sub, sums_of(after), sums_of(before))
            found.append((*(max(0, n) for n in worth), *(0 for _ in self.watched)))
        return found

    def _reached(self, slot: Slot, side: list[Any], held: list[int]) -> set[Counts]:
        """What can be laid: cards of each kind, by starts and additions of single cards."""
        none = (0,) * len(held)
        size, wild = side[slot.base], side[slot.base + 1]
        own = len(slot.naturals)
        found: set[Counts] = {none}
        if size:
            waiting = [none]
        else:
            shapes = self.shapes[slot.number]
            waiting = [u for s in shapes for u in _ways(held, own, s.naturals, s.wilds)]
        while waiting:
            used = waiting.pop()
            beside = wild + sum(used[own:])
            if used != none:
                if used in found or not self._fits(slot, size + sum(used) - beside, beside):
                    continue
                found.add(used)
            for place, count in enumerate(used):
                if count < held[place]:
                    waiting.append((*used[:place], count + 1, *used[place + 1 :]))
        return found

    def _fits(self, slot: Slot, naturals: int, wilds: int) -> bool:
        kind = self.kinds[slot.kind]
        numbers = (
            (naturals, kind.naturals), (wilds, kind.wilds), (naturals + wilds, kind.size)
        )  # fmt: skip
        return all(low <= n and (high is None or n <= high) for n, (low, high) in numbers)


class _Worked(dict[Any, Any]):
    """What a function says of its arguments, worked out when it is asked for."""

    def __init__(self, function: Callable[..., Any]) -> None:
        self.function = function

    def __missing__(self, key: Any) -> Any:
        value = self[key] = self.function(*key)
        return value


def _elements(text: str) -> list[ast.expr]:
    """The numbers of which a text is a row."""
    row = ast.parse(f"({text},)", mode="eval").body
    assert isinstance(row, ast.Tuple)
    return row.elts


def _not_linear(text: ast.expr) -> set[int]:
    """The places of `m` of which a number is no linear function."""
    match text:
        case ast.BinOp(left, ast.Add() | ast.Sub(), right):
            return _not_linear(left) | _not_linear(right)
        case ast.BinOp(ast.Constant(), ast.Mult(), number) | ast.UnaryOp(ast.USub(), number):
            return _not_linear(number)
        case ast.Constant() | ast.Subscript(ast.Name("m"), ast.Constant()):
            return set()
    return {
        node.slice.value
        for node in ast.walk(text)
        if isinstance(node, ast.Subscript)
        and isinstance(node.slice, ast.Constant)
        and isinstance(node.slice.value, int)
    }


def _seen_from(text: str, places: range) -> str:
    """A text with the places of a slot counted from its first one."""

    def counted(found: re.Match[str]) -> str:
        place = int(found[1])
        return f"m[+{place - places.start}]" if place in places else found[0]

    return re.sub(r"\bm\[(\d+)\]", counted, text)


def _size(options: Outcomes) -> int:
    return -options.all[0].number


def _ways(held: list[int], own: int, naturals: int, wilds: int) -> list[Counts]:
    """The ways to take so many of the first kinds and so many of the others."""

    def taken(counts: list[int], number: int) -> list[Counts]:
        if not counts:
            return [()] if number == 0 else []
        return [
            (first, *rest)
            for first in range(min(counts[0], number) + 1)
            for rest in taken(counts[1:], number - first)
        ]

    return [
        one + other for one in taken(held[:own], naturals) for other in taken(held[own:], wilds)
    ]
