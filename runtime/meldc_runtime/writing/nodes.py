"""Walking over nodes: children, copies with other children, free names."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator
from typing import Any

from meldc_runtime.program import expressions as x
from meldc_runtime.program.effects import Effect, Exception_, ForEach, MeldPart, ZoneRef
from meldc_runtime.program.expressions import Expr

PARTS = (Expr, Effect, Exception_, MeldPart, ZoneRef)

READS_STATE: tuple[type[Expr], ...] = (
    x.Remembered, x.ZoneCards, x.MeldsOf, x.Acting, x.Joined, x.Can, x.Only, x.SortedAs, x.MeldAttr,
    x.Unmelded, x.CurrentPhase, x.DealScore,
)  # fmt: skip


_FIELDS: dict[type[Any], tuple[str, ...]] = {}


def field_names(cls: type[Any]) -> tuple[str, ...]:
    """The names of the fields of a class of nodes."""
    found = _FIELDS.get(cls)
    if found is None:
        found = _FIELDS[cls] = tuple(f.name for f in dataclasses.fields(cls))
    return found


def children(node: Any) -> Iterator[Any]:
    """The nodes right below a node (an expression or an effect)."""
    for name in field_names(type(node)):
        value = getattr(node, name)
        if isinstance(value, PARTS):
            yield value
        elif isinstance(value, tuple):
            yield from (part for part in value if isinstance(part, PARTS))


def walk(node: Any) -> Iterator[Any]:
    """A node and all below it."""
    yield node
    for child in children(node):
        yield from walk(child)


def rebuild(node: Any, change: Callable[[Any], Any]) -> Any:
    """The node with each child changed; the node itself where no child does."""
    changed: dict[str, Any] = {}
    for name in field_names(type(node)):
        value = getattr(node, name)
        new = value
        if isinstance(value, PARTS):
            new = change(value)
        elif isinstance(value, tuple) and any(isinstance(part, PARTS) for part in value):
            new = tuple(change(part) if isinstance(part, PARTS) else part for part in value)
        if new is not value:
            changed[name] = new
    return dataclasses.replace(node, **changed) if changed else node


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
    return frozenset[str]().union(*(free_names(child) for child in children(node)))


def expressions_of(program: Any) -> Iterator[Any]:
    """Every expression and effect of a Program, outermost only."""
    seen: list[Any] = [program]
    while seen:
        value = seen.pop()
        if isinstance(value, PARTS):
            yield value
        elif isinstance(value, tuple):
            seen.extend(value)
        elif dataclasses.is_dataclass(value):
            seen.extend(getattr(value, name) for name in field_names(type(value)))
