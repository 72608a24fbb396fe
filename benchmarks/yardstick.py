"""Plays the reference hand with the generator of the reference and holds it, choice for choice,
against the C program.

    python benchmarks/yardstick.py --reference FOLDER --hands 10000

FOLDER holds `canasta.c` (or a compiled `canasta`). Each hand must have the same number of
decisions, the same scores, and the same trace of (number of legal actions, choice) pairs. `--write
FILE` keeps the facts of the hands, for tests without a reference.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

import meldc
from meldc_runtime import legality, machine
from meldc_runtime.cards import FACE, RANK_OF
from meldc_runtime.game import Game
from meldc_runtime.kernel import Kernel, kernel_of
from meldc_runtime.randomness import MASK, Random
from meldc_runtime.state import State

SPEC = Path(__file__).with_name("specs") / "hand.yaml"
SEED = 20240607
TRACE_START, TRACE_PRIME = 0xCBF29CE484222325, 0x100000001B3
LAST_PLAYER = 3
"""The dealer: the reference lets its first player begin."""
PACK_ORDER = {2: 15, 3: 16, 15: 18}
"""Where the pack of the reference has twos, black threes and jokers: after the ranks 4 to A."""
RED_THREE = 17


class ReferenceRandom(Random):
    """The generator of the reference: the same numbers, but `below` by multiplication, and a pack
    in the order of the reference.
    """

    __slots__ = ()

    def copy(self) -> Random:
        return ReferenceRandom(self.state)

    def below(self, bound: int) -> int:
        return ((self.next() >> 32) * bound) >> 32

    def shuffle(self, cards: list[int]) -> None:
        cards.sort(key=_place_in_pack)
        for i in range(len(cards) - 1, 0, -1):
            j = self.below(i + 1)
            cards[i], cards[j] = cards[j], cards[i]


def _place_in_pack(card: int) -> int:
    rank = RANK_OF[card & FACE] or 0
    is_red = card & 3 in (1, 2)
    return RED_THREE if rank == 3 and is_red else PACK_ORDER.get(rank, rank)


@dataclass(frozen=True, slots=True)
class Played:
    """The facts of a hand."""

    decisions: int
    scores: tuple[int, ...]
    trace: int

    def __str__(self) -> str:
        return f"{self.decisions} {' '.join(map(str, self.scores))} {self.trace:016x}"


def dealt(game: Game, random: ReferenceRandom) -> State:
    """A hand dealt as the reference deals it."""
    state = machine.new_state(game.table, dealer=LAST_PLAYER)
    machine.start_deal(state, random)
    return state


def play_hand(game: Game, random: ReferenceRandom) -> Played:
    """One hand; the generator goes on from hand to hand, as in the reference."""
    state = dealt(game, random)
    trace, decisions = TRACE_START, 0
    while not state.over:
        plays = legality.legal_plays(state)
        pick = random.below(len(plays))
        for number in (len(plays), pick):
            trace = (trace ^ number) * TRACE_PRIME & MASK
        machine.perform(state, plays[pick])
        decisions += 1
    return Played(decisions, state.scores, trace)


def play_hand_in_kernel(kernel: Kernel, game: Game, random: ReferenceRandom) -> Played:
    """The same by a kernel."""
    state = dealt(game, random)
    position = kernel.load(state)
    trace, decisions = TRACE_START, 0
    while not position.over:
        steps = kernel.legal(position)
        pick = random.below(len(steps))
        for number in (len(steps), pick):
            trace = (trace ^ number) * TRACE_PRIME & MASK
        steps[pick](position)
        decisions += 1
    kernel.store(position, state)
    machine.score_deal(state)
    return Played(decisions, state.scores, trace)


def hands(game: Game, seed: int, kernel: Kernel | None = None) -> Iterator[Played]:
    """Hand after hand from a seed, by the machine or a kernel."""
    random = ReferenceRandom(seed)
    while True:
        if kernel is None:
            yield play_hand(game, random)
        else:
            yield play_hand_in_kernel(kernel, game, random)


def reference_hands(folder: Path, seed: int, number: int) -> list[str]:
    """What the C program says of these hands. Raises OSError, CalledProcessError."""
    with tempfile.TemporaryDirectory() as place:
        program = folder / "canasta"
        if not program.exists():
            program = Path(place) / "canasta"
            subprocess.run(["gcc", "-O3", "-o", program, folder / "canasta.c"], check=True)
        done = subprocess.run(
            [program, "check", str(seed), str(number)], capture_output=True, text=True, check=True
        )
    return done.stdout.splitlines()


def differences(ours: Iterable[Played], theirs: Iterable[str], name: str) -> str | None:
    """The first difference in words; None where there is none."""
    for number, (played, expected) in enumerate(zip(ours, theirs, strict=False), 1):
        if str(played) != expected:
            return f"hand {number} differs: ours {played}, {name} {expected}"
    return None


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--reference", type=Path, required=True, help="folder with canasta.c")
    parser.add_argument("--hands", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=SEED)
    parser.add_argument("--machine", action="store_true", help="by the machine, not by a kernel")
    parser.add_argument("--write", type=Path, help="write the facts of the hands to this file")
    given = parser.parse_args()
    theirs = reference_hands(given.reference, given.seed, given.hands)
    if given.write:
        head = f"# seed {given.seed}; a hand each: decisions, scores, trace\n"
        given.write.write_text(head + "".join(f"{line}\n" for line in theirs), encoding="utf-8")
    game = meldc.load(SPEC)
    kernel = None if given.machine else kernel_of(game.table)
    start = time.perf_counter()
    wrong = differences(hands(game, given.seed, kernel), theirs, "C")
    if wrong is not None:
        print(wrong)
        return 1
    seconds = time.perf_counter() - start
    print(f"{len(theirs)} hands identical in decisions, scores and trace ({seconds:.1f} s)")
    return 0


if __name__ == "__main__":
    sys.exit(main())
