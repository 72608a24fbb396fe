"""Where the characters of a YAML scalar stand in its file.

A literal block stands there as it is. Plain and quoted texts are read once more, by the rules
of YAML for line breaks, doubled quotes and escapes, and give a place for each character. Folded
blocks change only blanks and line breaks: their other characters come in the same order.
"""

from __future__ import annotations

from collections.abc import Iterator

from meldc.source import Piece, Rebase, SourceFile, Span
from meldc_runtime.light import dataclass

_BLANKS = " \n"
_ESCAPE_DIGITS = {"x": 2, "u": 4, "U": 8}


@dataclass(frozen=True, slots=True)
class _Origin:
    """Where a character of the value comes from: its place and the place behind it."""

    line: int
    column: int
    end_column: int


def trace(value: str, span: Span, style: str, source: SourceFile) -> Rebase:
    """The way from places in `value`, written at `span` in the given style, to the file."""
    if style == "|":
        return _trace_literal(value, span, source)
    if style == ">":
        origins = list(_align_folded(value, span, source))
    else:
        origins = list(_reread(span, style, source))
    return _join(value, origins, span)


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


def _align_folded(value: str, span: Span, source: SourceFile) -> Iterator[_Origin]:
    """An origin for each character of a folded block; a blank stands behind what precedes it."""
    solids = (
        _Origin(number, column, column + 1)
        for number in range(span.line + 1, span.end_line + 1)
        for column, character in enumerate(source.line(number), 1)
        if character not in _BLANKS
    )
    last = _Origin(span.line, span.column, span.column)
    for character in value:
        blank = _Origin(last.line, last.end_column, last.end_column + 1)
        last = blank if character in _BLANKS else next(solids, blank)
        yield last


def _reread(span: Span, style: str, source: SourceFile) -> Iterator[_Origin]:
    """An origin for each character of a plain or quoted text, in order."""
    quote = 0 if style == "plain" else 1
    breaks, joined = 0, False
    behind = (span.line, span.column + quote)
    for number in range(span.line, span.end_line + 1):
        text = source.line(number)
        start = span.column - 1 + quote if number == span.line else 0
        end = span.end_column - 1 - quote if number == span.end_line else len(text)
        if number > span.line:
            breaks += 1
            start += len(text[start:end]) - len(text[start:end].lstrip(" "))
        joins = style == '"' and number < span.end_line and _ends_in_backslash(text[start:end])
        if number < span.end_line and not joins:
            end = max(start, len(text[:end].rstrip(" ")))
        if start < end or number == span.end_line:
            yield from _folded_breaks(breaks, joined, behind)
            breaks, joined = 0, False
        origins = list(_reread_line(text, number, start, end - joins, style))
        yield from origins
        if origins:
            behind = (number, origins[-1].end_column)
        joined = joined or joins


def _ends_in_backslash(text: str) -> bool:
    """Whether a line ends in a backslash that is not itself escaped."""
    return (len(text) - len(text.rstrip("\\"))) % 2 == 1


def _folded_breaks(breaks: int, joined: bool, behind: tuple[int, int]) -> Iterator[_Origin]:
    """One break is a blank, or nothing behind a backslash; of more all but one stay."""
    count = breaks if breaks == 1 and not joined else breaks - 1
    for _ in range(count):
        yield _Origin(behind[0], behind[1], behind[1] + 1)


def _reread_line(text: str, line: int, start: int, end: int, style: str) -> Iterator[_Origin]:
    at = start
    while at < end:
        length = 1
        if style == '"' and text[at] == "\\":
            length = 2 + _ESCAPE_DIGITS.get(text[at + 1 : at + 2], 0)
        elif style == "'" and text[at] == "'":
            length = 2
        yield _Origin(line, at + 1, at + length + 1)
        at += length


def _join(value: str, origins: list[_Origin], span: Span) -> Rebase:
    """The way for a value whose characters have these origins."""
    if len(origins) != len(value):  # better the start of the text than a place that is wrong
        origins = [_Origin(span.line, span.column, span.column)] * len(value)
    lines: list[tuple[Piece, ...]] = []
    at = 0
    behind = (span.line, span.column)
    for text in value.split("\n"):
        pieces: list[Piece] = []
        for column, origin in enumerate(origins[at : at + len(text)], 1):
            _extend(pieces, column, origin.line, origin.column)
            behind = (origin.line, origin.end_column)
        _extend(pieces, len(text) + 1, *behind)
        lines.append(tuple(pieces))
        at += len(text) + 1
    return Rebase(span.file, tuple(lines), (span.end_line, span.end_column))


def _extend(pieces: list[Piece], column: int, file_line: int, file_column: int) -> None:
    """Add a place, unless it follows from the last piece."""
    if pieces:
        last = pieces[-1]
        if last.file_line == file_line and file_column - last.file_column == column - last.column:
            return
    pieces.append(Piece(column, file_line, file_column))
