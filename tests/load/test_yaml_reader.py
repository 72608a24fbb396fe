"""YAML becomes a tree with places, or diagnostics; nothing else ever."""

from __future__ import annotations

import re

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from meldc.diagnostics import CompileError, Diagnostic, render_text
from meldc.load.nodes import Style, YamlList, YamlMap, YamlNode, YamlText, key_name, kind_of
from meldc.load.origins import _reread
from meldc.load.text_reader import decode_source
from meldc.load.yaml_reader import MOST_NODES, MOST_PROBLEMS, read_yaml
from meldc.source import SourceFile, Sources, Span

# Words of the parsers below us; none of them may reach a reader.
FOREIGN = re.compile(r"scalar|flow|token|<block|<stream|simple key|node content|found '")


def read(text: str) -> YamlNode:
    return read_yaml(decode_source(text.encode(), "mine.yaml"))


def read_map(text: str) -> YamlMap:
    root = read(text)
    assert isinstance(root, YamlMap)
    return root


def plain(node: YamlNode | None) -> object:
    match node:
        case YamlMap():
            return {entry.key.value: plain(entry.value) for entry in node}
        case YamlList():
            return [plain(item) for item in node]
        case YamlText():
            return node.value
    raise AssertionError(node)


def problems(text: str) -> tuple[Diagnostic, ...]:
    with pytest.raises(CompileError) as caught:
        read(text)
    return caught.value.diagnostics


def problem(text: str) -> Diagnostic:
    (only,) = problems(text)
    return only


def underlined(text: str, span: Span | None) -> str:
    assert span is not None
    assert span.line == span.end_line
    return text.split("\n")[span.line - 1][span.column - 1 : span.end_column - 1]


# -- values -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "written",
    ["yes", "no", "on", "null", "~", "0x1F", "0o7", "1_000", "12:30:45", "1e3", ".5", "2001-01-01",
     "2..8", "..3", "=", "-x", "007", "any_meld", "true", "3..", "min(a b)"],
)  # fmt: skip
def test_value__stays_text_as_written(written: str) -> None:
    assert plain(read(f"x: {written}\n")) == {"x": written}
    assert plain(read(f"{{x: {written}}}\n")) == {"x": written}


@pytest.mark.parametrize(
    ("written", "number"),
    [("0", 0), ("-35", -35), ("1500", 1500), ("+1", None), ("1.0", None), ("٣", None),
     ("9" * 5000, None), ("--1", None), ("1 ", 1), ("", None)],
)  # fmt: skip
def test_value__integers_are_plain_digits(written: str, number: int | None) -> None:
    node = read_map(f"x: {written}\n").get("x")
    assert isinstance(node, YamlText)
    assert node.as_integer() == number


def test_value__maps_lists_and_blocks() -> None:
    text = (
        'needs: {pile_onto = any_meld: "not here", 2..8: [4..6, 8..A]}\n'
        "replace opening: {below 0: 15, 3000: 155}\n"
        "2, A: 20\n"
        "rules: |\n  one\n    two # stays\n"
        "list:\n- a\n- {b: c}\n"
    )
    assert plain(read(text)) == {
        "needs": {"pile_onto = any_meld": "not here", "2..8": ["4..6", "8..A"]},
        "replace opening": {"below 0": "15", "3000": "155"},
        "2, A": "20",
        "rules": "one\n  two # stays\n",
        "list": ["a", {"b": "c"}],
    }


def test_value__kinds_in_words() -> None:
    root = read_map("a: {b: 1}\nc: [1]\nd: x\ne: 12\nf:\ng: ''\n")
    kinds = [kind_of(entry.value) for entry in root]
    assert kinds == ["a map", "a list", "a text", "a number", "nothing", "a text"]


