"""Reckoning with single values, nothing among them, as at play."""

from __future__ import annotations

import operator
from collections.abc import Callable

Value = int | bool | str | None

_COMPARE: dict[str, Callable[[int, int], bool]] = {
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}
_RECKON: dict[str, Callable[[int, int], int]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "min": min,
    "max": max,
}


def holds(sign: str, left: Value, right: Value) -> bool:
    """Whether a comparison of two values holds; with nothing on a side it does not, and `!=` is
    the contrary of `=`.
    """
    if sign == "!=":
        return not holds("=", left, right)
    if left is None or right is None:
        return False
    if sign == "=":
        return left == right
    return isinstance(left, int) and isinstance(right, int) and _COMPARE[sign](left, right)


def result(sign: str, left: Value, right: Value) -> Value:
    """What arithmetic makes of two values; of anything but numbers nothing."""
    if isinstance(left, int) and isinstance(right, int):
        return _RECKON[sign](left, right)
    return None
