"""Kinds of meld against the pack and the hand: what nobody can form, or never finish."""

from __future__ import annotations

from collections.abc import Iterator

from meldc.check.hands import largest_hand
from meldc.check.inspection import Inspection, labels
from meldc.check.naming import counted
from meldc.check.packs import most_together, span_of
from meldc.resolve import model
from meldc.source import Span
from meldc_runtime.program.declarations import MeldKind

WHOLE = ("groups", "all_different")
"""Shapes of hands that are laid whole."""


def check_kinds(inspection: Inspection) -> None:
    """Reports kinds of meld that cannot be formed, or not as large as they say."""
    for place, kind in enumerate(inspection.program.kinds):
        sizes = [
            form.size for judge in inspection.judges for form in judge.forms if form.kind == place
        ]
        if not sizes or _lacks(inspection, kind):
            inspection.short_of_melds = True
            _report_impossible(inspection, kind)
            continue
        _check_full(inspection, kind, max(sizes))
        _check_hand(inspection, kind)


def _cells(row: model.MeldRow) -> Iterator[tuple[str, model.Cell[object]]]:
    yield from row.cells()


def _lacks(inspection: Inspection, kind: MeldKind) -> bool:
    """Whether a card that must be in it is not in the pack, or may not lie in it."""
    return any(
        not any(judge.fits(each, face) and judge.fits(kind.cards, face) for face in judge.pack)
        for judge in inspection.judges
        for each in kind.contains
    )


# ---- kinds that cannot be formed ---------------------------------------------------------------


def _report_impossible(inspection: Inspection, kind: MeldKind) -> None:
    row = inspection.model.melds[kind.name]
    message, cells = _reason(inspection, kind, row)
    span = inspection.blame(*cells)
    inspection.error(
        "MC0606",
        f"nobody can form a meld of the kind `{kind.name}`: {message}",
        span or span_of(kind.origin),
        "",
        secondary=labels(
            (row.name.span, "the kind")
            if span != row.name.span and span is not None
            else (None, "")
        ),
        help=("compare its `cards`, `size`, `naturals` and `wilds` with the pack",),
    )


def _reason(
    inspection: Inspection, kind: MeldKind, row: model.MeldRow
) -> tuple[str, tuple[model.Cell[object] | None, ...]]:
    pack = inspection.model.pack
    least, most = kind.naturals[0] + kind.wilds[0], kind.size[1]
    if most is not None and least > most:
        return f"it needs {least} cards at least and has {most} at most", (
            *(row.naturals, row.wilds, row.size),
        )
    if kind.naturals[1] is not None and kind.wilds[1] is not None:
        together = kind.naturals[1] + kind.wilds[1]
        if together < kind.size[0]:
            return f"it needs {kind.size[0]} cards, and {together} may lie in it", (
                *(row.size, row.naturals, row.wilds),
            )
    if _lacks(inspection, kind):
        return "a card that it must contain cannot lie in it", (row.contains, row.cards)
    own = max(
        (many for judge in inspection.judges for many in most_together(kind, judge.seating)),
        default=0,
    )
    wild = max(
        sum(n for face, n in judge.pack.items() if judge.is_wild(face))
        for judge in inspection.judges
    )
    if kind.wilds[1] is not None:
        wild = min(wild, kind.wilds[1])
    causes = (row.size, row.naturals, row.wilds, row.cards, row.shape, pack.packs, pack.jokers)
    if own < kind.naturals[0]:
        return (
            f"it needs {counted(kind.naturals[0], 'natural card')}, and at most {own} can lie "
            "together"
        ), (row.naturals, *causes)
    if own + wild < kind.size[0]:
        cards = f"at most {own + wild} cards can lie together"
        return f"it needs {counted(kind.size[0], 'card')}, and {cards}", causes
    if kind.condition is not None:
        return "its `if` never holds", (row.condition, *causes)
    return "too few cards of the pack may lie in it", causes


# ---- kinds that never become full --------------------------------------------------------------


def _check_full(inspection: Inspection, kind: MeldKind, largest: int) -> None:
    row, full = inspection.model.melds[kind.name], kind.size[1]
    if full is None or largest >= full or full >= inspection.judges[0].cap:
        return
    if kind.name in inspection.never_full:
        return  # that a row asks for too many cards is said already
    pack = inspection.model.pack
    inspection.warn(
        "MC0616",
        f"a meld of the kind `{kind.name}` never has {counted(full, 'card')}: at most {largest} "
        "can lie in it",
        inspection.blame(row.size, row.cards, row.wilds, pack.packs, pack.jokers),
        "",
        secondary=labels((row.name.span, "the kind")),
        help=(f"write a size up to {largest}, or give the pack more such cards",),
    )


def _check_hand(inspection: Inspection, kind: MeldKind) -> None:
    """A kind that is laid as a whole hand, and no hand has so many cards."""
    if kind.shape not in WHOLE:
        return
    found = [largest_hand(inspection, judge) for judge in inspection.judges]
    hands = [hand for hand in found if hand is not None]
    if not hands or max(hand.cards for hand in hands) >= kind.size[0]:
        return
    hand = max(hands, key=lambda each: each.cards)
    row = inspection.model.melds[kind.name]
    size_of_hand = inspection.setting(hand.setting)
    inspection.warn(
        "MC0617",
        f"no hand has the {kind.size[0]} cards of `{kind.name}`: {hand.dealt} are dealt and "
        f"{hand.drawn} drawn",
        _place(inspection, row, size_of_hand),
        "",
        secondary=labels((row.name.span, "the kind")),
        help=(f"deal {kind.size[0] - hand.drawn} cards, or correct the shape",),
    )


def _place(
    inspection: Inspection, row: model.MeldRow, size: model.Cell[object] | None
) -> Span | None:
    return inspection.blame(size, row.shape, row.size) or row.name.span
