"""House rules: what no position shows."""

from __future__ import annotations

import pytest
from rules.dealing import deals, game, hands, remembered

from meldc.compilation import compile_spec


def codes(variant: str, *house: str) -> list[str]:
    return [problem.code for problem in compile_spec(variant, house).diagnostics]


@pytest.mark.parametrize(("choice", "size"), [("13", 13), ("15", 15), ("by-players", 11)])
def test_deal_size__is_that_chosen(choice: str, size: int) -> None:
    """HR-7"""
    position = game("classic", f"deal-size={choice}").deal(1)
    assert {len(hand) for hand in hands(position)} == {size}


@pytest.mark.parametrize(("players", "size"), [(2, 15), (3, 13), (4, 11), (5, 11), (8, 11)])
def test_deal_size__falls_as_the_players_rise(players: int, size: int) -> None:
    """HR-7"""
    seated = game("hand-and-foot", "deal-size=by-players", players=players, size=1)
    assert {len(hand) for hand in hands(seated.deal(1))} == {size}


def test_deal_size__that_the_pack_cannot_serve_is_refused() -> None:
    """HR-7"""
    assert codes("classic", "hand_size=27") == ["MC0603"]


def test_exact_cut__comes_once_in_as_many_times_as_there_are_cards() -> None:
    """HR-14: 108 in Classic."""
    seeds = range(1, 2001)
    exact = sum(
        bool(remembered(p, "exact_cut")) for p in deals(game("classic", "exact-cut"), seeds)
    )
    assert 8 <= exact <= 32


@pytest.mark.parametrize(
    ("variant", "house"),
    [
        ("pennies", ["no-canasta-pickup"]),  # HR-1
        ("kanasta", ["fewer-wilds", "three-wilds-any"]),  # HR-2, HR-10
        ("classic", ["canasta-cards-count"]),  # HR-3
        ("classic", ["keep-jokers", "jokers=0"]),  # HR-4
        ("american", ["open-before-pickup"]),  # HR-5
        ("american", ["natural-pair-pickup"]),  # HR-8
        ("classic", ["concealed-bonus"]),  # HR-9
        ("classic", ["three-wilds-any"]),  # HR-10
        ("pennies-from-heaven", ["recycle-pile"]),  # HR-11
        ("brazilian", ["no-pickup-when-opening"]),  # HR-12
        ("american", ["one-freeze"]),  # HR-13
        ("paston", ["seven-canastas-win"]),  # HR-6
        ("paston", ["exact-cut"]),  # HR-14
    ],
)
def test_senseless_house_rule__is_refused(variant: str, house: list[str]) -> None:
    """HR-1, HR-2, HR-3, HR-4, HR-5, HR-6, HR-8, HR-9, HR-10, HR-11, HR-12, HR-13, HR-14"""
    assert codes(variant, *house)


@pytest.mark.parametrize(("choice", "points"), [((), 570), (("canasta-cards-count=no",), 500)])
def test_cards_in_a_canasta__count_or_do_not(choice: tuple[str, ...], points: int) -> None:
    """HR-3: the contrary setting."""
    position = game("classic", *choice).position(
        {
            "melds": {"A": ["KH KD KS KC KH KD KS"], "B": []},
            "hands": dict.fromkeys(("P1", "P2", "P3", "P4"), ""),
        },
        finished=True,
    )
    position.score()
    assert position.scores["A"] == points
