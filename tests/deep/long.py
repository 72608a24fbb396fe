"""Draws many games by mutation, and spoils many files, and holds each to what must hold:
`python3 tests/deep/long.py`.

Prints how many were refused, played and were too slow, and the seeds of those that fail; with
`--show SEED` the mutated game of a seed.
"""

from __future__ import annotations

import argparse
import resource
import sys
import tempfile
import time
import traceback
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path

ROOT = Path(__file__).parents[2]
for folder in ("compiler", "runtime", "tests"):
    sys.path.insert(0, str(ROOT / folder))

from deep.mutation import at_most, check, draw  # noqa: E402 - after the path is set
from deep.spoiling import check_spoilt  # noqa: E402

SPOILT_SECONDS = 10.0


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--from", dest="first", type=int, default=0, help="the first seed")
    parser.add_argument("--games", type=int, default=1000)
    parser.add_argument("--minutes", type=float, default=1e6, help="begins no game after them")
    parser.add_argument("--deals", type=int, default=50)
    parser.add_argument("--seconds", type=float, default=20.0, help="for the deals of one game")
    parser.add_argument("--files", action="store_true", help="only spoilt files, no games")
    parser.add_argument("--slow", action="store_true", help="also games that are slow to play")
    parser.add_argument("--show", type=int, help="only show the game of a seed")
    given = parser.parse_args()
    if given.show is not None:
        drawn = draw(given.show, slow=given.slow)
        for name, text in ((drawn.name, drawn.text), *drawn.files):
            print(f"# {name} {' '.join(drawn.houses)}\n{text}")
        return 0
    came: Counter[str] = Counter()
    until = time.monotonic() + given.minutes * 60
    with tempfile.TemporaryDirectory() as folder:
        for seed in range(given.first, given.first + given.games):
            if time.monotonic() > until:
                break
            for outcome in _outcomes(seed, Path(folder), given):
                came[outcome] += 1
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    for outcome, number in sorted(came.items()):
        print(f"{number} {outcome}")
    print(f"at most {memory} MB of memory")
    return 1 if any("failed" in outcome for outcome in came) else 0


def _outcomes(seed: int, folder: Path, given: argparse.Namespace) -> Iterator[str]:
    """What became of the mutated game, and of the spoilt file, of a seed."""
    yield f"spoilt: {_guarded(f'spoilt seed {seed}', lambda: _spoilt(seed, folder))}"
    if given.files:
        return
    drawn = draw(seed, slow=given.slow)
    what = f"seed {seed} ({drawn.name} {' '.join(drawn.houses)})"
    played = _guarded(what, lambda: check(drawn, folder, given.deals, given.seconds))
    if played == "dead end":
        print(f"{what}: a dead end", flush=True)
    yield f"mutated: {played}"


def _spoilt(seed: int, folder: Path) -> str:
    with at_most(SPOILT_SECONDS):
        return "refused" if check_spoilt(seed, folder) else "accepted"


def _guarded(what: str, work: Callable[[], str]) -> str:
    try:
        return work()
    except Exception as problem:
        last = traceback.extract_tb(problem.__traceback__)[-1]
        where = f"{type(problem).__name__} at {Path(last.filename).name}:{last.lineno}"
        print(f"{what}: {where}: {problem}", flush=True)
        return "failed"


if __name__ == "__main__":
    sys.exit(main())
