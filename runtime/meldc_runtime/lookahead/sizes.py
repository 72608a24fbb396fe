"""How many cards a meld must have at the least to count for a fact, read from the Program."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from meldc_runtime.lookahead.facts import MELD, Fact
from meldc_runtime.program import expressions as x

if TYPE_CHECKING:
    from meldc_runtime.lookahead.facts import PlanWorld

MOST = 20
"""Sizes that are looked at; a meld that counts at none of them is taken to need more."""

SIZE = x.MeldAttr(MELD, "size")
KIND = x.MeldAttr(MELD, "kind")
OPERATORS = {
    "=": int.__eq__, "!=": int.__ne__, "<": int.__lt__,
    "<=": int.__le__, ">": int.__gt__, ">=": int.__ge__,
}  # fmt: skip


class Sizes:
    """Judges conditions on a meld of which kind and size alone are known."""

    def __init__(self, world: PlanWorld) -> None:
        self.world = world
        self.table = world.table
        self.kind = 0

    def least(self, fact: Fact) -> tuple[int, ...] | None:
        """By kind the least size of a meld that may count for a fact, once; None where a fact does
        not count melds.
        """
        match fact.body:
            case x.If(condition, x.Const(1), x.Const(0)) if fact.of_melds:
                return tuple(
                    next((n for n in range(1, MOST) if self._may_hold(condition, kind, n)), MOST)
                    for kind in range(len(self.table.program.kinds))
                )
        return None

    def _may_hold(self, condition: x.Expr, kind: int, size: int) -> bool:
        self.kind = kind
        return self._truth(condition, size)[1]

    def _truth(self, node: Any, size: int) -> tuple[bool, bool]:
        """Whether a condition must, and may, hold of a meld of a kind and size."""
        match node:
            case x.Const(bool() as value):
                return value, value
            case x.And(parts):
                pairs = [self._truth(part, size) for part in parts]
                return all(p[0] for p in pairs), all(p[1] for p in pairs)
            case x.Or(parts):
                pairs = [self._truth(part, size) for part in parts]
                return any(p[0] for p in pairs), any(p[1] for p in pairs)
            case x.Not(operand):
                must, may = self._truth(operand, size)
                return not may, not must
            case x.Compare(op, left, x.Const(int() as number)) if left == SIZE:
                holds = OPERATORS[op](size, number)
                return holds, holds
            case x.Compare("=", left, x.Const() as kind) if left == KIND:
                holds = self.table.constant(kind) == self.kind
                return holds, holds
            case x.IsSomething(x.SortedAs(meld, table)) if meld == MELD:
                rows = self.table.tables[table].rows
                pairs = [(True, True) if row.condition is None else
                         self._truth(self.world.folding.fold(row.condition), size)
                         for row in rows]  # fmt: skip
                return any(p[0] for p in pairs), any(p[1] for p in pairs)
            case x.Member(x.SortedAs(meld, table)) | x.Compare("=", x.SortedAs(meld, table)) if (
                meld == MELD
            ):
                return False, self._truth(x.IsSomething(x.SortedAs(MELD, table)), size)[1]
            case x.Apply():
                return self._truth(self.world.inlined(node), size)
        return False, True
