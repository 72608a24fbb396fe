"""Whose words the parts of a game are: of the file that is checked, or of what it builds on."""

from __future__ import annotations

from meldc.resolve.model import Cell, Resolved, Steps
from meldc.source import Span, is_shipped_file


def is_own(model: Resolved, steps: Steps) -> bool:
    """Whether the game itself, or a house rule laid on it, said it: not what it builds on.

    With house rules over a game that comes with meldc it is they that are looked at.
    """
    if not steps:
        return False
    if is_house(steps):
        return True
    looked_at = not (model.house and is_shipped(model.span))
    return looked_at and steps[-1].source == f"variant {model.name}"


def is_authored(model: Resolved, steps: Steps) -> bool:
    """Whether the game itself said it, or a machine or part that does not come with meldc."""
    if is_own(model, steps):
        return True
    return not model.house and _is_of_own_machine(steps)


def of_the_author(model: Resolved, steps: Steps) -> bool:
    """As `is_authored`; the author's own machine also with house rules laid on the game."""
    return is_own(model, steps) or _is_of_own_machine(steps)


def is_shipped(span: Span | None) -> bool:
    """Whether a place is in a file that comes with meldc, which no author of a game changes."""
    return span is not None and is_shipped_file(span.file)


def _is_of_own_machine(steps: Steps) -> bool:
    last = steps[-1] if steps else None
    return (
        last is not None
        and last.source.startswith(("machine ", "part "))
        and last.span is not None
        and not is_shipped(last.span)
    )


def is_house(steps: Steps) -> bool:
    """Whether a house rule or the command line said it."""
    source = steps[-1].source if steps else ""
    return source.startswith("house ") or source == "command line"


def repeats(steps: Steps) -> bool:
    """Whether the last step says what the one before says."""
    return len(steps) > 1 and steps[-1].text == steps[-2].text


def blame(model: Resolved, *cells: Cell[object] | None) -> Span | None:
    """Where to point: at the first of these that the game itself said, else at the first.

    What stands in a file of the author goes before a house rule that comes with meldc.
    """
    said = [cell for cell in cells if cell is not None]
    own = [cell for cell in said if is_own(model, cell.steps)]
    own.sort(key=lambda cell: is_shipped(cell.span))
    return next((cell.span for cell in (*own, *said) if cell.span is not None), None)


def taken_away(model: Resolved, *categories: str, that: str = "") -> list[Span]:
    """Where the game itself removes declarations (`moment `) or rows (`values.`).

    that: words of the rule language that stood in what was removed.
    """
    found = dict.fromkeys(
        steps[-1].span
        for what, steps in model.removed.items()
        if any(what.startswith(each) if each[-1] in " ." else what == each for each in categories)
        and is_own(model, steps)
        and (not that or any(that in step.text for step in steps[:-1]))
    )
    return sorted((span for span in found if span is not None), key=is_shipped)
