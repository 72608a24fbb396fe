"""Faults that only several rules or rows together make: found once, at the game's own words."""

from __future__ import annotations

from pathlib import Path

import pytest
from check.support import compiled, in_rules, underlined

from meldc.compilation import compile_spec

EXAMPLES = Path(__file__).parents[2] / "specs" / "examples"

SEVENS = "sevens: {meld: set, rank: 7, size: 7.., bonus: 1500"
PENALTY = 'table penalty by number "passes"\nremember passes of side = 0 each deal\n\n'
PAYS = '\n\nscore pen\n  gives - penalty[{}]\n  because "passes"'
PASSING = "moment noted after draw\n  {}then passes gains 1"


def rule(name: str, text: str) -> str:
    return f'rule {name}\n  {text}\n  because "{name}"\n\n'


def rules(*texts: str) -> str:
    """A `rules:` with these rules, called `a`, `b` and so on."""
    return in_rules("".join(rule(n, text) for n, text in zip("abc", texts, strict=False)).strip())


FAULTS: dict[str, tuple[str, list[tuple[str, str]]]] = {
    # rules that wait for each other
    "an opening with a pile that is for those who opened": (
        "pile_in_opening: after\n" + rules("opening requires took_pile"),
        [("MC0737", "took_pile")],
    ),
    "a first draw after the opening": (
        rules("draw requires opened", "take_pile requires opened"),
        [("MC0737", "opened")],
    ),
    "an end that waits for itself": (
        in_rules(
            "remember proud of side = no each deal\n\nmoment boasted after going_out\n"
            "  then proud becomes yes\n\n" + rule("a", "going_out requires proud").strip()
        ),
        [("MC0737", "proud")],
    ),
    "an opening with a pile": (rules("opening requires took_pile"), []),
    # an opening at odds with what a table asks for
    "an opening of few points": (
        rules("opening requires points_laid <= 40"),
        [("MC0721", "points_laid <= 40")],
    ),
    "an opening of fewer points than a late one needs": (
        rules("opening forbidden when points_laid > 100"),
        [("MC0721", "points_laid > 100")],
    ),
    "an opening of not too many points": (rules("opening forbidden when points_laid > 120"), []),
    "an opening of more melds than a hand holds, by two rules": (
        rules(
            "opening requires any(canastas where canasta = natural)",
            "opening requires any(canastas where canasta = mixed)",
        ),
        [("MC0635", "any(canastas where canasta = mixed)")],
    ),
    "an opening of melds that a hand holds, by two rules": (
        rules(
            "opening requires any(melds where rank = A)",
            "opening requires any(melds where rank = K and size >= 4)",
        ),
        [],
    ),
    "a meld larger than any": (
        rules("opening requires any(melds where size >= 12)"),
        [("MC0720", "any(melds where size >= 12)")],
    ),
    "a meld as large as any": (rules("opening requires any(melds where size >= 11)"), []),
    # going out
    "a natural one, and all of them mixed": (
        rules(
            "going_out requires any(canastas where canasta = natural)",
            "going_out requires all(canastas are canasta = mixed)",
        ),
        [("MC0721", "any(canastas where canasta = natural)")],
    ),
    "a natural one, and all of them full": (
        rules(
            "going_out requires any(canastas where canasta = natural)",
            "going_out requires all(canastas are size >= 8)",
        ),
        [],
    ),
    "three numbers": (
        rules(
            "going_out requires count(canastas) >= 3",
            "going_out requires count(canastas) <= 4",
            "going_out forbidden when count(canastas) = 3 or count(canastas) = 4",
        ),
        [("MC0721", "count(canastas) >= 3")],
    ),
    # a play required and forbidden
    "two suits that are one colour": (
        rules(
            "discard requires card is red",
            "discard forbidden when card.suit = hearts",
            "discard forbidden when card.suit = diamonds",
        ),
        [("MC0721", "card is red")],
    ),
    "two zones compared, both ways": (
        rules(
            "pass requires count(hand) > count(pile)",
            "pass forbidden when count(pile) < count(hand)",
        ),
        [("MC0721", "count(hand) > count(pile)")],
    ),
    "some cards of those that may not be there": (
        rules(
            "take_pile requires any(hand where rank = Jkr)",
            "take_pile forbidden when any(hand where wild)",
        ),
        [("MC0721", "any(hand where rank = Jkr)")],
    ),
    "more of some than of all": (
        rules(
            "discard requires count(hand where wild) >= 3",
            "discard requires count(hand) <= 2",
        ),
        [("MC0721", "count(hand where wild) >= 3")],
    ),
    "a sum and its name": (
        rules(
            "going_out requires points_laid >= 300",
            "going_out forbidden when sum(melds.cards by value) > 250",
        ),
        [("MC0721", "points_laid >= 300")],
    ),
    "a number and one more": (
        rules(
            "going_out requires count(canastas) + 1 >= 4",
            "going_out requires count(canastas) < 3",
        ),
        [("MC0721", "count(canastas) + 1 >= 4")],
    ),
    # a rule that another covers
    "some cards of those forbidden": (
        rules(
            "take_pile forbidden when any(hand where wild)",
            "take_pile forbidden when any(hand where rank = Jkr)",
        ),
        [("MC0723", "b")],
    ),
    "a rank of a range": (
        rules(
            "take_pile forbidden when top(pile).rank in 4..7",
            "take_pile forbidden when top(pile).rank = 5",
        ),
        [("MC0723", "b")],
    ),
    "a rank of another range": (
        rules(
            "take_pile forbidden when top(pile).rank in 4..7",
            "take_pile forbidden when top(pile).rank = 9",
        ),
        [],
    ),
    # rows with conditions
    "a condition on the first row": (
        f"canastas:\n  {SEVENS}, if: size = 8}}\n"
        "  dirty: {meld: set, wilds: 1..2, size: 7.., bonus: 350}",
        [("MC0631", "dirty")],
    ),
    "a condition on the second row": (
        f"canastas:\n  {SEVENS}}}\n  big: {{meld: set, size: 8.., bonus: 700, if: wilds < 3}}",
        [("MC0631", "big")],
    ),
    "conditions that can hold together": (
        "canastas:\n  twos: {meld: set, size: 7.., bonus: 700, if: any(cards where rank = 2)}\n"
        "  jokers: {meld: set, size: 7.., bonus: 800, if: any(cards where rank = Jkr)}",
        [("MC0631", "jokers")],
    ),
    "conditions that cannot": (
        "canastas:\n"
        "  twos: {meld: set, size: 7.., bonus: 700, if: count(cards where rank = 2) >= 2}\n"
        "  pure: {meld: set, size: 7.., bonus: 800, if: all(cards are not rank = 2)}",
        [],
    ),
    "a special case of a row": (
        "canastas:\n  clean: {meld: set, size: 7.., wilds: 1.., bonus: 400, "
        "if: none(cards where rank = Jkr)}".replace("none(", "not any("),
        [],
    ),
    # numbers that grow
    "a memory that grows": (
        "penalty: {1: 100, 2: 200}\n"
        + in_rules(PENALTY + PASSING.format("") + PAYS.format("passes")),
        [("MC0625", "2")],
    ),
    "a memory that is asked before it grows": (
        "penalty: {1: 100, 2: 200}\n"
        + in_rules(PENALTY + PASSING.format("when passes < 2\n  ") + PAYS.format("passes")),
        [],
    ),
    "a memory of which the least counts": (
        "penalty: {1: 100, 2: 200}\n"
        + in_rules(PENALTY + PASSING.format("") + PAYS.format("min(passes, 2)")),
        [],
    ),
    "a table that goes on": (
        "penalty: {1: 100, 2: 200, each more: 100}\n"
        + in_rules(PENALTY + PASSING.format("") + PAYS.format("passes")),
        [],
    ),
    # bounds off by one
    "one more than the row it replaces": (
        "remove: [opening_points.1500]\nopening_points: {1501: 90}",
        [("MC0626", "1501")],
    ),
    "one more than the row beside it": ("opening_points: {1501: 100}", [("MC0626", "1501")]),
    "one step below the row beside it": ("opening_points: {1495: 90}", [("MC0626", "1495")]),
    "the odd one": (
        "replace opening_points: {below 0: 15, 0: 50, 1501: 90, 3000: 120}",
        [("MC0626", "1501")],
    ),
    "more than a number of its own": ("opening_points: {4001: 150}", []),
    # words in the place of numbers
    "a number in words": ("hand_size: eleven", [("MC0450", "eleven")]),
}


