"""Kinds of meld in words."""

from __future__ import annotations

from collections.abc import Mapping

from meldc.comparing.words import listed, plain, value_in_words

_SHAPES = {
    "same rank": "cards of one rank",
    "run": "cards of one suit in a row",
    "any": "any cards",
    "all different ranks": "cards all of different ranks",
}
_MANY = {
    "one": "one of each rank in a side, which further cards join",
    "one unfinished": "one unfinished at a time",
    "many": "as many as one likes",
}


def _as_cards(key: str, words: str) -> str:
    """`natural cards`, `any number of` wild cards: the words of a cell as they are read."""
    if key == "wilds" and words == "any":
        return "any number of"
    if key == "cards" and words == "any":
        return "any cards"
    if key == "cards" and words[-1:].islower() and "," not in words:
        return f"{words}s" if words.endswith("card") else f"{words} cards"
    return words


def pattern_in_words(cells: Mapping[str, str]) -> str:
    """The pattern of a kind of meld as a phrase, from its columns and their cells as written."""
    shape = cells.get("shape", "")
    parts = [_SHAPES.get(shape, f"groups of {listed(shape.split(), 'and')}")]
    for key, words in (
        ("cards", "from {}"),
        ("size", "{} cards"),
        ("naturals", "{} of them natural"),
        ("wilds", "{} wild cards"),
        ("contains", "with {}"),
        ("ace", "the ace is {}"),
        ("wilds_go", "wild cards make room and go to the {} end"),
        ("if", "only where {}"),
    ):
        if key in cells:
            parts.append(words.format(_as_cards(key, value_in_words(cells[key]))))
    if "how_many" in cells:
        many = cells["how_many"]
        by_rank = shape == "same rank"
        parts.append(_MANY[many] if by_rank or many != "one" else "one in a side")
    if "called" in cells:
        parts.append(f"called {plain(cells['called'])}")
    return "; ".join(parts)
