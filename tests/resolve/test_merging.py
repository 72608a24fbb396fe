"""Child over parent: cells, rows, declarations, their order and their history."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from meldc.resolve import Bounds, Resolved, Shape, Table
from meldc.resolve.compare import meaning, same
from meldc.syntax import tree

Accepted = Callable[..., Resolved]
EXTENDS = "extends: base.yaml\n"


def rows(table: Table) -> dict[str, dict[str, str]]:
    return {row.key: {name: cell.text for name, cell in row.cells.items()} for row in table.rows}


def sources(model: Resolved, key: str) -> list[tuple[str, str]]:
    return [(step.source, step.text) for step in dict(model.provenance())[key]]


def test_base__is_read_whole(accepted: Accepted) -> None:
    model = accepted()
    assert (model.name, model.title, model.machine, model.house) == ("base", "Base", "sets", ())
    assert model.players.value == (2, 3, 4)
    assert model.side_sizes.value == (1,)
    assert list(model.melds) == ["set", "run"]
    kind = model.melds["set"]
    assert kind.shape is not None
    assert kind.shape.value == Shape("same_rank")
    assert kind.size is not None
    assert kind.size.value == Bounds(3, None)
    assert kind.wilds is not None
    assert kind.wilds.value == Bounds(None, 2)
    assert [row.number for row in model.tables["tiers"].rows] == [None, 0, 500]
    assert model.tables["steps"].each_more is not None
    assert [row.key for row in model.values.rows] == ["Jkr", "2, A", "3..K"]
    assert isinstance(model.pack.packs.value, tree.Number)


def test_settings__have_the_default_or_the_first_choice(accepted: Accepted) -> None:
    settings = accepted().settings
    assert {name: cell.text for name, cell in settings.items()} == {
        "target": "500",
        "hand_size": "7",
        "last": "free",
        "doubled": "no",
    }
    assert isinstance(settings["last"].value, tree.Name)


def test_setting__keeps_its_history_the_base_first(accepted: Accepted) -> None:
    model = accepted(EXTENDS + "target: 900\n", ["target=700"])
    assert sources(model, "settings.target") == [
        ("part piece", "500"),
        ("variant mine", "900"),
        ("command line", "700"),
    ]
    assert model.settings["target"].text == "700"
    span = model.settings["target"].steps[1].span
    assert span is not None
    assert (span.file, span.line, span.column) == ("mine.yaml", 4, 9)


def test_choice__reads_hyphens_as_underscores(accepted: Accepted) -> None:
    rules = 'rules: |\n  setting how = by_hand | by_rule "how"\n'
    model = accepted(EXTENDS + rules + "how: by-rule\nhand-size: 9\n")
    assert meaning(model.settings["how"].value) == ("Name", "by_rule")
    assert model.settings["hand_size"].text == "9"


def test_row__changes_cell_by_cell(accepted: Accepted) -> None:
    model = accepted(EXTENDS + "melds:\n  set: {size: 4..}\nsorted:\n  clean: {bonus: 300}\n")
    kind = model.melds["set"]
    assert kind.size is not None
    assert kind.size.text == "4.."
    assert kind.wilds is not None
    assert kind.wilds.text == "..2"
    assert rows(model.tables["sorted"])["clean"] == {"bonus": "300"}
    assert model.tables["sorted"].rows[0].melds is not None
    assert sources(model, "sorted.clean.bonus") == [
        ("variant base", "100"),
        ("variant mine", "300"),
    ]
    assert [kind.name.text for kind in model.melds.values()] == ["set", "run"]


def test_rows_by_card__same_text_keeps_the_place_new_text_comes_last(accepted: Accepted) -> None:
    model = accepted(EXTENDS + "values:\n  2,A: 30\n  K: 10\n")
    assert rows(model.values) == {
        "Jkr": {"": "50"},
        "2, A": {"": "30"},
        "3..K": {"": "5"},
        "K": {"": "10"},
    }
    assert list(rows(model.values)) == ["Jkr", "2, A", "3..K", "K"]


def test_replace__wipes_the_inherited_rows(accepted: Accepted) -> None:
    model = accepted(EXTENDS + "replace tiers: {100: 1}\n")
    assert rows(model.tables["tiers"]) == {"100": {"": "1"}}
    assert sources(model, "tiers")[-1] == ("variant mine", "replace tiers")
    assert sources(model, "tiers.100") == [("variant mine", "1")]


def test_row_of_a_kind__needs_no_meld(accepted: Accepted) -> None:
    model = accepted(EXTENDS + "sorted: {set: {bonus: 5}}\n")
    melds = model.tables["sorted"].rows[-1].melds
    assert melds is not None
    assert melds.meld is not None
    assert [word.text for word in melds.meld.value] == ["set"]


def test_removed_kind__takes_sorting_rows_along(accepted: Accepted) -> None:
    model = accepted(EXTENDS + "remove: [melds.run]\n")
    assert list(model.melds) == ["set"]
    assert [row.key for row in model.tables["sorted"].rows] == ["clean", "any_big"]
    melds = model.tables["sorted"].rows[1].melds
    assert melds is not None
    assert melds.meld is not None
    assert [word.text for word in melds.meld.value] == ["set"]


def test_removed_kind__takes_rules_along(accepted: Accepted) -> None:
    rules = (
        'rules: |\n  rule run_rule\n    run requires size > 3\n    because "longer"\n\n'
        '  rule both_rule\n    run, set requires size > 2\n    because "long"\n'
    )
    model = accepted(EXTENDS + rules, ["shorter.yaml"], shorter="remove: [melds.run]\n")
    assert "run_rule" not in model.declarations.rules
    subjects = model.declarations.rules["both_rule"].declaration.subjects
    assert [word.text for word in subjects if isinstance(word, tree.Word)] == ["set"]
    assert model.declarations.rules["both_rule"].steps[-1].source == "house shorter"


def test_removed_action__takes_rules_and_moments_along(accepted: Accepted) -> None:
    model = accepted(EXTENDS + "remove: action lay\n")
    assert list(model.declarations.rules) == ["end_in_sight", "all_at_once"]
    assert list(model.declarations.moments) == ["going_out", "noted"]
    trigger = model.declarations.moments["noted"].declaration.trigger
    assert isinstance(trigger, tree.After)
    assert [word.text for word in trigger.names] == ["leave"]


def test_remove__takes_rows_cells_and_several_in_an_entry(accepted: Accepted) -> None:
    model = accepted(
        EXTENDS + 'remove: [melds.set.wilds, "values.2, A", "rule few, score laid", steps.2]\n'
    )
    assert model.melds["set"].wilds is None
    assert list(rows(model.values)) == ["Jkr", "3..K"]
    assert "few" not in model.declarations.rules
    assert not model.declarations.scores
    assert list(rows(model.tables["steps"])) == ["1"]


def test_replaced_rule__keeps_its_place(accepted: Accepted) -> None:
    rules = 'rules: |\n  replace rule few\n    lay requires count(cards) > 2\n    because "few"\n'
    model = accepted(EXTENDS + rules)
    assert list(model.declarations.rules) == ["end_in_sight", "few", "all_at_once"]
    entry = model.declarations.rules["few"]
    assert [step.source for step in entry.steps] == ["machine sets", "variant mine"]
    assert "lay requires count(cards) > 2" in entry.steps[-1].text


def test_replaced_setting__keeps_what_a_variant_has_set(accepted: Accepted) -> None:
    rules = 'rules: |\n  replace setting target = 300 "points"\n'
    assert accepted(EXTENDS + rules).settings["target"].text == "300"
    files = {"other": 'rules: |\n  replace setting target = 300 "points"\n'}
    model = accepted(EXTENDS + "target: 800\n", ["other.yaml"], **files)
    assert model.settings["target"].text == "800"


def test_allowance__is_told_from_rules(accepted: Accepted) -> None:
    rules = (
        'rules: |\n  phase late "late"\n  rule early\n    lay allowed during late\n'
        '    because "why not"\n'
    )
    model = accepted(EXTENDS + rules)
    assert list(model.declarations.allowances) == ["early"]
    assert "early" not in model.declarations.rules
    assert sources(model, "rules.early")[0][0] == "variant mine"


def test_moments_before__stand_just_before_in_the_order_written(accepted: Accepted) -> None:
    rules = """rules: |
  moment a before b
    then end deal

  moment b before noted
    then end deal

  moment c before noted
    then end deal
