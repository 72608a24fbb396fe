"""Common slips: what is said instead."""

from __future__ import annotations

import pytest

from meldc.source import Rebase, SourceFile
from meldc.syntax import parse_cards, parse_cell, parse_rules

THEN = "moment a at end of deal\n  then "
DEFINE = "define a = "
WHY = '\n  because "x"'
SLIPS = {
    "rule a:\n  b forbidden" + WHY: "what belongs to it is indented below",
    "rule a b forbidden" + WHY: "stands in the next line, indented",
    "rule a\n  b forbidden if c" + WHY: "`when …`",
    "rule a\n  b requires c if d" + WHY: "`when …`",
    "rule a\n  b requires c, d = 3" + WHY: "joined by `and`",
    "rule a\n  b must c" + WHY: "`X requires …`",
    "rule a\n  b during c" + WHY: "`X allowed during PHASE`",
    "score a = 3": "`gives …`",
    "score a of player\n  gives 3 if b" + WHY: "`when …`",
    "remember a each deal": "`= 0`",
    "remember a of each player = 0 each deal": "`of player`",
    "remember a = 3": "`each turn`, `each deal`",
    "zone a hidden to all": "`shown to owner`",
    "phase a begins turn": 'phase bid "bid"',
    'action a b in 0..3 "x"\n  during c\n  then end deal': "stand in brackets",
    'action a "x"\n  then end deal': "`during PHASE`",
    "define a(player) = 3": "`of`",
    'use "a"': "without quotes",
    "moment a at end of deal\n  b becomes c": "stands behind `then`",
    "moment a\n  if b\n  then end deal": "`when …` before `then`",
    "moment a\n  unless b\n  then end deal": "`when not …`",
    "moment a\n  then end deal\n  when b": "stands before `then`",
    "moment a at end of trick\n  then end deal": "no period",
    THEN + "move 1 card from b to c": "`move 1 from stock to hand`",
    THEN + "move all cards from b to c": "`move trick to stock`",
    THEN + "set b to c": "`X becomes …`",
    THEN + "discard top(b)": "`move CARDS to ZONE`",
    THEN + "b(c) loses 3": "`X gains - 3`",
    THEN + "end the deal": "left out",
    THEN + "end hand": "`deal`",
    THEN + "exchange b for c": "`exchange CARD with MELD to ZONE`",
    THEN + "swap b for c": "`exchange CARD with MELD to ZONE`",
    THEN + "next player": "`go to PHASE for PLAYER`",
    THEN + "\n    each player\n      end deal": "`for each player`",
    THEN + "\n    for player in b\n      end deal": "`for each NAME in …`",
    DEFINE + "b mod 4": "`remainder(a, b)`",
    DEFINE + "b % 4": "`remainder(a, b)`",
    DEFINE + "b / 4": "`quotient(a, b)`",
    DEFINE + "if b then 3": "`else none`",
    DEFINE + "3 if b else 4": "`if … then … else …`",
    DEFINE + "any(b where it is in c)": "`x in …`, without `is`",
    DEFINE + "count(b with c = d)": "`where`",
    DEFINE + "b greater than 3": "`>`",
    DEFINE + "b equals 3": "`=`",
    DEFINE + "[1, 2]": "(1, 2, 3)",
}


@pytest.mark.parametrize("text", SLIPS)
def test_hint__says_what_to_write_instead(text: str) -> None:
    _, problems = parse_rules(text + "\n", Rebase.whole(SourceFile("x.rules", text)))
    assert len(problems) == 1
    assert SLIPS[text] in " ".join(problems[0].help)


CELLS = {
    "5000 points": "write `5000`",
    "1.5": "numbers are whole",
    "SQ": "`QS`",
    "S10": "`10S`",
    "1H": "`AH`",
    "JOKER": "`Jkr`",
    "Z": "ranks are `2` to `10`",
    "x = P1": "`left(dealer)`",
    "3 — 2": "a minus is `-`",
    "x = “a": "straight double quotes",
}


@pytest.mark.parametrize("text", CELLS)
def test_hint__of_a_cell(text: str) -> None:
    _, problems = parse_cell(text, Rebase.whole(SourceFile("x.yaml", text)))
    assert CELLS[text] in " ".join(problems[0].help)


@pytest.mark.parametrize("text", ["8-K", "8 to K"])
def test_hint__of_ranks_from_one_to_another(text: str) -> None:
    _, problems = parse_cards(text, Rebase.whole(SourceFile("x.yaml", text)))
    assert "`8..K`" in " ".join(problems[0].help)


@pytest.mark.parametrize(("character", "plain"), [("\u00a0", " "), ("\u200b", "")])
def test_unseen_character__is_named_and_replaced(character: str, plain: str) -> None:
    text = f"3{character}"
    _, problems = parse_cell(text, Rebase.whole(SourceFile("x.yaml", text)))
    assert f"U+{ord(character):04X} (" in problems[0].message
    assert problems[0].fix is not None
    assert problems[0].fix.edits[0].text == plain
