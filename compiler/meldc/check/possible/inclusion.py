"""Numbers of things of one list: what fulfils one condition may all fulfil another."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import combinations, permutations

from meldc.check.possible.domain import CARDS, Possible
from meldc.check.possible.judge import Judge
from meldc.check.possible.melds import Form
from meldc.check.possible.readings import Thing
from meldc.check.possible.written import written_out
from meldc_runtime.light import dataclass
from meldc_runtime.program import expressions as x

MOST_COUNTS = 8


@dataclass(frozen=True, slots=True)
class Counted:
    """A number of things: those that may be counted, and those that are."""

    part: x.Expr
    may: frozenset[Thing]
    does: frozenset[Thing]


@dataclass(frozen=True, slots=True)
class Bound:
    """That the first number is at most the others together."""

    less: x.Expr
    more: tuple[x.Expr, ...]

    def holds(self, values: Mapping[x.Expr, Possible]) -> bool:
        """Whether values can be so; what has none yet can be anything."""
        low = values[self.less].least if self.less in values else None
        highs = [values[each].most if each in values else None for each in self.more]
        if low is None or None in highs:
            return True
        return low <= sum(each for each in highs if each is not None)


def bounds_between(judge: Judge, parts: list[x.Expr]) -> list[Bound]:
    """What holds between the numbers among these parts of a condition."""
    groups: dict[x.Expr, list[Counted]] = {}
    for part in parts:
        if isinstance(part, x.Count):
            source, counted = _counted(judge, part)
            if counted is not None:
                groups.setdefault(source, []).append(counted)
    found = [bound for group in groups.values() for bound in _bounds(group[:MOST_COUNTS])]
    for source, group in groups.items():
        if isinstance(source, x.MeldCards):
            melds = groups.get(written_out(judge, source.melds), [])
            found += _of_their_cards(judge, melds[:MOST_COUNTS], group[:MOST_COUNTS])
    return found


def _of_their_cards(judge: Judge, melds: list[Counted], cards: list[Counted]) -> Iterator[Bound]:
    """Each of some melds has a card that is counted."""
    for one in melds:
        for other in cards:
            if one.may and all(
                isinstance(meld, Form) and _has_one(judge, meld, other.does) for meld in one.may
            ):
                yield Bound(one.part, (other.part,))


def _has_one(judge: Judge, meld: Form, counted: frozenset[Thing]) -> bool:
    """Whether a meld of a form has one of these cards for certain."""
    wild = {CARDS[face] for face in judge.pack if judge.is_wild(face)}
    own = {CARDS[face] for face in judge.own(meld.kind)}
    return (meld.wilds > 0 and wild <= counted) or (meld.naturals > 0 and own <= counted)


def _bounds(group: list[Counted]) -> Iterator[Bound]:
    for one, other in permutations(group, 2):
        if one.may <= other.does:
            yield Bound(one.part, (other.part,))
    for one in group:
        others = [each for each in group if each is not one]
        for first, second in combinations(others, 2):
            apart = one.may <= first.does or one.may <= second.does
            if not apart and one.may <= first.does | second.does:
                yield Bound(one.part, (first.part, second.part))


def _counted(judge: Judge, part: x.Count) -> tuple[x.Expr, Counted | None]:
    """The whole list, and what of it is counted."""
    conditions: list[tuple[str, x.Expr]] = []
    if part.where is not None:
        conditions.append((part.var, part.where))
    source = part.source
    while True:
        source = written_out(judge, source)
        if not isinstance(source, x.Filter):
            break
        conditions.append((source.var, source.where))
        source = source.source
    things = judge.elements(source, {})
    if things is None:
        return source, None
    may, does = set[Thing](), set[Thing]()
    for thing in things:
        truths = [judge.truth(where, {var: thing}) for var, where in conditions]
        if False not in truths:
            may.add(thing)
            if None not in truths:
                does.add(thing)
    return source, Counted(part, frozenset(may), frozenset(does))
