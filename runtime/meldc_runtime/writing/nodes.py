"""Which nodes read the state, and what is known of each."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from meldc_runtime.program import expressions as x
from meldc_runtime.program.binding import BINDERS, RECKONING, free_names
from meldc_runtime.program.effects import Effect
from meldc_runtime.program.nodes import children, rebuild, walk

READS_STATE: tuple[type[x.Expr], ...] = (
    x.Remembered, x.ZoneCards, x.MeldsOf, x.MeldCards, x.MeldAttr, x.Acting, x.Joined, x.Can,
    x.Only, x.SortedAs, x.Unmelded, x.CurrentPhase, x.DealScore,
)  # fmt: skip

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
