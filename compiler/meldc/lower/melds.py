"""Kinds of meld."""

from __future__ import annotations

from collections.abc import Iterator

from meldc.check import expressions, patterns
from meldc.check.elaborator import Elaborator
from meldc.lower.places import origin
from meldc.lower.tables import meld_scope
from meldc.resolve import model
from meldc_runtime.program.declarations import MeldKind

Bounds = tuple[int, int | None]


def kinds(el: Elaborator) -> Iterator[MeldKind]:
    """Every row of `melds:` with its defaults filled in."""
    for row in el.model.melds.values():
        yield _kind(el, row)


def _kind(el: Elaborator, row: model.MeldRow) -> MeldKind:
    name = row.name.text
    shape = row.shape.value if row.shape is not None else model.Shape("any")
    cards = patterns.condition(el, row.cards.value) if row.cards is not None else patterns.YES
    size = _size(row, shape)
    contains = row.contains.value if row.contains is not None else ()
    condition = None
    if row.condition is not None:
        found = expressions.condition(el, row.condition.value, meld_scope())
        condition = None if found == patterns.YES else found
    return MeldKind(
        name,
        shape.form,
        shape.groups,
        cards,
        _bounds(el, row.naturals, (0, None)),
        _wilds(el, row),
        size if size is not None else _bounds(el, row.size, (1, None)),
        tuple(patterns.condition(el, each) for each in contains),
        row.ace.value if row.ace is not None else "high",
        condition,
        row.how_many.value if row.how_many is not None else "many",
        row.called.value if row.called is not None else name,
        origin(row.name.span),
        row.wilds_go.value if row.wilds_go is not None else "stay",
    )


def _size(row: model.MeldRow, shape: model.Shape) -> Bounds | None:
    """The size that the shape fixes by itself."""
    if shape.form != "groups":
        return None
    total = sum(shape.groups)
    return total, total


def _wilds(el: Elaborator, row: model.MeldRow) -> Bounds:
    if row.wilds is None:
        return 0, 0
    found = _bounds(el, row.wilds, (0, None))
    known = "wild" in el.vocabulary.classes or "wild" in el.vocabulary.definitions
    if found != (0, 0) and not known:
        el.error(
            "MC0607",
            f"`{row.name.text}` takes wild cards, and no card is `wild`",
            row.wilds.span,
            help=("say which cards are, in `cards:` or as `define wild of card = …`",),
        )
    return found


def _bounds(el: Elaborator, cell: model.Cell[model.Bounds] | None, default: Bounds) -> Bounds:
    if cell is None:
        return default
    low, high = cell.value.low or 0, cell.value.high
    if high is not None and high < low:
        el.error(
            "MC0605",
            f"the lower bound {low} lies above the upper bound {high}",
            cell.span,
            help=(f"write `{high}..{low}`",),
        )
        return high, low
    return low, high
