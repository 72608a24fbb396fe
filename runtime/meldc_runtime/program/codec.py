"""Saves a Program as canonical JSON and reads it back, strictly.

Canonical: keys sorted, no blanks, integers only, UTF-8; the same Program gives the same bytes on
every machine. The content hash leaves out places and provenance, so that a comment moved in a
source does not make another game.
"""

from __future__ import annotations

import dataclasses
import hashlib
import json
import sys
import types
import typing
from collections.abc import Callable
from functools import cache
from itertools import repeat
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


@cache
def node_fields(cls: Any) -> tuple[tuple[str, Any, bool], ...]:
    """The fields of a class of nodes: name, type, whether it has a default."""
    return tuple(
        (f.name, _type_of(str(f.type), cls.__module__), f.default is not dataclasses.MISSING)
        for f in dataclasses.fields(cls)
    )


@cache
def _type_of(annotation: str, module: str) -> Any:
    """The type that a text stands for; fields share few of them, `get_type_hints` would read each
    anew.
    """
    return eval(annotation, vars(sys.modules[module]))


def _is_node_class(value: Any) -> bool:
    return dataclasses.is_dataclass(value)


def to_plain(value: Any, places: bool = True) -> Any:
    """The value as JSON data: a node is an object whose `node` is its class."""
    if isinstance(value, tuple):
        return [to_plain(v, places) for v in value]
    cls: Any = type(value)
    if _is_node_class(cls):
        plain: dict[str, Any] = {"node": cls.__name__}
        for name, _, has_default in node_fields(cls):
            field = getattr(value, name)
            if not places and name in ("origin", "provenance"):
                continue
            if has_default and field in (None, (), "", False) and name != "format":
                continue
            plain[name] = to_plain(field, places)
        return plain
    return value


# ---- reading


class _MisfitError(Exception):
    """What is wrong with a value; where it stands is put before it on the way out."""

    def __init__(self, problem: str) -> None:
        super().__init__(problem)
        self.problem = problem
        self.steps: list[str] = []

    def __str__(self) -> str:
        return f"program{''.join(reversed(self.steps))}: {self.problem}"


Reader = Callable[[Any, int], Any]
"""Gives the value for JSON data at a depth. Raises _MisfitError."""


@cache
def _reader(hint: Any) -> Reader:
    """What reads values of a type."""
    origin = typing.get_origin(hint)
    if origin in (typing.Union, types.UnionType):
        return _union_reader(typing.get_args(hint))
    if origin is tuple:
        return _tuple_reader(typing.get_args(hint))
    if _is_node_class(hint):
        return _node_reader(typing.cast(type, hint))

    def read(data: Any, depth: int) -> Any:
        if type(data) is hint:
            return data
        raise _MisfitError(f"expected {hint.__name__}, found {type(data).__name__}")

    return read


def _union_reader(options: tuple[Any, ...]) -> Reader:
    scalars = tuple(option for option in options if option in (int, bool, str, type(None)))
    nodes = [_reader(option) for option in options if _is_node_class(option)]
    tuples = [_reader(option) for option in options if typing.get_origin(option) is tuple]

    def read(data: Any, depth: int) -> Any:
        if type(data) in scalars:
            return data
        fitting = nodes if isinstance(data, dict) else tuples
        if data is None or not fitting:
            raise _MisfitError("a value of another type is needed here")
        return fitting[0](data, depth)

    return read


def _tuple_reader(args: tuple[Any, ...]) -> Reader:
    readers = [_reader(arg) for arg in args if arg is not Ellipsis]
    repeated = Ellipsis in args

    def read(data: Any, depth: int) -> Any:
        if not isinstance(data, list):
            raise _MisfitError("expected a list")
        if not repeated and len(readers) != len(data):
            raise _MisfitError(f"expected {len(readers)} entries, found {len(data)}")
        found = []
        try:
            for value, reader in zip(data, repeat(readers[0]) if repeated else readers):  # noqa: B905
                found.append(reader(value, depth + 1))
        except _MisfitError as misfit:
            misfit.steps.append(f"[{len(found)}]")
            raise
        return tuple(found)

    return read