def test_value__places_of_keys_and_values() -> None:
    text = "a: one\nbb:   {c: 'two', d: [x, yy]}\n"
    root = read_map(text)
    first, second = root.entries
    assert underlined(text, first.key.span) == "a"
    assert underlined(text, first.value.span) == "one"
    assert underlined(text, second.value.span) == "{c: 'two', d: [x, yy]}"
    inner = second.value
    assert isinstance(inner, YamlMap)
    assert underlined(text, inner.entries[0].value.span) == "'two'"
    items = inner.get("d")
    assert isinstance(items, YamlList)
    assert [underlined(text, item.span) for item in items] == ["x", "yy"]
    assert root.span == Span("mine.yaml", 1, 1, 2, len("bb:   {c: 'two', d: [x, yy]}") + 1)


def test_value__block_ends_with_its_last_line() -> None:
    root = read_map("a: |\n  one\n  two\n\n\n# comment\nb: 1\n")
    value = root.get("a")
    assert isinstance(value, YamlText)
    assert value.style is Style.LITERAL
    assert (value.span.end_line, value.span.end_column) == (3, 6)


def test_text__line_ends_and_byte_order_mark() -> None:
    source = decode_source(b"\xef\xbb\xbfa: 1\r\nb: 2\r\n", "mine.yaml")
    assert plain(read_yaml(source)) == {"a": "1", "b": "2"}


# -- keys ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("written", "name"),
    [
        ("hand-size", "hand_size"),
        ("hand_size", "hand_size"),
        ("replace opening-points", "replace opening_points"),
        ("replace  x", "replace x"),
        ("8..K", "8..K"),
        ("below 0", "below 0"),
        ("-100", "-100"),
        ("two -words", "two -words"),
    ],
)
def test_key__hyphen_is_underscore_in_words(written: str, name: str) -> None:
    assert key_name(written) == name


def test_key__found_in_either_writing() -> None:
    root = read_map("hand-size: 11\n")
    assert "hand_size" in root
    assert "hand-size" in root
    entry = root.entry("hand_size")
    assert entry is not None
    assert (entry.key.value, entry.name) == ("hand-size", "hand_size")


def test_key__twice_shows_both() -> None:
    text = "hand_size: 11\nx: 1\nhand-size: 13\n"
    found = problem(text)
    assert found.code == "MC0111"
    assert underlined(text, found.primary.span) == "hand-size"
    assert underlined(text, found.secondary[0].span) == "hand_size"


def test_key__twice_in_depth() -> None:
    assert problem("a:\n  - {b: 1, c: 2, b: 3}\n").code == "MC0111"


# -- what is refused ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "code", "place"),
    [
        ("a: &x 1\n", "MC0112", "&x"),
        ("a: *x\n", "MC0112", "*x"),
        ("<<: {a: 1}\n", "MC0112", "<<"),
        ("a: &\n", "MC0112", "&"),
        ("a: !!python/object:os.system x\n", "MC0113", "!!python/object:os.system"),
        ("a: !x {b: 1}\n", "MC0113", "!x"),
        ("a: ! x\n", "MC0113", "!"),
        ("%YAML 1.1\n---\na: 1\n", "MC0113", "%YAML 1.1"),
        ("%FOO bar\n---\na: 1\n", "MC0113", "%FOO bar"),
        ("%YAML 3.0\n---\na: 1\n", "MC0113", None),
        ("a: 1\n---\nb: 1\n", "MC0110", "---"),
        ("a: 1\n...\nb: 1\n", "MC0110", None),
        ("", "MC0109", None),
        ("---\n", "MC0109", None),
        ("# only\n", "MC0109", None),
        ("? {a: 1}\n: 2\n", "MC0116", "{a: 1}"),
        ("? |\n  a\n: 2\n", "MC0116", None),
        ("'': 2\n", "MC0116", "''"),
        ("a: {2, b: 1}\n", "MC0117", "2"),
        ("? a\n", "MC0117", "a"),
        ("a: b: c\n", "MC0120", ":"),
        ("a: 'b': c\n", "MC0120", ":"),
        ("a: b\n  c: d\n", "MC0121", ":"),
        ("a:\n   b: 1\n  c: 1\n", "MC0121", "c"),
        ("a: 1\n- b\n", "MC0121", "-"),
        ("a: 1\nb\nc: 1\n", "MC0122", "b"),
        ("a: 1\nlast line\n", "MC0122", "last line"),
        ("a: [1, 2\n", "MC0123", "["),
        ("a: {b: 1]\n", "MC0123", "]"),
        ("a: {b: 1 c: 2}\n", "MC0123", None),
        ("a: ]\n", "MC0123", "]"),
        ("a: [1]]\n", "MC0123", "]"),
        ("a: 'x\n", "MC0124", "'"),
        ('a: "x\n---\n', "MC0124", '"'),
        ('a: "\\q"\n', "MC0125", "q"),
        ('a: "\\x0g"\n', "MC0125", None),
        ('a: "\\UFFFFFFFF"\n', "MC0125", None),
        ("a: `x`\n", "MC0126", "`"),
        ("a: %x\n", "MC0126", "%"),
        ("a: [, x]\n", "MC0126", ","),
        ("a: | x\n", "MC0127", "x"),
        ("a: |0\n  x\n", "MC0127", "0"),
        ('a: "b" c\n', "MC0129", "c"),
        ("a: - b\n", "MC0129", "-"),
        ('a: "\\ud800"\n', "MC0107", '"\\ud800"'),
        ('a: "\\0"\n', "MC0107", '"\\0"'),
        ("a: \x00\n", "MC0107", "\x00"),
        ("a: \u2028\n", "MC0107", "\u2028"),
        ("a: x\u202ey\n", "MC0107", "\u202e"),
        ("a: 1\rb: 2\n", "MC0107", "\r"),
        ("a:\n\tb: 1\n", "MC0108", "\t"),
        ("a: 1 # note\there\n", "MC0108", "\t"),
    ],
)
def test_refused__code_and_place(text: str, code: str, place: str | None) -> None:
    found = problem(text)
    assert found.code == code
    if place is not None:
        assert underlined(text, found.primary.span) == place
    shown = render_text([found], Sources([SourceFile("mine.yaml", text)]))
    assert not FOREIGN.search(shown)
    assert not found.message.endswith(".")


