"""Every check of a game with rules of its own plays a few deals."""

from __future__ import annotations

from itertools import count
from pathlib import Path

import pytest

from meldc.cli.searching import tried_out
from meldc.compilation import compile_spec
from meldc.deep import trial
from meldc.deep.search import search
from meldc.diagnostics import Diagnostic


def told(folder: Path, base: str, text: str) -> list[Diagnostic]:
    path = folder / "mine.yaml"
    path.write_text(f"variant: mine\ntitle: Mine\nextends: {base}\n{text}", encoding="utf-8")
    compilation = compile_spec(path)
    assert compilation.program is not None
    assert compilation.model is not None
    return list(tried_out(compilation.program, compilation.sources, compilation.model.span))


STRANDED = {
    "cards that nobody may play": ("hold", "play requires card.rank < A"),
    "one card too few laid away": ("two_cards", "bury requires count(cards) = 1"),
}


@pytest.mark.parametrize("name", STRANDED)
def test_player_without_a_play__is_told_at_the_rule(name: str, tmp_path: Path) -> None:
    rule, says = STRANDED[name]
    replace = "replace " if rule == "two_cards" else ""
    text = f'rules: |\n  {replace}rule {rule}\n    {says}\n    because "so"\n'
    (found,) = told(tmp_path, "paston", text)
    assert found.code == "MC0901"
    assert found.is_error
    assert found.primary.span is not None
    assert found.primary.span.line == 5


def test_rule_that_refuses__is_named_with_a_cure(tmp_path: Path) -> None:
    text = 'rules: |\n  rule must\n    end of turn requires melded\n    because "so"\n'
    (found,) = told(tmp_path, "classic", text)
    assert "`must` refuses" in found.message
    assert "while another will do" in found.help[0]


def test_deal_that_stands_still__is_told(tmp_path: Path) -> None:
    (found,) = told(tmp_path, "paston", "remove: [moment next_bidder]\n")
    assert found.code == "MC0902"


@pytest.mark.parametrize(
    "text", ["remove: [action discard]\n", "rules: |\n  remove action discard\n"]
)
def test_action_taken_away__is_tried_out_wherever_it_is_said(text: str, tmp_path: Path) -> None:
    (found,) = told(tmp_path, "classic", text)
    assert found.code == "MC0901"


@pytest.mark.parametrize(
    "text", ["target: 3000\n", 'rules: |\n  score more\n    gives 5\n    because "more"\n']
)
def test_sound_game__gives_nothing(text: str, tmp_path: Path) -> None:
    assert told(tmp_path, "classic", text) == []


def test_shipped__is_not_played() -> None:
    compilation = compile_spec("paston", [])
    assert compilation.program is not None
    assert tried_out(compilation.program, compilation.sources, None) == ()


CALLS = """\
machine calls "Numbers are named, each higher than the last"

zone stock            hidden, holds the pack
zone hand of player   shown to owner

phase call begins turn "call"

remember named = 0 each deal
remember calls = 0 each deal

moment dealt at start of deal
  then
    for each player from left(dealer)
      move 5 from stock to hand
    go to call for left(dealer)

action bid(number in (named + 1)..9) "bid {number}"
  during call
  then
    named becomes number
    calls gains 1
    end turn

moment turn_passes at end of turn
  then go to call for left(player)

moment enough after bid
  when calls = 12
  then end deal

moment over at end of deal
  then end game

score called of player
  gives 1
  because "so it is"
"""
SHOWN = """\
action show "show"
  during call
  then go to shown for left(player)

phase shown "show"

"""
SHOW = 'action point(card in hand where rank > A) "point {card}"\n  during shown\n  then end turn\n'
OTHER = (
    'action other(card in hand where rank > A) "other {card}"\n  during shown\n  then end turn\n'
)
PLACES = {
    "choices that are used up": (CALLS, "action bid", ["phase call"]),
    "the phase that another action leads to": (
        CALLS + SHOWN + SHOW,
        "action point",
        ["action show", "phase shown"],
    ),
    "several actions that cannot be played": (
        CALLS + SHOWN + SHOW + OTHER,
        "action show",
        ["phase shown"],
    ),
}


@pytest.mark.parametrize("name", PLACES)
def test_place__is_the_declaration_that_leads_there(name: str, tmp_path: Path) -> None:
    rules, at, others = PLACES[name]
    (tmp_path / "calls.rules").write_text(rules, encoding="utf-8")
    path = tmp_path / "mine.yaml"
    path.write_text(
        "variant: mine\ntitle: Mine\nmachine: calls.rules\nplayers: 4\nside_size: 1\n"
        "pack: {packs: 1}\n",
        encoding="utf-8",
    )
    compilation = compile_spec(path)
    assert compilation.program is not None
    (found,) = tried_out(compilation.program, compilation.sources, None)
    lines = rules.split("\n")
    spans = [found.primary.span, *(each.span for each in found.secondary)]
    told = [lines[span.line - 1] for span in spans if span is not None]
    assert found.code == "MC0901"
    assert len(told) == 1 + len(others)
    assert all(map(str.startswith, told, [at, *others]))


def test_trial__costs_the_same_decisions_on_any_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    program = compile_spec("classic").program
    assert program is not None
    slow = count(step=0.01)
    monkeypatch.setattr("time.process_time", lambda: next(slow))
    tried = [search(program, trial.budget()) for _ in range(2)]
    assert tried[0].longest == tried[1].longest > 50
    assert 0 < tried[0].total == tried[1].total < 8


def test_trial__of_a_game_that_is_slow_to_play_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    program = compile_spec("classic").program
    assert program is not None
    slow = count(step=trial.PATIENCE / 10)
    monkeypatch.setattr("time.process_time", lambda: next(slow))
    assert not search(program, trial.budget()).complete
