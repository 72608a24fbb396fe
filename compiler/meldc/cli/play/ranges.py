"""Several cards named at once, as people say them: `4-6d`, `4 5 and 6 of diamonds`."""

from __future__ import annotations

import re

from meldc.typed import RANKS
from meldc_runtime.cards import SUIT_LETTERS, SUIT_SIGNS, SUIT_WORDS

_IN_ORDER = ("A", *map(str, range(2, 11)), "J", "Q", "K", "A")
"""The ranks as they follow each other in runs: an ace stands at both ends."""
_SUITS = {
    **dict(zip(SUIT_WORDS, SUIT_LETTERS, strict=True)),
    **{word[:-1]: letter for word, letter in zip(SUIT_WORDS, SUIT_LETTERS, strict=True)},
    **{letter.lower(): letter for letter in SUIT_LETTERS},
    **dict(zip(SUIT_SIGNS, SUIT_LETTERS, strict=True)),
}
_RANK = "|".join(sorted(map(re.escape, RANKS), key=len, reverse=True))
_SIGN = f"[{''.join(SUIT_LETTERS)}{''.join(SUIT_SIGNS)}]"
_WORD = "|".join(f"{word}|{word[:-1]}" for word in SUIT_WORDS)
_SUIT = rf"{_SIGN}|\s*(?:of\s+)?(?:{_WORD})"
_RANGE = re.compile(
    rf"(?<!\S)({_RANK})({_SIGN})?\s*(?:-|\u2013|\.\.)\s*({_RANK})({_SUIT})?(?!\S)",
    re.IGNORECASE,
)
_LIST = re.compile(
    rf"(?<!\S)((?:(?:{_RANK})\s+(?:and\s+)?)+)({_RANK})({_SUIT})(?!\S)", re.IGNORECASE
)


def in_full(typed: str) -> str:
    """A text with each card by itself where several were named with one suit or by their ends;
    ranks without a suit stay so. What is none of these stays as it is.
    """
    apart = " ".join(typed.replace(",", " ").split())
    return _LIST.sub(_each, _RANGE.sub(_between, apart))


def has_range(typed: str) -> bool:
    """Whether cards are named by their ends: such a text can mean nothing else."""
    return _RANGE.sub(_between, typed) != typed


def _between(match: re.Match[str]) -> str:
    first, last = RANKS[match[1].lower()], RANKS[match[3].lower()]
    suits = {_suit(suit) for suit in (match[2], match[4]) if suit}
    if "Jkr" in (first, last) or len(suits) > 1:
        return match[0]
    start = _IN_ORDER.index(first)
    if last not in _IN_ORDER[start + 1 :]:
        return match[0]
    end = _IN_ORDER.index(last, start + 1)
    suit = suits.pop() if suits else ""
    return " ".join(rank + suit for rank in _IN_ORDER[start : end + 1])


def _each(match: re.Match[str]) -> str:
    """A suit said once for several ranks; `9 9 of hearts` is no such list."""
    said = [word.lower() for word in match[1].split()]
    ranks = [RANKS[word] for word in (*said, match[2].lower()) if word != "and"]
    if "Jkr" in ranks or len(set(ranks)) < len(ranks):
        return match[0]
    return " ".join(rank + _suit(match[3]) for rank in ranks)


def _suit(text: str) -> str:
    return _SUITS[text.lower().split()[-1]]
