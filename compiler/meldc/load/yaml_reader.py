"""YAML with places: a text becomes a tree of nodes, or diagnostics.

Only the plain part of YAML is read: maps, lists and texts. Whatever makes a file mean something
else than it shows (anchors, tags, several documents) is refused, and so is what makes reading
it long (depth, numbers of values). No scalar is ever taken for more than a text.
"""

from __future__ import annotations

from contextlib import suppress
from typing import Never

import yaml
from yaml.events import (
    AliasEvent,
    DocumentEndEvent,
    DocumentStartEvent,
    Event,
    MappingEndEvent,
    MappingStartEvent,
    NodeEvent,
    ScalarEvent,
    SequenceEndEvent,
    SequenceStartEvent,
    StreamEndEvent,
)

from meldc.diagnostics import Collector, Diagnostic, Label, error
from meldc.digits import IN_GROUPS, grouped_number
from meldc.load.nodes import Entry, Style, YamlList, YamlMap, YamlNode, YamlText
from meldc.load.text_reader import REFUSED_CHARACTER
from meldc.load.yaml_errors import explain_yaml_error, span_of_marks
from meldc.source import SourceFile, Span
from meldc.unseen import UNSEEN, named

DEEPEST_NESTING = 30
MOST_NODES = 50_000
MOST_PROBLEMS = 100


def read_yaml(source: SourceFile) -> YamlNode:
    """The tree of a text; `CompileError` with all that is wrong where it is no YAML for us.

    Assumes a text without control characters and tabs (`decode_source`). Reading stops at the
    first place that is not YAML; before it everything refused is reported.
    """
    found = Collector()
    root: YamlNode | None = None
    with suppress(_StopReadingError):
        root = _Composer(source, found).document()
    found.stop_on_errors()
    assert root is not None, "this is a bug in meldc: neither a tree nor an error"
    return root


class _StopReadingError(Exception):
    """Reading on makes no sense; the reason is in the collector."""


