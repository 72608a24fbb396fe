"""Names that nodes bind: which are free, and how others are put in their place."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import replace
from itertools import count
from typing import Any

from meldc_runtime.program import expressions as x
from meldc_runtime.program.effects import Exception_, ForEach
from meldc_runtime.program.nodes import children, rebuild

RECKONING = (x.Sum, x.Best, x.Unmelded)
"""Queries that work out something of each element, `by`."""

BINDERS = (x.Filter, x.Count, x.Exists, x.ForAll, *RECKONING)


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


def substituted(node: Any, values: Mapping[str, x.Expr]) -> Any:
    """An expression with free names replaced; a bound name that would catch a name of a value is
    renamed.
    """
    values = {name: value for name, value in values.items() if value != x.Var(name)}
    if not values:
        return node
    if isinstance(node, x.Var):
        return values.get(node.name, node)
    if not isinstance(node, BINDERS):
        return rebuild(node, lambda child: substituted(child, values))
    inner_name = "by" if isinstance(node, RECKONING) else "where"
    inner, var = getattr(node, inner_name), node.var
    inside = {name: value for name, value in values.items() if name != var}
    if inner is not None:
        read = frozenset[str]().union(*map(free_names, inside.values()))
        if var in read:
            var = _fresh(var, read | free_names(inner) | inside.keys())
            inside[node.var] = x.Var(var)
        inner = substituted(inner, inside)
    return replace(node, source=substituted(node.source, values), var=var, **{inner_name: inner})


def _fresh(name: str, taken: Collection[str]) -> str:
    """A name like this one that is not taken."""
    stem = name.split("__")[0]
    return next(fresh for n in count() if (fresh := f"{stem}__{n}") not in taken)
