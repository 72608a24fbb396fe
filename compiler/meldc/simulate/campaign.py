"""A simulation from end to end: what is played by whom, what is written where, what came of it."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from meldc.simulate.rows_file import read_rows, rows_file
from meldc.simulate.summing import difference_data, program_title, summary
from meldc.simulate.wording import Wording, compared, interest
from meldc_runtime.game import Game
from meldc_runtime.simulation import Match, Outcome, Played, Results, Task, Workforce, run
from meldc_runtime.simulation.measuring import Cluster, Measuring
from meldc_runtime.simulation.rows import Row

Data = dict[str, Any]


@dataclass(frozen=True)
class Campaign:
    """game: what is simulated. reference: what it is compared with. start: number of the first game
    that is played. out: where rows go.
    """

    game: Game
    reference: Game | None
    task: Task
    start: int = 0
    out: Path | None = None

    @property
    def labels(self) -> tuple[str, ...]:
        """The names of the games in rows: the reference first."""
        own = program_title(self.game.program)
        if self.reference is None:
            return (own,)
        other = program_title(self.reference.program)
        return (other, own if own != other else f"{own} (2)")

    @property
    def named(self) -> tuple[tuple[str, Game], ...]:
        """The games by their names in rows."""
        games = (self.game,) if self.reference is None else (self.reference, self.game)
        return tuple(zip(self.labels, games, strict=True))

    @property
    def match(self) -> Match:
        return Match(self.named, self.task, rows=self.out is not None)

    def play(
        self, hire: Callable[[Match], Workforce], tell: Callable[[Played], object]
    ) -> tuple[Outcome, Data]:
        """Plays, writes rows, and sums up. Raises OSError and MissingExtraError where rows cannot
        be written at all, BotError for a bot that does not exist.
        """
        started = time.perf_counter()
        with ExitStack() as stack:
            file = None
            if self.out is not None:
                file = stack.enter_context(rows_file(self.out, append=self.start > 0))

            def take(played: Played) -> None:
                if file is not None:
                    file.write(played.rows)
                tell(played)

            outcome = run(self.match, hire(self.match), self.start, take)
        seconds = time.perf_counter() - started
        data = self.data(outcome.results)
        decisions = data["decisions"] + data.get("reference_data", {}).get("decisions", 0)
        data["seconds"] = round(seconds, 3)
        data["decisions_per_second"] = round(decisions / seconds) if seconds else 0
        data["start_at"], data["next"] = self.start, outcome.done
        return outcome, data

    def data(self, results: Results) -> Data:
        """All that was counted, as plain data."""
        if self.reference is None:
            return summary(self.game, self.task, results.first)
        data = summary(self.game, self.task, results.second)
        data["reference_data"] = summary(self.reference, self.task, results.first)
        data["reference"], data["subject"] = short_names(self.reference, self.game)
        data["pairs"] = results.clusters
        keys = {*results.first.known(), *results.second.known()}
        differences = results.differences(compared(self.game.program, keys))
        wording = Wording(self.game.program)
        data["differences"] = [
            difference_data(each, wording)
            for each in sorted(differences, key=interest)
            if each.change.value or each.change.half
        ]
        return data


def short_names(reference: Game, game: Game) -> tuple[str, str]:
    """What two games that are compared are called in sentences: the house rules that one has more,
    where that is all.
    """
    one, two = reference.program, game.program
    more = [house for house in two.house if house not in one.house]
    if one.name == two.name and more and set(one.house) <= set(two.house):
        return program_title(one), ", ".join(more)
    return program_title(one), program_title(two)


class RowsError(ValueError):
    """Rows that are not of this game."""


def recount(campaign: Campaign, files: Sequence[Path]) -> Data:
    """What files of rows come to; of the campaign only its games count. Raises OSError,
    MissingExtraError, RowsError.
    """
    gathering = Gathering(campaign)
    for path in files:
        try:
            for row in read_rows(path):
                gathering.take(row)
            gathering.close()
        except ValueError as problem:
            raise RowsError(f"`{path}`: {problem}") from None
        except (KeyError, TypeError, IndexError, AttributeError):
            raise RowsError(
                f"`{path}` has rows of another shape: were they written by this version of meldc?"
            ) from None
    task = Task(gathering.last + 1, gathering.whole, 0, tuple(gathering.bots))
    try:
        data = replace(campaign, task=task).data(gathering.results)
    except (ValueError, ArithmeticError):  # more of something than there was of all
        raise RowsError("the numbers in these rows do not go together") from None
    data["seed"] = None
    return data


class Gathering:
    """Counts rows; games of one seed in a row are a cluster."""

    def __init__(self, campaign: Campaign) -> None:
        self.campaign = campaign
        self.results = Results()
        self.waiting: list[Row] = []
        self.last = -1
        self.whole = False
        self.bots: dict[str, None] = {}

    def take(self, row: Row) -> None:
        if row["set"] not in self.campaign.labels:
            known = " or ".join(f"`{label}`" for label in self.campaign.labels)
            raise RowsError(f"a row is of `{row['set']}`, not of {known}")
        if self.waiting and self.waiting[-1]["seed"] != row["seed"]:
            self.close()
        if row["game"] <= self.last:
            raise RowsError(f"game {row['game']} comes after {self.last}: rows stand in order")
        self.whole = row["whole"]
        self.waiting.append(row)

    def close(self) -> None:
        """Counts what is waiting."""
        if not self.waiting:
            return
        bots = [bot for row in self.waiting for bot in row["bots"]]
        self.bots.update(dict.fromkeys(bots))
        clusters = []
        for label, game in self.campaign.named:
            cluster = Cluster()
            measuring = Measuring(game.program, bots)
            for row in self.waiting:
                if row["set"] == label:
                    measuring.count(row, cluster)
            clusters.append(cluster)
        self.results.add(*clusters)
        self.last = max(row["game"] for row in self.waiting)
        self.waiting = []
