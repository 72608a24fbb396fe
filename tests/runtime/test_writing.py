"""The written code: it means what the oracle says, is the same each time, and can be read."""

from __future__ import annotations

import linecache
import random
import traceback
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from runtime.building import (
    CARD,
    MELD,
    PLAYER,
    SIDE,
    action,
    become,
    define,
    memory,
    num,
    zone,
)
from runtime.games import melding, tricks
from runtime.playing import Guess, disagreements, plain, positions

from meldc_runtime import machine
from meldc_runtime.oracle import evaluate
from meldc_runtime.program import declarations as d
from meldc_runtime.program import effects as f
from meldc_runtime.program import expressions as x
from meldc_runtime.state import State
from meldc_runtime.table import Table


@pytest.mark.parametrize("answer", [True, False])
def test_agreement__in_every_position_of_random_play(answer: bool) -> None:
    for program in (melding(), tricks()):
        table = Table(program)
        table.foresight = Guess(answer)
        rng = random.Random(2)
        for state in positions(table, 5, 120):
            assert list(disagreements(rng, state)) == []


@pytest.mark.parametrize("players", [2, 3])
def test_agreement__for_other_numbers_of_players(players: int) -> None:
    table = Table(melding(), players)
    table.foresight = Guess(False)
    rng = random.Random(3)
    for state in positions(table, 6, 40):
        assert list(disagreements(rng, state)) == []


# ---- any expression: the grammar of types, one strategy each

P, S, C, M = x.Var("player"), x.Var("side"), x.Var("card"), x.Var("meld")


def numbers(inner: st.SearchStrategy[x.Expr]) -> st.SearchStrategy[x.Expr]:
    return st.one_of(
        st.integers(-3, 12).map(num),
        st.builds(x.CardAttr, cards(inner), st.sampled_from(["value", "rank", "suit", "laid_by"])),
        st.builds(lambda c: x.Lookup("left_values", c), cards(inner)),
        players(inner),
        st.builds(
            x.MeldAttr, st.just(M), st.sampled_from(["size", "wilds", "naturals", "rank", "suit"])
        ),
        st.builds(lambda e: x.Unmelded(e, "card", x.CardAttr(CARD, "value")), card_lists(inner)),
        st.just(x.CurrentPhase()),
        st.just(x.DealScore(S)),
        st.builds(lambda e: x.Count(e), lists(inner)),
        st.builds(lambda e, w: x.Count(e, "card", w), card_lists(inner), inner),
        st.builds(
            lambda e, b: x.Sum(e, "card", b), card_lists(inner), st.just(x.CardAttr(CARD, "value"))
        ),
        st.just(memory("total", S)),
        st.just(memory("laid")),
        st.builds(lambda k: x.Lookup("worth", k), st.integers(0, 4).map(num)),
        st.just(x.Lookup("left_values", C)),
        st.just(x.RowAttr(x.SortedAs(M, "big"), "big", "bonus")),
    )


def cards(inner: st.SearchStrategy[x.Expr]) -> st.SearchStrategy[x.Expr]:
    worth = st.sampled_from([x.CardAttr(CARD, "value"), x.CardAttr(CARD, "rank")])
    return st.one_of(
        st.just(C),
        st.just(memory("taken")),
        st.builds(x.Top, card_lists(inner)),
        st.builds(x.Bottom, card_lists(inner)),
        st.builds(x.First, card_lists(inner)),
        st.builds(lambda e, c: x.After(e, c, True), card_lists(inner), st.just(C)),
        st.builds(x.MeldAttr, st.just(M), st.sampled_from(["lowest", "highest"])),
        st.builds(x.Nth, card_lists(inner), st.sampled_from([num(2), memory("laid")])),
        st.builds(lambda e, b, t: x.Best(e, "card", b, t), card_lists(inner), worth, st.booleans()),
    )


def players(inner: st.SearchStrategy[x.Expr]) -> st.SearchStrategy[x.Expr]:
    some = st.sampled_from([P, memory("out"), memory("dealer"), x.Apply("holder", (C,))])
    return st.one_of(
        some,
        st.builds(x.Neighbour, some, st.sampled_from([1, -1])),
        st.builds(x.SeatsOn, some, st.sampled_from([num(2), num(-3), memory("laid")])),
        st.builds(lambda p: x.After(x.ListOf((num(0), num(2), P)), p), some),
        st.builds(lambda w, p: x.NextOf(x.Filter(x.AllPlayers(), "player", w), p), inner, some),
        st.builds(lambda p: x.First(x.StartingAt(x.AllPlayers(), p)), some),
        st.builds(lambda p: x.First(x.Partners(p)), some),
        st.builds(lambda p: x.Count(x.Opponents(x.SideOf(p))), some),
        st.builds(lambda p: x.Sum(x.Range(num(1), p), "n", x.Var("n")), some),
    )


