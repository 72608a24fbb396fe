"""Three-valued reasoning: what must and what may hold of an expression when part of what it reads
is not known.

From an expression two others are made, over what is known. `must`: where it holds, so does the
expression, whatever the unknown is. `may`: where it fails, so does the expression. Of numbers: a
lower and an upper bound. What is unknown, and what is known of it, a subclass says.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from meldc_runtime.light import dataclass
from meldc_runtime.program import expressions as x
from meldc_runtime.program.binding import substituted
from meldc_runtime.program.reserved import VALUES
from meldc_runtime.writing.folding import NO, YES, Folding
from meldc_runtime.writing.nodes import children, free_names, walk

if TYPE_CHECKING:
    from meldc_runtime.table import Table

FAR = 1_000_000
"""Stands for no bound."""

Pair = tuple[x.Expr, x.Expr]
UNKNOWN_TRUTH: Pair = (NO, YES)

PLAYER = x.Var(x.Marker.PLAYER)
SIDE = x.SideOf(PLAYER)
CHOSEN = x.Var("chosen in an action")
"""Stands for whatever an action names, before it is chosen."""


def number(value: int) -> x.Const:
    return x.Const(value, "number")


UNKNOWN_NUMBER: Pair = (number(-FAR), number(FAR))


# ---- expressions put together, as simple as they can be
def all_of(*operands: x.Expr) -> x.Expr:
    left: list[x.Expr] = []
    for operand in operands:
        if operand == NO:
            return NO
        for part in operand.operands if isinstance(operand, x.And) else (operand,):
            if part != YES and part not in left:
                left.append(part)
    return YES if not left else left[0] if len(left) == 1 else x.And(tuple(left))


def any_of(*operands: x.Expr) -> x.Expr:
    left: list[x.Expr] = []
    for operand in operands:
        if operand == YES:
            return YES
        for part in operand.operands if isinstance(operand, x.Or) else (operand,):
            if part != NO and part not in left:
                left.append(part)
    return NO if not left else left[0] if len(left) == 1 else x.Or(tuple(left))


def for_bounds(node: x.Expr, names: dict[str, x.Expr]) -> x.Expr:
    """An expression with what is known to stand for its names; a name of an action for which
    nothing does is unknown.
    """
    missing = free_names(node) - {x.Marker.PLAYER} - set(names)
    bound: x.Expr = substituted(node, names | dict.fromkeys(missing, CHOSEN))
    return bound


def denied(operand: x.Expr) -> x.Expr:
    if operand == YES:
        return NO
    if operand == NO:
        return YES
    return operand.operand if isinstance(operand, x.Not) else x.Not(operand)


def plus(left: x.Expr, right: x.Expr) -> x.Expr:
    if isinstance(left, x.Const) and isinstance(right, x.Const):
        return number(_int(left) + _int(right))
    if left == number(0):
        return right
    return left if right == number(0) else x.Arith("+", left, right)


def minus(left: x.Expr, right: x.Expr) -> x.Expr:
    if isinstance(left, x.Const) and isinstance(right, x.Const):
        return number(_int(left) - _int(right))
    return left if right == number(0) else x.Arith("-", left, right)


def compared(op: str, left: x.Expr, right: x.Expr) -> x.Expr:
    """A comparison of numbers, decided where both are constants or a bound is missing."""
    if isinstance(left, x.Const) and isinstance(right, x.Const):
        a, b = _int(left), _int(right)
        holds = {"=": a == b, "<": a < b, "<=": a <= b, ">": a > b, ">=": a >= b}[op]
        return YES if holds else NO
    far = number(FAR), number(-FAR)
    if left in far or right in far:
        high = left == far[0] or right == far[1]
        return YES if (op[0] == ">") == high and op != "=" else NO
    return x.Compare(op, left, right)


def least_of(left: x.Expr, right: x.Expr) -> x.Expr:
    return left if left == right else x.Arith("min", left, right)


def most_of(left: x.Expr, right: x.Expr) -> x.Expr:
    return left if left == right else x.Arith("max", left, right)


def _int(const: x.Const) -> int:
    assert isinstance(const.value, int)
    return const.value


@dataclass(frozen=True, slots=True)
class Query:
    """A query over a source: `where` (YES for all) of `var`. by: what is summed, None where
    elements are counted.
    """

    source: x.Expr
    var: str
    where: x.Expr
    by: x.Expr | None = None


class Reasoning:
    """Makes bounds of expressions. A subclass says what is unknown (`changed`), and what is known
    of a query or memory that is.
    """

    def __init__(self, table: Table, folding: Folding) -> None:
        self.table = table
        self.folding = folding
        self._known: dict[x.Expr, bool] = {}
        self._tables: dict[str, bool] = {}

    # ---- what a subclass says
    def changed(self, node: x.Expr) -> bool:
        """Whether what a single node reads (a zone, melds, a memory, …) may be other than it is
        now.
        """
        raise NotImplementedError

    def query(self, query: Query) -> Pair:
        """Bounds of a count or sum over a source that may change, or whose condition may."""
        return (number(0) if query.by is None else number(-FAR)), number(FAR)

    def memory(self, node: x.Remembered) -> x.Expr | None:
        """The value that a memory which may change will have, where that is certain."""
        return None

    # ---- known as it stands
    def is_known(self, node: x.Expr) -> bool:
        """Whether nothing unknown is read."""
        if node not in self._known:
            self._known[node] = all(self._part_is_known(part) for part in walk(node))
        return self._known[node]

    def _part_is_known(self, part: Any) -> bool:
        match part:
            case x.Var():
                return part != CHOSEN
            case x.Apply(definition):
                return self.is_known(self.folding.body(definition))
            case x.SortedAs(_, table) | x.Lookup(table) | x.RowAttr(_, table):
                return self.table_is_known(table)
            case x.CardAttr(_, "value"):
                return self.table_is_known(VALUES)
        return not (isinstance(part, x.Expr) and self.changed(part))

    def table_is_known(self, name: str) -> bool:
        """Whether no row of a table reads anything unknown."""
        if name not in self._tables:
            self._tables[name] = True
            declared = self.table.tables.get(name)
            parts = (
                []
                if declared is None
                else [
                    part
                    for row in declared.rows
                    for part in (row.condition, *(cell for _, cell in row.cells))
                    if part is not None
                ]
            )
            self._tables[name] = all(self.is_known(self.folding.fold(part)) for part in parts)
        return self._tables[name]

    def known(self, node: x.Expr, truth: bool = False) -> x.Expr:
        """What stands for an expression in which nothing is unknown; truth: it is asked whether it
        holds.
        """
        return node

    # ---- conditions
    def truth(self, e: x.Expr | None) -> Pair:
        """Conditions under which an expression must, and may, hold. None always holds."""
        if e is None:
            return YES, YES
        if self.is_known(e):
            return self.known(e, truth=True), self.known(e, truth=True)
        match e:
            case x.Not(operand):
                must, may = self.truth(operand)
                return denied(may), denied(must)
            case x.And(operands):
                pairs = [self.truth(operand) for operand in operands]
                return all_of(*(p[0] for p in pairs)), all_of(*(p[1] for p in pairs))
            case x.Or(operands):
                pairs = [self.truth(operand) for operand in operands]
                return any_of(*(p[0] for p in pairs)), any_of(*(p[1] for p in pairs))
            case x.If(condition, then, otherwise):
                return self._either(condition, self.truth(then), self.truth(otherwise))
            case x.Compare():
                return self._compared(e)
            case x.Exists(source, var, where):
                low, high = self.number(x.Count(source, var, where))
                return compared(">=", low, number(1)), compared(">=", high, number(1))
            case x.ForAll(source, var, where):
                low, high = self.number(x.Count(source, var, denied(where)))
                return compared("<=", high, number(0)), compared("<=", low, number(0))
            case x.IsSomething(x.SortedAs(meld, table)):
                pairs = self._rows(meld, table)
                return any_of(*(p[0] for p in pairs)), any_of(*(p[1] for p in pairs))
            case x.Apply():
                return self.truth(self.inlined(e))
            case x.Remembered():
                value = self.memory(e)
                return UNKNOWN_TRUTH if value is None else (value, value)
        return UNKNOWN_TRUTH

    def _either(self, condition: x.Expr, then: Pair, otherwise: Pair) -> Pair:
        must, may = self.truth(condition)
        return (
            any_of(all_of(must, then[0]), all_of(denied(may), otherwise[0])),
            any_of(all_of(may, then[1]), all_of(denied(must), otherwise[1])),
        )

    def _compared(self, e: x.Compare) -> Pair:
        if e.op == "!=":
            must, may = self.truth(x.Compare("=", e.left, e.right, e.cards))
            return denied(may), denied(must)
        settled = x.Compare(e.op, self.settled(e.left), self.settled(e.right), e.cards)
        if self.is_known(settled):
            return self.known(settled), self.known(settled)
        match e:
            case x.Compare("=", x.SortedAs(meld, table), x.Const() as row) | x.Compare(
                "=", x.Const() as row, x.SortedAs(meld, table)
            ):
                return self._sorted_as(meld, table, row)
        if not (self.is_number(e.left) or self.is_number(e.right)):
            return UNKNOWN_TRUTH
        left, right = self.number(e.left), self.number(e.right)
        match e.op:
            case "=":
                must = all_of(compared(">=", left[0], right[1]), compared("<=", left[1], right[0]))
                may = all_of(compared("<=", left[0], right[1]), compared(">=", left[1], right[0]))
                if left[0] == left[1] and right[0] == right[1]:
                    must = may = compared("=", left[0], right[0])
                return must, may
            case ">" | ">=":
                return compared(e.op, left[0], right[1]), compared(e.op, left[1], right[0])
            case _:
                return compared(e.op, left[1], right[0]), compared(e.op, left[0], right[1])

    def _rows(self, meld: x.Expr, table: str) -> list[Pair]:
        """For each row of a sorting table whether a meld must, and may, fit it."""
        rows = self.table.tables[table].rows
        return [
            self.truth(
                None
                if row.condition is None
                else substituted(self.folding.fold(row.condition), {x.Marker.MELD: meld})
            )
            for row in rows
        ]

    def _sorted_as(self, meld: x.Expr, table: str, row: x.Const) -> Pair:
        """Whether a meld is of a row: it fits, and no later row does."""
        number_of_row = self.table.constant(row)
        if not isinstance(number_of_row, int):
            return UNKNOWN_TRUTH
        pairs = self._rows(meld, table)
        own, later = pairs[number_of_row], pairs[number_of_row + 1 :]
        return all_of(own[0], *(denied(p[1]) for p in later)), all_of(
            own[1], *(denied(p[0]) for p in later)
        )

    def settled(self, e: x.Expr) -> x.Expr:
        """The expression with the memories whose value is certain replaced."""
        if isinstance(e, x.Remembered) and self.changed(e):
            value = self.memory(e)
            return e if value is None else value
        return e

    def is_number(self, e: x.Expr) -> bool:
        match e:
            case x.Count() | x.Sum() | x.Arith():
                return True
            case x.Const(value):
                return isinstance(value, int) and not isinstance(value, bool) and e.type == "number"
            case x.Apply(definition):
                return self.table.definitions[definition].type == "number"
            case x.Remembered(memory):
                return self.table.memories[memory].type == "number"
            case x.If(_, then, otherwise):
                return self.is_number(then) or self.is_number(otherwise)
            case x.Lookup(table):
                return self.table.tables[table].form != "card"
        return False

    # ---- numbers
    def number(self, e: x.Expr) -> Pair:
        """Lower and upper bound of a number."""
        if self.is_known(e):
            return self.known(e), self.known(e)
        match e:
            case x.Arith(op, left, right):
                return self._arith(op, self.number(left), self.number(right))
            case x.If(condition, then, otherwise):
                return self._either_number(condition, self.number(then), self.number(otherwise))
            case x.Count(source, var, where):
                return self._query(Query(source, var, YES if where is None else where))
            case x.Sum(source, var, by):
                return self._query(Query(source, var, YES, by))
            case x.Apply():
                return self.number(self.inlined(e))
            case x.Remembered():
                value = self.memory(e)
                return UNKNOWN_NUMBER if value is None else (value, value)
        return UNKNOWN_NUMBER

    def _arith(self, op: str, left: Pair, right: Pair) -> Pair:
        match op:
            case "+":
                return _far_or(plus, left[0], right[0]), _far_or(plus, left[1], right[1])
            case "-":
                return _far_or(minus, left[0], right[1]), _far_or(minus, left[1], right[0])
            case "min":
                return least_of(left[0], right[0]), least_of(left[1], right[1])
            case "max":
                return most_of(left[0], right[0]), most_of(left[1], right[1])
        return UNKNOWN_NUMBER

    def _either_number(self, condition: x.Expr, then: Pair, otherwise: Pair) -> Pair:
        if self.is_known(condition):
            known = self.known(condition, truth=True)
            return x.If(known, then[0], otherwise[0]), x.If(known, then[1], otherwise[1])
        return least_of(then[0], otherwise[0]), most_of(then[1], otherwise[1])

    def _query(self, query: Query) -> Pair:
        """Bounds of a query, its source taken apart first."""
        match query.source:
            case x.Filter(source, var, where):
                moved = substituted(where, {var: x.Var(query.var)}) if query.var else where
                return self._query(
                    replace(
                        query, source=source, var=query.var or var, where=all_of(moved, query.where)
                    )
                )
            case x.Join(left, right):
                return self._arith(
                    "+",
                    self._query(replace(query, source=left)),
                    self._query(replace(query, source=right)),
                )
            case x.Apply() if not self.is_known(query.source):
                return self._query(replace(query, source=self.inlined(query.source)))
            case x.Opponents(side) if side == SIDE and self.is_about(query, query.var):
                node = as_node(query)
                return self.known(node), self.known(node)
            case x.AllSides():
                own = self._single(query, SIDE)
                others = self._query(replace(query, source=x.Opponents(SIDE)))
                return self._arith("+", own, others)
            case x.If(condition, then, otherwise):
                first, second = (
                    self._query(replace(query, source=then)),
                    self._query(replace(query, source=otherwise)),
                )
                return self._either_number(condition, first, second)
        node = as_node(query)
        return (self.known(node), self.known(node)) if self.is_known(node) else self.query(query)

    def is_about(self, query: Query, side: str) -> bool:
        """Whether a query reads nothing that may change but what another side (a variable) has."""
        parts = [query.where] if query.by is None else [query.where, query.by]
        return all(self._is_about(part, side) for part in parts)

    def _is_about(self, node: Any, side: str) -> bool:
        if isinstance(node, x.Expr) and self.is_known(node):
            return True
        match node:
            case x.Apply():
                return self._is_about(self.inlined(node), side)
            case x.MeldsOf(owner) | x.Remembered(_, owner) | x.ZoneCards(_, owner):
                return owner in (x.Var(side), x.PlayersOf(x.Var(side)))
            case x.Can() | x.Only() | x.Joined() | x.CurrentPhase() | x.Unmelded():
                return False
        return all(self._is_about(child, side) for child in children(node))

    def _single(self, query: Query, element: x.Expr) -> Pair:
        """Bounds of a query over one element."""
        must, may = self.truth(substituted(query.where, {query.var: element}))
        if query.by is None:
            return _one_if(must), _one_if(may)
        low, high = self.number(substituted(query.by, {query.var: element}))
        return x.If(must, low, least_of(low, number(0))), x.If(must, high, most_of(high, number(0)))

    # ---- definitions
    def inlined(self, e: x.Apply) -> x.Expr:
        """What a definition says for its arguments."""
        definition = self.table.definitions[e.definition]
        names = [name for name, _ in definition.params]
        values = dict(zip(names, e.arguments, strict=True))
        result: x.Expr = substituted(self.folding.body(e.definition), values)
        return result


def as_node(query: Query) -> x.Expr:
    """A query as the expression that asks it."""
    if query.by is None:
        where = None if query.where == YES else query.where
        return x.Count(query.source, query.var, where)
    source = query.source if query.where == YES else x.Filter(query.source, query.var, query.where)
    return x.Sum(source, query.var, query.by)


def _one_if(condition: x.Expr) -> x.Expr:
    if isinstance(condition, x.Const):
        return number(1 if condition.value else 0)
    return x.If(condition, number(1), number(0))


def _far_or(combine: Any, left: x.Expr, right: x.Expr) -> x.Expr:
    """A sum or difference, without a bound where a part has none."""
    for part, sign in ((left, 1), (right, 1 if combine is plus else -1)):
        if isinstance(part, x.Const) and abs(_int(part)) >= FAR:
            return number(FAR if (_int(part) > 0) == (sign > 0) else -FAR)
    result: x.Expr = combine(left, right)
    return result
