"""Looks through the nodes of a Program."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields, is_dataclass, replace

from meldc_runtime.program.effects import ZoneRef
from meldc_runtime.program.expressions import (
    Best,
    Bottom,
    Expr,
    Filter,
    First,
    If,
    Join,
    ListOf,
    Nth,
    SideOf,
    Top,
    Var,
    ZoneCards,
)

_FIELDS: dict[type, tuple[str, ...]] = {}


def _names(node: object) -> tuple[str, ...]:
    kind = type(node)
    if kind not in _FIELDS:
        _FIELDS[kind] = tuple(each.name for each in fields(kind)) if is_dataclass(kind) else ()
    return _FIELDS[kind]


def walk(node: object) -> Iterator[object]:
    """The node and every node in it, outer ones first."""
    waiting = [node]
    while waiting:
        here = waiting.pop()
        yield here
        if type(here) is tuple:
            waiting.extend(reversed(here))
        else:
            names = _FIELDS.get(type(here))
            if names is None:
                names = _names(here)
            for name in reversed(names):
                waiting.append(getattr(here, name))


def reads(node: object, name: str) -> bool:
    """Whether a variable of this name stands in the node."""
    return any(isinstance(each, Var) and each.name == name for each in walk(node))


def reads_only_side(node: object, name: str) -> bool:
    """Whether the player of this name is only asked for his side."""
    total = sum(isinstance(each, Var) and each.name == name for each in walk(node))
    sides = sum(isinstance(each, SideOf) and each.player == Var(name) for each in walk(node))
    return total == sides


def substituted(node: Expr, given: dict[str, Expr]) -> Expr:
    """The expression with other expressions in the place of variables."""
    if isinstance(node, Var):
        return given.get(node.name, node)
    changed: dict[str, object] = {}
    for each in fields(node):
        value = getattr(node, each.name)
        if isinstance(value, Expr):
            changed[each.name] = substituted(value, given)
        elif isinstance(value, tuple):
            changed[each.name] = tuple(
                substituted(item, given) if isinstance(item, Expr) else item for item in value
            )
    return replace(node, **changed) if changed else node


def zone_of(cards: Expr, sources: dict[str, ZoneRef]) -> ZoneRef | None:
    """The one zone where cards lie, as far as it can be seen; `sources`: of variables."""
    match cards:
        case ZoneCards(zone, owner, many):
            return None if many else ZoneRef(zone, owner)
        case Filter(source) | First(source) | Best(source):
            return zone_of(source, sources)
        case Top(inner) | Bottom(inner) | Nth(inner):
            return zone_of(inner, sources)
        case ListOf((only,)):
            return zone_of(only, sources)
        case Join(left, right) | If(_, left, right):
            place = zone_of(left, sources)
            return place if place == zone_of(right, sources) else None
        case Var(name):
            return sources.get(name)
        case _:
            return None