"""
    model = accepted(EXTENDS + rules)
    assert list(model.declarations.moments) == ["going_out", "a", "b", "c", "noted", "lay_noted"]


def test_parts__come_before_their_user_and_once(accepted: Accepted) -> None:
    model = accepted(EXTENDS + "use: piece.rules\n")
    assert list(model.settings) == ["target", "hand_size", "last", "doubled"]


def test_players__take_numbers_ranges_and_preferences(accepted: Accepted) -> None:
    model = accepted(EXTENDS + "players: [2, 4]\nside_size: [2, 1]\n")
    assert model.players.value == (2, 4)
    assert model.side_sizes.value == (2, 1)
    assert accepted(houses=["players=3", "jokers=0"]).players.value == (3,)
    assert accepted(houses=["jokers=0"]).pack.jokers.text == "0"


def test_house_rule__choice_stands_for_the_chosen_value(accepted: Accepted) -> None:
    size = "choices: {few: 5, by-players: if count(players) = 2 then 9 else 8}\nhand_size: choice\n"
    model = accepted(None, ["size.yaml=by-players"], size=size)
    assert model.house == ("size=by-players",)
    assert isinstance(model.settings["hand_size"].value, tree.Choice)
    assert model.settings["hand_size"].steps[-1].source == "house size=by-players"
    assert accepted(None, ["size.yaml"], size=size).settings["hand_size"].text == "5"


def test_house_rule__choice_is_put_into_rules_and_ranges(accepted: Accepted) -> None:
    text = (
        "choices: {few: 3, many: 5}\nmelds: {set: {size: choice..9}}\nhand_size: choice + 1\n"
        'rules: |\n  replace rule few\n    lay requires count(cards) >= choice\n    because "few"\n'
    )
    model = accepted(None, ["size.yaml=many"], size=text)
    kind = model.melds["set"]
    assert kind.size is not None
    assert kind.size.value == Bounds(5, 9)
    assert meaning(model.settings["hand_size"].value) == (
        "Arithmetic",
        "+",
        ("Number", 5),
        ("Number", 1),
    )
    verdict = model.declarations.rules["few"].declaration.verdict
    assert isinstance(verdict, tree.Requires)
    assert isinstance(verdict.condition, tree.Comparison)
    assert meaning(verdict.condition.right) == ("Number", 5)


@pytest.mark.parametrize("order", [["one.yaml", "two.yaml"], ["two.yaml", "one.yaml"]])
def test_house_rules__order_makes_no_difference(accepted: Accepted, order: list[str]) -> None:
    texts = {"one": "hand_size: 9\n", "two": "target: 900\nmelds: {set: {size: 4..}}\n"}
    model = accepted(None, [*order, "doubled=yes"], **texts)
    assert model.house == ("one", "two", "doubled=yes")
    again = accepted(None, ["doubled=yes", "one.yaml", "two.yaml"], **texts)
    assert same(model.settings["target"].value, again.settings["target"].value)
    assert [key for key, _ in model.provenance()] == [key for key, _ in again.provenance()]


def test_command_line__reaches_into_tables(accepted: Accepted) -> None:
    model = accepted(None, ["melds.set.size=4..8", "tiers.500=95", "values.3..K=6"])
    kind = model.melds["set"]
    assert kind.size is not None
    assert kind.size.value == Bounds(4, 8)
    assert rows(model.tables["tiers"])["500"] == {"": "95"}
    assert rows(model.values)["3..K"] == {"": "6"}
    assert model.house == ("melds.set.size=4..8", "tiers.500=95", "values.3..K=6")


def test_replaced_table__keeps_the_rows_that_fit(accepted: Accepted) -> None:
    form = "rules: |\n  replace table "
    assert not accepted(EXTENDS + form + "steps by band\n").tables["steps"].rows
    assert not accepted(EXTENDS + form + "sorted by number\n").tables["sorted"].rows
    model = accepted(EXTENDS + form + "sorted sorts melds as sort with worth = 0\n")
    assert rows(model.tables["sorted"]) == {"clean": {}, "long": {}, "any_big": {}}
