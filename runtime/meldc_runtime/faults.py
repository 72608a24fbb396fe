"""Why cards make no meld of a kind, in words: looked for only when somebody asks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from meldc_runtime import melds
from meldc_runtime.cards import card_text
from meldc_runtime.program.declarations import MeldKind
from meldc_runtime.state import Meld, State

if TYPE_CHECKING:
    from meldc_runtime.table import Table

SHAPES = {
    "same_rank": "its cards are of one rank",
    "run": "its cards are of one suit and in sequence",
    "all_different": "its cards are all of different ranks",
}


def pattern_fault(
    table: Table, state: State, kind: int, base: Meld | None, cards: Sequence[int], player: int
) -> str:
    """What keeps cards from making a meld of a kind (or from joining one), as a sentence about the
    kind. Where the pattern is kept the kind's own condition must be what is broken.
    """
    pattern = table.program.kinds[kind]
    name = kind_text(pattern)
    size = len(cards) + (0 if base is None else len(base.cards))
    if not melds.within(size, pattern.size):
        return f"a {name} has {bounds_text(pattern.size, 'card')}, not {size}"
    natural, wild = table.naturals(state, kind), table.wilds(state)
    strange = [
        card for card in cards if not natural[card] and not (wild[card] and _takes_wilds(pattern))
    ]
    if strange:
        return f"{card_text(strange[0])} does not go into a {name}"
    loose = replace(pattern, naturals=(0, None), wilds=(0, None), contains=())
    meld = melds.shaped(table, state, kind, base, cards, player, loose)
    if meld is None:
        return f"these cards make no {name}: {_shape_text(pattern)}"
    if not melds.within(meld.wilds, pattern.wilds):
        return f"a {name} has {bounds_text(pattern.wilds, 'wild card')}, not {meld.wilds}"
    naturals = len(meld.cards) - meld.wilds
    if not melds.within(naturals, pattern.naturals):
        return f"a {name} has {bounds_text(pattern.naturals, 'natural card')}, not {naturals}"
    if melds.would_be(table, state, kind, base, cards, player) is None:
        return f"a card that a {name} must contain is missing"
    return f"this {name} is not one that may lie"


def kind_text(pattern: MeldKind) -> str:
    """What players call a kind of meld."""
    return (pattern.called or pattern.name).replace("_", " ")


def bounds_text(bounds: melds.Bounds, noun: str) -> str:
    """`3 cards or more`, `no wild cards`, `at most 2 wild cards`, `3 to 7 cards`, `14 cards`."""
    low, high = bounds
    if high is None:
        return f"{_number(low, noun)} or more"
    if high == 0:
        return f"no {noun}s"
    if low == high:
        return _number(low, noun)
    return f"at most {_number(high, noun)}" if low == 0 else f"{low} to {_number(high, noun)}"


def _number(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def _takes_wilds(pattern: MeldKind) -> bool:
    return pattern.wilds[1] != 0


def _shape_text(pattern: MeldKind) -> str:
    if pattern.shape == "groups":
        return f"its cards are in groups of one rank: {', '.join(map(str, pattern.groups))}"
    return SHAPES.get(pattern.shape, "its cards are of its class")
