"""What can be known of an expression without a state: may it be nothing, may its cards be marked,
does it depend on a face alone.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from meldc_runtime.program import expressions as x
from meldc_runtime.program.effects import Become, Effect
from meldc_runtime.program.reserved import DEALER, VALUES
from meldc_runtime.writing.folding import Folding, is_yes_no
from meldc_runtime.writing.nodes import walk

if TYPE_CHECKING:
    from meldc_runtime.table import Table

STATE_BY_FACE = (
    x.ZoneCards, x.MeldsOf, x.Acting, x.Joined, x.Can, x.Only, x.SortedAs, x.MeldAttr, x.Filter,
    x.Count, x.Exists, x.ForAll, x.Sum, x.Best, x.Unmelded,
    x.CurrentPhase, x.DealScore,
)  # fmt: skip
"""Nodes that keep a condition on a card from being tabled by face."""


MAY_LACK = ("rank", "suit", "lowest", "highest")
"""Attributes that only some melds have."""


class Facts:
    """Knowledge of the folded expressions of a Table; `effects`: all its folded effects."""

    def __init__(self, table: Table, folding: Folding, effects: list[Effect]) -> None:
        self.table = table
        self.folding = folding
        self.never_nothing: set[str] = set()  # memories
        self.certain: set[str] = set()  # definitions
        self._settle(effects)

    def _settle(self, effects: list[Effect]) -> None:
        """Assumes that all is something, and takes back what is not until nothing changes."""
        self.never_nothing = set(self.table.memories)
        self.certain = set(self.table.definitions)
        changes = [e for effect in effects for e in walk(effect) if isinstance(e, Become)]
        while True:
            lost = {
                m.name
                for m in self.table.memories.values()
                if m.name in self.never_nothing
                and m.name != DEALER
                and (m.initial is None or self.nullable(self.folding.fold(m.initial)))
            }
            lost |= {
                e.memory
                for e in changes
                if e.memory in self.never_nothing and self.nullable(e.value)
            }
            unsure = {name for name in self.certain if self.nullable(self.folding.body(name))}
            if not lost and not unsure:
                return
            self.never_nothing -= lost
            self.certain -= unsure

    # ---- nothing

    def nullable(self, e: x.Expr, lets: frozenset[str] = frozenset()) -> bool:
        """Whether an expression may be nothing; `lets`: names that may be."""
        match e:
            case x.Const(value):
                return value is None
            case x.Var(name):
                return name in lets
            case x.Remembered(memory, owner):
                return memory not in self.never_nothing or (
                    owner is not None and self.nullable(owner, lets)
                )
            case x.SideOf(inner) | x.Neighbour(inner, _):
                return self.nullable(inner, lets)
            case x.SeatsOn(player, steps):
                return self.nullable(player, lets) or self.nullable(steps, lets)
            case x.CardAttr(card, attr):
                return attr in ("suit", "rank", "number", "laid_by") or self.nullable(card, lets)
            case x.MeldAttr(meld, attr):
                return attr in MAY_LACK or self.nullable(meld, lets)
            case x.RowAttr(row, table, column):
                return self.nullable(row, lets) or self._column_may_be_nothing(table, column)
            case x.Lookup(table, key):
                return self.table.tables[table].form == "card" or self.nullable(key, lets)
            case x.Apply(definition, arguments):
                return definition not in self.certain or any(
                    self.nullable(a, lets) for a in arguments
                )
            case (
                x.SortedAs()
                | x.Best()
                | x.First()
                | x.Top()
                | x.Bottom()
                | x.Nth()
                | x.NextOf()
                | x.Joined()
                | x.After()
                | x.Unmelded()
                | x.DealScore()
                | x.Remainder()
                | x.Quotient()
            ):
                return True
            case x.Arith(_, left, right):
                return self.nullable(left, lets) or self.nullable(right, lets)
            case x.If(_, then, otherwise):
                return self.nullable(then, lets) or self.nullable(otherwise, lets)
            case x.Otherwise(options):
                return all(self.nullable(option, lets) for option in options)
        return False

    def _column_may_be_nothing(self, table: str, column: str) -> bool:
        if column == "place":
            return False
        cells = [dict(row.cells).get(column) for row in self.table.tables[table].rows]
        return any(cell is None or self.nullable(self.folding.fold(cell)) for cell in cells)

    def exact(self, e: x.Expr) -> bool:
        """Whether an expression gives True or False and nothing else."""
        match e:
            case x.Apply(definition, arguments):
                return (
                    self.table.definitions[definition].type == "yes_no"
                    and definition in self.certain
                    and not any(self.nullable(a) for a in arguments)
                )
            case x.Remembered(memory, None):
                return self.table.memories[memory].type == "yes_no" and memory in self.never_nothing
            case x.CardAttr(card, attr):
                return attr in ("red", "black") and not self.nullable(card)
        return is_yes_no(e)

    # ---- marks

    def marked(self, e: x.Expr, plain: frozenset[str] = frozenset()) -> bool:
        """Whether a card, or a card of a list, may carry marks; `plain`: names of cards that carry
        none.
        """
        match e:
            case x.Const() | x.Remembered():
                return False
            case x.Var(name):
                return name not in plain
            case x.ZoneCards(zone):
                return marks(self.table, zone)
            case x.Filter(source) | x.First(source) | x.Best(source):
                return self.marked(source, plain)
            case x.Top(cards) | x.Bottom(cards) | x.Nth(cards, _) | x.After(cards, _):
                return self.marked(cards, plain)
            case x.ListOf(items):
                return any(self.marked(item, plain) for item in items)
            case x.Join(left, right) | x.If(_, left, right):
                return self.marked(left, plain) or self.marked(right, plain)
            case x.MeldAttr(_, "stands_for" | "lowest" | "highest"):
                return False
        return True

    # ---- by face

    def by_face(self, e: x.Expr, var: str) -> frozenset[str] | None:
        """The unowned memories on which an expression about a card `var` depends beside its face;
        None where it depends on more, or is no expression about a card.
        """
        if self.folding.free_names(e) != {var} or not self._about_a_card(e, var):
            return None
        return self._memories(e)

    def _memories(self, e: x.Expr) -> frozenset[str] | None:
        found: set[str] = set()
        for node in walk(e):
            if isinstance(node, STATE_BY_FACE):
                return None
            inner: frozenset[str] | None = frozenset()
            if isinstance(node, x.Remembered):
                if node.owner is not None:
                    return None
                inner = frozenset((node.memory,))
            elif isinstance(node, x.Apply):
                inner = self._memories(self.folding.body(node.definition))
            elif isinstance(node, x.CardAttr):
                if node.attr == "laid_by":
                    return None
                inner = self._of_table(VALUES) if node.attr == "value" else frozenset()
            elif isinstance(node, (x.Lookup, x.RowAttr)):
                inner = self._of_table(node.table)
            if inner is None:
                return None
            found |= inner
        return frozenset(found)

    def _of_table(self, name: str) -> frozenset[str] | None:
        table = self.table.tables.get(name)
        if table is None:
            return frozenset()
        parts = [cell for row in table.rows for _, cell in row.cells]
        parts += [row.condition for row in table.rows if row.condition is not None]
        found: frozenset[str] = frozenset()
        for part in parts:
            inner = self._memories(self.folding.fold(part))
            if inner is None:
                return None
            found |= inner
        return found

    def _about_a_card(self, e: x.Expr, var: str) -> bool:
        me = x.Var(var)
        for node in walk(e):
            match node:
                case x.CardAttr(card, _) if card == me:
                    return True
                case x.Lookup(table, key) if key == me and self.table.tables[table].form == "card":
                    return True
                case x.Compare(_, left, right, True) if me in (left, right):
                    return True
                case x.Member(element, _, True) if element == me:
                    return True
                case x.Apply(definition, arguments) if me in arguments:
                    params = self.table.definitions[definition].params
                    if params[arguments.index(me)][1] == "card":
                        return True
        return False


def marks(table: Table, zone: str) -> bool:
    """Whether cards are marked when they come to a zone."""
    declared = table.zones[zone]
    return declared.owner == "none" and declared.visibility == "shown"
