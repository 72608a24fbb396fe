"""`meldc simulate`: bulk play and its statistics."""

from __future__ import annotations

import json
import secrets
import shlex
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from meldc.cli.games import (
    house_option,
    json_option,
    load_game,
    reason,
    seating_options,
    unreadable,
)
from meldc.cli.streams import Stopped

if TYPE_CHECKING:
    from meldc.simulate.campaign import Campaign
    from meldc_runtime.game import Game
    from meldc_runtime.simulation import Match, Outcome, Played, Task, Workforce

MOST = 10_000_000
MANY = 5_000
"""So many games are worth a word about playing them faster."""
NO_HOUSE = "none"
INTERRUPTED = 130


@dataclass(frozen=True)
class Wanted:
    """What was asked for beside the game: how and where it is played, what is made of it."""

    workers: int
    cluster: bool
    report: Path | None
    as_json: bool


@click.command()
@click.argument("spec")
@click.option("--games", type=click.IntRange(1, MOST), metavar="N", help="Play N whole games.")
@click.option("--deals", type=click.IntRange(1, MOST), metavar="N", help="Play N single deals.")
@click.option("--seed", type=click.IntRange(0, 2**63 - 1), metavar="N", help="First seed.")
@click.option(
    "--bot",
    "bots",
    multiple=True,
    metavar="NAME",
    help="Bots that change places, or `A=NAME`, `P2=NAME` for a fixed one: see docs/bots.md.",
)
@click.option("--workers", type=click.IntRange(1, 256), default=1, metavar="N", help="Processes.")
@click.option("--cluster", is_flag=True, help="Play on a Ray cluster (extra `cluster`).")
@click.option(
    "--against",
    metavar="SPEC",
    help="Compare with another game, or with `none`: this one without house rules.",
)
@click.option(
    "--against-house",
    "against_houses",
    multiple=True,
    metavar="NAME_OR_PATH",
    help="Lay a house rule over the other game (repeatable).",
)
@click.option(
    "--out",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Write a row for each deal: JSON lines, or `.parquet` (extra `parquet`).",
)
@click.option(
    "--rows",
    multiple=True,
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Do not play: work out the table from rows written before (repeatable).",
)
@click.option(
    "--report",
    type=click.Path(path_type=Path),
    metavar="FILE.html",
    help="Write a page with plots (extra `report`).",
)
@click.option(
    "--start-at",
    type=click.IntRange(0, MOST),
    default=0,
    metavar="K",
    help="Go on with game or deal K, where a run was stopped.",
)
@click.option(
    "--rules-every",
    type=click.IntRange(0, MOST),
    default=None,
    metavar="N",
    help="Ask one of N decisions which rules refuse something (64; 0: none).",
)
@click.option(
    "--fast",
    is_flag=True,
    help="Random bots: watch some games only, play the others by specialised code.",
)
@click.option(
    "--watch-every",
    type=click.IntRange(1, MOST),
    metavar="N",
    help="With --fast: watch one of N games.",
)
@seating_options
@house_option
@json_option
def simulate(
    spec: str,
    games: int | None,
    deals: int | None,
    seed: int | None,
    bots: tuple[str, ...],
    workers: int,
    cluster: bool,
    against: str | None,
    against_houses: tuple[str, ...],
    out: Path | None,
    rows: tuple[Path, ...],
    report: Path | None,
    start_at: int,
    rules_every: int | None,
    fast: bool,
    watch_every: int | None,
    players: int | None,
    side_size: int | None,
    houses: tuple[str, ...],
    as_json: bool,
) -> int:
    """Play many games among bots; report statistics with 95 % confidence intervals."""
    if not rows and (games is None) == (deals is None):
        raise click.UsageError(
            "say how much is to be played: `--games N` or `--deals N`, one of them"
        )
    if rows and (games or deals or out):
        raise click.UsageError("`--rows` reads what was played before: nothing is played anew")
    if start_at and out is not None and out.suffix == ".parquet" and out.exists():
        raise click.UsageError(f"`{out}`: nothing can be added to Parquet; name a file of its own")
    if against_houses and against is None:
        raise click.UsageError("`--against-house` needs `--against SPEC`")
    # Imported here: other commands and `--help` do without all that plays.
    from meldc.simulate.campaign import Campaign
    from meldc_runtime.simulation import Task
    from meldc_runtime.simulation.task import RULES_EVERY

    if report is not None:
        _check_report(report)
    game = load_game(spec, houses, players, side_size)
    reference = _reference(spec, against, against_houses, players, side_size)
    number = games or deals or 0
    if start_at and start_at >= number and not rows:
        raise click.UsageError(f"`--start-at {start_at}`: there are {number} only, the first is 0")
    turning, fixed = _seats(game, bots)
    every = RULES_EVERY if rules_every is None else rules_every
    seed = secrets.randbits(32) if seed is None else seed
    task = Task(number, games is not None, seed, turning, fixed, every, fast, watch_every or 0)
    if start_at % task.group:
        raise click.UsageError(f"`--start-at` is a multiple of the number of bots, {task.group}")
    note = None if rows else _about_speed(game, task, number - start_at)
    if note is not None:
        click.echo(f"note: {note}", err=True)
    campaign = Campaign(game, reference, task, start_at, out)
    wanted = Wanted(workers, cluster, report, as_json)
    return _recount(campaign, rows, wanted) if rows else _play(campaign, wanted)


