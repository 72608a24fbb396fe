"""What is impossible or suspicious is found, once, at the words that are wrong."""

from __future__ import annotations

from pathlib import Path

import pytest
from check.support import compiled, in_rules, underlined

from meldc.compilation import compile_spec

FAULTS: dict[str, tuple[str, str, list[tuple[str, str]]]] = {
    # cards and classes
    "a card without a value": (
        "classic",
        "replace values: {Jkr: 50, 2: 20, 8..K: 10, 4..7: 5}",
        [("MC0611", "4..7")],
    ),
    "a rank in two rows": ("classic", "values: {4..8: 5, 8..K: 10}", [("MC0614", "4..8")]),
    "a wild card that is laid apart": (
        "classic",
        "cards: {wild: '2, Jkr, 3H'}",
        [("MC0612", "'2, Jkr, 3H'")],
    ),
    "a rank twice in a pattern": ("classic", "cards: {wild: '2, Jkr, 2'}", [("MC0614", "2")]),
    "a setting that reads the deal": (
        "classic",
        "hand_size: if deal_number <= 4 then 11 else 13",
        [("MC0516", "if deal_number <= 4 then 11 else 13")],
    ),
    "a setting that reads a zone": (
        "classic",
        "hand_size: count(stock)",
        [("MC0516", "count(stock)")],
    ),
    "a pack that reads the deal": (
        "classic",
        "pack: {packs: deal_number}",
        [("MC0516", "deal_number")],
    ),
    "a setting that divides where it is not 0": (
        "classic",
        "draws: 2\nhand_size: if draws = 2 then 11 else quotient(11, draws - 2)",
        [],
    ),
    "a divisor below 0": (
        "classic",
        "hand_size: quotient(11, draws - 3)",
        [("MC0517", "quotient(11, draws - 3)")],
    ),
    "a score that divides by 0": (
        "classic",
        'rules: |\n  score odd\n    gives quotient(total, 2 - 2)\n    because "odd"',
        [("MC0517", "odd")],
    ),
    "a setting that is nothing": (
        "classic",
        "draws: 2 - 2\nhand_size: quotient(11, draws)",
        [("MC0517", "quotient(11, draws)")],
    ),
    "ranks with a gap": (
        "classic",
        "pack: {ranks: '2..7, J..A'}",
        [("MC0650", "'2..7, J..A'")],
    ),
    "ranks from high to low": ("classic", "pack: {ranks: A..7}", [("MC0650", "A..7")]),
    "ranks that are a colour": ("classic", "pack: {ranks: red}", [("MC0650", "red")]),
    "ranks but one": ("classic", "pack: {ranks: not 8}", [("MC0650", "not 8")]),
    "a joker among the ranks": (
        "classic",
        "pack: {ranks: '2..A, Jkr'}",
        [("MC0650", "'2..A, Jkr'")],
    ),
    "a house rule as a key": ("classic", "house: deal-size=13", [("MC0203", "house")]),
    "an action removed beside a moment": (
        "classic",
        "rules: |\n  remove moment game_over\n  remove action discard",
        [("MC0728", "game_over"), ("MC0725", "discard")],
    ),
    "a target that is nothing": ("classic", "target: none", [("MC0728", "none")]),
    "a special case before the rule": (
        "classic",
        "replace values: {red 3: 0, any: 20}",
        [("MC0614", "red 3")],
    ),
    "a natural that is wild": ("classic", "cards: {natural: '2, 4..A'}", [("MC0612", "'2, 4..A'")]),
    "a rank of no class": ("classic", "cards: {natural: 5..A}", [("MC0613", "5..A")]),
    # kinds of meld
    "more naturals than there are": (
        "classic",
        "melds: {set: {naturals: 9..}}",
        [("MC0606", "9..")],
    ),
    "more naturals than places": (
        "classic",
        "melds: {set: {size: 3..4, naturals: 5..}}",
        [("MC0606", "5..")],
    ),
    "a size nobody reaches": (
        "classic",
        "melds: {odd: {shape: same rank, cards: red 3, size: 3..7}}",
        [("MC0616", "3..7")],
    ),
    "a full meld without a row": (
        "classic",
        "melds: {wild: {shape: any, cards: wild, size: 3..7}}",
        [("MC0637", "wild")],
    ),
    "a hand larger than hands": (
        "american",
        "melds: {pairs: {shape: 2 2 2 2 2 2 2 2, cards: natural}}",
        [("MC0617", "2 2 2 2 2 2 2 2")],
    ),
    "a kind of meld without a size": (
        "classic",
        "melds: {odd: {shape: same rank, cards: red 3}, even: {shape: run, naturals: 3..}}",
        [("MC0618", "odd")],
    ),
    "melds that never grow": (
        "rummy-5000",
        'rules: |\n  replace action add(cards from hand, home in melds(opponents)) "add {cards} to '
        '{home}"\n    during play\n    then meld cards onto home\n',
        [("MC0717", "add")],
    ),
    "wild cards that go nowhere": (
        "classic",
        "melds: {odd: {shape: run, size: 3.., wilds_go: low}}",
        [("MC0619", "low")],
    ),
    "a card that must be and cannot": (
        "american",
        "melds: {pairs_with_wilds: {contains: [3, 7, A]}}",
        [("MC0606", "[3, 7, A]")],
    ),
    # tables that sort
    "a row that swallows another": (
        "classic",
        "canastas: {mixed: {wilds: any}}",
        [("MC0630", "any")],
    ),
    "rows for the same meld": (
        "classic",
        "canastas: {natural: {wilds: ..1}}",
        [("MC0631", "..1")],
    ),
    "a row with too large a size": ("samba", "canastas: {samba: {size: 8}}", [("MC0632", "8")]),
    "a row without a bonus": (
        "classic",
        "melds: {wild: {shape: any, cards: wild, size: 3..7}}\ncanastas: {wild: {size: 7}}",
        [("MC0633", "wild")],
    ),
    "a special case of a rank is no fault": (
        "classic",
        "canastas: {sevens: {meld: set, rank: 7, size: 7.., bonus: 1500}}",
        [],
    ),
    # tables by band and by number
    "totals in no row": (
        "classic",
        "replace opening_points: {below 1495: 50, 1505: 90}",
        [("MC0620", "below 1495")],
    ),
    "bounds apart by less than a step": (
        "classic",
        "replace opening_points: {below 1496: 50, 1500: 90}",
        [],
    ),
    "negative totals forgotten": (
        "classic",
        "replace opening_points: {0: 50, 1500: 90}",
        [("MC0621", "0")],
    ),
    "a band between two scores": (
        "classic",
        "opening_points: {3001: 125, 3004: 130}",
        [("MC0622", "3001")],
    ),
    "a band behind the end": ("classic", "opening_points: {6000: 150}", [("MC0622", "6000")]),
    "values exchanged": ("classic", "opening_points: {1500: 120, 3000: 90}", [("MC0623", "90")]),
    "a row that repeats": (
        "classic",
        "opening_points: {4000: 130, 4500: 130}",
        [("MC0624", "4500")],
    ),
    "a number left out": (
        "classic",
        "replace bonus_worth: {1: 100, 2: 200, 4: 800}",
        [("MC0625", "4")],
    ),
    "more cards than rows": ("classic", "pack: {packs: 3}", [("MC0625", "3")]),
    "more rows than cards": ("classic", "bonus_worth: {5: 1000}", [("MC0622", "5")]),
    # openings, going out, the end
    "an opening out of reach": ("classic", "opening_points: {3000: 1200}", [("MC0635", "1200")]),
    "more melds than the pack allows": ("classic", "canastas_to_go_out: 12", [("MC0720", "12")]),
    "a target below the start": ("classic", "target: -100", [("MC0636", "-100")]),
    "nothing drawn": ("classic", "draws: 0", [("MC0729", "0")]),
    "a score without a point": (
        "classic",
        "replace values: {any: 0}\nout_bonus: 0\nconcealed_bonus: 0\n"
        "replace bonus_worth: {1: 0, 2: 0, 3: 0, 4: 0}\n"
        "canastas: {natural: {bonus: 0}, mixed: {bonus: 0}}\ntarget: 3000",
        [("MC0636", "3000")],
    ),
    "no end of the game": (
        "classic",
        "remove: [moment game_over]",
        [("MC0728", "moment game_over")],
    ),
}

