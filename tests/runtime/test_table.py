"""Seating a Program: players, sides, slots, pack, settings."""

from __future__ import annotations

from dataclasses import replace

import pytest
from runtime.games import melding, tricks

from meldc_runtime.program.expressions import Const
from meldc_runtime.table import SeatingError, Table


def test_seating__four_in_two_sides_unless_said_otherwise() -> None:
    table = Table(melding())
    assert (table.players, table.side_size, table.sides) == (4, 2, 2)
    assert [table.side_of(player) for player in range(4)] == [0, 1, 0, 1]
    assert table.players_of(1) == (1, 3)
    assert table.partners_of(3) == (1,)


def test_seating__a_size_that_makes_no_two_sides_gives_way_to_the_next() -> None:
    assert Table(melding(), players=2).side_size == 1
    assert Table(melding(), players=3).side_size == 1
    assert Table(melding(), players=4, side_size=1).sides == 4


@pytest.mark.parametrize(("players", "size"), [(5, None), (2, 2), (3, 2), (4, 3)])
def test_seating__what_is_not_played_is_refused_in_words(players: int, size: int | None) -> None:
    with pytest.raises(SeatingError, match=r"Tiny melds"):
        Table(melding(), players, size)


def test_slots__each_owner_has_its_own(melds_table: Table) -> None:
    zones = {melds_table.zone_slot("hand", player) for player in range(4)}
    zones |= {melds_table.zone_slot(name) for name in ("stock", "pile", "aside")}
    zones |= {melds_table.zone_slot("bonus", side) for side in range(2)}
    assert zones == set(range(melds_table.zone_slots))


def test_memory__total_dealer_and_deal_number_are_there_undeclared(melds_table: Table) -> None:
    slots = {melds_table.memory_slot("dealer"), melds_table.memory_slot("deal_number")}
    slots |= {melds_table.memory_slot("total", side) for side in range(2)}
    assert len(slots) == 4


def test_pack__packs_jokers_and_ranks() -> None:
    assert len(Table(melding()).pack) == 2 * (8 * 4 + 1)
    assert len(Table(tricks()).pack) == 32


def test_settings__are_folded_with_the_number_of_players() -> None:
    assert Table(melding(), players=3).settings["half"] == 4
    assert Table(melding(), players=2).settings["half"] == 3


def test_rules__that_settings_switch_off_are_never_judged() -> None:
    assert "never_frozen" in Table(melding()).code.never_broken
    program = melding()
    always = Const("always", "word")
    settings = tuple(
        replace(s, value=always) if s.name == "frozen" else s for s in program.settings
    )
    assert "never_frozen" not in Table(replace(program, settings=settings)).code.never_broken
