"""What `check` accepts runs; what it refuses has a code and a place; no bytes make it raise."""

from __future__ import annotations

from pathlib import Path

import pytest
from deep.mutation import at_most, check, draw
from deep.spoiling import check_spoilt

SEEDS = range(36)
"""A few games of the many that `python3 tests/deep/long.py` draws."""


@pytest.mark.parametrize("seed", SEEDS)
def test_mutated_game__plays_or_is_refused(seed: int, tmp_path: Path) -> None:
    assert check(draw(seed), tmp_path, deals=1, seconds=10) in ("refused", "plays", "slow")


def test_seed__decides_the_game() -> None:
    assert draw(7) == draw(7)
    assert len({draw(seed).text for seed in range(40)}) > 20


@pytest.mark.parametrize("seed", range(60))
def test_spoilt_file__gives_diagnostics(seed: int, tmp_path: Path) -> None:
    """Of a variant, a house rule or a machine, through the whole compiler and all renderers."""
    with at_most(10):
        check_spoilt(seed, tmp_path)
