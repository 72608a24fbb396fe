"""Paston: the deal, and who bids first."""

from __future__ import annotations

from rules.dealing import deals, faces, game, hands, pack, play_out, shuffled_pack

from meldc_runtime.cards import parse_card
from meldc_runtime.game import Position

JACK, SEVEN = parse_card("JS"), parse_card("7S")
BAD = {parse_card(f"{rank}S") for rank in ("Q", "J", "10", "9", "8", "7")}
GOOD = {parse_card("KS"), parse_card("AS")}


def dealt(cards: list[int]) -> tuple[list[set[int]], set[int]]:
    """Hands of P1, P2, P3 and the two cards in the middle, two at a time from left of P1."""
    top = cards[::-1]
    lots = [set(top[place : place + 2]) for place in range(0, 32, 2)]
    middle = lots.pop(3)
    return [set().union(*lots[(player - 1) % 3 :: 3]) for player in range(3)], middle


def is_redealt(cards: list[int]) -> bool:
    return cards[0] == SEVEN or any(hand >= BAD and not hand & GOOD for hand in dealt(cards)[0])


def holder(position: Position, face: int | None) -> int | None:
    return next((p for p, hand in enumerate(hands(position)) if face in hand), None)


def test_pack__has_32_cards() -> None:
    """PA-1"""
    seated = game("paston")
    assert pack(seated) == (32, 0)
    assert {face // 4 + 2 for face in seated.table.pack} == set(range(7, 15))


def test_hands__are_dealt_two_at_a_time_with_two_cards_between() -> None:
    """PA-3: the two cards lie in the middle after the first round of two, unseen."""
    seated = game("paston")
    for seed in range(1, 101):
        cards, position = shuffled_pack(seated, seed), seated.deal(seed)
        if is_redealt(cards):
            continue
        expected, middle = dealt(cards)
        assert [set(hand) for hand in hands(position)] == expected
        assert set(faces(position, "prikup")) == middle
        assert not faces(position, "stock")
        for player in seated.players:
            (zone,) = [z for z in position.view(player)["zones"] if z["name"] == "prikup"]
            assert zone == {"name": "prikup", "owner": None, "count": 2}


def test_seven_of_spades_at_the_bottom__is_shuffled_again() -> None:
    """PA-2"""
    seated = game("paston")
    again = [seed for seed in range(1, 300) if shuffled_pack(seated, seed)[0] == SEVEN]
    assert again
    for seed in again:
        assert seated.deal(seed).state.redeals >= 1


def test_six_low_spades__are_dealt_again_by_the_same_dealer() -> None:
    """PA-4: Q J 10 9 8 7 of spades without K and A; at once, nobody is asked."""
    seated = game("paston")
    found = [seed for seed in range(1, 12_000) if _has_bad_hand(seated.table.pack, seed)]
    assert found
    for seed in found[:3]:
        position = seated.deal(seed, "P2")
        assert position.state.redeals >= 1
        assert position.view("P1")["dealer"] == "P2"
        assert not any(set(hand) >= BAD and not set(hand) & GOOD for hand in hands(position))


def _has_bad_hand(cards: tuple[int, ...], seed: int) -> bool:
    from meldc_runtime.randomness import Random

    pack = list(cards)
    Random.of(seed, 1, "deal").shuffle(pack)
    return any(hand >= BAD and not hand & GOOD for hand in dealt(pack)[0])


def test_other_deals__stand() -> None:
    """PA-2, PA-4: nothing else is dealt again."""
    seated = game("paston")
    for seed in range(1, 200):
        if not is_redealt(shuffled_pack(seated, seed)):
            assert seated.deal(seed).state.redeals == 0


def test_first_deal__is_bid_first_by_the_holder_of_the_jack_of_spades() -> None:
    """PA-5: else of the 7 of spades, else by the player left of the dealer."""
    met = set()
    for position in deals(game("paston"), range(1, 1500)):
        jack, seven = holder(position, JACK), holder(position, SEVEN)
        first = next((p for p in (jack, seven) if p is not None), 1)
        assert position.to_act == f"P{first + 1}"
        met.add("jack" if jack is not None else "seven" if seven is not None else "neither")
    assert met == {"jack", "seven", "neither"}


def test_later_deals__are_dealt_by_who_bid_first_before() -> None:
    """PA-5: in each, the player left of the dealer bids first and deals the next one."""
    for seed in range(1, 6):
        position = game("paston").deal(seed)
        for _ in range(3):
            first_bidder = position.to_act
            play_out(position, seed)
            if position.game_over:
                break
            position.next_deal()
            assert position.view("P1")["dealer"] == first_bidder
            assert position.to_act == f"P{int(first_bidder[1:]) % 3 + 1}"
