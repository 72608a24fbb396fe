"""Faults that an examiner would put into a game: found once, at the game's own words."""

from __future__ import annotations

from pathlib import Path

import pytest
from check.support import compiled, in_rules, underlined

from meldc.compilation import compile_spec

TABLES: dict[str, tuple[str, str, list[tuple[str, str]]]] = {
    # seats and the deal: the game's own words, not those that it builds on
    "a side too large": ("classic", "side_size: 3", [("MC0610", "3")]),
    "players that make no sides": ("classic", "players: 2..4", [("MC0610", "2..4")]),
    "a second hand too large": ("hand-and-foot", "foot_size: 40", [("MC0603", "40")]),
    "too few packs": ("hand-and-foot", "pack: {packs: 3}", [("MC0603", "3")]),
    "a hand sized by a card": ("rummy-5000", "further_cards: {A: 30}", [("MC0603", "30")]),
    "one player more": ("paston", "players: 4", [("MC0603", "4")]),
    "fewer cards than none": ("classic", "hand_size: -3", [("MC0729", "-3")]),
    # special hands
    "hands smaller than special hands": ("american", "hand_size: 11", [("MC0617", "11")]),
    "a special hand of one card less": (
        "american",
        "melds: {straight: {size: 13}}",
        [("MC0639", "13")],
    ),
    "a special hand of one group less": (
        "american",
        "melds: {garbage: {shape: 4 4 3}}",
        [("MC0639", "4 4 3")],
    ),
    "a size far out of reach": ("classic", "melds: {set: {size: 3..20}}", [("MC0616", "3..20")]),
    # rows that sort melds
    "rows that share melds, each with cases of its own": (
        "classic",
        "canastas:\n  sevens: {meld: set, rank: 7, size: 7.., bonus: 1500}\n"
        "  dirty: {meld: set, wilds: 1..2, size: 7.., bonus: 350}",
        [("MC0631", "dirty")],
    ),
    "a number of wild cards in no row": (
        "classic",
        "canastas: {mixed: {wilds: 2..}}",
        [("MC0638", "2..")],
    ),
    "a size in no row": ("classic", "canastas: {mixed: {size: 8..}}", [("MC0638", "8..")]),
    "what only the largest melds have": ("classic", "canastas: {mixed: {wilds: 1..2}}", []),
    "a row of a single kind": ("classic", "remove: [canastas.mixed]", []),
    # rows that a game builds on
    "a shorter game": ("classic", "target: 1500", []),
    "fewer cards": ("hand-and-foot", "pack: {packs: count(players) + 1}", []),
    # openings
    "an opening larger than any, once": (
        "classic",
        "opening_points: {0: 400}",
        [("MC0635", "400")],
    ),
    "cards without worth, once": (
        "classic",
        "replace values: {any: 0}",
        [("MC0635", "0")],
    ),
    # cards that are not there
    "a row for cards that are not there": (
        "classic",
        "pack: {jokers: 0}\nvalues: {Jkr: 100}",
        [("MC0622", "100")],
    ),
    "a card to begin with that is not there": (
        "classic",
        "cards: {starter: none}",
        [("MC0736", "none")],
    ),
    "a kind within another": (
        "classic",
        "melds: {pure: {shape: same rank, cards: natural, size: 3..}}",
        [("MC0640", "pure")],
    ),
    "a kind of other cards": (
        "classic",
        "melds: {jokers: {shape: same rank, cards: Jkr, size: 3..}}",
        [],
    ),
    "a band that repeats the one before": (
        "classic",
        "opening_points: {2000: 90}",
        [("MC0624", "2000")],
    ),
    "a band made as the one before": ("classic", "opening_points: {1500: 50}", []),
    "values that nothing counts": ("paston", "values: {7..A: 5}", [("MC0732", "7..A")]),
    "melds that nobody lays": (
        "paston",
        "melds: {set: {shape: same rank, size: 3..}}",
        [("MC0732", "set")],
    ),
    # what is removed
    "a phase that nothing leads out of": (
        "paston",
        "remove: [moment whisters_known]",
        [("MC0725", "moment whisters_known")],
    ),
    "a deal that nothing ends": (
        "paston",
        "remove: [moment last_trick]",
        [("MC0725", "moment last_trick")],
    ),
    "a removed moment that is asked for": (
        "classic",
        "remove: [moment going_out]",
        [("MC0432", "moment going_out")],
    ),
    "a removed kind that a rule asks for": (
        "classic",
        "remove: [melds.black_threes]",
        [("MC0432", "melds.black_threes")],
    ),
    "a row that goes with its kind": (
        "samba",
        "remove: [melds.sequence, canastas.samba]",
        [],
    ),
    "a bonus that no line counts": (
        "classic",
        "remove: [score canasta_bonuses]",
        [("MC0735", "score canasta_bonuses")],
    ),
    "a base of which nothing is left": (
        "samba",
        "pack: {packs: 2}\nhand_size: 11\ndraws: 1\ntarget: 5000\ncanastas_to_go_out: 1\n"
        "out_bonus: 100\nconcealed_bonus: 100\npile_pair: mixed\npile_onto: any_meld\n"
        "remove: [melds.sequence]\nmelds: {set: {wilds: ..3, how_many: one}}\n"
        "bonus_worth: {4: 450}\nrules: |\n  replace define bonus_sign of side = 1",
        [("MC0431", "mine")],
    ),
}

