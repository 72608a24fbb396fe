"""Puts moments into the order in which they are looked at."""

from __future__ import annotations

from typing import Any

from meldc.diagnostics import Collector, Label, error
from meldc.resolve.model import Entry
from meldc.syntax import tree


def in_order(
    moments: dict[str, Entry[tree.MomentDecl]], found: Collector
) -> dict[str, Entry[tree.MomentDecl]]:
    """The moments in order: as written, but one `before M` just before M."""
    hooked = {name: entry for name, entry in moments.items() if _hooks(entry, moments)}
    order = [name for name in moments if name not in hooked]
    waiting = list(hooked)
    while waiting:
        placed = [name for name in waiting if set(_hooks(hooked[name], moments)) <= set(order)]
        if not placed:
            _report_circle([hooked[name] for name in waiting], found)
            placed = waiting
        for name in placed:
            places = [order.index(hook) for hook in _hooks(hooked[name], moments) if hook in order]
            order.insert(min(places, default=len(order)), name)
        waiting = [name for name in waiting if name not in placed]
    return {name: moments[name] for name in order}


def _hooks(entry: Entry[tree.MomentDecl], moments: dict[str, Any]) -> list[str]:
    """The moments that one stands before."""
    trigger = entry.declaration.trigger
    names = trigger.names if isinstance(trigger, tree.Before) else ()
    return [word.text for word in names if word.text in moments]


def _report_circle(waiting: list[Entry[tree.MomentDecl]], found: Collector) -> None:
    first, *others = (entry.declaration for entry in waiting)
    found.add(
        error(
            "MC0415",
            "moments stand before each other in a circle",
            first.name.span,
            f"`{first.name.text}` stands before one that stands before it",
            secondary=[Label(other.name.span, "part of the circle") for other in others],
            help=["let one of them have no `before`"],
        )
    )