@pytest.mark.parametrize("name", FAULTS)
def test_fault__is_told_once(name: str, tmp_path: Path) -> None:
    text, expected = FAULTS[name]
    assert underlined(compiled(tmp_path, "classic", text)) == expected


def test_number_in_words__is_told_in_figures(tmp_path: Path) -> None:
    (found,) = compiled(tmp_path, "classic", "hand_size: eleven").diagnostics
    assert found.help == ("write `11`: numbers are written in figures",)


def test_rules_that_wait__name_those_at_which_it_hangs(tmp_path: Path) -> None:
    text = "pile_in_opening: after\n" + rules("opening requires took_pile")
    (found,) = compiled(tmp_path, "classic", text).diagnostics
    assert "`a` and `opening_without_the_pile` wait for each other" in found.message
    assert found.is_error


def test_totals__are_told(tmp_path: Path) -> None:
    (found,) = compiled(
        tmp_path, "classic", rules("opening forbidden when points_laid > 100")
    ).diagnostics
    assert "with a total of 3000" in found.message


def test_rank_that_is_not_there__is_told_once(tmp_path: Path) -> None:
    text = (
        "pack: {packs: 3, ranks: 7..A}\ncards: {natural: 7..A, bonus_card: none, "
        "stop_card: none, starter: 7..A}\nreplace values: {Jkr: 50, A: 20, 7..K: 10}\n"
        "remove: [melds.black_threes, rule black_threes_last]\n"
        + rules(
            "discard forbidden when card.rank = 5", "add forbidden when any(hand where rank = 5)"
        )
    )
    found = underlined(compiled(tmp_path, "classic", text))
    assert [words for code, words in found if code == "MC0602"] == ["5"]


UNUSED = """

define odd_define = 3
remember odd_memory = no each deal
zone odd_zone shown
phase odd_phase "odd"
setting odd_setting = 4 "odd"
action odd_action "odd"
  during odd_phase
  then end turn
phase other_phase "other"
"""


def test_own_machine__is_told_what_nothing_uses(tmp_path: Path) -> None:
    for name in ("gin.yaml", "gin.rules"):
        text = (EXAMPLES / name).read_text(encoding="utf-8")
        (tmp_path / name).write_text(text, encoding="utf-8")
    assert compile_spec(tmp_path / "gin.yaml").diagnostics == ()
    with (tmp_path / "gin.rules").open("a", encoding="utf-8") as file:
        file.write(UNUSED)
    assert sorted(underlined(compile_spec(tmp_path / "gin.yaml"))) == [
        ("MC0724", "other_phase"),
        ("MC0726", "odd_phase"),
        ("MC0730", "odd_define"),
        ("MC0730", "odd_setting"),
        ("MC0730", "odd_zone"),
        ("MC0731", "odd_memory"),
    ]
