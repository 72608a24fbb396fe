"""What is listed, how plays are written and read, what larger plays come to, what is refused."""

from __future__ import annotations

import random
from functools import cache
from typing import Any

import pytest

import meldc
from meldc_runtime import actions, legality, machine
from meldc_runtime.game import Game, Position
from meldc_runtime.lookahead import outlook_of

OTHERS = {"P2": "QH QD", "P3": "JH JD", "P4": "10H 10D"}
GAMES = ("classic", "samba", "american", "pennies", "rummy-5000", "paston", "italian")


@cache
def game(name: str) -> Game:
    return meldc.load(name)


def position(of: str, hand: str, **given: Any) -> Position:
    more = {"turn": "P1", "phase": "play", "pile": "4C", "stock": 20} | given
    return game(of).position({**more, "hands": {"P1": hand, **OTHERS}})


def listed(where: Position) -> list[str]:
    return [str(action) for action in where.legal_actions()]


def refused(where: Position, text: str) -> list[str]:
    return [reason.rule for reason in where.why_illegal(text)]


# ---- the list
def test_list__starts_with_the_least_cards_and_names_the_lowest() -> None:
    where = position("classic", "9C 9H 9D 9S 2C 5H 6H 7S", melds={"A": ["KH KD KS"]})
    found = [text for text in listed(where) if text.startswith("meld")]
    assert found == ["meld 2C 9C 9D", "meld 9C 9D 9H"]


def test_list__adds_single_cards_and_starts_no_second_meld_of_a_rank() -> None:
    where = position("classic", "9C 9H 9D KC 2C 2S 5H 6H 7S", melds={"A": ["KH KD KS", "9S 9S 9H"]})
    found = [text for text in listed(where) if not text.startswith("discard")]
    assert found == ["add 2C to K", "add 2C to 9", "add 9C to 9", "add KC to K"]


def test_list__takes_the_pile_with_the_fewest_cards() -> None:
    where = position(
        "classic", "KC KD KS 2C 5H 6H", pile="4C KH", phase="draw", melds={"A": ["8H 8D 8S"]}
    )
    assert listed(where) == ["draw", "take pile with 2C KC", "take pile with KC KD"]


def test_list__offers_equal_melds_once() -> None:
    where = position("samba", "9C 5H 6S 7D", melds={"A": ["9H 9D 9S", "9H 9D 9S"]})
    assert [text for text in listed(where) if text.startswith("add")] == ["add 9C to 9"]


def test_list__of_runs_takes_a_gap_with_the_wild_cards_between() -> None:
    melds = {"P1": ["8D 8S 8C"], "P2": ["5H 6H 7D"]}
    where = position("rummy-5000", "9H 7C 4D 4S", wild_rank="7", melds=melds)
    found = [text for text in listed(where) if text.endswith("run 5H")]
    assert found == ["add 7C to P2 run 5H", "add 7C 9H to P2 run 5H"]
    where.apply("add 7C 9H to P2 run 5H")


# ---- texts
@pytest.mark.parametrize("name", GAMES)
def test_text__is_read_back_as_the_same_play(name: str) -> None:
    table = game(name).table
    chance = random.Random(3)
    for deal in range(2):
        state = machine.start_game(table, deal, deal % table.players)
        for _ in range(80):
            if state.over:
                break
            plays = legality.legal_plays(state)
            texts = [actions.text(state, play) for play in plays]
            assert len(set(texts)) == len(texts)
            for play, text in zip(plays, texts, strict=True):
                assert actions.canonical(table, text) == text
                found, reasons = legality.plan(state, text)
                assert found == (play,), (text, reasons)
            machine.apply(state, chance.choice(plays))


@pytest.mark.parametrize(
    ("written", "usual"),
    [
        ("MELD 9c th", "meld 9C 10H"),
        ("  take   pile with 9♥ jkr", "take pile with 9H Jkr"),
        ("add 9d to k", "add 9D to K"),
        ("ask p3", "ask P3"),
        ("Answer YES", "answer yes"),
    ],
)
def test_canonical__is_the_usual_form(written: str, usual: str) -> None:
    assert actions.canonical(game("classic").table, written) == usual


@pytest.mark.parametrize("text", ["", "dance", "meld", "meld 9X", "discard 9C 9D", "answer maybe"])
def test_canonical__refuses_what_is_no_action(text: str) -> None:
    with pytest.raises(ValueError, match="no action"):
        actions.canonical(game("classic").table, text)


