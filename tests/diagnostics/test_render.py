"""How a diagnostic looks: as text, as JSON, as SARIF."""

from __future__ import annotations

import json

from hypothesis import given
from hypothesis import strategies as st

from meldc.diagnostics import (
    Diagnostic,
    Edit,
    Fix,
    Label,
    Severity,
    as_data,
    error,
    render_json,
    render_sarif,
    render_text,
    warning,
)
from meldc.source import SourceFile, Sources, Span

TEXT = "variant: mine\nhand_size: 11\n\n\nhand-size: 13\ntitle: 世界 x\n"
SOURCES = Sources([SourceFile("mine.yaml", TEXT)])


def at(line: int, column: int, end_column: int, file: str = "mine.yaml") -> Span:
    return Span(file, line, column, line, end_column)


def test_text__shows_both_places_in_order_of_the_file() -> None:
    diagnostic = error(
        "MC0111",
        "key `hand_size` is given twice",
        at(5, 1, 10),
        "again here",
        secondary=[Label(at(2, 1, 10), "first here")],
        help=["delete one of them"],
        notes=["a hyphen is an underscore"],
    )
    assert (
        render_text([diagnostic], SOURCES)
        == """\
error[MC0111]: key `hand_size` is given twice
 --> mine.yaml:5:1
  |
2 | hand_size: 11
  | --------- first here
...
5 | hand-size: 13
  | ^^^^^^^^^ again here
  |
  = help: delete one of them
  = note: a hyphen is an underscore
"""
    )


def test_text__another_file_has_its_own_arrow() -> None:
    sources = Sources([*SOURCES, SourceFile("base.yaml", "a: 1\nb: 2\n")])
    diagnostic = warning(
        "MC0202",
        "a value like its parent's",
        at(2, 12, 14),
        secondary=[Label(at(2, 4, 5, "base.yaml"), "inherited from here")],
    )
    lines = render_text([diagnostic], sources).splitlines()
    assert lines[0] == "warning[MC0202]: a value like its parent's"
    assert " ::: base.yaml:2:4" in lines
    assert lines[-1] == "  |    - inherited from here"


def test_text__file_without_a_source_is_named() -> None:
    text = render_text([error("MC0202", "wrong", at(3, 7, 9, "gone.yaml"), "here")], SOURCES)
    assert text == "error[MC0202]: wrong\n --> gone.yaml:3:7\n  here\n"


def test_text__no_place() -> None:
    text = render_text([error("MC0101", "there is no file `x`", None, help=["look"])], SOURCES)
    assert text == "error[MC0101]: there is no file `x`\n  = help: look\n"


def test_text__wide_characters_are_underlined_where_they_stand() -> None:
    lines = render_text([error("MC0202", "wrong", at(6, 11, 12))], SOURCES).splitlines()
    before = lines[-2].index("x")
    assert lines[-1].index("^") == before + 2  # two characters, each two columns wide


def test_text__several_lines_are_underlined_on_the_first() -> None:
    span = Span("mine.yaml", 1, 10, 5, 3)
    lines = render_text([error("MC0202", "wrong", span, "all this")], SOURCES).splitlines()
    assert lines[-1] == "  |          ^^^^ all this (to line 5)"


def test_text__a_long_line_is_cut_around_the_place() -> None:
    sources = Sources([SourceFile("long.yaml", "x" * 5000 + "HERE" + "y" * 5000)])
    text = render_text([error("MC0202", "wrong", at(1, 5001, 5005, "long.yaml"))], sources)
    shown, underline = text.splitlines()[-2:]
    assert len(shown) < 140
    assert shown[underline.index("^") :].startswith("HERE")


def test_text__no_file_writes_to_the_terminal() -> None:
    sources = Sources([SourceFile("evil.rules", "a \x1b[31m\u202e b\n")])
    diagnostic = error("MC0107", "evil \x1b[2J", at(1, 3, 4, "evil.rules"), "\x07")
    text = render_text([diagnostic], sources)
    assert not set(text) & {"\x1b", "\u202e", "\x07"}


def test_text__colour_changes_nothing_else() -> None:
    import re

    diagnostic = error("MC0202", "wrong", at(2, 1, 10), "label", help=["help"])
    coloured = render_text([diagnostic], SOURCES, colour=True)
    assert "\x1b[1;31m" in coloured
    assert re.sub("\x1b\\[[0-9;]*m", "", coloured) == render_text([diagnostic], SOURCES)


def test_text__the_fix_is_told() -> None:
    fix = Fix("write `hand_size`", (Edit(at(5, 1, 10), "hand_size"),))
    assert "= help: write `hand_size`" in render_text(
        [error("MC0202", "wrong", at(5, 1, 10), fix=fix)], SOURCES
    )


def test_json__holds_all_of_it() -> None:
    fix = Fix("write it so", (Edit(at(5, 1, 10), "hand_size"),))
    diagnostic = error(
        "MC0111",
        "twice",
        at(5, 1, 10),
        "again",
        secondary=[Label(at(2, 1, 10), "first")],
        help=["h"],
        notes=["n"],
        fix=fix,
    )
    (data,) = json.loads(render_json([diagnostic]))
    assert data == as_data(diagnostic)
    assert (data["file"], data["line"], data["column"]) == ("mine.yaml", 5, 1)
    assert (data["end_line"], data["end_column"]) == (5, 10)
    assert data["secondary"][0]["line"] == 2
    assert data["fix"]["edits"][0]["text"] == "hand_size"
    assert data["severity"] == "error"


def test_json__no_place_is_null() -> None:
    (data,) = json.loads(render_json([error("MC0101", "gone", None)]))
    assert data["file"] is None
    assert data["line"] is None


def test_sarif__names_rule_and_region() -> None:
    log = json.loads(render_sarif([error("MC0111", "twice", at(5, 1, 10))], "1.0"))
    (run,) = log["runs"]
    (result,) = run["results"]
    assert run["tool"]["driver"]["rules"][result["ruleIndex"]]["id"] == "MC0111"
    region = result["locations"][0]["physicalLocation"]["region"]
    assert region == {"startLine": 5, "startColumn": 1, "endLine": 5, "endColumn": 10}


spans = st.builds(
    Span,
    st.sampled_from(["mine.yaml", "other"]),
    st.integers(0, 8),
    st.integers(1, 20),
    st.integers(1, 8),
    st.integers(1, 20),
)
labels = st.builds(Label, st.none() | spans, st.text(max_size=8))


@given(
    st.builds(
        Diagnostic,
        st.just("MC0202"),
        st.sampled_from(Severity),
        st.text(max_size=20),
        labels,
        st.lists(labels, max_size=3).map(tuple),
        st.lists(st.text(max_size=5), max_size=2).map(tuple),
    ),
    st.text(max_size=60),
)
def test_text__any_diagnostic_can_be_shown(diagnostic: Diagnostic, text: str) -> None:
    sources = Sources([SourceFile("mine.yaml", text)])
    assert render_text([diagnostic], sources).startswith(str(diagnostic.severity))
    json.loads(render_json([diagnostic]))
