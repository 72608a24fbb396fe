"""The least that is left of cards when the others are laid in melds: held against every split."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations

import pytest
from runtime.building import YES, kind, num
from runtime.test_melds import RUN, SET, cards, state_of, table_with

from meldc_runtime import melds, splitting
from meldc_runtime.cards import UNKNOWN
from meldc_runtime.program import expressions as x
from meldc_runtime.splitting import unmelded
from meldc_runtime.state import State
from meldc_runtime.table import Table

PLAIN = (kind("set", "same_rank", YES, size=(3, 4)), kind("run", "run", YES))
WILD = (SET, replace(RUN, size=(3, 5), wilds=(0, 1), ace="both"))
FREE = (kind("lot", "any", YES, size=(2, 3)), replace(RUN, condition=None, wilds=(1, 2)))
ODD = (replace(PLAIN[1], condition=x.Compare(">", x.MeldAttr(x.Var("meld"), "size"), num(3))),)


def melds_among(table: Table, state: State, faces: list[int]) -> Iterator[tuple[int, ...]]:
    """Places of cards that make a meld, whatever the shape: every choice is tried."""
    conditions = table.schedule.kind_conditions
    for size in range(2, len(faces) + 1):
        for places in combinations(range(len(faces)), size):
            for number, condition in enumerate(conditions):
                chosen = [faces[place] for place in places]
                meld = melds.would_be(table, state, number, None, chosen, 0)
                if meld is not None and (
                    condition is None or table.code.kind_condition[condition](state, meld)
                ):
                    yield places
                    break


def least_by_force(table: Table, state: State, pairs: list[tuple[int, int]]) -> int:
    found = [frozenset(places) for places in melds_among(table, state, [f for f, _ in pairs])]

    def left(places: frozenset[int]) -> int:
        here = sum(pairs[place][1] for place in places)
        return min([here, *(left(places - meld) for meld in found if meld <= places)])

    return left(frozenset(range(len(pairs))))


@pytest.mark.parametrize("kinds", [PLAIN, WILD, FREE, ODD], ids=["plain", "wild", "free", "odd"])
def test_unmelded__is_the_least_of_all_splits(kinds: tuple[object, ...]) -> None:
    table = table_with(*kinds)  # type: ignore[arg-type]
    state = state_of(table)
    rng = random.Random(7)
    near = [face for face in table.pack if face // 4 in (0, 3, 4, 5, 12, 13) and face % 4 < 3]
    for _ in range(25):
        faces = rng.sample(near, 8)
        pairs = [(face, rng.choice((-1, 0, 1, 5, 10))) for face in faces]
        assert unmelded(state, pairs) == least_by_force(table, state, pairs)


def test_unmelded__chooses_the_dearer_of_two_melds_that_share_a_card() -> None:
    state = state_of(table_with(*PLAIN))
    held = [(face, face // 4 + 2) for face in cards("7C 7D 7H 8H 9H 2S")]
    assert unmelded(state, held) == 2 + 7 + 7
    assert unmelded(state, []) == 0


def test_unmelded__two_aces_end_a_run_of_all_ranks() -> None:
    state = state_of(table_with(kind("run", "run", YES, size=(14, 14), ace="both")))
    suit = [(face, 1) for face in range(2, 54 - 2, 4)]
    assert unmelded(state, [*suit, suit[-1]]) == 0
    assert unmelded(state, [*suit, suit[0]]) == 14


def test_unmelded__is_nothing_where_a_card_is_not_known_or_too_many_are_held() -> None:
    state = state_of(table_with(*PLAIN))
    assert unmelded(state, [(UNKNOWN, 1)]) is None
    assert unmelded(state, [(face, 1) for face in range(21)]) is None
    assert unmelded(state, [(face, None) for face in range(20)]) == 0


def test_unmelded__of_cards_that_all_lie_together_is_given_up(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(splitting, "MOST_TRIED", 20_000)
    state = state_of(table_with(kind("lot", "any", YES, size=(3, 5))))
    assert unmelded(state, [(face, 1) for face in range(8)]) == 0
    assert unmelded(state, [(face, 1) for face in range(20)]) is None
