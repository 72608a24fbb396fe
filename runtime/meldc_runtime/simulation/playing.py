"""Players of deals: what plays the games of a task and writes down what happened."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from copy import copy
from typing import Protocol

from meldc_runtime import legality, machine
from meldc_runtime.bots import Bot, RandomBot, choose, make_bot
from meldc_runtime.game import Game
from meldc_runtime.lookahead import outlook_of
from meldc_runtime.names import player_name
from meldc_runtime.program.reserved import DEALER
from meldc_runtime.randomness import Random
from meldc_runtime.sight import Sight
from meldc_runtime.simulation.refusals import Refusals
from meldc_runtime.simulation.rows import Asked, End, Row, describe_end, totals
from meldc_runtime.simulation.task import Task, seated, seed_of
from meldc_runtime.simulation.watching import watched
from meldc_runtime.state import Play, State

MOST_DECISIONS = 20_000
"""A deal with more decisions is left unfinished and counted so."""
MOST_DEALS = 500
"""A game with more deals is left unfinished and counted so."""
DEALS_KEPT = 8
"""After so many deals what the look-ahead keeps to save time is dropped, to save memory."""


class Player(Protocol):
    """Plays games of a task. The same game gives the same rows, whatever was played before."""

    def play(self, index: int) -> Iterator[Row]:
        """The deals of a game, by its number in the task."""
        ...


class MachinePlayer:
    """Plays with the machine, and watches it. name: of the game among those compared."""

    def __init__(self, game: Game, task: Task, name: str = "") -> None:
        self.task = task
        self.name = name
        self.game = copy(game)
        self.game.table, self.notes = watched(game.table)
        self.table = self.game.table
        self.actions = [action.name for action in self.table.program.actions]
        self.refusals = Refusals(self.table)
        self.played = 0

    def play(self, index: int) -> Iterator[Row]:
        task = self.task
        seed, names = seed_of(task, index), seated(task, self.game, index)
        made = {name: make_bot(name) for name in names}
        bots = [(name, made[name]) for name in names]
        random, samples = Random.of(seed, "bots"), Random.of(seed, "samples")
        self._begin_anew()
        state = machine.new_state(self.table, seed)
        self.notes.state = state
        self.notes.clear()
        for row in deals_begun(self.name, task, index, seed, state, names):
            row["end"] = self._play_deal(state, row, bots, random, samples)
            if row["end"] == "over":
                describe_end(state, row)
            yield row
            self.notes.clear()

    def _begin_anew(self) -> None:
        outlook_of(self.table).begin_anew()
        self.refusals.begin_anew()

    def _shrink(self) -> None:
        self.played += 1
        if self.played % DEALS_KEPT == 0:
            outlook_of(self.table).shrink()
            self.refusals.shrink()

    def _play_deal(
        self,
        state: State,
        row: Row,
        bots: Sequence[tuple[str, Bot]],
        random: Random,
        samples: Random,
    ) -> End:
        """Plays a deal to its end, or as far as it goes; how it ended."""
        self._shrink()
        counts = outlook_of(self.table).counts
        before = counts.cut_offs
        every = self.task.rules_every
        asked: Asked = {"decisions": 0, "rules": {}}
        end: End = "unfinished"
        turn = -1
        for _ in range(MOST_DECISIONS):
            if state.over:
                end = "over"
                break
            plays = legality.legal_plays(state)
            if not plays:
                end = "stuck"
                break
            if every and samples.below(every) == 0:
                self.refusals.ask(state, plays, asked)
            if state.turn != turn:
                turn = state.turn
                row["turns"] += 1
            row["decisions"] += 1
            row["options"] += len(plays)
            row["forced"] += len(plays) == 1
            play = self._choose(state, *bots[state.player], plays, random)
            name = self.actions[play.action]
            row["actions"][name] = row["actions"].get(name, 0) + 1
            machine.apply(state, play)
        row["cut_offs"] = counts.cut_offs - before
        row["ended_by"] = self.notes.ended_by
        row["moments"] = self.notes.moments
        row["bands"] = self.notes.bands
        row["asked"] = asked
        return end

    def _choose(
        self, state: State, name: str, bot: Bot, plays: Sequence[Play], random: Random
    ) -> Play:
        if type(bot) is RandomBot:  # it looks at nothing, so nothing need be made for it
            return plays[random.below(len(plays))]
        return plays[choose(name, bot, Sight(self.game, state, state.player, plays), random)]


def deals_begun(
    name: str, task: Task, index: int, seed: int, state: State, names: Sequence[str]
) -> Iterator[Row]:
    """Deals the deals of a game, each with a row in which nothing is counted yet; the next one when
    the row says that the last one is over.
    """
    for deal in range(1, MOST_DEALS + 1):
        before = totals(state)
        dealer = state.memory[state.table.memory_slot(DEALER)]
        if deal == 1:
            machine.start_deal(state)
        else:
            machine.next_deal(state)
        row = _new_row(name, task, index, seed, deal, state, names)
        row["dealer"], row["totals"] = player_name(dealer), before
        yield row
        if row["end"] != "over" or state.game_over or not task.whole_games:
            return


def _new_row(
    name: str, task: Task, index: int, seed: int, deal: int, state: State, names: Sequence[str]
) -> Row:
    return {
        "set": name,
        "whole": task.whole_games,
        "game": index,
        "seed": seed,
        "deal": deal,
        "dealer": "",
        "first": player_name(state.player),
        "bots": list(names),
        "end": "unfinished",
        "turns": 0,
        "decisions": 0,
        "options": 0,
        "forced": 0,
        "cut_offs": 0,
        "actions": {},
        "game_over": False,
        "won": [],
        "scores": [],
        "totals": [],
        "lines": {},
        "memory": {},
        "left": {},
        "melds": {},
        "sorts": {},
    }
