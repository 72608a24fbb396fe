"""Turns what is told at a line that the game builds on to the lines of the author behind it.

What comes with meldc is without problems, so that a problem there comes of what the game changes.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace

from meldc.check.ownership import is_own, is_shipped, repeats
from meldc.diagnostics import Diagnostic, Label
from meldc.resolve.model import Resolved, Steps
from meldc.source import Span
from meldc_runtime.light import dataclass

MOST_SHOWN = 3
"""So many lines of the author are shown with a problem at most."""

_NAMED = re.compile(r"`([^`]+)`")


@dataclass(frozen=True, slots=True)
class Change:
    """What the game itself says or takes away: key as in `why`, place, what to say there."""

    key: str
    span: Span
    text: str


def at_the_author(found: Iterable[Diagnostic], model: Resolved) -> Iterator[Diagnostic]:
    """The diagnostics; those that show no word of the author are led to what he changed.

    Where one change alone can be behind it, that is the place; of several those that have a name
    of the message are shown. Where nothing tells, it stays as it is.
    """
    changes: list[Change] | None = None
    for each in found:
        span = each.primary.span
        if span is None or not is_shipped(span):
            yield each
            continue
        if changes is None:
            changes = list(_changes(model))
        shown = {label.span for label in each.secondary} | {span}
        if any(_is_within(place, change) for place in shown for change in changes):
            yield each
        else:
            yield _led(each, changes)


def _led(problem: Diagnostic, changes: list[Change]) -> Diagnostic:
    names = {name for text in _texts(problem) for name in _NAMED.findall(text)}
    named = [each for each in changes if names & {each.key, *re.split(r"[. ]", each.key)}]
    behind = changes if len(changes) == 1 else named[:MOST_SHOWN]
    if not behind:
        return problem
    first, *further = behind
    there = Label(problem.primary.span, problem.primary.text or "what it leads to")
    labels = [Label(each.span, each.text) for each in further]
    return replace(
        problem,
        primary=Label(first.span, first.text),
        secondary=(there, *labels, *problem.secondary),
        fix=None,
    )


def _texts(problem: Diagnostic) -> Iterator[str]:
    yield problem.message
    yield problem.primary.text


def _is_within(place: Span | None, change: Change) -> bool:
    """Whether a place is in the lines of a change."""
    span = change.span
    return (
        place is not None
        and place.file == span.file
        and span.line <= place.line <= max(span.end_line, span.line)
    )


def _changes(model: Resolved) -> Iterator[Change]:
    """What is taken away first: it is looked for the longest."""
    for what, steps in model.removed.items():
        yield from _change(model, what, steps, "is taken away here")
    own = {key: steps for key, steps in model.provenance() if is_own(model, steps)}
    for key, steps in own.items():
        if not repeats(steps) and not any(other.startswith(f"{key}.") for other in own):
            yield from _change(model, key.removeprefix("settings."), steps, "is set here")


def _change(model: Resolved, key: str, steps: Steps, deed: str) -> Iterator[Change]:
    span = steps[-1].span
    if span is not None and is_own(model, steps):
        yield Change(key, span, f"`{key}` {deed}")
