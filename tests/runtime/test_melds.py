"""What cards make: every shape, wild cards, joining."""

from __future__ import annotations

from dataclasses import replace
from itertools import permutations
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from runtime.building import (
    CARD,
    YES,
    apply,
    kind,
    rank_is,
)
from runtime.games import melding

from meldc_runtime import machine, melds
from meldc_runtime.cards import (
    FACE,
    JOKER,
    RANK_OF,
    card_text,
    laid_by,
    parse_card,
    stands_for,
)
from meldc_runtime.program import declarations as d
from meldc_runtime.program import expressions as x
from meldc_runtime.state import Meld, State
from meldc_runtime.table import Table


def cards(text: str) -> list[int]:
    found = [parse_card(word) for word in text.split()]
    assert None not in found
    return [face for face in found if face is not None]


def shown(meld: Meld | None) -> str | None:
    return None if meld is None else " ".join(card_text(card) for card in meld.cards)


def table_with(*kinds: d.MeldKind, ranks: tuple[int, int] = (2, 14)) -> Table:
    program = replace(melding(), kinds=kinds, rules=(), tables=melding().tables[:4])
    definitions = tuple(one for one in program.definitions if one.name != "unfinished")
    actions = tuple(one for one in program.actions if one.name in ("draw", "discard"))
    pack = replace(program.pack, ranks=ranks)
    scores = tuple(line for line in program.scores if line.name == "melded")
    program = replace(program, definitions=definitions, actions=actions, pack=pack, scores=scores)
    moments = tuple(
        m for m in program.moments if m.name in ("dealt", "pile_started", "turn_passes")
    )
    return Table(replace(program, moments=moments, allowances=()))


def state_of(table: Table) -> State:
    return machine.new_state(table)


def made(table: Table, text: str, base: Meld | None = None, number: int = 0) -> Meld | None:
    return melds.would_be(table, state_of(table), number, base, cards(text), 1)


def laid(table: Table, text: str, number: int = 0) -> Meld:
    meld = made(table, text, number=number)
    assert meld is not None
    return meld


SET = kind("set", "same_rank", apply("natural", CARD), naturals=(2, None), wilds=(0, 2))
RUN = kind("run", "run", YES, naturals=(1, None), wilds=(0, None))
ACES_LOW, ACES_BOTH = replace(RUN, ace="low"), replace(RUN, ace="both")


@pytest.mark.parametrize(
    ("text", "wilds"),
    [("9C 9D 9H", 0), ("9C 9D 2S", 1), ("9C 9D 2S Jkr", 2), ("9C 9C 9C 9C", 0)],
)
def test_set__naturals_of_one_rank_and_wild_cards(text: str, wilds: int) -> None:
    meld = laid(table_with(SET), text)
    assert (meld.rank, meld.wilds, meld.owner) == (9, wilds, 1)
    assert [stands_for(c) for c in meld.cards].count(9) == wilds


@pytest.mark.parametrize(
    "text", ["9C 9D", "9C 2D 2H", "9C 9D 8H", "2C 2D 2H", "9C 9D 2S 2C Jkr", "3C 3S 3C"]
)
def test_set__what_is_none(text: str) -> None:
    assert made(table_with(SET), text) is None


def test_set__grows_within_its_bounds() -> None:
    table = table_with(SET)
    base = laid(table, "9C 9D 2S")
    assert shown(made(table, "9H Jkr", base)) == "9C 9D 2S 9H Jkr"
    assert made(table, "Jkr Jkr", base) is None
    assert made(table, "8H", base) is None


def test_set__a_card_never_makes_a_meld_when_it_is_not_known() -> None:
    table = table_with(SET, replace(SET, name="all", cards=YES))
    for number in (0, 1):
        assert (
            melds.would_be(table, state_of(table), number, None, [53, *cards("9C 9D")], 0) is None
        )


def test_set__wild_cards_in_their_own_place_are_natural() -> None:
    table = table_with(replace(SET, cards=YES, naturals=(1, None)))
    assert laid(table, "2C 2D 2H").wilds == 0
    meld = laid(table, "5C 5D 2H")
    assert (meld.rank, meld.wilds) == (5, 1)
    assert laid(table, "2C 2D 5H").rank == 5


def test_run__naturals_in_sequence() -> None:
    table = table_with(RUN)
    meld = laid(table, "6H 4H 5H")
    assert (shown(meld), meld.suit, meld.low, meld.rank, meld.wilds) == ("4H 5H 6H", 2, 4, None, 0)
    assert made(table, "4H 5H 6S") is None
    assert made(table, "4H 5H 5H") is None
    assert made(table, "4H 5H 7H") is None