class _Composer:
    def __init__(self, source: SourceFile, found: Collector) -> None:
        self._source = source
        self._found = found
        self._nodes = 0
        self._loader = yaml.SafeLoader(source.text)

    def document(self) -> YamlNode:
        self._next()  # the start of the stream
        start = self._next()
        if isinstance(start, StreamEndEvent):
            place = Span(self._source.name, 1, 1, 1, 1)
            self._stop(error("MC0109", "the file is empty", place, help=["begin with its name"]))
        self._refuse_directives(start)
        root = self._node(self._next(), 1)
        end = self._next()
        assert isinstance(end, DocumentEndEvent)
        after = self._next()
        if isinstance(after, DocumentStartEvent):
            message = "a second document begins here"
            self._stop(error("MC0110", message, self._span(after), help=["make two files"]))
        if isinstance(root, YamlText) and root.is_missing:
            self._stop(error("MC0109", "the file is empty", root.span))
        return root

    def _next(self) -> Event:
        try:
            event: Event = self._loader.get_event()  # type: ignore[no-untyped-call]
        except yaml.MarkedYAMLError as problem:
            self._stop(explain_yaml_error(problem, self._source))
        except (ValueError, OverflowError):
            # A number in an escape that is that of no character.
            mark = self._loader.get_mark()
            self._stop(
                error(
                    "MC0125",
                    "an escape stands for no character",
                    span_of_marks(self._source, mark, mark),
                    "this number is too large",
                )
            )
        return event

    def _stop(self, diagnostic: Diagnostic) -> Never:
        self._found.add(diagnostic)
        raise _StopReadingError

    def _report(self, diagnostic: Diagnostic) -> None:
        self._found.add(diagnostic)
        if len(self._found) >= MOST_PROBLEMS:
            raise _StopReadingError

    def _span(self, event: Event) -> Span:
        return span_of_marks(self._source, event.start_mark, event.end_mark)

    def _refuse_directives(self, start: Event) -> None:
        for number in range(1, self._span(start).end_line):
            line = self._source.line(number)
            if line.startswith("%"):
                span = Span(self._source.name, number, 1, number, len(line) + 1)
                self._report(error("MC0113", "a directive", span, help=["delete the line"]))

    def _node(self, event: Event, depth: int) -> YamlNode:
        self._count(event)
        self._refuse_extras(event)
        if isinstance(event, MappingStartEvent | SequenceStartEvent):
            if depth > DEEPEST_NESTING:
                message = f"nested more than {DEEPEST_NESTING} deep"
                self._stop(error("MC0114", message, self._span(event)))
            if isinstance(event, MappingStartEvent):
                return self._map(event, depth)
            return self._list(event, depth)
        return self._text(event)

    def _count(self, event: Event) -> None:
        self._nodes += 1
        if self._nodes > MOST_NODES:
            message = f"more than {MOST_NODES:,} values in a file"
            self._stop(error("MC0115", message, self._span(event)))

    def _refuse_extras(self, event: Event) -> None:
        if isinstance(event, AliasEvent):
            message = f"an alias, `*{event.anchor}`"
            cure = "write the value out; a text that begins with `*` goes in quotes"
            self._report(error("MC0112", message, self._span(event), help=[cure]))
            return
        assert isinstance(event, NodeEvent)
        if event.anchor is not None:
            message = f"an anchor, `&{event.anchor}`"
            cure = "delete it; a text that begins with `&` goes in quotes"
            self._report(error("MC0112", message, self._first_place(event), help=[cure]))
        if getattr(event, "tag", None) is not None:
            cure = "delete it; a text that begins with `!` goes in quotes"
            self._report(error("MC0113", "a tag", self._first_place(event), help=[cure]))

    def _first_place(self, event: Event) -> Span:
        """The word with which the event begins."""
        start = self._span(event).start
        word = self._source.line(start.line)[start.column - 1 :].split(" ")[0]
        return Span(start.file, start.line, start.column, start.line, start.column + len(word))

    def _text(self, event: Event) -> YamlText:
        if not isinstance(event, ScalarEvent):  # an alias, reported already
            return YamlText("", self._span(event), Style.PLAIN, self._source)
        style = Style(event.style) if event.style else Style.PLAIN
        text = YamlText(event.value, self._span(event), style, self._source)
        refused = REFUSED_CHARACTER.search(text.value) if style is Style.DOUBLE else None
        if refused:
            message = f"an escape for {named(refused.group())}"
            self._report(error("MC0107", message, text.span, help=["delete it"]))
        return text

    def _list(self, event: SequenceStartEvent, depth: int) -> YamlList:
        items = []
        while not isinstance(item := self._next(), SequenceEndEvent):
            items.append(self._node(item, depth + 1))
        return YamlList(tuple(items), self._whole(event, item, items))

    def _map(self, event: MappingStartEvent, depth: int) -> YamlMap:
        entries: dict[str, Entry] = {}
        values: list[YamlNode] = []
        while not isinstance(key_event := self._next(), MappingEndEvent):
            key = self._node(key_event, depth + 1)
            value = self._node(self._next(), depth + 1)
            values.append(value)
            if not self._is_key(key):
                continue
            assert isinstance(key, YamlText)
            entry = Entry(key, value)
            self._refuse_missing(entry)
            if entry.name in entries:
                self._report(_duplicate(entries[entry.name], entry))
            else:
                entries[entry.name] = entry
        return YamlMap(tuple(entries.values()), self._whole(event, key_event, values))

    def _is_key(self, key: YamlNode) -> bool:
        if not isinstance(key, YamlText) or key.style in (Style.LITERAL, Style.FOLDED):
            self._report(error("MC0116", "a key that is no word", key.span, "a text belongs here"))
            return False
        if not key.value.strip():
            self._report(error("MC0116", "an empty key", key.span, "a word belongs here"))
            return False
        if key.value == "<<" and key.style is Style.PLAIN:
            message = "a merge key, `<<`"
            self._report(error("MC0112", message, key.span, help=["write the entries out"]))
            return False
        return True

    def _refuse_missing(self, entry: Entry) -> None:
        """A word alone within braces. (Of a key at its own line the parser itself complains.)"""
        value, key = entry.value, entry.key
        if not isinstance(value, YamlText) or not value.is_missing:
            return
        line = self._source.line(key.span.end_line)
        if line[key.span.end_column - 1 :].lstrip().startswith(":"):
            return
        number = _number_in_groups(line, key.span)
        if number is not None:
            self._report(number)
            return
        unseen = UNSEEN.search(key.value)
        cure = "a key with a comma goes in quotes"
        if key.value.count(")") > key.value.count("("):
            cure = 'within braces a value with a comma goes in quotes: `key: "… (a, b)"`'
        if unseen is not None:
            cure = f"write a plain space: what stands there is {named(unseen.group())}"
        self._report(
            error(
                "MC0117",
                f"`{key.value}` has no value",
                key.span,
                "here `: ` and a value are missing",
                help=[cure],
            )
        )

    def _whole(self, start: Event, end: Event, children: list[YamlNode]) -> Span:
        """The span of a collection: by its brackets, else up to the end of its last child."""
        span = self._span(start)
        if getattr(start, "flow_style", False):
            return span.to(self._span(end))
        return span.to(children[-1].span) if children else span


def _number_in_groups(line: str, span: Span) -> Diagnostic | None:
    """Of `1,200`, which YAML takes apart at the comma, the whole."""
    for found in IN_GROUPS.finditer(line):
        if found.start() < span.column <= found.end():
            whole = Span(span.file, span.line, found.start() + 1, span.line, found.end() + 1)
            return grouped_number(found.group(), whole)
    return None


def _duplicate(first: Entry, second: Entry) -> Diagnostic:
    other = first.key.value
    written = f" (there as `{other}`)" if other != second.key.value else ""
    return error(
        "MC0111",
        f"key `{second.key.value}` is given twice{written}",
        second.key.span,
        "again here",
        secondary=[Label(first.key.span, "first here")],
        help=["delete one of them, or join the two"],
    )
