"""Folds what a Table knows for certain (settings, numbers of players, constant tables) into
constants.

Assumes: settings that the expression reads are evaluated. Establishes: no SettingValue is left, a
condition that cannot change is a Const. The meaning of an expression stays the same.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from meldc_runtime.oracle import evaluate
from meldc_runtime.program import expressions as x
from meldc_runtime.program.reserved import VALUES
from meldc_runtime.writing.nodes import READS_STATE, ByIdentity, children, free_names, rebuild

if TYPE_CHECKING:
    from meldc_runtime.table import Table

YES, NO = x.Const(True, "yes_no"), x.Const(False, "yes_no")


class Folding:
    """Folds expressions and effects of one Table; definitions are folded once."""

    def __init__(self, table: Table, known: Folding | None = None) -> None:
        """known: what has folded the definitions of a table with fewer."""
        self.table = table
        self.bodies: dict[str, x.Expr] = {} if known is None else dict(known.bodies)
        self.free_names = ByIdentity(self._free_names)
        self._folded = ByIdentity(self._fold)
        self._reads_nothing = ByIdentity(self._reads_no_state)

    def body(self, definition: str) -> x.Expr:
        """The folded body of a definition."""
        if definition not in self.bodies:
            self.bodies[definition] = self.fold(self.table.definitions[definition].body)
        return self.bodies[definition]

    def fold(self, node: Any) -> Any:
        """A node (an expression or an effect) with everything below it folded."""
        return self._folded(node)

    def _fold(self, node: Any) -> Any:
        if isinstance(node, x.Const):
            value = self.table.constant(node)
            return node if value == node.value else x.Const(value, node.type)
        node = rebuild(node, self.fold)
        if not isinstance(node, x.Expr):
            return node
        node = self._simplify(node)
        return self._settle(node)

    def _simplify(self, node: x.Expr) -> x.Expr:
        match node:
            case x.And(operands):
                return _joined(x.And, operands)
            case x.Or(operands):
                return _joined(x.Or, operands)
            case x.Not(x.Const(value)):
                return NO if value else YES
            case x.Not(x.Not(inner)) if is_yes_no(inner):
                return inner
            case x.If(x.Const(value), then, otherwise):
                return then if value else otherwise
            case x.Count(source, _, x.Const(value)):
                return x.Count(source) if value else x.Const(0, "number")
            case x.Exists(source, _, x.Const(value)):
                return x.Exists(source) if value else NO
            case x.Filter(source, _, x.Const(value)):
                return source if value else x.ListOf(())
            case x.ForAll(_, _, x.Const(True)):
                return YES
            case x.Exists(x.Partners(_)) if self.table.side_size == 1:
                return NO
            case x.Exists(x.Partners(_), _, None):
                return YES
            case x.Partners(_) if self.table.side_size == 1:
                return x.ListOf(())
            case x.Exists(x.ListOf(())):
                return NO
            case x.Count(x.ListOf(())):
                return x.Const(0, "number")
            case x.Apply(definition, _):
                body = self.body(definition)
                return body if isinstance(body, x.Const) else node
        return node

    def _settle(self, node: x.Expr) -> x.Expr:
        """A Const in place of an expression that reads neither the state nor a name."""
        if isinstance(node, x.Const) or not self._reads_nothing(node) or self.free_names(node):
            return node
        value = evaluate(self.table, None, {}, node)
        if isinstance(value, bool):
            return YES if value else NO
        if value is None or isinstance(value, (int, str)):
            kind = "word" if isinstance(value, str) else "none" if value is None else "number"
            return x.Const(value, kind)
        return node

    def _free_names(self, node: Any) -> frozenset[str]:
        return free_names(node, self.free_names)

    def _reads_no_state(self, node: Any) -> bool:
        if isinstance(node, READS_STATE):
            return False
        if isinstance(node, x.Apply) and not self._reads_nothing(self.body(node.definition)):
            return False
        if isinstance(node, x.CardAttr) and node.attr == "value":
            return self.table_is_certain(VALUES) and self._reads_nothing(node.card)
        if isinstance(node, (x.Lookup, x.RowAttr)) and not self.table_is_certain(node.table):
            return False
        return all(map(self._reads_nothing, children(node)))

    def table_is_certain(self, name: str) -> bool:
        """Whether no cell or condition of a table reads the state."""
        table = self.table.tables.get(name)
        if table is None:
            return True
        parts = [cell for row in table.rows for _, cell in row.cells]
        parts += [row.condition for row in table.rows if row.condition is not None]
        parts += [] if table.each_more is None else [table.each_more]
        return all(map(self._reads_nothing, parts))


def is_yes_no(node: x.Expr) -> bool:
    """Whether an expression gives exactly yes or no, never nothing."""
    match node:
        case x.Const(value):
            return isinstance(value, bool)
        case (
            x.Not()
            | x.And()
            | x.Or()
            | x.Compare()
            | x.Member()
            | x.Exists()
            | x.ForAll()
            | x.IsSomething()
        ):
            return True
        case x.Can() | x.Only():
            return True
    return False


def _joined(kind: type[x.And] | type[x.Or], operands: tuple[x.Expr, ...]) -> x.Expr:
    """All or one of the operands, without those that settle nothing; what settles it at once where
    one of them does.
    """
    settling = kind is x.Or  # a yes among alternatives, a no among conditions
    left: list[x.Expr] = []
    for operand in operands:
        if isinstance(operand, x.Const):
            if bool(operand.value) is settling:
                return YES if settling else NO
        elif isinstance(operand, kind):
            left.extend(operand.operands)
        else:
            left.append(operand)
    if not left:
        return NO if settling else YES
    return left[0] if len(left) == 1 and is_yes_no(left[0]) else kind(tuple(left))
