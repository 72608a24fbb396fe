"""Where the characters of a YAML scalar stand in its file.

YAML changes only blanks, line breaks, doubled quotes and escapes on the way from the file to the
value. So the characters that are no blanks stand in both in the same order, and laying the two
orders side by side gives every place; a blank stands behind the character before it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from meldc.source import Piece, Rebase, SourceFile, Span

_BLANKS = " \n"
_ESCAPE_DIGITS = {"x": 2, "u": 4, "U": 8}


@dataclass(frozen=True, slots=True)
class _Solid:
    """What becomes one character of the value: its place and the place behind it."""

    line: int
    column: int
    end_column: int
    escaped: bool = False


def trace(value: str, span: Span, style: str, source: SourceFile) -> Rebase:
    """The way from places in `value`, written at `span` in the given style, to the file."""
    if style == "|":
        return _trace_literal(value, span, source)
    solids = iter(_solids(span, style, source))
    return _align(value, solids, span, 0 if style in ("plain", ">") else 1)


def _trace_literal(value: str, span: Span, source: SourceFile) -> Rebase:
    """Each line stands in the file as it is, behind the same indentation."""
    texts = value.split("\n")
    filled = [number for number, text in enumerate(texts) if text]
    if not filled:
        return Rebase(span.file, (), (span.end_line, span.end_column))
    first = span.line + 1
    indent = len(source.line(first + filled[0])) - len(texts[filled[0]])
    lines = tuple(
        (Piece(1, first + number, indent + 1),) if number <= filled[-1] else ()
        for number in range(len(texts))
    )
    return Rebase(span.file, lines, (span.end_line, span.end_column))


def _solids(span: Span, style: str, source: SourceFile) -> Iterator[_Solid]:
    """The characters between the marks of a scalar that are neither blanks nor its quotes."""
    first = span.line + 1 if style == ">" else span.line
    for number in range(first, span.end_line + 1):
        text = source.line(number)
        start = span.column - 1 if number == span.line else 0
        end = span.end_column - 1 if number == span.end_line else len(text)
        if style in ("'", '"'):
            start += number == span.line
            end -= number == span.end_line
        yield from _solids_of_line(text, number, start, end, style)


def _solids_of_line(text: str, line: int, start: int, end: int, style: str) -> Iterator[_Solid]:
    at = start
    while at < end:
        length = 1
        if style == '"' and text[at] == "\\":
            if at + 1 >= end:  # the line is joined to the next one
                return
            length = 2 + _ESCAPE_DIGITS.get(text[at + 1], 0)
            yield _Solid(line, at + 1, at + length + 1, escaped=True)
        elif text[at] not in _BLANKS:
            length = 2 if style == "'" and text[at] == "'" else 1
            yield _Solid(line, at + 1, at + length + 1)
        at += length


def _align(value: str, solids: Iterator[_Solid], span: Span, quote: int) -> Rebase:
    lines: list[tuple[Piece, ...]] = []
    behind = (span.line, span.column + quote)
    ahead = next(solids, None)
    for text in value.split("\n"):
        pieces: list[Piece] = []
        for column, character in enumerate(text, 1):
            if ahead and (character not in _BLANKS or _comes_next(ahead, behind)):
                _extend(pieces, column, ahead.line, ahead.column)
                behind = (ahead.line, ahead.end_column)
                ahead = next(solids, None)
            else:
                _extend(pieces, column, *behind)
                behind = (behind[0], behind[1] + 1)
        _extend(pieces, len(text) + 1, *behind)
        lines.append(tuple(pieces))
        if ahead and _comes_next(ahead, behind):  # an escape stands for the line break
            behind = (ahead.line, ahead.end_column)
            ahead = next(solids, None)
    return Rebase(span.file, tuple(lines), (span.end_line, span.end_column))


def _comes_next(ahead: _Solid, behind: tuple[int, int]) -> bool:
    """Whether a blank of the value is an escape rather than a blank of the file."""
    return ahead.escaped and (ahead.line, ahead.column) == behind


def _extend(pieces: list[Piece], column: int, file_line: int, file_column: int) -> None:
    """Add a place, unless it follows from the last piece."""
    if pieces:
        last = pieces[-1]
        if last.file_line == file_line and file_column - last.file_column == column - last.column:
            return
    pieces.append(Piece(column, file_line, file_column))