RULES: dict[str, tuple[str, list[tuple[str, str]]]] = {
    "required and forbidden": (
        'rule one\n  discard requires card is wild\n  because "x"\n\n'
        'rule two\n  discard forbidden when card is wild\n  because "y"',
        [("MC0721", "card is wild")],
    ),
    "numbers that exclude each other": (
        'rule one\n  going_out requires count(canastas) >= 3\n  because "x"\n\n'
        'rule two\n  going_out forbidden when count(canastas) > 2\n  because "y"',
        [("MC0721", "count(canastas) >= 3")],
    ),
    "a rule against itself": (
        'rule one\n  take_pile requires count(cards) > 3 and count(cards) < 2\n  because "x"',
        [("MC0720", "count(cards) > 3 and count(cards) < 2")],
    ),
    "a turn that never ends": (
        'rule one\n  end of turn requires count(hand) > 120\n  because "x"',
        [("MC0720", "count(hand) > 120")],
    ),
    "an action always refused": (
        'rule one\n  draw forbidden\n  because "x"',
        [("MC0720", "one")],
    ),
    "a condition that never holds": (
        'rule one\n  discard forbidden when card is wild and card is natural\n  because "x"',
        [("MC0722", "card is wild and card is natural")],
    ),
    "a weaker rule": (
        'rule one\n  take_onto forbidden when top(pile) is wild and count(hand) > 3\n  because "x"',
        [("MC0723", "one")],
    ),
    "a phase nobody enters": (
        'phase extra "extra"\n\naction wait "wait"\n  during extra, play\n  then end turn',
        [("MC0724", "extra")],
    ),
    "a phase nobody leaves": (
        'phase extra "extra"\n\naction wait "wait"\n  during extra\n  then frozen becomes yes\n\n'
        "moment away after draw\n  then go to extra",
        [("MC0725", "wait")],
    ),
    "a moment that never comes": (
        "moment one after discard\n  when card is wild and card is natural\n  then end deal",
        [("MC0727", "card is wild and card is natural")],
    ),
    "a line that counts twice": (
        'score again\n  gives sum(canastas by canasta.bonus)\n  because "x"',
        [("MC0634", "again")],
    ),
    "nothing uses them": (
        'define one = total > 4000\n\nsetting two = 3 "x"\n\nzone three shown\n\n'
        "table four by number",
        [("MC0730", "one"), ("MC0730", "two"), ("MC0730", "three"), ("MC0730", "four")],
    ),
    "a memory nobody asks for": (
        "remember one = no each deal\n\nmoment two after draw\n  then one becomes yes",
        [("MC0731", "one")],
    ),
    "an ending that asks what it completes": (
        'action stop "stop"\n  during play\n  then end deal\n\n'
        'rule one\n  stop forbidden when can(meld)\n  because "x"\n\n'
        'rule two\n  stop forbidden when can(discard)\n  because "x"\n\n'
        'rule three\n  stop forbidden when can(going_out)\n  because "x"\n\n'
        'rule four\n  stop requires can(end of turn)\n  because "x"\n\n'
        'rule five\n  end of turn forbidden when can(add)\n  because "x"',
        [("MC0716", "one"), ("MC0716", "five")],
    ),
    "plays that ask whether the turn can end": (
        'rule one\n  discard requires can(end of turn)\n  because "x"\n\n'
        'rule two\n  add, meld requires can(end of turn)\n  because "x"\n\n'
        'rule three\n  meld forbidden when not can(end of turn without three)\n  because "x"',
        [("MC0716", "one"), ("MC0716", "two")],
    ),
    "a last resort that asks what else there is": (
        'action stop "stop"\n  during play\n  then end turn\n\n'
        'rule one\n  stop forbidden when can(meld)\n  because "x"\n\n'
        'rule two\n  stop forbidden\n  while the turn can end otherwise\n  because "x"',
        [],
    ),
    "the score of a deal before it is counted": (
        "define brought = deal_score(dealer)\n\n"
        'rule one\n  discard forbidden when brought > 100\n  because "x"\n\n'
        "moment two at end of deal\n  when brought > 100\n  then dealer becomes left(dealer)\n\n"
        "moment three after two\n  when brought > 200\n  then dealer becomes left(dealer)",
        [("MC0718", "one")],
    ),
    "the suit of a meld that is no run": (
        'rule one\n  discard forbidden when any(melds where suit = hearts)\n  because "x"',
        [("MC0722", "any(melds where suit = hearts)")],
    ),
    "a memory that is never changed": (
        "remember one = count(players) each deal\n\nrule two\n  draw requires count(hand) > one\n"
        '  because "x"',
        [("MC0731", "one")],
    ),
    "a memory that keeps how things stood": (
        "remember one of side = total each deal\n\nrule two\n  draw requires total - one < 9\n"
        '  because "x"',
        [],
    ),
    "a card that nobody may let go": (
        'rule one\n  discard forbidden when card is wild\n  because "x"',
        [("MC0733", "card is wild")],
    ),
    "a turn that cannot end without a meld": (
        'rule one\n  end of turn requires opened\n  because "x"',
        [("MC0733", "opened")],
    ),
    "a card let go where there is no other": (
        "rule one\n  discard forbidden when card is wild and any(hand where not wild)\n"
        '  because "x"',
        [],
    ),
    "what a discard itself brings about": (
        'rule one\n  end of turn requires discarded\n  because "x"',
        [],
    ),
    "rules that leave each other room": (
        'rule one\n  discard requires card is natural\n  when count(hand) > 3\n  because "x"\n\n'
        'rule two\n  discard forbidden when card is wild and count(hand) <= 3\n  because "y"',
        [("MC0733", "card is wild and count(hand) <= 3")],
    ),
}


