"""All that is shipped, resolved: alone, and with house rules laid over it."""

from __future__ import annotations

from itertools import combinations

import pytest

from meldc.load.catalogue import shipped_variants
from meldc.resolve import Resolved, resolve

CLASSICS = {"classic", "classic-two", "classic-three", "classic-six", "british", "uruguayan"}


def codes(variant: str, *houses: str) -> list[str]:
    return [each.code for each in resolve(variant, houses)[1]]


def taken(variant: str, *houses: str) -> Resolved:
    model, found, _ = resolve(variant, houses)
    assert not found, [each.message for each in found]
    assert model is not None
    return model


@pytest.mark.parametrize("variant", shipped_variants())
def test_variant__is_taken(variant: str) -> None:
    model = taken(variant)
    assert model.name == variant
    keys = [key for key, _ in model.provenance()]
    assert len(keys) == len(set(keys))
    assert all(steps for key, steps in model.provenance() if key not in ("values", "pack.jokers"))


def test_chain__stands_in_the_history() -> None:
    model = taken("brazilian")
    steps = dict(model.provenance())
    assert [step.source for step in steps["canastas.bolivia.bonus"]] == [
        "variant bolivian",
        "variant brazilian",
    ]
    assert [step.text for step in steps["settings.target"]] == [
        "5000",
        "5000",
        "10000",
        "15000",
        "10000",
    ]
    assert [step.source for step in steps["definitions.bonus_sign"]] == [
        "machine canasta",
        "variant samba",
        "variant brazilian",
    ]


@pytest.mark.parametrize(
    ("variant", "houses", "code"),
    [
        *((variant, "three-wilds-any", "MC0409") for variant in sorted(CLASSICS)),
        *((variant, "concealed-bonus", "MC0409") for variant in sorted(CLASSICS)),
        *((variant, "canasta-cards-count", "MC0409") for variant in sorted(CLASSICS)),
        ("kanasta", "fewer-wilds three-wilds-any", "MC0410"),
        ("pennies", "no-canasta-pickup", "MC0408"),
        ("cuban", "no-canasta-pickup", "MC0408"),
        ("pennies", "natural-pair-pickup", "MC0408"),
        ("classic", "natural-pair-pickup one-freeze", "MC0410"),
        ("classic", "keep-jokers jokers=0", "MC0417"),
        ("american", "deal-size=13", "MC0409"),
        ("hand-and-foot", "recycle-pile", "MC0408"),
        ("brazilian", "no-pickup-when-opening", "MC0409"),
    ],
)
def test_senseless_pairing__is_refused(variant: str, houses: str, code: str) -> None:
    assert codes(variant, *houses.split()) == [code]


@pytest.mark.parametrize(
    ("variant", "house"),
    [
        ("classic", "canasta-cards-count=no"),
        ("samba", "three-wilds-any"),
        ("kanasta", "three-wilds-any"),
        ("american", "three-wilds-any"),
        ("hand-and-foot", "deal-size=by-players"),
        ("classic-six", "deal-size=by-players"),
        ("classic", "deal_size=15"),
    ],
)
def test_sensible_pairing__is_taken(variant: str, house: str) -> None:
    taken(variant, house)


@pytest.mark.parametrize("variant", ["classic", "classic-two", "classic-three"])
def test_number_by_players_that_comes_to_the_same__is_told(variant: str) -> None:
    model, found, _ = resolve(variant, ["deal-size=by-players"])
    assert model is not None
    assert [(each.code, each.is_error) for each in found] == [("MC0409", False)]


def test_pairs_of_house_rules__are_the_same_in_both_orders() -> None:
    for one, two in combinations(("deal-size=15", "fewer-wilds", "one-freeze", "recycle-pile"), 2):
        first, second = resolve("classic", [one, two]), resolve("classic", [two, one])
        assert first[0] is not None
        assert second[0] is not None
        assert first[0] == second[0]
        assert first[1] == second[1]
