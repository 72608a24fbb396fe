"""The reference hand, written in the language, is played choice for choice like the C program whose
facts are in hands.txt.
"""

from __future__ import annotations

from itertools import islice
from pathlib import Path

import pytest
import yardstick

import meldc
from meldc_runtime import legality, machine
from meldc_runtime.cards import FACE
from meldc_runtime.game import Game
from meldc_runtime.kernel import Kernel, NotLowered, kernel_of
from meldc_runtime.randomness import Random

FACTS = Path(__file__).with_name("hands.txt")


@pytest.fixture(scope="module")
def game() -> Game:
    return meldc.load(yardstick.SPEC)


def test_hand__takes_the_decisions_of_the_reference(game: Game) -> None:
    first, *facts = FACTS.read_text(encoding="utf-8").splitlines()
    seed = int(first.split()[2].rstrip(";"))
    ours = [str(played) for played in islice(yardstick.hands(game, seed), len(facts))]
    assert ours == facts


def test_differences__name_the_first_hand_that_differs(game: Game) -> None:
    played = yardstick.Played(1, (2, 3), 4)
    same, other = "1 2 3 0000000000000004", "1 2 3 0000000000000005"
    assert yardstick.differences([played, played], [same, same], "C") is None
    found = yardstick.differences([played, played], [same, other], "C")
    assert found is not None and found.startswith("hand 2 differs")


def test_discards__come_in_the_order_of_the_lists_put_together(game: Game) -> None:
    position = game.position(
        {"turn": "P1", "phase": "discarding", "hands": {"P1": "2S 3S 4D 4C KH Jkr 3C"}}
    )
    listed = [str(action) for action in position.legal_actions()]
    assert listed == [f"discard {card}" for card in ("4C", "KH", "3C", "2S", "Jkr")]


def test_lays__go_by_rank_then_by_what_is_beside(game: Game) -> None:
    given = {
        "turn": "P1", "phase": "laying", "opened": {"A": True},
        "hands": {"P1": "2S Jkr 5C 5D 5H 9C KC KD 7S 7D 8C"}, "melds": {"A": ["9D 9H 9S"]},
    }  # fmt: skip
    listed = [str(action) for action in game.position(given).legal_actions()]
    ranks = [("5", "alone", "with two", "with joker"), ("7", "with two", "with joker"),
             ("9", "alone", "with two", "with joker"), ("K", "with two", "with joker")]  # fmt: skip
    assert listed == [*(f"lay {rank} {how}" for rank, *hows in ranks for how in hows), "stop"]


def test_a_meld__takes_all_naturals_of_its_rank(game: Game) -> None:
    given = {
        "turn": "P1", "phase": "laying", "opened": {"A": True},
        "hands": {"P1": "5C 5D 5H 5S 2S KC QC"},
    }  # fmt: skip
    state = game.position(given).state
    machine.apply(state, next(play for play in legality.legal_plays(state)))
    assert [[card & FACE for card in meld.cards] for meld in state.melds[0]] == [[12, 13, 14, 15]]


def test_two_cards__stay_without_a_canasta(game: Game) -> None:
    given = {"turn": "P1", "phase": "laying", "opened": {"A": True}, "hands": {"P1": "5C 5D 5H KC"}}
    position = game.position(given)
    assert [reason.rule for reason in position.why_illegal("lay 5 alone")] == ["two_cards_left"]
    with_canasta = game.position(given | {"melds": {"A": ["9C 9D 9H 9S 9C 9D 9H"]}})
    assert with_canasta.is_legal("lay 5 alone")


@pytest.fixture(scope="module")
def kernel(game: Game) -> Kernel:
    return kernel_of(game.table)


def test_kernel__takes_the_decisions_of_the_reference(game: Game, kernel: Kernel) -> None:
    first, *facts = FACTS.read_text(encoding="utf-8").splitlines()
    seed = int(first.split()[2].rstrip(";"))
    ours = [str(played) for played in islice(yardstick.hands(game, seed, kernel), len(facts))]
    assert ours == facts


def test_kernel__offers_the_plays_of_the_machine(game: Game, kernel: Kernel) -> None:
    random = Random(7)
    state = machine.start_game(game.table, 5)
    position = kernel.load(state)
    while not position.over:
        steps, plays = kernel.legal(position), legality.legal_plays(state)
        assert [*map(kernel.said, steps)] == [kernel.alike(state, play) for play in plays]
        pick = random.below(len(plays))
        machine.perform(state, plays[pick])
        steps[pick](position)
        assert position.over == state.over
        if not state.over:
            again = kernel.load(state)
            for part in ("p", "turn", "phase", "h", "m", "r", "g", "lists"):
                assert getattr(again, part) == getattr(position, part)


def test_kernel__of_a_program_that_needs_more_is_refused() -> None:
    with pytest.raises(NotLowered, match="melds other than one of each rank"):
        kernel_of(meldc.load("samba").table)


def test_kernel__code_does_not_depend_on_what_was_built_before(game: Game, kernel: Kernel) -> None:
    assert kernel_of(game.table).source == kernel.source
