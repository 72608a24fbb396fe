"""What is to be played: how many games or deals, by whom, from which seed."""

from __future__ import annotations

from meldc_runtime.game import Game
from meldc_runtime.light import dataclass
from meldc_runtime.randomness import Random

RULES_EVERY = 64
"""Of so many decisions about one is asked which rules refuse something in it."""

ENOUGH_WATCHED = 200
"""So many games are watched, if there are so many, ..."""
MOST_UNWATCHED = 64
"""... and of so many at least one."""


@dataclass(frozen=True, slots=True)
class Task:
    """What is to be played. whole_games: games to their end, else single deals.

    bots: names, dealt out to the sides in turn, to the seats where there are more bots than sides.
    Of several bots each plays every deal from every place: so many games in a row have the same
    seed, and are one *group*. seats: a bot for every seat, where that is fixed instead.
    rules_every: one of so many decisions is asked for the rules that refuse something; 0: none.
    fast: whether what is not watched is played by a kernel, where the game has one and all bots
    are random. watch_every: then one of so many games is watched; 0: as many as seem enough.
    """

    number: int
    whole_games: bool
    seed: int
    bots: tuple[str, ...] = ("random",)
    seats: tuple[str, ...] = ()
    rules_every: int = RULES_EVERY
    fast: bool = False
    watch_every: int = 0

    @property
    def group(self) -> int:
        """How many games in a row have the same seed."""
        return 1 if self.seats else len(self.bots)

    def is_watched(self, index: int) -> bool:
        """Whether a game is watched as it is played, by its number. Games of a seed are alike."""
        if not self.fast or not self.chance_alone:
            return True
        every = self.watch_every or max(1, min(MOST_UNWATCHED, self.number // ENOUGH_WATCHED))
        return index // self.group % every == 0

    @property
    def watches_all(self) -> bool:
        return self.is_watched(0) and self.is_watched(self.group)

    @property
    def names(self) -> tuple[str, ...]:
        """The bots, each once."""
        return tuple(dict.fromkeys(self.seats or self.bots))

    @property
    def chance_alone(self) -> bool:
        """Whether only bots play that look at nothing."""
        return self.names == ("random",)


def seed_of(task: Task, index: int) -> int:
    """The seed of a game of a task: with it the game can be played again."""
    return Random.of(task.seed, "game", index // task.group).next() >> 16


def seated(task: Task, game: Game, index: int) -> tuple[str, ...]:
    """The bots of a game of a task, by seat."""
    if task.seats:
        return task.seats
    bots, table = task.bots, game.table
    places = (
        range(table.players)
        if len(bots) > table.sides
        else map(table.side_of, range(table.players))
    )
    return tuple(bots[(place + index) % len(bots)] for place in places)
