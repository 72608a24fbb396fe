"""Plays a deal of every game and prints the digests of the action texts: run in a process of its
own, to see that games are the same there.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
SEED = 11
ACTIONS = 60
"""The deals are cut here; in games where thinking is slow, sooner (see `amounts.py`)."""


def start() -> subprocess.Popen[str]:
    """Begins to play in another process, whose sets are ordered otherwise."""
    paths = os.pathsep.join(str(ROOT / part) for part in ("tests", "compiler", "runtime"))
    environment = {**os.environ, "PYTHONPATH": paths, "PYTHONHASHSEED": "12345"}
    command = [sys.executable, "-m", "properties.digests"]
    return subprocess.Popen(
        command, env=environment, stdout=subprocess.PIPE, text=True, encoding="utf-8"
    )


def digests() -> dict[str, str]:
    """By the name of the seat."""
    from properties.amounts import cut
    from properties.kit import play
    from properties.tables import all_seats

    return {
        str(seat): play(seat.game, SEED, min(ACTIONS, cut(seat.variant) or ACTIONS)).digest
        for seat in all_seats()
    }


if __name__ == "__main__":
    print(json.dumps(digests()))
