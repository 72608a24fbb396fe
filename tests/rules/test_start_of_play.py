"""How play starts: the upcard, red threes, the first player, the dealer of the next deal."""

from __future__ import annotations

import pytest
from rules.dealing import (
    SEEDS,
    deals,
    faces,
    game,
    hands,
    is_red_three,
    is_wild,
    play_out,
    remembered,
)

from meldc.load.catalogue import shipped_variants
from meldc_runtime.cards import RANK_OF
from meldc_runtime.game import ActionError

TURNED_ON = ("classic", "classic-two", "classic-six", "american", "samba", "cuban", "kanasta")
ONE_UPCARD = ("hand-and-foot", "pennies-from-heaven", "pennies")
RED_THREES_LAID = ("classic", "classic-six", "samba", "cuban", "pennies-from-heaven", "italian")


@pytest.mark.parametrize("variant", TURNED_ON)
def test_upcard__is_covered_until_a_natural_or_a_black_three_lies_on_top(variant: str) -> None:
    """CC-6, AM-1: wild cards and red threes are turned on."""
    depths = set()
    for position in deals(game(variant)):
        *under, top = faces(position, "pile")
        assert not is_wild(top)
        assert not is_red_three(top)
        assert all(is_wild(face) or is_red_three(face) for face in under)
        depths.add(len(under))
    assert {0, 1} <= depths


@pytest.mark.parametrize("variant", [v for v in TURNED_ON if v != "american"])
def test_pile__is_frozen_by_a_wild_card_or_red_three_turned_up(variant: str) -> None:
    """CC-7"""
    for position in deals(game(variant)):
        assert remembered(position, "frozen") == (len(faces(position, "pile")) > 1)


@pytest.mark.parametrize("variant", ONE_UPCARD)
def test_upcard__is_one_card_whatever_it_is(variant: str) -> None:
    """PH-7, HF-13: no further card is turned; a wild card or a red three freezes the pile."""
    turned = set()
    for position in deals(game(variant), range(1, 201)):
        (upcard,) = faces(position, "pile")
        stops = is_wild(upcard) or (is_red_three(upcard) and variant != "hand-and-foot")
        assert remembered(position, "frozen") == stops
        turned.add("wild" if is_wild(upcard) else "red three" if is_red_three(upcard) else "other")
    assert turned == {"wild", "red three", "other"}


@pytest.mark.parametrize("variant", RED_THREES_LAID)
def test_red_threes_dealt__are_laid_and_replaced(variant: str) -> None:
    """CC-8, PH-6, PH-29: for all players before the first turn, until no replacement is one."""
    seated, sizes = game(variant), set()
    found = 0
    for position in deals(seated):
        sizes |= {len(hand) for hand in hands(position)}
        assert not any(is_red_three(face) for hand in hands(position) for face in hand)
        laid = [face for side in range(2) for face in faces(position, "bonus", side)]
        assert all(map(is_red_three, laid))
        found += len(laid)
    assert len(sizes) == 1
    assert found


def test_red_threes__lie_before_the_side_they_were_dealt_to() -> None:
    """CC-8: the owner lays them: those of the hand and of the replacements."""
    seated = game("classic")
    for position in deals(seated):
        bonus = [len(faces(position, "bonus", side)) for side in range(2)]
        stock, pile = len(faces(position, "stock")), len(faces(position, "pile"))
        assert sum(bonus) + stock + pile + 4 * 11 == 108


@pytest.mark.parametrize("variant", ["american", "american-league", "hand-and-foot"])
def test_threes__come_to_the_hand_where_they_are_no_bonus_cards(variant: str) -> None:
    """AM-10, AL-4, HF-13: CC-8 does not hold."""
    dealt = [face for position in deals(game(variant)) for hand in hands(position) for face in hand]
    assert any(map(is_red_three, dealt))


@pytest.mark.parametrize("variant", [v for v in shipped_variants() if v != "paston"])
@pytest.mark.parametrize("dealer", ["P1", "P2"])
def test_first_turn__is_left_of_the_dealer(variant: str, dealer: str) -> None:
    """CC-9 (first half), PH-14, RU-6"""
    position = game(variant).deal(3, dealer)
    after = (int(dealer[1:]) % len(position.game.players)) + 1
    assert position.to_act == position.turn == f"P{after}"


@pytest.mark.parametrize("variant", ["classic", "classic-three", "pennies", "rummy-5000"])
def test_deal__passes_clockwise(variant: str) -> None:
    """CC-4, PH-3, RU-2: whoever the lot makes the first dealer; the cut is no event."""
    seated = game(variant)
    for dealer in seated.players:
        position = seated.deal(5, dealer)
        assert position.view("P1")["dealer"] == dealer
        play_out(position)
        position.next_deal()
        after = int(dealer[1:]) % len(seated.players) + 1
        assert position.view("P1")["dealer"] == f"P{after}"


