"""What can be laid in each meld with the cards of a hand.

All that a plan changes is packed into one number: the sums over melds (and the places of single
melds that tests read), the size of the hand, the wild cards left in it. To lay cards is to add one
number to another.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from itertools import compress
from operator import add, attrgetter, mul, sub
from typing import Any, NamedTuple

from meldc_runtime.kernel.layout import LAID, Layout, Slot
from meldc_runtime.kernel.position import Position
from meldc_runtime.melds import within
from meldc_runtime.starts import Starts
from meldc_runtime.state import Meld, State

REMEMBERED = 20_000
"""Melds with what may be laid there that are kept before all are forgotten."""

Counts = tuple[int, ...]

SUM_BITS = 32
SUM = (1 << SUM_BITS) - 1
NOTHING = 1 << SUM_BITS - 2
"""How a sum of 0 is kept: sums may fall below."""

SIZE_BITS = WILD_BITS = 16
SIZE = (1 << SIZE_BITS) - 1
THERE = 1 << WILD_BITS - 1
"""Kept beside the number of wild cards of a kind: it is gone where there were too few."""


class Packing:
    """Where things lie in a packed number: sums first, then the size of the hand, then the wild
    cards by kind.
    """

    def __init__(self, sums: int, wilds: int) -> None:
        self.size_at = SUM_BITS * sums
        self.wilds_at = self.size_at + SIZE_BITS
        self.sum_places = [1 << SUM_BITS * place for place in range(sums)]
        self.wild_places = [1 << self.wilds_at + WILD_BITS * place for place in range(wilds)]
        self.nothing = self.sums([NOTHING] * sums)
        self.there = self.wilds([THERE] * wilds)

    def sums(self, numbers: Sequence[int]) -> int:
        """Sums, or what is added to them."""
        return sum(map(mul, numbers, self.sum_places))

    def wilds(self, numbers: Sequence[int]) -> int:
        """Wild cards by kind, or what is added to them."""
        return sum(map(mul, numbers, self.wild_places))


class Outcome(NamedTuple):
    """Cards of each kind of a slot that are laid, their number, that of the wild cards among them;
    by how much each sum grows, and that less what the wild cards are worth; the packed change.
    """

    used: Counts
    number: int
    wild: int
    sums: Counts
    bare: Counts
    change: int


@dataclass(frozen=True, slots=True)
class Outcomes:
    """All outcomes of a slot, with the most cards first; lean: with the most naturals first, and of
    these with the fewest wild cards. most, fewest: cards laid; naturals, beside: cards laid as
    themselves, and wild ones, at most. up: by how much each sum grows at most, less what the wild
    cards are worth for it; down: at least; both packed. needing: by how much less each sum grows
    without wild cards, and how many naturals fewer are laid (empty: no less). holding: those that
    lay some cards, kept.
    """

    slot: int
    all: tuple[Outcome, ...]
    lean: tuple[Outcome, ...]
    most: int
    fewest: int
    naturals: int
    beside: int
    up: int
    down: int
    needing: Counts
    holding: dict[Counts, Outcomes | None] = field(default_factory=dict)


MOST_CARDS = attrgetter("most")

NO_LIMIT = 1 << 20
"""More than any place of a meld holds, so that whatever it holds is told apart."""


class Laying:
    """What can be laid, for the positions of one layout. sums: what each slot gives to each sum,
    written as numbers by slot over the vector `m` of the side; watched: places of single melds that
    tests read, kept after the sums.
    """

    def __init__(
        self, layout: Layout, starts: Starts, sums: Sequence[str], watched: Counts
    ) -> None:
        self.layout = layout
        self.kinds = layout.table.program.kinds
        self.sums = [[ast.unparse(each) for each in _elements(text)] for text in sums]
        self.first_sum = layout.side_width
        self.watched = watched
        self.wild = sorted(_shared(layout.slots))
        self.pooled = [[kind in self.wild for kind in slot.cards] for slot in layout.slots]
        self.packing = Packing(len(self.sums) + len(watched), len(self.wild))
        self.starts = [starts.least[slot.kind] + starts.extra[slot.kind] for slot in layout.slots]
        self.need = [min((s.naturals for s in ways), default=0) for ways in self.starts]
        self.least = [min((s.naturals + s.wilds for s in ways), default=0) for ways in self.starts]
        self.unwatched = [0] * len(watched)
        self.no_wilds = [0] * len(self.wild)
        self.fitting = [Worked(partial(self._fits, kind)) for kind in range(len(self.kinds))]
        self.known: dict[Any, Outcomes] = {}
        self.worth = self._worths()
        self.telling = [self._telling(slot) for slot in layout.slots]

    def of(self, position: Position) -> list[Outcomes]:
        """What can be laid in each meld where anything can, first where the most cards can."""
        found = self._found(position.h[position.p], position.m[position.p % len(position.m)])
        found.sort(key=MOST_CARDS, reverse=True)
        return found

    @cached_property
    def _found(self) -> Callable[[list[int], list[Any]], list[Outcomes]]:
        """The same of a hand and a side, written out slot by slot: what can be laid in a meld is
        kept by the numbers it depends on.
        """
        names: dict[str, Any] = {}
        lines = ["def of(h, m):", "    found = []"]
        lines += [f"    wild_{kind} = h[{kind}]" for kind in self.wild]
        lines.append(f"    wilds = {_sum(f'wild_{kind}' for kind in self.wild)}")
        for slot, need, least in zip(self.layout.slots, self.need, self.least, strict=True):
            number, base = slot.number, slot.base
            names[f"kept_{number}"] = Worked(partial(self._of_slot, slot), REMEMBERED)
            most = self.kinds[slot.kind].wilds[1]
            held = [f"h[{kind}]" for kind in slot.naturals]
            key = ["held"] if len(held) == 1 else held
            room = [_at_most(f"wild_{kind}", most) for kind in slot.wilds]
            rest = [
                f"wild_{kind}" if most is None else _at_most(f"wild_{kind}", "room")
                for kind in slot.wilds
            ]
            telling = [
                f"m[{place}]" if limit >= NO_LIMIT else _at_most(f"m[{place}]", limit)
                for place, limit in self.telling[number]
            ]
            begin = f"held >= {need} and held + wilds >= {least}"
            if slot.after is not None:
                before = self.layout.slots[slot.after]
                begin = f"held + m[{before.base}] >= {self.kinds[slot.kind].size[1]} + {need}"
            lines += [
                f"    held = {_sum(held)}",
                f"    if m[{base}]:",
                f"        if held{' or wilds' if slot.wilds else ''}:",
                *([f"            room = {most} - m[{base + 1}]"] if slot.wilds and most else []),
                f"            known = kept_{number}[{', '.join([*key, *rest, *telling])},]",
                "            if known:",
                "                found.append(known)",
                f"    elif {begin}:",
                f"        known = kept_{number}[{', '.join([*key, *room])},]",
                "        if known:",
                "            found.append(known)",
            ]
        lines.append("    return found")
        exec("\n".join(lines), names)
        return names["of"]  # type: ignore[no-any-return]

    def _of_slot(self, slot: Slot, *key: int) -> Outcomes | None:
        """What can be laid in a slot by the numbers it depends on: cards of its kinds, and, if it
        is begun, its places that tell. None where that is nothing.
        """
        like = (self.like[slot.number], key)
        known = self.known.get(like)
        if known is None:
            if len(self.known) > REMEMBERED:
                self.known.clear()
            side = [0] * (self.first_sum + len(self.sums))
            held = key[: len(slot.cards)]
            for (place, _), number in zip(
                self.telling[slot.number], key[len(held) :], strict=False
            ):
                side[place] = number
            known = self.known[like] = self._gathered(slot.number, self._all(slot, side, held))
        return replace(known, slot=slot.number, holding={}) if len(known.all) > 1 else None

    def now(self, position: Position) -> int:
        """The packed number of a position."""
        return self._now(position.h[position.p], position.m[position.p % len(position.m)])

    @cached_property
    def _now(self) -> Callable[[list[int], list[Any]], int]:
        """The same of a hand and a side, written out."""
        packing = self.packing
        places = [*range(self.first_sum, self.first_sum + len(self.sums)), *self.watched]
        parts = [f"{packing.nothing + packing.there:#x}"]
        parts += [f"(m[{index}] << {SUM_BITS * place})" for place, index in enumerate(places)]
        parts.append(f"(h[{self.layout.unknown}] << {packing.size_at})")
        parts += [
            f"(h[{kind}] << {packing.wilds_at + WILD_BITS * place})"
            for place, kind in enumerate(self.wild)
        ]
        return eval(f"lambda h, m: {' + '.join(parts)}")  # type: ignore[no-any-return]

    def holding(self, outcomes: Outcomes, used: Counts) -> Outcomes | None:
        """Those outcomes that lay at least these cards; None where there are none."""
        if used not in outcomes.holding:
            some = [
                each
                for each in outcomes.all
                if all(a >= b for a, b in zip(each.used, used, strict=True))
            ]
            outcomes.holding[used] = self._gathered(outcomes.slot, some) if some else None
        return outcomes.holding[used]

    def _gathered(self, slot: int, every: Sequence[Outcome]) -> Outcomes:
        up, naturals = _highest(every)
        least = zip(*(outcome.sums for outcome in every), strict=True)
        without = [outcome for outcome in every if not outcome.wild]
        needing: Counts = ()
        if without:
            lower, fewer = _highest(without)
            needing = (*map(sub, up, lower), naturals - fewer)
        return Outcomes(
            slot,
            tuple(every),
            tuple(sorted(every, key=lambda each: (each.wild - each.number, each.wild))),
            every[0].number,
            every[-1].number,
            naturals,
            max(outcome.wild for outcome in every),
            self.packing.sums(up),
            self.packing.sums([min(column) for column in least]),
            needing if any(needing) else (),
        )

    # ---- slots that are alike
    @cached_property
    def like(self) -> list[Any]:
        """By slot, what is the same for slots with the same outcomes."""
        found = []
        for slot in self.layout.slots:
            places = range(slot.base, slot.base + slot.width)
            texts = tuple(_seen_from(texts[slot.number], places) for texts in self.sums)
            watched = tuple(i - slot.base if i in places else None for i in self.watched)
            pooled = tuple(compress(slot.cards, self.pooled[slot.number]))
            found.append((slot.kind, len(slot.naturals), slot.wilds, pooled, texts, watched))
        return found

    def _telling(self, slot: Slot) -> tuple[tuple[int, int], ...]:
        kind = self.kinds[slot.kind]
        places = range(slot.base, slot.base + slot.width)
        most = dict.fromkeys((slot.base, slot.base + 1), 0)
        for texts in self.sums:
            for place, limit in _limits(ast.parse(texts[slot.number], mode="eval").body).items():
                if place in places:
                    most[place] = max(most.get(place, 0), limit)
        wild = NO_LIMIT if kind.wilds[1] is None else kind.wilds[1]
        bounds = (kind.size[1], kind.naturals[1], kind.condition)
        exact = any(bound is not None for bound in bounds)
        # a meld that is taken to be smaller than it is must be such a meld, too
        size = NO_LIMIT if exact else max(most[slot.base], kind.size[0], kind.naturals[0] + wild)
        most[slot.base], most[slot.base + 1] = size, max(most[slot.base + 1], wild)
        return tuple(sorted(most.items()))

    # ---- outcomes of a slot
    @cached_property
    def sums_of(self) -> list[Callable[[list[Any]], Counts]]:
        """By slot, what it gives to all sums."""
        return [
            eval(f"lambda m: ({''.join(f'{texts[slot.number]}, ' for texts in self.sums)})")
            for slot in self.layout.slots
        ]

    def _all(self, slot: Slot, side: list[int], held: Counts) -> list[Outcome]:
        """All outcomes, most cards first; of those that bring the same, one."""
        scratch = side[:]
        base, own = slot.base, len(slot.naturals)
        size, wild = side[base], side[base + 1]
        cards = slice(base + LAID, base + slot.width)
        lying = side[cards]
        sums_of = self.sums_of[slot.number]
        before = sums_of(scratch)
        watched = [place for place in self.watched if base <= place < base + slot.width]
        found: dict[Any, Outcome] = {}
        for used in sorted(self._reached(slot, size, wild, held), reverse=True):
            beside = sum(used[own:])
            scratch[base], scratch[base + 1] = size + sum(used), wild + beside
            scratch[cards] = map(add, lying, used)
            sums = [*map(sub, sums_of(scratch), before)]
            if watched:
                sums += [scratch[i] - side[i] if i in watched else 0 for i in self.watched]
            else:
                sums += self.unwatched
            pooled = sum(compress(used, self.pooled[slot.number]))
            outcome = self._outcome(slot, used, pooled, sums)
            found.setdefault(outcome.change, outcome)
        return sorted(found.values(), key=lambda outcome: -outcome.number)

    def _outcome(self, slot: Slot, used: Counts, wild: int, sums: list[int]) -> Outcome:
        bare, wilds = sums, self.no_wilds
        if wild:
            wilds = wilds[:]
            for kind, count, pooled in zip(slot.cards, used, self.pooled[slot.number], strict=True):
                if pooled and count:
                    place = self.wild.index(kind)
                    wilds[place] = count
                    bare = [a - count * b for a, b in zip(bare, self.worth[place], strict=True)]
        number, packing = sum(used), self.packing
        change = packing.sums(sums) - packing.wilds(wilds) - (number << packing.size_at)
        return Outcome(used, number, wild, tuple(sums), tuple(bare), change)

    def start_growth(self) -> list[int]:
        """By slot, how much a meld has at least at the places that are watched when it is begun;
        packed.
        """
        found = []
        for slot, shapes in zip(self.layout.slots, self.starts, strict=True):
            ways = []
            for shape in shapes:
                side = [0] * (self.first_sum + len(self.sums))
                side[slot.base] = shape.naturals + shape.wilds
                side[slot.base + 1] = shape.wilds
                ways.append([0] * len(self.sums) + [side[i] for i in self.watched])
            least = [min(column) for column in zip(*ways, strict=True)]
            found.append(self.packing.sums(least))
        return found

    def _worths(self) -> list[Counts]:
        """What a card of each wild kind adds to each sum, in a meld like any other."""
        found = []
        width = self.first_sum + len(self.sums)
        for kind in self.wild:
            slot = next(slot for slot in self.layout.slots if kind in slot.cards)
            before = [0] * width
            after = before[:]
            after[slot.base] = after[slot.place(kind).index] = 1
            after[slot.base + 1] = int(kind in slot.wilds)
            before[slot.base] = 1
            sums_of = self.sums_of[slot.number]
            worth = map(sub, sums_of(after), sums_of(before))
            found.append((*(max(0, n) for n in worth), *(0 for _ in self.watched)))
        return found

    def _reached(self, slot: Slot, size: int, wild: int, held: Counts) -> set[Counts]:
        """What can be laid: cards of each kind, by starts and additions of single cards."""
        own = len(slot.naturals)
        fits = self.fitting[slot.kind]
        found = {(0,) * len(held)}
        new = found
        if not size:
            starts = self.starts[slot.number]
            ways = {u for s in starts for u in _ways(held, own, s.naturals, s.wilds)}
            new = {used for used in ways if fits[sum(used[:own]), sum(used[own:])]}
        natural = size - wild
        while new:
            found |= new
            further = {
                (*used[:place], used[place] + 1, *used[place + 1 :])
                for used in new
                for place, count in enumerate(held)
                if used[place] < count
            }
            new = {
                used
                for used in further - found
                if fits[natural + sum(used[:own]), wild + sum(used[own:])]
            }
        return found

    def _fits(self, kind: int, naturals: int, wilds: int) -> bool:
        """Whether a meld may have so many naturals and wild cards."""
        pattern = self.kinds[kind]
        return (
            within(naturals, pattern.naturals)
            and within(wilds, pattern.wilds)
            and within(naturals + wilds, pattern.size)
            and self._satisfies(kind, naturals, wilds)
        )

    def _satisfies(self, kind: int, naturals: int, wilds: int) -> bool:
        """Whether a meld with so many naturals and wild cards keeps to the condition of its kind,
        which reads nothing but numbers of cards.
        """
        declared = self.kinds[kind]
        if declared.condition is None:
            return True
        table = self.layout.table
        cards = (0,) * (naturals + wilds)
        meld = Meld(kind, 0, cards, None, None, None, wilds, 0)
        return bool(table.code.kind_condition[declared.name](State(table), meld))


def _highest(every: Sequence[Outcome]) -> tuple[list[int], int]:
    """By how much each sum grows at most, less what wild cards are worth; naturals laid at most."""
    columns = zip(*(outcome.bare for outcome in every), strict=True)
    return [max(column) for column in columns], max(each.number - each.wild for each in every)


class Worked(dict[Any, Any]):
    """What a function says of its arguments, worked out when it is asked for; all is forgotten
    where it is more than so much.
    """

    def __init__(self, function: Callable[..., Any], most: int = REMEMBERED) -> None:
        self.function = function
        self.most = most

    def __missing__(self, key: Any) -> Any:
        if len(self) > self.most:
            self.clear()
        value = self[key] = self.function(*key)
        return value


def _sum(texts: Iterable[str]) -> str:
    return " + ".join(texts) or "0"


def _at_most(text: str, limit: int | str | None) -> str:
    return text if limit is None else f"{text} if {text} < {limit} else {limit}"


def _elements(text: str) -> list[ast.expr]:
    """The numbers of which a text is a row."""
    row = ast.parse(f"({text},)", mode="eval").body
    assert isinstance(row, ast.Tuple)
    return row.elts


def _limits(text: ast.expr) -> dict[int, int]:
    """The places of `m` of which a number is no linear function, each with the number from which on
    it is one.
    """
    match text:
        case ast.BinOp(left, ast.Add() | ast.Sub(), right):
            return _joined(_limits(left), _limits(right))
        case ast.BinOp(ast.Constant(), ast.Mult(), number) | ast.UnaryOp(ast.USub(), number):
            return _limits(number)
        case ast.Constant() | ast.Subscript(ast.Name("m"), ast.Constant()):
            return {}
        case ast.IfExp(test, one, other):
            inner = [place for each in (one, other) for place in _places(each)]
            return _joined(_compared(test), dict.fromkeys(inner, NO_LIMIT))
    return dict.fromkeys(_places(text), NO_LIMIT)


def _compared(test: ast.expr) -> dict[int, int]:
    """The same of a condition: from the highest number on that a place is compared with, and one
    more, nothing changes.
    """
    match test:
        case ast.Compare(
            ast.Subscript(ast.Name("m"), ast.Constant(int(place))), [_], [ast.Constant(int(n))]
        ):
            return {place: n + 1}
        case ast.Subscript(ast.Name("m"), ast.Constant(int(place))):
            return {place: 1}
        case ast.BoolOp(_, parts):
            return _joined(*map(_compared, parts))
        case ast.UnaryOp(ast.Not(), part):
            return _compared(part)
    return dict.fromkeys(_places(test), NO_LIMIT)


def _places(text: ast.expr) -> list[int]:
    return [
        node.slice.value
        for node in ast.walk(text)
        if isinstance(node, ast.Subscript)
        and isinstance(node.slice, ast.Constant)
        and isinstance(node.slice.value, int)
    ]


def _joined(*limits: dict[int, int]) -> dict[int, int]:
    return {place: max(each.get(place, 0) for each in limits) for one in limits for place in one}


def _seen_from(text: str, places: range) -> str:
    """A text with the places of a slot counted from its first one."""

    def counted(found: re.Match[str]) -> str:
        place = int(found[1])
        return f"m[+{place - places.start}]" if place in places else found[0]

    return re.sub(r"\bm\[(\d+)\]", counted, text)


def _shared(slots: Sequence[Slot]) -> set[int]:
    """The kinds of card that several melds may get, and those that stand for others."""
    kinds = [kind for slot in slots for kind in slot.cards]
    wild = {kind for slot in slots for kind in slot.wilds}
    return wild | {kind for kind in kinds if kinds.count(kind) > 1}


def _ways(held: Counts, own: int, naturals: int, wilds: int) -> list[Counts]:
    """The ways to take so many of the first kinds and so many of the others."""

    def taken(counts: Counts, number: int) -> list[Counts]:
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