def _node_reader(expected: type) -> Reader:
    def read(data: Any, depth: int) -> Any:
        if depth > MAX_DEPTH:
            raise _MisfitError("nested too deeply")
        if not isinstance(data, dict) or not isinstance(data.get("node"), str):
            raise _MisfitError("expected an object with `node`")
        cls: Any = node_classes().get(data["node"])
        if cls is None or not issubclass(cls, expected):
            raise _MisfitError(f"`{data['node']}` cannot stand here")
        node = object.__new__(cls)
        fields = _fields_to_read(cls)
        for field in fields:
            if field.name in data:
                try:
                    field.put(node, field.read(data[field.name], depth + 1))
                except _MisfitError as misfit:
                    misfit.steps.append(f".{field.name}")
                    raise
            elif field.name == "origin":
                field.put(node, None)
            elif field.default is not dataclasses.MISSING:
                field.put(node, field.default)
            else:
                raise _MisfitError(f"`{field.name}` is missing")
        if len(data) > 1:
            unknown = data.keys() - {field.name for field in fields} - {"node"}
            if unknown:
                raise _MisfitError(f"unknown key `{min(unknown)}`")
        return node

    return read


class _Field(typing.NamedTuple):
    """A field of nodes as it is read. put: sets it in a node that was made without its `__init__`,
    which most nodes never need.
    """

    name: str
    read: Reader
    default: Any
    put: Callable[[Any, Any], None]


@cache
def _fields_to_read(cls: Any) -> tuple[_Field, ...]:
    defaults = {field.name: field.default for field in dataclasses.fields(cls)}
    return tuple(
        _Field(name, _reader(hint), defaults[name], getattr(cls, name).__set__)
        for name, hint, _ in node_fields(cls)
    )


# ---- texts


def dump(program: Program) -> str:
    """The canonical text of a Program, its content hash included."""
    plain = to_plain(program)
    plain["hash"] = content_hash(program)
    return _canonical(plain) + "\n"


_hashed_last: list[tuple[Program, str]] = []


def content_hash(program: Program) -> str:
    """SHA-256 over the canonical form without places and provenance."""
    if not (_hashed_last and _hashed_last[0][0] is program):  # one is asked about again and again
        text = _canonical(to_plain(program, places=False))
        _hashed_last[:] = [(program, hashlib.sha256(text.encode()).hexdigest())]
    return _hashed_last[0][1]


def read(path: Path) -> Program:
    """The Program saved in a file. Raises OSError, and ProgramError as `load`."""
    with path.open("rb") as file:
        data = file.read(LARGEST_FILE + 1)
    if len(data) > LARGEST_FILE:
        raise ProgramError(f"larger than {LARGEST_FILE:,} bytes, so no compiled game")
    return load(data.decode("utf-8", errors="replace"))


def load(text: str) -> Program:
    """The Program saved in a text.

    Raises ProgramError when it is no such text, of another format version, when its hash does not
    fit, or when it is not sound (`meldc_runtime.vetting`).
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
    try:
        program = typing.cast(Program, _reader(Program)(data, 0))
    except _MisfitError as misfit:
        raise ProgramError(str(misfit)) from None
    try:
        whole = saved == content_hash(program)
    except UnicodeEncodeError:
        raise ProgramError("there is half a character in a text of it") from None
    if not whole:
        raise ProgramError(
            "its content does not fit its hash: the file was changed after it was compiled"
        )
    _vet_once(program)
    return program


def _vet_once(program: Program) -> None:
    """Vets a Program, unless it is kept that this one has been found sound."""
    from meldc_runtime.kept import Kept

    def vetted() -> bool:
        from meldc_runtime.vetting import vet

        vet(program)
        return True

    kept = Kept(program, None, None)
    kept.get("vetted", vetted)
    kept.save()


def _canonical(plain: Any) -> str:
    return json.dumps(plain, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
