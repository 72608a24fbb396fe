"""Whole deals by a kernel, each play as likely as any other: for simulations that look at nothing
but results. The machine, given the same numbers of chance, plays the same deals.
"""

from __future__ import annotations

from dataclasses import dataclass

from meldc_runtime import machine
from meldc_runtime.kernel.kernel import Kernel, kernel_of
from meldc_runtime.kernel.layout import NotLowered
from meldc_runtime.randomness import Random
from meldc_runtime.state import State
from meldc_runtime.table import Table


@dataclass(frozen=True, slots=True)
class Dealt:
    """What happened in a deal. decisions, turns: how many; actions: how often each, by index;
    choices: plays that were offered in all; forced: decisions with one play. finished: whether the
    deal came to its end, else there were no plays (stuck) or too many decisions. cut_offs:
    questions of look-ahead that were given up.
    """

    decisions: int
    turns: int
    actions: tuple[int, ...]
    choices: int
    forced: int
    finished: bool
    stuck: bool
    cut_offs: int


class Player:
    """Plays deals of a Table. Raises NotLowered (in `player_of`: None) where there is no kernel."""

    def __init__(self, kernel: Kernel) -> None:
        self.kernel = kernel
        self.number_of = {step: play.action for step, play in kernel.plays.items()}

    def deal(self, state: State, chance: Random, most: int = 20_000) -> Dealt:
        """Plays a deal, as `machine.start_game` or `next_deal` has dealt it, to its end.

        Of n plays that are legal the one numbered `chance.below(n)` is made, n = 1 included. The
        state is left as it lies at the end, scored (`sheet`, `scores`, totals, `over`,
        `game_over`); cards are the lowest faces of their kinds. Memory that moments at the end of a
        deal change is changed. At most so many decisions are made.
        """
        if state.over:
            empty = (0,) * len(self.kernel.table.program.actions)
            return Dealt(0, 0, empty, 0, 0, True, False, 0)
        kernel = self.kernel
        lists, look, number_of = kernel.lists, kernel.look, self.number_of
        below = chance.below
        cut_offs = kernel.search.cut_offs
        position = kernel.load(state)
        actions = [0] * len(kernel.table.program.actions)
        decisions = choices = forced = turns = 0
        last = -1
        plays = []
        while not position.over and decisions < most:
            if position.turn != last:
                last = position.turn
                turns += 1
            plays = lists[position.phase](position, look)
            if not plays:
                break
            number = len(plays)
            step = plays[below(number)]
            choices += number
            forced += number == 1
            actions[number_of[step]] += 1
            decisions += 1
            step(position)
        kernel.store(position, state)
        if position.over:
            machine.score_deal(state)
        return Dealt(
            decisions, turns, tuple(actions), choices, forced, position.over,
            not position.over and not plays, kernel.search.cut_offs - cut_offs,
        )  # fmt: skip


def player_of(table: Table) -> Player | None:
    """A Player for a Table; None where its Program needs more than kernels have."""
    try:
        return Player(kernel_of(table))
    except NotLowered:
        return None
