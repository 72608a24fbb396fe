"""The bot that plays on in its head, with hidden cards dealt out anew each time."""

from __future__ import annotations

import time
from dataclasses import dataclass

from meldc_runtime.bots.greedy import GreedyBot
from meldc_runtime.bots.playout import NEVER, Playouts
from meldc_runtime.bots.worth import Worth, worth_of
from meldc_runtime.game import Action
from meldc_runtime.randomness import Random
from meldc_runtime.sight import Sight, imagine
from meldc_runtime.state import Play, State
from meldc_runtime.table import Table

TURN = 4
"""Plays of a turn, about."""


@dataclass
class SearchBot:
    """Chooses by playing on from imagined positions: what all actions come to in the same worlds
    is compared, the worse half of them left out, and the rest compared in more worlds, till the
    budget is spent. Melding games are played on for a round of the table, others to the end of the
    deal; from then on the provisional score counts.

    moves: plays that may be made in the head for one choice. seconds: time for one choice; choices
    by time are not the same on every machine.
    """

    moves: int = 600
    seconds: float | None = None
    most: int = 8
    """Actions looked at, the best at first sight."""
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
            return cls(moves=10**9, seconds=float(number))
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
        sooner = GreedyBot().values(sight.state, plays, random)
        places = sorted(range(len(plays)), key=lambda place: (-sooner[place], place))
        places = places[: self._affordable(sight.state.table)]
        search = _Comparison(self, worth_of(sight.state.table), sight.state, random)
        ranked, worlds = places, self.first
        while len(places) > 1 and search.compare(plays, places, worlds):
            places.sort(key=lambda place: (-search.mean(place), place))
            ranked = places + [place for place in ranked if place not in places]
            places = places[: (len(places) + 1) // 2]
            worlds *= 2
        places.sort(key=lambda place: (-search.mean(place), place))
        ranked = places + [place for place in ranked if place not in places]
        return [(sight.actions[place], search.mean(place)) for place in ranked]

    def _affordable(self, table: Table) -> int:
        """So many actions that each can be looked at in a few worlds within the budget."""
        length = TURN * table.players if table.program.kinds else self.plies // 2
        return max(2, min(self.most, self.moves // (self.first * length)))


class _Comparison:
    """What plays come to, world by world."""

    def __init__(self, bot: SearchBot, worth: Worth, state: State, random: Random) -> None:
        self.bot = bot
        self.worth = worth
        self.state = state
        self.random = random
        self.playouts = Playouts(worth, random)
        self.sums: dict[int, float] = {}
        self.counts: dict[int, int] = {}
        self.ends = None if bot.seconds is None else time.monotonic() + bot.seconds

    def mean(self, place: int) -> float:
        count = self.counts.get(place, 0)
        return self.sums[place] / count if count else NEVER

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
        return self.playouts.made >= self.bot.moves
