"""Saves a Program as canonical JSON and reads it back, strictly.

Canonical: keys sorted, no blanks, integers only, UTF-8; the same Program gives the same bytes on
every machine. The content hash leaves out places and provenance, so that a comment moved in a
source does not make another game.
"""

from __future__ import annotations

import dataclasses
import hashlib
import json
import types
import typing
from functools import cache
from pathlib import Path
from typing import Any

from meldc_runtime.program import declarations, effects, expressions
from meldc_runtime.program.declarations import FORMAT, Program

MAX_DEPTH = 200
LARGEST_FILE = 16_000_000
"""In bytes; a hundred times what a game that comes with meldc needs."""


class ProgramError(ValueError):
    """The text is no Program of this format; the message says where and why."""


@cache
def node_classes() -> dict[str, type]:
    """The classes of nodes by name."""
    found: dict[str, type] = {}
    for module in (expressions, effects, declarations):
        for name, value in vars(module).items():
            if (
                dataclasses.is_dataclass(value)
                and isinstance(value, type)
                and value.__module__ == module.__name__
            ):
                found[name] = value
    return found


_FIELDS: dict[type, tuple[tuple[str, Any, bool], ...]] = {}


def node_fields(cls: type) -> tuple[tuple[str, Any, bool], ...]:
    """The fields of a class of nodes: name, type, whether it has a default."""
    found = _FIELDS.get(cls)
    if found is None:
        hints = typing.get_type_hints(cls)
        found = _FIELDS[cls] = tuple(
            (f.name, hints[f.name], f.default is not dataclasses.MISSING)
            for f in dataclasses.fields(cls)
        )
    return found


def to_plain(value: Any, places: bool = True) -> Any:
    """The value as JSON data: a node is an object whose `node` is its class."""
    if isinstance(value, tuple):
        return [to_plain(v, places) for v in value]
    if dataclasses.is_dataclass(value):
        plain: dict[str, Any] = {"node": type(value).__name__}
        for name, _, has_default in node_fields(type(value)):
            field = getattr(value, name)
            if not places and name in ("origin", "provenance"):
                continue
            if has_default and field in (None, (), "", False) and name != "format":
                continue
            plain[name] = to_plain(field, places)
        return plain
    return value


def from_plain(data: Any, hint: Any, path: str = "program", depth: int = 0) -> Any:
    """The value of a type from JSON data; raises ProgramError with the path of what does not
    fit.
    """
    if depth > MAX_DEPTH:
        raise ProgramError(f"{path}: nested too deeply")
    origin = typing.get_origin(hint)
    if origin in (typing.Union, types.UnionType):
        return _from_union(data, typing.get_args(hint), path, depth)
    if origin is tuple:
        return _from_tuple(data, typing.get_args(hint), path, depth)
    if dataclasses.is_dataclass(hint):
        return _from_node(data, typing.cast(type, hint), path, depth)
    if hint is type(None) and data is None:
        return None
    if hint in (int, bool, str) and type(data) is hint:
        return data
    raise ProgramError(
        f"{path}: expected {getattr(hint, '__name__', hint)}, found {type(data).__name__}"
    )


def _from_union(data: Any, options: tuple[Any, ...], path: str, depth: int) -> Any:
    if data is None:
        if type(None) in options:
            return None
    elif isinstance(data, dict):
        nodes = [o for o in options if dataclasses.is_dataclass(o)]
        if nodes:
            return from_plain(data, nodes[0], path, depth)
    else:
        for option in options:
            if option in (int, bool, str) and type(data) is option:
                return data
        for option in options:
            if typing.get_origin(option) is tuple:
                return from_plain(data, option, path, depth)
    raise ProgramError(f"{path}: a value of another type is needed here")


def _from_tuple(data: Any, args: tuple[Any, ...], path: str, depth: int) -> Any:
    if not isinstance(data, list):
        raise ProgramError(f"{path}: expected a list")
    if len(args) == 2 and args[1] is Ellipsis:
        return tuple(from_plain(v, args[0], f"{path}[{i}]", depth + 1) for i, v in enumerate(data))
    if len(args) != len(data):
        raise ProgramError(f"{path}: expected {len(args)} entries, found {len(data)}")
    return tuple(
        from_plain(v, a, f"{path}[{i}]", depth + 1)
        for i, (v, a) in enumerate(zip(data, args, strict=True))
    )


def _from_node(data: Any, expected: type, path: str, depth: int) -> Any:
    if not isinstance(data, dict) or not isinstance(data.get("node"), str):
        raise ProgramError(f"{path}: expected an object with `node`")
    cls = node_classes().get(data["node"])
    if cls is None or not issubclass(cls, expected):
        raise ProgramError(f"{path}: `{data['node']}` cannot stand here")
    values: dict[str, Any] = {}
    for name, hint, has_default in node_fields(cls):
        if name in data:
            values[name] = from_plain(data[name], hint, f"{path}.{name}", depth + 1)
        elif not has_default and name != "origin":
            raise ProgramError(f"{path}: `{name}` is missing")
        elif name == "origin":
            values[name] = None
    unknown = set(data) - {"node"} - {name for name, _, _ in node_fields(cls)}
    if unknown:
        raise ProgramError(f"{path}: unknown key `{min(unknown)}`")
    return cls(**values)


def dump(program: Program) -> str:
    """The canonical text of a Program, its content hash included."""
    plain = to_plain(program)
    plain["hash"] = content_hash(program)
    return _canonical(plain) + "\n"


def content_hash(program: Program) -> str:
    """SHA-256 over the canonical form without places and provenance."""
    text = _canonical(to_plain(program, places=False))
    return hashlib.sha256(text.encode()).hexdigest()


def read(path: Path) -> Program:
    """The Program saved in a file. Raises OSError, and ProgramError as `load`."""
    with path.open("rb") as file:
        data = file.read(LARGEST_FILE + 1)
    if len(data) > LARGEST_FILE:
        raise ProgramError(f"larger than {LARGEST_FILE:,} bytes, so no compiled game")
    return load(data.decode("utf-8", errors="replace"))


def load(text: str) -> Program:
    """The Program saved in a text.

    Raises ProgramError when it is no such text, of another format version, or when its hash does
    not fit.
    """
    try:
        data = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise ProgramError(f"not JSON: {error}") from None
    if not isinstance(data, dict) or data.get("node") != "Program":
        raise ProgramError("not a compiled game")
    if data.get("format", FORMAT) != FORMAT:
        raise ProgramError(
            f"compiled in format {data.get('format')}; this version reads format {FORMAT}"
        )
    saved = data.pop("hash", None)
    program = typing.cast(Program, from_plain(data, Program))
    try:
        whole = saved == content_hash(program)
    except UnicodeEncodeError:
        raise ProgramError("there is half a character in a text of it") from None
    if not whole:
        raise ProgramError(
            "its content does not fit its hash: the file was changed after it was compiled"
        )
    return program


def _canonical(plain: Any) -> str:
    return json.dumps(plain, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
