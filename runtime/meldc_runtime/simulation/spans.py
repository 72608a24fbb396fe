"""Games in a row, played and counted: the share of work that one process does at a time."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import NamedTuple, Protocol

from meldc_runtime.game import Game
from meldc_runtime.light import dataclass
from meldc_runtime.program import dump
from meldc_runtime.program import load as load_program
from meldc_runtime.simulation.figures import Results
from meldc_runtime.simulation.measuring import Cluster, Measuring
from meldc_runtime.simulation.playing import MachinePlayer, Player
from meldc_runtime.simulation.rows import Row
from meldc_runtime.simulation.task import Task

MOST_GROUPS = 64
"""Groups of games in a span, at most; fewer where there are few, so that much can be shared out."""
SPANS = 100


class Span(NamedTuple):
    """The games `start` … `end - 1` of a task."""

    start: int
    end: int


class Played(NamedTuple):
    """What came of a span. rows: each a line of JSON, where they were asked for."""

    span: Span
    results: Results
    rows: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Match:
    """What is played: a game, or two that are compared, by their names in rows. rows: whether rows
    are wanted.
    """

    games: tuple[tuple[str, Game], ...]
    task: Task
    rows: bool = False

    def packed(self) -> Packed:
        """The same for another process."""
        return Packed(
            tuple(
                (name, dump(game.program), game.table.players, game.table.side_size)
                for name, game in self.games
            ),
            self.task,
            self.rows,
        )


class Packed(NamedTuple):
    """A match as plain data: of each game name, program, players, size of sides."""

    games: tuple[tuple[str, str, int, int], ...]
    task: Task
    rows: bool

    def match(self) -> Match:
        return Match(
            tuple(
                (name, Game(load_program(text), players, side_size))
                for name, text, players, side_size in self.games
            ),
            self.task,
            self.rows,
        )


class Desk:
    """Plays the spans of a match."""

    def __init__(self, match: Match) -> None:
        self.task = match.task
        self.rows = match.rows
        self.games = [
            (player_for(game, match.task, name), Measuring(game.program, match.task.names))
            for name, game in match.games
        ]

    def play(self, span: Span) -> Played:
        results = Results()
        rows: list[str] = []
        for start in range(span.start, span.end, self.task.group):
            games = range(start, min(start + self.task.group, span.end))
            clusters = []
            for player, measuring in self.games:
                cluster = Cluster()
                for row in (row for index in games for row in player.play(index)):
                    measuring.count(row, cluster)
                    if self.rows:
                        rows.append(row_text(row))
                clusters.append(cluster)
            results.add(*clusters)
        return Played(span, results, tuple(rows))


def player_for(game: Game, task: Task, name: str) -> Player:
    """What plays a game of a task: a kernel, where bots look at nothing and it is to be had."""
    machine = MachinePlayer(game, task, name)
    if task.watches_all:
        return machine
    from meldc_runtime.simulation.bulk import bulk_player

    return bulk_player(game, task, name, machine) or machine


def row_text(row: Row) -> str:
    return json.dumps(row, ensure_ascii=False, separators=(",", ":"))


def spans_of(task: Task, start: int = 0) -> Iterator[Span]:
    """The games of a task from one on, in shares. Groups stay together."""
    groups = max(1, min(MOST_GROUPS, task.number // (SPANS * task.group)))
    size = groups * task.group
    for first in range(start, task.number, size):
        yield Span(first, min(first + size, task.number))


class Workforce(Protocol):
    """Those who play spans. `submit` gives a ticket, for which `result` gives what was played."""

    hands: int
    """How many spans are played at a time."""

    def submit(self, span: Span) -> object: ...
    def result(self, ticket: object) -> Played: ...
    def close(self) -> None:
        """Ends the work, also what is not done."""
        ...


class Alone:
    """Plays in this process, when the result is asked for."""

    hands = 1

    def __init__(self, match: Match) -> None:
        self.desk = Desk(match)

    def submit(self, span: Span) -> Span:
        return span

    def result(self, ticket: object) -> Played:
        assert isinstance(ticket, Span)
        return self.desk.play(ticket)

    def close(self) -> None:
        pass
