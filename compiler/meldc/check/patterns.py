"""Card patterns: what a card must be, as a condition on `Var("card")`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from meldc.check import advice, declared
from meldc.check.elaborator import Elaborator
from meldc.check.types import CARD, RANK_NUMBERS, YES_NO
from meldc.diagnostics import did_you_mean
from meldc.syntax import tree
from meldc_runtime.cards import SUIT_LETTERS, SUIT_WORDS, face_of
from meldc_runtime.program.expressions import (
    And,
    Apply,
    CardAttr,
    Compare,
    Const,
    Exists,
    Expr,
    IsSomething,
    Member,
    Not,
    Or,
    Range,
    Var,
)

SUBJECT = Var(CARD)
YES, NO = Const(True, YES_NO), Const(False, YES_NO)
_FIXED: dict[str, Expr] = {
    "any": YES,
    "none": NO,
    "red": CardAttr(SUBJECT, "red"),
    "black": CardAttr(SUBJECT, "black"),
} | {
    word: Compare("=", CardAttr(SUBJECT, "suit"), Const(at, "suit"))
    for at, word in enumerate(SUIT_WORDS)
}


def condition(el: Elaborator, pattern: tree.CardPattern) -> Expr:
    """Whether a card fits one of the alternatives."""
    return any_of(tuple(_alternative(el, each) for each in pattern.alternatives))


def flat(kind: type[And] | type[Or], parts: Iterable[Expr]) -> Iterator[Expr]:
    """The parts, those of parts of the same kind among them."""
    for part in parts:
        yield from part.operands if isinstance(part, kind) else (part,)


def any_of(conditions: tuple[Expr, ...]) -> Expr:
    """One of these, flat; what is decided already is left out."""
    left = tuple(each for each in flat(Or, conditions) if each != NO)
    if YES in left:
        return YES
    return left[0] if len(left) == 1 else Or(left) if left else NO


def all_of(conditions: tuple[Expr, ...]) -> Expr:
    """All of these, flat; what is decided already is left out."""
    left = tuple(each for each in flat(And, conditions) if each != YES)
    if NO in left:
        return NO
    return left[0] if len(left) == 1 else And(left) if left else YES


def negated(expr: Expr) -> Expr:
    """The contrary, without a `not` of a `not`."""
    if isinstance(expr, Not) and isinstance(expr.operand, Exists | IsSomething | Compare | Member):
        return expr.operand
    return NO if expr == YES else YES if expr == NO else Not(expr)


def face(card: tree.CardLiteral) -> int:
    """The face that a literal names."""
    return face_of(RANK_NUMBERS[card.rank], SUIT_LETTERS.index(card.suit))


def _alternative(el: Elaborator, part: tree.CardAlternative) -> Expr:
    conditions = [_class(el, word) for word in part.classes]
    if part.card is not None:
        conditions.append(Compare("=", SUBJECT, Const(face(part.card), CARD), cards=True))
    if part.low is not None:
        conditions.append(_rank(el, part.low, part.high))
    found = all_of(tuple(conditions))
    return negated(found) if part.negated else found


def _rank(el: Elaborator, low: tree.Word, high: tree.Word | None) -> Expr:
    first = RANK_NUMBERS[low.text]
    rank = CardAttr(SUBJECT, "rank")
    if high is None:
        return Compare("=", rank, Const(first, "rank"))
    last = RANK_NUMBERS[high.text]
    if last < first:
        el.error(
            "MC0605",
            f"no rank lies between {low.text} and {high.text}",
            low.span.to(high.span),
            help=(f"write `{high.text}..{low.text}`; ranks go from 2 up to A",),
        )
        return NO
    return Member(rank, Range(Const(first, "rank"), Const(last, "rank")))


def _class(el: Elaborator, word: tree.Word) -> Expr:
    if word.text in _FIXED:
        return _FIXED[word.text]
    vocabulary = el.vocabulary
    if word.text not in vocabulary.classes and word.text not in vocabulary.definitions:
        names = [*vocabulary.classes, *_FIXED, "Jkr"]
        el.error(
            "MC0608",
            f"there is no class of cards `{word.text}`",
            word.span,
            help=advice.of_rank(word.text)
            or did_you_mean(word.text, names)
            or (f"classes are {', '.join(names)}",),
        )
        return NO
    found = declared.signature(el, word.text)
    if found is None:
        return NO
    if found.subject != CARD or found.type != YES_NO or found.extra:
        el.error(
            "MC0608",
            f"`{word.text}` is no class of cards",
            word.span,
            help=("a class is a row of `cards:` or a definition of card that is yes or no",),
        )
        return NO
    return Apply(word.text, (SUBJECT,))
