"""Whose words the parts of a game are: of the file that is checked, or of what it builds on."""

from __future__ import annotations

from meldc.resolve.model import Cell, Resolved, Steps
from meldc.source import SHIPPED, Span


def is_own(model: Resolved, steps: Steps) -> bool:
    """Whether the game itself, or a house rule laid on it, said it: not what it builds on.

    With house rules over a game that comes with meldc it is they that are looked at.
    """
    if not steps:
        return False
    if is_house(steps):
        return True
    return steps[-1].source == f"variant {model.name}" and not (model.house and _is_shipped(model))


def is_authored(model: Resolved, steps: Steps) -> bool:
    """Whether the game itself said it, or a machine or part that does not come with meldc."""
    if is_own(model, steps):
        return True
    last = steps[-1] if steps else None
    return (
        last is not None
        and not model.house
        and last.source.startswith(("machine ", "part "))
        and last.span is not None
        and not last.span.file.startswith(SHIPPED)
    )


def _is_shipped(model: Resolved) -> bool:
    return model.span is not None and model.span.file.startswith(SHIPPED)


def is_house(steps: Steps) -> bool:
    """Whether a house rule or the command line said it."""
    source = steps[-1].source if steps else ""
    return source.startswith("house ") or source == "command line"


def blame(model: Resolved, *cells: Cell[object] | None) -> Span | None:
    """Where to point: at the first of these that the game itself said, else at the first."""
    said = [cell for cell in cells if cell is not None]
    own = [cell for cell in said if is_own(model, cell.steps)]
    return next((cell.span for cell in (*own, *said) if cell.span is not None), None)
