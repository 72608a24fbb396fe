"""Deals looked at card by card: what the tests of the rules of dealing read."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

import meldc
from meldc_runtime import machine
from meldc_runtime.cards import FACE, JOKER, JOKER_RANK, RANK_OF, RED, card_text
from meldc_runtime.game import Game, Position
from meldc_runtime.randomness import Random

SEEDS = range(1, 61)


@cache
def game(variant: str, *house: str, players: int | None = None, size: int | None = None) -> Game:
    return meldc.load(variant, house, players=players, side_size=size)


def deals(seated: Game, seeds: range = SEEDS) -> Iterator[Position]:
    """Fresh deals."""
    return (seated.deal(seed) for seed in seeds)


def pack(seated: Game) -> tuple[int, int]:
    """How many cards the pack has, and how many of them are jokers."""
    return len(seated.table.pack), seated.table.pack.count(JOKER)


def faces(position: Position, zone: str, owner: int | None = None) -> list[int]:
    """The cards of a zone, bottom first; owner: number of a player or side."""
    cards = position.state.zones[position.game.table.zone_slot(zone, owner)]
    return [card & FACE for card in cards]


def hands(position: Position, zone: str = "hand") -> list[list[int]]:
    """The hands of all players."""
    return [faces(position, zone, player) for player in range(position.game.table.players)]


def remembered(position: Position, name: str, owner: int | None = None) -> object:
    return position.state.memory[position.game.table.memory_slot(name, owner)]


def is_red_three(face: int) -> bool:
    return RANK_OF[face] == 3 and RED[face]


def is_wild(face: int) -> bool:
    return RANK_OF[face] in (2, JOKER_RANK)


def texts(cards: list[int]) -> list[str]:
    return [card_text(card) for card in cards]


def shuffled_pack(seated: Game, seed: int) -> list[int]:
    """The pack as the seed shuffles it for the first deal, bottom first."""
    cards = list(seated.table.pack)
    Random.of(seed, 1, "deal").shuffle(cards)
    return cards


def play_out(position: Position, seed: int = 0) -> None:
    """Plays a deal to its end, whatever happens in it."""
    from meldc_runtime import legality

    random = Random.of(seed, "play out")
    while not position.is_over:
        plays = legality.legal_plays(position.state)
        machine.apply(position.state, plays[random.below(len(plays))])