@pytest.mark.parametrize("name", FAULTS)
def test_fault__is_found_where_it_is(name: str, tmp_path: Path) -> None:
    base, text, expected = FAULTS[name]
    assert underlined(compiled(tmp_path, base, text)) == expected


@pytest.mark.parametrize("name", RULES)
def test_rule__is_found_where_it_is(name: str, tmp_path: Path) -> None:
    rules, expected = RULES[name]
    assert underlined(compiled(tmp_path, "classic", in_rules(rules))) == expected


def test_deal__filled_again_and_again(tmp_path: Path) -> None:
    text = (
        "stock_used_up: pile_turned_over\nrules: |\n  replace define pile_can_be_turned = "
        "stock is empty and stock_used_up = pile_turned_over and pile is not empty\n"
    )
    (found,) = compiled(tmp_path, "classic", text).diagnostics
    assert found.code == "MC0728"


def test_impossible__is_an_error_and_comes_first(tmp_path: Path) -> None:
    text = "opening_points: {1500: 120, 3000: 90}\ncanastas: {mixed: {wilds: any}}"
    found = compiled(tmp_path, "classic", text).diagnostics
    assert [(each.code, each.is_error) for each in found] == [("MC0630", True), ("MC0623", False)]


def test_numbers__are_told(tmp_path: Path) -> None:
    (found,) = compiled(tmp_path, "classic", "canastas_to_go_out: 12").diagnostics
    assert found.primary.text == "it needs 12, and there can be 11 at most"
    (found,) = compiled(tmp_path, "classic", "opening_points: {3000: 1200}").diagnostics
    assert found.primary.text == "12 cards are worth 360 at most in melds"


