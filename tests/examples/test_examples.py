"""Whole games written from their published rules: clean, right in their scenarios, and playable."""

from __future__ import annotations

import random
from functools import cache
from pathlib import Path

import pytest
from cli.support import run

from meldc.compilation import compile_spec
from meldc_runtime import legality, machine
from meldc_runtime.cards import FACE
from meldc_runtime.state import State
from meldc_runtime.table import Table

HERE = Path(__file__).parent
SHIPPED = HERE.parents[1] / "specs" / "examples"
TESTS = sorted((*HERE.glob("*-test.yaml"), *SHIPPED.glob("*-test.yaml")))
GAMES = {path.name.removesuffix("-test.yaml"): path.parent for path in TESTS}


@cache
def game(name: str, players: int | None = None) -> Table:
    compilation = compile_spec(GAMES[name] / f"{name}.yaml")
    assert not compilation.diagnostics
    assert compilation.program is not None
    return Table(compilation.program, players)


def played(table: Table, seed: int) -> State:
    """A deal of random plays; every player always has one."""
    state, chance = machine.start_game(table, seed), random.Random(seed)
    while not state.over:
        plays = legality.legal_plays(state)
        assert plays
        machine.apply(state, chance.choice(plays))
        lying = [card & FACE for zone in state.zones for card in zone]
        lying += [card & FACE for melds in state.melds for meld in melds for card in meld.cards]
        assert tuple(sorted(lying)) == table.pack
    return state


@pytest.mark.parametrize("path", TESTS, ids=lambda path: path.stem)
def test_scenarios__pass(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    ran = run(capsys, "test", str(path))
    assert (ran.code, "0 failed" in ran.out) == (0, True), ran.out


@pytest.mark.parametrize("name", GAMES)
def test_deals__come_to_an_end_without_a_dead_end(name: str) -> None:
    for seed in range(3):
        state = played(game(name), seed)
        assert len(state.scores) == state.table.sides


def test_hearts__all_points_go_round() -> None:
    for seed in range(3):
        assert sum(played(game("hearts"), seed).scores) in (26, 78)


def test_oh_hell__deals_shrink_and_grow_and_the_game_ends() -> None:
    table = game("oh-hell", 4)
    state = machine.start_game(table, 1)
    hand = table.zone_slot("hand", 0)
    sizes = []
    while True:
        sizes.append(len(state.zones[hand]))
        while not state.over:
            machine.apply(state, legality.legal_plays(state)[-1])
        if state.game_over:
            break
        machine.next_deal(state)
    assert sizes == [7, 6, 5, 4, 3, 2, 1, 2, 3, 4, 5, 6, 7]
