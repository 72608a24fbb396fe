"""What an expression comes to at a table of so many players, where the number alone decides it."""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from meldc.syntax import tree

_COMPARE: Mapping[str, Callable[[Any, Any], bool]] = {
    "=": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}
_RECKON: Mapping[str, Callable[[int, int], int]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
}


class _OpenError(Exception):
    """More than the number of players decides."""


def same_at_all_tables(left: object, right: object, players: Iterable[int]) -> bool:
    """Whether two expressions come to the same for each of these numbers of players."""
    try:
        return all(_value(left, number) == _value(right, number) for number in players)
    except _OpenError:
        return False


def _value(node: object, players: int) -> int | bool:
    match node:
        case tree.Number(value=number):
            return number
        case tree.Truth(value=truth):
            return truth
        case tree.Negative(operand=operand):
            return -_value(operand, players)
        case tree.Not(operand=operand):
            return not _value(operand, players)
        case tree.And(parts=parts):
            return all(_value(part, players) for part in parts)
        case tree.Or(parts=parts):
            return any(_value(part, players) for part in parts)
        case tree.Arithmetic(sign=sign, left=left, right=right) if sign in _RECKON:
            return _RECKON[sign](_value(left, players), _value(right, players))
        case tree.Comparison(sign=sign, left=left, right=right) if sign in _COMPARE:
            return _COMPARE[sign](_value(left, players), _value(right, players))
        case tree.Choice(condition=condition, then=then, otherwise=otherwise):
            return _value(then if _value(condition, players) else otherwise, players)
        case tree.Call(name=tree.Word(text="count"), arguments=(tree.Name(name="players"),)):
            return players
        case tree.Call(name=tree.Word(text="min" | "max" as name), arguments=arguments):
            values = [_value(argument, players) for argument in arguments]
            return min(values) if name == "min" else max(values)
    raise _OpenError
