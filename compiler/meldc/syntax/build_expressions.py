"""From Lark's parse tree to the surface tree: expressions, sentences, card patterns."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from typing import Any, TypeAlias, cast

from lark import Token, v_args
from lark.tree import Meta
from lark.visitors import Transformer_NonRecursive

from meldc.diagnostics import Diagnostic, error
from meldc.source import Span
from meldc.syntax import tree

SUIT_LETTERS = {"♠": "S", "♥": "H", "♦": "D", "♣": "C"}
LOWEST_RANK, HIGHEST_NUMBERED_RANK = 2, 10
RESERVED = frozenset(
    ("if", "then", "else", "not", "and", "or", "none", "yes", "no", "is", "in", "where", "by")
) | frozenset(("otherwise", "exists", "are", "end", "of", "from", "to"))
_PLACEHOLDER = re.compile(r"\{([^{}]*)\}")

Children: TypeAlias = list[Any]


@v_args(meta=True)
class ExpressionBuilder(Transformer_NonRecursive[Token, Any]):
    """Builds nodes; what is wrong beyond the grammar is added to `problems`.

    `place` gives the span of a stretch of the text that was parsed; `read_cell` parses a stretch
    of it as an expression, or gives None and says why by itself.
    """

    def __init__(
        self,
        place: Callable[[int, int], Span],
        read_cell: Callable[[int, int], tree.Expression | None],
        problems: list[Diagnostic],
    ) -> None:
        super().__init__()
        self._place = place
        self._read_cell = read_cell
        self._problems = problems

    # ---- places, names, strings

    def _span(self, meta: Meta) -> Span:
        return self._place(meta.start_pos, meta.end_pos)

    def _of(self, token: Token) -> Span:
        assert token.start_pos is not None
        assert token.end_pos is not None
        return self._place(token.start_pos, token.end_pos)

    def _word(self, token: Token) -> tree.Word:
        return tree.Word(str(token), self._of(token))

    def _new_word(self, token: Token) -> tree.Word:
        """A name that is declared here, and so must be readable wherever it is used."""
        return self._unless_reserved(self._word(token), RESERVED)

    def _unless_reserved(self, word: tree.Word, reserved: frozenset[str]) -> tree.Word:
        if word.text in reserved:
            self._problems.append(
                error(
                    "MC0320",
                    f"`{word.text}` is a word of the language and no name",
                    word.span,
                    help=("choose another name",),
                )
            )
        return word

    def _text(self, token: Token) -> tree.Text:
        return tree.Text(str(token)[1:-1], self._of(token))

    def _sentence(self, token: Token) -> tree.Sentence:
        assert token.start_pos is not None
        first = token.start_pos + 1
        inner = str(token)[1:-1]
        parts: list[tree.Text | tree.Expression] = []
        at = 0
        for match in _PLACEHOLDER.finditer(inner):
            self._add_text(parts, inner, at, match.start(), first)
            value = self._read_cell(first + match.start(1), first + match.end(1))
            if value is not None:
                parts.append(value)
            at = match.end()
        self._add_text(parts, inner, at, len(inner), first)
        return tree.Sentence(self._of(token), tuple(parts))

    def _add_text(
        self,
        parts: list[tree.Text | tree.Expression],
        inner: str,
        start: int,
        end: int,
        first: int,
    ) -> None:
        text = inner[start:end]
        if brace := re.search(r"[{}]", text):
            at = first + start + brace.start()
            self._problems.append(
                error(
                    "MC0313",
                    "this `{` is not closed in its text"
                    if brace.group() == "{"
                    else "this `}` closes nothing",
                    self._place(at, at + 1),
                    help=("a value in a sentence stands in braces: `{count(hand)}`",),
                )
            )
        if text:
            parts.append(tree.Text(text, self._place(first + start, first + end)))

    # ---- expressions

    def cell(self, _meta: Meta, children: Children) -> tree.Expression:
        return cast(tree.Expression, children[0])

    def choice(self, meta: Meta, children: Children) -> tree.Choice:
        return tree.Choice(self._span(meta), *children)

    def otherwise(self, meta: Meta, children: Children) -> tree.Otherwise:
        return tree.Otherwise(self._span(meta), tuple(children))

    def where(self, meta: Meta, children: Children) -> tree.Where:
        return tree.Where(self._span(meta), *children)

    def any_of(self, meta: Meta, children: Children) -> tree.Or:
        return tree.Or(self._span(meta), tuple(children))

    def all_of(self, meta: Meta, children: Children) -> tree.And:
        return tree.And(self._span(meta), tuple(children))

    def negation(self, meta: Meta, children: Children) -> tree.Not:
        return tree.Not(self._span(meta), *children)

    def comparison(self, meta: Meta, children: Children) -> tree.Comparison:
        left, sign, right = children
        return tree.Comparison(self._span(meta), cast(tree.ComparisonSign, str(sign)), left, right)

    def within(self, meta: Meta, children: Children) -> tree.Within:
        return tree.Within(self._span(meta), *children)

    def exists(self, meta: Meta, children: Children) -> tree.Exists:
        return tree.Exists(self._span(meta), *children)

    def is_(self, meta: Meta, children: Children) -> tree.Is:
        subject, held = children
        return tree.Is(self._span(meta), subject, held, False)

    def is_not(self, meta: Meta, children: Children) -> tree.Is:
        subject, held = children
        return tree.Is(self._span(meta), subject, held, True)

    def plus(self, meta: Meta, children: Children) -> tree.Arithmetic:
        return tree.Arithmetic(self._span(meta), "+", *children)

    def minus(self, meta: Meta, children: Children) -> tree.Arithmetic:
        return tree.Arithmetic(self._span(meta), "-", *children)

    def times(self, meta: Meta, children: Children) -> tree.Arithmetic:
        return tree.Arithmetic(self._span(meta), "*", *children)

    def span_of(self, meta: Meta, children: Children) -> tree.Range:
        return tree.Range(self._span(meta), *children)

    def negative(self, meta: Meta, children: Children) -> tree.Negative:
        return tree.Negative(self._span(meta), *children)

    def number(self, meta: Meta, children: Children) -> tree.Number:
        return tree.Number(self._span(meta), int(children[0]))

    def rank(self, meta: Meta, children: Children) -> tree.RankLiteral | tree.Number:
        if children[0] == "T":
            return tree.Number(self._span(meta), 10)
        return tree.RankLiteral(self._span(meta), str(children[0]))

    def card(self, meta: Meta, children: Children) -> tree.CardLiteral:
        rank, suit = children[0][:-1], children[0][-1]
        return tree.CardLiteral(
            self._span(meta), "10" if rank == "T" else rank, SUIT_LETTERS.get(suit, suit)
        )

    def truth(self, meta: Meta, children: Children) -> tree.Truth:
        return tree.Truth(self._span(meta), children[0] == "yes")

    def nothing(self, meta: Meta, _children: Children) -> tree.Nothing:
        return tree.Nothing(self._span(meta))

    def name(self, meta: Meta, children: Children) -> tree.Name:
        return tree.Name(self._span(meta), str(children[0]))

    def call(self, meta: Meta, children: Children) -> tree.Call:
        name, arguments = children
        return tree.Call(self._span(meta), self._word(name), arguments or ())

    def field(self, meta: Meta, children: Children) -> tree.Field:
        of, name = children
        return tree.Field(self._span(meta), of, self._word(name))

    def lookup(self, meta: Meta, children: Children) -> tree.Lookup:
        return tree.Lookup(self._span(meta), *children)

    def listed(self, meta: Meta, children: Children) -> tree.Listing:
        return tree.Listing(self._span(meta), tuple(children))

    def are(self, meta: Meta, children: Children) -> tree.Are:
        return tree.Are(self._span(meta), *children)

    def by(self, meta: Meta, children: Children) -> tree.By:
        return tree.By(self._span(meta), *children)

    def behind(self, meta: Meta, children: Children) -> tree.Behind:
        return tree.Behind(self._span(meta), *children)

    def without(self, meta: Meta, children: Children) -> tree.Without:
        goal, rule = children
        return tree.Without(self._span(meta), goal, self._word(rule))

    # ---- card patterns

    def cards(self, meta: Meta, children: Children) -> tree.CardPattern:
        return tree.CardPattern(self._span(meta), tuple(children))

    def not_pattern(self, meta: Meta, children: Children) -> tree.CardAlternative:
        pattern = cast(tree.CardAlternative, children[0])
        return replace(pattern, negated=True, span=self._span(meta))

    def _classes(self, tokens: list[Token]) -> tuple[tree.Word, ...]:
        reserved = RESERVED - {"none"}  # the pattern of no card at all
        return tuple(self._unless_reserved(self._word(token), reserved) for token in tokens)

    def of_classes(self, meta: Meta, children: Children) -> tree.CardAlternative:
        classes = self._classes(children)
        return tree.CardAlternative(self._span(meta), False, classes, None, None, None)

    def of_rank(self, meta: Meta, children: Children) -> tree.CardAlternative:
        *names, rank = children
        classes = self._classes(names)
        return tree.CardAlternative(self._span(meta), False, classes, rank, None, None)

    def of_ranks(self, meta: Meta, children: Children) -> tree.CardAlternative:
        *names, low, high = children
        classes = self._classes(names)
        return tree.CardAlternative(self._span(meta), False, classes, low, high, None)

    def of_card(self, meta: Meta, children: Children) -> tree.CardAlternative:
        card = self.card(meta, children)
        return tree.CardAlternative(self._span(meta), False, (), None, None, card)

    def pattern_rank(self, _meta: Meta, children: Children) -> tree.Word:
        word = self._word(children[0])
        if word.text == "T":
            return tree.Word("10", word.span)
        if word.text.isdigit() and not LOWEST_RANK <= int(word.text) <= HIGHEST_NUMBERED_RANK:
            self._problems.append(
                error(
                    "MC0317",
                    f"there is no rank {word.text}",
                    word.span,
                    help=("the ranks are 2 to 10, J, Q, K, A and Jkr, the joker",),
                )
            )
        return word
