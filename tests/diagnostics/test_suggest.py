"""Names near a name, and the collection of what was found."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from meldc.diagnostics import (
    Collector,
    CompileError,
    did_you_mean,
    error,
    suggest,
    warning,
)
from meldc.source import Span

KEYS = ["hand_size", "foot_size", "how_many", "shape", "size", "wilds", "naturals"]


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("hand-size", "hand_size"),
        ("Hand Size", "hand_size"),
        ("hnad_size", "hand_size"),
        ("sise", "size"),
        ("shpe", "shape"),
        ("wild", "wilds"),
        ("nat", "naturals"),
        ("many", "how_many"),
    ],
)
def test_suggest__the_likeliest_comes_first(written: str, meant: str) -> None:
    assert suggest(written, KEYS)[0] == meant


@pytest.mark.parametrize("written", ["", "zzzzzz", "q", "x" * 1000])
def test_suggest__nothing_is_near(written: str) -> None:
    assert suggest(written, KEYS) == []
    assert did_you_mean(written, KEYS) == ()


def test_suggest__another_writing_of_a_name_is_it() -> None:
    assert suggest("two-cards", ["two_cards", "six_cards"]) == ["two_cards"]


def test_suggest__never_the_name_itself() -> None:
    assert "size" not in suggest("size", KEYS)


def test_did_you_mean__joins_names() -> None:
    assert did_you_mean("sise", ["size"]) == ("did you mean `size`?",)
    assert did_you_mean("bat", ["cat", "hat", "rat"]) == ("did you mean `cat`, `hat` or `rat`?",)


@given(st.text(max_size=80), st.lists(st.text(max_size=80), max_size=5))
def test_suggest__only_candidates(name: str, candidates: list[str]) -> None:
    found = suggest(name, candidates)
    assert len(found) <= 3
    assert set(found) <= set(candidates)


def test_collector__sorts_by_place_and_keeps_equal_ones_once() -> None:
    found = Collector()
    late = error("MC0202", "late", Span("b", 9, 1, 9, 2))
    early = warning("MC0202", "early", Span("b", 2, 5, 2, 6))
    nowhere = error("MC0101", "nowhere", None)
    found.extend([late, early, late, nowhere])
    assert found.result() == (nowhere, early, late)
    assert len(found) == 3


def test_collector__only_errors_stop() -> None:
    found = Collector([warning("MC0202", "odd", None)])
    found.stop_on_errors()
    assert not found.has_errors
    found.add(error("MC0202", "wrong", None))
    with pytest.raises(CompileError) as caught:
        found.stop_on_errors()
    assert len(caught.value.diagnostics) == 2