def test_run__wild_cards_fill_gaps_and_then_the_high_end() -> None:
    table = table_with(RUN)
    assert shown(laid(table, "4H 6H Jkr")) == "4H Jkr 6H"
    meld = laid(table, "4H 5H Jkr")
    assert shown(meld) == "4H 5H Jkr"
    assert stands_for(meld.cards[2]) == 6
    assert shown(laid(table, "KH AH Jkr")) == "Jkr KH AH"


def test_run__grows_at_both_ends_and_its_wild_cards_stay() -> None:
    table = table_with(RUN)
    base = laid(table, "4H 6H Jkr")
    assert shown(made(table, "7H", base)) == "4H Jkr 6H 7H"
    assert shown(made(table, "3H", base)) == "3H 4H Jkr 6H"
    assert shown(made(table, "Jkr", base)) == "4H Jkr 6H Jkr"
    assert shown(made(table, "8H Jkr", base)) == "4H Jkr 6H Jkr 8H"
    assert made(table, "5H", base) is None
    assert made(table, "9H", base) is None


def test_run__a_wild_card_in_its_place_is_natural() -> None:
    table = table_with(RUN)
    assert laid(table, "2H 3H 4H").wilds == 0
    meld = laid(table, "2H 4H 5H")
    assert (shown(meld), meld.wilds, meld.low) == ("4H 5H 2H", 1, 4)
    assert laid(table, "2S 4H 5H").wilds == 1


def test_run__aces_as_the_kind_says() -> None:
    assert made(table_with(RUN), "AH 2H 3H") is None
    assert made(table_with(RUN), "AH 3H 4H") is None
    low = laid(table_with(ACES_LOW), "AH 3H 2H")
    assert (shown(low), low.low, low.wilds) == ("AH 2H 3H", 1, 0)
    assert made(table_with(ACES_LOW), "QH KH AH") is None
    both = table_with(ACES_BOTH)
    assert shown(made(both, "QH KH AH")) == "QH KH AH"
    assert laid(both, "AH 2H 3H").low == 1


def test_run__of_wild_cards_alone_needs_one_in_its_place() -> None:
    assert laid(table_with(RUN), "2H 2S Jkr").wilds == 2
    assert made(table_with(RUN), "Jkr Jkr Jkr") is None


def test_run__wild_cards_stand_for_cards_of_the_pack_only() -> None:
    short = table_with(RUN, ranks=(2, 9))
    assert shown(made(short, "8H 9H Jkr")) == "Jkr 8H 9H"


def natural_readings(hand: list[int], wild: list[bool], aces: str) -> int | None:
    """The fewest wild cards with which some order of the cards is a run, by trying all."""
    best: int | None = None
    for order in set(permutations(hand)):
        for start in range(1, 15):
            wilds = 0
            for place, card in enumerate(order, start):
                if place > 14 or (place == 1 and aces == "high") or (place == 14 and aces == "low"):
                    break
                rank = 14 if place == 1 else place
                if card == JOKER or RANK_OF[card] != rank:
                    if not wild[card]:
                        break
                    wilds += 1
            else:
                if wilds < len(hand) and (best is None or wilds < best):
                    best = wilds
    return best


@given(
    st.lists(st.sampled_from(cards("AH 2H 3H 4H 5H QH KH 2S Jkr")), min_size=3, max_size=5),
    st.sampled_from(["high", "low", "both"]),
)
def test_run__as_trying_every_order_says(hand: list[int], aces: str) -> None:
    table = table_with(replace(RUN, ace=aces))
    wild = list(table.wilds(state_of(table)))
    suits = [c for c in hand if not wild[c]]
    expected = natural_readings(hand, wild, aces)
    meld = melds.would_be(table, state_of(table), 0, None, hand, 0)
    if suits:
        hearts = [c if c % 4 == 2 or c == JOKER else JOKER for c in hand]
        expected = natural_readings(hearts, wild, aces)
        assert (None if meld is None else meld.wilds) == expected
    elif meld is not None:
        assert expected is not None


def test_any__cards_of_a_class() -> None:
    table = table_with(kind("twos", "any", apply("wild", CARD), size=(3, 4)))
    assert laid(table, "2C Jkr 2H").rank is None
    assert made(table, "2C Jkr 9H") is None
    base = laid(table, "2C Jkr 2H Jkr")
    assert made(table, "2S", base) is None


