"""Plays by a kernel: faster than the machine, the same deals. Every so often a game is left to the
machine, which sees what happens in between.
"""

from __future__ import annotations

from collections.abc import Iterator

from meldc_runtime import machine
from meldc_runtime.game import Game
from meldc_runtime.kernel import Player as Kernel
from meldc_runtime.kernel import player_of
from meldc_runtime.randomness import Random
from meldc_runtime.simulation.playing import MOST_DECISIONS, MachinePlayer, deals_begun
from meldc_runtime.simulation.rows import Row, describe_end
from meldc_runtime.simulation.task import Task, seated, seed_of


class BulkPlayer:
    """Plays with a kernel what is not watched."""

    def __init__(
        self, game: Game, task: Task, name: str, kernel: Kernel, watching: MachinePlayer
    ) -> None:
        self.game = game
        self.task = task
        self.name = name
        self.kernel = kernel
        self.watching = watching
        self.actions = [action.name for action in game.program.actions]

    def play(self, index: int) -> Iterator[Row]:
        if self.task.is_watched(index):
            yield from self.watching.play(index)
            return
        task = self.task
        seed, names = seed_of(task, index), seated(task, self.game, index)
        random = Random.of(seed, "bots")
        state = machine.new_state(self.game.table, seed)
        for row in deals_begun(self.name, task, index, seed, state, names):
            dealt = self.kernel.deal(state, random, MOST_DECISIONS)
            row["decisions"], row["turns"] = dealt.decisions, dealt.turns
            row["options"], row["forced"] = dealt.choices, dealt.forced
            row["cut_offs"] = dealt.cut_offs
            row["actions"] = {
                name: times
                for name, times in zip(self.actions, dealt.actions, strict=True)
                if times
            }
            row["end"] = "over" if dealt.finished else "stuck" if dealt.stuck else "unfinished"
            if dealt.finished:
                describe_end(state, row)
            yield row


def bulk_player(game: Game, task: Task, name: str, watching: MachinePlayer) -> BulkPlayer | None:
    """A BulkPlayer; None where the Program needs more than kernels have."""
    kernel = player_of(game.table)
    return None if kernel is None else BulkPlayer(game, task, name, kernel, watching)
