"""What may be meant by a word that has no meaning, or another one, where it stands."""

from __future__ import annotations

from collections.abc import Iterator

from meldc.check import types
from meldc.check.elaborator import Elaborator
from meldc.check.scope import Scope
from meldc.diagnostics import suggest
from meldc_runtime.program.reserved import MELD_ATTRS

_RANK_WORDS = {
    "ace": "A",
    "king": "K",
    "queen": "Q",
    "jack": "J",
    "knave": "J",
    "joker": "Jkr",
    "ten": "10",
    "nine": "9",
    "eight": "8",
    "seven": "7",
    "six": "6",
    "five": "5",
    "four": "4",
    "three": "3",
    "two": "2",
    "deuce": "2",
}


def of_rank(word: str) -> tuple[str, ...]:
    """The rank that a word names."""
    one = word if word in _RANK_WORDS else word.removesuffix("s").removesuffix("e")
    rank = _RANK_WORDS.get(word.removesuffix("s")) or _RANK_WORDS.get(one)
    return (f"write `{rank}`: ranks are `2` to `10`, `J`, `Q`, `K`, `A` and `Jkr`",) if rank else ()


def said_of_another(
    el: Elaborator, word: str, subject: str, scope: Scope, expected: str
) -> tuple[str, ...]:
    """What a word that is said of cards, and of no meld, may mean of the meld looked at."""
    if types.MELD in [thing.type for thing in scope.looked_at]:
        rows = tuple(_rows(el, word))
        fields = tuple(
            f"did you mean `{each}`? that is said of a meld"
            for each in suggest(word, [name for name in MELD_ATTRS if name.startswith(word[:3])])
        )
        found = fields or rows if expected == types.NUMBER else (*rows, *fields)
        if found:
            return found
    return (f"write `x is {word}` or `x.{word}`, where x is the {subject}",)


def _rows(el: Elaborator, word: str) -> Iterator[str]:
    for asked, table in el.vocabulary.sort_words.items():
        if word in el.vocabulary.rows[table]:
            yield f"`{word}` is a row of `{table}`: write `{asked} = {word}`"