RULES: dict[str, tuple[str, str, list[tuple[str, str]]]] = {
    "melds that cannot be": (
        "classic",
        'rule one\n  set forbidden when wilds > 5\n  because "x"',
        [("MC0722", "wilds > 5")],
    ),
    "melds that must be otherwise": (
        "classic",
        'rule one\n  set requires wilds > 5\n  because "x"',
        [("MC0720", "wilds > 5")],
    ),
    "melds that can be": (
        "classic",
        'rule one\n  set forbidden when size > 10\n  because "x"',
        [],
    ),
    "what a moment excludes": (
        "classic",
        'rule one\n  going_out requires any(hand)\n  because "x"',
        [("MC0720", "any(hand)")],
    ),
    "a rule that goes further than the base": (
        "classic",
        'rule one\n  take_pile forbidden when frozen_for_side\n  because "x"',
        [],
    ),
    "an end that never comes": (
        "classic",
        "replace moment game_over at end of deal\n  when deal_number > 3 and deal_number < 3\n"
        "  then end game",
        [("MC0728", "deal_number > 3 and deal_number < 3")],
    ),
    "an action in a phase nobody enters": (
        "classic",
        'phase extra "extra"\n\naction wait "wait"\n  during extra\n  then go to play',
        [("MC0726", "extra")],
    ),
    "an opening in a definition": (
        "classic",
        "replace define minimum of player = 2000",
        [("MC0635", "2000")],
    ),
    "an action without a choice": (
        "classic",
        'action swap(card in hand where natural and wild) "swap {card}"\n  during play\n'
        "  then move card to pile",
        [("MC0720", "swap")],
    ),
    "a deal over before anybody acts": (
        "classic",
        "moment early at start of turn\n  then end deal",
        [("MC0726", "early")],
    ),
    "an opening of more melds than a hand holds": (
        "classic",
        'rule one\n  opening requires count(melds) >= 5\n  because "x"',
        [("MC0635", "count(melds) >= 5")],
    ),
    "an opening of melds that a hand holds": (
        "classic",
        'rule one\n  opening requires count(melds) >= 4\n  because "x"',
        [],
    ),
    "a line that never counts": (
        "classic",
        'score one\n  gives 100\n  when count(canastas) > 20\n  because "x"',
        [("MC0734", "count(canastas) > 20")],
    ),
    "a line that gives nothing": (
        "classic",
        'score one\n  gives 0 * count(melds)\n  because "x"',
        [("MC0734", "0 * count(melds)")],
    ),
    "a bonus paid for each, again": (
        "classic",
        'score one\n  gives 500 * count(canastas where canasta = natural)\n  because "x"',
        [("MC0634", "one")],
    ),
    "a bonus card paid again": (
        "classic",
        'score one\n  gives 100 * count(bonus)\n  because "x"',
        [("MC0634", "one")],
    ),
    "a bonus beside another": (
        "classic",
        'score one\n  gives 200 * count(canastas where canasta = natural)\n  because "x"',
        [],
    ),
    "a line that counts no bonus": (
        "classic",
        'replace score canasta_bonuses\n  gives sum(melds by size)\n  because "x"',
        [("MC0735", "canasta_bonuses")],
    ),
}


@pytest.mark.parametrize("name", TABLES)
def test_table__is_told_at_its_own_words(name: str, tmp_path: Path) -> None:
    base, text, expected = TABLES[name]
    assert underlined(compiled(tmp_path, base, text)) == expected


@pytest.mark.parametrize("name", RULES)
def test_rule__is_told_at_its_own_words(name: str, tmp_path: Path) -> None:
    base, rules, expected = RULES[name]
    assert underlined(compiled(tmp_path, base, in_rules(rules))) == expected


def test_whole_hands__are_told_together(tmp_path: Path) -> None:
    (found,) = compiled(tmp_path, "american", "hand_size: 11").diagnostics
    assert found.is_error
    assert "`straight`, `pairs`, `pairs_with_wilds` and `garbage`" in found.message


def test_whole_hands__of_a_house_rule_are_a_warning() -> None:
    (found,) = compile_spec("american", ["deal-size=by-players"]).diagnostics
    assert (found.code, found.is_error) == ("MC0617", False)


def test_fewer_than_none__is_an_error_and_none_a_warning(tmp_path: Path) -> None:
    assert [each.is_error for each in compiled(tmp_path, "classic", "draws: -1").diagnostics] == [
        True
    ]
    assert [each.is_error for each in compiled(tmp_path, "classic", "draws: 0").diagnostics] == [
        False
    ]


def test_seats__are_told_with_what_would_do(tmp_path: Path) -> None:
    (found,) = compiled(tmp_path, "classic", "players: 2..4").diagnostics
    assert "`side_size: 2 or 1`" in found.help[0]


def test_deal__is_told_with_all_that_makes_it(tmp_path: Path) -> None:
    (found,) = compiled(tmp_path, "hand-and-foot", "foot_size: 40").diagnostics
    assert [label.text for label in found.secondary] == [
        "`hand_size` is `11`",
        "`packs` is `min(count(players) + 1, 7)`",
    ]
