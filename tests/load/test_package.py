"""The function `meldc.load` and the package of the same name."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]


def test_load__stays_a_function_whatever_is_imported() -> None:
    program = (
        "import meldc\n"
        "first = meldc.load\n"
        "import meldc.load.documents\n"
        "from meldc.load.catalogue import find\n"
        "assert callable(first) and meldc.load is first\n"
    )
    path = os.pathsep.join(str(ROOT / folder) for folder in ("compiler", "runtime"))
    ran = subprocess.run(
        [sys.executable, "-c", program],
        env={**os.environ, "PYTHONPATH": path},
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.returncode == 0, ran.stderr