# ---- allowing --------------------------------------------------------------------------------


def test_allowed__a_warning_is_silent(tmp_path: Path) -> None:
    text = "bonus_worth: {5: 1000}\nallow: {MC0622: the club plays with more packs}"
    assert compiled(tmp_path, "classic", text).diagnostics == ()


def test_allowed__an_error_is_not(tmp_path: Path) -> None:
    text = "canastas: {mixed: {wilds: any}}\nallow: {MC0630: as ever}"
    found = compiled(tmp_path, "classic", text).diagnostics
    assert [each.code for each in found] == ["MC0630", "MC0430"]


def test_allowed__what_is_not_there_is_told(tmp_path: Path) -> None:
    text = "allow: {MC0622: as ever, MC9999: as ever}"
    found = compiled(tmp_path, "classic", text).diagnostics
    assert [each.code for each in found] == ["MC0430", "MC0430"]


def test_allowed__holds_for_variants_below(tmp_path: Path) -> None:
    assert compiled(tmp_path, "chilean", "target: 12000").diagnostics == ()


def test_pattern__of_a_rank_and_a_suit_that_cross_is_no_mistake(tmp_path: Path) -> None:
    found = compiled(tmp_path, "classic", "cards: {trump_card: 'Q, J, diamonds'}").diagnostics
    assert "MC0614" not in [each.code for each in found]


def test_values__that_fall_again_and_again_are_meant(tmp_path: Path) -> None:
    text = "replace opening_points: {0: 50, 1000: 30, 2000: 90, 3000: 60, 4000: 120}"
    found = compiled(tmp_path, "classic", text).diagnostics
    assert "MC0623" not in [each.code for each in found]


def test_fourteen_cards__of_twelve_are_told() -> None:
    found = compile_spec("american", ["deal-size=by-players"]).diagnostics
    assert {each.code for each in found} == {"MC0617"}
