"""Looks through the nodes of a Program."""

from __future__ import annotations

from collections.abc import Iterator

from meldc_runtime.program.applied import walk_through
from meldc_runtime.program.binding import substituted
from meldc_runtime.program.declarations import Action, Moment, Program
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
from meldc_runtime.program.nodes import walk


def actions_during(program: Program, phase: str) -> list[Action]:
    """The actions that can be played in a phase, be it that a rule allows them there."""
    allowed = {n for each in program.allowances if phase in each.phases for n in each.actions}
    return [each for each in program.actions if phase in each.phases or each.name in allowed]


def moments_after(program: Program, action: Action) -> Iterator[Moment]:
    """The moments that hang on an action, and those that hang on them."""
    seen, waiting = {action.name}, [action.name]
    while waiting:
        name = waiting.pop()
        for moment in program.moments:
            if name in moment.trigger.targets and moment.name not in seen:
                seen.add(moment.name)
                waiting.append(moment.name)
                yield moment


def reads(node: object, name: str) -> bool:
    """Whether a variable of this name stands in the node."""
    return any(isinstance(each, Var) and each.name == name for each in walk(node))


def reads_only_side(node: object, name: str) -> bool:
    """Whether the player of this name is only asked for his side."""
    total = sum(isinstance(each, Var) and each.name == name for each in walk(node))
    sides = sum(isinstance(each, SideOf) and each.player == Var(name) for each in walk(node))
    return total == sides


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


__all__ = [
    "actions_during",
    "moments_after",
    "reads",
    "reads_only_side",
    "substituted",
    "walk",
    "walk_through",
    "zone_of",
]