def test_all_different__one_of_each_rank() -> None:
    straight = kind("straight", "all_different", YES, size=(5, 5))
    assert made(table_with(straight), "2C 5D 9H KH Jkr") is not None
    assert made(table_with(straight), "2C 2D 9H KH Jkr") is None
    wild = replace(straight, wilds=(0, 1))
    assert laid(table_with(wild), "2C 2D 9H KH Jkr").wilds == 1


def test_groups__sizes_of_ranks() -> None:
    pairs = kind("pairs", "groups", YES, groups=(2, 2, 2), size=(6, 6))
    table = table_with(pairs)
    assert made(table, "4C 4D 9H 9S KH KH") is not None
    assert made(table, "4C 4D 9H 9S 9S KH") is None
    assert made(table, "4C 4D 4H 4S KH KH") is None
    mixed = table_with(replace(pairs, groups=(4, 2)))
    assert made(mixed, "4C 4D 4H 4S KH KH") is not None
    assert made(mixed, "4C 4D 4H KS KH KH") is None


def test_groups__wild_cards_fill_and_contained_cards_are_asked_for() -> None:
    wanted = (rank_is(CARD, 4), rank_is(CARD, 13))
    pairs = kind("pairs", "groups", YES, groups=(2, 2), size=(4, 4), wilds=(0, 1), contains=wanted)
    table = table_with(pairs)
    assert laid(table, "4C 4D KH Jkr").wilds == 1
    assert made(table, "4C 4D 9H 9S") is None


def test_contains__holds_of_every_shape() -> None:
    table = table_with(replace(SET, contains=(x.CardAttr(CARD, "red"),)))
    assert made(table, "9C 9S 9H") is not None
    assert made(table, "9C 9S 9C") is None


@pytest.mark.parametrize(
    ("how_many", "shape", "expected"),
    [("many", "same_rank", None), ("one", "same_rank", 2), ("one_unfinished", "same_rank", 2)],
)
def test_joining__a_start_joins_the_meld_of_its_rank(
    how_many: str, shape: str, expected: int | None
) -> None:
    table = table_with(replace(SET, how_many=how_many, size=(3, 6)))
    state = state_of(table)
    for text in ("8C 8D 8H", "9C 9D 9H"):
        melds.lay(state, laid(table, text), None)
    found = melds.joins(table, state, 0, cards("9S 9S"), 1)
    assert (None if found is None else found.serial) == expected
    assert melds.joins(table, state, 0, cards("7S 7S"), 1) is None
    assert melds.joins(table, state, 0, cards("9S 9S"), 0) is None


def test_joining__a_finished_meld_is_passed_over_by_one_unfinished_alone() -> None:
    for how_many, joined in (("one", True), ("one_unfinished", False)):
        table = table_with(replace(SET, how_many=how_many, size=(3, 4)))
        state = state_of(table)
        melds.lay(state, laid(table, "9C 9D 9H 9S"), None)
        assert (melds.joins(table, state, 0, cards("9S 9S 9S"), 1) is not None) is joined


def test_joined__the_first_kind_that_fits_with_what_it_joins() -> None:
    table = table_with(replace(SET, how_many="one"), RUN)
    state = state_of(table)
    base = melds.lay(state, laid(table, "9C 9D 9H"), None)
    found = melds.joined(table, state, cards("9S"), 1)
    assert found is not None
    assert found[1] is base
    run = melds.joined(table, state, cards("4H 5H 6H"), 1)
    assert run is not None
    assert run[0].kind == 1
    assert melds.joined(table, state, cards("4H 9H KC"), 1) is None


def test_stands_for__the_place_in_a_run_and_the_rank_in_a_set() -> None:
    table = table_with(RUN, SET)
    assert melds.standing_faces(laid(table, "4H 6H Jkr")) == tuple(cards("5H"))
    assert melds.standing_faces(laid(table, "4H 5H 6H")) == ()
    assert melds.standing_faces(laid(table, "9C 9D Jkr", 1)) == tuple(cards("9C 9D 9H 9S"))


