"""`meldc simulate`: bulk play and its statistics."""

from __future__ import annotations

import json
import secrets
import sys
import time
from collections.abc import Callable
from typing import Any

import click

from meldc.cli.games import house_option, json_option, load_game, seating_options
from meldc_runtime.bots import BotError
from meldc_runtime.game import Game
from meldc_runtime.simulation import Results, Task
from meldc_runtime.simulation import simulate as run
from meldc_runtime.statistics import Estimate, share

MOST = 10_000_000


@click.command()
@click.argument("spec")
@click.option("--games", type=click.IntRange(1, MOST), metavar="N", help="Play N whole games.")
@click.option("--deals", type=click.IntRange(1, MOST), metavar="N", help="Play N single deals.")
@click.option("--seed", type=click.IntRange(0, 2**63 - 1), metavar="N", help="First seed.")
@click.option(
    "--bot", "bots", multiple=True, metavar="NAME", help="Bots, side by side: see docs/bots.md."
)
@click.option("--workers", type=click.IntRange(1, 256), default=1, metavar="N", help="Processes.")
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
    players: int | None,
    side_size: int | None,
    houses: tuple[str, ...],
    as_json: bool,
) -> int:
    """Play many games among bots; report statistics with 95 % confidence intervals."""
    if (games is None) == (deals is None):
        raise click.UsageError("say how much is to be played: `--games N` or `--deals N`")
    game = load_game(spec, houses, players, side_size)
    seed = secrets.randbits(32) if seed is None else seed
    task = Task(games or deals or 0, games is not None, seed, bots or ("random",))
    started = time.perf_counter()
    try:
        results = run(game, task, workers, _progress(task.number))
    except BotError as problem:
        raise click.UsageError(str(problem)) from None
    data = summary(game, task, results, time.perf_counter() - started)
    if as_json:
        click.echo(json.dumps(data, ensure_ascii=False, indent=2))
    else:
        click.echo("\n".join(_report(data)))
    return 1 if data["dead_ends"] else 0


def summary(game: Game, task: Task, results: Results, seconds: float) -> dict[str, Any]:
    """What was counted, as plain data; shares and means with the ends of their intervals."""
    counts, numbers = results.tally.counts, results.tally.numbers
    finished = counts.get("finished games", 0)
    deals = counts.get("deals", 0)
    decisions = counts.get("decisions", 0)
    program = game.program
    data: dict[str, Any] = {
        "game": program.name,
        "house": list(program.house),
        "seed": task.seed,
        "bots": list(task.bots),
        "players": game.table.players,
        "games": counts.get("games", 0) if task.whole_games else 0,
        "deals": deals,
        "decisions": decisions,
        "seconds": round(seconds, 3),
        "decisions_per_second": round(decisions / seconds) if seconds else 0,
        "dead_ends": counts.get("dead ends", 0),
        "solver_cut_offs": counts.get("solver cut offs", 0),
        "unfinished_deals": counts.get("unfinished deals", 0),
        "unfinished_games": counts.get("unfinished games", 0),
        "stuck": [{"seed": seed, "deal": deal} for seed, deal in results.stuck],
        "decisions_per_deal": _mean(results, "decisions"),
        "turns_per_deal": _mean(results, "turns"),
        "leads": {
            bot: _mean(results, f"lead {bot}")
            for bot in dict.fromkeys(task.bots)
            if f"lead {bot}" in numbers
        },
        "scores": {side: _mean(results, f"score {side}") for side in game.sides},
        "lines": {
            line.name: {
                "deals": _share(counts.get(f"line {line.name}", 0), deals * game.table.sides),
                "points": _mean(results, f"line {line.name}"),
            }
            for line in program.scores
            if f"line {line.name}" in numbers
        },
        "actions": {
            action.name: _share(counts.get(f"action {action.name}", 0), decisions)
            for action in program.actions
        },
    }
    if task.whole_games:
        data["deals_per_game"] = _mean(results, "deals")
        data["wins"] = {side: _share(counts.get(f"won {side}", 0), finished) for side in game.sides}
    return data


def _mean(results: Results, name: str) -> dict[str, float] | None:
    moments = results.tally.numbers.get(name)
    return None if moments is None else _estimate(moments.mean())


def _share(hits: int, n: int) -> dict[str, float]:
    return _estimate(share(hits, n))


def _estimate(estimate: Estimate) -> dict[str, float]:
    return {
        "value": round(estimate.value, 4),
        "low": round(estimate.low, 4),
        "high": round(estimate.high, 4),
        "n": estimate.n,
    }


def _report(data: dict[str, Any]) -> list[str]:
    played = f"{data['games']} games, " if data["games"] else ""
    lines = [
        f"{data['game']}: {played}{data['deals']} deals, {data['decisions']} decisions "
        f"in {data['seconds']:.1f} s ({data['decisions_per_second']} a second), seed {data['seed']}"
    ]
    for key in ("dead_ends", "solver_cut_offs", "unfinished_deals", "unfinished_games"):
        lines.append(f"  {key.replace('_', ' ')}: {data[key]}")
    lines += [f"    seed {each['seed']}, deal {each['deal']}" for each in data["stuck"]]
    rows = [(key.replace("_", " "), data[key]) for key in MEANS if data.get(key)]
    rows += [(f"lead of {bot}", estimate) for bot, estimate in data["leads"].items() if estimate]
    rows += [(f"score {side}", estimate) for side, estimate in data["scores"].items() if estimate]
    lines += _table("mean", rows, 1)
    wins = [(side, each) for side, each in data.get("wins", {}).items()]
    lines += _table("won", wins, 100)
    lines += _table("line: sides with it", [(n, e["deals"]) for n, e in data["lines"].items()], 100)
    lines += _table("line: points", [(n, e["points"]) for n, e in data["lines"].items()], 1)
    lines += _table("action: share", list(data["actions"].items()), 100)
    return lines


MEANS = ("deals_per_game", "turns_per_deal", "decisions_per_deal")


def _table(title: str, rows: list[tuple[str, dict[str, float]]], scale: int) -> list[str]:
    """Estimates below each other: value and interval, as percentages where the scale is 100."""
    if not rows:
        return []
    width = max(len(title), *(len(name) for name, _ in rows))
    unit = " %" if scale == 100 else ""
    lines = [f"  {title:<{width}}  {'value':>10}  95 % interval"]
    for name, each in rows:
        value, low, high = (each[key] * scale for key in ("value", "low", "high"))
        label = name.replace("_", " ")
        lines.append(f"  {label:<{width}}  {value:>10.1f}{unit}  {low:.1f} … {high:.1f}{unit}")
    return lines


def _progress(number: int) -> Callable[[int], None] | None:
    """Tells on a terminal how far it is, at most a few times a second."""
    if not sys.stderr.isatty():
        return None
    last = 0.0

    def tell(done: int) -> None:
        nonlocal last
        now = time.monotonic()
        if done >= number:
            click.echo("\r" + " " * 40 + "\r", err=True, nl=False)
        elif now - last > 0.2:
            last = now
            click.echo(f"\r{done} of {number}", err=True, nl=False)

    return tell
