"""Layout: where declarations begin, and indentation as tokens for the parser."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import get_args

from lark import Token as Terminal
from lark.lark import PostLex

from meldc.syntax import tree
from meldc.syntax.token import Token
from meldc_runtime.light import dataclass

HEADER_WORDS = ("machine", "part")
ABOUT_WORDS = ("use", "remove", "replace")
NAMED_WORDS: tuple[str, ...] = get_args(tree.Category)
DECLARATION_WORDS = (*ABOUT_WORDS, *NAMED_WORDS)
_FIRST_WORDS = frozenset((*HEADER_WORDS, *DECLARATION_WORDS))
_WITH_BODY = frozenset(("action", "moment", "rule", "score", "replace"))
_BODY_WORDS = frozenset(("because", "during", "gives", "then", "unless", "when", "while"))
_SILENT = frozenset(("blank", "newline", "comment"))


class MisalignedError(Exception):
    """A line that goes back to an indentation no line before it has."""

    def __init__(self, at: int) -> None:
        self.at = at
        super().__init__(at)


class Layout(PostLex):
    """Turns the indentation after each line end into `_INDENT` and `_DEDENT`.

    Holds no state, so that one parser serves texts within texts.
    """

    always_accept = ("_NL", "NAME")

    def process(self, stream: Iterator[Terminal]) -> Iterator[Terminal]:
        """Raises `MisalignedError` where the steps do not match."""
        open_brackets = 0
        indents = [0]
        token = Terminal("_NL", "\n", 0, end_pos=0)
        for token in stream:
            if token.type != "_NL":
                open_brackets += (token in ("(", "[")) - (token in (")", "]"))
                yield token
            elif not open_brackets:
                yield token
                yield from self._step(token, indents)
        for _ in indents[1:]:
            yield Terminal.new_borrow_pos("_DEDENT", "", token)

    def _step(self, token: Terminal, indents: list[int]) -> Iterator[Terminal]:
        width = len(token) - token.rindex("\n") - 1
        at = token.end_pos
        assert at is not None
        if width > indents[-1]:
            indents.append(width)
            yield Terminal("_INDENT", "", at, token.end_line, token.end_column, end_pos=at)
        while width < indents[-1]:
            indents.pop()
            if width > indents[-1]:
                raise MisalignedError(at)
            yield Terminal.new_borrow_pos("_DEDENT", "", token)


@dataclass(frozen=True, slots=True)
class Piece:
    """A stretch of text that should be one declaration.

    `word` is its first word; `stray` begins a line that belongs to it and is not indented.
    """

    word: str
    tokens: list[Token]
    stray: Token | None = None

    @property
    def start(self) -> int:
        return self.tokens[0].start

    @property
    def end(self) -> int:
        return self.tokens[-1].end


def split(found: Iterable[Token]) -> Iterator[Piece]:
    """Cut a text where a declaration begins: at the left edge.

    A line at the left edge that begins with no word of a declaration goes on with what stands
    above it when that may be meant: in brackets, behind a comma, or as a body not indented.
    """
    piece = _Growing()
    for line in _lines(found):
        if piece.tokens and piece.is_ended_by(line):
            yield piece.finished()
            piece = _Growing()
        piece.add(line)
    if piece.tokens:
        yield piece.finished()


def _lines(found: Iterable[Token]) -> Iterator[list[Token]]:
    line: list[Token] = []
    for token in found:
        line.append(token)
        if token.kind == "newline":
            yield line
            line = []
    if line:
        yield line


class _Growing:
    """A piece while lines are added to it."""

    def __init__(self) -> None:
        self.tokens: list[Token] = []
        self.word = ""
        self._last = ""
        self._open_brackets = 0
        self._has_body = False
        self._stray: Token | None = None

    def finished(self) -> Piece:
        return Piece(self.word, self.tokens, self._stray)

    def add(self, line: list[Token]) -> None:
        said = [token for token in line if token.kind not in _SILENT]
        if said:
            if not self.word:
                self.word = said[0].text
            elif line[0].kind == "blank":
                self._has_body = True
            elif not self._goes_on:
                self._stray = self._stray or said[0]
            self._last = said[-1].text
            for token in said:
                self._open_brackets += (token.kind == "open") - (token.kind == "close")
        self.tokens += line

    @property
    def _goes_on(self) -> bool:
        return self._open_brackets > 0 or self._last in (",", "+", "and", "or")

    def is_ended_by(self, line: list[Token]) -> bool:
        """Whether this line begins a piece of its own."""
        head = line[0]
        if head.kind in _SILENT:
            return False
        if head.text in _FIRST_WORDS and len(line) > 2 and line[2].kind == "word":
            return True
        if not self.word:
            return True
        if self._goes_on:
            return False
        if head.text in _FIRST_WORDS or self.word not in _FIRST_WORDS:
            return head.text in _FIRST_WORDS
        has_all = self._has_body and head.text not in _BODY_WORDS
        return has_all or self.word not in _WITH_BODY
