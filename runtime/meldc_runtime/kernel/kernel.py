"""A kernel ready to play: written, compiled, with the way from a State and back."""

from __future__ import annotations

import gc
import linecache
from typing import Any

from meldc_runtime.cards import FACE, laid_by, mark
from meldc_runtime.kernel.bounds import Bounds
from meldc_runtime.kernel.building import Builder
from meldc_runtime.kernel.kept import Written, compiled, execute, keep_written, recalled
from meldc_runtime.kernel.layout import (
    OWN,
    SIDE,
    TABLE,
    Layout,
    NotLowered,
    Slot,
    is_truth,
    layout_of,
)  # fmt: skip
from meldc_runtime.kernel.outcomes import Laying
from meldc_runtime.kernel.position import Position, Step
from meldc_runtime.kernel.search import Search
from meldc_runtime.kernel.terms import begin
from meldc_runtime.kernel.text import number_text
from meldc_runtime.kernel.values import CODED
from meldc_runtime.oracle import evaluate
from meldc_runtime.program.codec import content_hash
from meldc_runtime.starts import Starts
from meldc_runtime.state import Meld, Play, State
from meldc_runtime.table import Table

SELDOM = 20_000
"""So many new objects may be there before garbage is looked for while a kernel is written: nearly
all of them stay till it is done.
"""


class Lying:
    """Where the cards of a slot lie."""

    def __init__(self, slot: Slot) -> None:
        self.number, self.kind, self.rank, self.base = slot.number, slot.kind, slot.rank, slot.base
        self.wilds, self.cards = slot.wilds, slot.cards
        self.places = [slot.place(kind).index for kind in slot.cards]
        self.own_places = [
            None if slot.own is None else slot.own_place(kind).index for kind in slot.cards
        ]


