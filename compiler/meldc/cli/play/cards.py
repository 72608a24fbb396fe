"""Cards as people see them: with signs or letters, sorted and grouped as players hold them."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence

from meldc_runtime.cards import SUIT_LETTERS, SUIT_OF, SUIT_SIGNS, parse_card
from meldc_runtime.program.declarations import Program
from meldc_runtime.program.expressions import CardAttr
from meldc_runtime.program.nodes import walk

NO_SUIT = 4
_CARD = re.compile(r"\b(10|[2-9JQKA])([CDHS])\b")


def with_signs(text: str) -> str:
    """A text with the suits of its cards as signs."""
    return _CARD.sub(lambda m: m[1] + SUIT_SIGNS[SUIT_LETTERS.index(m[2])], text)


def grouped(
    cards: Sequence[str], suits: bool, wild: Collection[str] = (), ace_low: bool = False
) -> list[list[str]]:
    """A hand in groups: wild cards first, then by rank, high ones first, or by suit, low ones
    first; there aces stand below the other cards of a suit if `ace_low`.
    """
    named = {face: card for card in cards if (face := parse_card(card)) is not None}
    faces = [face for card in cards if (face := parse_card(card)) is not None]
    groups: dict[int, list[int]] = {}
    for face in sorted(faces, key=lambda face: (not (ace_low and named[face][0] == "A"), face)):
        if named[face] in wild:
            group = -99
        elif suits:
            group = NO_SUIT if (suit := SUIT_OF[face]) is None else suit
        else:
            group = -(face >> 2)
        groups.setdefault(group, []).append(face)
    groups.get(-99, []).reverse()
    return [[named[face] for face in groups[group]] for group in sorted(groups)]


def by_suit(program: Program) -> bool:
    """Whether a game reads suits: it has runs, or asks for the suit of a card."""
    if any(kind.shape == "run" for kind in program.kinds):
        return True
    judged = (program.rules, program.moments, program.actions, program.scores)
    return any(isinstance(node, CardAttr) and node.attr == "suit" for node in walk(judged))


def ace_is_low(program: Program) -> bool:
    """Whether the ace of a suit comes before the 2 in all runs of a game."""
    aces = {kind.ace for kind in program.kinds if kind.shape == "run"}
    return aces == {"low"}
