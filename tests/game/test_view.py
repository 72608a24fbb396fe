"""Nobody sees what the zones do not show."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

import pytest

import meldc
from meldc_runtime.game import Game, Position
from meldc_runtime.randomness import Random
from meldc_runtime.state import State

VARIANTS = ("classic", "paston", "hand-and-foot")


@cache
def game(variant: str) -> Game:
    return meldc.load(variant)


def positions(variant: str, seed: int, steps: int) -> Iterator[Position]:
    """Positions of a deal in which the players do something or other."""
    position = game(variant).deal(seed)
    random = Random.of(seed)
    for _ in range(steps):
        yield position
        if position.is_over:
            return
        actions = position.legal_actions()
        position.apply(actions[random.below(len(actions))])


def hidden_from(state: State, player: int) -> list[tuple[int, int]]:
    """Slot and place of every card that a player may not see."""
    table = state.table
    places = []
    for zone in table.program.zones:
        for owner in range(table.owners(zone.owner)):
            slot = table.zone_slot(zone.name, owner)
            count = len(state.zones[slot])
            own = owner == (table.side_of(player) if zone.owner == "side" else player)
            if zone.visibility == "top":
                count -= 1
            elif zone.visibility == "shown" or (zone.visibility == "owner" and own):
                count = 0
            places += [(slot, place) for place in range(count)]
    return places


def shuffled(state: State, player: int, seed: int) -> State:
    """The state with all cards that a player may not see exchanged for each other."""
    other = state.copy()
    places = hidden_from(state, player)
    cards = [state.zones[slot][place] for slot, place in places]
    Random.of(seed, "hidden").shuffle(cards)
    for (slot, place), card in zip(places, cards, strict=True):
        other.zones[slot][place] = card
    return other


@pytest.mark.parametrize("variant", VARIANTS)
def test_view__does_not_depend_on_hidden_cards(variant: str) -> None:
    for position in positions(variant, seed=4, steps=12):
        for number, player in enumerate(position.game.players):
            other = Position(position.game, shuffled(position.state, number, seed=9))
            assert other.view(player) == position.view(player)


@pytest.mark.parametrize("variant", VARIANTS)
def test_legal_actions__do_not_depend_on_hidden_cards(variant: str) -> None:
    for position in positions(variant, seed=5, steps=8):
        other = Position(position.game, shuffled(position.state, position.state.player, seed=9))
        assert other.legal_actions() == position.legal_actions()


def test_own_hand__is_sorted_and_others_are_counted() -> None:
    position = game("classic").position(
        {"turn": "P1", "hands": {"P1": "KH 2S 10C Jkr 10S", "P2": "4C 4D"}, "pile": "4H 9D"}
    )
    zones = {(zone["name"], zone["owner"]): zone for zone in position.view("P1")["zones"]}
    assert zones["hand", "P1"]["cards"] == ["2S", "10C", "10S", "KH", "Jkr"]
    assert zones["hand", "P2"] == {"name": "hand", "owner": "P2", "count": 2}
    assert zones["pile", None] == {"name": "pile", "owner": None, "count": 2, "top": "9D"}
    assert set(zones["stock", None]) == {"name", "owner", "count"}


def test_melds__are_shown_with_their_rows_and_layers() -> None:
    position = game("classic").position(
        {
            "turn": "P1",
            "phase": "play",
            "melds": {"A": ["KH KD KS KC KH KD KS"], "P2": ["4C 4D 2S"]},
        }
    )
    view = position.view("P3")
    (kings,) = view["melds"]["A"]
    assert (kings["name"], kings["rows"], kings["wilds"]) == ("K", {"canasta": "natural"}, 0)
    assert set(kings["laid_by"]) == {"P3"}
    (fours,) = view["melds"]["B"]
    assert (fours["rows"], fours["wilds"], set(fours["laid_by"])) == ({"canasta": None}, 1, {"P2"})


def test_cards_laid_face_down__are_told_to_nobody_else() -> None:
    position = game("paston").position(
        {"turn": "P1", "phase": "bury", "hands": {"P1": "7H 8H 9H"}, "declarer": "P1"}
    )
    assert position.seen_by("P1", "bury 7H 8H") == "bury 7H 8H"
    assert position.seen_by("P2", "bury 7H 8H") == "bury ?? ??"
