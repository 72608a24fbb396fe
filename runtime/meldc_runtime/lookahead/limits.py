"""What the ways to a goal read, and what they compare it with."""

from __future__ import annotations

from typing import Any

from meldc_runtime.lookahead.goals import Way
from meldc_runtime.program import expressions as x
from meldc_runtime.program.nodes import children
from meldc_runtime.writing.nodes import free_names

Bound = tuple[str, int]
"""A sort of bound and the fact it bounds."""


def read_by(way: Way) -> tuple[list[int], list[tuple[str, int]]]:
    """The constants and the bounds that a way reads, in the order of its parameters."""
    names = sorted(free_names(way.condition))
    given = [int(name.split("_")[1]) for name in names if name.startswith("given_")]
    bounds = [
        (name.split("_")[0], int(name.split("_")[1]))
        for name in names
        if not name.startswith("given_")
    ]
    return given, bounds


def limits_of(way: Way, constants: list[int]) -> list[tuple[Bound, int | None, list[int]]]:
    """What each component of the vector is compared with in a way."""
    components: dict[Bound, tuple[int | None, list[int]]] = {}
    for (sort, fact), limit in _compared(way).items():
        component = ("last" if sort in ("least", "most") else sort, fact)
        most, places = components.get(component, (0, []))
        if limit is None or most is None:
            components[component] = (None, [])
        else:
            most = max([most, *(number for number in limit if number >= 0)])
            components[component] = (
                most,
                places + [constants.index(-1 - number) for number in limit if number < 0],
            )
    return [(component, most, places) for component, (most, places) in components.items()]


def _compared(way: Way) -> dict[Bound, list[int] | None]:
    """What each bound of a way is compared with: numbers, and constants `c` as `-1 - c`; None where
    it is not only compared.
    """
    found: dict[Bound, list[int] | None] = {}

    def bound_of(node: x.Expr) -> tuple[Bound, int] | None:
        """A bound, and what is taken from it."""
        match node:
            case x.Arith("-", inner, x.Const(int() as less)):
                within = bound_of(inner)
                return None if within is None else (within[0], within[1] + less)
            case x.Var(name) if not name.startswith("given_") and "_" in name:
                sort, number = name.split("_")
                return (sort, int(number)), 0
        return None

    def look(node: Any) -> None:
        match node:
            case x.Compare(_, left, right):
                for one, other in ((left, right), (right, left)):
                    bound = bound_of(one)
                    if bound is None:
                        continue
                    limits = found.setdefault(bound[0], [])
                    match other:
                        case x.Const(int() as value) if limits is not None:
                            limits.append(value + bound[1])
                        case x.Var(name) if (
                            name.startswith("given_") and limits is not None and not bound[1]
                        ):
                            limits.append(-1 - int(name.split("_")[1]))
                        case _:
                            found[bound[0]] = None
                if bound_of(left) is None:
                    look(left)
                if bound_of(right) is None:
                    look(right)
            case x.Var():
                bound = bound_of(node)
                if bound is not None:
                    found[bound[0]] = None
            case _:
                for child in children(node):
                    look(child)

    look(way.condition)
    return found
