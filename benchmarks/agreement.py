"""Holds kernels against the machine: the same random deals through both, list by list and position
by position.

    python benchmarks/agreement.py classic --deals 5000 --seed 1
"""

from __future__ import annotations

import argparse
import sys
import time

import meldc
from meldc_runtime import legality, machine
from meldc_runtime.game import Game
from meldc_runtime.kernel import Kernel, NotLowered, kernel_of
from meldc_runtime.kernel.position import Position
from meldc_runtime.lookahead import outlook_of
from meldc_runtime.randomness import Random
from meldc_runtime.state import State

PARTS = ("p", "turn", "phase", "back", "h", "w", "m", "r", "c", "g", "lists", "serial")


def deal_of(game: Game, kernel: Kernel, seed: int, most: int = 20_000) -> tuple[int, str]:
    """Plays a deal by both; how many decisions were alike, and what differed then (nothing: "").

    A position in which the machine gives up a question of look-ahead ends the deal: its list may
    lack plays then.
    """
    state = machine.start_game(game.table, seed)
    below = Random.of(seed, "agreement").below
    position = kernel.load(state)
    counts = outlook_of(game.table).counts
    for decisions in range(most):
        if state.over:
            return decisions, _at_the_end(kernel, position, state)
        cut_offs = counts.cut_offs
        plays, steps = legality.legal_plays(state), kernel.legal(position)
        if counts.cut_offs > cut_offs:
            return decisions, ""
        ours = [kernel.said(step) for step in steps]
        theirs = [kernel.alike(state, play) for play in plays]
        if ours != theirs:
            return decisions, f"decision {decisions}: the machine lists {theirs}, we {ours}"
        number = below(len(plays))
        machine.perform(state, plays[number])
        steps[number](position)
        if not state.over:
            part = _differing_part(kernel.load(state), position)
            if part:
                return decisions, f"decision {decisions}: after {ours[number]} {part}"
    return most, ""


def _differing_part(theirs: Position, ours: Position) -> str:
    for part in PARTS:
        one, other = getattr(theirs, part), getattr(ours, part)
        if one != other:
            return f"`{part}` is {one}, we have {other}"
    return ""


def _at_the_end(kernel: Kernel, position: Position, state: State) -> str:
    """Compares the scores that the machine gives to both."""
    if not position.over:
        return "we have not seen the end of the deal"
    ours = state.copy()
    kernel.store(position, ours)
    machine.score_deal(ours)
    return "" if ours.sheet == state.sheet else f"the sheet is {state.sheet}, ours {ours.sheet}"


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("spec")
    parser.add_argument("--deals", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1, help="of the first deal")
    given = parser.parse_args()
    game = meldc.load(given.spec)
    try:
        kernel = kernel_of(game.table)
    except NotLowered as reason:
        print(f"{given.spec} has no kernel: {reason}")
        return 2
    start, total = time.perf_counter(), 0
    for seed in range(given.seed, given.seed + given.deals):
        decisions, difference = deal_of(game, kernel, seed)
        total += decisions
        if difference:
            print(f"seed {seed}: {difference}")
            return 1
    seconds = time.perf_counter() - start
    print(f"{given.deals} deals, {total} decisions alike ({seconds:.0f} s)")
    return 0


if __name__ == "__main__":
    sys.exit(main())
