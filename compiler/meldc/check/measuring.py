"""What melds are measured by, as the points of an opening; how much a hand can bring at most."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from math import inf
from typing import TypeAlias

from meldc.check.possible.domain import CARDS
from meldc.check.possible.judge import Judge
from meldc.check.possible.melds import Form, named_ranks
from meldc_runtime.cards import RANK_OF
from meldc_runtime.light import dataclass
from meldc_runtime.program import expressions as x

Where: TypeAlias = tuple[str, x.Expr]
"""What is asked of a card, and the variable that stands for it."""


@dataclass(frozen=True, slots=True)
class Measure:
    """A sum over cards of melds. melds: those that count; worth: what a card (a face) counts in
    them, at most (None: that is not known); words: what is measured, for messages.
    """

    melds: tuple[Form, ...]
    worth: Callable[[int], int | None]
    words: str


def measured(judge: Judge, expr: x.Expr) -> Measure | None:
    """An expression as a sum over the cards of melds, of all or some; None where it is no such."""
    match _written_out(judge, expr):
        case x.Sum(source, var, by):
            found = _cards(judge, source)
            if found is not None:
                return _measure(judge, *found, var, by)
            melds = judge.melds(source)
            inner = _written_out(judge, by)
            match inner:
                case x.Sum(cards, name, worth) if melds is not None:
                    wheres = _cards_of_one(judge, cards)
                    return None if wheres is None else _measure(judge, melds, wheres, name, worth)
    return None


def _measure(
    judge: Judge, melds: tuple[Form, ...], wheres: list[Where], var: str, by: x.Expr
) -> Measure:
    def worth(face: int) -> int | None:
        card = CARDS[face]
        if any(judge.truth(where, {name: card}) is False for name, where in wheres):
            return 0
        value = judge.of(by, {var: card})
        return 0 if value.few == frozenset((None,)) else value.most

    alone = len(melds) == len(judge.forms) and not wheres
    return Measure(melds, worth, "melds" if alone else "what counts of melds")


def _written_out(judge: Judge, expr: x.Expr) -> x.Expr:
    while isinstance(expr, x.Apply):
        expr = judge.definitions[expr.definition].body
    return expr


def _cards(judge: Judge, source: x.Expr) -> tuple[tuple[Form, ...], list[Where]] | None:
    """The melds of which cards are counted, and what is asked of the cards."""
    match _written_out(judge, source):
        case x.MeldCards(melds):
            found = judge.melds(melds)
            return None if found is None else (found, [])
        case x.Filter(inner, var, where):
            below = _cards(judge, inner)
            return None if below is None else (below[0], [*below[1], (var, where)])
        case _:
            return None


def _cards_of_one(judge: Judge, source: x.Expr) -> list[Where] | None:
    """What is asked of the cards of one meld, where a source is such; None where it is another."""
    match _written_out(judge, source):
        case x.MeldAttr(_, "cards"):
            return []
        case x.Filter(inner, var, where):
            below = _cards_of_one(judge, inner)
            return None if below is None else [*below, (var, where)]
        case _:
            return None


def most_points(judge: Judge, cards: int, measure: Measure) -> int | None:
    """The most that so many cards can bring in melds; None where that is not known."""
    own = _own_faces(judge, measure.melds)
    wild = {face for face in judge.pack if judge.is_wild(face) and face not in own}
    natural, standing = _worths(judge, own, measure), _worths(judge, wild, measure)
    if natural is None or standing is None:
        return None
    best = 0
    for naturals in range(min(cards, len(natural)) + 1):
        allowed = _wilds_beside(judge, measure.melds, naturals)
        wilds = int(min(cards - naturals, len(standing), allowed))
        best = max(best, sum(natural[:naturals]) + sum(standing[:wilds]))
    return best


def _own_faces(judge: Judge, melds: tuple[Form, ...]) -> set[int]:
    """The faces that may lie as themselves in some of these melds."""
    named = named_ranks(judge.program)
    found: set[int] = set()
    for form in dict.fromkeys(replace(each, naturals=0, wilds=0) for each in melds):
        for face in judge.own(form.kind):
            # A form that stands for several ranks stands for those that nothing names.
            alike = RANK_OF[face] not in named if form.alike > 1 else RANK_OF[face] == form.rank
            if form.rank is None or alike:
                found.add(face)
    return found


def _worths(judge: Judge, faces: set[int], measure: Measure) -> list[int] | None:
    """What each card of the pack with one of these faces counts, the highest first."""
    found: list[int] = []
    for face in faces:
        worth = measure.worth(face)
        if worth is None:
            return None
        found += [max(0, worth)] * judge.pack[face]
    return sorted(found, reverse=True)


def _wilds_beside(judge: Judge, forms: tuple[Form, ...], naturals: int) -> float:
    """How many wild cards may lie in such melds with so many naturals."""
    most = 0.0
    for place, kind in enumerate(judge.program.kinds):
        mixed = [form for form in forms if form.kind == place and form.wilds]
        if not mixed:
            continue
        each = inf if kind.wilds[1] is None else float(kind.wilds[1])
        if all(form.size < judge.cap for form in mixed):  # larger ones are not told apart
            each = min(each, max(form.wilds for form in mixed))
        melds = inf if kind.naturals[0] == 0 else naturals // kind.naturals[0]
        most = max(most, 0.0 if melds == 0 else each * melds)
    return most