def _about_speed(game: Game, task: Task, number: int) -> str | None:
    """What a user who waits, or who asked for `--fast`, would want to know."""
    if not task.fast:
        if task.chance_alone and number >= MANY:
            return "`--fast` plays many deals of random bots faster, where it can"
        return None
    if not task.chance_alone:
        return "`--fast` is for random bots alone: all is played as without it"
    from meldc_runtime.kernel import player_of

    if player_of(game.table) is None:
        return f"there is no kernel for {game.program.title}: all is played as without `--fast`"
    return None


def _reference(
    spec: str,
    against: str | None,
    houses: tuple[str, ...],
    players: int | None,
    side_size: int | None,
) -> Game | None:
    if against is None:
        return None
    return load_game(spec if against == NO_HOUSE else against, houses, players, side_size)


def _seats(game: Game, bots: tuple[str, ...]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Bots that change places, and bots by seat: one of both."""
    from meldc_runtime.names import parse_player, parse_side

    fixed = [bot for bot in bots if "=" in bot]
    if not fixed:
        return bots or ("random",), ()
    if len(fixed) < len(bots):
        raise click.UsageError("`--bot`: give all bots a seat (`A=NAME`, `P2=NAME`), or none")
    table = game.table
    seats = ["random"] * table.players
    for bot in fixed:
        place, _, name = bot.partition("=")
        player = parse_player(place, table.players)
        side = parse_side(place, table.sides, table.players)
        if player is None and side is None:
            raise click.UsageError(f"`--bot {bot}`: there is no seat or side `{place}`")
        for seat in table.players_of(side or 0) if player is None else (player,):
            seats[seat] = name
    return ("random",), tuple(seats)


def _check_report(path: Path) -> None:
    from meldc.simulate.plots import check_plotting
    from meldc.simulate.rows_file import MissingExtraError

    if path.is_dir() or not path.absolute().parent.is_dir():
        raise unreadable(f"`{path}` cannot be written")
    try:
        check_plotting()
    except MissingExtraError as problem:
        raise unreadable(str(problem)) from None


def _recount(campaign: Campaign, rows: tuple[Path, ...], wanted: Wanted) -> int:
    from meldc.simulate.campaign import RowsError, recount
    from meldc.simulate.rows_file import MissingExtraError

    try:
        data = recount(campaign, rows)
    except OSError as problem:
        raise unreadable(f"`{problem.filename}` cannot be read: {reason(problem)}") from None
    except (MissingExtraError, RowsError) as problem:
        raise unreadable(str(problem)) from None
    return _show(data, wanted)


def _play(campaign: Campaign, wanted: Wanted) -> int:
    from meldc.simulate.rows_file import MissingExtraError
    from meldc_runtime.bots import BotError

    def hire(match: Match) -> Workforce:
        if wanted.cluster:
            from meldc.simulate.cluster import RayForce

            return RayForce(match, wanted.workers)
        from meldc_runtime.simulation import workforce

        return workforce(match, wanted.workers)

    try:
        with _progress(campaign.task, campaign.start) as tell:
            outcome, data = campaign.play(hire, tell)
    except BotError as problem:
        raise click.UsageError(str(problem)) from None
    except MissingExtraError as problem:
        raise unreadable(str(problem)) from None
    except OSError as problem:
        if problem.filename is None:
            raise unreadable(str(problem)) from None
        raise unreadable(f"`{problem.filename}` cannot be written: {reason(problem)}") from None
    if outcome.stopped is None:
        return _show(data, wanted)
    data["stopped"] = _why(outcome.stopped)
    if outcome.done > campaign.start:
        _show(data, wanted)
    _say_how_to_go_on(campaign, outcome)
    if isinstance(outcome.stopped, Stopped):
        return outcome.stopped.exit_code
    return INTERRUPTED if isinstance(outcome.stopped, KeyboardInterrupt) else 1


def _show(data: dict[str, Any], wanted: Wanted) -> int:
    """Prints, writes the page, and gives the exit code."""
    if wanted.as_json:
        click.echo(json.dumps(data, ensure_ascii=False, indent=2))
    else:
        from meldc.simulate.table import comparison, table

        lines = table(data)
        if "reference_data" in data:
            lines = [*table(data["reference_data"]), "", *lines, *comparison(data)]
        click.echo("\n".join(lines))
    if wanted.report is not None:
        from meldc.simulate.page import page

        try:
            wanted.report.write_text(page(data), encoding="utf-8")
        except OSError as problem:
            raise unreadable(f"`{wanted.report}` cannot be written: {reason(problem)}") from None
    ends = data["dead_ends"] + data.get("reference_data", {}).get("dead_ends", 0)
    return 1 if ends else 0


def _why(problem: BaseException) -> str:
    if isinstance(problem, KeyboardInterrupt):
        return "interrupted"
    if isinstance(problem, OSError):
        where = f"`{problem.filename}`: " if problem.filename else ""
        return f"{where}{reason(problem)}"
    return str(problem)


def _say_how_to_go_on(campaign: Campaign, outcome: Outcome) -> None:
    task = campaign.task
    what = "games" if task.whole_games else "deals"
    assert outcome.stopped is not None
    why = _why(outcome.stopped)
    click.echo(f"stopped after {outcome.done} of {task.number} {what}: {why}", err=True)
    click.echo(f"  the rest: {_command(campaign, outcome.done)}", err=True)


def _command(campaign: Campaign, done: int) -> str:
    """The command that plays what is missing."""
    from meldc.simulate.rows_file import file_of_the_rest

    given, task = click.get_current_context(), campaign.task
    words = ["meldc", "simulate", str(given.params["spec"])]
    words += ["--games" if task.whole_games else "--deals", str(task.number)]
    words += ["--seed", str(task.seed), "--start-at", str(done)]
    options = {"houses": "--house", "bots": "--bot", "against_houses": "--against-house"}
    for name, option in options.items():
        words += [word for value in given.params[name] for word in (option, str(value))]
    for name in ("players", "side_size", "against", "rules_every", "watch_every"):
        if given.params[name] is not None:
            words += [f"--{name.replace('_', '-')}", str(given.params[name])]
    if campaign.out is not None:
        words += ["--out", str(file_of_the_rest(campaign.out, done))]
    if given.params["workers"] > 1:
        words += ["--workers", str(given.params["workers"])]
    words += [f"--{name}" for name in ("cluster", "fast") if given.params[name]]
    return shlex.join(words)


@contextmanager
def _progress(task: Task, start: int) -> Iterator[Callable[[Played], None]]:
    """On a terminal a bar with the rate and the time left."""
    if not sys.stderr.isatty():
        yield lambda played: None
        return
    began = time.monotonic()
    unit = "games" if task.whole_games else "deals"
    done = 0

    def rate(_: object) -> str:
        seconds = time.monotonic() - began
        return f"{done / seconds:.1f} {unit}/s" if seconds > 1 else ""

    with click.progressbar(
        length=task.number - start, item_show_func=rate, show_pos=True, file=sys.stderr
    ) as bar:
        bar.render_progress()

        def tell(played: Played) -> None:
            nonlocal done
            played_now = played.span.end - played.span.start
            done += played_now
            bar.update(played_now)

        yield tell
