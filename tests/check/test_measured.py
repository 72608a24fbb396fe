"""Openings measured on the points of some melds, or of some cards of melds, only."""

from __future__ import annotations

from pathlib import Path

import pytest
from check.support import compiled, in_rules, underlined


def asking(condition: str, more: str = "") -> str:
    """A rule that an opening must keep, and what else is declared for it."""
    rule = (
        f'rule worth\n  opening requires {condition}\n  because "the opening is worth too little"'
    )
    return in_rules(f"{more}\n\n{rule}" if more else rule)


POINTS = "define points_of_it of meld = sum(cards by value)"
NATURAL = "define points_of_naturals of meld = sum(cards where natural by value)"
EVEN = "values: {A: 10}"
"""Ten points are the most that a natural card is worth."""
LACKING = {  # tables of the game, what is asked for, further declarations, whether nobody can
    "melds without wild cards": (
        EVEN,
        "sum((melds where wilds = 0).cards by value) >= 130",
        "",
        True,
    ),
    "which can be laid": (EVEN, "sum((melds where wilds = 0).cards by value) >= 120", "", False),
    "the points of each meld": (
        EVEN,
        "sum(melds where wilds = 0 by points_of_it) >= 130",
        POINTS,
        True,
    ),
    "the points of each, as can be laid": (
        EVEN,
        "sum(melds where wilds = 0 by points_of_it) >= 120",
        POINTS,
        False,
    ),
    "natural cards alone": ("", "sum(melds.cards where natural by value) >= 205", "", True),
    "as many natural cards as there are": (
        "",
        "sum(melds.cards where natural by value) >= 200",
        "",
        False,
    ),
    "natural cards of each meld": ("", "sum(melds by points_of_naturals) >= 205", NATURAL, True),
    "melds of a rank": ("", "sum((melds where rank = 7).cards by value) >= 300", "", True),
    "melds of a rank that can be laid": (
        "",
        "sum((melds where rank = 7).cards by value) >= 100",
        "",
        False,
    ),
    "melds that cannot be": ("", "sum((melds where wilds > 5).cards by value) >= 10", "", True),
    "twice the points": (EVEN, "sum((melds where wilds = 0).cards by value * 2) >= 485", "", True),
    "a measure that is not known": (
        EVEN,
        "sum((melds where wilds = 0).cards by count(hand)) >= 500",
        "",
        False,
    ),
}


@pytest.mark.parametrize("name", LACKING)
def test_opening__out_of_reach_by_what_it_counts(name: str, tmp_path: Path) -> None:
    tables, condition, more, out_of_reach = LACKING[name]
    found = underlined(compiled(tmp_path, "classic", f"{tables}\n{asking(condition, more)}"))
    assert {code for code, _ in found} == ({"MC0635"} if out_of_reach else set())


def test_rows__of_a_table_that_such_an_opening_asks_for(tmp_path: Path) -> None:
    text = asking("sum((melds where wilds = 0).cards by value) >= needed[total]")
    text = text.replace("rule worth", 'table needed by band "needed"\n\n  rule worth')
    found = compiled(tmp_path, "classic", f"needed: {{below 0: 15, 0: 50, 3000: 300}}\n{text}")
    assert underlined(found) == [("MC0635", "300")]
    assert "what counts of melds" in found.diagnostics[0].primary.text
