"""Terms as Python text."""

from __future__ import annotations

from meldc_runtime.kernel.terms import (
    LENGTH,
    All,
    AtLeastZero,
    Holds,
    IsZero,
    Not,
    Number,
    Pick,
    Place,
    Some,
    Truth,
)  # fmt: skip


def place_text(place: Place) -> str:
    if place.index < 0:
        return f"len({place.vector})" if place.index == LENGTH else place.vector
    return f"{place.vector}[{place.index}]"


def number_text(number: Number) -> str:
    parts = [_term(term, factor, first=not i) for i, (term, factor) in enumerate(_ordered(number))]
    if number.constant or not parts:
        sign = "" if not parts else " + " if number.constant > 0 else " - "
        parts.append(f"{sign}{number.constant if not parts else abs(number.constant)}")
    return "".join(parts)


def _ordered(number: Number) -> list[tuple[Place | Pick, int]]:
    """Terms that are added first."""
    return sorted(number.terms, key=lambda pair: pair[1] < 0)


def _term(term: Place | Pick, factor: int, first: bool) -> str:
    if isinstance(term, Pick):
        then, otherwise = number_text(term.then), number_text(term.otherwise)
        text = f"({then} if {truth_text(term.condition)} else {otherwise})"
    else:
        text = place_text(term)
    if abs(factor) != 1:
        text = f"{abs(factor)} * {text}"
    if first:
        return f"-{text}" if factor < 0 else text
    return f" {'-' if factor < 0 else '+'} {text}"


def truth_text(truth: Truth, tight: bool = False) -> str:
    """tight: whether brackets are needed around what `and` and `or` join."""
    match truth:
        case bool():
            return repr(truth)
        case Holds(place):
            return place_text(place)
        case Not(operand):
            return f"not {truth_text(operand, tight=True)}"
        case IsZero(number):
            left, right = _sides(number)
            return f"{left} == {right}"
        case AtLeastZero(number):
            return _at_least(number)
        case All(parts):
            text = " and ".join(truth_text(part, tight=True) for part in parts)
        case Some(parts):
            text = " or ".join(truth_text(part, tight=True) for part in parts)
    return f"({text})" if tight else text


def _sides(number: Number) -> tuple[str, str]:
    """A number that is compared with 0 as two sides."""
    added = Number(0, tuple(pair for pair in number.terms if pair[1] > 0))
    taken = Number(-number.constant, tuple((t, -f) for t, f in number.terms if f < 0))
    return number_text(added), number_text(taken)


def _at_least(number: Number) -> str:
    left, right = _sides(number)
    if len(number.terms) == 1:
        term, factor = number.terms[0]
        if factor == 1 and number.constant == -1 and isinstance(term, Place):
            return place_text(term) if term.index >= 0 else term.vector
        if factor == -1 and number.constant == 0 and isinstance(term, Place):
            return f"not {place_text(term) if term.index >= 0 else term.vector}"
        if factor == -1:
            return f"{number_text(Number(0, ((term, 1),)))} <= {number.constant}"
    return f"{left} >= {right}"
