"""The tables that come with the grammar are those of the grammar."""

from __future__ import annotations

from pathlib import Path

import pytest
from lark import Lark

from meldc.load.catalogue import Kind, shipped
from meldc.source import Rebase, SourceFile
from meldc.syntax import parse, tables
from meldc.syntax.grammar import build, read_grammar
from meldc.syntax.layout import Layout

RENEW = "python3 -m meldc.syntax.tables writes them anew"


@pytest.fixture(scope="module")
def made() -> Lark:
    """The parser made from the grammar itself."""
    return build(read_grammar())


def test_tables__are_of_this_grammar() -> None:
    kept = tables.read_tables(read_grammar())
    assert kept is not None, RENEW


def test_tables__hold_all_that_the_grammar_says(made: Lark) -> None:
    """Nothing is lost on the way through the file, numbers as keys among it."""
    kept = tables.read_tables(read_grammar())
    assert kept is not None, RENEW
    again = tables.parser_of(kept, postlex=Layout())
    assert {(t.name, t.pattern.value) for t in again.terminals} == {
        (t.name, t.pattern.value) for t in made.terminals
    }
    assert {str(rule) for rule in again.rules} == {str(rule) for rule in made.rules}


def test_kept_parser__reads_like_the_one_just_made(
    made: Lark, monkeypatch: pytest.MonkeyPatch
) -> None:
    """All shipped machines and parts, and what cannot be read."""
    texts = [
        place.file.read_text(encoding="utf-8")
        for kind in (Kind.MACHINE, Kind.PART)
        for place in shipped(kind).values()
    ]
    texts.append("machine odd\nrule one\n  draw forbidden when count(hand\n  becuase 3\n")

    def read() -> list[object]:
        found = []
        for text in texts:
            whole = Rebase.whole(SourceFile("odd.rules", text))
            found.append(parse.parse_file(text, whole))
        return found

    kept = read()
    monkeypatch.setattr(parse, "parser", lambda: made)
    assert read() == kept


@pytest.mark.parametrize("content", ["", "{", "[]", "3", '{"made_from": "lark"}', '{"data": 1}'])
def test_other_tables__are_passed_over(
    content: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / tables.FILE).write_text(content)
    monkeypatch.setattr(tables, "files", lambda package: tmp_path)
    assert tables.read_tables(read_grammar()) is None


def test_tables__of_another_grammar_are_passed_over() -> None:
    assert tables.read_tables(read_grammar() + "\n") is None
