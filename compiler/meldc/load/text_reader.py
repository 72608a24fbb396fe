"""From bytes to a source text, or to diagnostics about bytes that are none."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from importlib.resources.abc import Traversable

from meldc.diagnostics import Collector, CompileError, Diagnostic, error
from meldc.source import SourceFile, Sources, Span
from meldc.unseen import named

LARGEST_FILE = 1 << 20
_REPORTED_PLACES = 3

# Control characters, separators only some programs take for line ends, marks that turn the
# direction of writing (they make a text look other than it is), halves of characters.
REFUSED_CHARACTER = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069"
    "\ud800-\udfff\ufeff\ufffe\uffff]"
)


_unsaved: ContextVar[Mapping[str, str]] = ContextVar("unsaved", default={})  # noqa: B039 - read only


@contextmanager
def unsaved(texts: Mapping[str, str]) -> Iterator[None]:
    """Within, files of these names are read as if these texts stood in them."""
    token = _unsaved.set(texts)
    try:
        yield
    finally:
        _unsaved.reset(token)


def read_source(file: Traversable, name: str, sources: Sources | None = None) -> SourceFile:
    """The text of a file, called `name`; `CompileError` where it cannot be read as one.

    It is added to `sources` as soon as it can be shown.
    """
    try:
        if not file.is_file():
            raise CompileError([_not_found(file, name)])
        text = _unsaved.get().get(name)
        if text is not None:
            data = text.encode()[: LARGEST_FILE + 1]
        else:
            with file.open("rb") as stream:
                data = stream.read(LARGEST_FILE + 1)
    except FileNotFoundError:
        raise CompileError([_not_found(file, name)]) from None
    except (OSError, ValueError):
        message = f"`{name}` cannot be read"
        raise CompileError(
            [error("MC0102", message, None, help=["look at the file's permissions"])]
        ) from None
    return decode_source(data, name, sources)


def decode_source(data: bytes, name: str, sources: Sources | None = None) -> SourceFile:
    """The text in these bytes, line ends made `\\n`; `CompileError` where they are no text."""
    if len(data) > LARGEST_FILE:
        message = f"`{name}` has more than {LARGEST_FILE:,} bytes"
        raise CompileError([error("MC0105", message, None, help=["split the file"])])
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as problem:
        raise CompileError([_not_utf8(data, problem, name)]) from None
    source = SourceFile(name, text.replace("\r\n", "\n"))
    if sources is not None:
        sources.add(source)
    found = Collector()
    _check_characters(source, found)
    _check_tabs(source, found)
    found.stop_on_errors()
    return source


def _not_found(file: Traversable, name: str) -> Diagnostic:
    message = f"`{name}` is a folder" if file.is_dir() else f"there is no file `{name}`"
    return error("MC0101", message, None)


def _not_utf8(data: bytes, problem: UnicodeDecodeError, name: str) -> Diagnostic:
    before = data[: problem.start].decode("utf-8-sig", errors="replace").split("\n")
    line, column = len(before), len(before[-1]) + 1
    return error(
        "MC0106",
        f"`{name}` is not a text in UTF-8",
        Span(name, line, column, line, column + 1),
        f"byte {data[problem.start]:#04x} is part of no character",
        help=["save the file in the encoding UTF-8"],
    )


def _check_characters(source: SourceFile, found: Collector) -> None:
    for match, _ in zip(
        REFUSED_CHARACTER.finditer(source.text), range(_REPORTED_PLACES), strict=False
    ):
        found.add(
            error(
                "MC0107",
                "a character that has no place in a text",
                _span_at(source, match.start(), match.end()),
                f"this is {named(match.group())}",
                help=["delete it"],
            )
        )


def _check_tabs(source: SourceFile, found: Collector) -> None:
    match = re.search("\t+", source.text)
    if match is None:
        return
    lines = sum("\t" in line for line in source.lines)
    more = [f"tabs stand in {lines} lines of this file"] if lines > 1 else []
    found.add(
        error(
            "MC0108",
            "a tab",
            _span_at(source, match.start(), match.end()),
            "spaces belong here",
            help=["set your editor to indent with spaces"],
            notes=more,
        )
    )


def _span_at(source: SourceFile, start: int, end: int) -> Span:
    line = source.text.count("\n", 0, start) + 1
    column = start - (source.text.rfind("\n", 0, start) + 1) + 1
    return Span(source.name, line, column, line, column + end - start)
