"""Which nodes read the state, which bind names, and what names a node reads."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from meldc_runtime.program import expressions as x
from meldc_runtime.program.effects import Effect, Exception_, ForEach
from meldc_runtime.program.nodes import children, rebuild, walk

READS_STATE: tuple[type[x.Expr], ...] = (
    x.Remembered, x.ZoneCards, x.MeldsOf, x.MeldCards, x.MeldAttr, x.Acting, x.Joined, x.Can,
    x.Only, x.SortedAs, x.Unmelded, x.CurrentPhase, x.DealScore,
)  # fmt: skip

RECKONING = (x.Sum, x.Best, x.Unmelded)
"""Queries that work out something of each element, `by`."""

BINDERS = (x.Filter, x.Count, x.Exists, x.ForAll, *RECKONING)


def free_names(node: Any) -> frozenset[str]:
    """The names that a node reads and does not bind itself."""
    if isinstance(node, x.Var):
        return frozenset((node.name,))
    if isinstance(node, BINDERS):
        inside = node.by if isinstance(node, RECKONING) else node.where
        names = free_names(node.source)
        return names if inside is None else names | (free_names(inside) - {node.var})
    if isinstance(node, ForEach):
        body = frozenset[str]().union(*(free_names(effect) for effect in node.body))
        return free_names(node.source) | (body - {node.var})
    if isinstance(node, Exception_):
        return free_names(node.to) | (free_names(node.cards) - {node.var})
    return frozenset[str]().union(*map(free_names, children(node)))


def expressions_of(program: Any) -> Iterator[Any]:
    """Every expression and effect of a Program, outermost only."""
    for child in children(program):
        if isinstance(child, (x.Expr, Effect)):
            yield child
        else:
            yield from expressions_of(child)


__all__ = [
    "BINDERS", "READS_STATE", "RECKONING", "children", "expressions_of", "free_names", "rebuild",
    "walk",
]  # fmt: skip
