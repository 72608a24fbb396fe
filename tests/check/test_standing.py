"""What can never be, or never ends, by the time, the place or the cards it speaks of."""

from __future__ import annotations

from pathlib import Path

import pytest
from check.support import compiled, in_rules, underlined

from meldc.compilation import Compilation, compile_spec

FAULTS: dict[str, tuple[str, str, list[tuple[str, str]]]] = {
    # packs and melds
    "a rank of the pack twice": (
        "paston",
        'pack: {packs: 1, ranks: "7..A, 9"}',
        [("MC0614", "9")],
    ),
    "ranks of the pack, each once": ("paston", 'pack: {packs: 1, ranks: "7..9, 10..A"}', []),
    "two ranks in a meld of one": (
        "classic",
        "melds: {set: {contains: [K, Q]}}",
        [("MC0606", "[K, Q]")],
    ),
    "more ranks than groups": (
        "classic",
        "hand_size: 13\nmelds: {quad: {shape: 4 4 3 3, cards: natural, contains: "
        "[K, Q, J, 10, 9], how_many: one}}",
        [("MC0606", "[K, Q, J, 10, 9]")],
    ),
    "as many ranks as groups": (
        "classic",
        "hand_size: 13\nmelds: {quad: {shape: 4 4 3 3, cards: natural, contains: "
        "[K, Q, J, 10], how_many: one}}",
        [],
    ),
    "cards too far apart for a run": (
        "rummy-5000",
        "melds: {run: {size: 3..5, contains: [7, A]}}",
        [("MC0606", "[7, A]")],
    ),
    "cards that a run goes round to": (
        "rummy-5000",
        "melds: {run: {size: 3..5, contains: [4, A]}}",
        [],
    ),
    "groups of another size": (
        "classic",
        "melds: {pairs: {shape: 2 2 2, cards: natural, size: 7}}",
        [("MC0606", "7")],
    ),
    "groups and their size": (
        "classic",
        "melds: {pairs: {shape: 2 2 2, cards: natural, size: 6}}",
        [],
    ),
    "an ace in no run": ("classic", "melds: {set: {ace: low}}", [("MC0619", "low")]),
    "melds that a rule keeps small": (
        "classic",
        in_rules('rule small\n  set forbidden when size >= 7\n  because "x"'),
        [("MC0632", "size >= 7")],
    ),
    "melds of one sort that a rule keeps small": (
        "classic",
        in_rules('rule small\n  set forbidden when size >= 9\n  because "x"'),
        [],
    ),
    "a row of the base that goes idle": (
        "classic",
        "melds: {set: {wilds: 0}}",
        [("MC0632", "0")],
    ),
    "a special case behind its row": (
        "classic",
        'values: {"8, Jkr": 50}',
        [],
    ),
    # what never comes
    "a remainder that cannot be": (
        "classic",
        in_rules(
            "moment odd after discard\n  then\n    if remainder(deal_number, 4) = 4\n"
            "      frozen becomes yes"
        ),
        [("MC0738", "remainder(deal_number, 4) = 4")],
    ),
    "a remainder that can be": (
        "classic",
        in_rules(
            "moment odd after discard\n  then\n    if remainder(deal_number, 4) = 3\n"
            "      frozen becomes yes"
        ),
        [],
    ),
    "an `else` that is never done": (
        "classic",
        in_rules(
            "moment odd after discard\n  then\n    for each player\n"
            "      if count(players) = 4\n        frozen becomes yes\n      else\n"
            "        frozen becomes no"
        ),
        [("MC0738", "count(players) = 4")],
    ),
    "a branch on a setting": (
        "classic",
        in_rules("moment odd after discard\n  then\n    if draws = 2\n      frozen becomes yes"),
        [],
    ),
    "another phase than that of the action": (
        "classic",
        in_rules('rule odd\n  draw forbidden when phase = play and frozen\n  because "x"'),
        [("MC0722", "phase = play and frozen")],
    ),
    "another phase than that of what it follows": (
        "classic",
        in_rules("moment odd after discard\n  when phase = draw\n  then frozen becomes yes"),
        [("MC0727", "phase = draw")],
    ),
    "the phase of one of two actions": (
        "classic",
        in_rules('rule odd\n  draw, discard forbidden when phase = play and frozen\n  because "x"'),
        [],
    ),
    "a memory of each player, of a turn, in the score": (
        "classic",
        in_rules(
            "remember fines of player = 0 each turn\n\nmoment fined after discard\n"
            "  when card.rank = A\n  then fines gains 10\n\n"
            'score fined of player\n  gives - fines\n  because "fines"'
        ),
        [("MC0741", "fined")],
    ),
    "a memory of the last turn, in the score": (
        "classic",
        in_rules(
            'score taken\n  gives 10\n  when took_pile and out in players(side)\n  because "x"'
        ),
        [],
    ),
    "a line that is always the whole score": (
        "classic",
        in_rules('score only whole\n  gives 100\n  because "x"'),
        [("MC0740", "whole")],
    ),
    "a line that is the whole score at times": (
        "classic",
        in_rules('score only whole\n  gives 100\n  when out is none\n  because "x"'),
        [],
    ),
    "points times nothing": (
        "classic",
        in_rules('score odd\n  gives deal_number * 0\n  because "x"'),
        [("MC0734", "deal_number * 0")],
    ),
    "a pack that is not shuffled": (
        "classic",
        in_rules(
            "replace moment hands_dealt at start of deal\n  then\n"
            "    for each player from left(dealer)\n      move hand_size from stock to hand"
        ),
        [("MC0739", "hands_dealt")],
    ),
    "a kind of a few of the cards of another, that counts for nothing": (
        "classic",
        "melds: {kings: {shape: same rank, cards: K, size: 3.., how_many: one}}",
        [("MC0640", "kings")],
    ),
    "a kind of a few of the cards of another, with its row": (
        "classic",
        "melds: {kings: {shape: same rank, cards: K, size: 3.., how_many: one}}\n"
        "canastas: {kings: {meld: kings, size: 7.., bonus: 1000}}",
        [],
    ),
    "a setting by a number of players that there is not": (
        "classic",
        "hand_size: if count(players) = 4 then 12 else 13",
        [("MC0738", "if count(players) = 4 then 12 else 13")],
    ),
    "a setting by the number of players": (
        "classic",
        "players: 4 or 6\nhand_size: if count(players) = 4 then 12 else 13",
        [],
    ),
    # rules that cannot be kept
    "a wild card asked for, and refused": (
        "classic",
        in_rules(
            'rule no_wild\n  opening forbidden when any(melds.cards where wild)\n  because "x"\n\n'
            'rule wild\n  opening requires any(melds where wilds > 0)\n  because "x"'
        ),
        [("MC0721", "any(melds where wilds > 0)")],
    ),
    "a wild card asked for, and a natural one": (
        "classic",
        in_rules(
            'rule no_wild\n  opening requires any(melds where wilds = 0)\n  because "x"\n\n'
            'rule wild\n  opening requires any(melds where wilds > 0)\n  because "x"'
        ),
        [],
    ),
    "a rule that waits for what it refuses": (
        "classic",
        in_rules('rule late\n  ask requires leave = yes\n  because "x"'),
        [("MC0737", "leave = yes")],
    ),
    "a number taken away between others": (
        "paston",
        "remove: [one_whister.3]",
        [("MC0625", "one_whister.3")],
    ),
    # what need not go on
    "an action that uses nothing up": (
        "classic",
        in_rules(
            'action stir "stir"\n  during play\n  then\n    move pile to stock\n'
            "    shuffle stock\n    move 1 from stock to pile"
        ),
        [("MC0728", "stir")],
    ),
    "an action that can be played once": (
        "classic",
        in_rules(
            'remember stirred = no each turn\n\naction stir "stir"\n  during play\n  then\n'
            "    move pile to stock\n    shuffle stock\n    move 1 from stock to pile\n"
            '    stirred becomes yes\n\nrule once\n  stir forbidden when stirred\n  because "x"'
        ),
        [],
    ),
    "a phase that nothing done there leads out of": (
        "tricks",
        "hand is empty",
        [("MC0725", "pick")],
    ),
    "a phase that what is done there leads out of": ("tricks", "picked = clubs", []),
}

