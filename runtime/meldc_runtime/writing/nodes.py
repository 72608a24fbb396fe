"""Which nodes read the state, which bind names, and what names a node reads."""

from __future__ import annotations

from collections.abc import Callable, Iterator
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


MOST_KNOWN = 50_000
"""Nodes known by identity before all are forgotten."""


class ByIdentity:
    """A function of nodes that is worked out once for each. Nodes are told apart by identity: to
    compare their contents costs more than it saves.
    """

    def __init__(self, function: Callable[[Any], Any]) -> None:
        self.function = function
        self.known: dict[int, tuple[Any, Any]] = {}  # with the node, so that it stays what it is

    def __call__(self, node: Any) -> Any:
        found = self.known.get(id(node))
        if found is None:
            if len(self.known) >= MOST_KNOWN:
                self.known.clear()
            found = self.known[id(node)] = (node, self.function(node))
        return found[1]


def free_names(node: Any, below: Callable[[Any], frozenset[str]] | None = None) -> frozenset[str]:
    """The names that a node reads and does not bind itself. below: what gives those of its
    children, where they are known.
    """
    names_of = free_names if below is None else below
    if isinstance(node, x.Var):
        return frozenset((node.name,))
    if isinstance(node, BINDERS):
        inside = node.by if isinstance(node, RECKONING) else node.where
        names = names_of(node.source)
        return names if inside is None else names | (names_of(inside) - {node.var})
    if isinstance(node, ForEach):
        body = frozenset[str]().union(*map(names_of, node.body))
        return names_of(node.source) | (body - {node.var})
    if isinstance(node, Exception_):
        return names_of(node.to) | (names_of(node.cards) - {node.var})
    return frozenset[str]().union(*map(names_of, children(node)))


def expressions_of(program: Any) -> Iterator[Any]:
    """Every expression and effect of a Program, outermost only."""
    for child in children(program):
        if isinstance(child, (x.Expr, Effect)):
            yield child
        else:
            yield from expressions_of(child)


__all__ = [
    "BINDERS", "READS_STATE", "RECKONING", "ByIdentity", "children", "expressions_of", "free_names",
    "rebuild", "walk",
]  # fmt: skip
