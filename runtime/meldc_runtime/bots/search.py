"""The bot that plays on in its head, with hidden cards dealt out anew each time."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass

from meldc_runtime.bots.greedy import GreedyBot
from meldc_runtime.bots.playout import NEVER, Playouts
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
FIRST_SIGHT = 3
"""How many worlds the value at first sight weighs as much as, in melding games."""


@dataclass
class SearchBot:
    """Chooses by playing on from imagined positions: what all actions come to in the same worlds
    is compared, the worse half of them left out, and the rest compared in more worlds, till the
    budget is spent. Melding games are played on for a round of the table, others to the end of the
    deal; from then on the provisional score counts. What an action looks like at once counts as if
    it were a few worlds more.

    moves: plays that may be made in the head for one choice, `USUAL` for None. seconds: time for
    one choice; choices by time are not the same on every machine.
    """

    moves: int | None = None
    seconds: float | None = None
    most: int = 8
    """Actions looked at in melding games, the best at first sight."""
    first: int = 3
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
        """The actions that were looked at longest, the best first, with the lead of the player's
        side that is to be expected after each.
        """
        plays = sight.actions.plays
        if len(plays) == 1:
            return [(sight.actions[0], 0.0)]
        table = sight.state.table
        places = list(range(len(plays)))
        sooner = [0.0] * len(plays)
        if table.program.kinds:
            sooner = GreedyBot().values(sight.state, plays, random)
            places.sort(key=lambda place: (-sooner[place], place))
            places = places[: self._affordable(table)]
        search = _Comparison(self, sight.state, random, sooner)
        ranked, worlds = places, self._first_worlds(table, len(places))
        while len(places) > 1 and search.compare(plays, places, worlds):
            places.sort(key=lambda place: (-search.mean(place), place))
            ranked = places + [place for place in ranked if place not in places]
            places = places[: (len(places) + 1) // 2]
            worlds *= 2
        places.sort(key=lambda place: (-search.mean(place), place))
        ranked = places + [place for place in ranked if place not in places]
        return [(sight.actions[place], search.mean(place)) for place in ranked]

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


class _Comparison:
    """What plays come to, world by world."""

    def __init__(
        self, bot: SearchBot, state: State, random: Random, sooner: Sequence[float]
    ) -> None:
        self.bot = bot
        self.sooner = sooner
        self.budget = bot.budget(state.table)
        self.worth = worth = worth_of(state.table)
        self.state = state
        self.random = random
        self.playouts = Playouts(worth, random)
        self.sums: dict[int, float] = {}
        self.counts: dict[int, int] = {}
        self.ends = None if bot.seconds is None else time.monotonic() + bot.seconds

    def mean(self, place: int) -> float:
        count = self.counts.get(place, 0)
        if not count:
            return NEVER
        if not self.state.table.program.kinds:
            return self.sums[place] / count
        return (self.sums[place] + FIRST_SIGHT * self.sooner[place]) / (count + FIRST_SIGHT)

    def compare(self, plays: tuple[Play, ...], places: list[int], worlds: int) -> bool:
        """Plays on after each of these plays in so many worlds; False when the budget is spent."""
        for _ in range(worlds):
            if self._spent() and self.counts:
                return False
            world = imagine(self.state, self.random)
            luck = self.random.next()
            for place in places:
                self._try(place, plays[place], world, luck)
        return True

    def _try(self, place: int, play: Play, world: State, luck: int) -> None:
        self.counts[place] = self.counts.get(place, 0) + 1
        self.playouts.random = Random(luck)
        after = self.playouts.after(world, play)
        if after is None:
            self.sums[place] = NEVER
            return
        if self.state.table.program.kinds:
            self.playouts.play_on(after, self.bot.plies, self.state.player)
        else:
            self.playouts.play_on(after, self.bot.plies)
        side = self.state.table.side_of(self.state.player)
        self.sums[place] = self.sums.get(place, 0.0) + self.worth.lead(after, side)

    def _spent(self) -> bool:
        if self.ends is not None and time.monotonic() >= self.ends:
            return True
        return self.playouts.made >= self.budget
