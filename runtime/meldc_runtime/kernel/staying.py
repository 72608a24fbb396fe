"""What stays the same while a deal goes on."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from meldc_runtime.kernel.layout import NotLowered
from meldc_runtime.kernel.values import Names, OwnSide, Player, Value
from meldc_runtime.program import expressions as x
from meldc_runtime.writing.nodes import rebuild, walk

if TYPE_CHECKING:
    from meldc_runtime.kernel.reading import Reader

CHANGING = (
    x.ZoneCards, x.MeldsOf, x.MeldCards, x.MeldAttr, x.Joined, x.Can, x.Only, x.SortedAs,
    x.CardAttr,
)  # fmt: skip
"""Nodes that read what changes while a deal goes on."""


def cell_that_stays(reader: Reader, e: x.Lookup, names: Names) -> Value:
    """A cell that stays the same while the deal goes on: its table and key read only what the
    game remembers.
    """
    table = reader.layout.table
    found = table.tables.get(e.table)
    cells = [] if found is None else [cell for row in found.rows for _, cell in row.cells]
    values = [cell.value for cell in cells if isinstance(cell, x.Const)]
    if len(values) < len(cells) or not all(type(v) is int and v >= 0 for v in values):
        raise NotLowered("a table whose cells are not plain numbers")
    if found is None or found.form not in ("number", "band") or not stays(reader, e.key, names):
        raise NotLowered("a table with a key that changes")
    return reader.layout.constant(as_asked_by_a_side(e, names))


def stays(reader: Reader, e: x.Expr, names: Names) -> bool:
    """Whether an expression reads of the state only what the game remembers of the side that
    acts.
    """
    for node in walk(e):
        match node:
            case x.Remembered(memory, owner):
                if memory in reader.layout.memory or not (
                    owner is None or reader.value(owner, names) == OwnSide()
                ):
                    return False
            case x.Apply(definition):
                if not stays(reader, reader.folding.body(definition), names):
                    return False
            case x.Expr() if isinstance(node, CHANGING):
                return False
    return True


def as_asked_by_a_side(e: x.Lookup, names: Names) -> x.Expr:
    """The expression with the acting player in the place of its names for players and sides."""

    def asked(node: Any) -> Any:
        if isinstance(node, x.Var) and isinstance(names.get(node.name), (Player, OwnSide)):
            own = names[node.name]
            acting = x.Var(x.Marker.PLAYER)
            return acting if own == Player(0) else x.SideOf(acting)
        return rebuild(node, asked)

    return asked(e)  # type: ignore[no-any-return]
