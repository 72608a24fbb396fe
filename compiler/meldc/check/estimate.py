"""What can be said of an expression before a card is dealt: its value, or the range it lies in."""

from __future__ import annotations

from collections import Counter

from meldc.check.reckoning import Value, holds, result
from meldc_runtime.cards import BLACK, RANK_OF, RED, SUIT_OF
from meldc_runtime.light import dataclass
from meldc_runtime.program.declarations import Program
from meldc_runtime.program.expressions import (
    AllPlayers,
    AllSides,
    And,
    Apply,
    Arith,
    CardAttr,
    Compare,
    Const,
    Count,
    Expr,
    If,
    ListOf,
    Lookup,
    Member,
    Not,
    Or,
    Otherwise,
    Range,
    SettingValue,
    Var,
)


class Unknown(Exception):  # noqa: N818 - not an error: the answer is not known yet
    """Only the deal tells."""


@dataclass(frozen=True, slots=True)
class Interval:
    """A number lies between these, both included."""

    low: int
    high: int


class Estimator:
    """Values of expressions at a table of a size, as far as the Program alone decides them."""

    def __init__(self, program: Program, players: int, sides: int) -> None:
        self._players, self._sides = players, sides
        self._settings = {each.name: each.value for each in program.settings}
        self._definitions = {each.name: each for each in program.definitions}
        self._tables = {each.name: each for each in program.tables}

    def value(self, expr: Expr, face: int | None = None) -> Value:
        """The value; `face`: what `Var("card")` is. Raises Unknown."""
        match expr:
            case Const(value):
                return value
            case SettingValue(name):
                return self.value(self._settings[name])
            case Count(AllPlayers(), _, None):
                return self._players
            case Count(AllSides(), _, None):
                return self._sides
            case CardAttr(Var("card"), attr) if face is not None:
                return _attribute(face, attr)
            case Var("card") if face is not None:
                return face
            case Apply(name, (Var("card"),)) if face is not None:
                return self.value(self._definitions[name].body, face)
            case If(condition, then, otherwise):
                return self.value(then if self.value(condition, face) else otherwise, face)
            case And(operands):
                return self._all(operands, face, stop=False)
            case Or(operands):
                return self._all(operands, face, stop=True)
            case Not(operand):
                return not self.value(operand, face)
            case Compare(sign, left, right):
                return holds(sign, self.value(left, face), self.value(right, face))
            case Member(element, ListOf(items)):
                wanted = self.value(element, face)
                return any(self.value(item, face) == wanted for item in items)
            case Member(element, Range(low, high)):
                place = self.value(element, face)
                first, last = self.value(low, face), self.value(high, face)
                return holds(">=", place, first) and holds("<=", place, last)
            case Arith(sign, left, right):
                return result(sign, self.value(left, face), self.value(right, face))
            case _:
                raise Unknown

    def _all(self, operands: tuple[Expr, ...], face: int | None, stop: bool) -> bool:
        """`and`, or with `stop` `or`; one operand can decide what the others leave open."""
        open_ = False
        for operand in operands:
            try:
                if bool(self.value(operand, face)) is stop:
                    return stop
            except Unknown:
                open_ = True
        if open_:
            raise Unknown
        return not stop

    def fits(self, condition: Expr, face: int) -> bool | None:
        """Whether a card fits a pattern; None where only the deal tells."""
        try:
            return bool(self.value(condition, face))
        except Unknown:
            return None

    def number(self, expr: Expr, most: int) -> Interval:
        """Where a number lies that is never below 0 and never above `most`."""
        match expr:
            case Lookup(name) if self._tables[name].form == "card":
                cells = [dict(row.cells)[""] for row in self._tables[name].rows]
                found = [self._of_any_card(cell, most) for cell in cells]
                return Interval(0, max((each.high for each in found), default=0))
            case Arith("+", left, right):
                first, second = self.number(left, most), self.number(right, most)
                return Interval(first.low + second.low, first.high + second.high)
            case Otherwise(options):
                ranges = [self.number(option, most) for option in options]
                return Interval(min(r.low for r in ranges), max(r.high for r in ranges))
            case If(_, then, otherwise) if not self._known(expr):
                ranges = [self.number(then, most), self.number(otherwise, most)]
                return Interval(min(r.low for r in ranges), max(r.high for r in ranges))
            case _:
                try:
                    value = self.value(expr)
                except Unknown:
                    return Interval(0, most)
                number = value if isinstance(value, int) else 0
                return Interval(max(0, number), max(0, number))

    def by_card(self, table: str, cards: Counter[int]) -> list[int]:
        """What a table by card gives for each card of the pack; none where that is not known."""
        found: list[int] = []
        for face, number in cards.items():
            most = 0
            for row in self._tables[table].rows:
                fits = row.condition is None or self.fits(row.condition, face)
                if fits is False:
                    continue
                cell = dict(row.cells)[""]
                try:
                    value = self.value(cell, face)
                except Unknown:
                    return []
                if not isinstance(value, int):
                    return []
                most = value if fits else max(most, value)
            found += [max(0, most)] * number
        return found

    def _known(self, expr: Expr) -> bool:
        try:
            self.value(expr)
        except Unknown:
            return False
        return True

    def _of_any_card(self, cell: Expr, most: int) -> Interval:
        if cell == CardAttr(Var("card"), "number"):
            return Interval(2, 10)  # court cards have rows of their own, as a rule
        return self.number(cell, most)


def _attribute(face: int, attr: str) -> Value:
    if attr in ("rank", "number"):
        return RANK_OF[face]
    if attr == "suit":
        return SUIT_OF[face]
    if attr == "red":
        return RED[face]
    if attr == "black":
        return BLACK[face]
    raise Unknown
