"""The public face: games, positions, actions."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest

import meldc
import meldc_runtime
from meldc_runtime.game import Action, ActionError, Game, IllegalActionError
from meldc_runtime.program import ProgramError
from meldc_runtime.randomness import Random
from meldc_runtime.table import SeatingError

PLAYED = (("classic", 12), ("paston", 120), ("samba", 6), ("rummy-5000", 4), ("american", 4))


@cache
def game(variant: str) -> Game:
    return meldc.load(variant)


@pytest.mark.parametrize(("variant", "steps"), PLAYED)
def test_texts__are_read_back(variant: str, steps: int) -> None:
    position = game(variant).start(seed=2)
    random = Random.of(2)
    for _ in range(steps):
        if position.is_over:
            break
        actions = position.legal_actions()
        for action in actions:
            assert game(variant).parse(str(action)) == action
        assert len({str(action) for action in actions}) == len(actions)
        position.apply(actions[random.below(len(actions))])


def test_action__is_read_in_any_dress() -> None:
    assert str(game("classic").parse(" TAKE  pile with th 10♠ ")) == "take pile with 10H 10S"
    assert game("classic").parse("discard JKR") == Action("discard Jkr")


@pytest.mark.parametrize("text", ["", "fly", "discard", "discard 9X", "meld", "ask P9", "\x00"])
def test_text_that_is_no_action__is_refused(text: str) -> None:
    with pytest.raises(ActionError):
        game("classic").parse(text)


def test_refused_action__leaves_the_position_as_it_was() -> None:
    position = game("classic").position(
        {"turn": "P1", "phase": "play", "hands": {"P1": "9C 9D 9H 4C"}, "stock": 10}
    )
    before = position.view("P1")
    with pytest.raises(IllegalActionError) as caught:
        position.apply("meld 9C 9D 9H")
    assert [reason.rule for reason in caught.value.reasons] == ["opening_minimum"]
    assert position.view("P1") == before


def test_larger_action__is_made_in_steps() -> None:
    position = game("classic").position(
        {
            "turn": "P1",
            "phase": "play",
            "hands": {"P1": "9C 9D 9H 9S 2C 4C 5C"},
            "melds": {"A": ["KH KD KS"]},
        }
    )
    position.apply("meld 9C 9D 9H 9S 2C")
    nines = position.view("P1")["melds"]["A"][1]
    assert sorted(nines["cards"]) == ["2C", "9C", "9D", "9H", "9S"]


def test_copy__is_independent() -> None:
    position = game("classic").deal(seed=1)
    other = position.copy()
    before = position.view("P1")
    other.apply(other.legal_actions()[0])
    assert position.view("P1") == before
    assert other.view("P1") != before


def test_seed__decides_a_game() -> None:
    first, second = game("paston").start(seed=9), game("paston").start(seed=9)
    random = Random.of(9)
    while not first.game_over:
        if first.is_over:
            first.next_deal()
            second.next_deal()
            continue
        actions = first.legal_actions()
        action = actions[random.below(len(actions))]
        first.apply(action)
        second.apply(action)
    assert (first.totals, first.winners) == (second.totals, second.winners)


def test_next_deal__is_refused_before_the_end() -> None:
    with pytest.raises(ValueError, match="deal"):
        game("classic").deal(seed=1).next_deal()


def test_deal_that_is_over__has_no_actions() -> None:
    position = game("classic").position({"hands": {"P2": "KH"}}, finished=True)
    position.score()
    assert position.is_over
    assert position.legal_actions() == []
    assert position.why_illegal("draw")[0].rule == "over"
    assert position.scores == {"A": 0, "B": -10}


def test_compiled_program__is_the_same_game(tmp_path: Path) -> None:
    path = tmp_path / "paston.json"
    game("paston").save(path)
    loaded = meldc_runtime.load(path)
    assert loaded.program == game("paston").program
    assert loaded.deal(seed=3).view("P1") == game("paston").deal(seed=3).view("P1")


def test_changed_program__is_refused(tmp_path: Path) -> None:
    path = tmp_path / "paston.json"
    game("paston").save(path)
    path.write_text(path.read_text(encoding="utf-8").replace("121", "122"), encoding="utf-8")
    with pytest.raises(ProgramError, match="hash"):
        meldc_runtime.load(path)


def test_seats_that_do_not_fit__are_refused() -> None:
    with pytest.raises(SeatingError):
        meldc.load("classic", players=5)
    assert game("hand-and-foot").seated(players=6).players == ("P1", "P2", "P3", "P4", "P5", "P6")


@pytest.mark.parametrize("home", ["P2 run 4H", "B run 4H", "b run 4h"])
def test_meld_of_a_player_alone__is_named_with_name_or_letter(home: str) -> None:
    given = {
        "players": 3,
        "wild_rank": "8",
        "turn": "P1",
        "phase": "play",
        "hands": {"P1": "7H 9C 2D"},
        "melds": {"P2": ["4H 5H 6H"], "A": ["KC KD KS"]},
    }
    position = meldc.load("rummy-5000").position(given)
    assert position.is_legal(f"add 7H to {home}")
    assert position.is_legal("discard 9C")
