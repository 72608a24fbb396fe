"""How deals begin and end: dealing, redeals, scores, the end of the game."""

from __future__ import annotations

from dataclasses import replace

import pytest
from runtime.building import (
    hook,
    moment,
)
from runtime.games import tricks
from runtime.positions import cards, faces, given, hand, play, remembered

from meldc_runtime import machine
from meldc_runtime.program import declarations as d
from meldc_runtime.program import effects as f
from meldc_runtime.program import expressions as x
from meldc_runtime.state import State
from meldc_runtime.table import Table


def test_deal__every_card_is_somewhere_and_the_first_turn_has_begun(melds_table: Table) -> None:
    state = machine.start_game(melds_table, 1)
    assert sorted(card for zone in state.zones for card in zone) == list(melds_table.pack)
    assert [len(hand(state, player)) for player in range(4)] == [7] * 4
    assert (state.player, state.turn, state.phase) == (1, 1, melds_table.phases["draw"])
    assert remembered(state, "begun", 1) == 1


def test_deal__one_seed_is_one_deal(melds_table: Table) -> None:
    assert machine.start_game(melds_table, 7).zones == machine.start_game(melds_table, 7).zones
    assert machine.start_game(melds_table, 7).zones != machine.start_game(melds_table, 8).zones


def test_deal__another_dealer(melds_table: Table) -> None:
    assert machine.start_game(melds_table, 1, dealer=2).player == 3


def test_redeal__goes_on_until_a_deal_stands(tricks_table: Table) -> None:
    again = 0
    for seed in range(40):
        state = machine.start_game(tricks_table, seed)
        again += state.redeals
        assert all(len(state.zones[tricks_table.zone_slot("hand", p)]) == 8 for p in range(3))
        assert state.player == 1
    assert again > 0


def test_redeal__gives_up_after_a_thousand() -> None:
    program = tricks()
    dealt = replace(program.moments[0], effects=(f.Redeal(), *program.moments[0].effects))
    table = Table(replace(program, moments=(dealt, *program.moments[1:])))
    assert machine.start_game(table, 1).redeals == 1000


def test_next_deal__the_number_and_the_dealer_go_on(melds_table: Table) -> None:
    state = machine.start_game(melds_table, 1)
    with pytest.raises(ValueError, match="next deal"):
        machine.next_deal(state)
    play(state, "draw")
    play(state, "stop")
    assert state.over
    assert not state.game_over
    first = [zone[:] for zone in state.zones]
    machine.next_deal(state)
    assert not state.over
    assert (remembered(state, "deal_number"), remembered(state, "dealer"), state.player) == (
        2,
        1,
        2,
    )
    assert state.zones != first
    assert (remembered(state, "begun", 1), remembered(state, "begun", 2)) == (1, 1)


# ---- scores


def finished(table: Table) -> State:
    state = given(table, h1="8C 8D 8H 8S 2C 9C", h2="9D Jkr", h3="4C")
    state.melds[0].clear()
    play(state, "meld", cards("8C 8D 8H 8S 2C"), 0)
    state.zones[table.zone_slot("bonus", 1)] += faces("3H 3D 3D")
    return state


def test_score__lines_of_sides_and_players_add_up(melds_table: Table) -> None:
    state = finished(melds_table)
    play(state, "stop")
    assert {name: points for name, side, points in state.sheet if side == 0} == {
        "melded": 4 * 10 + 20,
        "left": -50 - 5,
        "big": 50,
        "bonus": 0,
    }
    lines = {name: points for name, side, points in state.sheet if side == 1}
    assert (lines["left"], lines["bonus"]) == (-50 - 20, 35)
    assert state.scores == (55, -35)
    assert [remembered(state, "total", side) for side in range(2)] == [55, -35]
    assert not state.game_over


def test_score__a_line_that_is_the_whole_score_stands_alone(melds_table: Table) -> None:
    state = finished(melds_table)
    state.melds[0] *= 6
    machine.score_deal(state)
    assert [line for line in state.sheet if line[1] == 0] == [("many", 0, 500)]


def test_game__ends_with_the_highest_total_or_totals(melds_table: Table) -> None:
    state = finished(melds_table)
    state.memory[melds_table.memory_slot("total", 0)] = 100
    play(state, "stop")
    assert (state.game_over, state.winners) == (True, (0,))
    with pytest.raises(ValueError, match="next deal"):
        machine.next_deal(state)
    level = finished(melds_table)
    level.memory[melds_table.memory_slot("total", 0)] = 100
    level.memory[melds_table.memory_slot("total", 1)] = 190
    play(level, "stop")
    assert level.winners == (0, 1)


def test_game__a_side_named_wins(tricks_table: Table) -> None:
    state = machine.start_game(tricks_table, 3)
    state.memory[tricks_table.memory_slot("deal_number")] = 2
    machine.score_deal(state)
    assert (state.game_over, state.winners) == (True, (1,))


def test_game__the_first_end_named_holds() -> None:
    program = tricks()
    late = moment("later", d.Trigger("end", "deal"), None, f.EndGame(x.Const(2, "side")))
    nobody = moment("nobody", hook("before", "game_over"), None, f.EndGame(x.Const(None, "side")))
    table = Table(replace(program, moments=(nobody, *program.moments, late)))
    state = machine.start_game(table, 3)
    state.memory[table.memory_slot("deal_number")] = 2
    machine.score_deal(state)
    assert state.winners == (1,)
