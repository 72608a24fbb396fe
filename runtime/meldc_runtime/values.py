"""Values of the language as plain data and back: what a view shows, what a position says."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from meldc_runtime.cards import (
    FACE,
    JOKER_RANK,
    RANK_WORDS,
    SUIT_LETTERS,
    SUIT_SIGNS,
    SUIT_WORDS,
    UNKNOWN,
    card_text,
    parse_card,
)
from meldc_runtime.names import parse_seat, parse_side, player_name, side_name
from meldc_runtime.table import Table

_YES_NO = {"yes": True, "true": True, "no": False, "false": False}
_LISTS = {"cards": "card", "players": "player", "sides": "side"}


def plain_value(table: Table, kind: str, value: Any) -> Any:
    """The value as JSON data: numbers, yes and no as they are, everything else by its name;
    nothing is None.
    """
    if value is None or kind in ("number", "yes_no", "word"):
        return value
    if kind.startswith("row:"):
        return _by_index(table.rows[kind[4:]], value)
    if kind in _LISTS or kind.startswith("list:"):
        each = _LISTS.get(kind) or kind[5:]
        return [plain_value(table, each, item) for item in value]
    match kind:
        case "rank":
            return RANK_WORDS[value]
        case "suit":
            return SUIT_WORDS[value]
        case "card":
            return card_text(value)
        case "player":
            return player_name(value)
        case "side":
            return side_name(value)
        case "phase":
            return _by_index(table.phases, value)
        case "kind":
            return _by_index(table.kinds, value)
    return str(value)


def owners(table: Table, kind: str) -> list[int | None]:
    """Those who keep something of their own; None for what is kept once."""
    return [None] if kind == "none" else list(range(table.owners(kind)))


def read_value(table: Table, kind: str, data: Any) -> Any:
    """The value that a text, number or list stands for. Raises ValueError saying what is wanted."""
    if kind.startswith("list:") or kind in _LISTS:
        return _read_list(table, _LISTS.get(kind) or kind[5:], data)
    if isinstance(data, (list, dict)):
        raise ValueError("one value is needed")
    text = {True: "yes", False: "no"}[data] if isinstance(data, bool) else str(data).strip()
    if text in ("", "none"):
        return None
    found = _read_one(table, kind, text)
    if found is None:
        raise ValueError(expected(table, kind))
    return found


def read_cards(data: Any) -> list[int]:
    """Faces from a text (`9C 2S`) or a list of texts. Raises ValueError naming what is no card."""
    if isinstance(data, (list, tuple)):
        return [face for item in data for face in read_cards(item)]
    faces = []
    for word in str(data).replace(",", " ").split():
        face = parse_card(word)
        if face is None:
            raise ValueError(f"`{word}` is no card; cards are written like KH 10S 2C Jkr")
        faces.append(face)
    return faces


def sort_cards(cards: Iterable[int]) -> list[int]:
    """Faces by rank, then suit: the order in which cards are shown."""
    return sorted(card & FACE for card in cards)


def card_texts(cards: Iterable[int]) -> list[str]:
    return [card_text(card) for card in cards]


def read_rank(text: str) -> int | None:
    """The rank of a word (`7`, `K`, `T`, `Jkr`), or None."""
    word = {"t": "10", "jkr": "jkr", "joker": "jkr"}.get(text.lower(), text.lower())
    ranks = {name.lower(): rank for rank, name in RANK_WORDS.items()}
    return JOKER_RANK if word == "jkr" else ranks.get(word)


def read_suit(text: str) -> int | None:
    """The suit of a word, letter or sign, or None."""
    word = text.lower()
    if word in SUIT_WORDS:
        return SUIT_WORDS.index(word)
    if len(word) == 1 and word.upper() in SUIT_LETTERS:
        return SUIT_LETTERS.index(word.upper())
    return SUIT_SIGNS.index(word) if len(word) == 1 and word in SUIT_SIGNS else None


def _read_list(table: Table, kind: str, data: Any) -> list[Any]:
    if kind == "card":
        return read_cards(data)
    items = data if isinstance(data, list) else str(data).replace(",", " ").split()
    return [read_value(table, kind, item) for item in items]


def _read_one(table: Table, kind: str, text: str) -> Any:
    if kind.startswith("row:"):
        return table.rows[kind[4:]].get(text)
    match kind:
        case "number":
            return int(text) if text.lstrip("+-").isdecimal() and text.isascii() else None
        case "yes_no":
            return _YES_NO.get(text.lower())
        case "rank":
            return read_rank(text)
        case "suit":
            return read_suit(text)
        case "card":
            face = parse_card(text)
            return None if face == UNKNOWN else face
        case "player":
            return parse_seat(text, table.sides, table.players)
        case "side":
            return parse_side(text, table.sides, table.players)
        case "phase":
            return table.phases.get(text)
        case "kind":
            return table.kinds.get(text)
        case "word":
            return text
    return None


def expected(table: Table, kind: str) -> str:
    """What is wanted where a value of a type is, in words."""
    if kind.startswith("row:"):
        return f"one of {', '.join(table.rows[kind[4:]])} is needed"
    match kind:
        case "number":
            return "a whole number is needed"
        case "yes_no":
            return "yes or no is needed"
        case "player":
            return f"a player, P1 to {player_name(table.players - 1)}, is needed"
        case "side":
            return f"a side, A to {side_name(table.sides - 1)}, is needed"
        case "phase":
            return f"one of {', '.join(table.phases)} is needed"
        case "kind":
            return f"one of {', '.join(table.kinds)} is needed"
    return f"a {kind.replace('_', ' ')} is needed"


def _by_index(names: dict[str, int], index: int) -> str:
    return next(name for name, number in names.items() if number == index)
