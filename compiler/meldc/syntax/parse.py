"""From text to the surface tree: `.rules` files, `rules:` scalars, cells, card patterns.

Assumes    a text and the way from its places to those of the file it stands in.
Establishes a tree in which every node has its place in that file.
Rejects    whatever does not follow `grammar.lark`, all of it in one run: each declaration is
           parsed by itself. No text makes it raise.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from functools import cached_property
from typing import Any, cast

from lark import Token, Tree
from lark.exceptions import UnexpectedInput, UnexpectedToken

from meldc.diagnostics import Diagnostic, error
from meldc.source import Rebase, Span
from meldc.syntax import scan, tree
from meldc.syntax.build import Builder
from meldc.syntax.explain import LAYOUT, Stumble, explain, explain_first_word, explain_not_indented
from meldc.syntax.grammar import parser
from meldc.syntax.layout import DECLARATION_WORDS, HEADER_WORDS, MisalignedError, Piece, split
from meldc.syntax.rules_text import RulesText
from meldc.syntax.token import Token as SourceToken

LONGEST_TEXT = 256 * 1024
DEEPEST_TREE = 100
MOST_PROBLEMS = 200

_COMMENT_OR_BREAK = re.compile(r"#[^\n]*|[\n\t]")
_SILENT = frozenset(("blank", "newline", "comment"))


def parse_file(text: str, origin: Rebase) -> tuple[RulesText, list[Diagnostic]]:
    """A `.rules` file: `machine NAME "…"` or `part NAME "…"`, then declarations."""
    reader = _Reader(text, origin)
    pieces = reader.pieces()
    header = None
    if pieces and pieces[0].word in HEADER_WORDS:
        header = cast("tree.Header | None", reader.read_piece(pieces.pop(0), "header"))
    elif not reader.problems:
        reader.problems.append(
            error(
                "MC0318",
                "a `.rules` file begins with what it is",
                reader.span(pieces[0].start, pieces[0].start) if pieces else reader.span(0, 0),
                help=('its first line is `machine NAME "…"` or `part NAME "…"`',),
            )
        )
    declarations = reader.read_declarations(pieces)
    return RulesText(header, declarations), reader.result()


def parse_rules(text: str, origin: Rebase) -> tuple[tuple[tree.Declaration, ...], list[Diagnostic]]:
    """The declarations of a `rules:` scalar. Those with problems are left out or incomplete."""
    reader = _Reader(text, origin)
    declarations = reader.read_declarations(reader.pieces())
    return declarations, reader.result()


def parse_cell(text: str, origin: Rebase) -> tuple[tree.Expression | None, list[Diagnostic]]:
    """An expression in a cell; None only together with problems."""
    reader = _Reader(text, origin)
    value = reader.read_inline("cell", 0, len(text))
    return value, reader.result()


def parse_cards(text: str, origin: Rebase) -> tuple[tree.CardPattern | None, list[Diagnostic]]:
    """A card pattern; None only together with problems."""
    reader = _Reader(text, origin)
    pattern = reader.read_inline("cards", 0, len(text))
    return pattern, reader.result()


class _Reader:
    """One text being read: its places, and the problems found so far."""

    def __init__(self, text: str, origin: Rebase) -> None:
        self._text = text
        self._origin = origin
        self.problems: list[Diagnostic] = []

    # ---- places

    @cached_property
    def _line_starts(self) -> list[int]:
        return [0, *(match.end() for match in re.finditer("\n", self._text))]

    def _line_and_column(self, offset: int) -> tuple[int, int]:
        line = bisect_right(self._line_starts, offset)
        return line, offset - self._line_starts[line - 1] + 1

    def span(self, start: int, end: int) -> Span:
        """The place in the file of a stretch of the text."""
        return self._origin.span(*self._line_and_column(start), *self._line_and_column(end))

    # ---- problems

    @property
    def _has_enough(self) -> bool:
        return len(self.problems) > MOST_PROBLEMS

    def result(self) -> list[Diagnostic]:
        """The problems found, or the first of them where they are too many."""
        if not self._has_enough:
            return self.problems
        next_one = self.problems[MOST_PROBLEMS].primary.span
        assert next_one is not None
        more = f"more than {MOST_PROBLEMS} problems; the text is not read further"
        return [*self.problems[:MOST_PROBLEMS], error("MC0319", more, next_one.start)]

    # ---- pieces

    def pieces(self) -> list[Piece]:
        """The text cut into what should be one declaration each."""
        if self._is_too_long(0, len(self._text)):
            return []
        pieces = list(split(scan.tokens(self._text, 0, len(self._text))))
        return [piece for piece in pieces if piece.word]

    def _is_too_long(self, start: int, end: int) -> bool:
        if end - start <= LONGEST_TEXT:
            return False
        self.problems.append(
            error(
                "MC0314",
                f"this text is longer than {LONGEST_TEXT // 1024} KiB",
                self.span(start, start),
                help=("spread it over several files that `use` each other",),
            )
        )
        return True

    def read_declarations(self, pieces: list[Piece]) -> tuple[tree.Declaration, ...]:
        """All declarations of the pieces, those with problems left out."""
        declarations: list[tree.Declaration] = []
        for piece in pieces:
            if self._has_enough:
                break
            found = self._read_declaration(piece)
            if isinstance(found, tuple):
                declarations += found
            elif found is not None:
                declarations.append(cast("tree.Declaration", found))
        return tuple(declarations)

    def _read_declaration(self, piece: Piece) -> Any:
        first = next(token for token in piece.tokens if token.kind not in _SILENT)
        if first.text in DECLARATION_WORDS or first.kind != "word":
            return self.read_piece(piece, "declaration")
        before = len(self.problems)
        self.problems += scan.find_problems(piece.tokens, self.span)
        if len(self.problems) == before:
            self.problems.append(explain_first_word(first.text, self.span(first.start, first.end)))
        return None

    def read_piece(self, piece: Piece, start: str) -> Any:
        """A piece as `header` or `declaration`; None when it cannot be read."""
        if found := scan.find_problems(piece.tokens, self.span):
            self.problems += found
            return None
        if piece.stray:
            stray = self.span(piece.stray.start, piece.stray.end)
            self.problems.append(explain_not_indented(piece.word, stray))
            return None
        said = [token for token in piece.tokens if token.kind not in _SILENT]
        begin, end = said[0].start, said[-1].end
        if begin > 0 and self._text[begin - 1] != "\n":
            self.problems.append(
                error(
                    "MC0303",
                    "a declaration begins at the left edge",
                    self.span(begin, said[0].end),
                    help=("take the blanks before it away",),
                )
            )
            return None
        return self._parse(start, begin, self._text[begin:end] + "\n", said)

    def read_inline(self, start: str, begin: int, end: int) -> Any:
        """A stretch of the text as `cell` or `cards`; line breaks count as blanks."""
        if self._has_enough or self._is_too_long(begin, end):
            return None
        tokens = list(scan.tokens(self._text, begin, end))
        if found := scan.find_problems(tokens, self.span, with_layout=False):
            self.problems += found
            return None
        content = _COMMENT_OR_BREAK.sub(
            lambda match: " " * len(match.group()), self._text[begin:end]
        )
        said = [token for token in tokens if token.kind not in _SILENT]
        return self._parse(start, begin, content, said)

    # ---- one stretch

    def _parse(self, start: str, begin: int, content: str, said: list[SourceToken]) -> Any:
        stretch = _Stretch(self, begin, said)
        try:
            parsed = parser().parse(content, start=start)
        except MisalignedError as stopped:
            self.problems.append(stretch.explain_misaligned(stopped.at))
            return None
        except UnexpectedInput as stopped:
            self.problems.append(stretch.explain(stopped))
            return None
        assert isinstance(parsed, Tree)
        if deepest := _find_too_deep(parsed):
            self.problems.append(
                error(
                    "MC0315",
                    f"parts stand more than {DEEPEST_TREE} deep in each other",
                    stretch.place(deepest.meta.start_pos, deepest.meta.end_pos),
                    help=("give a part of it a name with `define`",),
                )
            )
            return None
        builder = Builder(
            stretch.place,
            lambda first, last: self.read_inline("cell", begin + first, begin + last),
            self.problems,
        )
        return builder.transform(parsed)


class _Stretch:
    """A part of the text as the parser sees it: places, and what it stumbled over."""

    def __init__(self, reader: _Reader, begin: int, said: list[SourceToken]) -> None:
        self._reader = reader
        self._begin = begin
        self._said = said

    @cached_property
    def _ends(self) -> list[int]:
        return [token.end for token in self._said]

    def place(self, start: int, end: int) -> Span:
        """The span of a stretch of the content, without line ends and comments around it."""
        first, last = self._begin + start, self._begin + end
        opening = bisect_right(self._ends, first)
        closing = bisect_right(self._ends, last) - 1
        if opening <= closing:
            first = max(first, self._said[opening].start)
            last = self._ends[closing]
        return self._reader.span(first, last)

    def explain(self, stopped: UnexpectedInput) -> Diagnostic:
        """Why the parser stopped."""
        offset = self._begin + (stopped.pos_in_stream or 0)
        token = stopped.token if isinstance(stopped, UnexpectedToken) else Token("ODD", "")
        accepts = frozenset(cast(Any, stopped).interactive_parser.accepts())
        first_word = self._said[0].text if self._said else ""
        index = bisect_left(self._ends, offset + 1)
        if token.type in ("_NL", "_DEDENT", "$END"):
            # The place behind the last word that was understood.
            last = -1 if token.type == "$END" else bisect_right(self._ends, offset) - 1
            end = self._ends[last] if self._said else self._begin
            span, found = self._reader.span(end, end), ""
        elif index < len(self._said):
            here = self._said[index]
            span = self._reader.span(here.start, here.end)
            found = "" if token.type in LAYOUT else here.text
        else:
            span, found = self._reader.span(offset, offset), ""
        last = min(index, len(self._said)) - 1
        before = self._said[last] if index else None
        earlier = self._said[last - 1] if index and last else None
        return explain(
            Stumble(
                token.type,
                accepts,
                found,
                span,
                first_word,
                before.text if before else "",
                self._reader.span(before.start, before.end) if before else span,
                earlier.text.split("#")[0].strip() if earlier else "",
                self._reader.span(earlier.start, earlier.start + len(earlier.text.split()[0]))
                if earlier and earlier.text.split()
                else None,
            )
        )

    def explain_misaligned(self, at: int) -> Diagnostic:
        """A line that goes back, but to no step above it."""
        index = min(bisect_left(self._ends, self._begin + at + 1), len(self._said) - 1)
        here = self._said[index]
        return error(
            "MC0303",
            "this line is indented neither like the one above nor like one further up",
            self._reader.span(here.start, here.end),
            help=("lines of one body begin at the same column",),
        )


def _find_too_deep(root: Tree[Any]) -> Tree[Any] | None:
    level = [root]
    for _ in range(DEEPEST_TREE):
        level = [child for each in level for child in each.children if isinstance(child, Tree)]
        if not level:
            return None
    return level[0]
