"""The one record for every problem. It is built first and given a look later.

Wording: the message is one phrase that stands alone, begins with a small letter, has no final
period and no line break; what the author wrote stands in backticks; a label says what is wrong
at its place, help says what to do.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

from meldc.diagnostics.codes import CODES
from meldc.source import Span

LONGEST_MESSAGE = 300
COMMAND_LINE = "command line"
"""The name under which the arguments of a command stand as a file."""


class Severity(StrEnum):
    """An error stops the compiler after the pass that found it; a warning never does."""

    ERROR = "error"
    WARNING = "warning"


@dataclass(frozen=True, slots=True)
class Label:
    """A place and what is to be said about it; no span where the problem has no place."""

    span: Span | None
    text: str = ""


@dataclass(frozen=True, slots=True)
class Edit:
    """Text to put in the place of a span; an empty span inserts."""

    span: Span
    text: str


@dataclass(frozen=True, slots=True)
class Fix:
    """A change that certainly cures the problem; the edits do not overlap."""

    title: str
    edits: tuple[Edit, ...]


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """A problem: stable code, message, the place, other places that explain it, what to do."""

    code: str
    severity: Severity
    message: str
    primary: Label
    secondary: tuple[Label, ...] = ()
    help: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    fix: Fix | None = None

    def __post_init__(self) -> None:
        assert self.code in CODES, f"this is a bug in meldc: {self.code} has no page"
        # What an author wrote may stand in a message, and may have lines or be very long.
        object.__setattr__(self, "message", _in_one_line(self.message))

    @property
    def is_error(self) -> bool:
        return self.severity is Severity.ERROR

    @property
    def is_unreadable(self) -> bool:
        """Whether an input could not be read at all: wrong usage rather than a wrong file.

        A missing file is that when a person named it; when a file names it, that file is wrong.
        """
        page, span = CODES[self.code], self.primary.span
        by_a_person = span is None or span.file == COMMAND_LINE
        return page.unreadable and (by_a_person or page.in_the_file)


class CompileError(Exception):
    """A source that cannot be compiled; `diagnostics` says why and holds at least one error."""

    def __init__(self, diagnostics: Iterable[Diagnostic]) -> None:
        self.diagnostics = tuple(diagnostics)
        assert self.diagnostics, "this is a bug in meldc: an error without a diagnostic"
        super().__init__("; ".join(_in_short(each) for each in self.diagnostics[:3]))


def _in_one_line(message: str) -> str:
    line = " ".join(message.split())
    return line if len(line) <= LONGEST_MESSAGE else f"{line[: LONGEST_MESSAGE - 1]}…"


def _in_short(diagnostic: Diagnostic) -> str:
    place = f"{diagnostic.primary.span}: " if diagnostic.primary.span else ""
    return f"{place}{diagnostic.code}: {diagnostic.message}"


def error(
    code: str,
    message: str,
    span: Span | None,
    label: str = "",
    *,
    secondary: Iterable[Label] = (),
    help: Iterable[str] = (),  # noqa: A002 - the name of the field it fills
    notes: Iterable[str] = (),
    fix: Fix | None = None,
) -> Diagnostic:
    """An error at a place."""
    return Diagnostic(
        code,
        Severity.ERROR,
        message,
        Label(span, label),
        tuple(secondary),
        tuple(help),
        tuple(notes),
        fix,
    )


def warning(
    code: str,
    message: str,
    span: Span | None,
    label: str = "",
    *,
    secondary: Iterable[Label] = (),
    help: Iterable[str] = (),  # noqa: A002 - the name of the field it fills
    notes: Iterable[str] = (),
    fix: Fix | None = None,
) -> Diagnostic:
    """A warning at a place."""
    return Diagnostic(
        code,
        Severity.WARNING,
        message,
        Label(span, label),
        tuple(secondary),
        tuple(help),
        tuple(notes),
        fix,
    )
