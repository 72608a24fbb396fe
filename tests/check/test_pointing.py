"""Problems are told at the line of the author that causes them, wherever they come to light."""

from __future__ import annotations

from pathlib import Path

import pytest
from check.support import compiled, in_rules, underlined

from meldc.compilation import Compilation, compile_spec

TEMPLATE = """\
machine shedding "Cards are shed"
use game

setting hand_size = 5 "cards dealt to each hand"

zone stock hidden, holds the pack
zone hand of player shown to owner
zone pile shown
zone kept of player shown

phase play begins turn "shed a card"

moment dealt at start of deal
  then
    shuffle stock
    for each player from left(dealer)
      move hand_size from stock to hand
    go to play for left(dealer)

action shed(card in hand) "shed {card}"
  during play
  then
    move card to pile
    go to play for left(player)

moment out
  when hand is empty
  then end deal

score left of player
  gives 1
  when hand is empty
  because "out"
"""
GAME = "variant: mine\ntitle: Mine\nmachine: shedding\nside_size: 1\npack: {packs: 1}\ntarget: 9\n"


def own_game(folder: Path, tables: str, *changes: tuple[str, str]) -> Compilation:
    """A game with a machine of its own, of which some words are changed."""
    machine = TEMPLATE
    for before, after in changes:
        assert before in machine
        machine = machine.replace(before, after)
    (folder / "shedding.rules").write_text(machine, encoding="utf-8")
    path = folder / "mine.yaml"
    path.write_text(GAME + tables, encoding="utf-8")
    return compile_spec(path)


def test_own_game__is_without_problems(tmp_path: Path) -> None:
    (found,) = underlined(own_game(tmp_path, "players: 2..4\n"))
    assert found == ("MC0730", "kept")


DEALS: dict[str, tuple[str, list[tuple[str, str]]]] = {
    "too many players at the largest table": ("players: 2..11", [("MC0603", "2..11")]),
    "too many cards at every table": ("players: 2..4\nhand_size: 30", [("MC0603", "30")]),
    "one number of players": ("players: 11", [("MC0603", "5")]),
}


@pytest.mark.parametrize("name", DEALS)
def test_deal__is_told_at_players_where_fewer_could_play(name: str, tmp_path: Path) -> None:
    tables, expected = DEALS[name]
    assert underlined(own_game(tmp_path, tables + "\n")) == expected


def test_deal__of_two_house_rules_names_both(tmp_path: Path) -> None:
    large, many = tmp_path / "large.yaml", tmp_path / "many.yaml"
    large.write_text("house: large\ntitle: L\nmachine: canasta\nhand_size: 15\n")
    many.write_text("house: many\ntitle: M\nmachine: canasta\nplayers: 8\nside_size: 4\n")
    (found,) = compile_spec("classic", [str(large), str(many)]).diagnostics
    spans = [label.span for label in (found.primary, *found.secondary)]
    assert {large.name, many.name} <= {Path(span.file).name for span in spans if span}


CAUSES: dict[str, tuple[str, list[tuple[str, str]]]] = {
    "values taken away": ("remove: [values.8..K]", [("MC0611", "values.8..K")]),
    "a number taken away": ("remove: [bonus_worth.3]", [("MC0625", "bonus_worth.3")]),
    "what passes the turn on": (
        in_rules("remove moment turn_passes"),
        [("MC0713", "turn_passes")],
    ),
    "what ends the game": (in_rules("remove moment game_over"), [("MC0728", "game_over")]),
    "values of nothing": ("values: {4..A: 0, 2: 0, Jkr: 0}", [("MC0635", "0")]),
    "sides that do not come out even": ("players: 4\nside_size: 3", [("MC0610", "3")]),
}


@pytest.mark.parametrize("name", CAUSES)
def test_cause__is_the_place(name: str, tmp_path: Path) -> None:
    text, expected = CAUSES[name]
    assert underlined(compiled(tmp_path, "classic", text)) == expected


