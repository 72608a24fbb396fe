"""Names that authors cannot give, since the language has them."""

from __future__ import annotations

from collections.abc import Iterator

from meldc.check.elaborator import Elaborator
from meldc.check.vocabulary import (
    BUILT_IN_MEMORIES,
    BUILT_IN_NAMES,
    FUNCTIONS,
    MELD_ZONE,
)
from meldc.source import Span
from meldc_runtime.cards import SUIT_WORDS
from meldc_runtime.program.reserved import CARD_ATTRS, MELD_ATTRS

RESERVED = frozenset(
    (
        *BUILT_IN_NAMES,
        *BUILT_IN_MEMORIES,
        *FUNCTIONS,
        *CARD_ATTRS,
        *MELD_ATTRS,
        *SUIT_WORDS,
        "card",
        "chance",
        "empty",
        "meld",
        "new",
    )
)


def check_reserved(el: Elaborator) -> None:
    """Reports declarations and classes whose name the language has already."""
    for name, span in _declared(el):
        if name in RESERVED and name != MELD_ZONE:
            el.error(
                "MC0453",
                f"`{name}` is a word of the language",
                span,
                "nothing may hide it",
                help=("choose another name",),
            )


def _declared(el: Elaborator) -> Iterator[tuple[str, Span | None]]:
    for group in el.model.declarations.read_by_name:
        for name, entry in group.items():
            yield name, entry.declaration.name.span
    for name, cell in el.model.classes.items():
        yield name, cell.span
