"""What differs between games, and what house rules change, in words and classes."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from cli.support import run

from meldc.comparing import Class, differences, house_changes, house_lines
from meldc.compilation import compile_spec
from meldc_runtime.program import Program


def program_of(variant: str, *houses: str) -> Program:
    program = compile_spec(variant, houses).program
    assert program is not None
    return program


def test_differences__are_classed_by_what_reads_them() -> None:
    found = {each.key: each.class_ for each in differences(*map(program_of, ("classic", "samba")))}
    assert found["settings.hand_size"] is Class.SETUP
    assert found["pack.packs"] is Class.SETUP
    assert found["settings.draws"] is Class.LEGALITY
    assert found["settings.canastas_to_go_out"] is Class.LEGALITY
    assert found["settings.pile_pair"] is Class.LEGALITY
    assert found["opening_points.7000"] is Class.LEGALITY
    assert found["settings.out_bonus"] is Class.SCORING
    assert found["canastas.samba.bonus"] is Class.SCORING
    assert found["bonus_worth.6"] is Class.SCORING


def test_differences__know_who_made_them() -> None:
    (target,) = [
        each
        for each in differences(program_of("samba"), program_of("bolivian"))
        if each.key == "settings.target"
    ]
    assert (target.before, target.after, target.source) == ("10000", "15000", "variant bolivian")
    assert target.in_words() == "points that end the game: 10000 -> 15000"


def test_same_game__has_none() -> None:
    assert not list(differences(program_of("classic"), program_of("classic")))
    assert not house_changes(program_of("classic"))


def test_what_is_gone__is_told() -> None:
    found = {each.key: each for each in differences(*map(program_of, ("classic", "hand-and-foot")))}
    assert found["rules.black_threes_last"].after is None
    assert "gone" in found["rules.black_threes_last"].in_words()


LINES = [
    (["deal-size=15"], "cards dealt to each hand: 11 -> 15 (house rule deal-size=15)"),
    (["jokers=3"], "jokers: 2 -> 3 (command line)"),
    (["fewer-wilds"], "melds, set: condition: new: wilds < naturals (house rule fewer-wilds)"),
    (
        ["no-canasta-pickup"],
        "the melds that may take the top card: any meld -> unfinished meld "
        "(house rule no-canasta-pickup)",
    ),
    (
        ["keep-jokers"],
        "rule keep jokers: new: jokers are not discarded (house rule keep-jokers)",
    ),
]


@pytest.mark.parametrize(("houses", "line"), LINES)
def test_house_rules__are_told(houses: list[str], line: str) -> None:
    assert house_lines(program_of("classic", *houses)) == [line]


def test_what_a_house_rule_removes__is_told(tmp_path: Path) -> None:
    path = tmp_path / "nob.yaml"
    path.write_text(
        "house: nob\ntitle: Nothing for going out\nmachine: canasta\n"
        "remove: [score for_going_out, melds.black_threes, rule black_threes_last]\n",
        encoding="utf-8",
    )
    program = program_of("classic", str(path))
    assert sorted(house_lines(program)) == [
        "melds, black threes: gone (house rule nob)",
        "rule black threes last: gone: black threes are melded only by a player who goes out in "
        "that turn (house rule nob)",
        "score line for going out: gone: going out (house rule nob)",
    ]
    found = {each.key for each in differences(program_of("classic"), program)}
    assert {"scores.for_going_out", "melds.black_threes.size"} <= found


def test_why_house__shows_them(capsys: pytest.CaptureFixture[str]) -> None:
    ran = run(capsys, "why", "classic", "house", "--house", "deal-size=15")
    assert ran.out.splitlines() == [
        "Classic Canasta with deal-size=15",
        "  cards dealt to each hand: 11 -> 15 (house rule deal-size=15)",
    ]
    data = json.loads(run(capsys, "why", "classic", "house", "--house", "jokers=3", "--json").out)
    assert [each["key"] for each in data] == ["pack.jokers"]


def test_diff__groups_by_class(capsys: pytest.CaptureFixture[str]) -> None:
    lines = run(capsys, "diff", "classic", "samba").out.splitlines()
    titles = [line for line in lines if not line.startswith(" ")]
    assert titles[1:] == ["setup (players, cards, the deal):", "what is legal:", "score:"]
    data = json.loads(run(capsys, "diff", "samba", "bolivian", "--json").out)
    assert {each["class"] for each in data} == {"legality", "scoring"}
    assert all(each["file"] for each in data)


def test_new_kind_of_meld__is_told_as_a_rulebook_tells_it(
    capsys: pytest.CaptureFixture[str],
) -> None:
    pattern = "any cards; from wild cards; 3 to 7 cards; one unfinished at a time"
    lines = run(capsys, "diff", "samba", "bolivian").out.splitlines()
    assert f"  melds, wild: new: {pattern}" in lines
    back = run(capsys, "diff", "bolivian", "samba").out.splitlines()
    assert f"  melds, wild: gone: {pattern}" in back
    assert f"wild: {pattern}" in run(capsys, "rulebook", "bolivian").out
