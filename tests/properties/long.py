#!/usr/bin/env python3
"""Plays many random deals and checks each: `python3 tests/properties/long.py --deals 20000`.

The deals of a variant are shared out among the numbers of players it allows. Exits 1 where
something does not hold, with the seeds; `--seed N --seat NAME` plays such a deal alone.
"""

from __future__ import annotations

import argparse
import os
import sys
import time
import traceback
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).parents[2]
sys.path[:0] = [str(ROOT / part) for part in ("tests", "compiler", "runtime")]

from properties.kit import ViolationError, play_checked, replay  # noqa: E402
from properties.tables import Seat, seats_of  # noqa: E402

from meldc.diagnostics import CompileError  # noqa: E402
from meldc.load.catalogue import shipped_variants  # noqa: E402

CHUNK = 20
CLOSE_LOOKS = 25
"""One position of so many is looked at closely, and one deal of so many is replayed."""


@dataclass(slots=True)
class Tally:
    """What came out. wrong: seat, seed and what did not hold."""

    deals: int = 0
    actions: int = 0
    wrong: list[tuple[str, int, str]] = field(default_factory=list)

    def add(self, other: Tally) -> None:
        self.deals += other.deals
        self.actions += other.actions
        self.wrong += other.wrong


def play_chunk(seat: Seat, seeds: range) -> Tally:
    tally = Tally()
    for seed in seeds:
        try:
            played = play_checked(seat.game, seed, close_looks=CLOSE_LOOKS)
            if seed % CLOSE_LOOKS == 0:
                replay(seat.game, played)
            tally.actions += len(played.texts)
        except ViolationError as violation:
            tally.wrong.append((str(seat), seed, str(violation)))
        except Exception:
            tally.wrong.append((str(seat), seed, traceback.format_exc(limit=-3)))
        tally.deals += 1
    return tally


def chunks(seats: list[Seat], deals: int, first: int) -> Iterator[tuple[Seat, range]]:
    """Some deals of each seat in turn, so that what is wrong anywhere is soon found."""
    of_variant = {seat.variant: sum(s.variant == seat.variant for s in seats) for seat in seats}
    for begin in range(0, deals, CHUNK):
        for seat in seats:
            share = -(-deals // of_variant[seat.variant])
            if begin < share:
                yield seat, range(first + begin, first + min(begin + CHUNK, share))


def run(seats: list[Seat], deals: int, first: int, workers: int) -> int:
    began, last = time.monotonic(), 0.0
    tallies: dict[str, Tally] = {seat.variant: Tally() for seat in seats}
    with ProcessPoolExecutor(workers) as pool:
        jobs = {pool.submit(play_chunk, *job): job[0] for job in chunks(seats, deals, first)}
        for number, done in enumerate(as_completed(jobs), 1):
            found = done.result()
            tallies[jobs[done].variant].add(found)
            for seat, seed, what in found.wrong:
                print(f"{seat} seed {seed}: {what}", flush=True)
            if time.monotonic() - last > 10:
                last = time.monotonic()
                played = sum(tally.deals for tally in tallies.values())
                print(f"{last - began:6.0f} s  {played} deals, {number}/{len(jobs)}", flush=True)
    return report(tallies, time.monotonic() - began)


def report(tallies: dict[str, Tally], seconds: float) -> int:
    wrong = 0
    for variant, tally in tallies.items():
        wrong += len(tally.wrong)
        print(f"{variant:22} {tally.deals:7} deals {tally.actions:9} actions", end="")
        print(f"  {len(tally.wrong)} wrong" if tally.wrong else "")
    print(f"{seconds:.0f} seconds, {wrong} deals in which something does not hold")
    return 1 if wrong else 0


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--deals", type=int, default=20_000, help="of each variant")
    parser.add_argument("--variant", action="append", help="only this one (repeatable)")
    parser.add_argument("--house", action="append", default=[], help="a house rule or a setting")
    parser.add_argument("--seat", help="only this one: variant-PLAYERSxSIZE")
    parser.add_argument("--seed", type=int, help="this deal alone")
    parser.add_argument("--first", type=int, default=0, help="the first seed")
    parser.add_argument("--workers", type=int, default=os.cpu_count() or 1)
    asked = parser.parse_args()
    try:
        seats = [
            seat
            for variant in asked.variant or shipped_variants()
            for seat in seats_of(variant, tuple(asked.house))
            if asked.seat in (None, str(seat))
        ]
    except CompileError as error:
        parser.error(str(error))
    if not seats:
        parser.error("there is no such variant or seating")
    if asked.seed is not None:
        asked.deals, asked.first = 1, asked.seed
    return run(seats, asked.deals, asked.first, asked.workers)


if __name__ == "__main__":
    sys.exit(main())
