"""Measures random play of every shipped variant and of the reference hand, and what a start costs.

    python benchmarks/speed.py --reference FOLDER

Each game, and each reference in FOLDER (`canasta.py`, `canasta_flat.py`), plays in a process of its
own; they take turns, a short round each, so that all see the same weather on a shared machine.
Printed are medians over the rounds, and medians of the ratios to the references within a round.
"""

from __future__ import annotations

import argparse
import json
import random
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from importlib import import_module
from multiprocessing import get_context
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

import meldc
from meldc_runtime import legality, machine
from meldc_runtime.game import Game
from meldc_runtime.kernel import Kernel, NotLowered, kernel_of
from meldc_runtime.randomness import Random
from meldc_runtime.simulation import Task, simulate

HERE = Path(__file__).parent
YARDSTICK = HERE / "specs" / "hand.yaml"
VARIANTS = HERE.parent / "specs" / "variants"
REFERENCES = {"plain": "canasta", "flat": "canasta_flat"}
MOST_DECISIONS = 20_000
SCALING_DEALS = 64


@dataclass(frozen=True, slots=True)
class Round:
    """What one contestant did in one round. played: by what."""

    played: str
    decisions: int
    deals: int
    choices: int
    seconds: float
    megabytes: float

    @property
    def rate(self) -> float:
        return self.decisions / self.seconds


@dataclass(frozen=True, slots=True)
class Line:
    """A line of the table; ratios are to references of the same rounds, where there were any."""

    name: str
    played: str
    decisions_per_second: float
    deals_per_second: float
    decisions_per_deal: float
    branching: float
    megabytes: float
    to_plain: float | None
    to_flat: float | None


# ---- contestants: endless deals, each told as (decisions, choices offered)

Deals = Iterator[tuple[int, int]]


def deals_of_game(game: Game) -> Deals:
    """Deals of a game, each action as likely as any other."""
    below = Random.of(1, "speed").below
    seed = 0
    while True:
        seed += 1
        state = machine.start_game(game.table, seed)
        decisions = choices = 0
        while not state.over and decisions < MOST_DECISIONS:
            plays = legality.legal_plays(state)
            machine.perform(state, plays[below(len(plays))])
            decisions += 1
            choices += len(plays)
        yield decisions, choices


def deals_of_kernel(game: Game, kernel: Kernel) -> Deals:
    """The same by a kernel."""
    chance = random.Random(1).random
    seed = 0
    while True:
        seed += 1
        state = machine.start_game(game.table, seed)
        position = kernel.load(state)
        decisions = choices = 0
        while not position.over and decisions < MOST_DECISIONS:
            steps = kernel.legal(position)
            steps[int(chance() * len(steps))](position)
            decisions += 1
            choices += len(steps)
        kernel.store(position, state)
        machine.score_deal(state)
        yield decisions, choices


def deals_of_spec(spec: str, by_machine: bool) -> tuple[str, Deals]:
    """Deals by a kernel where the Program can be lowered to one, else by the machine; which."""
    game = meldc.load(spec)
    if not by_machine:
        try:
            return "kernel", deals_of_kernel(game, kernel_of(game.table))
        except NotLowered:
            pass
    return "machine", deals_of_game(game)


def deals_of_reference(folder: str, name: str) -> Deals:
    """Hands of a reference, played as its own benchmark does."""
    sys.path.insert(0, folder)
    module = import_module(REFERENCES[name])
    chance: Any = random.Random(1)
    if name == "flat":
        chance = module.FastRandom(chance)
    while True:
        _, decisions, _ = module.play_hand(chance)
        yield decisions, 0


def serve(pipe: Connection, kind: str, what: str, name: str) -> None:
    """Plays a round whenever it is told for how long, till it is told 0."""
    if kind == "reference":
        played, deals = "itself", deals_of_reference(what, name)
    else:
        played, deals = deals_of_spec(what, by_machine=kind == "machine")
    next(deals)
    while seconds := pipe.recv():
        pipe.send(play_round(played, deals, seconds))


def play_round(played: str, deals: Deals, seconds: float) -> Round:
    """Whole deals until so much processor time is used: other work on the machine counts less."""
    decisions = choices = number = 0
    start = time.process_time()
    while (passed := time.process_time() - start) < seconds:
        taken, offered = next(deals)
        decisions += taken
        choices += offered
        number += 1
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    return Round(played, decisions, number, choices, passed, peak)


# ---- the table


def measure(
    contestants: list[tuple[str, str, str]], rounds: int, seconds: float
) -> dict[str, list[Round]]:
    """The rounds of every contestant, given as (kind, what, name); they play in turn."""
    context = get_context("spawn")
    pipes: dict[str, Connection] = {}
    processes = []
    for kind, what, name in contestants:
        ours, theirs = context.Pipe()
        process = context.Process(target=serve, args=(theirs, kind, what, name), daemon=True)
        process.start()
        theirs.close()
        processes.append(process)
        pipes[name] = ours
    found: dict[str, list[Round]] = {name: [] for name in pipes}
    for _ in range(rounds):
        for name, pipe in pipes.items():
            pipe.send(seconds)
            found[name].append(pipe.recv())
    for pipe, process in zip(pipes.values(), processes, strict=True):
        pipe.send(0)
        process.join()
    return found


