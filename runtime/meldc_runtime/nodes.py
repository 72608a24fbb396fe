"""Walking over the nodes of a program."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from typing import Any


def nodes_of(value: Any) -> Iterator[Any]:
    """All nodes in a node, or in a tuple of them, at any depth."""
    if isinstance(value, tuple):
        for part in value:
            yield from nodes_of(part)
    elif dataclasses.is_dataclass(value):
        yield value
        for field in dataclasses.fields(value):
            yield from nodes_of(getattr(value, field.name))
