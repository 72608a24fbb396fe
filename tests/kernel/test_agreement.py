"""Kernels play as the machine does: the same lists, the same positions, the same scores."""

from __future__ import annotations

import pickle
from pathlib import Path
from typing import Any

import agreement
import pytest

import meldc
from meldc_runtime import legality, machine
from meldc_runtime.folder import keep
from meldc_runtime.game import Game
from meldc_runtime.kernel import Kernel, Player, kernel_of, player_of
from meldc_runtime.randomness import Random

DEALS = 3
MOST = 400


@pytest.fixture(scope="module")
def classic() -> tuple[Game, Kernel]:
    game = meldc.load("classic")
    return game, kernel_of(game.table)


def test_classic__is_played_alike(classic: tuple[Game, Kernel]) -> None:
    game, kernel = classic
    found = [agreement.deal_of(game, kernel, seed, MOST) for seed in range(1, DEALS + 1)]
    assert [difference for _, difference in found] == [""] * DEALS
    assert sum(decisions for decisions, _ in found) > 200


@pytest.mark.parametrize("variant", ["kanasta", "uruguayan-wild", "cuban"])
def test_melds_of_wild_cards__are_played_alike(variant: str) -> None:
    game = meldc.load(variant)
    kernel = kernel_of(game.table)
    kinds = [kind.shape for kind in game.program.kinds]
    assert "any" in kinds
    found = [agreement.deal_of(game, kernel, seed, MOST) for seed in range(1, DEALS + 1)]
    assert [difference for _, difference in found] == [""] * DEALS


def test_melds_of_wild_cards__another_begins_when_the_first_is_full() -> None:
    game = meldc.load("uruguayan-wild")
    given: dict[str, Any] = {
        "turn": "P1", "phase": "play", "opened": {"A": True},
        "hands": {"P1": "2H 2S Jkr Jkr Jkr 9C 5D 6H", "P2": "4C", "P3": "7H", "P4": "8S"},
        "melds": {"A": ["2C 2C 2D 2D 2H", "KC KD KH KS KC KD KH"]},
    }  # fmt: skip
    state, kernel = game.position(given).state, kernel_of(game.table)
    position = kernel.load(state)
    meld, add = game.table.actions["meld"], game.table.actions["add"]
    begun = []
    for action in (add, add, meld):
        plays, steps = legality.legal_plays(state), kernel.legal(position)
        assert [*map(kernel.said, steps)] == [kernel.alike(state, play) for play in plays]
        begun.append(any(play.action == meld for play in plays))
        home = max(meld.serial for meld in state.melds[0])  # the wild ones lie first
        number = next(
            n
            for n, play in enumerate(plays)
            if play.action == action and (action == meld or play.args[1] != (0, home))
        )
        machine.perform(state, plays[number])
        steps[number](position)
        assert agreement._differing_part(kernel.load(state), position) == ""
    assert begun == [False, False, True]
    assert len(state.melds[0]) == 3


def test_classic__going_out_concealed_is_scored_alike(classic: tuple[Game, Kernel]) -> None:
    game, kernel = classic
    given = {
        "turn": "P1", "phase": "play",
        "hands": {"P1": "5C 5D 5H 5S 5C 5D 5H 9C 9D 9H KS", "P2": "4C 6D", "P3": "7H", "P4": "8S"},
        "melds": {"B": ["KC KD KH"]}, "opened": {"B": True},
    }  # fmt: skip
    state = game.position(given).state
    position = kernel.load(state)
    below = Random(3).below
    while not position.over:
        plays, steps = legality.legal_plays(state), kernel.legal(position)
        assert [*map(kernel.said, steps)] == [kernel.alike(state, play) for play in plays]
        melding = [i for i, play in enumerate(plays) if play.action in (2, 3)]
        number = melding[0] if melding else below(len(plays))
        machine.perform(state, plays[number])
        steps[number](position)
    kernel.store(position, ours := state.copy())
    machine.score_deal(ours)
    assert ours.sheet == state.sheet
    assert ("for_concealment", 0, 100) in state.sheet


def test_player__deals_as_the_machine_does(classic: tuple[Game, Kernel]) -> None:
    game, kernel = classic
    state = machine.start_game(game.table, 11)
    ours = state.copy()
    dealt = Player(kernel).deal(ours, Random.of(11, "bots"))
    chance, decisions, actions = Random.of(11, "bots"), 0, [0] * len(game.program.actions)
    while not state.over:
        plays = legality.legal_plays(state)
        play = plays[chance.below(len(plays))]
        actions[play.action] += 1
        decisions += 1
        machine.perform(state, play)
    assert (dealt.decisions, dealt.actions) == (decisions, tuple(actions))
    assert (ours.sheet, ours.scores, ours.over) == (state.sheet, state.scores, True)
    assert dealt.finished and not dealt.stuck


def test_player__of_a_game_without_a_kernel_is_none() -> None:
    assert player_of(meldc.load("samba").table) is None


def test_kernel__is_kept_between_runs(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("MELDC_CACHE_DIR", str(tmp_path))
    table = meldc.load(str(Path(agreement.__file__).parent / "specs" / "hand.yaml")).table
    source = kernel_of(table).source
    (file,) = (tmp_path / "kernels").iterdir()
    monkeypatch.setattr("meldc_runtime.kernel.kernel.write_kernel", lambda table: None)
    assert kernel_of(table).source == source
    monkeypatch.undo()
    monkeypatch.setenv("MELDC_CACHE_DIR", str(tmp_path))
    file.write_bytes(b"nonsense")
    assert kernel_of(table).source == source


def test_kernel__that_was_kept_makes_no_other_objects(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("MELDC_CACHE_DIR", str(tmp_path))
    table = meldc.load("samba").table
    assert player_of(table) is None
    (file,) = (tmp_path / "kernels").iterdir()
    keep(file, pickle.dumps((Path(),)))
    assert player_of(table) is None
