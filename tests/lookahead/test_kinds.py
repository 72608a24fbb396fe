"""Kinds of card: what a game tells apart, and nothing else."""

from __future__ import annotations

from functools import cache

import pytest

from meldc.compilation import compile_spec
from meldc_runtime.cards import JOKER, UNKNOWN, parse_card
from meldc_runtime.kinds import Kinds, classes_are_static, kinds_of
from meldc_runtime.table import Table


@cache
def table(name: str, *house: str) -> Table:
    program = compile_spec(name, house).program
    assert program is not None
    return Table(program)


def kind(kinds: Kinds, card: str) -> int:
    face = parse_card(card)
    assert face is not None
    return kinds.of[face]


def faces(*cards: str) -> list[int]:
    return [face for face in map(parse_card, cards) if face is not None]


@pytest.mark.parametrize(
    ("game", "number"), [("classic", 15), ("american", 15), ("samba", 48), ("hand-and-foot", 15)]
)
def test_kinds__are_as_many_as_the_rules_tell_apart(game: str, number: int) -> None:
    assert len(kinds_of(table(game)).faces) - 1 == number


def test_kinds__of_sets_do_not_know_suits() -> None:
    kinds = kinds_of(table("classic"))
    assert kind(kinds, "9C") == kind(kinds, "9H")
    assert kind(kinds, "2C") == kind(kinds, "2S")
    assert kind(kinds, "3C") == kind(kinds, "3S") != kind(kinds, "3H") == kind(kinds, "3D")
    assert kind(kinds, "Jkr") != kind(kinds, "2C")


def test_kinds__of_runs_know_suits_but_for_wild_cards() -> None:
    kinds = kinds_of(table("samba"))
    assert kind(kinds, "9C") != kind(kinds, "9H")
    assert kind(kinds, "2C") == kind(kinds, "2S")
    without = kinds_of(table("samba"), runs=False)
    assert kind(without, "9C") == kind(without, "9H")


def test_kinds__are_faces_where_cards_are_compared() -> None:
    kinds = kinds_of(table("rummy-5000"))
    assert len(set(kinds.of)) == 54


def test_kinds__keep_unknown_cards_apart() -> None:
    kinds = kinds_of(table("classic"))
    assert kinds.faces[kinds.of[UNKNOWN]] == (UNKNOWN,)
    assert [face for faces in kinds.faces for face in faces if face == JOKER] == [JOKER]


def test_lowest__gives_one_face_of_each_kind_in_order() -> None:
    kinds = kinds_of(table("classic"))
    held, lowest = faces("9H", "9C", "4S", "2D", "2C", "Jkr", "9D"), faces("2C", "4S", "9C", "Jkr")
    assert kinds.lowest(held) == lowest


@pytest.mark.parametrize(("game", "static"), [("samba", True), ("rummy-5000", False)])
def test_classes__are_static_unless_a_memory_decides(game: str, static: bool) -> None:
    assert classes_are_static(table(game)) == static
