"""Nothing that a player is shown, told or advised depends on cards hidden from that player: in
every game, at points of a deal, those cards are dealt anew and all of it stays as it was.
"""

from __future__ import annotations

from functools import cache

import pytest
from properties.choosing import Chooser
from properties.hiding import exchanged

import meldc
from meldc.load.catalogue import shipped_variants
from meldc_runtime import legality, machine
from meldc_runtime.bots.greedy import GreedyBot
from meldc_runtime.bots.search import SearchBot
from meldc_runtime.game import Game, Position
from meldc_runtime.randomness import Random
from meldc_runtime.redacting import sight_data
from meldc_runtime.sight import Sight, blank
from meldc_runtime.state import Play, State

SMALL = SearchBot(moves=30, most=3, first=1, plies=8)


@cache
def game(variant: str) -> Game:
    return meldc.load(variant)


@cache
def points(variant: str, every: int = 9, plies: int = 72) -> list[tuple[State, list[Play]]]:
    """Positions of a deal, with the plays that are legal there."""
    state = machine.start_game(game(variant).table, 6)
    chooser, found = Chooser(game(variant), 3), []
    for number in range(plies):
        if state.over:
            break
        plays = legality.legal_plays(state)
        if number % every == 0:
            found.append((state.copy(), plays))
        machine.apply(state, chooser.choose(plays))
    return found


@pytest.mark.parametrize("variant", shipped_variants())
def test_views_and_redacted_sights__are_the_same_whatever_is_hidden(variant: str) -> None:
    assert points(variant)
    for state, _ in points(variant):
        for player in range(state.table.players):
            other = exchanged(state, player, seed=1)
            name = game(variant).players[player]
            assert Position(game(variant), other).view(name) == (
                Position(game(variant), state).view(name)
            )
            assert sight_data(blank(other, player)) == sight_data(blank(state, player))


@pytest.mark.parametrize("variant", shipped_variants())
def test_actions_choices_and_hints__are_the_same_whatever_is_hidden(variant: str) -> None:
    chosen = 0
    for state, plays in points(variant):
        other = exchanged(state, state.player, seed=2)
        assert legality.legal_plays(other) == plays
        if len(plays) < 2:
            continue
        chosen += 1
        once = Sight(game(variant), state, state.player, plays)
        again = Sight(game(variant), other, state.player, plays)
        assert GreedyBot().choose(again, Random.of(4)) == GreedyBot().choose(once, Random.of(4))
        assert SMALL.ranked(again, Random.of(5)) == SMALL.ranked(once, Random.of(5))
    assert chosen
