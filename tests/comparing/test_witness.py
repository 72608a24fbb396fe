"""A deal that shows how two games differ."""

from __future__ import annotations

from dataclasses import replace

import pytest
from cli.support import run
from runtime.building import NO

from meldc.comparing.witness import witness
from meldc.compilation import compile_spec
from meldc_runtime.game import Game
from meldc_runtime.program import Program
from meldc_runtime.program.declarations import Rule


def program_of(variant: str, *houses: str) -> Program:
    program = compile_spec(variant, houses).program
    assert program is not None
    return program


def test_games_part__at_a_decision() -> None:
    one, other = program_of("classic"), program_of("classic", "keep-jokers")
    found = witness(one, other)
    assert found is not None
    assert (found.first, found.second) == (("discard Jkr",), ())
    assert found.decision > 0


def test_seed__deals_it_again() -> None:
    found = witness(program_of("classic"), program_of("samba"))
    assert found is not None
    actions = {str(each) for each in Game(program_of("samba")).deal(found.seed).legal_actions()}
    assert set(found.second) - {found.second[0]} <= actions


def test_scores__part_at_the_end() -> None:
    found = witness(program_of("classic"), program_of("classic", "canasta-cards-count=no"))
    assert found is not None
    assert found.decision == 0
    assert found.first != found.second


def test_same_game__has_none() -> None:
    assert witness(program_of("paston"), program_of("paston")) is None


def test_dead_end_of_both__shows_nothing() -> None:
    program = program_of("paston")
    names = tuple(each.name for each in program.actions)
    nothing = Rule("nothing", names, (), (), False, NO, None, None, "", (), (), None)
    stuck = replace(program, rules=(*program.rules, nothing))
    assert not Game(stuck).deal(1).legal_actions()
    assert witness(stuck, stuck) is None


@pytest.mark.parametrize("shows", [True, False])
def test_diff__shows_it_where_asked(shows: bool, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["diff", "classic", "classic", "--house", "keep-jokers", *(["--deal"] if shows else [])]
    assert ("a deal that shows it" in run(capsys, *words).out) is shows
