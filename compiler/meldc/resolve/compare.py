"""What trees and values mean, without their places: comparing them, putting one into another."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields, is_dataclass, replace
from typing import Any, TypeVar

from meldc.source import Span
from meldc.syntax import tree

N = TypeVar("N")

_UNSAID = frozenset({"replace", "tags"})
"""Fields of a declaration that change nothing in the game."""


def meaning(value: object) -> object:
    """The value without spans, tags and the word `replace`: equal where the game is the same."""
    if isinstance(value, tuple):
        return tuple(meaning(part) for part in value)
    if is_dataclass(value) and not isinstance(value, type):
        parts = (getattr(value, field.name) for field in fields(value) if field.name not in _UNSAID)
        said = (meaning(part) for part in parts if not isinstance(part, Span))
        return (type(value).__name__, *said)
    return value


def same(left: object, right: object) -> bool:
    """Whether two values mean the same wherever they stand."""
    return meaning(left) == meaning(right)


def put(value: Any, name: str, replacement: tree.Expression) -> Any:
    """The tree with an expression in the place of every `name`.

    Where only a word can stand (a phase, an action) it is put when the replacement is a word.
    """
    result = value
    if isinstance(value, tree.Name):
        result = replacement if value.name == name else value
    elif isinstance(value, tree.Word):
        if value.text == name and isinstance(replacement, tree.Name):
            result = replacement.word
    elif isinstance(value, tuple):
        result = tuple(put(part, name, replacement) for part in value)
    elif is_dataclass(value) and not isinstance(value, (type, Span)):
        changed = {}
        for field in fields(value):
            before = getattr(value, field.name)
            after = put(before, name, replacement)
            if after is not before and after != before:
                changed[field.name] = after
        result = replace(value, **changed) if changed else value
    return result


def nodes_of(value: object, form: type[N]) -> Iterator[N]:
    """The nodes of one form in a tree, the outer before the inner."""
    return (node for node in walk(value) if isinstance(node, form))


def walk(value: object) -> Iterator[object]:
    """Every node of a tree, the outer before the inner."""
    if isinstance(value, tuple):
        for part in value:
            yield from walk(part)
    elif is_dataclass(value) and not isinstance(value, (type, Span)):
        yield value
        for field in fields(value):
            yield from walk(getattr(value, field.name))