def card_lists(inner: st.SearchStrategy[x.Expr]) -> st.SearchStrategy[x.Expr]:
    plain_lists = st.sampled_from(
        [
            zone("pile"),
            zone("hand", P),
            zone("hand", memory("out")),
            x.ZoneCards("hand", x.PlayersOf(S), True),
            x.MeldCards(x.MeldsOf(S)),
            x.MeldAttr(M, "cards"),
            x.Join(x.Top(zone("pile")), zone("hand", P)),
            x.Join(
                memory("taken"),
                x.MeldCards(
                    x.Filter(x.MeldsOf(x.AllSides(), True), "meld", x.Apply("unfinished", (M,)))
                ),
            ),
            x.If(x.Apply("rich", (P,)), zone("pile"), zone("aside")),
        ]
    )
    return st.one_of(
        plain_lists, st.builds(lambda e, w: x.Filter(e, "card", w), plain_lists, inner)
    )


def lists(inner: st.SearchStrategy[x.Expr]) -> st.SearchStrategy[x.Expr]:
    return st.one_of(
        card_lists(inner),
        st.sampled_from(
            [x.AllPlayers(), x.MeldsOf(S), x.PlayersOf(S), x.ListOf((P, memory("out")))]
        ),
    )


def conditions(inner: st.SearchStrategy[x.Expr]) -> st.SearchStrategy[x.Expr]:
    arithmetic = st.one_of(
        numbers(inner),
        st.builds(
            x.Arith, st.sampled_from(["+", "-", "*", "min", "max"]), numbers(inner), numbers(inner)
        ),
        st.builds(x.Remainder, numbers(inner), numbers(inner)),
        st.builds(x.Quotient, numbers(inner), numbers(inner)),
        st.builds(x.If, inner, numbers(inner), numbers(inner)),
        st.builds(lambda a, b: x.Otherwise((a, b)), numbers(inner), numbers(inner)),
    )
    return st.one_of(
        st.builds(
            x.Compare, st.sampled_from(["=", "!=", "<", "<=", ">", ">="]), arithmetic, arithmetic
        ),
        st.builds(lambda e: x.IsSomething(e), arithmetic),
        st.builds(lambda e, w: x.Exists(e, "card", w), card_lists(inner), inner),
        st.builds(lambda e, w: x.ForAll(e, "card", w), card_lists(inner), inner),
        st.builds(lambda e: x.Exists(e), lists(inner)),
        st.builds(lambda c, e: x.Member(c, e, True), cards(inner), card_lists(inner)),
        st.builds(lambda a, b: x.Compare("=", a, b, True), cards(inner), cards(inner)),
        st.builds(lambda p: x.Member(p, x.PlayersOf(S)), players(inner)),
        st.builds(lambda a, b: x.And((a, b)), inner, inner),
        st.builds(lambda a, b: x.Or((a, b)), inner, inner),
        st.builds(x.Not, inner),
        st.builds(lambda a, b: x.Compare("=", a, b), inner, inner),
    )


ATOMS: list[x.Expr] = [
    x.Apply("wild", (C,)),
    x.Apply("natural", (C,)),
    x.Apply("matching", (C,)),
    x.Apply("unfinished", (M,)),
    memory("opened", S),
    memory("leave"),
    x.CardAttr(C, "red"),
    x.Compare("=", x.CardAttr(C, "suit"), x.CardAttr(x.Top(zone("pile")), "suit")),
    x.Compare("=", x.CardAttr(C, "laid_by"), P),
]
EXPRESSIONS = st.recursive(st.sampled_from(ATOMS), conditions, max_leaves=8)


def lying() -> list[State]:
    table = Table(melding())
    table.foresight = Guess(False)
    return [state for state in positions(table, 12, 60) if any(state.melds)][:12]


POSITIONS = lying()


@given(st.lists(EXPRESSIONS, min_size=3, max_size=3))
def test_agreement__of_any_expression(found: list[x.Expr]) -> None:
    params = (("player", "player"), ("side", "side"), ("card", "card"), ("meld", "meld"))
    program = melding()
    definitions = tuple(define(f"any_{i}", e, "yes_no", *params) for i, e in enumerate(found))
    table = Table(replace(program, definitions=(*program.definitions, *definitions)))
    for number, state in enumerate(POSITIONS):
        here = state.copy()
        here.table = table
        meld = next(meld for melds in here.melds for meld in melds)
        card = [0, 53, 52, *here.zones[table.zone_slot("hand", 0)], *meld.cards][number % 6]
        names: dict[str, Any] = {
            "player": number % 4,
            "side": number % 2,
            "card": card,
            "meld": meld,
        }
        for i, e in enumerate(found):
            got = table.code.definitions[f"any_{i}"](here, *names.values())
            assert plain(got) == plain(evaluate(table, here, names, e))


