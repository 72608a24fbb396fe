"""The only place that knows how written source looks: lines, indents, names."""

from __future__ import annotations

import keyword
import re
from collections.abc import Iterator
from contextlib import contextmanager

RESERVED = re.compile(
    r"([A-Z][A-Z0-9_]*|s|env|done|key|[tmo]\d+|(d|t|sort|by|raw|col)_.*|_.*|len|sum|map|range|bool|min|max|tuple|face|best|nth|next_of|"
    r"starting_at|as_list|laid_by|standing_faces|joined_meld|lay_meld|move_count|move_cards|shuffle|chance|redeal|end_game)$"
)


class Writer:
    """Collects lines of Python at the present depth."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self.depth = 0

    def line(self, text: str = "") -> None:
        self.lines.append("    " * self.depth + text if text else "")

    @contextmanager
    def block(self, head: str) -> Iterator[None]:
        """A line that ends in a colon, and what stands indented below it; never an empty body."""
        self.line(head)
        self.depth += 1
        before = len(self.lines)
        yield
        if len(self.lines) == before:
            self.line("pass")
        self.depth -= 1

    @contextmanager
    def function(self, head: str, comment: str = "") -> Iterator[None]:
        self.line()
        self.line()
        if comment:
            self.line(f"# {comment}")
        with self.block(f"def {head}:"):
            yield

    def text(self) -> str:
        return "\n".join(self.lines) + "\n"


def safe_name(name: str, taken: set[str]) -> str:
    """A Python name for a name of the Program that collides with nothing written around it."""
    word = re.sub(r"\W", "_", name)
    if keyword.iskeyword(word) or RESERVED.match(word):
        word = f"v_{word}"
    while word in taken:
        word += "_"
    return word


def bare(text: str) -> str:
    """An expression without the brackets that enclose all of it, where it can do without."""
    if not (text.startswith("(") and text.endswith(")")):
        return text
    depth = 0
    for i, letter in enumerate(text):
        depth += {"(": 1, ")": -1}.get(letter, 0)
        if depth == 0 and i < len(text) - 1:
            return text
    inner = text[1:-1]
    if not inner or inner.endswith(",") or any(word in inner for word in (":=", " for ", " if ")):
        return text
    return inner
