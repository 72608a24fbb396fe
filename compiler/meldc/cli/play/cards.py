"""Cards as people see them: with signs or letters, sorted and grouped as players hold them."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence

from meldc_runtime.cards import SUIT_LETTERS, SUIT_OF, SUIT_SIGNS, parse_card
from meldc_runtime.nodes import nodes_of
from meldc_runtime.program.declarations import Program
from meldc_runtime.program.expressions import CardAttr

_CARD = re.compile(r"\b(10|[2-9JQKA])([CDHS])\b")


def with_signs(text: str) -> str:
    """A text with the suits of its cards as signs."""
    return _CARD.sub(lambda m: m[1] + SUIT_SIGNS[SUIT_LETTERS.index(m[2])], text)


def grouped(cards: Sequence[str], suits: bool, wild: Collection[str] = ()) -> list[list[str]]:
    """A hand in groups: wild cards first, then by rank, high ones first, or by suit, low ones
    first.
    """
    first = [card for card in cards if card in wild]
    faces = [face for card in cards if card not in wild if (face := parse_card(card)) is not None]
    groups: dict[int, list[int]] = {}
    for face in sorted(faces, key=lambda f: ((SUIT_OF[f] or 0) if suits else -(f >> 2), f)):
        groups.setdefault((SUIT_OF[face] or 0) if suits else face >> 2, []).append(face)
    named = {face: card for card in cards if (face := parse_card(card)) is not None}
    jokers_first = sorted(first, key=lambda card: -(parse_card(card) or 0))
    rest = [[named[face] for face in group] for group in groups.values()]
    return [jokers_first, *rest] if first else rest


def by_suit(program: Program) -> bool:
    """Whether a game reads suits: it has runs, or asks for the suit of a card."""
    if any(kind.shape == "run" for kind in program.kinds):
        return True
    judged = (program.rules, program.moments, program.actions, program.scores)
    return any(isinstance(node, CardAttr) and node.attr == "suit" for node in nodes_of(judged))
