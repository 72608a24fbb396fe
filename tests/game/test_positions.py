"""Positions from descriptions, and what fills the gaps."""

from __future__ import annotations

from collections import Counter
from functools import cache
from typing import Any

import pytest

import meldc
from meldc_runtime.cards import FACE, card_text, laid_by
from meldc_runtime.game import Game, Position
from meldc_runtime.positions import PositionError, singulars


@cache
def game(variant: str = "classic") -> Game:
    return meldc.load(variant)


def count(position: Position, zone: str, owner: int | None = None) -> int:
    return len(position.state.zones[position.game.table.zone_slot(zone, owner)])


def texts(position: Position, zone: str, owner: int | None = None) -> list[int]:
    return position.state.zones[position.game.table.zone_slot(zone, owner)]


def test_position__fills_what_is_not_said_from_unused_cards() -> None:
    position = game().position({"turn": "P1", "hands": {"P1": "4C 4D"}})
    assert [count(position, "hand", player) for player in range(4)] == [2, 11, 11, 11]
    assert count(position, "pile") == 1
    assert count(position, "bonus", 0) == 0
    assert count(position, "stock") > 50
    cards = Counter(card & FACE for zone in position.state.zones for card in zone)
    assert not cards - Counter(game().table.pack)


def test_position__is_the_same_every_time() -> None:
    given = {"turn": "P2", "pile": "9C"}
    first, second = game().position(given), game().position(given)
    assert first.state.zones == second.state.zones


def test_dealt_bonus_cards__are_not_filled_into_hands() -> None:
    position = game().position({"turn": "P1"})
    reds = {"3D", "3H"}
    for player in position.game.players:
        (own,) = [z for z in position.view(player)["zones"] if z["name"] == "hand" and "cards" in z]
        assert reds.isdisjoint(own["cards"])


@pytest.mark.parametrize("stock", [1, 2, 10])
def test_stock__gives_first_what_a_hand_keeps(stock: int) -> None:
    position = game().position({"turn": "P1", "hands": {"P1": "9C 4D"}, "stock": stock})
    position.apply("draw")
    assert not position.is_over
    assert count(position, "hand", 0) == 3


@pytest.mark.parametrize("variant", ["classic", "pennies-from-heaven", "italian", "rummy-5000"])
def test_pile__is_that_of_a_plain_deal(variant: str) -> None:
    position = game(variant).position({})
    top = texts(position, "pile")[-1] & FACE
    assert not position.game.table.can_be_wild(position.state, top)
    assert count(position, "stock") > 10


def test_pile__has_no_rank_that_is_given() -> None:
    ranks = ["4", "5", "6", "7", "8", "10", "J", "Q", "K", "A"]
    position = game().position({"turn": "P1", "hands": {"P1": [f"{rank}C" for rank in ranks]}})
    assert card_text(texts(position, "pile")[0] & FACE)[0] in "39"


def test_players_alone__are_read_by_their_letters() -> None:
    given = {"turn": "C", "dealer": "B", "hands": {"C": "4C", "A": "5C"}}
    position = game("classic-three").position(given)
    assert (position.turn, count(position, "hand", 2), count(position, "hand", 0)) == ("P3", 1, 1)


@pytest.mark.parametrize(("stock", "drawn"), [("5H 6C 7D", "5H"), (10, None), (0, None)])
def test_stock__is_a_number_or_cards_in_the_order_they_are_drawn(
    stock: Any, drawn: str | None
) -> None:
    position = game().position({"turn": "P1", "hands": {"P1": "9C"}, "stock": stock})
    assert count(position, "stock") == (stock if isinstance(stock, int) else 3)
    if drawn is not None:
        position.apply("draw")
        (hand,) = [z for z in position.view("P1")["zones"] if z["name"] == "hand" and "cards" in z]
        assert drawn in hand["cards"]


def test_pile__is_given_bottom_first() -> None:
    position = game().position({"turn": "P1", "pile": "4C 9D"})
    (pile,) = [z for z in position.view("P1")["zones"] if z["name"] == "pile"]
    assert pile["top"] == "9D"


def test_side_with_melds__has_opened_unless_said_otherwise() -> None:
    given: dict[str, Any] = {"turn": "P1", "phase": "play", "melds": {"A": ["8H 8D 8S"]}}
    opened = game().table.memory_slot("opened", 0)
    assert game().position(given).state.memory[opened] is True
    assert game().position({**given, "opened": {"A": "no"}}).state.memory[opened] is False


def test_finished_deal__has_nothing_but_what_is_given() -> None:
    position = game().position({"hands": {"P2": "KH"}}, finished=True)
    assert sum(len(zone) for zone in position.state.zones) == 1


def test_cards_of_a_trick__are_given_by_who_laid_them() -> None:
    given = {"turn": "P1", "phase": "play", "trick": {"P2": "9C", "P3": "KC"}}
    position = game("paston").position(given)
    (trick,) = [z for z in position.view("P1")["zones"] if z["name"] == "trick"]
    assert (trick["cards"], trick["laid_by"]) == (["9C", "KC"], ["P2", "P3"])