def test_refused__all_of_it_in_one_run() -> None:
    codes = [each.code for each in problems("a: &x 1\na: 2\nb: !t c\n<<: *x\n")]
    assert sorted(codes) == ["MC0111", "MC0112", "MC0112", "MC0112", "MC0113"]


def test_limit__depth() -> None:
    assert read("[" * 30 + "]" * 30)
    assert problem("[" * 31 + "]" * 31).code == "MC0114"
    assert problem("[" * 500_000).code == "MC0114"
    assert problem("- " * 500_000).code == "MC0114"
    assert problem("\n".join(" " * depth + "a:" for depth in range(40))).code == "MC0114"


def test_limit__number_of_values() -> None:
    items = MOST_NODES - 1
    assert read("[" + "1," * items + "]")
    assert problem("[" + "1," * (items + 1) + "]").code == "MC0115"


def test_limit__size_of_file() -> None:
    assert problem("#" * (1 << 20) + "\n").code == "MC0105"
    assert problem("#" * (1 << 20) + "\n").is_unreadable


def test_limit__number_of_problems() -> None:
    text = "".join(f"k{number}: *a\n" for number in range(1000))
    assert len(problems(text)) == MOST_PROBLEMS


def test_alias_bomb__never_grows() -> None:
    lines = ["a: &a [x, x]"] + [
        f"{name}: &{name} [*{before}, *{before}]"
        for before, name in zip("abcdefgh", "bcdefghi", strict=True)
    ]
    assert {each.code for each in problems("\n".join(lines))} == {"MC0112"}


@pytest.mark.parametrize(
    ("data", "line", "column"),
    [(b"\xff\xfea\x00", 1, 1), (b"a: 1\nb: \xe9\n", 2, 4), (b"\xc3", 1, 1), (b"\x80", 1, 1)],
)
def test_refused__bytes_that_are_no_utf8(data: bytes, line: int, column: int) -> None:
    with pytest.raises(CompileError) as caught:
        decode_source(data, "mine.yaml")
    (found,) = caught.value.diagnostics
    assert found.code == "MC0106"
    assert found.is_unreadable
    assert found.primary.span == Span("mine.yaml", line, column, line, column + 1)


# -- anything at all ----------------------------------------------------------------------------

