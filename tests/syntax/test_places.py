"""Every node knows its place in the file the author wrote."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields

import pytest

from meldc.source import Piece, Rebase, SourceFile, Span
from meldc.syntax import parse_cell, parse_rules, tree

TEXT = """\
# a comment

replace rule a [AB-1]   # here
  b, end of turn forbidden when (c + d) * 2 > e.f   # and here
  because "so {count(g where wild)}!"   # at the end

moment h
  then
    move 2 from i to j, but k to l
    if m
      redeal   # again

"""


def slices(node: object, text: str) -> Iterator[tuple[str, str]]:
    """Each node's class and the text at its place."""
    if isinstance(node, tuple):
        for each in node:
            yield from slices(each, text)
    elif isinstance(node, tree.Node | tree.Word | tree.Text):
        yield type(node).__name__, cut(node.span, text)
        for field in fields(node):
            yield from slices(getattr(node, field.name), text)


def cut(span: Span, text: str) -> str:
    lines = text.split("\n")[span.line - 1 : span.end_line]
    lines[-1] = lines[-1][: span.end_column - 1]
    lines[0] = lines[0][span.column - 1 :]
    return "\n".join(lines)


def whole(text: str) -> Rebase:
    return Rebase.whole(SourceFile("x.rules", text))


@pytest.fixture(scope="module")
def found() -> set[tuple[str, str]]:
    declarations, problems = parse_rules(TEXT, whole(TEXT))
    assert not problems
    return set(slices(declarations, TEXT))


@pytest.mark.parametrize(
    "expected",
    [
        ("Word", "a"),
        ("Word", "AB-1"),
        ("EndOfTurn", "end of turn"),
        ("Forbidden", "forbidden"),
        ("Arithmetic", "c + d"),
        ("Arithmetic", "(c + d) * 2"),
        ("Comparison", "(c + d) * 2 > e.f"),
        ("Field", "e.f"),
        ("Sentence", '"so {count(g where wild)}!"'),
        ("Text", "so "),
        ("Call", "count(g where wild)"),
        ("Where", "g where wild"),
        ("Word", "count"),
        ("Text", "!"),
        ("RuleDecl", TEXT[TEXT.index("replace") : TEXT.index("   # at the end")]),
        ("MomentDecl", TEXT[TEXT.index("moment h") : TEXT.index("   # again")]),
        ("Move", "move 2 from i to j, but k to l"),
        ("Diversion", ", but k to l"),
        ("If", "if m\n      redeal"),
        ("Redeal", "redeal"),
    ],
)
def test_place__is_what_was_written(found: set[tuple[str, str]], expected: tuple[str, str]) -> None:
    assert expected in found


def test_place__of_a_text_inside_a_file() -> None:
    # The scalar begins in line 7, column 3, of its file.
    text = "define a = b\ndefine c = d\n"
    pieces = ((Piece(1, 7, 3),), (Piece(1, 8, 3),), ())
    origin = Rebase("mine.yaml", pieces, (9, 1))
    declarations, problems = parse_rules(text, origin)
    assert not problems
    second = declarations[1]
    assert isinstance(second, tree.Definition)
    assert second.span == Span("mine.yaml", 8, 3, 8, 15)
    assert second.value.span == Span("mine.yaml", 8, 14, 8, 15)


def test_place__of_a_problem_in_a_sentence_inside_a_file() -> None:
    text = 'rule a\n  b forbidden\n  because "x {c d}"\n'
    origin = Rebase("mine.yaml", tuple((Piece(1, n, 5),) for n in (11, 12, 13)), (14, 1))
    _, (problem,) = parse_rules(text, origin)
    assert problem.primary.span == Span("mine.yaml", 13, 21, 13, 22)


def test_place__of_a_cell_over_several_lines() -> None:
    text = "a\n  and b"
    value, problems = parse_cell(text, whole(text))
    assert not problems
    assert value is not None
    assert value.span == Span("x.rules", 1, 1, 2, 8)