TRICKS = """\
variant: mine
title: Mine
machine: tricks
players: 3
side_size: 1
pack: {packs: 1}
hand_size: 17
target: 20
rules: |
  score tricks of player
    gives tricks
    because "tricks"
"""
PICK = """
  phase pick "pick a suit"

  remember picked: suit each deal

  action pick(suit in (clubs, hearts)) "pick {suit}"
    during pick
    then picked becomes suit

  moment picking after play
    when card.rank = A and card.suit != picked
    then go to pick

  moment done after pick
    when CONDITION
    then end deal
"""


def found(folder: Path, base: str, text: str) -> Compilation:
    """A variant of a base; of `tricks` a game with a phase that is left on a condition."""
    if base != "tricks":
        return compiled(folder, base, text)
    return of_tricks(folder, TRICKS + PICK.replace("CONDITION", text))


def of_tricks(folder: Path, text: str) -> Compilation:
    (folder / "mine.yaml").write_text(text, encoding="utf-8")
    return compile_spec(folder / "mine.yaml")


CLOSED = """
  remember broken = no each deal

  rule closed
    play forbidden when card.suit = hearts
    unless trick is not empty or broken EXCEPT
    because "no heart has been played yet"

  moment broken_now after play
    when card.suit = hearts
    then broken becomes yes
"""


