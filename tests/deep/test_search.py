"""What playing in search of trouble finds, and that the shipped games have none."""

from __future__ import annotations

from pathlib import Path

import pytest

from meldc.compilation import compile_spec
from meldc.deep import Budget, Tried, confidence, diagnose, search
from meldc.deep.findings import Sort
from meldc_runtime.game import Game
from meldc_runtime.program import Program

HEAD = "variant: mine\ntitle: Mine\nextends: classic\n"
DEAD_END = """\
remove: [moment nothing_but_pass]
rules: |
  rule nobody_passes
    pass forbidden when count(hand) > 0
    because "nobody passes"
"""
NO_END = """\
rules: |
  action wait "wait"
    during draw
    then go to draw
"""
NOBODY = """\
rules: |
  moment gift at start of turn
    then go to draw for left(player)
"""
AMPLE = 600.0


def program_of(tmp_path: Path, text: str) -> Program:
    path = tmp_path / "mine.yaml"
    path.write_text(HEAD + text, encoding="utf-8")
    program = compile_spec(path).program
    assert program is not None
    return program


def played(program: Program, deals: int, seed: int = 1) -> Tried:
    return search(program, Budget(deals=deals, seconds=AMPLE, seed=seed))


def test_dead_end__is_found_and_played_again(tmp_path: Path) -> None:
    program = program_of(tmp_path, DEAD_END)
    tried = played(program, 6)
    finding = next(each for each in tried.findings if each.sort is Sort.DEAD_END)
    state = Game(program, finding.players).start(finding.seed)
    deal = 1
    for move in finding.moves:
        if move.deal != deal:
            state.next_deal()
            deal = move.deal
        assert state.to_act == move.player
        state.apply(move.action)
    assert not state.is_over
    assert not state.legal_actions()


def test_dead_end__is_an_error_with_its_seed(tmp_path: Path) -> None:
    program = program_of(tmp_path, DEAD_END)
    tried = played(program, 6)
    found = next(e for e in diagnose(program, tried, None, {}) if e.code == "MC0901")
    assert found.is_error
    assert "seed" in found.primary.text
    assert any("actions" in note for note in found.notes)


def test_no_end__is_found(tmp_path: Path) -> None:
    program = program_of(tmp_path, NO_END)
    tried = search(program, Budget(deals=2, seconds=20, seed=3))
    (found,) = [e for e in diagnose(program, tried, None, {}) if e.code == "MC0902"]
    assert "the same position comes again" in found.message


def test_game_without_a_decision__is_an_error(tmp_path: Path) -> None:
    program = program_of(tmp_path, NOBODY)
    tried = played(program, 4)
    (found,) = diagnose(program, tried, None, {})
    assert (found.code, found.is_error) == ("MC0907", True)
    assert not any("no deal had" in line for line in confidence(tried))


def test_later_deals__are_played_and_their_totals_told() -> None:
    program = compile_spec("paston").program
    assert program is not None
    tried = played(program, 12)
    assert tried.later >= 8
    assert tried.lowest < 0 or tried.highest > 0
    said = f"begun with totals from {tried.lowest} to {tried.highest}"
    assert any(said in line for line in confidence(tried))


@pytest.mark.parametrize("variant", ["classic", "samba", "hand-and-foot", "paston"])
def test_shipped__has_neither(variant: str) -> None:
    program = compile_spec(variant).program
    assert program is not None
    tried = played(program, 7)
    assert tried.total == 7
    assert not [each.sort for each in tried.findings]
    assert not diagnose(program, tried, None, {})


def test_search__is_decided_by_its_seed() -> None:
    program = compile_spec("paston").program
    assert program is not None
    one, same, other = played(program, 8), played(program, 8), played(program, 8, seed=2)
    assert (one.decisions, one.actions, one.broken) == (same.decisions, same.actions, same.broken)
    assert one.actions != other.actions


def test_confidence__is_the_rule_of_three() -> None:
    tried = Tried()
    tried.deals[4] = 300
    assert any("fewer than 1 % of deals" in line for line in confidence(tried))
    assert "nothing was tried" in confidence(Tried())[0]


def test_time__ends_the_search() -> None:
    program = compile_spec("classic").program
    assert program is not None
    tried = search(program, Budget(deals=1_000_000, seconds=0.2))
    assert not tried.complete
    assert any("time" in line for line in confidence(tried))


def test_rule_that_never_decides__is_told_of_own_files_only(tmp_path: Path) -> None:
    program = program_of(
        tmp_path,
        "rules: |\n  rule odd\n    discard forbidden when count(hand) > 30 and deal_number > 40\n"
        '    because "odd"\n',
    )
    tried = played(program, 4)
    tried.deals[4] = 100
    tried.judged["odd"] = 2000
    codes = [(e.code, e.primary.span and e.primary.span.file) for e in diagnose(
        program, tried, None, {}
    ) if e.code == "MC0903"]  # fmt: skip
    assert [code for code, _ in codes] == ["MC0903"]
    assert str(codes[0][1]).endswith("mine.yaml")


NEVER = """\
rules: |
  rule unmeldable
    opening forbidden when any(melds)
    because "nobody opens"
  action boast "boast"
    during play
    then end turn
  rule modest
    boast forbidden when count(hand) > 0
    because "nobody boasts"
"""


def test_what_never_came__is_told_at_the_rules_that_refuse(tmp_path: Path) -> None:
    base = program_of(tmp_path, NEVER.replace("any(melds)", "count(melds) > 3"))
    tried = played(base, 2)
    tried.deals[4] = 100  # as if it had gone on so
    tried.happened["opening"] = 0
    tried.broken["unmeldable"] = tried.broken["modest"] = 5
    came = [each for each in diagnose(base, tried, None, {}) if each.code == "MC0908"]
    assert [each.message for each in came] == [
        "`boast` was never played in 100 deals: `modest` refuses",
        "`opening` never happened in 100 deals: `unmeldable` refuses",
    ]
    assert all(each.primary.span is not None and not each.is_error for each in came)
    assert any(line.startswith("never played: ") and "boast" in line for line in confidence(tried))


def test_what_the_base_refuses__is_not_told(tmp_path: Path) -> None:
    program = program_of(tmp_path, "target: 3000\n")
    tried = played(program, 1)
    tried.deals[4] = 100
    tried.happened["going_out"] = 0
    assert [e for e in diagnose(program, tried, None, {}) if e.code == "MC0908"] == []


class Ticking:
    """A clock that goes on by a second whenever it is looked at."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        self.now += 1.0
        return self.now


def test_time__nothing_is_decided_after_it_is_up(tmp_path: Path) -> None:
    """Where a single decision takes long, too: the clock is looked at before each."""
    seconds = 10.0
    program = program_of(tmp_path, "hand_size: 13")
    tried = search(program, Budget(deals=9, seconds=seconds, clock=Ticking()))
    assert not tried.complete
    assert 0 < tried.decisions <= seconds
