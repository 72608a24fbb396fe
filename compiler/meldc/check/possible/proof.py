"""Proves that conditions can never hold together, whatever else is so.

Conditions are taken apart down to what nothing is known of; each of these parts may be any value
it can have, and every combination is tried. Parts are taken to be free of each other, so that a
proof is never wrong; there may be contradictions that it does not find.
"""

from __future__ import annotations

from collections.abc import Iterator

from meldc.check.possible import domain
from meldc.check.possible.domain import CARDS, Possible
from meldc.check.possible.inclusion import Bound, bounds_between
from meldc.check.possible.judge import Judge
from meldc.check.possible.linear import in_one_form
from meldc.check.possible.readings import Env
from meldc.check.possible.written import written_out
from meldc.check.reckoning import Value
from meldc.check.walk import walk
from meldc_runtime.program import expressions as x

MOST_TRIES = 1500
MOST_NODES = 600
YES, NO = x.Const(True, "yes_no"), x.Const(False, "yes_no")


def never_together(
    judge: Judge, conditions: tuple[x.Expr, ...], cards: tuple[str, ...], tries: int = MOST_TRIES
) -> bool:
    """Whether no position fulfils all of these; `cards`: variables that are one card each.

    tries: after so many values tried it is not known, which is no.
    """
    whole: x.Expr = x.And(conditions)
    if sum(1 for _ in walk(whole)) > MOST_NODES:
        return False
    if not cards:
        return _is_never(judge, reduced(judge, whole, {}), {}, tries)
    known: dict[x.Expr, bool] = {}
    for face in judge.pack:
        env = {cards[0]: CARDS[face]}
        left = reduced(judge, whole, env)
        if left not in known:
            known[left] = _is_never(judge, left, env, tries)
        if not known[left]:
            return False
    return True


def reduced(judge: Judge, expr: x.Expr, env: Env) -> x.Expr:
    """The condition without what is decided, definitions written out, in one form."""
    truth = judge.of(expr, env).truth
    if truth is not None:
        return YES if truth else NO
    match expr:
        case x.And(operands):
            return x.And(tuple(reduced(judge, each, env) for each in operands))
        case x.Or(operands):
            return x.Or(tuple(reduced(judge, each, env) for each in operands))
        case x.Not(operand):
            return x.Not(reduced(judge, operand, env))
        case x.Exists(source, var, where):
            return x.Compare(">=", x.Count(source, var, where), x.Const(1, "number"))
        case x.ForAll(source, var, where):
            return x.Compare("=", x.Count(source, var, _negated(where)), x.Const(0, "number"))
        case x.Compare("!=", left, right):
            return x.Not(reduced(judge, x.Compare("=", left, right, expr.cards), env))
        case x.Compare():
            return in_one_form(judge, expr, env)
        case x.Member(element, x.Range(low, high)):
            ends = (x.Compare(">=", element, low), x.Compare("<=", element, high))
            return reduced(judge, x.And(ends), env)
        case x.Apply(name) if judge.definitions[name].type == "yes_no":
            return reduced(judge, written_out(judge, expr, "yes_no"), env)
        case x.If(condition, then, otherwise):
            return x.If(
                reduced(judge, condition, env),
                reduced(judge, then, env),
                reduced(judge, otherwise, env),
            )
        case _:
            return expr


def _negated(expr: x.Expr) -> x.Expr:
    return expr.operand if isinstance(expr, x.Not) else x.Not(expr)


# ---- trying all that can be --------------------------------------------------------------------


def _is_never(judge: Judge, condition: x.Expr, env: Env, tries: int) -> bool:
    if isinstance(condition, x.Const):
        return condition.value is False
    parts: dict[x.Expr, set[Value]] = {}
    for part, value in _parts(judge, condition, env):
        wanted = parts.setdefault(part, set())
        if value is not None:
            wanted.add(value)
    choices = [(part, list(_choices(judge, part, each, env))) for part, each in parts.items()]
    names = {part: f"part {at}" for at, part in enumerate(parts)}
    short = _shortened(judge, condition, names, env)
    return _Search(short, choices, names, bounds_between(judge, list(parts)), tries).finds_nothing()


class _Search:
    """Gives the parts of a condition one value after the other, as long as it may still hold."""

    def __init__(
        self,
        condition: x.Expr,
        choices: list[tuple[x.Expr, list[Possible]]],
        names: dict[x.Expr, str],
        bounds: list[Bound],
        tries: int,
    ) -> None:
        self.condition, self.choices, self.names, self.bounds = condition, choices, names, bounds
        self.left = tries

    def finds_nothing(self) -> bool:
        """Whether no values fulfil the condition; no, where too many are to be tried."""
        return self._is_never({}, {})

    def _is_never(self, values: dict[x.Expr, Possible], named: dict[str, Possible]) -> bool:
        self.left -= 1
        if self.left < 0:
            return False
        if _holds(self.condition, named) is False:
            return True
        if not all(bound.holds(values) for bound in self.bounds):
            return True
        if len(values) == len(self.choices):
            return False
        part, options = self.choices[len(values)]
        return all(
            self._is_never({**values, part: each}, {**named, self.names[part]: each})
            for each in options
        )


