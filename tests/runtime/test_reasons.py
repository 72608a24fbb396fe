"""Reasons in players' words."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from runtime.games import melding

from meldc_runtime import machine, melds
from meldc_runtime.cards import mark, parse_card
from meldc_runtime.program.declarations import Origin
from meldc_runtime.reasons import value_text
from meldc_runtime.state import Meld, Play, Refused
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
        ("pattern set", "set", "these cards make no set"),  # nothing said about the cards
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


def refusal(table: Table, hand: str, name: str, *args: Any) -> tuple[str, str]:
    """The reason against a play of P1 who holds these cards, a set of 8s lying on the table."""
    state = machine.new_state(table)
    state.player = state.turn = 0
    state.phase = table.phases["play"]
    faces = [face for word in hand.split() if (face := parse_card(word)) is not None]
    state.zones[table.zone_slot("hand", 0)] += faces
    eights = [face for word in ("8C", "8D", "8H") if (face := parse_card(word)) is not None]
    meld = melds.would_be(table, state, 0, None, eights, 0)
    assert meld is not None
    melds.lay(state, meld, None)
    play = Play(table.actions[name], args)
    with pytest.raises(Refused) as caught:
        machine.apply(state.copy(), play)
    env = machine.environment(state, play)
    assert env is not None
    names = [name for name in caught.value.reasons if isinstance(name, str)]
    (reason,) = machine.reasons_for(state, env, names)
    return reason.rule, reason.text


def cards(text: str) -> tuple[int, ...]:
    return tuple(sorted(face for word in text.split() if (face := parse_card(word)) is not None))


@pytest.mark.parametrize(
    ("hand", "kind", "text"),
    [
        ("9C 9D", 0, "a set has 3 cards or more, not 2"),
        ("9C 9D 7H", 0, "these cards make no set: its cards are of one rank"),
        ("9C 9D 3H", 0, "3H does not go into a set"),
        ("9C 2D 2H Jkr", 0, "a set has at most 2 wild cards, not 3"),
        ("9C 2D 2H", 0, "a set has 2 natural cards or more, not 1"),
        ("4C 5C 7C", 1, "these cards make no run: its cards are of one suit and in sequence"),
        ("4C 5C 6C 7C 8C 9C", 1, "a run has 3 to 5 cards, not 6"),
        ("4C 7C Jkr Jkr", 1, "a run has at most 1 wild card, not 2"),
        ("2C 2D 9C", 2, "9C does not go into a twos"),
    ],
)
def test_fault__says_what_keeps_cards_from_being_a_meld(
    melds_table: Table, hand: str, kind: int, text: str
) -> None:
    assert refusal(melds_table, hand, "meld", cards(hand), kind)[1] == text


def test_fault__of_cards_that_join(melds_table: Table) -> None:
    assert refusal(melds_table, "2C 2D Jkr", "add", cards("2C 2D Jkr"), (0, 1)) == (
        "set",
        "a set has at most 2 wild cards, not 3",
    )
    assert refusal(melds_table, "7C", "add", cards("7C"), (0, 1))[1] == (
        "these cards make no set: its cards are of one rank"
    )


def test_domain__says_which_cards_are_not_there(melds_table: Table) -> None:
    assert refusal(melds_table, "9C 9D", "meld", cards("9C 9C 9H"), 0) == (
        "cards",
        "not in the hand: 9C, 9H",
    )
    assert refusal(melds_table, "9C", "meld", (), 0)[1] == "not to be chosen from the hand: no card"
    assert refusal(melds_table, "9C", "meld", cards("9C"), 8)[1] == "this cannot be chosen here"