def test_condition_of_a_kind__is_the_place(tmp_path: Path) -> None:
    found = compiled(tmp_path, "classic", "melds: {set: {if: wilds > naturals}}")
    assert {words for _, words in underlined(found)} == {"wilds > naturals"}


def test_row_of_the_base__is_told_at_the_only_change(tmp_path: Path) -> None:
    """Nothing that comes with meldc is at fault by itself: one change alone can be the cause."""
    house = tmp_path / "dear.yaml"
    house.write_text("house: dear\ntitle: D\nmachine: canasta\nvalues: {Jkr: 40, 2: 30}\n")
    found = compile_spec("classic", [str(house), "jokers=0"]).diagnostics
    assert found
    assert all(each.primary.span and each.primary.span.file == str(house) for each in found)


MACHINES: dict[str, tuple[list[tuple[str, str]], list[tuple[str, str]]]] = {
    "cards moved the wrong way round": (
        [("from stock to hand", "from hand to stock")],
        [("MC0719", "move hand_size from hand to stock")],
    ),
    "cards taken where none come": ([("card in hand", "card in kept")], [("MC0719", "shed")]),
    "cards moved from there as a turn begins, which is another matter": (
        [
            ("card in hand", "card in kept"),
            (
                "moment out\n",
                "moment back at start of turn\n  then move kept to stock\n\nmoment out\n",
            ),
        ],
        [("MC0719", "shed")],
    ),
    "a turn ended by a moment": (
        [
            ("    move card to pile\n    go to play for left(player)\n", "    move card to pile\n"),
            ("moment out\n", "moment on after shed\n  then\n    end turn\n\nmoment out\n"),
        ],
        [("MC0713", "end turn")],
    ),
    "a range upside down": (
        [
            (
                "action shed(card",
                'action say(number in 9..2) "say {number}"\n  during play\n  then end deal\n\n'
                "action shed(card",
            )
        ],
        [("MC0605", "9..2")],
    ),
}


@pytest.mark.parametrize("name", MACHINES)
def test_machine__is_told_at_its_effect(name: str, tmp_path: Path) -> None:
    changes, expected = MACHINES[name]
    assert underlined(own_game(tmp_path, "players: 2..4\n", *changes))[:1] == expected


FROZEN = """\
remember ready of side = no each deal

replace moment going_out
  when hand is empty and ready
  then end deal

rule late
  going_out requires ready
  because "not ready"
"""


def test_memory_never_changed__is_the_one_cause(tmp_path: Path) -> None:
    """What asks for it could never be so either; that is no further problem."""
    found = compiled(tmp_path, "classic", in_rules(FROZEN)).diagnostics
    assert [each.code for each in found] == ["MC0720"]
    assert "`ready` is never changed" in found[0].message
    assert "`ready becomes …`" in found[0].help[0]


def test_condition_by_name__is_told_where_it_is_defined(tmp_path: Path) -> None:
    rules = 'define late = count(stock) > 200\n\nrule odd\n  draw requires late\n  because "x"'
    found = compiled(tmp_path, "classic", in_rules(rules))
    assert ("MC0720", "count(stock) > 200") in underlined(found)


RESTATED: dict[str, tuple[str, list[str]]] = {
    "among others": ("hand_size: 11\ntarget: 4000", []),
    "alone": ("hand_size: 11", ["MC0411"]),
    "a row among others": ("bonus_worth: {1: 100, 2: 200}\ntarget: 4000", ["MC0411"]),
    "beside an error": ("players: 2..10\nside_size: 1\nhand_size: 11", ["MC0603"]),
    "a row beside an error": ("bonus_worth: {1: 100}\nhand_size: 60", ["MC0603"]),
}


@pytest.mark.parametrize("name", RESTATED)
def test_value_said_again__is_context_and_no_news_beside_an_error(
    name: str, tmp_path: Path
) -> None:
    text, codes = RESTATED[name]
    assert [each.code for each in compiled(tmp_path, "classic", text).diagnostics] == codes
