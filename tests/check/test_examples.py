"""The example on the page of every code of this pass fails, or warns, with that code."""

from __future__ import annotations

from pathlib import Path

import pytest

from meldc.compilation import compile_spec
from meldc.diagnostics import CodePage
from meldc.diagnostics.pages import cards, lookup, rules, types

PAGES = (*lookup.PAGES, *types.PAGES, *cards.PAGES, *rules.PAGES)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.code)
def test_example__is_reported_with_its_code_alone(page: CodePage, tmp_path: Path) -> None:
    path = tmp_path / "mine.yaml"
    path.write_text(page.example, encoding="utf-8")
    found = compile_spec(path).diagnostics
    assert {each.code for each in found} == {page.code}
    assert all(each.primary.span is not None for each in found)
    assert all("mine.yaml" in str(each.primary.span) for each in found)
