"""Changes that certainly cure a problem: found from the record, put into a text.

A fix that a pass gave stands as it is. From the others one is derived where the record leaves no
choice: a name with one near neighbour, a line that only repeats what holds anyway.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace

from meldc.diagnostics.record import COMMAND_LINE, Diagnostic, Edit, Fix
from meldc.diagnostics.suggest import is_slip
from meldc.source import SourceFile, Sources, Span

_ONE_NAME = re.compile(r"did you mean `([^`]+)`\?")
_NAME = re.compile(r"[A-Za-z_][\w.-]*( [\w-]+)?")
_LINE_OF_ONE_VALUE = re.compile(r"\s*[\w -]+:\s+[^\s{}\[\]|>&*#][^#]*?\s*(#.*)?")
_REPEATED = frozenset({"MC0111", "MC0411", "MC0624", "MC0732"})


def with_fix(diagnostic: Diagnostic, sources: Sources) -> Diagnostic:
    """The diagnostic with the fix that is certain, where there is one."""
    if diagnostic.fix is not None or diagnostic.primary.span is None:
        return diagnostic
    source = sources.get(diagnostic.primary.span.file)
    if source is None or source.name == COMMAND_LINE:
        return diagnostic
    fix = _of_name(diagnostic, source, diagnostic.primary.span) or _of_repetition(
        diagnostic, source, diagnostic.primary.span
    )
    return replace(diagnostic, fix=fix) if fix is not None else diagnostic


def _of_name(diagnostic: Diagnostic, source: SourceFile, span: Span) -> Fix | None:
    """The one name that is near what stands at the place."""
    meant = [found[1] for text in diagnostic.help if (found := _ONE_NAME.fullmatch(text))]
    if len(meant) != 1 or span.line != span.end_line:
        return None
    written = source.line(span.line)[span.column - 1 : span.end_column - 1]
    if not _NAME.fullmatch(written):
        return None
    name = written if f"`{written}`" in diagnostic.message else written.split(" ")[-1]
    if f"`{name}`" not in diagnostic.message or not is_slip(name, meant[0]):
        return None
    place = replace(span, column=span.end_column - len(name))
    return Fix(f"write `{meant[0]}`", (Edit(place, meant[0]),))


def _of_repetition(diagnostic: Diagnostic, source: SourceFile, span: Span) -> Fix | None:
    """A line of its own that says what is so already, or what nothing reads, is left out."""
    line = source.line(span.line)
    if diagnostic.code not in _REPEATED or not _LINE_OF_ONE_VALUE.fullmatch(line):
        return None
    if diagnostic.code == "MC0732" and line.startswith(" "):
        return None  # one of several rows that nothing reads
    if diagnostic.code == "MC0111" and not _same_line_before(diagnostic, source, span):
        return None
    if span.line >= len(source.lines):
        return None
    return Fix("leave the line out", (Edit(Span(span.file, span.line, 1, span.line + 1, 1), ""),))


def _same_line_before(diagnostic: Diagnostic, source: SourceFile, span: Span) -> bool:
    """Whether the other place says the same in the same words."""
    lines = [label.span.line for label in diagnostic.secondary if label.span is not None]
    said = source.line(span.line).partition("#")[0].split()
    return bool(lines) and all(source.line(n).partition("#")[0].split() == said for n in lines)


def without_overlaps(fixes: Iterable[Fix]) -> list[Fix]:
    """The fixes of which no edit touches one of a fix before it."""
    taken: list[Span] = []
    kept: list[Fix] = []
    for fix in fixes:
        spans = [edit.span for edit in fix.edits]
        if not any(_touch(span, other) for span in spans for other in taken):
            kept.append(fix)
            taken += spans
    return kept


def _touch(one: Span, other: Span) -> bool:
    if one.file != other.file:
        return False
    return _start(one) <= _end(other) and _start(other) <= _end(one)


def edited(source: SourceFile, edits: Iterable[Edit]) -> str:
    """The text of a file after edits that do not overlap."""
    text = source.text
    starts = [0]
    for line in source.lines:
        starts.append(starts[-1] + len(line) + 1)
    for edit in sorted(set(edits), key=lambda each: _start(each.span), reverse=True):
        span = edit.span
        begin = starts[span.line - 1] + span.column - 1
        end = min(starts[span.end_line - 1] + span.end_column - 1, len(text))
        text = text[:begin] + _fitted(edit.text, text[:begin], text[end:]) + text[end:]
    return text


def _fitted(text: str, before: str, after: str) -> str:
    """The text without blanks where blanks stand already."""
    if before.endswith((" ", "\n")):
        text = text.lstrip(" ")
    return text.rstrip(" ") if after.startswith((" ", "\n")) else text


def _start(span: Span) -> tuple[int, int]:
    return span.line, span.column


def _end(span: Span) -> tuple[int, int]:
    return span.end_line, span.end_column
