"""The look-ahead against exhaustive search: on small packs no answer may differ."""

from __future__ import annotations

import random
from itertools import islice

import pytest
from lookahead.small_games import Exhaustive, differences, positions, table

from meldc_runtime import actions, legality, machine
from meldc_runtime.lookahead import outlook_of
from meldc_runtime.lookahead.search import completed
from meldc_runtime.state import State

GAMES = (
    "little_classic",
    "little_concealed",
    "little_runs",
    "little_pennies",
    "little_wild",
    "little_league",
    "little_rummy",
    "little_british",
)


@pytest.mark.parametrize("game", GAMES)
def test_legal__is_what_exhaustive_search_finds(game: str) -> None:
    outlook = outlook_of(table(game))
    cut_offs = outlook.counts.cut_offs
    found = [
        text
        for state in islice(positions(outlook.table, 1), 60)
        for text in differences(outlook, state)
    ]
    assert not found
    assert outlook.counts.cut_offs == cut_offs


@pytest.mark.parametrize("game", GAMES)
def test_can__is_what_exhaustive_search_finds(game: str) -> None:
    of = table(game)
    outlook = outlook_of(of)
    going_out = of.moments["going_out"]
    for state in islice(positions(of, 2), 30):
        blind = state.copy()
        blind.blind = True
        goes_out = Exhaustive(lambda after: going_out in after.happened).reaches(blind)
        assert outlook.can_moment(state, "going_out", state.player, None) == goes_out
        ends = Exhaustive(lambda after: after.ended and not after.over).reaches(blind)
        assert outlook.can_end_turn(state, state.player, None) == ends


@pytest.mark.parametrize("game", ["little_pennies"])
def test_last_resort__is_needed_where_nothing_else_ends_the_turn(game: str) -> None:
    outlook = outlook_of(table(game))
    assert outlook.has_marks
    for state in islice(positions(outlook.table, 3), 40):
        player, turn = state.player, state.turn
        search = Exhaustive(
            lambda after, p=player, t=turn: completed(after, p, t), last_resort=False
        )  # type: ignore[misc]
        assert outlook.needs_last_resort(state) != search.reaches(state)


@pytest.mark.parametrize("game", GAMES)
def test_legal__never_leads_into_a_dead_end(game: str) -> None:
    of = table(game)
    chance = random.Random(4)
    for deal in range(6):
        state = machine.start_game(of, 40 + deal, deal % of.players)
        for _ in range(300):
            if state.over:
                break
            plays = legality.legal_plays(state)
            assert plays, f"deal {deal}: nothing to do"
            machine.apply(state, chance.choice(plays))


@pytest.mark.parametrize("game", GAMES)
def test_legal__does_not_hang_on_what_is_hidden(game: str) -> None:
    of = table(game)
    chance = random.Random(5)
    for state in islice(positions(of, 5), 25):
        listed = [actions.text(state, play) for play in legality.legal_plays(state)]
        other = state.copy()
        _shuffle_hidden(other, chance)
        assert [actions.text(other, play) for play in legality.legal_plays(other)] == listed


def _shuffle_hidden(state: State, chance: random.Random) -> None:
    """Deals what the player to act does not see anew: other hands, the stock, feet; the pile but
    its top card.
    """
    of = state.table
    slots = [
        of.zone_slot("stock"),
        *(of.zone_slot("hand", p) for p in range(of.players) if p != state.player),
    ]
    if "foot" in of.zones:
        slots += [of.zone_slot("foot", p) for p in range(of.players)]
    cards = [card for slot in slots for card in state.zones[slot]]
    chance.shuffle(cards)
    for slot in slots:
        count = len(state.zones[slot])
        state.zones[slot][:] = cards[:count]
        del cards[:count]
