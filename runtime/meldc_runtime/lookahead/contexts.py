"""What conditions, rules and facts read of a state beside the thing that they are about, as numbers
by which their answers are kept.
"""

from __future__ import annotations

from itertools import count
from typing import TYPE_CHECKING, Any

from meldc_runtime.lookahead.facts import reads
from meldc_runtime.lookahead.ranges import SIDE
from meldc_runtime.program import expressions as x
from meldc_runtime.state import Meld, State
from meldc_runtime.writing.nodes import walk

if TYPE_CHECKING:
    from collections.abc import Callable

    from meldc_runtime.lookahead.facts import PlanWorld
    from meldc_runtime.table import Table

CONTEXTS = 5_000
"""Contexts known by a number before all are forgotten."""


class Context:
    """The memories and zones that something reads, and whether it reads melds of other sides."""

    def __init__(self, table: Table, read: frozenset[str], numbers: Numbers) -> None:
        self.sides = table.sides
        self.numbers = numbers
        self.others = "melds" in read
        self.memory_slots = [
            table.memory_slot(name, owner)
            for name in _named(read, "memory ")
            for owner in range(table.owners(table.memories[name].owner))
        ]
        self.zone_slots = [
            table.zone_slot(name, owner)
            for name in _named(read, "zone ")
            for owner in range(table.owners(table.zones[name].owner))
        ]
        self.reads_nothing = not (self.others or self.memory_slots or self.zone_slots)

    def number(self, state: State) -> int:
        """A number that states share in which all that is read is the same."""
        if self.reads_nothing:
            return 0
        memory = tuple([state.memory[slot] for slot in self.memory_slots])
        read: Any = (id(self), state.player, memory)
        if self.zone_slots:
            read = (read, tuple([tuple(state.zones[slot]) for slot in self.zone_slots]))
        if self.others:
            own = state.player % self.sides
            melds = tuple(
                tuple(map(self.numbers.signature_of, melds))
                for side, melds in enumerate(state.melds)
                if side != own
            )
            read = (read, melds)
        return self.numbers.of(read)


def _named(read: frozenset[str], sort: str) -> list[str]:
    return sorted(each.removeprefix(sort) for each in read if each.startswith(sort))


class Numbers:
    """Numbers of contexts; none is given twice, since other things are kept by them."""

    def __init__(self, table: Table, signature_of: Callable[[Meld], int]) -> None:
        self.table = table
        self.signature_of = signature_of
        self.known: dict[Any, int] = {}
        self.next = count(1)
        self.contexts: dict[frozenset[str], Context] = {}

    def of(self, read: Any) -> int:
        """The number of all that was read: the same for the same, as long as it is known."""
        number = self.known.get(read)
        if number is None:
            if len(self.known) > CONTEXTS:
                self.known.clear()
            number = self.known[read] = next(self.next)
        return number

    def context(self, read: frozenset[str]) -> Context:
        """The context of these readings (`memory NAME`, `zone NAME`, `melds`: of other sides)."""
        if read not in self.contexts:
            self.contexts[read] = Context(self.table, read, self)
        return self.contexts[read]


def reads_beyond(world: PlanWorld, node: Any, found: set[str]) -> None:
    """What an expression about a kind of meld reads beside the melds of the own side, which
    closures know of: those of the group, and conditions on the others.
    """
    for part in walk(node):
        match part:
            case x.MeldsOf(owner) if owner == SIDE:
                pass
            case x.Apply():
                reads_beyond(world, world.inlined(part), found)
            case x.MeldsOf() | x.Remembered() | x.ZoneCards() | x.SortedAs() | x.Lookup():
                reads(world.table, world.folding, part, found)
            case x.RowAttr() | x.CardAttr():
                reads(world.table, world.folding, part, found)