@pytest.mark.parametrize(
    ("further", "stuck"),
    [("", True), ("or all(hand are suit = hearts)", False), ("or card.rank < 8", False)],
)
def test_hand__that_a_rule_with_an_exception_holds_back(
    further: str, stuck: bool, tmp_path: Path
) -> None:
    """As long as the exception does not hold; too few cards to fill a hand hold nobody back."""
    text = TRICKS.replace("hand_size: 17", "hand_size: 13").replace("players: 3", "players: 4")
    found = of_tricks(tmp_path, text + CLOSED.replace("EXCEPT", further))
    told = [("MC0733", "card.suit = hearts")] if stuck else []
    assert underlined(found) == told
    if stuck:
        assert "holds nothing but hearts" in found.diagnostics[0].message


def test_points__below_none_are_never_above(tmp_path: Path) -> None:
    text = TRICKS.replace("gives tricks", "gives - tricks")
    assert underlined(of_tricks(tmp_path, text)) == [("MC0636", "20")]


@pytest.mark.parametrize("name", FAULTS)
def test_fault__is_found_where_it_is(name: str, tmp_path: Path) -> None:
    base, text, expected = FAULTS[name]
    assert underlined(found(tmp_path, base, text)) == expected


def test_deal__of_which_not_all_can_have_the_most(tmp_path: Path) -> None:
    """Five players, and the four aces of the one pack: 56 of 52 cards cannot come up."""
    text = "players: 5\npack: {packs: 1}\nreplace further_cards: {any: 6, A: 10}"
    codes = [each.code for each in compiled(tmp_path, "rummy-5000", text).diagnostics]
    assert "MC0603" not in codes
    text = text.replace("A: 10", "A: 11")
    codes = [each.code for each in compiled(tmp_path, "rummy-5000", text).diagnostics]
    assert "MC0603" in codes


def test_value_with_a_comma__is_told_to_be_quoted(tmp_path: Path) -> None:
    text = "melds: {red: {shape: run, size: 5.., if: suit in (hearts, diamonds)}}"
    (problem,) = compiled(tmp_path, "classic", text).diagnostics
    assert "a value with a comma goes in quotes" in problem.help[0]


def test_house_rule__is_for_games_of_other_tables_too() -> None:
    """Of its branches one may well be for a number of players that this game has not."""
    found = compile_spec("classic", ["deal-size=by-players"]).diagnostics
    assert "MC0738" not in [each.code for each in found]
