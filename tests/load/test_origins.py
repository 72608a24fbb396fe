"""Places within a scalar's value, led back to the file."""

from __future__ import annotations

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from meldc.load.nodes import YamlMap, YamlText
from meldc.load.text_reader import decode_source
from meldc.load.yaml_reader import read_yaml
from meldc.source import Rebase, SourceFile, Span


def value_of(text: str) -> YamlText:
    root = read_yaml(decode_source(text.encode(), "mine.yaml"))
    assert isinstance(root, YamlMap)
    value = root.entries[-1].value
    assert isinstance(value, YamlText)
    return value


def place_of(text: str, word: str) -> str:
    """What stands in the file where `word` of the value comes from."""
    node = value_of(text)
    before = node.value[: node.value.index(word)]
    line = before.count("\n") + 1
    column = len(before.rsplit("\n", 1)[-1]) + 1
    span = node.rebase.span(line, column, line, column + len(word))
    assert span.line == span.end_line
    return text.split("\n")[span.line - 1][span.column - 1 : span.end_column - 1]


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("rules: |\n  one two\n    three\n", "three"),
        ("rules: |   # a comment\n  one two\n\n    three\n", "three"),
        ("rules: |\n\n\n      one\n       two\n", "two"),
        ("rules: |2\n    one\n  two\n", "one"),
        ("rules: |2\n    one\n  two\n", "two"),
        ("rules: |-\n  one\n", "one"),
        ("rules: |+4\n    one\n\n", "one"),
        ("rules: |\n  é\U0001f0a1 two\n", "two"),
        ("rules: >\n  one\n  two\n\n  three\n     four\n  five\n", "one"),
        ("rules: >\n  one\n  two\n\n  three\n     four\n  five\n", "two"),
        ("rules: >\n  one\n  two\n\n  three\n     four\n  five\n", "four"),
        ("rules: >\n  one\n  two\n\n  three\n     four\n  five\n", "five"),
        ("x:   one two\n", "two"),
        ("x: one\n  two\n\n  three\n", "three"),
        ("x: 'one two'\n", "two"),
        ("x: 'one\n  two three'\n", "two"),
        ('x: "one two"\n', "two"),
        ('x: "one\n\n  two"\n', "two"),
        ('x: "one \\\n   two"\n', "two"),
        ('x: "a\\nb two"\n', "two"),
        ("x: {y: a b, z: c d}\n", "d"),
    ],
)
def test_place__is_that_of_the_same_word(text: str, word: str) -> None:
    if text.startswith("x: {"):
        root = read_yaml(decode_source(text.encode(), "mine.yaml"))
        assert isinstance(root, YamlMap)
        inner = root.entries[0].value
        assert isinstance(inner, YamlMap)
        node = inner.entries[-1].value
        assert isinstance(node, YamlText)
        assert node.rebase.position(1, 3) == (1, text.index(" d}") + 2)
    else:
        assert place_of(text, word) == word


def test_place__of_doubled_quotes_and_escapes() -> None:
    assert place_of("x: 'it''s two'\n", "two") == "two"
    assert place_of("x: 'it''s two'\n", "'s") == "''s"
    assert place_of('x: "a\\u0041b two"\n', "A") == "\\u0041"
    assert place_of('x: "a\\u0041b two"\n', "two") == "two"


def test_place__behind_the_end() -> None:
    node = value_of("rules: |\n  one\n  two\n\n\nx: 1\n".replace("x: 1\n", ""))
    assert node.value == "one\ntwo\n"
    assert node.rebase.position(2, 4) == (3, 6)
    assert node.rebase.position(3, 1) == (3, 6)
    assert node.rebase.position(99, 1) == (3, 6)


def test_span__of_several_lines_ends_within() -> None:
    node = value_of("rules: |\n  one\n  two\n")
    assert node.rebase.span(1, 2, 2, 3) == Span("mine.yaml", 2, 4, 3, 5)
    assert node.rebase.within(Span("inner", 1, 2, 2, 3)) == Span("mine.yaml", 2, 4, 3, 5)


def test_whole__changes_nothing() -> None:
    rebase = Rebase.whole(SourceFile("a.rules", "one\ntwo"))
    assert rebase.span(2, 1, 2, 4) == Span("a.rules", 2, 1, 2, 4)
    assert rebase.position(3, 1) == (2, 4)


WORDS = st.text(st.sampled_from("ab'\"\\:#{é\n   -"), min_size=1, max_size=60)


@given(WORDS, st.sampled_from(["|", ">", "'", '"', None]), st.integers(5, 30), st.integers(2, 6))
def test_place__of_every_character(text: str, style: str | None, width: int, indent: int) -> None:
    written = yaml.dump(
        {"key": {"x": text}}, default_style=style, width=width, indent=indent, allow_unicode=True
    )
    root = read_yaml(decode_source(written.encode(), "mine.yaml"))
    assert isinstance(root, YamlMap)
    inner = root.entries[0].value
    assert isinstance(inner, YamlMap)
    node = inner.entries[0].value
    assert isinstance(node, YamlText)
    file_lines = written.split("\n")
    for number, line in enumerate(node.value.split("\n"), 1):
        for column, character in enumerate(line, 1):
            if character == " " and node.style != "|":
                continue
            file_line, file_column = node.rebase.position(number, column)
            there = file_lines[file_line - 1][file_column - 1]
            assert there == character or (there == "\\" and node.style == '"')
