"""Simulations on a local cluster of two workers; skipped where Ray is not installed.

`pip install -e ".[cluster]"`, then `pytest tests/simulate/test_cluster.py`.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from simulate.test_rows import game_of

from meldc.simulate.cluster import RayForce, play
from meldc_runtime.simulation import Match, Task, run, workforce
from meldc_runtime.simulation.spans import Packed, Played, Span

pytestmark = pytest.mark.filterwarnings("ignore")

ray: Any = pytest.importorskip("ray")


@pytest.fixture
def cluster() -> Iterator[None]:
    os.environ.pop("RAY_ADDRESS", None)
    ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False, configure_logging=False)
    yield
    ray.shutdown()


def test_cluster__gives_the_same_as_one_process(cluster: None) -> None:
    games = (("classic", game_of("classic")), ("other", game_of("classic", "fewer-wilds")))
    match = Match(games, Task(6, False, 1), rows=True)
    alone: list[Played] = []
    together: list[Played] = []
    one = run(match, workforce(match, 1), tell=alone.append)
    two = run(match, RayForce(match, 2), tell=together.append)
    assert together == alone
    assert two == one
    assert two.stopped is None


def test_lost_worker__costs_a_repeat_of_its_share_only(cluster: None, tmp_path: Path) -> None:
    match = Match((("paston", game_of("paston")),), Task(8, False, 1))
    asked = tmp_path / "asked"

    def losing(packed: Packed, span: Span) -> Played:
        with asked.open("a") as file:
            file.write(f"{span.start}\n")
        if span.start == 3 and asked.read_text().count("3\n") == 1:
            os._exit(1)
        return play(packed, span)

    force = RayForce(match, 2)
    force.play = ray.remote(max_retries=2, num_cpus=1)(losing)
    outcome = run(match, force)
    assert outcome == run(match, workforce(match, 1))
    counted = asked.read_text().split()
    assert counted.count("3") == 2
    assert len(counted) < 8 + 3  # not all is played again
