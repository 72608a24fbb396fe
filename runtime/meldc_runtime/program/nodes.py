"""What all parts of a Program have in common, and the one way to walk over them."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Callable, Iterator
from functools import cache
from typing import Any

NO_NODES = re.compile(r"(int|str|bool|None|tuple|\.\.\.|[ |,\[\]])*")
"""Types of fields that hold no nodes."""


class Node:
    """A part of a Program: a declaration, an expression, an effect or what these are made of."""

    __slots__ = ()


def _holders_of(node: Any) -> tuple[str, ...]:
    return _holders(node.__class__)


@cache
def _holders(cls: Any) -> tuple[str, ...]:
    """The names of the fields of a class that may hold nodes."""
    return tuple(f.name for f in dataclasses.fields(cls) if not NO_NODES.fullmatch(str(f.type)))


def children(value: Any) -> Iterator[Any]:
    """The nodes right below a node, or those in a tuple at any depth; none below another value."""
    if isinstance(value, Node):
        for name in _holders_of(value):
            held = getattr(value, name)
            if isinstance(held, Node):
                yield held
            elif type(held) is tuple:
                yield from children(held)
    elif type(value) is tuple:
        for part in value:
            if isinstance(part, Node):
                yield part
            elif type(part) is tuple:
                yield from children(part)


def walk(value: Any) -> Iterator[Any]:
    """A node and all nodes below it, parents first; of a tuple, all nodes in it."""
    waiting = [value]
    while waiting:
        here = waiting.pop()
        if isinstance(here, Node):
            yield here
        below = list(children(here))
        below.reverse()
        waiting += below


def rebuild(node: Any, change: Callable[[Any], Any]) -> Any:
    """The node with each child changed; the node itself where no child does."""
    changed: dict[str, Any] = {}
    for name in _holders_of(node):
        value = getattr(node, name)
        new = value
        if isinstance(value, Node):
            new = change(value)
        elif type(value) is tuple:
            parts = tuple(change(part) if isinstance(part, Node) else part for part in value)
            new = parts if any(map(_is_other, parts, value)) else value
        if new is not value:
            changed[name] = new
    return dataclasses.replace(node, **changed) if changed else node


def _is_other(one: Any, two: Any) -> bool:
    return one is not two