def test_meld__is_a_text_a_list_or_a_map_that_says_who_laid_it() -> None:
    listed = [["9C", "9D", "9S"], {"cards": "8C 8D 8S", "as": "set", "by": "P3"}, "7C 7D 7S as set"]
    (nines, eights, sevens) = game().position({"melds": {"P1": listed}}).state.melds[0]
    assert [{laid_by(card) for card in meld.cards} for meld in (nines, eights, sevens)] == [
        {0},
        {2},
        {0},
    ]


def test_player__stands_for_the_side_where_sides_are_asked_for() -> None:
    position = game().position(
        {"scores": {"P3": 100}, "bonus": {"P2": "3H"}, "opened": {"P1": "yes"}}
    )
    assert position.totals == {"A": 100, "B": 0}
    assert count(position, "bonus", 1) == 1


@pytest.mark.parametrize(
    ("deal", "dealer", "turn"), [(1, "P1", "P2"), (2, "P2", "P3"), (6, "P2", "P3")]
)
def test_dealer__is_another_in_each_deal(deal: int, dealer: str, turn: str) -> None:
    position = game().position({"deal": deal})
    assert position.view("P1")["dealer"] == dealer
    assert position.turn == turn


def test_number_of_cards__comes_before_what_usually_lies_elsewhere() -> None:
    position = game().position({"turn": "P1", "hands": {"P1": 100}, "stock": 5})
    assert (count(position, "hand", 0), count(position, "stock")) == (100, 5)
    assert (
        sum(count(position, "hand", player) for player in range(4)) + count(position, "pile") == 103
    )


def test_singulars__of_words() -> None:
    assert "foot" in singulars("feet")
    assert "hand" in singulars("hands")
    assert "box" in singulars("boxes")
    assert "lady" in singulars("ladies")
    assert "pile" in singulars("pile")


@pytest.mark.parametrize(
    ("given", "path", "said"),
    [
        ({"hands": {"P1": "9X"}}, ("hands", "P1"), "`9X` is no card"),
        ({"hands": {"P9": "9C"}}, ("hands", "P9"), "no player `P9`"),
        ({"hands": "9C"}, ("hands",), "say whose"),
        ({"bonus": {"Z": "3H"}}, ("bonus", "Z"), "no side `Z`"),
        ({"melds": {"A": ["9C 4D 5S"]}}, ("melds", "A", "0"), "is no meld"),
        ({"melds": {"A": "9C 4D 5S"}}, ("melds", "A"), "is no meld"),
        ({"melds": {"A": ["9C 9D 9S as fan"]}}, ("melds", "A", "0"), "the kinds are set"),
        ({"melds": {"A": [{"kind": "9C"}]}}, ("melds", "A", "0"), "`kind` is no key of a meld"),
        ({"melds": {"A": [{"as": "set"}]}}, ("melds", "A", "0"), "its cards are missing"),
        (
            {"melds": {"A": [{"cards": "9C 9D 9S", "by": "P2"}]}},
            ("melds", "A", "0"),
            "`P2` is no player of that side",
        ),
        ({"melds": {"P9": ["9C 9D 9S"]}}, ("melds", "P9"), "players are P1 to P4"),
        ({"melds": ["9C 9D 9S"]}, ("melds",), "for each side"),
        ({"wombat": "4C"}, ("wombat",), "no zone and no memory"),
        ({"frozen": "perhaps"}, ("frozen",), "yes or no"),
        ({"phase": "wombat"}, ("phase",), "one of draw, play"),
        ({"turn": "P7"}, ("turn",), "P1 to P4"),
        ({"scores": {"A": "many"}}, ("scores", "A"), "whole number"),
        ({"pile": "4C 4C 4C"}, ("pile",), "3 of 4C are given, the pack has 2"),
        (
            {"pile": "4C 4C", "hands": {"P2": "4C"}},
            ("hands", "P2"),
            "3 of 4C are given, the pack has 2",
        ),
        ({"stock": 300}, ("stock",), "are left for it"),
        ({"hands": {"P1": -1}}, ("hands", "P1"), "not below 0"),
        ({"hands": {"P1": 300}}, ("hands",), "are left for it"),
        ({"hand": {"P1": "4C"}, "hands": {"P1": "5C"}}, ("hands",), "`hand` says this already"),
        ({"scores": {"A": 5}, "total": {"A": 5}}, ("total",), "`scores` says this already"),
        ({"scores": {"A": 5, "P3": 5}}, ("scores", "P3"), "`A` is of the same side"),
        ({"phase": "none"}, ("phase",), "one of draw, play"),
        ({"players": "many"}, ("players",), "whole number"),
    ],
)
def test_wrong_description__is_refused_with_its_place(
    given: dict[str, Any], path: tuple[str, ...], said: str
) -> None:
    with pytest.raises(PositionError) as caught:
        game().position(given)
    (problem,) = caught.value.problems
    assert problem.path == path
    assert said in problem.text


def test_all_problems__are_told_at_once() -> None:
    with pytest.raises(PositionError) as caught:
        game().position({"hands": {"P1": "9X"}, "wombat": 1, "turn": "P7"})
    assert len(caught.value.problems) == 3
