"""The types of expressions, as short texts.

They are those of the Program (`number`, `cards`, `row:TABLE`, `list:TYPE` …) and two of the
checker's own: `choice:SETTING`, a word of a setting, and `unknown`, the type of what could not be
made out (it fits everywhere, so that one mistake is reported once).
"""

from __future__ import annotations

from meldc_runtime.cards import JOKER_RANK, RANK_WORDS

UNKNOWN = "unknown"
NOTHING = "none"
NUMBER, YES_NO, RANK, SUIT, KIND, PHASE = "number", "yes_no", "rank", "suit", "kind", "phase"
CARD, CARDS, MELD, MELDS = "card", "cards", "meld", "melds"
PLAYER, PLAYERS, SIDE, SIDES = "player", "players", "side", "sides"

_LISTS = {CARD: CARDS, MELD: MELDS, PLAYER: PLAYERS, SIDE: SIDES}
_ELEMENTS = {many: one for one, many in _LISTS.items()}
_WORDS = {
    NUMBER: "a number",
    YES_NO: "yes or no",
    RANK: "a rank",
    SUIT: "a suit",
    CARD: "a card",
    CARDS: "cards",
    MELD: "a meld",
    MELDS: "melds",
    KIND: "a kind of meld",
    PLAYER: "a player",
    PLAYERS: "players",
    SIDE: "a side",
    SIDES: "sides",
    PHASE: "a phase",
    "word": "a word",
    NOTHING: "nothing",
    UNKNOWN: "something",
}
_MANY = {
    NUMBER: "numbers",
    RANK: "ranks",
    SUIT: "suits",
    KIND: "kinds of meld",
    YES_NO: "yes and no",
}

DECLARABLE = (NUMBER, YES_NO, RANK, SUIT, CARD, CARDS, MELD, KIND, PLAYER, SIDE, PHASE)
"""Types that `remember NAME: TYPE` and columns may name, besides the words of tables."""

RANK_NUMBERS = {word: rank for rank, word in RANK_WORDS.items()}
"""Ranks by the word written for them: `2` … `10`, `J`, `Q`, `K`, `A`, `Jkr`."""

LOWEST_RANK, HIGHEST_RANK = 2, JOKER_RANK - 1


def list_of(element: str) -> str:
    """The type of a list of such things."""
    return UNKNOWN if element == UNKNOWN else _LISTS.get(element, f"list:{element}")


def element_of(many: str) -> str | None:
    """The type of the things in a list; None where it is no list."""
    if many == UNKNOWN:
        return UNKNOWN
    if many.startswith("list:"):
        return many.removeprefix("list:")
    return _ELEMENTS.get(many)


def row_of(table: str) -> str:
    return f"row:{table}"


def table_of(row: str) -> str | None:
    """The table whose rows the type means; None for other types."""
    return row.removeprefix("row:") if row.startswith("row:") else None


def setting_of(choice: str) -> str | None:
    """The setting whose words the type means; None for other types."""
    return choice.removeprefix("choice:") if choice.startswith("choice:") else None


def fits(found: str, wanted: str) -> bool:
    """Whether a value of one type can stand for another as it is."""
    if found == wanted or UNKNOWN in (found, wanted) or NOTHING in (found, wanted):
        return True
    first, second = element_of(found), element_of(wanted)
    return first is not None and second is not None and fits(first, second)


def outward(inner: str) -> str:
    """The type as the Program names it."""
    if setting_of(inner) is not None:
        return "word"
    if inner.startswith("list:"):
        return f"list:{outward(inner.removeprefix('list:'))}"
    return NOTHING if inner == UNKNOWN else inner


def describe(inner: str) -> str:
    """The type in words, for a message."""
    if (table := table_of(inner)) is not None:
        return f"a row of `{table}`"
    if (setting := setting_of(inner)) is not None:
        return f"a choice of `{setting}`"
    if inner.startswith("list:"):
        element = inner.removeprefix("list:")
        return _MANY.get(element) or f"a list, each {describe(element)}"
    return _WORDS.get(inner, inner)
