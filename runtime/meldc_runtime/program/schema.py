"""The JSON Schema of a saved Program, from the classes of its nodes.

`schemas/program.schema.json` is its text; after a change of the nodes write it anew with
`python -m meldc_runtime.program.schema > schemas/program.schema.json`.
"""

from __future__ import annotations

import json
import types
import typing
from typing import Any

from meldc_runtime.program.codec import node_classes, node_fields
from meldc_runtime.program.declarations import FORMAT


def program_schema() -> dict[str, Any]:
    """The schema: a definition for each node, for each family of nodes one of its members."""
    classes = node_classes()
    definitions: dict[str, Any] = {}
    for name, cls in sorted(classes.items()):
        members = sorted(n for n, c in classes.items() if issubclass(c, cls) and c is not cls)
        definitions[name] = _family(members) if members else _node(cls)
    program = definitions["Program"]
    program["properties"]["hash"] = {"type": "string", "pattern": "^[0-9a-f]{64}$"}
    program["properties"]["format"] = {"const": FORMAT}
    program["required"] = sorted({*program["required"], "hash"})
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Compiled program",
        "description": "what `meldc compile` writes: a game as typed nodes, with a content hash",
        **_reference("Program"),
        "$defs": definitions,
    }


def _reference(name: str) -> dict[str, str]:
    return {"$ref": f"#/$defs/{name}"}


def _family(members: list[str]) -> dict[str, Any]:
    """One of several nodes: told apart by name, so that what is wrong is told of the one meant."""
    return {
        "type": "object",
        "properties": {"node": {"enum": members}},
        "required": ["node"],
        "allOf": [
            {"if": {"properties": {"node": {"const": member}}}, "then": _reference(member)}
            for member in members
        ],
    }


def _node(cls: type) -> dict[str, Any]:
    properties: dict[str, Any] = {"node": {"const": cls.__name__}}
    required = ["node"]
    for name, hint, has_default in node_fields(cls):
        properties[name] = _value(hint)
        if not has_default and name != "origin":
            required.append(name)
    return {
        "type": "object",
        "properties": properties,
        "required": sorted(required),
        "additionalProperties": False,
    }


def _value(hint: Any) -> dict[str, Any]:
    origin, arguments = typing.get_origin(hint), typing.get_args(hint)
    if origin in (typing.Union, types.UnionType):
        return {"anyOf": [_value(option) for option in arguments]}
    if origin is tuple:
        if len(arguments) == 2 and arguments[1] is Ellipsis:
            return {"type": "array", "items": _value(arguments[0])}
        return {
            "type": "array",
            "prefixItems": [_value(argument) for argument in arguments],
            "minItems": len(arguments),
            "maxItems": len(arguments),
        }
    simple = {int: "integer", bool: "boolean", str: "string", type(None): "null"}
    if hint in simple:
        return {"type": simple[hint]}
    return _reference(hint.__name__)


def schema_text() -> str:
    """The text of the schema's file."""
    return json.dumps(program_schema(), ensure_ascii=False, indent=2) + "\n"


if __name__ == "__main__":
    print(schema_text(), end="")
