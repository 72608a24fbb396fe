"""Packs, players and hands of every game."""

from __future__ import annotations

import pytest
from rules.dealing import deals, faces, game, hands, is_red_three, pack

from meldc.load.catalogue import shipped_variants
from meldc_runtime.table import SeatingError

# Variant: players, size of sides, cards of the pack, jokers, cards of a hand.
MELDING_GAMES = {
    "classic": (4, 2, 108, 4, 11),
    "classic-two": (2, 1, 108, 4, 15),
    "classic-three": (3, 1, 108, 4, 13),
    "classic-six": (6, 3, 162, 6, 13),
    "american": (4, 2, 108, 4, 13),
    "american-league": (4, 2, 108, 4, 13),
    "samba": (4, 2, 162, 6, 15),
    "bolivian": (4, 2, 162, 6, 15),
    "brazilian": (4, 2, 162, 6, 15),
    "chilean": (4, 2, 162, 6, 15),
    "italian": (4, 2, 162, 6, 15),
    "uruguayan": (4, 2, 108, 4, 11),
    "uruguayan-wild": (4, 2, 108, 4, 11),
    "british": (4, 2, 108, 4, 11),
    "cuban": (4, 2, 108, 4, 13),
    "kanasta": (4, 2, 108, 4, 11),
    "hand-and-foot": (4, 2, 270, 10, 11),
    "pennies-from-heaven": (6, 3, 216, 8, 13),
    "pennies": (6, 3, 216, 8, 13),
}


def test_every_melding_game__is_in_the_list() -> None:
    """Rummy (a hand is sized by a card) and Paston have tests of their own."""
    assert {*MELDING_GAMES, "rummy-5000", "paston"} == set(shipped_variants())


@pytest.mark.parametrize("variant", MELDING_GAMES)
def test_deal__has_the_pack_and_the_hands_of_the_rules(variant: str) -> None:
    """CC-1, CC-2, CC-5, C2-1, C3-1, C6-1, AM-1, SA-1, UY-1, CU-1, BT-2, HF-1, HF-2, PH-1, PH-2,
    PH-4, PN-8.
    """
    seated = game(variant)
    players, size, cards, jokers, hand = MELDING_GAMES[variant]
    table = seated.table
    assert (table.players, table.side_size, *pack(seated)) == (players, size, cards, jokers)
    for position in deals(seated):
        assert {len(cards) for cards in hands(position)} == {hand}


@pytest.mark.parametrize("variant", MELDING_GAMES)
def test_partners__sit_between_opponents(variant: str) -> None:
    """CC-1, C6-1, PH-1: sides are seated alternately."""
    table = game(variant).table
    sides = [table.side_of(player) for player in range(table.players)]
    assert all(one != other for one, other in zip(sides, sides[1:] + sides[:1], strict=True))


def test_pack__may_have_three_jokers_each() -> None:
    """CC-2: 110 cards by a setting of the variant."""
    assert pack(game("classic", "jokers=3")) == (110, 6)


@pytest.mark.parametrize("variant", ["classic", "classic-two", "classic-three", "classic-six"])
def test_five_players__have_no_game(variant: str) -> None:
    """C5-1: none is shipped."""
    with pytest.raises(SeatingError):
        game(variant, players=5)


def test_kanasta__is_shipped_and_boat_is_not() -> None:
    """BT-1: nobody tells the rules of Boat; its nearest relative holds its place."""
    assert "kanasta" in shipped_variants()
    assert "boat" not in shipped_variants()


def test_chilean__is_played_with_three_packs_or_four() -> None:
    """CH-2: a setting."""
    assert pack(game("chilean", "packs=4")) == (216, 8)
    with_four = [is_red_three(face) for face in game("chilean", "packs=4").table.pack]
    assert sum(with_four) == 8


@pytest.mark.parametrize(
    ("red_threes", "points"), [(5, 500), (6, 1000), (7, 1200), (8, 1400), (1, 100)]
)
def test_chilean__counts_the_red_threes_of_four_packs(red_threes: int, points: int) -> None:
    """CH-2: seven and eight of them; for a side with two canastas."""
    canastas = ["KH KD KS KC KH KD KS", "QH QD QS QC QH QD QS"]
    position = game("chilean", "packs=4").position(
        {
            "melds": {"A": canastas, "B": []},
            "opened": {"A": True},
            "bonus": {"A": " ".join(["3H", "3D"][number % 2] for number in range(red_threes))},
            "hands": dict.fromkeys(("P1", "P2", "P3", "P4"), ""),
        },
        finished=True,
    )
    position.score()
    lines = {entry["line"]: entry["points"] for entry in position.sheet if entry["side"] == "A"}
    assert lines["bonus_cards"] == points


def test_hand_and_foot__has_a_pack_more_than_players() -> None:
    """HF-1: eight players use seven packs."""
    for players in range(2, 9):
        packs = min(players + 1, 7)
        for size in {1, 2} if players in (4, 6, 8) else {1}:
            assert pack(game("hand-and-foot", players=players, size=size)) == (
                packs * 54,
                packs * 2,
            )


@pytest.mark.parametrize("packs", [4, 5, 6, 7])
def test_hand_and_foot__takes_another_number_of_packs(packs: int) -> None:
    """HF-1: a setting."""
    seated = game("hand-and-foot", f"packs={packs}")
    assert pack(seated) == (packs * 54, packs * 2)
    assert {len(hand) for hand in hands(seated.deal(1))} == {11}


@pytest.mark.parametrize(("players", "sides"), [(4, 2), (6, 3), (8, 4)])
def test_hand_and_foot__is_played_in_two_to_four_sides(players: int, sides: int) -> None:
    """HF-1, HF-5: or by players alone."""
    assert game("hand-and-foot", players=players).table.sides == sides
    assert game("hand-and-foot", players=players, size=1).table.sides == players


@pytest.mark.parametrize(
    ("variant", "foot"), [("hand-and-foot", 11), ("pennies-from-heaven", 11), ("pennies", 11)]
)
def test_feet__are_dealt_and_unseen(variant: str, foot: int) -> None:
    """HF-2, PH-4, PH-15: face down; nobody sees a foot, the owner neither."""
    for position in deals(game(variant), range(1, 6)):
        assert {len(cards) for cards in hands(position, "foot")} == {foot}
        for player in position.game.players:
            seen = [zone for zone in position.view(player)["zones"] if zone["name"] == "foot"]
            assert len(seen) == len(position.game.players)
            assert all(zone.keys() == {"name", "owner", "count"} for zone in seen)


def test_pennies_from_heaven__leaves_72_cards() -> None:
    """PH-4: of which the top one starts the pile and some replace red threes."""
    for position in deals(game("pennies-from-heaven")):
        laid = sum(len(faces(position, "bonus", side)) for side in range(2))
        assert len(faces(position, "stock")) == 72 - 1 - laid
