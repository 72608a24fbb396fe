"""Cards and melds in words, for messages."""

from __future__ import annotations

from collections.abc import Iterable

from meldc.check.inspection import listed
from meldc.check.possible.melds import Form
from meldc_runtime.cards import (
    BLACK,
    JOKER,
    RANK_OF,
    RANK_WORDS,
    RED,
    SUIT_LETTERS,
    SUIT_OF,
    SUIT_WORDS,
)
from meldc_runtime.program.declarations import Program

MOST_NAMED = 6


def cards_named(faces: Iterable[int], pack: Iterable[int]) -> str:
    """`4s, black 3s and jokers`: cards by rank where all of a rank are meant."""
    found, there = set(faces), set(pack)
    suits = [suit for suit in range(4) if {f for f in found if SUIT_OF[f] == suit}]
    whole = {face for face in there if SUIT_OF[face] in suits}
    if found == whole and len(suits) < 3:
        return listed(SUIT_WORDS[suit] for suit in suits)
    words = []
    for rank in sorted({RANK_OF[face] or 0 for face in found}):
        mine = {face for face in found if RANK_OF[face] == rank}
        words.append(_of_rank(rank, mine, {face for face in there if RANK_OF[face] == rank}))
    if len(words) > MOST_NAMED:
        words = [*words[: MOST_NAMED - 1], f"{len(words) - MOST_NAMED + 1} ranks more"]
    return listed(words)


def _of_rank(rank: int, mine: set[int], all_: set[int]) -> str:
    if JOKER in mine:
        return "jokers"
    word = RANK_WORDS[rank]
    if mine == all_:
        return f"{word}s"
    if mine == {face for face in all_ if RED[face]}:
        return f"red {word}s"
    if mine == {face for face in all_ if BLACK[face]}:
        return f"black {word}s"
    return ", ".join(f"{word}{SUIT_LETTERS[SUIT_OF[face] or 0]}" for face in sorted(mine))


def meld_named(form: Form, program: Program) -> str:
    """`set of 7 with 2 wild cards`."""
    words = f"{program.kinds[form.kind].name} of {form.size}"
    if program.kinds[form.kind].wilds[1] != 0:
        count = "no" if form.wilds == 0 else str(form.wilds)
        words += f" with {count} wild card{'s' * (form.wilds != 1)}"
    return words


def counted(number: int, word: str) -> str:
    """`1 card`, `2 cards`."""
    return f"{number} {word}{'s' * (number != 1)}"
