"""Tables by card that are asked for cards of which they say nothing."""

from __future__ import annotations

from pathlib import Path

import pytest
from check.support import compiled, in_rules, underlined

TABLE = 'table cost by card "what a card costs"\n\n'


def asking(score: str) -> str:
    return in_rules(f'{TABLE}score owing of player\n  gives {score}\n  because "owing"')


EACH = asking("- sum(hand by cost[it])")

LACKING: dict[str, tuple[str, str, list[tuple[str, str]]]] = {
    "a row taken away": (
        "italian",
        "remove: [start_cards.J]",
        [("MC0627", "start_cards.J")],
    ),
    "jokers forgotten in a table of its own": (
        "italian",
        "replace start_cards: {A: 1, 2: 2, 3..K: number}",
        [("MC0627", "3..K")],
    ),
    "jokers put into the pack of a game without": (
        "rummy-5000",
        "replace further_cards: {2..10: number, J..K: 10, A: 11}\npack: {packs: 2, jokers: 2}",
        [("MC0627", "A")],
    ),
    "one rank between others": (
        "classic",
        f"cost: {{2..9: 5, J..A: 10, Jkr: 50}}\n{EACH}",
        [("MC0627", "Jkr")],
    ),
    "a few cards in a sum": (
        "classic",
        f"cost: {{A: 10, K: 5}}\n{EACH}",
        [],
    ),
    "a few cards, where nothing makes the whole nothing": (
        "classic",
        f"cost: {{A: 10, K: 5}}\n{asking('cost[top(pile)] + 1')}",
        [("MC0627", "K")],
    ),
    "with a word for what is not there": (
        "classic",
        f"cost: {{A: 10, K: 5}}\n{asking('(cost[top(pile)] otherwise 0) + 1')}",
        [],
    ),
    "asked whether it is there": (
        "classic",
        f"cost: {{A: 10, K: 5}}\n"
        f"{asking('if cost[top(pile)] exists then cost[top(pile)] + 1 else 1')}",
        [],
    ),
    "only asked for the cards it has": (
        "classic",
        f"cost: {{A: 10, K: 5}}\n{asking('sum(hand where rank in K..A by cost[it] + 1)')}",
        [],
    ),
    "asked for other cards on the other branch": (
        "classic",
        "cost: {4..A: 10}\n"
        + asking("sum(hand by if it is wild or rank = 3 then 50 else cost[it] + 1)"),
        [],
    ),
    "through a definition of card": (
        "classic",
        "cost: {4..A: 10}\n"
        + in_rules(
            f"{TABLE}define burden of card = cost[card] + 1\n\nscore owing of player\n"
            '  gives - sum(hand by burden)\n  because "owing"'
        ),
        [("MC0627", "4..A")],
    ),
    "zero for all others": (
        "classic",
        f"cost: {{any: 0, 4..A: 10}}\n{EACH}",
        [],
    ),
}


@pytest.mark.parametrize("name", LACKING)
def test_missing_row__is_told_where_it_matters(name: str, tmp_path: Path) -> None:
    base, text, expected = LACKING[name]
    found = underlined(compiled(tmp_path, base, text))
    assert [each for each in found if each[0] == "MC0627"] == expected
    assert [each for each in found if each[0] < "MC0600"] == []


def test_message__names_the_cards_and_who_asks(tmp_path: Path) -> None:
    text = "replace start_cards: {A: 1, 2: 2, 3..10: number, Q..K: 12}"
    (found,) = compiled(tmp_path, "italian", text).diagnostics
    assert found.message == "`start_cards` has no row for Js and jokers"
    assert [each.text for each in found.secondary] == ["asked for them here"]
    assert "otherwise 0" in found.help[0]
