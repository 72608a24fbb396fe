"""A kernel ready to play: written, compiled, with the way from a State and back."""

from __future__ import annotations

import linecache
from typing import Any

from meldc_runtime.cards import FACE, mark
from meldc_runtime.kernel.building import Builder
from meldc_runtime.kernel.layout import Layout, layout_of
from meldc_runtime.kernel.position import Position, Search, Step
from meldc_runtime.kernel.terms import begin
from meldc_runtime.kernel.text import number_text
from meldc_runtime.program.codec import content_hash
from meldc_runtime.state import Meld, Play, State
from meldc_runtime.table import Table


class Kernel:
    """The kernel of a Table. source: its code. plays: what each step is, as a play of the machine
    with kinds of card in the place of faces.
    """

    def __init__(self, layout: Layout) -> None:
        self.layout = layout
        self.table = layout.table
        builder = Builder(layout)
        self.source = builder.build()
        name = f"<kernel {self.table.program.name}, {content_hash(self.table.program)[:12]}>"
        linecache.cache[name] = (
            len(self.source), None, self.source.splitlines(keepends=True), name
        )  # fmt: skip
        namespace: dict[str, Any] = {}
        exec(compile(self.source, name, "exec"), namespace)
        phases = range(len(self.table.program.phases))
        self.lists = tuple(namespace[f"list_{phase}"] for phase in phases)
        self.search = Search(self.lists, tuple(namespace[f"sure_{phase}"] for phase in phases))
        self.plays = {namespace[m.name]: Play(m.action, m.args) for m in builder.made}
        sums = [
            eval(f"lambda m: ({', '.join(number_text(n) for n in one.by_slot)},)")
            for one in layout.sums.values()
        ]
        self._sums = sums
        for worked_out in (layout.read, layout.folded, layout.due, layout.of_card):
            worked_out.clear()
        self._cells = [self._cells_of(side) for side in range(self.table.sides)]
        self._faces = [faces[0] for faces in layout.kinds.faces[:-1]]

    def legal(self, position: Position) -> list[Step]:
        """The legal plays, in the order of the machine's list."""
        return self.lists[position.phase](position, self.search.allows)  # type: ignore[no-any-return]

    # ---- from a State and back
    def load(self, state: State) -> Position:
        """The position of a State."""
        layout, table = self.layout, self.table
        of = layout.kinds.of
        position = Position()
        position.p, position.phase, position.over = state.player, state.phase, state.over
        for player in range(table.players):
            hand = state.zones[table.zone_slot(layout.counted, player)]
            counts = [0] * (layout.unknown + 1)
            for card in hand:
                counts[of[card & FACE]] += 1
            counts[layout.unknown] = len(hand)
            position.h.append(counts)
        for zone in layout.lists:
            for owner in range(table.owners(table.zones[zone].owner)):
                cards = state.zones[table.zone_slot(zone, owner)]
                position.lists.append([of[card & FACE] for card in cards])
        for side in range(table.sides):
            position.m.append(self._side(state, side))
        position.g = [None] * (layout.table_width + len(layout.tallies))
        for name, place in layout.memory.items():
            if place.vector == "g":
                position.g[place.index] = state.memory[table.memory_slot(name)]
        for tally in layout.tallies.values():
            cards = position.lists[layout.lists[tally.zone]]
            position.g[tally.place.index] = sum(card in tally.kinds for card in cards)
        return position

    def _side(self, state: State, side: int) -> list[Any]:
        layout, table = self.layout, self.table
        vector: list[Any] = [0] * (layout.side_width + len(layout.sums))
        for meld in state.melds[side]:
            slot = next(
                s for s in layout.slots if (s.kind, s.rank) == (meld.kind, meld.rank)
            )  # fmt: skip
            vector[slot.base] = len(meld.cards)
            vector[slot.base + 1] = meld.wilds
            for card in meld.cards:
                vector[slot.place(layout.kinds.of[card & FACE]).index] += 1
        for name, place in layout.memory.items():
            if place.vector == "m":
                vector[place.index] = state.memory[table.memory_slot(name, side)]
        for one, value in zip(layout.sums.values(), self._sums, strict=True):
            vector[one.place.index] = sum(value(vector))
        return vector

    def store(self, position: Position, state: State) -> None:
        """Puts a position into a State: cards with the lowest faces of their kinds."""
        layout, table = self.layout, self.table
        face = self._faces
        state.player = state.turn = position.p
        state.phase = position.phase
        for player, counts in enumerate(position.h):
            cards: list[int] = []
            for one, number in zip(face, counts, strict=False):
                if number:
                    cards += [one] * number
            state.zones[table.zone_slot(layout.counted, player)][:] = cards
        place = 0
        for zone in layout.lists:
            for owner in range(table.owners(table.zones[zone].owner)):
                slot = table.zone_slot(zone, owner)
                state.zones[slot][:] = [face[kind] for kind in position.lists[place]]
                place += 1
        for name, kept in layout.memory.items():
            if kept.vector == "g":
                state.memory[table.memory_slot(name)] = position.g[kept.index]
            else:
                for side, vector in enumerate(position.m):
                    state.memory[table.memory_slot(name, side)] = vector[kept.index]
        for side, vector in enumerate(position.m):
            state.melds[side][:] = self._melds(vector, side)

    def _melds(self, vector: list[Any], side: int) -> list[Meld]:
        found: list[Meld] = []
        for kind, rank, base, cells in self._cells[side]:
            if vector[base]:
                cards = [card for index, card in cells for _ in range(vector[index])]
                wilds = vector[base + 1]
                found.append(
                    Meld(kind, side, tuple(cards), rank, None, None, wilds, len(found) + 1)
                )
        return found

    def _cells_of(self, side: int) -> list[tuple[int, int, int, list[tuple[int, int]]]]:
        """Of each slot kind, rank, base, and where which card is counted, marked as it lies."""
        faces = self.layout.kinds.faces
        return [
            (
                slot.kind,
                slot.rank,
                slot.base,
                [
                    (
                        slot.place(kind).index,
                        mark(faces[kind][0], side, slot.rank if kind in slot.wilds else None),
                    )
                    for kind in slot.cards
                ],
            )
            for slot in self.layout.slots
        ]

    def play_of(self, position: Position, step: Step) -> Play:
        """A step as a play of the machine, with the lowest faces of kinds."""
        play = self.plays[step]
        params = self.table.program.actions[play.action].params
        faces = self.layout.kinds.faces
        args = [
            faces[value][0] if param.type == "card" else value
            for param, value in zip(params, play.args, strict=True)
        ]
        return Play(play.action, tuple(args))


def kernel_of(table: Table) -> Kernel:
    """The kernel of a Table. Raises NotLowered where its Program needs more than kernels have."""
    begin()
    try:
        return Kernel(layout_of(table))
    finally:
        begin()
