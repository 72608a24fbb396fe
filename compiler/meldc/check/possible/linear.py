"""Comparisons of numbers in one form: what is not known on the left, a number on the right."""

from __future__ import annotations

from collections import Counter

from meldc.check.possible.judge import Judge
from meldc.check.possible.readings import Env
from meldc.check.possible.written import written_out
from meldc_runtime.program import expressions as x

MOST_TERMS = 4
FLIPPED = {"<": ">", "<=": ">=", ">": "<", ">=": "<=", "=": "="}


def in_one_form(judge: Judge, node: x.Compare, env: Env) -> x.Compare:
    """`a + 1 >= 4` as `a >= 3`, `b < a` as `a - b > 0`; as it is, where it is not about numbers."""
    if node.op not in FLIPPED or node.cards:
        return node
    left, right = (written_out(judge, each, "number") for each in (node.left, node.right))
    terms: Counter[x.Expr] = Counter()
    known = _add(judge, left, 1, terms, env)
    known = None if known is None else _with(known, _add(judge, right, -1, terms, env))
    found = {term: times for term, times in terms.items() if times}
    if known is None or not found or len(found) > MOST_TERMS:
        return x.Compare(node.op, left, right)
    order = sorted(found, key=repr)
    op = node.op
    if found[order[0]] < 0:
        op, known = FLIPPED[op], -known
        found = {term: -times for term, times in found.items()}
    whole: x.Expr | None = None
    for term in order:
        times = abs(found[term])
        part = term if times == 1 else x.Arith("*", x.Const(times, "number"), term)
        sign = "+" if found[term] > 0 else "-"
        whole = part if whole is None else x.Arith(sign, whole, part)
    assert whole is not None
    return x.Compare(op, whole, x.Const(-known, "number"))


def _with(one: int, other: int | None) -> int | None:
    return None if other is None else one + other


def _add(judge: Judge, expr: x.Expr, times: int, terms: Counter[x.Expr], env: Env) -> int | None:
    """Notes what is not known, so many times; what is known. None: no sum of numbers."""
    value = judge.of(expr, env)
    if value.known and value.few is not None:
        number = next(iter(value.few))
        is_number = isinstance(number, int) and not isinstance(number, bool)
        return times * int(number) if is_number else None  # type: ignore[arg-type]
    match expr:
        case x.Arith("+" | "-", left, right):
            one = _add(judge, left, times, terms, env)
            other = _add(judge, right, times if expr.op == "+" else -times, terms, env)
            return None if one is None else _with(one, other)
        case _ if value.least is None and value.most is None and not _is_total(expr):
            return None
        case _:
            terms[expr] += times
            return 0


def _is_total(expr: x.Expr) -> bool:
    return isinstance(expr, x.Remembered) and expr.memory == "total"
