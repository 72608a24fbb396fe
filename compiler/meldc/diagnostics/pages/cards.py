"""MC06xx: cards, deck arithmetic, tables."""

from __future__ import annotations

from meldc.diagnostics.pages import tables
from meldc.diagnostics.pages.page import CodePage

_HEAD = "variant: mine\ntitle: Mine\nextends: classic\n"

PAGES: tuple[CodePage, ...] = (
    CodePage(
        "MC0601",
        "a class without cards",
        "No card of the pack is of this class, so what is said of it never holds.",
        _HEAD + "cards: {odd: red black}\n",
        "Correct the pattern, or write `none` where this is meant.",
    ),
    CodePage(
        "MC0602",
        "a rank that is not in the pack",
        "Ranks are 2 … 10, J, Q, K, A and Jkr; a pack may have fewer of them.",
        _HEAD + "rules: |\n  define odd = top(pile).rank = 11\n",
        "Name a rank of the pack.",
    ),
    CodePage(
        "MC0603",
        "a deal larger than the pack",
        "With one of the allowed numbers of players more cards are dealt than there are.",
        _HEAD + "hand_size: 40\n",
        "Deal fewer cards, add packs or allow fewer players.",
    ),
    CodePage(
        "MC0604",
        "a bound that is given twice or out of order",
        "A row `below N` speaks of what lies under every other row; N is the lowest of them.",
        _HEAD + "replace opening_points: {below 100: 15, 0: 50}\n",
        "Write the lowest bound behind `below`.",
    ),
    CodePage(
        "MC0605",
        "bounds the wrong way round",
        "A range goes from the lower to the upper bound, ranks from 2 up to A.",
        _HEAD + "values: {K..4: 10}\n",
        "Turn the range round.",
    ),
    CodePage(
        "MC0606",
        "a kind of meld nobody can form",
        "With the cards of this pack no meld fulfils the row: too few cards may lie in it, those "
        "that it must contain do not go together, or its groups make another size.",
        _HEAD + "melds:\n  odd: {shape: same rank, cards: red 3, size: 9..}\n",
        "Correct the row, or remove it.",
    ),
    CodePage(
        "MC0607",
        "wild cards in a game without",
        "A row of `melds:` takes wild cards, but no class `wild` says which cards those are.",
        "variant: mine\ntitle: Mine\nmachine: melding\nplayers: 2\nside_size: 1\npack: {packs: "
        "1}\nmelds:\n  set: {shape: same rank, cards: any, size: 3.., wilds: ..1}\n",
        "Declare the class in `cards:`.",
    ),
    CodePage(
        "MC0608",
        "an unknown class of cards",
        "A card pattern is made of ranks, cards, colours, suits and classes; a class is a row "
        "of `cards:` or a definition of card that is yes or no.",
        _HEAD + "cards: {starter: natrual}\n",
        "Correct the name, or add the class.",
    ),
    CodePage(
        "MC0610",
        "players that cannot be seated",
        "The players must divide into two sides or more of one of the allowed sizes.",
        _HEAD + "players: 5\n",
        "Correct the number of players, or allow another size.",
    ),
    CodePage(
        "MC0650",
        "ranks that are no row",
        "The ranks of a pack are a row from the lowest to the highest, of 2 up to A, without "
        "gaps. Jokers are told by their number, in `jokers:`.",
        _HEAD + "pack: {packs: 2, ranks: '2..7, J..A'}\n",
        "Write the lowest and the highest rank, as `7..A`.",
    ),
    *tables.PAGES,
)
