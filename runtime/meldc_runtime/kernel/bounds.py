"""What the cards of a hand can bring at most, each meld looked at alone: bounds for look-ahead."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from meldc_runtime.kernel.layout import LAID, Layout, Slot
from meldc_runtime.kernel.position import Position
from meldc_runtime.starts import Starts

REMEMBERED = 50_000
"""Melds with what may be laid there that are kept before all are forgotten."""

Counts = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Most:
    """What may happen to one meld: naturals and wild cards laid at most, and by how much each sum
    over melds grows at most and at least.
    """

    naturals: int
    wilds: int
    up: Counts
    down: Counts


class Bounds:
    """Bounds for the positions of one layout. sums: what each slot gives to each sum, from the
    vector of the side.
    """

    def __init__(
        self, layout: Layout, starts: Starts, sums: list[Callable[[list[Any]], tuple[int, ...]]]
    ) -> None:
        self.layout = layout
        self.slots = layout.slots
        self.kinds = layout.table.program.kinds
        self.sums = sums
        self.first_sum = layout.side_width
        self.wild = sorted({kind for slot in layout.slots for kind in slot.wilds})
        self.shapes = [starts.least[slot.kind] + starts.extra[slot.kind] for slot in layout.slots]
        self.known: dict[Any, Most] = {}
        self.plain = [
            (
                slot,
                slot.naturals,
                min((s.naturals for s in shapes), default=0),
                slot.base,
                slot.base + slot.width,
            )
            for slot, shapes in zip(self.slots, self.shapes, strict=True)
        ]

    def of(self, position: Position) -> tuple[int, list[int], list[int]]:
        """How few cards the hand can come down to (one more may be discarded), and how high and how
        low each sum can go.
        """
        hand = position.h[position.p]
        side = position.m[position.p % len(position.m)]
        up, down = side[self.first_sum :], side[self.first_sum :]
        laid = beside = 0
        wilds = sum([hand[kind] for kind in self.wild])
        for slot, naturals, need, start, end in self.plain:
            held = hand[naturals[0]] if len(naturals) == 1 else sum([hand[k] for k in naturals])
            if side[start]:
                if not held and not wilds:
                    continue
            elif held < need or held + wilds < 2:
                continue
            key = (slot.number, *side[start:end], *[hand[kind] for kind in slot.cards])
            most = self.known.get(key)
            if most is None:
                most = self._most(slot, side, hand)
                if len(self.known) > REMEMBERED:
                    self.known.clear()
                self.known[key] = most
            laid += most.naturals
            beside += most.wilds
            up = [a + b for a, b in zip(up, most.up, strict=True)]
            down = [a + b for a, b in zip(down, most.down, strict=True)]
        return hand[-1] - laid - min(beside, wilds) - 1, up, down

    def _most(self, slot: Slot, side: list[Any], hand: list[int]) -> Most:
        scratch = side[:]
        cards = slot.cards
        held = [hand[kind] for kind in cards]
        own = len(slot.naturals)
        before = [values[slot.number] for values in (of(scratch) for of in self.sums)]
        naturals = wilds = 0
        up, down = [0] * len(before), [0] * len(before)
        for used in self._reached(slot, side, held):
            natural, wild = sum(used[:own]), sum(used[own:])
            naturals, wilds = max(naturals, natural), max(wilds, wild)
            scratch[slot.base] = side[slot.base] + natural + wild
            scratch[slot.base + 1] = side[slot.base + 1] + wild
            for place, count in enumerate(used):
                index = slot.base + LAID + place
                scratch[index] = side[index] + count
            for number, of in enumerate(self.sums):
                change = of(scratch)[slot.number] - before[number]
                up[number] = max(up[number], change)
                down[number] = min(down[number], change)
        return Most(naturals, wilds, tuple(up), tuple(down))

    def _reached(self, slot: Slot, side: list[Any], held: list[int]) -> set[Counts]:
        """What can be laid: cards of each kind, by starts and additions of single cards."""
        none = (0,) * len(held)
        size, wild = side[slot.base], side[slot.base + 1]
        own = len(slot.naturals)
        waiting = [none]
        if not size:
            waiting = [
                used
                for shape in self.shapes[slot.number]
                for used in _ways(held, own, shape.naturals, shape.wilds)
            ]
        found: set[Counts] = {none}
        while waiting:
            used = waiting.pop()
            if used in found and used != none:
                continue
            beside = wild + sum(used[own:])
            whole = size + sum(used)
            if used != none and not self._fits(slot, whole - beside, beside):
                continue
            found.add(used)
            for place, count in enumerate(used):
                if count < held[place]:
                    waiting.append((*used[:place], count + 1, *used[place + 1 :]))
            if not size and used == none:
                break
        return found

    def _fits(self, slot: Slot, naturals: int, wilds: int) -> bool:
        kind = self.kinds[slot.kind]
        return all(
            low <= number and (high is None or number <= high)
            for number, (low, high) in (
                (naturals, kind.naturals), (wilds, kind.wilds), (naturals + wilds, kind.size),
            )
        )  # fmt: skip


def _ways(held: list[int], own: int, naturals: int, wilds: int) -> list[Counts]:
    """The ways to take so many of the first kinds and so many of the others."""

    def taken(counts: list[int], number: int) -> list[Counts]:
        if not counts:
            return [()] if number == 0 else []
        return [
            (first, *rest)
            for first in range(min(counts[0], number) + 1)
            for rest in taken(counts[1:], number - first)
        ]

    return [
        one + other for one in taken(held[:own], naturals) for other in taken(held[own:], wilds)
    ]
