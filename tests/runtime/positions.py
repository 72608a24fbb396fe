"""Positions of the game of melds, and plays in them."""

from __future__ import annotations

from typing import Any

import pytest

from meldc_runtime import machine
from meldc_runtime.cards import parse_card
from meldc_runtime.state import Play, Refused, State
from meldc_runtime.table import Table


def faces(text: str) -> list[int]:
    found = [parse_card(word) for word in text.split()]
    return [face for face in found if face is not None]


def given(table: Table, phase: str = "play", **zones: str) -> State:
    """A position of the game of melds: P1 to act, hands as h1 …, all other cards in the stock."""
    state = machine.new_state(table)
    state.player = state.turn = 0
    state.phase = table.phases[phase]
    stock = state.zones[table.zone_slot("stock")]
    for name, text in zones.items():
        zone = (
            table.zone_slot("hand", int(name[1:]) - 1) if name[0] == "h" else table.zone_slot(name)
        )
        for face in faces(text):
            stock.remove(face)
            state.zones[zone].append(face)
    return state


def play(state: State, name: str, *args: Any) -> None:
    machine.apply(state, Play(state.table.actions[name], args))


def refused(state: State, name: str, *args: Any) -> tuple[Any, ...]:
    trial = state.copy()
    with pytest.raises(Refused) as caught:
        play(trial, name, *args)
    return caught.value.reasons


def cards(text: str) -> tuple[int, ...]:
    return tuple(sorted(faces(text)))


def remembered(state: State, name: str, owner: int | None = None) -> Any:
    return state.memory[state.table.memory_slot(name, owner)]


def hand(state: State, player: int = 0) -> list[int]:
    return state.zones[state.table.zone_slot("hand", player)]
