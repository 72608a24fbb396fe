"""What the YAML parser complains of, said in the words of a writer of rules.

The parser's own texts are looked at to tell its complaints apart, and are never shown.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Protocol

import yaml

from meldc.diagnostics import Diagnostic, Edit, Fix, Label, error
from meldc.load.blocks import bare_rules_above
from meldc.source import SourceFile, Span
from meldc.unseen import UNSEEN, named, plain

_FOR_A_SPACE = re.compile(rf"(?:^ *|:){UNSEEN.pattern}")
_QUOTE_IT = "put the whole value in quotes"
_TEXT_KEY = re.compile(r"(?P<blanks> *)(?P<name>[\w -]*\w) *: *[|>][-+]?\s*")
_LINE_UP = "entries of one map or list stand exactly below each other"


class Mark(Protocol):
    """A place of the parser: line and column from 0."""

    @property
    def line(self) -> int: ...
    @property
    def column(self) -> int: ...


def span_of_marks(source: SourceFile, start: Mark | None, end: Mark | None) -> Span:
    """The span between two marks of the parser, without blank lines at its end."""
    assert start is not None, "this is a bug in meldc: the parser gave no place"
    end = end or start
    line, column = end.line + 1, end.column + 1
    while line > start.line + 1 and not source.line(line)[: column - 1].strip():
        line -= 1
        column = len(source.line(line).rstrip()) + 1
    if (line, column) < (start.line + 1, start.column + 1):
        line, column = start.line + 1, start.column + 1
    return Span(source.name, start.line + 1, start.column + 1, line, column)


def explain_yaml_error(problem: yaml.MarkedYAMLError, source: SourceFile) -> Diagnostic:
    """A diagnostic for a complaint of the parser."""
    complaint = _Complaint(problem, source)
    if bare := bare_rules_above(source, complaint.place.line):
        return bare
    if unseen := _unseen(complaint):
        return unseen
    for words, explain in _EXPLANATIONS:
        if words in complaint.words:
            return explain(complaint)
    return _unreadable(complaint)


class _Complaint:
    """A complaint taken apart: its words, where it is, where what it is about began."""

    def __init__(self, problem: yaml.MarkedYAMLError, source: SourceFile) -> None:
        self.words = f"{problem.context or ''}: {problem.problem or ''}"
        self.source = source
        mark = problem.problem_mark or problem.context_mark
        self.place = self._at(mark)
        self.start = self._at(problem.context_mark or mark)

    def _at(self, mark: Mark | None) -> Span:
        """The one character at a mark; behind the last one of the text at its very end."""
        line, column = (mark.line + 1, mark.column + 1) if mark else (1, 1)
        while line > 1 and not self.source.line(line).strip() and line >= len(self.source.lines):
            line -= 1
            column = len(self.source.line(line)) + 1
        return Span(self.source.name, line, column, line, column + 1)

    @property
    def before(self) -> str:
        """What stands before the place on its line."""
        return self.source.line(self.place.line)[: self.place.column - 1]

    @property
    def character(self) -> str:
        """The character at the place, empty behind the end of a line."""
        return self.source.line(self.place.line)[self.place.column - 1 :][:1]

    @property
    def at_end_of_file(self) -> bool:
        return "<stream end>" in self.words or "'\\x00'" in self.words


def _unseen(complaint: _Complaint) -> Diagnostic | None:
    """What looks like a space, or like nothing, where a space belongs: first, or behind a colon."""
    for line in dict.fromkeys((complaint.start.line, complaint.place.line)):
        found = _FOR_A_SPACE.search(complaint.source.line(line))
        if found is None:
            continue
        character = found.group()[-1]
        span = Span(complaint.source.name, line, found.end(), line, found.end() + 1)
        blank = plain(character)
        return error(
            "MC0107",
            "a character that is not what it looks like",
            span,
            f"this is {named(character)}",
            fix=Fix("write a space" if blank else "delete it", (Edit(span, blank),)),
        )
    return None


def _second_colon(complaint: _Complaint) -> Diagnostic:
    if ": " in complaint.before or complaint.source.line(complaint.place.line)[:1].strip() == "":
        if ": " not in complaint.before:
            return _indented_below_a_value(complaint)
        return error(
            "MC0120",
            "a second colon in a line",
            complaint.place,
            "another value cannot begin here",
            help=[_QUOTE_IT, "or put several entries in one line between `{` and `}`"],
        )
    return error(
        "MC0120",
        "a colon where no key stands",
        complaint.place,
        "no value can begin here",
        help=["a text with a colon and a space in it goes in quotes"],
    )


def _indented_below_a_value(complaint: _Complaint) -> Diagnostic:
    return error(
        "MC0121",
        "an entry indented below a value",
        complaint.place,
        "the line above has a value already",
        help=[_LINE_UP],
    )


def _no_colon(complaint: _Complaint) -> Diagnostic:
    start = complaint.start
    if (text := _text_above(complaint)) is not None:
        return text
    line = complaint.source.line(start.line).rstrip()
    end = max(len(line), start.column) + 1
    return error(
        "MC0122",
        "a line without a colon among entries with one",
        Span(start.file, start.line, start.column, start.line, end),
        "`key: value` is expected",
        help=["a space belongs behind the colon"],
    )


def _text_above(complaint: _Complaint) -> Diagnostic | None:
    """A key with `|` whose lines stand at its own column, so that none of them is its text."""
    number = complaint.start.line - 1
    while number > 0 and not complaint.source.line(number).strip():
        number -= 1
    key = _TEXT_KEY.fullmatch(complaint.source.line(number))
    if key is None or len(key["blanks"]) < complaint.start.column - 1:
        return None
    column = len(key["blanks"]) + 1
    help_ = ["indent the lines of its text by two blanks more"]
    if key["blanks"]:
        help_.append(f"if `{key['name']}` is a key of the file, it begins at the left edge")
    return error(
        "MC0122",
        f"the lines below `{key['name']}:` are not indented deeper than it",
        Span(complaint.start.file, number, column, number, column + len(key["name"])),
        "its text is to stand below, indented",
        secondary=[Label(complaint.start, "this line")],
        help=help_,
    )


def _not_closed(complaint: _Complaint) -> Diagnostic:
    start = complaint.start
    opening = complaint.source.line(start.line)[start.column - 1 :][:1]
    closing = {"[": "]", "{": "}"}.get(opening, "]")
    if complaint.at_end_of_file:
        return error(
            "MC0123", f"`{opening}` is not closed", start, help=[f"add `{closing}` at its end"]
        )
    return error(
        "MC0123",
        f"a comma or `{closing}` is missing",
        complaint.place,
        "before this",
        secondary=[Label(start, "the bracket opened here")],
    )


def _no_value(complaint: _Complaint) -> Diagnostic:
    if complaint.character in ("]", "}"):
        message = f"`{complaint.character}` closes nothing"
        return error("MC0123", message, complaint.place, help=["delete it, or open the bracket"])
    if complaint.character == ",":
        help_ = "delete the comma; a text that begins with one goes in quotes"
        return error("MC0126", "a comma where a value begins", complaint.place, help=[help_])
    return _unreadable(complaint)


def _end_of_entries(complaint: _Complaint) -> Diagnostic:
    if not complaint.before.strip():
        if complaint.character == "-":
            return error(
                "MC0121",
                "a list entry where a list cannot stand",
                complaint.place,
                secondary=[Label(complaint.start, "these entries are no list")],
                help=["put the list below its key, further right"],
            )
        return error(
            "MC0121",
            "an indentation that fits nothing",
            complaint.place,
            "further left or right than its neighbours",
            secondary=[Label(complaint.start, "the entries begin here")],
            help=[_LINE_UP],
        )
    if complaint.character in ("]", "}"):
        return _no_value(complaint)
    return error(
        "MC0129",
        "a text behind the end of a value",
        complaint.place,
        "the value ended before this",
        help=[_QUOTE_IT],
    )


def _quote_not_closed(complaint: _Complaint) -> Diagnostic:
    return error("MC0124", "a quote is not closed", complaint.start, "it opens here")


def _bad_escape(complaint: _Complaint) -> Diagnostic:
    return error(
        "MC0125",
        "an escape that does not exist",
        complaint.place,
        "after this backslash" if complaint.character == "\\" else "",
        help=["in single quotes a backslash is a backslash"],
    )


def _bad_first_character(complaint: _Complaint) -> Diagnostic:
    message = f"a value cannot begin with `{complaint.character}`"
    return error("MC0126", message, complaint.place, help=[_QUOTE_IT])


def _bad_block_head(complaint: _Complaint) -> Diagnostic:
    return error(
        "MC0127",
        "a text behind `|` or `>`",
        complaint.place,
        "the text begins on the next line",
        help=["begin it there, further right than its key"],
    )


def _list_in_a_line(complaint: _Complaint) -> Diagnostic:
    return error(
        "MC0129",
        "a list entry in the line of its key",
        complaint.place,
        help=["begin the list on the next line, or write it as `[a, b]`"],
    )


def _complex_key(complaint: _Complaint) -> Diagnostic:
    help_ = "a text that begins with `?` goes in quotes"
    return error("MC0116", "a key cannot begin here", complaint.place, help=[help_])


def _anchor(complaint: _Complaint) -> Diagnostic:
    help_ = "a text that begins with `&` or `*` goes in quotes"
    return error("MC0112", "an anchor or alias", complaint.start, help=[help_])


def _tag(complaint: _Complaint) -> Diagnostic:
    help_ = "a text that begins with `!` goes in quotes"
    return error("MC0113", "a tag", complaint.start, help=[help_])


def _directive(complaint: _Complaint) -> Diagnostic:
    help_ = "delete the line; a text that begins with `%` goes in quotes"
    return error("MC0113", "a directive", complaint.start, help=[help_])


def _second_document(complaint: _Complaint) -> Diagnostic:
    if any(line.startswith("...") for line in complaint.source.lines[: complaint.place.line]):
        message = "a second document begins here"
        return error("MC0110", message, complaint.place, help=["make two files"])
    return error(
        "MC0129",
        "the file goes on behind its end",
        complaint.place,
        "what came before was complete",
        help=["a file is one map: its lines are `key: value`"],
    )


def _unreadable(complaint: _Complaint) -> Diagnostic:
    return error(
        "MC0129",
        "not readable as YAML",
        complaint.place,
        "no key, value or list entry can begin here",
        help=["compare the line with those around it: dashes, colons, quotes and brackets"],
    )


# The first whose words stand in the complaint explains it.
_EXPLANATIONS: tuple[tuple[str, Callable[[_Complaint], Diagnostic]], ...] = (
    ("scanning a directive", _directive),
    ("incompatible YAML document", _directive),
    ("duplicate YAML directive", _directive),
    ("duplicate tag handle", _directive),
    ("undefined tag handle", _tag),
    ("scanning a tag", _tag),
    ("parsing a tag", _tag),
    ("scanning an anchor", _anchor),
    ("scanning an alias", _anchor),
    ("scanning a block scalar", _bad_block_head),
    ("unknown escape character", _bad_escape),
    ("expected escape sequence", _bad_escape),
    ("scanning a quoted scalar", _quote_not_closed),
    ("scanning a double-quoted scalar", _quote_not_closed),
    ("that cannot start any token", _bad_first_character),
    ("mapping values are not allowed", _second_colon),
    ("could not find expected ':'", _no_colon),
    ("expected the node content", _no_value),
    ("parsing a flow", _not_closed),
    ("expected <block end>", _end_of_entries),
    ("sequence entries are not allowed", _list_in_a_line),
    ("mapping keys are not allowed", _complex_key),
    ("<document start>", _second_document),
)
