"""The table of codes, and that the examples of its pages fail with the code of the page."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from meldc.diagnostics import CODES, CodePage, CompileError, Diagnostic, Severity, error
from meldc.diagnostics.pages import (
    cards,
    deep,
    files,
    names,
    rules,
    scenarios,
    shape,
    syntax,
    types,
)
from meldc.diagnostics.pages.page import Example
from meldc.load.catalogue import Kind, Place, find
from meldc.load.documents import load_house, load_scenario, load_variant
from meldc.load.nodes import YamlText
from meldc.source import Span

RANGES = {
    "01": files,
    "02": shape,
    "03": syntax,
    "04": names,
    "05": types,
    "06": cards,
    "07": rules,
    "08": scenarios,
    "09": deep,
}
LOADERS = {
    Example.VARIANT: load_variant,
    Example.HOUSE: load_house,
    Example.SCENARIO: load_scenario,
}
PAGES = list(CODES.values())


def test_codes__are_given_once_and_stand_in_their_range() -> None:
    pages = [(number, page) for number, module in RANGES.items() for page in module.PAGES]
    assert len(pages) == len(CODES)
    assert not [page.code for number, page in pages if not page.code.startswith(f"MC{number}")]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.code)
def test_page__is_complete(page: CodePage) -> None:
    assert re.fullmatch(r"MC\d{4}", page.code)
    assert page.title[0].islower() or page.title[0] in "`A"
    assert not page.title.endswith(".")
    for text in (page.explanation, page.cure):
        assert text.rstrip().endswith((".", "`", "?"))
    assert page.example.strip()


def load_with_base(kind: Example, path: Path) -> None:
    base = LOADERS[kind](path).get("extends")
    assert isinstance(base, YamlText)
    find(Kind.VARIANT, base.value, named_by=Place("mine.yaml", path), span=base.span)


READ_HERE = [page for page in (*files.PAGES, *shape.PAGES) if page.kind in LOADERS]


@pytest.mark.parametrize("page", READ_HERE, ids=lambda page: page.code)
def test_example__fails_with_its_code(page: CodePage, tmp_path: Path) -> None:
    path = tmp_path / "mine.yaml"
    path.write_bytes(page.example.encode())
    with pytest.raises(CompileError) as caught:
        load_with_base(page.kind, path)
    assert [each.code for each in caught.value.diagnostics] == [page.code]


def test_unknown_code__is_a_bug() -> None:
    with pytest.raises(AssertionError, match="bug in meldc"):
        error("MC9999", "no such code", None)


def test_unreadable__depends_on_who_names_the_file() -> None:
    span = Span("mine.yaml", 1, 1, 1, 2)
    assert error("MC0101", "gone", None).is_unreadable
    assert not error("MC0101", "gone", span).is_unreadable
    assert error("MC0106", "no text", span).is_unreadable
    assert not error("MC0202", "wrong", None).is_unreadable


def test_compile_error__says_in_short_what_is_wrong() -> None:
    problem = CompileError([error("MC0202", "wrong", Span("mine.yaml", 2, 3, 2, 4))])
    assert str(problem) == "mine.yaml:2:3: MC0202: wrong"
    assert isinstance(problem.diagnostics[0], Diagnostic)
    assert problem.diagnostics[0].severity is Severity.ERROR
