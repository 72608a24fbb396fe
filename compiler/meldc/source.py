"""Places in files: spans, source texts, and the way from a text inside YAML back to its file.

Lines and columns count from 1, columns in characters; the end of a span is exclusive.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property

SHIPPED = "specs/"
"""What the names of files that come with meldc begin with."""


def is_shipped_file(file: str) -> bool:
    """Whether the file of a place is one that comes with the compiler."""
    return file.startswith(SHIPPED)


@dataclass(frozen=True, slots=True, order=True)
class Span:
    """A stretch of one file: `file` as shown to people, end exclusive."""

    file: str
    line: int
    column: int
    end_line: int
    end_column: int

    def __str__(self) -> str:
        return f"{self.file}:{self.line}:{self.column}"

    def to(self, end: Span) -> Span:
        """The stretch from the start of this span to the end of another one of the same file."""
        return Span(self.file, self.line, self.column, end.end_line, end.end_column)

    @property
    def start(self) -> Span:
        """The empty span where this one begins."""
        return Span(self.file, self.line, self.column, self.line, self.column)


@dataclass(frozen=True)
class SourceFile:
    """A text and the name it has for people. Line ends are `\\n` only."""

    name: str
    text: str

    @cached_property
    def lines(self) -> tuple[str, ...]:
        return tuple(self.text.split("\n"))

    def line(self, number: int) -> str:
        """The text of a line without its end; empty for a line the file does not have."""
        return self.lines[number - 1] if 1 <= number <= len(self.lines) else ""

    @property
    def end(self) -> Span:
        """The empty span behind the last character."""
        line, column = len(self.lines), len(self.lines[-1]) + 1
        return Span(self.name, line, column, line, column)


class Sources:
    """The texts read so far, by name; what a renderer shows lines from."""

    def __init__(self, files: Iterable[SourceFile] = ()) -> None:
        self._files = {file.name: file for file in files}

    def add(self, file: SourceFile) -> None:
        self._files[file.name] = file

    def get(self, name: str) -> SourceFile | None:
        return self._files.get(name)

    def __iter__(self) -> Iterator[SourceFile]:
        return iter(self._files.values())


@dataclass(frozen=True, slots=True)
class Piece:
    """From `column` of a line of an inner text on, characters stand in the file side by side."""

    column: int
    file_line: int
    file_column: int


@dataclass(frozen=True, slots=True)
class Rebase:
    """The way from places in an inner text (a scalar's value) to places in its file.

    `lines` holds for each line of the inner text its pieces in order; a line without a piece
    and a line behind the last one go to `end`.
    """

    file: str
    lines: tuple[tuple[Piece, ...], ...]
    end: tuple[int, int]

    @classmethod
    def whole(cls, source: SourceFile) -> Rebase:
        """The way that changes nothing: the inner text is the whole file."""
        lines = tuple((Piece(1, number, 1),) for number in range(1, len(source.lines) + 1))
        return cls(source.name, lines, (source.end.line, source.end.column))

    def position(self, line: int, column: int) -> tuple[int, int]:
        """Line and column in the file of a character of the inner text."""
        pieces = self.lines[line - 1] if 1 <= line <= len(self.lines) else ()
        if not pieces:
            return self.end
        at = max(0, bisect_right(pieces, column, key=lambda piece: piece.column) - 1)
        piece = pieces[at]
        return piece.file_line, max(1, piece.file_column + column - piece.column)

    def span(self, line: int, column: int, end_line: int, end_column: int) -> Span:
        """The span in the file of a stretch of the inner text."""
        first_line, first_column = self.position(line, column)
        last_line, last_column = self.position(end_line, end_column)
        if end_column > 1:
            # The end belongs to the last character within, not to whatever was folded after it.
            before_line, before_column = self.position(end_line, end_column - 1)
            if last_line != before_line:
                last_line, last_column = before_line, before_column + 1
        if (last_line, last_column) < (first_line, first_column):
            last_line, last_column = first_line, first_column
        return Span(self.file, first_line, first_column, last_line, last_column)

    def within(self, span: Span) -> Span:
        """The same for a span whose lines and columns are those of the inner text."""
        return self.span(span.line, span.column, span.end_line, span.end_column)
