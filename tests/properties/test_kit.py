"""The kit itself finds what it is there to find."""

from __future__ import annotations

from itertools import chain
from typing import Any

import pytest
from properties import kit
from properties.hiding import exchanged, hidden_places
from properties.kit import ViolationError, fingerprint, play_checked
from properties.tables import Seat, start

from meldc_runtime import legality, machine
from meldc_runtime.cards import FACE, RANK_OF, RED
from meldc_runtime.game import Position
from meldc_runtime.state import Play, State

CLASSIC = Seat("classic", 4, 2)


def test_exchanged__moves_hidden_cards_and_no_others() -> None:
    state = start(CLASSIC.game, 3).state
    other = exchanged(state, 0, 1)
    assert fingerprint(other) != fingerprint(state)
    hidden = {place for places in hidden_places(state, 0) for place in places}
    for slot, zone in enumerate(state.zones):
        for at, card in enumerate(zone):
            assert (slot, at) in hidden or other.zones[slot][at] == card
    assert sorted(chain(*other.zones)) == sorted(chain(*state.zones))


def test_exchanged__gives_nobody_a_card_that_is_laid_at_once() -> None:
    state = start(CLASSIC.game, 3).state
    base = state.table.zone_slot("hand")
    for seed in range(20):
        other = exchanged(state, 0, seed)
        held = [card & FACE for hand in other.zones[base : base + 4] for card in hand]
        assert not any(RANK_OF[face] == 3 and RED[face] for face in held)


def test_lost_card__is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    made = machine.apply

    def losing(state: State, play: Play) -> None:
        made(state, play)
        state.zones[state.table.zone_slot("stock")].pop()

    monkeypatch.setattr(kit.machine, "apply", losing)
    with pytest.raises(ViolationError, match="cards are lost or made; seed 3, after 1 actions"):
        play_checked(CLASSIC.game, 3)


def test_leak__is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    view = Position.view

    def telling(position: Position, player: str) -> dict[str, Any]:
        stock = position.state.zones[position.game.table.zone_slot("stock")]
        return {**view(position, player), "next": stock[-1]}

    monkeypatch.setattr(Position, "view", telling)
    with pytest.raises(ViolationError, match="the view of P1 tells hidden cards"):
        play_checked(CLASSIC.game, 3, close_looks=1)


def test_dead_end__is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(legality, "legal_plays", lambda state: [])
    with pytest.raises(ViolationError, match="a dead end; seed 3, after 0 actions"):
        play_checked(CLASSIC.game, 3)


def test_wrong_refusal__is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    listed = legality.legal_plays
    monkeypatch.setattr(legality, "legal_plays", lambda state: listed(state)[:1])
    with pytest.raises(ViolationError, match="is refused and could be completed"):
        play_checked(CLASSIC.game, 3, close_looks=1)