YAML_PIECES = st.sampled_from(
    ["a", "b: ", "- ", "\n", "\n  ", "\n    ", "{", "}", "[", "]", ",", ":", ": ", "?", "? ", "|",
     ">", "|2-\n", "'", '"', "\\", "\\x4", "\\U0011", "#", " # c", "&a", "*a", "!", "!!s ", "%",
     "@", "`", "---", "...", "<<", "~", "-", "  ", "é", "\U0001f0a1", "\u0301", "12",
     "x y", "\ufeff"]
)  # fmt: skip


def check_any(data: bytes) -> None:
    sources = Sources()
    try:
        source = decode_source(data, "mine.yaml", sources)
        tree = read_yaml(source)
    except CompileError as problem:
        check_sayable(problem.diagnostics, sources)
    else:
        check_places(tree, source)


def check_sayable(diagnostics: tuple[Diagnostic, ...], sources: Sources) -> None:
    assert diagnostics
    for found in diagnostics:
        assert found.is_error
        assert "\n" not in found.message
    assert not set(render_text(diagnostics, sources)) & {"\x1b", "\x00", "\r"}


def check_places(node: YamlNode, source: SourceFile) -> None:
    span = node.span
    assert (1, 1) <= (span.line, span.column) <= (span.end_line, span.end_column)
    assert span.end_line <= len(source.lines)
    assert span.end_column <= len(source.line(span.end_line)) + 1
    match node:
        case YamlMap():
            assert len(node.names) == len(node)
            for entry in node:
                check_places(entry.key, source)
                check_places(entry.value, source)
        case YamlList():
            for item in node:
                check_places(item, source)
        case YamlText():
            lines = node.value.split("\n")
            inner = node.rebase.span(1, 1, len(lines), len(lines[-1]) + 1)
            assert (span.line, span.column) <= (inner.line, inner.column)
            if node.style in (Style.PLAIN, Style.SINGLE, Style.DOUBLE):
                assert len(list(_reread(span, node.style, source))) == len(node.value)
            assert inner.end_line <= span.end_line


@given(st.binary(max_size=200))
@example(b"\xef\xbb\xbf")
@example(b"a: |\n\n\n")
@example(b"a: >\n  x\n\n\n    y\n")
def test_any_bytes__tree_or_diagnostics(data: bytes) -> None:
    check_any(data)


@given(st.text(max_size=200))
def test_any_text__tree_or_diagnostics(text: str) -> None:
    check_any(text.encode("utf-8", "surrogatepass"))


@given(st.lists(YAML_PIECES, max_size=40).map("".join))
@example("a: 'b''\n\nc'")
@example('"a\\\n b": c')
def test_any_yaml__tree_or_diagnostics(text: str) -> None:
    check_any(text.encode())


@pytest.mark.parametrize("character", ["\u00a0", "\u2009", "\u3000"])
def test_space_that_is_none__is_named(character: str) -> None:
    text = f"a: 1\nb:{character}2\n"
    found = problem(text)
    assert found.code == "MC0107"
    assert f"U+{ord(character):04X}" in found.primary.text
    assert underlined(text, found.primary.span) == character


def test_space_that_is_none__in_a_text_is_not_blamed() -> None:
    assert problem("a: le jeu\u00a0: grand\nb: 1\n").code == "MC0120"


def test_space_that_is_none__within_braces_is_named() -> None:
    (found,) = problems("a: {b:\u00a02, c: 3}\n")
    assert (found.code, "U+00A0" in found.help[0]) == ("MC0117", True)


@pytest.mark.parametrize(
    ("text", "whole"),
    [
        ("a: {b: 1,200}\n", "1,200"),
        ("a: {1,500: 90, c: 2}\n", "1,500"),
        ("a: {b: 1,200,000, c: 2}\n", "1,200,000"),
    ],
)
def test_number_in_groups__is_told_as_a_whole(text: str, whole: str) -> None:
    """At a comma within braces YAML begins the next key."""
    found = problem(text)
    assert (found.code, underlined(text, found.primary.span)) == ("MC0321", whole)
    assert found.fix is not None
    assert found.fix.edits[0].text == whole.replace(",", "")
