"""Diagnostics for people: code, message, place, the line as written, what to do.

    error[MC0111]: key `hand_size` is given twice
      --> mine.yaml:4:1
       |
     3 | hand_size: 11
       | --------- first here
     4 | hand-size: 13
       | ^^^^^^^^^ again here
       |
       = help: ...

Texts of users pass through `printable`, so that no file can write control codes to a terminal.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable

from meldc.diagnostics.record import Diagnostic, Label, Severity
from meldc.source import SourceFile, Sources
from meldc_runtime.light import dataclass

WIDEST_LINE = 120
TAB = "    "
_COLOURS = {"error": "1;31", "warning": "1;33", "rule": "1;34", "note": "1;36", "bold": "1"}


def render_text(
    diagnostics: Iterable[Diagnostic], sources: Sources, *, colour: bool = False
) -> str:
    """The diagnostics in the order given, each with its lines; an empty line between two.

    A place in a file that `sources` does not hold is named without its line.
    """
    paint = _Paint(colour)
    return "\n".join(_render(each, sources, paint) for each in diagnostics)


def printable(text: str) -> str:
    """The text on one line, with anything that does not print replaced."""
    return "".join(_cell(character) for character in text)


@dataclass(frozen=True, slots=True)
class _Paint:
    on: bool

    def __call__(self, style: str, text: str) -> str:
        return f"\x1b[{_COLOURS[style]}m{text}\x1b[0m" if self.on and text else text


@dataclass(frozen=True, slots=True)
class _Mark:
    """A label on one line of a file: columns from 1, end exclusive."""

    line: int
    column: int
    end_column: int
    text: str
    primary: bool


def _render(diagnostic: Diagnostic, sources: Sources, paint: _Paint) -> str:
    style = "error" if diagnostic.severity is Severity.ERROR else "warning"
    head = paint(style, f"{diagnostic.severity}[{diagnostic.code}]")
    lines = [head + paint("bold", f": {printable(diagnostic.message)}")]
    by_file = _marks_by_file(diagnostic)
    margin = len(str(max((mark.line for marks in by_file.values() for mark in marks), default=0)))
    for file, marks in by_file.items():
        lines.append(_arrow(file, marks[0], margin, paint, first=len(lines) == 1))
        lines += _excerpt(marks, sources.get(file), margin, paint, style)
    tail = _closing_lines(diagnostic)
    if tail and by_file:
        lines.append(paint("rule", " " * (margin + 1) + "|"))
    lines += [" " * (margin + 1) + paint("rule", "=") + f" {printable(text)}" for text in tail]
    return "\n".join(lines) + "\n"


def _marks_by_file(diagnostic: Diagnostic) -> dict[str, list[_Mark]]:
    """The marks of each file, the primary one's file and mark first."""
    by_file: dict[str, list[_Mark]] = {}
    for label in (diagnostic.primary, *diagnostic.secondary):
        if label.span:
            mark = _mark(label, primary=label is diagnostic.primary)
            by_file.setdefault(label.span.file, []).append(mark)
    return by_file


def _mark(label: Label, *, primary: bool) -> _Mark:
    span = label.span
    assert span is not None
    if span.end_line == span.line:
        return _Mark(span.line, span.column, max(span.end_column, span.column), label.text, primary)
    through = f"(to line {span.end_line})"
    return _Mark(span.line, span.column, -1, f"{label.text} {through}".strip(), primary)


def _arrow(file: str, mark: _Mark, margin: int, paint: _Paint, *, first: bool) -> str:
    arrow = paint("rule", "-->" if first else ":::")
    return f"{' ' * margin}{arrow} {printable(file)}:{mark.line}:{mark.column}"


def _closing_lines(diagnostic: Diagnostic) -> list[str]:
    labels = (diagnostic.primary, *diagnostic.secondary)
    tail = [f"note: {label.text}" for label in labels if label.text and not label.span]
    tail += [f"help: {text}" for text in diagnostic.help]
    if diagnostic.fix and not diagnostic.help:
        tail.append(f"help: {diagnostic.fix.title}")
    return tail + [f"note: {text}" for text in diagnostic.notes]


def _excerpt(
    marks: list[_Mark], source: SourceFile | None, margin: int, paint: _Paint, style: str
) -> list[str]:
    """The marked lines in the order of the file, each with a line below it for every mark."""
    if source is None:
        return [" " * (margin + 1) + f"{mark.text}" for mark in marks if mark.text]
    empty = paint("rule", " " * (margin + 1) + "|")
    lines = [empty]
    before = 0
    for number in sorted({mark.line for mark in marks}):
        if before and number > before + 1:
            lines.append(paint("rule", "..."))
        before = number
        here = sorted((mark for mark in marks if mark.line == number), key=lambda m: m.column)
        text = source.line(number)
        start, end = _window(text, here)
        lines.append(
            (paint("rule", f"{number:>{margin}} |") + f" {_shown(text, start, end)}").rstrip()
        )
        for mark in here:
            underline = _underline(text, mark, start, end)
            ink = style if mark.primary else "rule"
            lines.append(f"{empty} {underline[0]}{paint(ink, underline[1])}".rstrip())
    return lines


def _window(text: str, marks: list[_Mark]) -> tuple[int, int]:
    """The part of a long line that is shown: around its first mark."""
    if len(text) <= WIDEST_LINE:
        return 0, len(text)
    start = max(0, min(marks[0].column - 1 - WIDEST_LINE // 3, len(text) - WIDEST_LINE))
    return start, start + WIDEST_LINE


def _shown(text: str, start: int, end: int) -> str:
    return ("…" if start else "") + printable(text[start:end]) + ("…" if end < len(text) else "")


def _underline(text: str, mark: _Mark, start: int, end: int) -> tuple[str, str]:
    """What stands before the underline, and the underline with its text."""
    from_column = min(max(mark.column - 1, start), end)
    last = len(text) if mark.end_column < 0 else mark.end_column - 1
    to_column = min(max(last, from_column), end)
    before = _width(text[start:from_column]) + (1 if start else 0)
    length = max(1, _width(text[from_column:to_column]))
    line = ("^" if mark.primary else "-") * length
    return " " * before, f"{line} {printable(mark.text)}".rstrip()


def _cell(character: str) -> str:
    if character == "\t":
        return TAB
    if character in "\n\r":
        return " "
    return character if _prints(character) else "\N{REPLACEMENT CHARACTER}"


def _prints(character: str) -> bool:
    return unicodedata.category(character) not in ("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp")


def _width(text: str) -> int:
    return sum(
        len(TAB)
        if character == "\t"
        else 0
        if unicodedata.combining(character)
        else 2
        if unicodedata.east_asian_width(character) in "WF"
        else 1
        for character in text
    )
