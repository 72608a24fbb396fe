"""What is meant by a word that stands in the wrong place is said in the help."""

from __future__ import annotations

from pathlib import Path

import pytest
from small_game import compile_small

MEANT = {
    # words of cards, where a meld is looked at
    "define asked = count(melds where kind = natural)": ("MC0454", "write `sort = natural`"),
    "define asked = any(melds where wild = 0)": ("MC0454", "did you mean `wilds`?"),
    "define asked = any(melds where wild < 2)": ("MC0454", "did you mean `wilds`?"),
    "define asked = any(melds where threes)": ("MC0454", "`x is threes`"),
    # values
    "define asked = top(pile).rank = king": ("MC0450", "write `K`"),
    "define asked = top(pile).rank in (aces, sixes)": ("MC0450", "write `A`"),
    "define asked of player = hand > 3": ("MC0502", "`count(…)` is how many there are"),
    "define asked of side = melds > 3": ("MC0502", "`sum(… by size)` how many cards"),
    # melds are no zone that cards are moved from
    "moment asked after put\n  then move top(hand) from home to hand": ("MC0509", "`exchange "),
    "moment asked after put\n  then move home.cards to pile": ("MC0510", "`exchange "),
    "moment asked after put\n  then move home to pile": ("MC0501", "`exchange "),
    "moment asked after put\n  then move top(pile) to melds": ("MC0509", "`meld CARDS onto MELD`"),
}


@pytest.mark.parametrize("rules", MEANT)
def test_help__says_what_may_be_meant(rules: str, tmp_path: Path) -> None:
    tables = "sets: {natural: {meld: set, size: 7.., wilds: 0, bonus: 500}}\n"
    found = compile_small(tmp_path, rules, tables=tables).compilation.diagnostics
    code, help_ = MEANT[rules]
    assert found[0].code == code
    assert help_ in " ".join(found[0].help)


def test_zones__that_are_told_hold_cards(tmp_path: Path) -> None:
    rules = "moment asked\n  then move top(pile) to total"
    (found,) = compile_small(tmp_path, rules).compilation.diagnostics
    assert found.help == ("zones are stock, pile, hand, bonus",)