class Kernel:
    """The kernel of a Table. source: its code. plays: what each step is, as a play of the machine
    with kinds of card in the place of faces.
    """

    def __init__(self, layout: Layout, written: Written) -> None:
        self.layout = layout
        self.table = layout.table
        self.source = written.source
        name = _name_of(self.table)
        linecache.cache[name] = (
            len(self.source), None, self.source.splitlines(keepends=True), name
        )  # fmt: skip
        namespace: dict[str, Any] = {}
        execute(written.code, namespace)
        phases = range(len(self.table.program.phases))
        self.lists = tuple(namespace[f"list_{phase}"] for phase in phases)
        sure, ending, may_end = (
            tuple(namespace[f"{test}_{phase}"] for phase in phases)
            for test in ("sure", "ending", "may_end")
        )
        self.plays = {namespace[name]: Play(action, args) for name, action, args in written.made}
        self._sums = [eval(f"lambda m: ({text},)") for text in written.sums]
        self._tallies, self._constants = written.tallies, written.constants
        starts = Starts(self.table, layout.kinds, True)
        bounds = Bounds(Laying(layout, starts, written.sums, written.watched))
        lays = {namespace[name]: laid for name, laid in written.lays}
        self.search = Search(self.lists, sure, ending, may_end, bounds, lays, written.plans)
        self.look = namespace["look"] = self.search.allows
        namespace["search"] = self.search
        self._slots = [*map(Lying, layout.slots)]
        self._faces = [faces[0] for faces in layout.kinds.faces[:-1]]

    def legal(self, position: Position) -> list[Step]:
        """The legal plays, in the order of the machine's list."""
        return self.lists[position.phase](position, self.look)  # type: ignore[no-any-return]

    # ---- from a State and back
    def load(self, state: State) -> Position:
        """The position of a State."""
        layout, table = self.layout, self.table
        of = layout.kinds.of
        position = Position()
        position.p, position.phase, position.over = state.player, state.phase, state.over
        position.turn, position.back, position.serial = state.turn, state.back, state.serial
        for player in range(table.players):
            hand = state.zones[table.zone_slot(layout.counted, player)]
            counts = [0] * (layout.unknown + 1)
            for card in hand:
                counts[of[card & FACE]] += 1
            counts[layout.unknown] = len(hand)
            position.h.append(counts)
            position.w.append([0] * layout.own_width)
        for zone in layout.lists:
            for owner in range(table.owners(table.zones[zone].owner)):
                cards = state.zones[table.zone_slot(zone, owner)]
                position.lists.append([of[card & FACE] for card in cards])
        for side in range(table.sides):
            position.m.append([0] * (layout.side_width + len(self._sums)))
            position.r.append([0] * len(layout.slots))
            position.c.append(
                tuple(evaluate(table, state, {"player": side}, e) for e in self._constants)
            )
            self._load_melds(state, side, position)
        position.g = [None] * (layout.table_width + len(self._tallies))
        for name, place in layout.memory.items():
            for owner, vector in enumerate(self._kept_in(position, name)):
                value = state.memory[table.memory_slot(name, owner)]
                vector[place.index] = self._encoded(name, value)
        for zone, kinds, index in self._tallies:
            cards = position.lists[layout.lists[zone]]
            position.g[index] = sum(card in kinds for card in cards)
        return position

    def _kept_in(self, position: Position, memory: str) -> list[list[Any]]:
        """The vectors that have a memory, by owner."""
        vectors = {SIDE: position.m, OWN: position.w, TABLE: [position.g]}
        return vectors[self.layout.memory[memory].vector]

    def _encoded(self, name: str, value: Any) -> Any:
        memory = self.table.memories[name]
        if memory.type in CODED and not is_truth(memory):
            return 0 if value is None else value + 1
        return value

    def _decoded(self, name: str, value: Any) -> Any:
        memory = self.table.memories[name]
        if memory.type not in CODED or is_truth(memory):
            return value
        return None if not value else value == 2 if memory.type == "yes_no" else value - 1

    def slots_of(self, melds: list[Meld]) -> dict[int, Slot]:
        """Where the melds of a side lie, by their serial numbers."""
        free = list(self.layout.slots)
        found: dict[int, Slot] = {}
        for meld in melds:
            like = (meld.kind, meld.rank)
            slot = found[meld.serial] = next(s for s in free if (s.kind, s.rank) == like)
            free.remove(slot)
        return found

    def _load_melds(self, state: State, side: int, position: Position) -> None:
        layout = self.layout
        vector = position.m[side]
        slots = self.slots_of(state.melds[side])
        for meld in state.melds[side]:
            slot = slots[meld.serial]
            position.r[side][slot.number] = meld.serial
            vector[slot.base] = len(meld.cards)
            vector[slot.base + 1] = meld.wilds
            for card in meld.cards:
                kind, player = layout.kinds.of[card & FACE], laid_by(card)
                vector[slot.place(kind).index] += 1
                if slot.own is not None and player is not None:
                    position.w[player][slot.own_place(kind).index] += 1
        for number, value in enumerate(self._sums):
            vector[layout.side_width + number] = sum(value(vector))

    def store(self, position: Position, state: State) -> None:
        """Puts a position into a State: cards with the lowest faces of their kinds."""
        layout, table = self.layout, self.table
        face = self._faces
        state.player, state.turn, state.back = position.p, position.turn, position.back
        state.phase, state.serial, state.over = position.phase, position.serial, position.over
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
            for owner, vector in enumerate(self._kept_in(position, name)):
                value = self._decoded(name, vector[kept.index])
                state.memory[table.memory_slot(name, owner)] = value
        for side in range(table.sides):
            state.melds[side][:] = self._melds(position, side)

    def _melds(self, position: Position, side: int) -> list[Meld]:
        vector, serials, found = position.m[side], position.r[side], list[Meld]()
        players = self.table.players_of(side)
        for slot in self._slots:
            if not vector[slot.base]:
                continue
            cards: list[int] = []
            for kind, place, own in zip(slot.cards, slot.places, slot.own_places, strict=True):
                left = vector[place]
                if not left:
                    continue
                stands = slot.rank if kind in slot.wilds else None
                if own is not None:
                    for player in players:
                        number = position.w[player][own]
                        if number:
                            cards += [mark(self._faces[kind], player, stands)] * number
                            left -= number
                cards += [mark(self._faces[kind], side, stands)] * left
            wilds, serial = vector[slot.base + 1], serials[slot.number]
            found.append(Meld(slot.kind, side, tuple(cards), slot.rank, None, None, wilds, serial))
        return sorted(found, key=lambda meld: meld.serial)

    # ---- plays
    def said(self, step: Step) -> tuple[object, ...]:
        """A step as `alike` says plays of the machine."""
        play = self.plays[step]
        return (play.action, *play.args)

    def alike(self, state: State, play: Play) -> tuple[object, ...]:
        """A play of the machine, faces as kinds of card, melds as slots, players by seats on."""
        of = self.layout.kinds.of
        found: list[object] = [play.action]
        for param, value in zip(
            self.table.program.actions[play.action].params, play.args, strict=True
        ):
            match param.type:
                case "card" | "cards" if param.mode == "some":
                    found.append(tuple(sorted(of[face] for face in value)))
                case "card":
                    found.append(of[value])
                case "meld":
                    found.append(self.slots_of(state.melds[value[0]])[value[1]].number)
                case "player":
                    found.append((value - state.player) % self.table.players)
                case _:
                    found.append(value)
        return tuple(found)


def _name_of(table: Table) -> str:
    """The name under which tracebacks show the code."""
    return f"<kernel {table.program.name}, {content_hash(table.program)[:12]}>"


def kernel_of(table: Table) -> Kernel:
    """The kernel of a Table. Raises NotLowered where its Program needs more than kernels have."""
    written = recalled(table)
    if written is None:
        try:
            written = write_kernel(table)
        except NotLowered as refused:
            written = Written(refused=str(refused))
        keep_written(table, written)
    if written.refused:
        raise NotLowered(written.refused)
    return Kernel(layout_of(table), written)


def write_kernel(table: Table) -> Written:
    """Writes the kernel of a Table. Raises NotLowered."""
    begin()
    often = gc.get_threshold()
    gc.set_threshold(SELDOM, *often[1:])
    try:
        layout = layout_of(table)
        builder = Builder(layout)
        source = builder.build()
        return Written(
            source,
            tuple((made.name, made.action, made.args) for made in builder.made),
            tuple(builder.lays.items()),
            tuple(", ".join(map(number_text, one.by_slot)) for one in layout.sums.values()),
            tuple((each.zone, each.kinds, each.place.index) for each in layout.tallies.values()),
            tuple(place.index for place in layout.watched),
            tuple(layout.constants),
            tuple(builder.plans(phase) for phase in range(len(table.program.phases))),
            compiled(source, _name_of(table)),
        )
    finally:
        gc.set_threshold(*often)
        begin()