@given(st.data())
def test_growing__card_by_card_makes_what_laying_at_once_makes(data: Any) -> None:
    table = table_with(SET)
    extra = data.draw(st.lists(st.sampled_from(cards("9C 9D 9H 2S Jkr")), max_size=4))
    base = laid(table, "9C 9D 9H")
    whole = melds.would_be(table, state_of(table), 0, base, extra, 1) if extra else base
    grown: Meld | None = base
    for card in extra:
        grown = grown and melds.would_be(table, state_of(table), 0, grown, [card], 1)
    assert (grown is None) == (whole is None)
    if grown is not None and whole is not None:
        assert grown.cards == whole.cards
        assert grown.wilds == whole.wilds
        assert sorted(c & FACE for c in grown.cards) == sorted([*cards("9C 9D 9H"), *extra])


# ---- wild cards that make room, and that are exchanged
LOW, HIGH = replace(RUN, name="low", wilds_go="low"), replace(RUN, name="high", wilds_go="high")


def test_run__wild_cards_that_go_make_room_for_the_card_they_stand_for() -> None:
    table = table_with(LOW, HIGH)
    base = laid(table, "4H 5H 7H Jkr")
    assert shown(base) == "4H 5H Jkr 7H"
    assert shown(made(table, "6H", base)) == "Jkr 4H 5H 6H 7H"
    high = laid(table, "4H 5H 7H Jkr", 1)
    assert shown(made(table, "6H", high, 1)) == "4H 5H 6H 7H Jkr"
    assert shown(made(table, "8H", base)) == "4H 5H Jkr 7H 8H"


def test_run__wild_cards_that_go_take_the_other_end_where_one_is_full() -> None:
    table = table_with(HIGH, LOW)
    base = laid(table, "JH QH AH Jkr")
    assert shown(base) == "JH QH Jkr AH"
    assert shown(made(table, "KH", base)) == "Jkr JH QH KH AH"
    low = laid(table, "2H 3H 5H Jkr", 1)
    assert shown(made(table, "4H", low, 1)) == "2H 3H 4H 5H Jkr"


def test_run__a_wild_card_that_goes_to_its_own_place_is_natural() -> None:
    table = table_with(LOW)
    base = laid(table, "4H 6H 7H 2H")
    assert (shown(base), base.wilds) == ("4H 2H 6H 7H", 1)
    grown = made(table, "5H 3H", base)
    assert grown is not None
    assert (shown(grown), grown.wilds, grown.low) == ("2H 3H 4H 5H 6H 7H", 0, 2)


def test_run__a_wild_card_that_goes_is_still_of_the_player_who_laid_it() -> None:
    table = table_with(LOW)
    base = laid(table, "4H 6H Jkr")
    grown = melds.would_be(table, state_of(table), 0, base, cards("5H"), 3)
    assert grown is not None
    assert [laid_by(card) for card in grown.cards] == [1, 1, 3, 1]


@pytest.mark.parametrize(
    ("number", "text", "card", "found"),
    [
        (0, "4H Jkr 6H", "5H", ("4H 5H 6H", "Jkr")),
        (0, "4H 2S 6H Jkr", "7H", ("4H 2S 6H 7H", "Jkr")),
        (0, "4H Jkr 6H", "5S", None),
        (0, "4H Jkr 6H", "7H", None),
        (1, "9C 9D 2S Jkr", "9H", ("9C 9D 9H Jkr", "2S")),
        (1, "9C 9D Jkr", "2S", None),
        (1, "9C 9D 9S", "9H", None),
    ],
)
def test_exchanged__a_card_for_the_wild_card_that_stands_for_it(
    number: int, text: str, card: str, found: tuple[str, str] | None
) -> None:
    table = table_with(RUN, SET)
    meld = laid(table, text, number)
    got = melds.exchanged(table, state_of(table), meld, cards(card)[0], 3)
    assert (got and (shown(got[0]), card_text(got[1]))) == found
    if got is not None:
        assert (got[0].wilds, got[0].serial) == (meld.wilds - 1, meld.serial)


def test_exchanged__keeps_to_the_pattern() -> None:
    table = table_with(replace(RUN, wilds=(1, 2)), replace(LOW, naturals=(1, 2)))
    for number in (0, 1):
        meld = laid(table, "4H Jkr 6H", number)
        assert melds.exchanged(table, state_of(table), meld, cards("5H")[0], 3) is None


def test_ends__are_the_faces_of_the_places() -> None:
    table = table_with(ACES_BOTH, SET)
    run = laid(table, "2H 3H Jkr AH")
    assert shown(run) == "AH 2H 3H Jkr"
    assert melds.lowest_face(run) == cards("AH")[0]
    assert melds.highest_face(run) == cards("4H")[0]
    assert melds.lowest_face(laid(table, "9C 9D 9H", 1)) is None
