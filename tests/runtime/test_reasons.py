"""Reasons in players' words."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from runtime.games import melding

from meldc_runtime import machine
from meldc_runtime.cards import mark, parse_card
from meldc_runtime.program.declarations import Origin
from meldc_runtime.reasons import value_text
from meldc_runtime.state import Meld
from meldc_runtime.table import Table


def test_sentence__has_its_values(melds_table: Table) -> None:
    state = machine.new_state(melds_table)
    face = parse_card("8H")
    assert face is not None
    state.zones[melds_table.zone_slot("pile")].append(face)
    state.memory[melds_table.memory_slot("total", 1)] = 120
    first, second = machine.reasons_for(state, {"player": 1}, ("natural_top", "ten_to_open"))
    assert (first.rule, first.text) == ("natural_top", "one card must be a 8")
    assert second.text == "needs 25 for P2"


def test_sentence__says_where_it_was_written() -> None:
    program = melding()
    rules = (replace(program.rules[0], origin=Origin("tiny.rules", 3, 1, 5, 1)), *program.rules[1:])
    table = Table(replace(program, rules=rules))
    (reason,) = machine.reasons_for(machine.new_state(table), {"player": 0}, ("stock_left",))
    assert reason.place == "tiny.rules:3"


@pytest.mark.parametrize(
    ("name", "rule", "text"),
    [
        ("pattern set", "set", "these cards make no set"),
        ("not now", "phase", "now it is time to: draw a card"),
        ("no meld", "meld", "these cards make no meld"),
        ("no such meld", "meld", "there is no such meld"),
    ],
)
def test_reason__for_what_no_rule_says(melds_table: Table, name: str, rule: str, text: str) -> None:
    (reason,) = machine.reasons_for(machine.new_state(melds_table), {"player": 0}, (name,))
    assert (reason.rule, reason.text) == (rule, text)


@pytest.mark.parametrize(
    ("value", "kind", "text"),
    [
        (None, "player", "nobody"),
        (None, "card", "none"),
        (True, "yes_no", "yes"),
        (2, "player", "P3"),
        (1, "side", "B"),
        (14, "rank", "A"),
        (0, "suit", "clubs"),
        ([0, 52], "cards", "2C, Jkr"),
        ([], "cards", "none"),
        ([0, 3], "players", "P1, P4"),
        (1, "row:big", "clean"),
        (2, "kind", "twos"),
        (1, "phase", "play"),
        (-5, "number", "-5"),
        (mark(52, 1, 9), "card", "Jkr"),
        (Meld(0, 0, (0, 52), None, None, None, 0, 1), "meld", "2C Jkr"),
    ],
)
def test_value__of_each_type(melds_table: Table, value: Any, kind: str, text: str) -> None:
    assert value_text(melds_table, value, kind) == text


def test_value__where_everyone_plays_alone_a_side_is_a_player() -> None:
    assert value_text(Table(melding(), players=3), 2, "side") == "P3"
