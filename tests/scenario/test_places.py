"""Where a scenario file finds the game that it tests."""

from __future__ import annotations

from pathlib import Path

import pytest

from meldc.scenario import run_file
from meldc.source import Sources

GAME = "variant: own\ntitle: Own\nextends: classic\ntarget: 3000\n"
HOUSE = "house: small\ntitle: Small\nmachine: canasta\nhand_size: 9\n"
TESTS = """variant: own.yaml
house: [small.yaml]
tests:
  - name: the target is the game's own, the hand the house rule's
    clause: own
    given: {hands: {P1: 4C 5C}, turn: P1}
    steps:
      - expect: target = 3000 and hand_size = 9
"""


def test_paths__start_at_the_folder_of_the_scenario(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "games"
    folder.mkdir()
    for name, text in (("own.yaml", GAME), ("small.yaml", HOUSE), ("own-test.yaml", TESTS)):
        (folder / name).write_text(text)
    monkeypatch.chdir(tmp_path)
    outcomes = run_file(Path("games/own-test.yaml"), Sources())
    assert [(outcome.passed, outcome.reason) for outcome in outcomes] == [(True, "")]
