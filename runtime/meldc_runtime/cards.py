"""Cards as small integers.

A *face* is what is printed on a card: ``(rank - 2) * 4 + suit`` for the 52 suited cards, `JOKER`
for every joker, `UNKNOWN` for a card whose face the one who looks ahead may not count on. Cards
with equal faces are interchangeable, so a zone is a list of faces.

A card on the table may carry *marks*: who laid it and the rank that it stands for. They sit above
the six bits of the face, so ``card & FACE`` is the face whatever the marks. A card that comes to a
zone without marks (a hand, the stock) loses them.
"""

from __future__ import annotations

CLUBS, DIAMONDS, HEARTS, SPADES = range(4)
SUIT_WORDS = ("clubs", "diamonds", "hearts", "spades")
SUIT_LETTERS = "CDHS"
SUIT_SIGNS = "♣♦♥♠"

JACK, QUEEN, KING, ACE, JOKER_RANK = 11, 12, 13, 14, 15
RANK_WORDS = {JACK: "J", QUEEN: "Q", KING: "K", ACE: "A", JOKER_RANK: "Jkr"} | {
    n: str(n) for n in range(2, 11)
}

JOKER = 52
UNKNOWN = 53
FACES = range(53)

FACE = 0b111111
PLAYER_SHIFT, PLAYER_MASK = 6, 0b11111
STANDS_SHIFT, STANDS_MASK = 11, 0b11111

RANK_OF: tuple[int | None, ...] = (*(face // 4 + 2 for face in range(52)), JOKER_RANK, None)
SUIT_OF: tuple[int | None, ...] = (*(face % 4 for face in range(52)), None, None)
RED: tuple[bool, ...] = (*(face % 4 in (DIAMONDS, HEARTS) for face in range(52)), False, False)
BLACK: tuple[bool, ...] = (*(face % 4 in (CLUBS, SPADES) for face in range(52)), False, False)


def face_of(rank: int, suit: int) -> int:
    """The face with this rank (2 … 14) and suit (0 … 3)."""
    return (rank - 2) * 4 + suit


def mark(card: int, player: int | None, stands_for: int | None = None) -> int:
    """The card as laid by a player, standing for a rank (None: for itself)."""
    marks = 0 if player is None else (player + 1) << PLAYER_SHIFT
    if stands_for is not None:
        marks |= stands_for << STANDS_SHIFT
    return (card & FACE) | marks


def laid_by(card: int) -> int | None:
    """Who laid the card, as far as it is marked."""
    player = (card >> PLAYER_SHIFT) & PLAYER_MASK
    return player - 1 if player else None


def stands_for(card: int) -> int | None:
    """The rank a wild card stands for, None where a card lies as itself."""
    return ((card >> STANDS_SHIFT) & STANDS_MASK) or None


def card_text(card: int, signs: bool = False) -> str:
    """`KH`, `10S`, `Jkr`; with suit signs where asked for."""
    face = card & FACE
    if face == JOKER:
        return "Jkr"
    if face == UNKNOWN:
        return "??"
    suit = SUIT_OF[face]
    rank = RANK_OF[face]
    assert suit is not None and rank is not None
    return RANK_WORDS[rank] + (SUIT_SIGNS if signs else SUIT_LETTERS)[suit]


def parse_card(text: str) -> int | None:
    """The face that a text names (`KH`, `th`, `10♠`, `jkr`), or None."""
    word = text.strip().upper()
    if word in ("JKR", "JOKER"):
        return JOKER
    if len(word) < 2:
        return None
    suit = SUIT_LETTERS.find(word[-1])
    if suit < 0:
        suit = SUIT_SIGNS.find(word[-1])
    rank = {"T": 10, "J": JACK, "Q": QUEEN, "K": KING, "A": ACE}.get(word[:-1])
    if rank is None and word[:-1].isascii() and word[:-1].isdecimal() and 2 <= int(word[:-1]) <= 10:
        rank = int(word[:-1])
    return None if suit < 0 or rank is None else face_of(rank, suit)
