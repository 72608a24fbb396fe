"""What a value can be, as far as it is known before a card is dealt."""

from __future__ import annotations

from collections.abc import Iterable
from math import inf

from meldc.check.reckoning import Value, holds, result
from meldc_runtime.cards import FACES
from meldc_runtime.light import dataclass

MOST_FEW = 24
"""So many single values are kept apart; more of them become a range."""
ONLY_NOTHING: frozenset[Value] = frozenset((None,))


@dataclass(frozen=True, slots=True)
class Possible:
    """One of a few values, or (few: None) a number within bounds, or anything at all.

    low, high: None where there is no bound. nothing: whether it can be nothing.
    """

    few: frozenset[Value] | None
    low: int | None = None
    high: int | None = None
    nothing: bool = False

    @property
    def known(self) -> bool:
        """Whether there is but one value that it can have."""
        return self.few is not None and len(self.few) == 1

    @property
    def truth(self) -> bool | None:
        """As a condition: yes, no, or None where only the deal tells."""
        few = self.few
        if few is None:
            return None
        if len(few) == 1:
            return bool(next(iter(few)))
        found = {bool(value) for value in few}
        return found.pop() if len(found) == 1 else None

    @property
    def least(self) -> int | None:
        """The lowest number that it can be; None: no bound is known."""
        if self.few is None:
            return self.low
        return min((value for value in self.few if isinstance(value, int)), default=None)

    @property
    def most(self) -> int | None:
        """The highest number that it can be; None: no bound is known."""
        if self.few is None:
            return self.high
        return max((value for value in self.few if isinstance(value, int)), default=None)

    @property
    def can_be_nothing(self) -> bool:
        return None in self.few if self.few is not None else self.nothing


@dataclass(frozen=True, slots=True)
class Card:
    """A card of which the face is known."""

    face: int


CARDS = tuple(Card(face) for face in FACES)
"""Each face as a card whose face is known."""


def exactly(*values: Value) -> Possible:
    """One of these."""
    return Possible(frozenset(values))


def between(low: int | None, high: int | None, nothing: bool = False) -> Possible:
    """A number within bounds."""
    if low is not None and low == high:
        return exactly(low, None) if nothing else exactly(low)
    return Possible(None, low, high, nothing)


ANYTHING = Possible(None, nothing=True)
SOMETHING = Possible(None)
NUMBER = Possible(None)
YES, NO, EITHER = exactly(True), exactly(False), exactly(True, False)


def condition(truth: bool | None) -> Possible:
    """Yes, no, or either."""
    return EITHER if truth is None else YES if truth else NO


def union(many: Iterable[Possible]) -> Possible:
    """What any of these can be."""
    found = list(many)
    if not found:
        return exactly(None)
    few: frozenset[Value] = frozenset()
    for each in found:
        if each.few is None:
            break
        few |= each.few
    else:
        if len(few) <= MOST_FEW:
            return Possible(few)
    nothing = any(each.can_be_nothing for each in found)
    numbers = [each for each in found if each.few != frozenset((None,))]
    lows, highs = [each.least for each in numbers], [each.most for each in numbers]
    return Possible(
        None,
        None if None in lows else min(each for each in lows if each is not None),
        None if None in highs else max(each for each in highs if each is not None),
        nothing,
    )


def without_nothing(value: Possible) -> Possible:
    if value.few is not None:
        return Possible(value.few - {None})
    return Possible(None, value.low, value.high)


# ---- reckoning ---------------------------------------------------------------------------------


def reckoned(sign: str, left: Possible, right: Possible) -> Possible:
    """`left sign right`; nothing makes nothing."""
    if left.few is not None and right.few is not None and len(left.few) * len(right.few) <= 64:
        found = frozenset(result(sign, one, two) for one in left.few for two in right.few)
        if len(found) <= MOST_FEW:
            return Possible(found)
    nothing = left.can_be_nothing or right.can_be_nothing
    a, b, c, d = left.least, left.most, right.least, right.most
    match sign:
        case "+":
            low, high = _add(a, c), _add(b, d)
        case "-":
            low, high = _add(a, _negative(d)), _add(b, _negative(c))
        case "min":
            low = None if a is None or c is None else min(a, c)
            high = b if d is None else d if b is None else min(b, d)
        case "max":
            low = a if c is None else c if a is None else max(a, c)
            high = None if b is None or d is None else max(b, d)
        case _:
            low, high = _product(a, b, c, d)
    return between(low, high, nothing)


def _add(one: int | None, two: int | None) -> int | None:
    return None if one is None or two is None else one + two


def _negative(value: int | None) -> int | None:
    return None if value is None else -value


def _product(
    a: int | None, b: int | None, c: int | None, d: int | None
) -> tuple[int | None, int | None]:
    corners = [
        0 if 0 in (one, two) else one * two
        for one in (-inf if a is None else a, inf if b is None else b)
        for two in (-inf if c is None else c, inf if d is None else d)
    ]
    low, high = min(corners), max(corners)
    return None if low == -inf else int(low), None if high == inf else int(high)


# ---- comparing ---------------------------------------------------------------------------------


def compared(sign: str, left: Possible, right: Possible) -> Possible:
    """`left sign right`; with nothing on a side it is no, and `!=` is the contrary of `=`."""
    if left.few is not None and right.few is not None and len(left.few) * len(right.few) <= 400:
        return Possible(frozenset(holds(sign, a, b) for a in left.few for b in right.few))
    if sign not in ("=", "!=") and ONLY_NOTHING in (left.few, right.few):
        return NO
    found = _bounds(sign, left, right)
    if found is not None and (found is False or not _may_fail(left, right)):
        return condition(found)
    if sign == "!=" and found is True:
        return YES
    return EITHER


def _may_fail(left: Possible, right: Possible) -> bool:
    return left.can_be_nothing or right.can_be_nothing


def _bounds(sign: str, left: Possible, right: Possible) -> bool | None:
    """What the bounds of two numbers say, nothing left aside."""
    a, b, c, d = left.least, left.most, right.least, right.most
    match sign:
        case "<":
            return _less(a, b, c, d)
        case ">":
            return _less(c, d, a, b)
        case ">=":
            return _contrary(_less(a, b, c, d))
        case "<=":
            return _contrary(_less(c, d, a, b))
    apart = (b is not None and c is not None and b < c) or (
        d is not None and a is not None and d < a
    )
    return (sign == "!=") if apart else None


def _less(a: int | None, b: int | None, c: int | None, d: int | None) -> bool | None:
    if b is not None and c is not None and b < c:
        return True
    if a is not None and d is not None and a >= d:
        return False
    return None


def _contrary(value: bool | None) -> bool | None:
    return None if value is None else not value
