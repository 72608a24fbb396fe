"""Bulk play: many games or single deals among bots, counted.

Each game has its own seed, derived from the first seed and its number, and all counts are whole
numbers, so the result does not depend on how many processes share the work.
"""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from multiprocessing import active_children, get_context

from meldc_runtime import legality, machine
from meldc_runtime.bots import Bot, RandomBot, choose, make_bot
from meldc_runtime.game import Game
from meldc_runtime.lookahead import outlook_of
from meldc_runtime.names import side_name
from meldc_runtime.program import dump
from meldc_runtime.program import load as load_program
from meldc_runtime.randomness import Random
from meldc_runtime.sight import Sight
from meldc_runtime.state import Play, State
from meldc_runtime.statistics import Tally

MOST_DECISIONS = 20_000
"""A deal with more decisions is left unfinished and counted so."""
MOST_DEALS = 500
"""A game with more deals is left unfinished and counted so."""
CHUNK = 4


@dataclass(frozen=True, slots=True)
class Task:
    """What is to be played. whole_games: games to their end, else single deals. bots: names, dealt
    out to the sides in turn, to the seats where there are more bots than sides. Of several bots
    each plays every deal from every place: so many games in a row have the same seed.
    """

    number: int
    whole_games: bool
    seed: int
    bots: tuple[str, ...] = ("random",)


@dataclass(slots=True)
class Results:
    """What was counted. stuck: seed and deal of every position without a legal action, at most the
    first hundred.
    """

    tally: Tally = field(default_factory=Tally)
    stuck: list[tuple[int, int]] = field(default_factory=list)

    def merge(self, other: Results) -> None:
        self.tally.merge(other.tally)
        self.stuck = (self.stuck + other.stuck)[:100]


def seed_of(task: Task, index: int) -> int:
    """The seed of a game of a task: with it the game can be played again."""
    return Random.of(task.seed, "game", index // len(task.bots)).next() >> 16


def seated(task: Task, game: Game, index: int) -> tuple[str, ...]:
    """The bots of a game of a task, by seat."""
    table, bots = game.table, task.bots
    places = (
        range(table.players)
        if len(bots) > table.sides
        else map(table.side_of, range(table.players))
    )
    return tuple(bots[(place + index) % len(bots)] for place in places)


def simulate(
    game: Game, task: Task, workers: int = 1, progress: Callable[[int], None] | None = None
) -> Results:
    """Plays a task, with as many processes as `workers`; `progress` is told how many games are
    done.

    Raises BotError for a bot that does not exist.
    """
    for name in task.bots:
        make_bot(name)
    results = Results()
    spans = [(start, min(start + CHUNK, task.number)) for start in range(0, task.number, CHUNK)]
    if workers <= 1 or len(spans) <= 1:
        for start, end in spans:
            results.merge(play_span(game, task, start, end))
            if progress:
                progress(end)
        return results
    table = game.table
    seat = (dump(game.program), table.players, table.side_size)
    with ProcessPoolExecutor(
        min(workers, len(spans)), get_context("spawn"), initializer=_start_worker, initargs=seat
    ) as pool:
        with _deaf_to_interrupts():  # this process answers an interrupt for its workers
            parts = pool.map(_work, [(task, *span) for span in spans])
        try:
            for (_, end), part in zip(spans, parts, strict=True):
                results.merge(part)
                if progress:
                    progress(end)
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            for process in active_children():
                process.terminate()
            raise
    return results


@contextmanager
def _deaf_to_interrupts() -> Iterator[None]:
    """Processes started within never see an interrupt from the keyboard; here it comes later."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


_games: list[Game] = []


def _start_worker(program: str, players: int, side_size: int) -> None:
    _games[:] = [Game(load_program(program), players, side_size)]


def _work(job: tuple[Task, int, int]) -> Results:
    return play_span(_games[0], *job)


def play_span(game: Game, task: Task, start: int, end: int) -> Results:
    """Plays the games `start` … `end - 1` of a task."""
    results = Results()
    for index in range(start, end):
        _play_game(game, task, index, results)
    return results


def _play_game(game: Game, task: Task, index: int, results: Results) -> None:
    seed, names = seed_of(task, index), seated(task, game, index)
    tally = results.tally
    made = {name: make_bot(name) for name in names}
    bots = [(name, made[name]) for name in names]
    random = Random.of(seed, "bots")
    state = machine.start_game(game.table, seed)
    tally.count("games")
    for deal in range(1, MOST_DEALS + 1):
        finished = _play_deal(game, state, bots, random, tally)
        if not finished:
            results.stuck.append((seed, deal))
            return
        _count_deal(state, tally)
        _compare(state, names, task.bots, tally)
        if state.game_over:
            tally.number("deals", deal)
            for winner in state.winners:
                tally.count(f"won {side_name(winner)}")
            tally.count("finished games")
            return
        if not task.whole_games:
            return
        machine.next_deal(state)
    tally.count("unfinished games")


def _play_deal(
    game: Game, state: State, bots: Sequence[tuple[str, Bot]], random: Random, tally: Tally
) -> bool:
    """Plays a deal to its end; False where a player had no legal action or the deal went on for
    too long.
    """
    turns, last = 0, -1
    counts = outlook_of(game.table).counts
    for decisions in range(MOST_DECISIONS):
        if state.over:
            tally.count("deals")
            tally.count("decisions", decisions)
            tally.number("decisions", decisions)
            tally.number("turns", turns)
            return True
        if state.turn != last:
            turns, last = turns + 1, state.turn
        cut_offs = counts.cut_offs
        plays = legality.legal_plays(state)
        if counts.cut_offs > cut_offs:
            tally.count("solver cut offs", counts.cut_offs - cut_offs)
        if not plays:
            tally.count("decisions", decisions)
            tally.count("dead ends")
            return False
        play = _choose(game, state, *bots[state.player], plays, random)
        tally.count(f"action {state.table.program.actions[play.action].name}")
        machine.apply(state, play)
    tally.count("decisions", MOST_DECISIONS)
    tally.count("unfinished deals")
    return False


def _choose(
    game: Game, state: State, name: str, bot: Bot, plays: Sequence[Play], random: Random
) -> Play:
    if type(bot) is RandomBot:  # it looks at nothing, so nothing need be made for it
        return plays[random.below(len(plays))]
    return plays[choose(name, bot, Sight(game, state, state.player, plays), random)]


def _count_deal(state: State, tally: Tally) -> None:
    for side, points in enumerate(state.scores):
        tally.number(f"score {side_name(side)}", points)
    for line, _, points in state.sheet:
        tally.count(f"line {line}")
        tally.number(f"line {line}", points)


def _compare(state: State, names: Sequence[str], bots: Sequence[str], tally: Tally) -> None:
    """By how much the sides of a bot alone were ahead of the other sides."""
    table = state.table
    for name in dict.fromkeys(bots) if len(set(bots)) > 1 else ():
        own = [
            side
            for side in range(table.sides)
            if all(names[player] == name for player in table.players_of(side))
        ]
        others = [side for side in range(table.sides) if side not in own]
        if own and others:
            ahead = sum(state.scores[side] for side in own) * len(others)
            behind = sum(state.scores[side] for side in others) * len(own)
            tally.number(f"lead {name}", round((ahead - behind) / (len(own) * len(others))))
