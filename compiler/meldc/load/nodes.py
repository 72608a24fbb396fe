"""The tree of a YAML file: every key and every value with its place, every scalar a text."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cached_property

from meldc.load.origins import trace
from meldc.source import Rebase, SourceFile, Span

_WORD_KEY = re.compile(r"(replace +)?[a-z][a-z0-9]*(?:[-_][a-z0-9]+)*")
_INTEGER = re.compile(r"-?[0-9]{1,15}")


class Style(StrEnum):
    """How a text is written."""

    PLAIN = "plain"
    SINGLE = "'"
    DOUBLE = '"'
    LITERAL = "|"
    FOLDED = ">"


@dataclass(frozen=True)
class YamlText:
    """A scalar: the text as written, never a number, a date or a truth value."""

    value: str
    span: Span
    style: Style
    source: SourceFile = field(repr=False, compare=False)

    @cached_property
    def rebase(self) -> Rebase:
        """The way from a place in `value` to the place in the file."""
        return trace(self.value, self.span, self.style, self.source)

    @property
    def is_missing(self) -> bool:
        """Nothing was written at all; an empty text in quotes is not missing."""
        return self.style is Style.PLAIN and not self.value

    def as_integer(self) -> int | None:
        """The number, where the text is an integer of at most fifteen digits."""
        return int(self.value) if _INTEGER.fullmatch(self.value) else None


@dataclass(frozen=True)
class YamlList:
    """A list; the span reaches from its first to behind its last character."""

    items: tuple[YamlNode, ...]
    span: Span

    def __iter__(self) -> Iterator[YamlNode]:
        return iter(self.items)

    def __len__(self) -> int:
        return len(self.items)


@dataclass(frozen=True)
class Entry:
    """A key and its value. `name` is the key with underscores for the hyphens of a word."""

    key: YamlText
    value: YamlNode

    @cached_property
    def name(self) -> str:
        return key_name(self.key.value)


@dataclass(frozen=True)
class YamlMap:
    """A map in the order written; no two entries have the same name."""

    entries: tuple[Entry, ...]
    span: Span

    @cached_property
    def _by_name(self) -> dict[str, Entry]:
        return {entry.name: entry for entry in self.entries}

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(self._by_name)

    def entry(self, name: str) -> Entry | None:
        """The entry of a key, written with hyphens or underscores."""
        return self._by_name.get(key_name(name))

    def get(self, name: str) -> YamlNode | None:
        """The value of a key, written with hyphens or underscores."""
        entry = self.entry(name)
        return entry.value if entry else None

    def __contains__(self, name: str) -> bool:
        return self.entry(name) is not None

    def __iter__(self) -> Iterator[Entry]:
        return iter(self.entries)

    def __len__(self) -> int:
        return len(self.entries)


YamlNode = YamlText | YamlList | YamlMap


def key_name(key: str) -> str:
    """The name a key stands for: in words `-` is `_`; other keys (`8..K`, `below 0`) stay."""
    match = _WORD_KEY.fullmatch(key)
    if match is None:
        return key
    prefix = match.group(1) or ""
    return prefix.strip() + " " * bool(prefix) + key[len(prefix) :].replace("-", "_")


def kind_of(node: YamlNode) -> str:
    """What a node is, in words."""
    match node:
        case YamlMap():
            return "a map"
        case YamlList():
            return "a list"
        case YamlText() if node.is_missing:
            return "nothing"
        case YamlText() if node.as_integer() is not None:
            return "a number"
        case _:
            return "a text"
