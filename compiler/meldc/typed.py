"""What people type, brought into the form that a game reads: cards in words, bare ranks of cards in
the hand, words cut short.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import suppress
from itertools import product
from math import prod

from meldc_runtime.cards import SUIT_WORDS, card_text, parse_card
from meldc_runtime.game import ActionError, Game
from meldc_runtime.lookahead import outlook_of

MOST_WAYS = 1000


class AmbiguityError(ActionError):
    """A text that means several actions; the message asks which."""


RANKS = {
    word: rank
    for rank, words in {
        "2": "two deuce",
        "3": "three",
        "4": "four",
        "5": "five",
        "6": "six",
        "7": "seven",
        "8": "eight",
        "9": "nine",
        "10": "ten t",
        "J": "jack",
        "Q": "queen",
        "K": "king",
        "A": "ace",
        "Jkr": "joker jkr",
    }.items()
    for word in (*words.split(), rank.lower())
}
"""Words of a rank, in small letters, and how it is written."""
_PLURALS = {"sixes": "6", **{f"{word}s": rank for word, rank in RANKS.items() if len(word) > 2}}
RANKS |= _PLURALS
_RANK = "|".join(sorted(map(re.escape, RANKS), key=len, reverse=True))
_SUIT = "|".join(f"{word}|{word[:-1]}" for word in SUIT_WORDS)
_FILLERS = re.compile(r"(?<=\s)(?:and|the|an|a(?=\s+[a-z]{3})|my|&)\s", re.IGNORECASE)
"""Words between others that say nothing; `a` alone may be an ace."""
_SUIT_FIRST = re.compile(r"(?<!\S)([CDHS♣♦♥♠])(10|[2-9TJQKA])\b", re.IGNORECASE)
_OF_SUIT = re.compile(rf"\b({_RANK})\s*(?:of|-)\s*({_SUIT})\b", re.IGNORECASE)


def read(game: Game, typed: str, hand: Sequence[str]) -> str:
    """The action that was typed, in its usual form. hand: the cards of the player.

    Raises ActionError where it can be read in no way, AmbiguityError where bare ranks can be in
    more than one.
    """
    with suppress(ActionError):
        return game.parse(typed).text
    text = _in_letters(typed)
    for reading in _readings(game, text, hand):
        with suppress(ActionError):
            return game.parse(reading).text
    return game.parse(typed).text


def ways(typed: str, hand: Sequence[str]) -> Iterator[str]:
    """The text with its bare ranks as cards of the hand, in every way there is, for what `read`
    cannot choose between; none where they are too many to be tried.
    """
    words = list(_without_plurals(_in_letters(typed).split(), hand))
    wanted = dict(_bare_ranks(words))
    held = sorted(set(hand))
    choices = [[card for card in held if _rank(card) == rank] for rank in wanted.values()]
    if prod(map(len, choices)) > MOST_WAYS:
        return
    for chosen in product(*choices):
        if Counter(chosen) <= Counter(hand):
            taken = dict(zip(wanted, chosen, strict=True))
            yield " ".join(taken.get(place, word) for place, word in enumerate(words))


def lacking(typed: str, hand: Sequence[str]) -> dict[str, int]:
    """The ranks that are named more often than the hand holds them, and how often it does."""
    words = list(_without_plurals(_in_letters(typed).split(), hand))
    held = Counter(map(_rank, hand))
    named = Counter(rank for _, rank in _bare_ranks(words))
    return {rank: held[rank] for rank, count in named.items() if count > held[rank]}


def _in_letters(typed: str) -> str:
    """Cards in words as they are written, without words that say nothing."""
    text = _FILLERS.sub(" ", _OF_SUIT.sub(_short, typed.replace(",", " ")))
    return _SUIT_FIRST.sub(r"\2\1", text)


def _short(match: re.Match[str]) -> str:
    rank = RANKS[match[1].lower()]
    return rank if rank == "Jkr" else rank + match[2][0].upper()


def _readings(game: Game, text: str, hand: Sequence[str]) -> Iterator[str]:
    """The text as it stands, its first word filled up, and bare ranks as cards of the hand."""
    for begun in _filled_up(game, text):
        yield begun
        yield _with_cards(game, begun, hand)


def _filled_up(game: Game, text: str) -> Iterator[str]:
    yield text
    head, _, rest = text.strip().partition(" ")
    firsts = dict.fromkeys(action.text.split()[0] for action in game.program.actions)
    fitting = [first for first in firsts if head and first.startswith(head.lower())]
    if len(fitting) == 1 and fitting[0] != head.lower():
        yield f"{fitting[0]} {rest}"


def _with_cards(game: Game, text: str, hand: Sequence[str]) -> str:
    """Bare ranks as cards of the hand, each held card once, in the plural all that are held; behind
    `to` and `onto` a rank names a meld. Raises AmbiguityError where a rank may be one of several
    unequal cards.
    """
    words = list(_without_plurals(text.split(), hand))
    left = sorted(hand)
    for word in words:
        face = parse_card(word)
        if face is not None and card_text(face) in left:
            left.remove(card_text(face))
    wanted = list(_bare_ranks(words))
    for rank in dict.fromkeys(rank for _, rank in wanted):
        _check_choice(game, rank, sum(other == rank for _, other in wanted), left)
    for place, rank in wanted:
        card = next((card for card in left if _rank(card) == rank), None)
        if card is not None:
            left.remove(card)
            words[place] = card
    return " ".join(words)


def _without_plurals(words: Sequence[str], hand: Sequence[str]) -> Iterator[str]:
    """`kings` as the kings of the hand; a rank that names a meld as it is written."""
    for word, names_meld in _naming(words):
        lower = word.lower()
        if names_meld:
            yield RANKS.get(lower, word)
        elif lower in _PLURALS:
            rank = _PLURALS[lower]
            yield from sorted(card for card in hand if _rank(card) == rank) or [word]
        else:
            yield word


def _bare_ranks(words: Sequence[str]) -> Iterator[tuple[int, str]]:
    """Places and ranks of the words that name a rank alone, and no meld."""
    for place, (word, names_meld) in enumerate(_naming(words)):
        if word.lower() in RANKS and not names_meld:
            yield place, RANKS[word.lower()]


def _naming(words: Sequence[str]) -> Iterator[tuple[str, bool]]:
    """The words, and whether they stand where a meld is named."""
    names_meld = False
    for word in words:
        lower = word.lower()
        names_meld = lower in ("to", "onto") or (names_meld and lower != "with")
        yield word, names_meld


def _check_choice(game: Game, rank: str, count: int, left: Sequence[str]) -> None:
    held = [card for card in left if _rank(card) == rank]
    kinds = outlook_of(game.table).kinds.of
    if len(held) > count and len({kinds[parse_card(card) or 0] for card in held}) > 1:
        raise AmbiguityError(f"which {rank}: {' or '.join(dict.fromkeys(held))}?")


def _rank(card: str) -> str:
    return card if card == "Jkr" else card[:-1]