def test_a_kind__is_said_only_where_cards_could_be_another() -> None:
    where = position("samba", "4H 5H 6H 9C KS", melds={"A": ["8H 8D 8S"]})
    assert "meld 4H 5H 6H" in listed(where)
    assert where.is_legal("meld 4H 5H 6H as sequence")
    assert refused(where, "meld 4H 5H 6H as set")


def test_a_rank__means_the_unfinished_meld() -> None:
    where = position("samba", "9C 5H 6C KS", melds={"A": ["9H 9D 9S 9C 9H 9D 9S", "9H 9D 2S"]})
    where.apply("add 9C to 9")
    assert [len(meld.cards) for meld in where.state.melds[0]] == [7, 4]


# ---- larger plays
def test_a_larger_play__is_made_in_its_smallest_steps() -> None:
    where = position("classic", "9C 9D 9H 9S 2C 5H 6H", melds={"A": ["8H 8D 8S"]})
    steps, _ = legality.plan(where.state, "meld 9S 9C 9D 9H 2C")
    assert steps is not None
    assert len(steps) == 3
    where.apply("meld 9S 9C 9D 9H 2C")
    assert [len(meld.cards) for meld in where.state.melds[0]] == [3, 5]


def test_a_larger_play__is_legal_in_some_order_only() -> None:
    where = position("classic", "9C 9D 2C 2D 2H 2S 5H 6H 7H", melds={"A": ["8H 8D 8S"]})
    assert where.is_legal("meld 2C 2D 2H 9C 9D")
    assert not where.is_legal("meld 2C 2D 2H 2S 9C 9D")


def test_a_start__of_a_rank_that_is_down_joins_it() -> None:
    where = position("classic", "9C 9D 5H 6H", melds={"A": ["9H 9D 9S"]})
    where.apply("meld 9C 9D")
    assert [len(meld.cards) for meld in where.state.melds[0]] == [5]


# ---- reasons
def test_reasons__name_the_rule_about_the_action() -> None:
    where = position(
        "classic", "KC 2C 5H 6H", pile="4C KH", phase="draw", frozen=True, melds={"A": ["8H 8D 8S"]}
    )
    assert refused(where, "take pile with KC 2C") == ["frozen_pile"]


def test_reasons__name_the_kind_of_meld() -> None:
    where = position("classic", "9C 2C 2D 5H 6H", melds={"A": ["8H 8D 8S"]})
    assert refused(where, "meld 9C 2C 2D") == ["set"]


def test_reasons__name_what_keeps_the_turn_from_being_completed() -> None:
    where = position("classic", "4C 4D 4H 9S KC QD")
    assert refused(where, "meld 4C 4D 4H") == ["opening_minimum"]
    [reason] = where.why_illegal("meld 4C 4D 4H")
    assert "needs 50" in reason.text
    where = position("classic", "9C 9D 9H 5S", melds={"A": ["8H 8D 8S"]})
    assert refused(where, "meld 9C 9D 9H") == ["canasta_to_go_out"]


def test_reasons__speak_of_texts_that_stand_for_nothing() -> None:
    where = position("classic", "9C 5H 6H", melds={"A": ["8H 8D 8S"]})
    assert refused(where, "add 9C to K") == [legality.NO_MEANING]


# ---- soft rules
def test_another__binds_only_while_another_choice_is_legal() -> None:
    with_house = meldc.load("classic", house=["keep-jokers"])
    given = {"turn": "P1", "phase": "play", "pile": "4C", "stock": 20, "melds": {"A": ["8H 8D 8S"]}}
    where = with_house.position({**given, "hands": {"P1": "Jkr 5H", **OTHERS}})
    assert "discard 5H" in listed(where)
    assert "discard Jkr" not in listed(where)
    assert refused(where, "discard Jkr") == ["keep_jokers"]
    where = with_house.position({**given, "hands": {"P1": "Jkr Jkr", **OTHERS}})
    assert "discard Jkr" in listed(where)


# ---- witnesses
def test_a_witness__leads_on_where_a_search_is_cut_off() -> None:
    where = position("classic", "AC AD AS 9C KD QD 7S")
    outlook = outlook_of(where.state.table)
    opened = next(
        p for p in legality.legal_plays(where.state) if "AC" in actions.text(where.state, p)
    )
    after = outlook.search.after(where.state, opened, last_resort=True)
    assert after is not None
    way = legality.legal_plays(after)[0]
    outlook.remember(after, (way,))
    assert outlook.witness(after) == way
