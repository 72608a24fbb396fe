"""5000 Rummy: hands sized by a card, the wild rank, the pile that all see, deals that fit."""

from __future__ import annotations

from pathlib import Path

import pytest
from rules.dealing import deals, faces, game, hands, pack, remembered

from meldc.compilation import compile_spec
from meldc_runtime.cards import RANK_OF, parse_card

PLAYERS = range(3, 9)


def further(face: int) -> int:
    """The cards dealt after the one turned up."""
    rank = RANK_OF[face]
    assert rank is not None
    return {11: 10, 12: 10, 13: 10, 14: 11}.get(rank, rank)


@pytest.mark.parametrize("players", PLAYERS)
def test_pack__grows_with_the_players(players: int) -> None:
    """RU-1"""
    seated = game("rummy-5000", players=players)
    assert pack(seated) == (52 if players <= 4 else 104, 0)
    assert seated.table.side_size == 1


@pytest.mark.parametrize("players", PLAYERS)
def test_hand__has_as_many_cards_as_its_first_says(players: int) -> None:
    """RU-2: besides the first, which belongs to the hand and is seen by all."""
    for position in deals(game("rummy-5000", players=players)):
        for player, hand in enumerate(hands(position)):
            first = remembered(position, "first_card", player)
            assert isinstance(first, int)
            assert first in hand
            assert len(hand) == 1 + further(first)


def test_hands__are_dealt_from_the_dealers_left_in_one_go() -> None:
    """RU-2: the dealer last."""
    seated = game("rummy-5000")
    for seed in range(1, 20):
        position = seated.deal(seed, "P2")
        from rules.dealing import shuffled_pack

        cards = shuffled_pack(seated, seed)
        for player in (2, 3, 0, 1):
            first = cards.pop()
            rest = [cards.pop() for _ in range(further(first))]
            assert sorted([first, *rest]) == sorted(faces(position, "hand", player))
        assert faces(position, "pile") == [cards.pop()]
        assert faces(position, "stock") == cards


def test_wild_rank__is_that_of_the_dealers_first_card() -> None:
    """RU-3"""
    for dealer in ("P1", "P4"):
        for seed in range(1, 20):
            position = game("rummy-5000").deal(seed, dealer)
            first = remembered(position, "first_card", int(dealer[1:]) - 1)
            assert isinstance(first, int)
            assert remembered(position, "wild_rank") == RANK_OF[first]


def test_pile__starts_with_a_card_of_the_stock() -> None:
    """RU-4 (first half)"""
    for position in deals(game("rummy-5000")):
        assert len(faces(position, "pile")) == 1


def test_pile__shows_all_its_cards() -> None:
    """RU-4 (second half)"""
    given = {"turn": "P1", "pile": "4C 9D KH", "hands": {"P1": "5C 6C"}}
    position = game("rummy-5000").position(given)
    for player in position.game.players:
        (pile,) = [zone for zone in position.view(player)["zones"] if zone["name"] == "pile"]
        assert pile["cards"] == ["4C", "9D", "KH"]


@pytest.mark.parametrize(("setting", "taken"), [("no", 0), ("yes", 110)])
def test_other_hands__count_for_the_winner_where_the_setting_says_so(
    setting: str, taken: int
) -> None:
    """RU-16"""
    seated = game("rummy-5000", f"winner_takes_hands={setting}")
    given = {"out": "P1", "hands": {"P1": "", "P2": "KH", "P3": "AS", "P4": ""}, "melds": {}}
    position = seated.position(given, finished=True)
    position.score()
    assert position.scores == {"A": taken, "B": -10, "C": -100, "D": 0}


@pytest.mark.parametrize("players", PLAYERS)
def test_deal__is_always_possible(players: int) -> None:
    """RU-18: even if every first card is an ace."""
    assert players * 12 < pack(game("rummy-5000", players=players))[0]


def test_checker__knows_that_every_deal_is_possible() -> None:
    """RU-18"""
    assert not compile_spec("rummy-5000").diagnostics


def test_checker__works_out_that_a_deal_may_be_impossible(tmp_path: Path) -> None:
    """RU-18: the size of a hand is decided by a card."""
    path = tmp_path / "long-hands.yaml"
    path.write_text(
        "variant: long-hands\ntitle: Long Hands\nextends: rummy-5000\nfurther_cards: {A: 13}\n",
        encoding="utf-8",
    )
    found = compile_spec(path).diagnostics
    assert [problem.code for problem in found] == ["MC0603"]


def test_ace__is_a_card_of_the_pack() -> None:
    """RU-5: the ace is the highest face; that it may lie low is proved by positions."""
    assert game("rummy-5000").table.pack[-1] == parse_card("AS")
