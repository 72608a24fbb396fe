"""The grammar itself: no conflicts, nothing unreadable, and the games that are written in it."""

from __future__ import annotations

import logging
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st
from lark import Lark, logger

from meldc.source import Rebase, SourceFile
from meldc.syntax import grammar, parse_cards, parse_cell, parse_file, parse_rules
from meldc.syntax.build import Builder
from meldc.syntax.grammar import ENTRY_POINTS, keywords, parser, read_grammar
from meldc.syntax.layout import DECLARATION_WORDS, HEADER_WORDS, Layout
from meldc_runtime.folder import cache_folder

SPECS = Path(__file__).parents[2] / "specs"


def make(**options: Any) -> Lark:
    return Lark(
        read_grammar(),
        start=list(ENTRY_POINTS),
        parser="lalr",
        postlex=Layout(),
        maybe_placeholders=True,
        **options,
    )


def test_grammar__is_strict() -> None:
    pytest.importorskip("interegular")
    make(strict=True)


def test_grammar__has_no_conflicts(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.DEBUG, logger=logger.name):
        make(debug=True)
    assert "conflict" not in caplog.text.lower()


def test_grammar__each_rule_has_a_builder() -> None:
    names = {
        rule.alias or rule.origin.name
        for rule in parser().rules
        if not rule.origin.name.startswith("_") and not rule.options.expand1
    } | {rule.alias for rule in parser().rules if rule.alias}
    missing = [name for name in names if not hasattr(Builder, name)]
    assert not missing


def test_keywords__begin_declarations() -> None:
    assert {*DECLARATION_WORDS, *HEADER_WORDS} <= set(keywords().values())


@pytest.mark.parametrize("path", sorted(SPECS.rglob("*.rules")), ids=lambda path: path.stem)
def test_specs__files_are_read(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    found, problems = parse_file(text, Rebase.whole(SourceFile(path.name, text)))
    assert not problems
    assert found.header is not None
    assert found.declarations


@pytest.mark.parametrize("path", sorted(SPECS.rglob("*.yaml")), ids=lambda path: path.stem)
def test_specs__scalars_are_read(path: Path) -> None:
    document = yaml.load(path.read_text(encoding="utf-8"), Loader=yaml.BaseLoader)
    text = document.get("rules", "")
    _, problems = parse_rules(text, Rebase.whole(SourceFile(path.name, text)))
    assert not problems


def test_cache__turned_off(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MELDC_CACHE_DIR", "")
    assert cache_folder() is None


def test_cache__its_folder_is_made(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv("MELDC_CACHE_DIR", raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "new"))
    assert cache_folder() == tmp_path / "new" / "meldc"
    assert (tmp_path / "new" / "meldc").is_dir()


def test_cache__a_place_that_is_no_folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("MELDC_CACHE_DIR", str(tmp_path / "file"))
    assert cache_folder() is None


def test_cache__a_damaged_file_does_no_harm(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("MELDC_CACHE_DIR", str(tmp_path))
    monkeypatch.setattr(grammar, "read_tables", lambda text: None)  # as with another Lark
    made = parser.__wrapped__
    made()
    kept = tmp_path / "grammars" / "lark"
    good = kept.read_bytes()
    for damaged in (b"", b"nonsense\n", good[: len(good) // 2]):
        kept.write_bytes(damaged)
        assert made().parse("a + 1", start="cell").data == "plus"
    assert made().parse("a + 1", start="cell").data == "plus"


PIECES = st.sampled_from(
    (
        *keywords().values(),
        *(
            "a",
            "hand",
            "3",
            "7S",
            "A",
            "Jkr",
            "yes",
            "CC-1",
            "1234567890",
            "Hand",
            "é",
            "and",
            "or",
        ),
        *('"', '"x {a}"', "{", "}", "'", "#", "==", "&&", "::", "‼", "\x00", "\u2028", "\ud800"),
        *("\n", "\n  ", "\n    ", "\n\t", " ", "\r"),
    )
)
TEXTS = st.one_of(
    st.text(max_size=200),
    st.lists(PIECES, max_size=40).map(" ".join),
    st.lists(PIECES, max_size=40).map("".join),
)
READERS: list[Callable[[str, Rebase], Any]] = [parse_file, parse_rules, parse_cell, parse_cards]


@given(TEXTS)
def test_any_text__gives_a_tree_or_diagnostics(text: str) -> None:
    origin = Rebase.whole(SourceFile("x.rules", text))
    last = (len(text.split("\n")), len(text.split("\n")[-1]) + 1)
    for read in READERS:
        found, problems = read(text, origin)
        assert found is not None or problems
        for problem in problems:
            span = problem.primary.span
            assert span is not None
            assert (1, 1) <= (span.line, span.column) <= (span.end_line, span.end_column) <= last
