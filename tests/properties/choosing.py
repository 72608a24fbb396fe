"""Players at random: some take anything, some would rather lay cards, so that deals reach
openings, finished melds and the ends of deals that blind chance seldom meets.
"""

from __future__ import annotations

from collections.abc import Sequence

from meldc_runtime.game import Game
from meldc_runtime.program.effects import LayMeld
from meldc_runtime.program.nodes import walk
from meldc_runtime.randomness import Random
from meldc_runtime.state import Play

SELDOM = ("acaba", "ask_acaba", "surrender")
"""Actions that end a deal before anything has happened."""


class Chooser:
    """Chooses by the random numbers of a seed alone. laying: of four choices that allow it,
    three lay cards; None: with odd seeds.
    """

    def __init__(self, game: Game, seed: int, laying: bool | None = None) -> None:
        actions = game.program.actions
        self.random = Random.of(seed, "choices")
        self.laying = seed % 2 == 1 if laying is None else laying
        self.lays = [any(isinstance(n, LayMeld) for n in walk(a.effects)) for a in actions]
        self.seldom = [action.name in SELDOM for action in actions]

    def choose(self, plays: Sequence[Play]) -> Play:
        plays = self._without(plays, self.seldom, 50)
        if self.laying and self.random.below(4):
            plays = [play for play in plays if self.lays[play.action]] or plays
        return plays[self.random.below(len(plays))]

    def _without(self, plays: Sequence[Play], seldom: list[bool], odds: int) -> Sequence[Play]:
        if self.random.below(odds) == 0:
            return plays
        return [play for play in plays if not seldom[play.action]] or plays
