"""Expressions with what definitions say in the place of their names."""

from __future__ import annotations

from meldc.check.possible.judge import Judge
from meldc.check.walk import substituted
from meldc_runtime.program import expressions as x


def written_out(judge: Judge, expr: x.Expr, type_: str = "") -> x.Expr:
    """What a name stands for, if it is one, of this type or (empty) of any."""
    while isinstance(expr, x.Apply):
        definition = judge.definitions[expr.definition]
        if type_ and definition.type != type_:
            break
        params = (param for param, _ in definition.params)
        expr = substituted(definition.body, dict(zip(params, expr.arguments, strict=True)))
    return expr
