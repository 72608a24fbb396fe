"""Says quickly that data have the shape of a JSON Schema.

It knows the words that the schemas of this project use. What it accepts fits; what it does not
accept, or meets an unknown word in, is left to the validator proper, which also says why. So the
validator is needed only for files with a mistake.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any, TypeAlias

Schema: TypeAlias = Mapping[str, Any]
Find: TypeAlias = Callable[[str], Schema]

_SAID = frozenset(
    {
        *("$schema", "$id", "$defs", "title", "description", "examples", "default"),
        *("x-code", "x-at", "x-empty"),
    }
)
_TYPES: dict[str, Callable[[Any], bool]] = {
    "object": lambda value: isinstance(value, dict),
    "array": lambda value: isinstance(value, list),
    "string": lambda value: isinstance(value, str),
    "integer": lambda value: isinstance(value, int) and not isinstance(value, bool),
    "boolean": lambda value: isinstance(value, bool),
    "null": lambda value: value is None,
}


class _UnknownWordError(Exception):
    """A word of a schema that is not known here."""


def accepts(value: Any, schema: Schema, find: Find) -> bool:
    """Whether a value surely fits; `find` gives the schema that a `$ref` means."""
    try:
        return _fits(value, schema, find)
    except _UnknownWordError:
        return False


def _fits(value: Any, schema: Schema, find: Find) -> bool:
    return all(
        _CHECKS[word](value, wanted, schema, find)
        for word, wanted in schema.items()
        if word not in _SAID and _is_known(word)
    )


def _is_known(word: str) -> bool:
    if word not in _CHECKS:
        raise _UnknownWordError
    return True


@lru_cache(maxsize=256)
def _pattern(text: str) -> re.Pattern[str]:
    return re.compile(text)


def _type(value: Any, wanted: Any, schema: Schema, find: Find) -> bool:
    names = wanted if isinstance(wanted, list) else [wanted]
    for name in names:
        if name not in _TYPES:
            raise _UnknownWordError
    return any(_TYPES[name](value) for name in names)


def _properties(value: Any, wanted: Any, schema: Schema, find: Find) -> bool:
    if not isinstance(value, dict):
        return True
    return all(_fits(value[name], each, find) for name, each in wanted.items() if name in value)


def _additional(value: Any, wanted: Any, schema: Schema, find: Find) -> bool:
    if not isinstance(value, dict):
        return True
    others = [name for name in value if name not in schema.get("properties", ())]
    if isinstance(wanted, bool):
        return wanted or not others
    return all(_fits(value[name], wanted, find) for name in others)


def _names(value: Any, wanted: Any, schema: Schema, find: Find) -> bool:
    return not isinstance(value, dict) or all(_fits(name, wanted, find) for name in value)


def _items(value: Any, wanted: Any, schema: Schema, find: Find) -> bool:
    return not isinstance(value, list) or all(_fits(each, wanted, find) for each in value)


def _unique(value: Any, wanted: Any, schema: Schema, find: Find) -> bool:
    if not wanted or not isinstance(value, list):
        return True
    return all(each not in value[:at] for at, each in enumerate(value))


def _number(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


_CHECKS: dict[str, Callable[[Any, Any, Schema, Find], bool]] = {
    "$ref": lambda value, wanted, schema, find: _fits(value, find(wanted), find),
    "type": _type,
    "enum": lambda value, wanted, schema, find: any(
        value == each and type(value) is type(each) for each in wanted
    ),
    "const": lambda value, wanted, schema, find: value == wanted and type(value) is type(wanted),
    "properties": _properties,
    "additionalProperties": _additional,
    "propertyNames": _names,
    "required": lambda value, wanted, schema, find: (
        not isinstance(value, dict) or all(name in value for name in wanted)
    ),
    "items": _items,
    "uniqueItems": _unique,
    "minItems": lambda value, wanted, schema, find: (
        not isinstance(value, list) or len(value) >= wanted
    ),
    "minProperties": lambda value, wanted, schema, find: (
        not isinstance(value, dict) or len(value) >= wanted
    ),
    "minLength": lambda value, wanted, schema, find: (
        not isinstance(value, str) or len(value) >= wanted
    ),
    "maxLength": lambda value, wanted, schema, find: (
        not isinstance(value, str) or len(value) <= wanted
    ),
    "pattern": lambda value, wanted, schema, find: (
        not isinstance(value, str) or _pattern(wanted).search(value) is not None
    ),
    "minimum": lambda value, wanted, schema, find: not _number(value) or value >= wanted,
    "maximum": lambda value, wanted, schema, find: not _number(value) or value <= wanted,
    "allOf": lambda value, wanted, schema, find: all(_fits(value, each, find) for each in wanted),
    "anyOf": lambda value, wanted, schema, find: any(_fits(value, each, find) for each in wanted),
    "oneOf": lambda value, wanted, schema, find: (
        sum(_fits(value, each, find) for each in wanted) == 1
    ),
    "if": lambda value, wanted, schema, find: (
        not _fits(value, wanted, find) or _fits(value, schema.get("then", {}), find)
    ),
    "then": lambda value, wanted, schema, find: True,  # looked at with `if`
    "not": lambda value, wanted, schema, find: not _fits(value, wanted, find),
}
