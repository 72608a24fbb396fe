"""The steps in which totals move: all scores are multiples of it."""

from __future__ import annotations

from math import gcd

from meldc.check.inspection import Inspection
from meldc.check.possible.judge import Judge
from meldc.check.possible.memories import score_line
from meldc_runtime.program import expressions as x
from meldc_runtime.program.effects import Become, Gain


def granularity(inspection: Inspection) -> int:
    """The greatest number that divides every total; 1 where that is not known."""
    found = 0
    for judge in inspection.judges:
        for line in inspection.program.scores:
            if score_line(judge, line.name).few != frozenset((0,)):
                found = gcd(found, _divisor(judge, line.gives))
        for effect in judge.written.effects.get("total", []):
            if isinstance(effect, Become | Gain):
                found = gcd(found, _divisor(judge, effect.value))
    return found or 1


def _divisor(judge: Judge, expr: x.Expr) -> int:
    """A number that divides every value of an expression; 0 where it is always 0."""
    match expr:
        case x.Remembered("total"):
            return 0  # totals are multiples if all that is added to them is
        case x.Sum(_, _, by):
            return _divisor(judge, by)
        case x.Arith("*", left, right):
            return _divisor(judge, left) * _divisor(judge, right)
        case x.Arith(_, left, right):
            return gcd(_divisor(judge, left), _divisor(judge, right))
        case x.If(condition, then, otherwise):
            truth = judge.truth(condition)
            if truth is not None:
                return _divisor(judge, then if truth else otherwise)
            return gcd(_divisor(judge, then), _divisor(judge, otherwise))
        case x.Otherwise(options):
            return gcd(*(_divisor(judge, option) for option in options))
        case x.Apply(name, _):
            return _divisor(judge, judge.definitions[name].body)
        case x.Lookup(name):
            table = judge.tables[name]
            cells = [dict(row.cells)[""] for row in table.rows]
            if table.each_more is not None:
                cells.append(table.each_more)
            return gcd(*(_divisor(judge, cell) for cell in cells))
        case x.RowAttr(_, table_name, column):
            if column == "place":
                return 1
            rows = judge.tables[table_name].rows
            return gcd(*(_divisor(judge, dict(row.cells)[column]) for row in rows))
    return _of_values(judge, expr)


def _of_values(judge: Judge, expr: x.Expr) -> int:
    found = judge.of(expr)
    if found.few is None:
        return 1
    return gcd(*(int(value) for value in found.few if isinstance(value, int)))
