"""Numbers and truths over the places of a kernel state, simplified as they are made.

A number is a sum of places (all of them hold 0 or more), perhaps with choices between numbers; a
truth is made of comparisons of numbers with 0. Nothing here is Python: a writer turns it into text.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from functools import cache
from typing import Any, ClassVar, NamedTuple

LENGTH, NAMED = -1, -2


class Place(NamedTuple):
    """Where a number or a truth is kept: a vector and an index into it; a list whose length is
    meant (index LENGTH), or a name (index NAMED). Nothing is known of a vector named `?…`.
    """

    vector: str
    index: int  # type: ignore[assignment]  # hides a method of tuples that nobody needs


class Once(type):
    """Makes each term once, so that equal terms are the same object and quickly compared."""

    made: ClassVar[dict[Any, Any]] = {}

    def __call__(cls, *args: Any) -> Any:
        key = (cls, args)
        found = Once.made.get(key)
        if found is None:
            found = Once.made[key] = super().__call__(*args)
            object.__setattr__(found, "serial", len(Once.made))
        return found


@dataclass(frozen=True, slots=True, eq=False)
class Pick(metaclass=Once):
    """One number where a truth holds, else the other."""

    condition: Truth
    then: Number
    otherwise: Number
    serial: int = field(init=False, default=0)


@dataclass(frozen=True, slots=True, eq=False)
class Number(metaclass=Once):
    constant: int
    terms: tuple[tuple[Place | Pick, int], ...]
    serial: int = field(init=False, default=0)


@dataclass(frozen=True, slots=True, eq=False)
class AtLeastZero(metaclass=Once):
    number: Number
    serial: int = field(init=False, default=0)


@dataclass(frozen=True, slots=True, eq=False)
class IsZero(metaclass=Once):
    number: Number
    serial: int = field(init=False, default=0)


@dataclass(frozen=True, slots=True, eq=False)
class Holds(metaclass=Once):
    place: Place
    serial: int = field(init=False, default=0)


@dataclass(frozen=True, slots=True, eq=False)
class Not(metaclass=Once):
    operand: Truth
    serial: int = field(init=False, default=0)


@dataclass(frozen=True, slots=True, eq=False)
class All(metaclass=Once):
    parts: tuple[Truth, ...]
    serial: int = field(init=False, default=0)


@dataclass(frozen=True, slots=True, eq=False)
class Some(metaclass=Once):
    parts: tuple[Truth, ...]
    serial: int = field(init=False, default=0)


Truth = bool | AtLeastZero | IsZero | Holds | Not | All | Some


def fixed(constant: int) -> Number:
    return Number(constant, ())


ZERO, ONE = fixed(0), fixed(1)


# ---- numbers


def at(place: Place) -> Number:
    return Number(0, ((place, 1),))


def plus(*numbers: Number) -> Number:
    constant, terms = 0, dict[Place | Pick, int]()
    for number in numbers:
        constant += number.constant
        for term, factor in number.terms:
            terms[term] = terms.get(term, 0) + factor
    return _number(constant, terms)


def _number(constant: int, terms: dict[Place | Pick, int]) -> Number:
    kept = [pair for pair in terms.items() if pair[1]]
    if len(kept) > 1:
        kept.sort(key=_place_in_sum)
    return Number(constant, tuple(kept))


def _place_in_sum(pair: tuple[Place | Pick, int]) -> tuple[int, str, int]:
    term = pair[0]
    return (0, term.vector, term.index) if isinstance(term, Place) else (1, "", term.serial)


@cache
def times(number: Number, factor: int) -> Number:
    if not factor:
        return ZERO
    return Number(number.constant * factor, tuple((t, f * factor) for t, f in number.terms))


def minus(left: Number, right: Number) -> Number:
    return plus(left, times(right, -1))


def pick(condition: Truth, then: Number, otherwise: Number) -> Number:
    if isinstance(condition, bool):
        return then if condition else otherwise
    if then == otherwise:
        return then
    return Number(0, ((Pick(condition, then, otherwise), 1),))


@cache
def least(number: Number) -> int | None:
    """The least value that is certain, where there is one."""
    total = number.constant
    for term, factor in number.terms:
        if isinstance(term, Pick):
            bounds = [least(times(each, factor)) for each in (term.then, term.otherwise)]
            if None in bounds:
                return None
            total += min(bound for bound in bounds if bound is not None)
        elif factor < 0:
            return None
    return total


# ---- truths


@cache
def at_least(left: Number, right: Number) -> Truth:
    """left >= right"""
    number = minus(left, right)
    for term, factor in number.terms:
        if isinstance(term, Pick):
            rest = minus(number, Number(0, ((term, factor),)))
            return choose(
                term.condition,
                at_least(plus(rest, times(term.then, factor)), ZERO),
                at_least(plus(rest, times(term.otherwise, factor)), ZERO),
            )
    low = least(number)
    if low is not None and low >= 0:
        return True
    high = least(times(number, -1))
    if high is not None and -high < 0:
        return False
    return AtLeastZero(number)


@cache
def equal(left: Number, right: Number) -> Truth:
    number = minus(left, right)
    if not number.terms:
        return number.constant == 0
    if any(isinstance(term, Pick) for term, _ in number.terms):
        return all_of(at_least(left, right), at_least(right, left))
    for one in (number, times(number, -1)):
        low = least(one)
        if low is not None and low >= 0:
            return False if low else at_least(ZERO, one)
    return IsZero(number)


@cache
def denied(truth: Truth) -> Truth:
    match truth:
        case bool():
            return not truth
        case AtLeastZero(number):
            return at_least(minus(fixed(-1), number), ZERO)
        case Not(operand):
            return operand
        case All(parts):
            return any_of(*(denied(part) for part in parts))
        case Some(parts):
            return all_of(*(denied(part) for part in parts))
    return Not(truth)


@cache
def all_of(*truths: Truth) -> Truth:
    kept: list[Truth] = []
    for truth in _flat(truths, All):
        if truth is False:
            return False
        if truth is not True and not any(implies(other, truth) for other in kept):
            kept = [other for other in kept if not implies(truth, other)]
            kept.append(truth)
    for one in kept:
        if is_atom(one):
            rest = [other if other is one else assumed(other, one) for other in kept]
            if rest != kept:
                return all_of(*rest)
    return True if not kept else kept[0] if len(kept) == 1 else All(tuple(kept))


@cache
def any_of(*truths: Truth) -> Truth:
    kept: list[Truth] = []
    for truth in _flat(truths, Some):
        if truth is True:
            return True
        if truth is not False and not any(implies(truth, other) for other in kept):
            kept = [other for other in kept if not implies(other, truth)]
            kept.append(truth)
    for one in kept:
        otherwise = denied(one)
        rest = [other if other is one else _without(other, otherwise) for other in kept]
        if rest != kept:
            return any_of(*rest)
    for one in kept:
        for other in kept:
            merged = _merged(one, other) if one is not other else None
            if merged is not None:
                return any_of(merged, *(each for each in kept if each not in (one, other)))
    return False if not kept else kept[0] if len(kept) == 1 else Some(tuple(kept))


def _without(truth: Truth, known: Truth) -> Truth:
    """A truth in a place where it only counts if something holds: without the parts that follow."""
    if implies(known, truth):
        return True
    if isinstance(truth, All):
        parts = tuple(part for part in truth.parts if not implies(known, part))
        return truth if len(parts) == len(truth.parts) else all_of(*parts)
    return truth


def _merged(one: Truth, other: Truth) -> Truth | None:
    """`a and b` or `a and not b` is `a`."""
    if not (isinstance(one, All) and isinstance(other, All)):
        return None
    common = [part for part in one.parts if part in other.parts]
    rest = [[part for part in each.parts if part not in common] for each in (one, other)]
    if len(rest[0]) != 1 or len(rest[1]) != 1 or not is_atom(*rest[0], *rest[1]):
        return None
    return all_of(*common) if implies(denied(rest[0][0]), rest[1][0]) else None


Change = Callable[[Place], Number]
Turn = Callable[[Place], "Truth"]


def substituted(number: Number, change: Change, turn: Turn = Holds) -> Number:
    """A number with other numbers (and truths) in place of its places."""
    constant, terms = number.constant, dict[Place | Pick, int]()
    for term, factor in number.terms:
        if isinstance(term, Pick):
            new = pick(
                substituted_truth(term.condition, change, turn),
                substituted(term.then, change, turn),
                substituted(term.otherwise, change, turn),
            )
        else:
            new = change(term)
        constant += new.constant * factor
        for part, number_of_it in new.terms:
            terms[part] = terms.get(part, 0) + number_of_it * factor
    return _number(constant, terms)


def substituted_truth(truth: Truth, change: Change, turn: Turn = Holds) -> Truth:
    """A truth with other numbers and truths in place of its places."""
    match truth:
        case AtLeastZero(number):
            return at_least(substituted(number, change, turn), ZERO)
        case IsZero(number):
            return equal(substituted(number, change, turn), ZERO)
        case Holds(place):
            return turn(place)
        case All(parts):
            return all_of(*(substituted_truth(part, change, turn) for part in parts))
        case Some(parts):
            return any_of(*(substituted_truth(part, change, turn) for part in parts))
        case Not(operand):
            return denied(substituted_truth(operand, change, turn))
    return truth


def is_atom(*truths: Truth) -> bool:
    return not any(isinstance(truth, (All, Some)) for truth in truths)


@cache
def choose(condition: Truth, then: Truth, otherwise: Truth) -> Truth:
    if isinstance(condition, bool):
        return then if condition else otherwise
    if then == otherwise:
        return then
    then = assumed(then, condition)
    otherwise = assumed(otherwise, denied(condition))
    return any_of(all_of(condition, then), all_of(denied(condition), otherwise))


def _flat(truths: Iterable[Truth], kind: type[All] | type[Some]) -> Iterator[Truth]:
    for truth in truths:
        if isinstance(truth, kind):
            yield from _flat(truth.parts, kind)
        else:
            yield truth


@cache
def implies(one: Truth, other: Truth) -> bool:
    """Whether the second surely holds where the first does (no: it is not known)."""
    if one == other:
        return True
    if isinstance(one, AtLeastZero) and isinstance(other, AtLeastZero):
        left, right = one.number, other.number
        return right.constant >= left.constant and left.terms == right.terms
    if isinstance(other, Some) and any(implies(one, part) for part in other.parts):
        return True
    if isinstance(other, All):
        return all(implies(one, part) for part in other.parts)
    if isinstance(one, All):
        return any(implies(part, other) for part in one.parts)
    return isinstance(one, Some) and all(implies(part, other) for part in one.parts)


@cache
def assumed(truth: Truth, known: Truth) -> Truth:
    """The truth where something is known to hold."""
    if isinstance(truth, bool) or isinstance(known, bool):
        return truth
    if isinstance(known, All):
        for part in known.parts:
            truth = assumed(truth, part)
        return truth
    if implies(known, truth):
        return True
    if is_atom(truth) and implies(known, denied(truth)):
        return False
    empty = _empty(known)
    if empty is not None:
        return substituted_truth(truth, lambda place: ZERO if place == empty else at(place))
    match truth:
        case All(parts):
            return all_of(*(assumed(part, known) for part in parts))
        case Some(parts):
            return any_of(*(assumed(part, known) for part in parts))
    return truth


def _empty(known: Truth) -> Place | None:
    """The place of which it is known that it holds 0."""
    match known:
        case AtLeastZero(Number(0, ((Place() as place, -1),))):
            return place
    return None


@cache
def assumed_number(number: Number, known: Truth) -> Number:
    """A number where something is known to hold."""
    parts = [fixed(number.constant)]
    for term, factor in number.terms:
        if isinstance(term, Pick):
            condition = assumed(term.condition, known)
            chosen = pick(
                condition, assumed_number(term.then, known), assumed_number(term.otherwise, known)
            )
            parts.append(times(chosen, factor))
        else:
            parts.append(Number(0, ((term, factor),)))
    return plus(*parts)


def atoms(truth: Truth) -> Iterator[Truth]:
    """The comparisons and truths kept that a truth is made of."""
    match truth:
        case All(parts) | Some(parts):
            for part in parts:
                yield from atoms(part)
        case Not(operand):
            yield from atoms(operand)
        case bool():
            return
        case _:
            yield truth


@cache
def certain(truth: Truth) -> Truth:
    """A truth that implies this one and reads nothing that is not known."""
    match truth:
        case AtLeastZero(number):
            kept = []
            for term, factor in number.terms:
                if isinstance(term, Place) and term.vector.startswith("?"):
                    if factor < 0:
                        return False
                else:
                    kept.append((term, factor))
            return at_least(Number(number.constant, tuple(kept)), ZERO)
        case Holds(place) | Not(Holds(place)) if place.vector.startswith("?"):
            return False
        case IsZero(number) | Not(IsZero(number)):
            known = all(isinstance(t, Place) and t.vector[0] != "?" for t, _ in number.terms)
            return truth if known else False
        case All(parts):
            return all_of(*(certain(part) for part in parts))
        case Some(parts):
            return any_of(*(certain(part) for part in parts))
    return truth


def places(truth: Truth) -> Iterator[Place]:
    """The places that a truth reads."""
    for atom in atoms(truth):
        match atom:
            case Holds(place):
                yield place
            case AtLeastZero(number) | IsZero(number):
                yield from places_of(number)


def places_of(number: Number) -> Iterator[Place]:
    """The places that a number reads."""
    for term, _ in number.terms:
        if isinstance(term, Place):
            yield term
        else:
            yield from places(term.condition)
            yield from places_of(term.then)
            yield from places_of(term.otherwise)


CACHED = (
    times, least, at_least, equal, denied, choose, implies, assumed, assumed_number, certain,
    all_of, any_of,
)  # fmt: skip
MOST_CACHED = 20_000


def forget() -> None:
    """Drops what has been worked out, where it is much."""
    for function in CACHED:
        if function.cache_info().currsize > MOST_CACHED:
            function.cache_clear()


def begin() -> None:
    """Drops all terms but ZERO and ONE: before and after a kernel is built, so that its code does
    not depend on what was built before. No other term may be in use.
    """
    for function in CACHED:
        function.cache_clear()
    Once.made.clear()
    for number in (ZERO, ONE):
        Once.made[Number, (number.constant, number.terms)] = number
