"""Draws many games by mutation and holds each to what must hold: `python3 tests/deep/long.py`.

Prints how many were refused, played and were too slow, and the seeds of those that fail; with
`--show SEED` the game of a seed.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
import traceback
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).parents[2]
for folder in ("compiler", "runtime", "tests"):
    sys.path.insert(0, str(ROOT / folder))

from deep.mutation import check, draw  # noqa: E402 - after the path is set


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--from", dest="first", type=int, default=0, help="the first seed")
    parser.add_argument("--games", type=int, default=1000)
    parser.add_argument("--deals", type=int, default=50)
    parser.add_argument("--seconds", type=float, default=20.0, help="for the deals of one game")
    parser.add_argument("--slow", action="store_true", help="also games that are slow to play")
    parser.add_argument("--show", type=int, help="only show the game of a seed")
    given = parser.parse_args()
    if given.show is not None:
        drawn = draw(given.show, slow=given.slow)
        for name, text in ((drawn.name, drawn.text), *drawn.files):
            print(f"# {name} {' '.join(drawn.houses)}\n{text}")
        return 0
    came: Counter[str] = Counter()
    failed: list[int] = []
    started = time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        for seed in range(given.first, given.first + given.games):
            drawn = draw(seed, slow=given.slow)
            try:
                outcome = check(drawn, Path(folder), given.deals, given.seconds)
                came[outcome] += 1
                if outcome == "dead end":
                    print(f"seed {seed} ({drawn.name} {' '.join(drawn.houses)}): a dead end")
            except Exception as problem:
                failed.append(seed)
                last = traceback.extract_tb(problem.__traceback__)[-1]
                where = f"{type(problem).__name__} at {Path(last.filename).name}:{last.lineno}"
                print(f"seed {seed} ({drawn.name} {' '.join(drawn.houses)}): {where}: {problem}")
    said = ", ".join(f"{number} {what}" for what, number in sorted(came.items()))
    seconds = time.monotonic() - started
    print(f"{given.games} games in {seconds:.0f} s: {said}, {len(failed)} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
