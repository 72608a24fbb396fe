"""Two house rules at once: the same game in any order, or a conflict that names both."""

from __future__ import annotations

from itertools import combinations

import pytest
from house.table import REFUSED, expected

from meldc.compilation import compile_spec
from meldc.resolve import resolve

CONFLICTS = {
    frozenset(("fewer-wilds", "three-wilds-any")),
    frozenset(("open-before-pickup", "no-pickup-when-opening")),
    frozenset(("natural-pair-pickup", "one-freeze")),  # a pile that is always frozen
}
BASES = ("classic", "samba", "hand-and-foot", "pennies")


def fitting(variant: str) -> list[str]:
    return [house for house in REFUSED if expected(variant, house) is None]


def pairs() -> list[tuple[str, str, str]]:
    return [(v, *pair) for v in BASES for pair in combinations(fitting(v), 2)]


@pytest.mark.parametrize(("variant", "one", "other"), pairs())
def test_pair__is_the_same_in_both_orders(variant: str, one: str, other: str) -> None:
    first, second = resolve(variant, [one, other]), resolve(variant, [other, one])
    assert first[0] == second[0]
    told = [(each.code, each.message) for each in first[1]]
    assert told == [(each.code, each.message) for each in second[1]]
    same = one.partition("=")[0] == other.partition("=")[0]
    if not same and frozenset((one, other)) not in CONFLICTS:
        assert not told
        return
    (found,) = first[1]
    assert found.code == "MC0410"
    for house in (one, other):
        assert f"`{house}`" in found.message or (found.code == "MC0410" and same)
    places = {label.span.file for label in (found.primary, *found.secondary) if label.span}
    assert len(places) == 2 or same
    assert found.help


@pytest.mark.parametrize("variant", BASES)
def test_all_that_go_together__compile(variant: str) -> None:
    """As many house rules at once as do not contradict each other."""
    chosen: list[str] = []
    for house in fitting(variant):
        clash = any(
            frozenset((house, other)) in CONFLICTS
            or house.partition("=")[0] == other.partition("=")[0]
            for other in chosen
        )
        if not clash:
            chosen.append(house)
    one, other = compile_spec(variant, chosen), compile_spec(variant, chosen[::-1])
    assert one.program is not None, [each.message for each in one.diagnostics]
    assert one.program == other.program
    assert [each.partition("=")[0] for each in one.program.house] == sorted(
        each.partition("=")[0] for each in chosen
    )
