"""Places and histories as the Program keeps them."""

from __future__ import annotations

from collections.abc import Iterable

from meldc.resolve import model
from meldc.source import Span
from meldc.syntax import tree
from meldc_runtime.program.declarations import Origin, Step


def origin(span: Span | None) -> Origin | None:
    """The place of a declaration or cell."""
    if span is None:
        return None
    return Origin(span.file, span.line, span.column, span.end_line, span.end_column)


def tags(declaration: tree.Named) -> tuple[str, ...]:
    return tuple(word.text for word in declaration.tags)


def history(
    provenance: Iterable[tuple[str, model.Steps]],
) -> tuple[tuple[str, tuple[Step, ...]], ...]:
    """The steps of every effective value."""
    return tuple(
        (key, tuple(Step(each.source, each.text, origin(each.span)) for each in steps))
        for key, steps in provenance
    )
