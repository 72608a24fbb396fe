"""What has been worked out of a position: several questions are asked of one, one after the
other.
"""

from __future__ import annotations

from typing import Any

from meldc_runtime.state import State

LOOKS = 32
"""Positions of which what is known is kept."""


class Look:
    """One position. state: a copy of it, which nobody changes. known: what was worked out, by what
    it is.
    """

    __slots__ = ("known", "state")

    def __init__(self, state: State) -> None:
        self.state = state
        self.known: dict[Any, Any] = {}


class Looks:
    """The positions that were looked at last."""

    def __init__(self) -> None:
        self.kept: dict[Any, Look] = {}

    def of(self, state: State) -> Look:
        """What is known of a position: whatever follows from cards, melds, memories, phase, player
        and the rule left aside.
        """
        key = (
            state.player,
            state.phase,
            state.turn,
            state.back,
            state.without,
            tuple(map(tuple, state.zones)),
            tuple([tuple(value) if isinstance(value, list) else value for value in state.memory]),
            tuple([tuple(map(id, melds)) for melds in state.melds]),  # the copy keeps them alive
        )
        look = self.kept.get(key)
        if look is None:
            if len(self.kept) >= LOOKS:
                del self.kept[next(iter(self.kept))]
            look = self.kept[key] = Look(state.copy())
        return look

    def forget(self) -> None:
        """Lets go of all positions."""
        self.kept.clear()