def test_italian__lays_cards_under_the_upcard_by_its_rank() -> None:
    """IT-1: J 11, Q 12, K 13, A 1, joker or 2: 2, a 3 three; the pile has one more. CC-6 does not
    hold.
    """
    under = {11: 11, 12: 12, 13: 13, 14: 1, 15: 2} | {rank: rank for rank in range(2, 11)}
    met = set()
    for position in deals(game("italian"), range(1, 301)):
        pile = faces(position, "pile")
        rank = RANK_OF[pile[-1]]
        assert rank is not None
        assert len(pile) == under[rank] + 1
        met.add(rank)
    assert met == set(range(2, 16))


def test_italian__lays_every_red_three_of_the_starting_pile() -> None:
    """IT-1: with the pile they come, and are laid."""
    for seed in range(1, 200):
        position = game("italian").deal(seed)
        pile = faces(position, "pile")
        threes = sum(map(is_red_three, pile))
        if threes and not is_wild(pile[-1]) and RANK_OF[pile[-1]] != 3:
            break
    before = len(faces(position, "bonus", 1))
    top = position.state.zones[position.game.table.zone_slot("pile")][-1]
    rank = RANK_OF[top & 63]
    pair = [face for face in position.game.table.pack if RANK_OF[face] == rank][:2]
    # P2, of side B, is to act: a pair for the pile, and a side that has opened.
    state = position.state
    hand = state.zones[position.game.table.zone_slot("hand", 1)]
    for place, face in enumerate(pair):
        _exchange(position, hand, place, face)
    state.memory[position.game.table.memory_slot("opened", 1)] = True
    takes = [str(a) for a in position.legal_actions() if str(a).startswith("take pile")]
    position.apply(takes[0])
    assert len(faces(position, "bonus", 1)) == before + threes
    assert not any(map(is_red_three, faces(position, "hand", 1)))


def _exchange(position: object, hand: list[int], place: int, face: int) -> None:
    """Puts a card of the stock or another hand into a hand."""
    zones = position.state.zones  # type: ignore[attr-defined]
    for zone in zones:
        if zone is not hand and face in zone[:-1]:
            at = zone.index(face)
            zone[at], hand[place] = hand[place], face
            return


def test_league__starts_with_an_empty_pile_and_two_talons() -> None:
    """AL-1 (first half), AL-3 (first half)"""
    for position in deals(game("american-league")):
        assert faces(position, "pile") == []
        talons = [len(faces(position, name)) for name in ("talon_of_four", "talon_of_three")]
        assert talons == [4, 3]
        assert len(faces(position, "stock")) == 108 - 4 * 13 - 7
        for player in position.game.players:
            zones = {zone["name"]: zone for zone in position.view(player)["zones"]}
            assert zones["talon_of_four"].keys() == {"name", "owner", "count"}
            assert zones["talon_of_three"].keys() == {"name", "owner", "count"}


@pytest.mark.parametrize("variant", ["american", "american-league"])
def test_challenge__is_no_action(variant: str) -> None:
    """AM-9: illegal discards are refused, so there is nothing to challenge."""
    assert not any("challenge" in action.text for action in game(variant).program.actions)
    with pytest.raises(ActionError):
        game(variant).parse("challenge P2")


def test_pile__shows_its_top_card_only() -> None:
    """CC-12"""
    position = game("classic").position({"turn": "P1", "pile": "4C 9D KH", "hands": {"P1": "5C"}})
    for player in position.game.players:
        (pile,) = [zone for zone in position.view(player)["zones"] if zone["name"] == "pile"]
        assert pile == {"name": "pile", "owner": None, "count": 3, "top": "KH"}


@pytest.mark.parametrize(("wilds", "kind"), [("KC", "natural"), ("2H", "mixed")])
def test_canasta__shows_its_kind(wilds: str, kind: str) -> None:
    """CC-19 (second half)"""
    position = game("classic").position(
        {"turn": "P1", "melds": {"A": [f"KH KD KS KC KH KD {wilds}"]}, "hands": {"P1": "5C 6C"}}
    )
    for player in position.game.players:
        assert position.view(player)["melds"]["A"][0]["rows"]["canasta"] == kind


@pytest.mark.parametrize("variant", ["classic", "pennies-from-heaven"])
def test_frozen_pile__is_shown(variant: str) -> None:
    """CC-27, PH-17: to all."""
    position = game(variant).position({"turn": "P1", "frozen": True, "pile": "4C 2S"})
    for player in position.game.players:
        told = {m["name"]: m["value"] for m in position.view(player)["memory"]}
        assert told["frozen"] is True


def test_seeds__are_many_enough() -> None:
    """The tests above look for rare upcards."""
    assert len(SEEDS) >= 50