def _shortened(judge: Judge, expr: x.Expr, names: dict[x.Expr, str], env: Env) -> x.Expr:
    """The condition with a variable for each part."""
    if expr in names:
        return x.Var(names[expr])
    match expr:
        case x.And(operands):
            return x.And(tuple(_shortened(judge, each, names, env) for each in operands))
        case x.Or(operands):
            return x.Or(tuple(_shortened(judge, each, names, env) for each in operands))
        case x.Not(operand):
            return x.Not(_shortened(judge, operand, names, env))
        case x.If(condition, then, otherwise):
            return x.If(
                _shortened(judge, condition, names, env),
                _shortened(judge, then, names, env),
                _shortened(judge, otherwise, names, env),
            )
        case x.Compare(sign, left, right):
            return x.Compare(sign, _side(judge, left, names, env), _side(judge, right, names, env))
        case x.Member(element, x.ListOf(items)):
            return x.Member(
                _side(judge, element, names, env),
                x.ListOf(tuple(_side(judge, each, names, env) for each in items)),
            )
        case _:
            return expr


def _side(judge: Judge, expr: x.Expr, names: dict[x.Expr, str], env: Env) -> x.Expr:
    if expr in names:
        return x.Var(names[expr])
    few = judge.of(expr, env).few
    assert few is not None, "this is a bug in meldc: the other side of a comparison is open"
    return x.Const(next(iter(few)), "none")


def _holds(expr: x.Expr, values: dict[str, Possible]) -> bool | None:
    match expr:
        case x.And(operands):
            found = [_holds(each, values) for each in operands]
            return False if False in found else None if None in found else True
        case x.Or(operands):
            found = [_holds(each, values) for each in operands]
            return True if True in found else None if None in found else False
        case x.Not(operand):
            truth = _holds(operand, values)
            return None if truth is None else not truth
        case x.If(condition, then, otherwise):
            truth = _holds(condition, values)
            if truth is None:
                return None
            return _holds(then if truth else otherwise, values)
        case x.Compare(sign, left, right):
            return domain.compared(sign, _value(left, values), _value(right, values)).truth
        case x.Member(element, x.ListOf(items)):
            value = _value(element, values)
            found = [domain.compared("=", value, _value(item, values)).truth for item in items]
            return True if True in found else None if None in found else False
        case _:
            return _value(expr, values).truth


def _value(expr: x.Expr, values: dict[str, Possible]) -> Possible:
    match expr:
        case x.Var(name):
            return values.get(name, domain.ANYTHING)
        case x.Const(value):
            return domain.exactly(value)
        case _:
            return domain.ANYTHING


def _parts(judge: Judge, expr: x.Expr, env: Env) -> Iterator[tuple[x.Expr, Value]]:
    """What a condition hangs on, with the values that it is compared with."""
    match expr:
        case x.Const():
            return
        case x.And(operands) | x.Or(operands):
            for each in operands:
                yield from _parts(judge, each, env)
        case x.Not(operand):
            yield from _parts(judge, operand, env)
        case x.If(condition, then, otherwise):
            for each in (condition, then, otherwise):
                yield from _parts(judge, each, env)
        case x.Compare(_, left, right):
            for one, other in ((left, right), (right, left)):
                value = judge.of(other, env)
                if value.known and value.few is not None and not judge.of(one, env).known:
                    yield one, next(iter(value.few))
                    return
            yield expr, None
        case x.Member(element, x.ListOf(items)):
            values = [judge.of(item, env) for item in items]
            if not all(value.known for value in values):
                yield expr, None
                return
            for value in values:
                assert value.few is not None
                yield element, next(iter(value.few))
        case _:
            yield expr, None


def _choices(judge: Judge, part: x.Expr, values: set[Value], env: Env) -> Iterator[Possible]:
    """The values to try for a part: all that the comparisons can tell apart."""
    can_be = judge.of(part, env)
    if can_be.few is not None and len(can_be.few) <= 4:
        yield from (domain.exactly(value) for value in can_be.few)
        return
    if not values:
        yield from (domain.YES, domain.NO)
        return
    if can_be.can_be_nothing:
        yield domain.exactly(None)
    near: set[Value] = set()
    for value in values:
        if isinstance(value, int) and not isinstance(value, bool):
            near |= {value - 1, value, value + 1}
        else:
            near |= {value, "another"} if isinstance(value, str) else {True, False}
    for value in sorted(near, key=repr):
        if not isinstance(value, int) or _is_within(can_be, value):
            yield domain.exactly(value)


def _is_within(can_be: Possible, value: int) -> bool:
    least, most = can_be.least, can_be.most
    return (least is None or value >= least) and (most is None or value <= most)
