"""The bot that plays on in its head, with hidden cards dealt out anew each time."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass

from meldc_runtime.bots.comparing import Comparison
from meldc_runtime.bots.greedy import GreedyBot
from meldc_runtime.bots.playout import Playouts
from meldc_runtime.bots.worth import worth_of
from meldc_runtime.game import Action
from meldc_runtime.randomness import Random
from meldc_runtime.sight import Sight, imagine
from meldc_runtime.state import Play, State
from meldc_runtime.table import Table

TURN = 4
"""Plays of a turn, about."""
USUAL, USUAL_WITHOUT_MELDS = 600, 2400
"""Moves of a choice where nothing is said; moves cost less where nothing is melded."""
UNBOUNDED = 10**9


@dataclass
class SearchBot:
    """Chooses by playing on from imagined positions: what all actions come to in the same worlds
    is compared, those that fall behind are left out, and the rest compared in more worlds, till
    one is left or the budget is spent. Melding games are played on for a round of the table, others
    to the end of the deal; from then on the provisional score counts. In melding games what looks
    best at once is left only for what the worlds show to be better.

    moves: plays that may be made in the head for one choice, `USUAL` for None. seconds: time for
    one choice; choices by time are not the same on every machine.
    """

    moves: int | None = None
    seconds: float | None = None
    most: int = 8
    """Actions looked at in melding games, the best at first sight."""
    first: int = 2
    """Worlds in which all of them are compared before any is left out."""
    plies: int = 60

    @classmethod
    def within(cls, budget: str) -> SearchBot:
        """The bot of a budget: `800` moves or `2s`. Raises ValueError."""
        number = budget.removesuffix("s")
        if not (number.isascii() and number.replace(".", "", 1).isdecimal()) or float(number) <= 0:
            raise ValueError(
                "a budget is a number of moves or of seconds: `search:800`, `search:2s`"
            )
        if budget.endswith("s"):
            return cls(moves=UNBOUNDED, seconds=float(number))
        if "." in number:
            raise ValueError("a number of moves is whole: `search:800`")
        return cls(moves=int(number))

    def choose(self, sight: Sight, random: Random) -> Action:
        if len(sight.actions) == 1:
            return sight.actions[0]
        return self.ranked(sight, random)[0][0]

    def ranked(self, sight: Sight, random: Random) -> list[tuple[Action, float]]:
        """The actions that were looked at, those looked at longest first, the best of them first,
        with the lead of the player's side that came out after each.
        """
        plays = sight.actions.plays
        if len(plays) == 1:
            return [(sight.actions[0], 0.0)]
        table = sight.state.table
        places = list(range(len(plays)))
        sooner: list[float] | None = None
        if table.program.kinds:
            sooner = values = GreedyBot().values(sight.state, plays, random)
            places.sort(key=lambda place: -values[place])
            places = places[: self._affordable(table)]
        worlds = _Worlds(self, sight.state, random)
        comparison = Comparison(places, sooner)
        ranked = self._compared(comparison, worlds, plays)
        return [(sight.actions[place], comparison.mean(place)) for place in ranked]

    def _compared(
        self, comparison: Comparison, worlds: _Worlds, plays: tuple[Play, ...]
    ) -> list[int]:
        """The places of plays in the order of `ranked`, once the budget is spent or only one is
        left.
        """
        out: list[int] = []
        count = self._first_worlds(worlds.state.table, len(comparison.left))
        while len(comparison.left) > 1:
            before = comparison.left
            for _ in range(count):
                if worlds.spent() and comparison.came_to:
                    return comparison.ranking() + out
                comparison.add(worlds.come_to(plays, comparison.left))
            if not comparison.came_to:  # nothing of it can be imagined
                return comparison.left
            refused = [place for place in before if place not in comparison.left]
            ranked = comparison.ranking() + refused
            comparison.narrow()
            out = [place for place in ranked if place not in comparison.left] + out
            count *= 2
        return comparison.left + out

    def budget(self, table: Table) -> int:
        """The moves that one choice may cost in a game."""
        if self.moves is not None:
            return self.moves
        return USUAL if table.program.kinds else USUAL_WITHOUT_MELDS

    def _affordable(self, table: Table) -> int:
        """So many actions that each can be looked at in a few worlds within the budget."""
        return max(2, min(self.most, self.budget(table) // (self.first * self._length(table))))

    def _first_worlds(self, table: Table, count: int) -> int:
        """Worlds of the first comparison of so many actions: each round costs about the same."""
        if self.seconds is not None or table.program.kinds:
            return self.first
        rounds = max(1, (count - 1).bit_length())
        return max(1, self.budget(table) // (rounds * count * self._length(table)))

    def _length(self, table: Table) -> int:
        """Plays of a playout, about."""
        return TURN * table.players if table.program.kinds else self.plies // 2


class _Worlds:
    """Imagined worlds to play on in, one after the other, within a budget."""

    def __init__(self, bot: SearchBot, state: State, random: Random) -> None:
        self.bot = bot
        self.budget = bot.budget(state.table)
        self.worth = worth_of(state.table)
        self.state = state
        self.random = random
        self.playouts = Playouts(self.worth)
        self.ends = None if bot.seconds is None else time.monotonic() + bot.seconds

    def come_to(self, plays: Sequence[Play], places: Sequence[int]) -> dict[int, float | None]:
        """By place, the lead that plays come to in another world; None where they cannot be made
        there.
        """
        world = imagine(self.state, self.random)
        luck = self.random.next()
        return {place: self._come_to(plays[place], world, luck) for place in places}

    def _come_to(self, play: Play, world: State, luck: int) -> float | None:
        self.playouts.begin(luck)
        after = self.playouts.after(world, play)
        if after is None:
            return None
        kinds = self.state.table.program.kinds
        self.playouts.play_on(after, self.bot.plies, self.state.player if kinds else None)
        return self.worth.lead(after, self.state.table.side_of(self.state.player))

    def spent(self) -> bool:
        """Whether the time, or the moves, of the choice are used up."""
        if self.ends is not None and time.monotonic() >= self.ends:
            return True
        return self.playouts.made >= self.budget