def lines(found: dict[str, list[Round]]) -> list[Line]:
    """A line for each contestant."""

    def ratio(name: str, other: str) -> float | None:
        if other not in found:
            return None
        pairs = zip(found[name], found[other], strict=True)
        return statistics.median(mine.rate / theirs.rate for mine, theirs in pairs)

    def line(name: str, rounds: list[Round]) -> Line:
        decisions = sum(each.decisions for each in rounds)
        return Line(
            name,
            rounds[0].played,
            statistics.median(each.rate for each in rounds),
            statistics.median(each.deals / each.seconds for each in rounds),
            decisions / sum(each.deals for each in rounds),
            sum(each.choices for each in rounds) / decisions,
            max(each.megabytes for each in rounds),
            ratio(name, "plain"),
            ratio(name, "flat"),
        )

    return [line(name, rounds) for name, rounds in found.items()]


def table(found: list[Line]) -> str:
    """The lines as text."""
    head = f"{'':24}{'played by':>10}{'decisions/s':>12}{'deals/s':>9}{'dec./deal':>10}"
    rows = [f"{head}{'branching':>10}{'MB':>6}{'× plain':>9}{'× flat':>9}"]
    for each in found:
        ratios = [
            f"{r:>9.3f}" if r is not None else f"{'':>9}" for r in (each.to_plain, each.to_flat)
        ]
        branching = f"{each.branching:>10.1f}" if each.branching else " " * 10
        rows.append(
            f"{each.name:24}{each.played:>10}{each.decisions_per_second:>12,.0f}{each.deals_per_second:>9.1f}"
            f"{each.decisions_per_deal:>10.0f}{branching}{each.megabytes:>6.0f}{''.join(ratios)}"
        )
    return "\n".join(rows)


# ---- starts


def start_times(rounds: int) -> dict[str, float]:
    """Seconds that a cold process takes for a task of one variant; medians."""
    with tempfile.TemporaryDirectory() as place:
        program = str(Path(place) / "classic.json")
        run = [sys.executable, "-m", "meldc"]
        subprocess.run([*run, "compile", "classic", "-o", program], check=True, capture_output=True)
        deal = f"import meldc_runtime; meldc_runtime.load({program!r}).deal(seed=1)"
        tasks = {
            "an empty Python": [sys.executable, "-c", "pass"],
            "meldc check classic": [*run, "check", "classic"],
            "meldc compile classic": [*run, "compile", "classic", "-o", program],
            "load a compiled classic, deal": [sys.executable, "-c", deal],
        }
        times: dict[str, list[float]] = {name: [] for name in tasks}
        for _ in range(rounds):
            for name, command in tasks.items():
                start = time.perf_counter()
                subprocess.run(command, check=True, capture_output=True)
                times[name].append(time.perf_counter() - start)
    return {name: statistics.median(each) for name, each in times.items()}


def scaling(most: int) -> dict[int, float]:
    """Deals of Classic a second by number of worker processes, their start included."""
    game = meldc.load("classic")
    found = {}
    for workers in range(1, most + 1):
        start = time.perf_counter()
        simulate(game, Task(SCALING_DEALS, False, 1), workers)
        found[workers] = SCALING_DEALS / (time.perf_counter() - start)
    return found


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--reference", type=Path, help="folder with canasta.py, canasta_flat.py")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=1.0, help="of each round")
    parser.add_argument("--variants", nargs="*", help="these only (none: the reference hand alone)")
    parser.add_argument("--workers", type=int, default=2, help="scaling up to so many; 0: skip it")
    parser.add_argument("--no-starts", action="store_true", help="do not measure starts")
    parser.add_argument("--json", action="store_true", help="figures as JSON")
    given = parser.parse_args()
    shipped = sorted(path.stem for path in VARIANTS.glob("*.yaml"))
    names = shipped if given.variants is None else given.variants
    contestants = [
        ("game", str(YARDSTICK), "reference hand, kernel"),
        ("machine", str(YARDSTICK), "reference hand, machine"),
    ]
    contestants += [("game", name, name) for name in names]
    if given.reference:
        folder = str(given.reference.resolve())
        contestants = [("reference", folder, name) for name in REFERENCES] + contestants
    found = lines(measure(contestants, given.rounds, given.seconds))
    starts = {} if given.no_starts else start_times(given.rounds)
    by_workers = scaling(given.workers) if given.workers else {}
    if given.json:
        parts = {"games": [asdict(each) for each in found], "starts": starts, "workers": by_workers}
        print(json.dumps(parts, indent=2))
        return 0
    print(table(found))
    _print_part("start, seconds", starts, "{:.2f}".format)
    _print_part("deals of classic a second, by workers", by_workers, "{:.1f}".format)
    return 0


def _print_part(title: str, values: dict[Any, float], text: Callable[[float], str]) -> None:
    if values:
        print(f"\n{title}")
        for name, value in values.items():
            print(f"  {name!s:32}{text(value):>8}")


if __name__ == "__main__":
    sys.exit(main())