# ---- the text


def test_source__is_the_same_each_time() -> None:
    assert Table(melding()).code.source == Table(melding()).code.source


def test_source__shows_in_tracebacks(melds_table: Table) -> None:
    state = machine.new_state(melds_table)
    try:
        melds_table.code.rules["natural_top"](state, {})
    except TypeError as error:
        text = "".join(traceback.format_exception(error))
        assert "for card in cards" in text
    assert any(name.startswith("<meldc tiny_melds") for name in linecache.cache)


def test_source__a_class_of_cards_is_a_tuple_by_face(melds_table: Table) -> None:
    source = melds_table.code.source
    assert 'IS_WILD = faces_named("2C 2D 2H 2S Jkr")' in source
    assert "    return IS_WILD[card & 63]" in source


def test_source__names_of_a_game_never_meet_those_of_the_code() -> None:
    program = tricks()
    awkward = ("s", "env", "len", "t1", "class", "IS_WILD", "sum", "d_x", "by_x", "_")
    definitions = tuple(
        define(
            f"f_{i}",
            x.Count(x.AllPlayers(), name, x.Compare("<", x.Var(name), x.Var("o1"))),
            "number",
            ("o1", "player"),
        )
        for i, name in enumerate(awkward)
    )
    table = Table(replace(program, definitions=(*program.definitions, *definitions)))
    state = machine.new_state(table)
    assert [table.code.definitions[f"f_{i}"](state, 2) for i in range(len(awkward))] == [2] * len(
        awkward
    )


def test_source__a_loop_leaves_the_name_around_it_alone() -> None:
    program = melding()
    loop = f.ForEach("player", x.AllPlayers(), (f.Gain("laid", None, PLAYER),))
    extra = action("count", (), ("play",), loop, become("out", PLAYER))
    table = Table(replace(program, actions=(*program.actions, extra)))
    state = machine.new_state(table)
    table.code.effects["count"](state, {"player": 1})
    assert state.memory[table.memory_slot("out")] == 1
    assert state.memory[table.memory_slot("laid")] == 0 + 1 + 2 + 3


def changing() -> Table:
    """The game of melds with a wild rank that is drawn: its classes change with a memory."""
    program = melding()
    wild_rank = d.Memory("wild_rank", "none", "rank", None, "deal", None)
    wild = define(
        "wild",
        x.Compare("=", x.CardAttr(CARD, "rank"), memory("wild_rank")),
        "yes_no",
        ("card", "card"),
    )
    definitions = (wild, *program.definitions[1:])
    return Table(replace(program, memories=(*program.memories, wild_rank), definitions=definitions))


def test_classes__change_with_the_memory_they_read() -> None:
    table = changing()
    state = machine.new_state(table)
    nothing = (False,) * 54
    assert table.wilds(state) == nothing
    for wild_rank in (5, 9, 5):
        state.memory[table.memory_slot("wild_rank")] = wild_rank
        assert [face for face, wild in enumerate(table.wilds(state)) if wild] == [
            face for face in range(52) if face // 4 + 2 == wild_rank
        ]
        assert table.naturals(state, 0)[(wild_rank - 2) * 4] is False
        assert table.code.lookups["values"](state, (wild_rank - 2) * 4) == 20
        assert table.code.definitions["left_value"](state, (wild_rank - 2) * 4) == (
            50 if wild_rank == 9 else 20
        )


def test_agreement__with_classes_that_change() -> None:
    table = changing()
    table.foresight = Guess(False)
    rng = random.Random(4)
    for state in positions(table, 7, 40):
        state.memory[table.memory_slot("wild_rank")] = rng.choice([None, 4, 9])
        # melds that lie were made with other wild cards: their patterns are not compared
        found = [text for text in disagreements(rng, state) if " is no " not in text]
        assert found == []


def test_oracle__queries_bind_their_own_names(melds_table: Table) -> None:
    state = machine.new_state(melds_table)
    nested = x.Count(
        x.AllPlayers(), "it", x.Exists(x.AllSides(), "it", x.Compare("=", x.Var("it"), num(1)))
    )
    assert evaluate(melds_table, state, {}, nested) == 4
    outer = x.Filter(x.AllSides(), "side", x.Compare("=", SIDE, x.SideOf(PLAYER)))
    assert evaluate(melds_table, state, {"player": 3}, outer) == [1]
    assert evaluate(melds_table, state, {"meld": None}, x.MeldAttr(MELD, "size")) is None
