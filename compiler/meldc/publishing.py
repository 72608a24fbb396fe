"""Schemas for editors: each in one piece that can lie anywhere, with the names of a game."""

from __future__ import annotations

import json
from typing import Any

from meldc.assets import data_root
from meldc.resolve.model import Resolved, Table
from meldc.syntax import tree

KINDS = ("variant", "house-rule", "scenario")
_SHARED = "variant"
_CELL = "cell"
_ROW = "row"


def bundled(kind: str) -> dict[str, Any]:
    """The schema of a kind of file that refers to no other file."""
    own = _read(kind)
    if kind == _SHARED:
        return own
    found: dict[str, Any] = _with_refs(own, f"{_SHARED}.schema.json#/$defs/", f"#/$defs/{_SHARED}_")
    shared = _with_refs(_read(_SHARED)["$defs"], "#/$defs/", f"#/$defs/{_SHARED}_")
    found.setdefault("$defs", {}).update(
        {f"{_SHARED}_{name}": content for name, content in shared.items()}
    )
    return found


def with_names(kind: str, model: Resolved) -> dict[str, Any]:
    """The same with the settings, tables, classes and kinds of meld of a game."""
    found = bundled(kind)
    prefix = "#/$defs/" if kind == _SHARED else f"#/$defs/{_SHARED}_"
    cell, row = {"$ref": f"{prefix}{_CELL}"}, {"$ref": f"{prefix}{_ROW}"}
    keys = found["properties"]
    for name, entry in model.declarations.settings.items():
        keys[name] = _setting(entry.declaration, cell)
    for name, table in model.tables.items():
        keys[name] = keys[f"replace {name}"] = _table(table, row)
    for key, names in (("cards", model.classes), ("melds", model.melds)):
        offered: dict[str, Any] = {"properties": {name: {} for name in names}}
        keys[key] = {"allOf": [keys[key], offered]}
    return found


def _setting(declared: tree.SettingDecl, cell: dict[str, Any]) -> dict[str, Any]:
    words = [word.text for word in declared.choices]
    offered = [{"enum": words}] if words else []
    return {"description": declared.about.text, "anyOf": [*offered, cell]}


def _table(table: Table, row: dict[str, Any]) -> dict[str, Any]:
    declared = table.entry.declaration if table.entry is not None else None
    about = declared.about.text if declared is not None and declared.about is not None else ""
    return {
        "description": about or f"the rows of `{table.name}`",
        "type": "object",
        "minProperties": 1,
        "properties": {each.key: row for each in table.rows},
        "additionalProperties": row,
    }


def _read(kind: str) -> dict[str, Any]:
    text = (data_root("schemas") / f"{kind}.schema.json").read_text(encoding="utf-8")
    found: dict[str, Any] = json.loads(text)
    return found


def _with_refs(part: Any, old: str, new: str) -> Any:
    """A part of a schema with its references changed."""
    match part:
        case dict():
            return {
                key: f"{new}{value.removeprefix(old)}"
                if key == "$ref" and value.startswith(old)
                else _with_refs(value, old, new)
                for key, value in part.items()
            }
        case list():
            return [_with_refs(each, old, new) for each in part]
    return part
