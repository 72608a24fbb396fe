"""The meaning of a step: effects, moments, turns, questions, looking ahead."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from runtime.building import (
    PLAYER,
    STATE,
    YES,
    action,
    become,
    hook,
    memory,
    moment,
    num,
    remember,
    rule,
)
from runtime.games import melding, tricks
from runtime.playing import Guess, positions
from runtime.positions import cards, faces, given, hand, play, refused, remembered

from meldc_runtime import machine
from meldc_runtime.cards import UNKNOWN, laid_by
from meldc_runtime.program import declarations as d
from meldc_runtime.program import effects as f
from meldc_runtime.program import expressions as x
from meldc_runtime.state import Play
from meldc_runtime.table import Table


def test_draw__cards_of_the_exception_go_elsewhere_and_do_not_count(melds_table: Table) -> None:
    state = given(melds_table, "draw", h1="4C 5C")
    stock = state.zones[melds_table.zone_slot("stock")]
    for face in faces("9S 3H 3D"):
        stock.remove(face)
        stock.append(face)
    play(state, "draw")
    assert sorted(hand(state)) == sorted(faces("4C 5C 9S"))
    assert sorted(state.zones[melds_table.zone_slot("bonus", 0)]) == sorted(faces("3H 3D"))


def test_phase__what_is_not_asked_for_is_not_now(melds_table: Table) -> None:
    state = given(melds_table, "draw", h1="4C 5C")
    assert refused(state, "discard", faces("4C")[0]) == ("not now",)


def test_phase__an_allowance_opens_another(melds_table: Table) -> None:
    state = given(melds_table, "draw", h1="8C 8D 8H 5C 6C")
    play(state, "meld", cards("8C 8D 8H"), 0)
    assert remembered(state, "opened", 0)
    assert refused(state, "meld", cards("5C 6C"), 0) == ("not now",)


@pytest.mark.parametrize(
    ("name", "args", "reason"),
    [
        ("discard", (faces("9C")[0],), "domain card"),
        ("meld", (cards("8C 8C 8C"), 0), "domain cards"),
        ("meld", ((), 0), "domain cards"),
        ("meld", (cards("8C 8D 8H"), 7), "domain kind"),
        ("add", (cards("8C"), (0, 9)), "no such meld"),
        ("discard", (), "no such meld"),
    ],
)
def test_domain__arguments_must_be_there(
    melds_table: Table, name: str, args: tuple[Any, ...], reason: str
) -> None:
    state = given(melds_table, h1="8C 8D 8H 5C 6C")
    assert refused(state, name, *args) == (reason,)


def test_meld__a_broken_pattern_names_its_kind(melds_table: Table) -> None:
    state = given(melds_table, h1="8C 8D 7H 5C 6C")
    assert refused(state, "meld", cards("8C 8D 7H"), 0) == ("pattern set",)


def test_meld__rules_about_a_kind_see_it_as_it_will_lie(melds_table: Table) -> None:
    state = given(melds_table, h1="7C 8C 9C 6C 5C 3C")
    assert refused(state, "meld", cards("7C 8C 9C"), 1) == ("no_nines_run",)
    play(state, "meld", cards("6C 7C 8C 9C"), 1)
    assert len(state.melds[0]) == 1


def test_meld__further_cards_join_where_the_kind_has_one(melds_table: Table) -> None:
    state = given(melds_table, h1="8C 8D 8H 8S 2C 5C")
    play(state, "meld", cards("8C 8D 8H"), 0)
    first = state.melds[0][0]
    play(state, "meld", cards("8S 2C"), 0)
    assert len(state.melds[0]) == 1
    assert state.melds[0][0].serial == first.serial
    assert len(first.cards) == 3
    assert [laid_by(card) for card in state.melds[0][0].cards] == [0] * 5


def test_add__what_comes_after_sees_the_grown_meld(melds_table: Table) -> None:
    state = given(melds_table, h1="8C 8D 8H 8S 5C")
    play(state, "meld", cards("8C 8D 8H"), 0)
    play(state, "add", cards("8S"), (0, 1))
    assert remembered(state, "laid") == 1 + 4


def test_take_pile__melds_the_top_card_and_the_rest_follows_the_opening(melds_table: Table) -> None:
    state = given(melds_table, "draw", h1="8C 8D 5C", pile="4C 6C 8H")
    play(state, "take_pile", cards("8C 8D"))
    assert sorted(hand(state)) == sorted(faces("5C 4C 6C"))
    assert state.phase == melds_table.phases["play"]
    assert remembered(state, "taken") == faces("6C")[0]


def test_take_pile__a_rule_about_the_action_is_judged_before_it(melds_table: Table) -> None:
    state = given(melds_table, "draw", h1="7C 7D 2C 5C", pile="4C 8H")
    assert refused(state, "take_pile", cards("7C 7D")) == ("natural_top",)


# ---- moments, obligations, the end of the turn


def test_obligation__a_due_moment_stops_the_end_of_the_turn_and_nothing_else(
    melds_table: Table,
) -> None:
    state = given(melds_table, h1="4C 4D 4H 5C 5D 2C 9C")
    state.memory[melds_table.memory_slot("total", 0)] = 100
    play(state, "meld", cards("4C 4D 4H"), 0)
    assert not remembered(state, "opened", 0)
    assert refused(state, "discard", faces("9C")[0]) == ("ten_to_open",)
    play(state, "meld", cards("5C 5D 2C"), 0)
    assert remembered(state, "opened", 0)
    play(state, "stop")


def test_obligation__all_that_stands_in_the_way_is_named(melds_table: Table) -> None:
    state = given(melds_table, h1="4C 4D 4H 5C")
    state.memory[melds_table.memory_slot("total", 0)] = 100
    state.memory[melds_table.memory_slot("leave")] = True
    play(state, "meld", cards("4C 4D 4H"), 0)
    assert refused(state, "discard", faces("5C")[0]) == ("ten_to_open", "two_melds", "no_binds")


def test_going_out__ends_the_deal_before_the_end_of_the_turn_is_judged(melds_table: Table) -> None:
    state = given(melds_table, h1="8C 8D 8H 9C 9D 9H 5C")
    state.memory[melds_table.memory_slot("leave")] = True
    play(state, "meld", cards("8C 8D 8H"), 0)
    play(state, "meld", cards("9C 9D 9H"), 0)
    play(state, "discard", faces("5C")[0])
    assert state.over
    assert remembered(state, "out") == 0


def test_before_a_state_moment__is_looked_at_just_before_it(melds_table: Table) -> None:
    state = given(melds_table, h1="8C 8D 8H 9C 9D 9H 5C")
    play(state, "meld", cards("8C 8D 8H"), 0)
    play(state, "meld", cards("9C 9D 9H"), 0)
    state.zones[melds_table.zone_slot("pile")] += state.zones[melds_table.zone_slot("stock")]
    state.zones[melds_table.zone_slot("stock")].clear()
    play(state, "discard", faces("5C")[0])
    assert state.over
    assert remembered(state, "out") is None


def counting(when: x.Expr | None = None, *, more: tuple[d.Moment, ...] = ()) -> Table:
    """The game of melds with a state moment that is always due, and notes of what happens when."""
    program = melding()
    note = remember("notes", "number", num(0))

    def noted(digit: int) -> f.Effect:
        return become("notes", x.Arith("+", x.Arith("*", memory("notes"), num(10)), num(digit)))

    extra = (
        moment("second", hook("after", "first"), None, noted(2)),
        moment("first", hook("after", "discard"), None, noted(1)),
        moment("earlier", hook("before", "first"), None, noted(3)),
        moment("at_first", hook("before", "discard"), None, noted(4)),
        moment("always", STATE, when, noted(5)),
        *more,
    )
    table = Table(
        replace(program, memories=(*program.memories, note), moments=(*program.moments, *extra))
    )
    table.foresight = Guess(False)
    return table


def test_order__before_effects_after_state_each_once() -> None:
    state = given(counting(), h1="4C 5C")
    play(state, "discard", faces("4C")[0])
    # before the action; before `first`, it, after it; the state moment in the step and as the next
    # turn begins
    assert remembered(state, "notes") == 4_3_1_2_5_5


def test_order__a_moment_looks_again_from_the_first_after_each() -> None:
    late = moment(
        "late",
        STATE,
        x.Compare("=", memory("laid"), num(1)),
        become("laid", num(2)),
        become("leave", YES),
    )
    sees = x.Compare("=", memory("laid"), num(2))
    table = counting(sees, more=(late,))
    state = given(table, h1="8C 8D 8H 5C 6C")
    play(state, "meld", cards("8C 8D 8H"), 0)
    assert remembered(state, "notes") == 5


def test_after_and_rules__a_moment_that_must_not_happen_refuses_the_play() -> None:
    program = melding()
    extra = moment("noted", hook("after", "discard"), None, become("laid", num(9)))
    against = rule(
        "never", moments=("noted", "turn_passes"), when=x.Compare("=", memory("laid"), num(0))
    )
    table = Table(
        replace(program, moments=(*program.moments, extra), rules=(*program.rules, against))
    )
    table.foresight = Guess(False)
    state = given(table, h1="4C 5C")
    assert refused(state, "discard", faces("4C")[0]) == ("never",)


def test_without__one_rule_is_left_aside(melds_table: Table) -> None:
    state = given(melds_table, h1="8C 8D 8H 5C")
    play(state, "meld", cards("8C 8D 8H"), 0)
    assert refused(state, "discard", faces("5C")[0]) == ("two_melds",)
    state.without = "two_melds"
    play(state, "discard", faces("5C")[0])
    assert state.over


def test_last_resort__is_noted_not_refused(melds_table: Table) -> None:
    state = given(melds_table, h1="4C 5C")
    assert machine.soft_reasons(state, Play(melds_table.actions["stop"]), "otherwise") == (
        "not_aimed_for",
    )
    play(state, "stop")
    assert state.last_resort


def test_soft_rules__are_told_apart_from_firm_ones(melds_table: Table) -> None:
    state = given(melds_table, h1="4C Jkr")
    joker = Play(melds_table.actions["discard"], (faces("Jkr")[0],))
    assert machine.raw_reasons(state, joker) == ()
    assert machine.soft_reasons(state, joker) == ("keep_jokers",)


# ---- questions and turns


def test_question__the_answer_goes_back_to_where_it_was_asked(melds_table: Table) -> None:
    for phase in ("draw", "play"):
        state = given(melds_table, phase, h1="4C 5C")
        play(state, "ask", 2)
        assert (state.player, state.turn, state.phase) == (2, 0, melds_table.phases["answer"])
        play(state, "answer", False)
        assert (state.player, state.turn, state.phase) == (0, 0, melds_table.phases[phase])
        assert (remembered(state, "asked"), remembered(state, "leave")) == (0, False)
        assert refused(state, "ask", 2) == ("one_question",)


def test_turn__its_memory_is_fresh(melds_table: Table) -> None:
    state = given(melds_table, h1="4C 5C")
    play(state, "ask", 2)
    play(state, "answer", False)
    play(state, "discard", faces("4C")[0])
    assert (state.player, remembered(state, "asked"), remembered(state, "leave")) == (1, None, None)


def test_turn__moments_at_its_start_may_end_the_deal() -> None:
    program = melding()
    gone = moment("gone", d.Trigger("start", "turn"), x.Compare("=", PLAYER, num(1)), f.EndDeal())
    table = Table(replace(program, moments=(*program.moments, gone)))
    table.foresight = Guess(False)
    state = given(table, h1="4C 5C")
    play(state, "discard", faces("4C")[0])
    assert state.over


def test_turn__turns_that_pass_for_ever_end_the_deal() -> None:
    program = melding()
    skip = moment("skip", d.Trigger("start", "turn"), None, f.GoTo("draw", x.Neighbour(PLAYER, 1)))
    table = Table(replace(program, moments=(*program.moments, skip)))
    table.foresight = Guess(False)
    state = given(table, h1="4C 5C")
    play(state, "discard", faces("4C")[0])
    assert state.over


# ---- looking ahead


def test_blind__unseen_cards_come_unknown_but_for_the_exceptions(melds_table: Table) -> None:
    state = given(melds_table, "draw", h1="4C")
    stock = state.zones[melds_table.zone_slot("stock")]
    for face in faces("9S 3H"):
        stock.remove(face)
        stock.append(face)
    state.blind = True
    play(state, "draw")
    assert hand(state) == [*faces("4C"), UNKNOWN]
    assert state.zones[melds_table.zone_slot("bonus", 0)] == faces("3H")


def test_blind__the_rest_of_the_pile_is_unknown(melds_table: Table) -> None:
    state = given(melds_table, "draw", h1="8C 8D 5C", pile="4C 6C 8H")
    state.blind = True
    play(state, "take_pile", cards("8C 8D"))
    assert sorted(hand(state)) == sorted([*faces("5C"), UNKNOWN, UNKNOWN])
    happened = [melds_table.program.moments[index].name for index in state.happened]
    assert happened == ["pile_taken", "opening", "rest_taken"]


def test_blind__the_next_turn_is_not_begun_nor_the_deal_scored(melds_table: Table) -> None:
    state = given(melds_table, h1="4C 5C")
    state.blind = True
    ended = state.copy()
    play(ended, "discard", faces("4C")[0])
    assert (ended.ended, ended.over, ended.player) == (True, False, 0)
    play(state, "stop")
    assert (state.over, state.sheet) == (True, ())


# ---- tricks


def test_tricks__the_best_card_of_the_suit_led_takes_them(tricks_table: Table) -> None:
    state = machine.new_state(tricks_table)
    state.player = state.turn = 0
    for player, text in enumerate(("8H 7C", "AH 7D", "KS 8S")):
        state.zones[tricks_table.zone_slot("hand", player)] += faces(text)
    play(state, "play", faces("8H")[0])
    assert refused(state, "play", faces("7D")[0]) == ("follow_suit",)
    play(state, "play", faces("AH")[0])
    play(state, "play", faces("KS")[0])
    assert (state.player, remembered(state, "tricks", 1)) == (1, 1)
    assert state.zones[tricks_table.zone_slot("won", 1)] == faces("8H AH KS")
    for card in ("7D", "8S", "7C"):
        play(state, "play", faces(card)[0])
    assert state.over
    assert state.scores == (0, 2, 0)


def test_play__never_loses_or_makes_a_card(melds_table: Table, tricks_table: Table) -> None:
    for table in (melds_table, tricks_table):
        for state in positions(table, 4, 150):
            lying = [c & 63 for zone in state.zones for c in zone]
            lying += [c & 63 for melds in state.melds for meld in melds for c in meld.cards]
            assert sorted(lying) == list(table.pack)


def test_copy__shares_nothing_that_changes(melds_table: Table) -> None:
    for state in positions(melds_table, 9, 40):
        other = state.copy()
        before = [zone[:] for zone in state.zones], state.memory[:], [m[:] for m in state.melds]
        for zone in other.zones:
            zone.clear()
        other.memory[:] = [None] * len(other.memory)
        for melds in other.melds:
            melds.clear()
        assert before == (state.zones, state.memory, state.melds)


def test_action__effects_of_a_game_without_turns_keep_turn_and_player_together() -> None:
    program = tricks()
    phases = (d.Phase("play", False, "play", None),)
    table = Table(replace(program, phases=phases))
    state = machine.start_game(table, 1)
    hand_of = state.zones[table.zone_slot("hand", state.player)]
    play(state, "play", hand_of[0])
    assert state.turn == state.player == 2


def test_effects__a_branch_and_a_loop_read_what_was_named(melds_table: Table) -> None:
    program = melding()
    loop = f.ForEach(
        "one",
        x.Range(num(1), num(3)),
        (f.Let("sum", x.Arith("+", memory("laid"), x.Var("one"))), become("laid", x.Var("sum"))),
    )
    branch = f.Branch(
        x.Compare("=", x.Var("sum"), num(6)), (become("leave", YES),), (become("asked", PLAYER),)
    )
    extra = action(
        "count",
        (),
        ("play",),
        loop,
        branch,
        f.MoveCount(num(2), f.ZoneRef("stock", None), f.ZoneRef("aside", None), under=True),
    )
    table = Table(replace(program, actions=(*program.actions, extra)))
    table.foresight = Guess(False)
    state = given(table, h1="4C 5C")
    top = state.zones[table.zone_slot("stock")][-2:]
    play(state, "count")
    assert (remembered(state, "laid"), remembered(state, "leave"), remembered(state, "asked")) == (
        6,
        True,
        None,
    )
    assert state.zones[table.zone_slot("aside")] == top
