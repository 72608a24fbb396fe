"""Nouns have articles and owners, and what is said of a thing can be denied."""

from __future__ import annotations

import pytest

from meldc.comparing.words import listed
from meldc.rulebook.grammar import Clause, Noun, named


def test_noun__takes_an_owner_by_name_or_as_it() -> None:
    rank = Noun("rank", "the")
    assert str(rank) == "the rank"
    assert str(rank.of("the card")) == "the rank of the card"
    assert str(rank.of_it()) == "its rank"


def test_bare_name__stays_bare_beside_it() -> None:
    tricks = Noun("tricks")
    assert str(tricks.of("the side")) == "tricks of the side"
    assert str(tricks.of_it()) == "tricks"


def test_indefinite__drops_the_article_alone() -> None:
    melds = Noun("melds", "the")
    assert melds.indefinite == "melds"
    assert melds.of_it().indefinite == "its melds"
    assert Noun("the trick").indefinite == "the trick"


def test_clause__is_denied_once_and_back() -> None:
    clause = Clause("the number where it is red", "at most 3")
    assert str(clause.denial()) == "the number where it is red is not at most 3"
    assert clause.denial().denial() == clause


@pytest.mark.parametrize(
    ("words", "article", "said"),
    [("dealer", "the", "the dealer"), ("stop card", "a", "a stop card"), ("wild", "a", "wild")],
)
def test_named__persons_and_cards_have_articles(words: str, article: str, said: str) -> None:
    assert str(named(words, article)) == said


@pytest.mark.parametrize(
    ("words", "said"),
    [([], ""), (["a"], "a"), (["a", "b"], "a or b"), (["a", "b", "c"], "a, b or c")],
)
def test_listed__has_the_word_before_the_last(words: list[str], said: str) -> None:
    assert listed(words, "or") == said
