"""Games at every number of players, and how they are started from a seed."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

import meldc
from meldc.load.catalogue import shipped_variants
from meldc_runtime import machine
from meldc_runtime.game import Game, Position
from meldc_runtime.randomness import Random


@dataclass(frozen=True, slots=True)
class Seat:
    """A shipped variant, for so many players in sides of this size; house: rules laid over it."""

    variant: str
    players: int
    side_size: int
    house: tuple[str, ...] = ()

    def __str__(self) -> str:
        return f"{self.variant}-{self.players}x{self.side_size}"

    @property
    def game(self) -> Game:
        return _game(self.variant, self.house).seated(self.players, self.side_size)

    def fresh_game(self) -> Game:
        """The same game with nothing kept from deals played before."""
        return Game(self.game.program, self.players, self.side_size)


@cache
def _game(variant: str, house: tuple[str, ...]) -> Game:
    return meldc.load(variant, house)


def seats_of(variant: str, house: tuple[str, ...] = ()) -> Iterator[Seat]:
    """Every number of players and every size of sides that a variant allows."""
    program = _game(variant, house).program
    for players in program.players:
        for size in program.side_sizes:
            if players % size == 0 and players // size >= 2:
                yield Seat(variant, players, size, house)


def all_seats() -> list[Seat]:
    return [seat for variant in shipped_variants() for seat in seats_of(variant)]


def start(game: Game, seed: int) -> Position:
    """A deal: every third seed the first of a game, else one in the middle of a game, with
    totals on which minima depend.
    """
    if seed % 3 == 0:
        return game.deal(seed)
    random = Random.of(seed, "middle of a game")
    table = game.table
    state = machine.new_state(table, seed, random.below(table.players))
    target = max(table.settings.get("target", 5000), 100)
    for side in range(table.sides):
        total = random.below(target * 5 // 4) - target // 4
        state.memory[table.memory_slot("total", side)] = total // 5 * 5
    state.memory[table.memory_slot("deal_number")] = 1 + random.below(4)
    machine.start_deal(state)
    return Position(game, state)
