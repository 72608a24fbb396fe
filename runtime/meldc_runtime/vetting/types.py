"""The types of a Program's expressions, by their names, and what fits where."""

from __future__ import annotations

from typing import Any

from meldc_runtime.program.expressions import TYPES

NOTHING = "none"
ORDERED = ("number", "rank")
"""Types whose values have an order that rules may ask for."""

_ELEMENTS = {"cards": "card", "melds": "meld", "players": "player", "sides": "side"}
_LISTS = {element: word for word, element in _ELEMENTS.items()}


class UnsoundError(Exception):
    """What is wrong with a node, in words."""

    def __init__(self, node: Any, text: str) -> None:
        super().__init__(text)
        self.node = node


def is_type(word: str, tables: dict[str, Any]) -> bool:
    """Whether a word names a type of a game with these tables."""
    while word.startswith("list:"):
        word = word[5:]
    return word in TYPES or (word.startswith("row:") and word[4:] in tables)


def element_of(word: str) -> str | None:
    """The type of the elements of a list; None for what is no list."""
    if word.startswith("list:"):
        return word[5:]
    return _ELEMENTS.get(word)


def list_of(element: str) -> str:
    """The type of a list of such elements."""
    return element if element == NOTHING else _LISTS.get(element, f"list:{element}")


def elements_of(word: str) -> str:
    """The type of what a value holds where it is taken as a list: one thing is a list of one."""
    return element_of(word) or word


def fits(found: str, wanted: str) -> bool:
    """Whether a value of one type may stand where another is wanted; nothing may anywhere."""
    return found in (wanted, NOTHING)


def fits_list(found: str, element: str) -> bool:
    """Whether a value may stand where a list of such elements is wanted."""
    return fits(elements_of(found), element)


def either(node: Any, one: str, other: str) -> str:
    """The type of a value that is of one of two. Raises UnsoundError where they are not alike."""
    if one == NOTHING:
        return other
    if other in (NOTHING, one):
        return one
    if elements_of(one) == elements_of(other):
        return list_of(elements_of(one))
    raise UnsoundError(node, f"{one} and {other} cannot stand for each other")
