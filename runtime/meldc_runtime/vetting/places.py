"""Where a node stands in a Program, as a path in its saved form."""

from __future__ import annotations

import dataclasses
from typing import Any


def path_to(program: Any, node: Any) -> str:
    """The way from the whole to a part of it, told apart by identity: `program.rules[3].when`."""
    return _search(program, node, "program") or "program"


def _search(value: Any, node: Any, path: str) -> str | None:
    if value is node:
        return path
    if isinstance(value, tuple):
        parts = ((f"{path}[{index}]", part) for index, part in enumerate(value))
    elif dataclasses.is_dataclass(value):
        names = (field.name for field in dataclasses.fields(value))
        parts = ((f"{path}.{name}", getattr(value, name)) for name in names)
    else:
        return None
    return next((found for way, part in parts if (found := _search(part, node, way))), None)
