"""The forms for other programs: SARIF by its schema, GitHub's commands, JSON."""

from __future__ import annotations

import json
import re
from pathlib import Path

import jsonschema
import pytest
from diagnostics.sarif import LOG

from meldc.compilation import compile_spec
from meldc.diagnostics import Diagnostic, error, render_github, render_json, render_sarif
from meldc.fixing import fixable
from meldc.source import Span

FAULTY = """\
variant: mine
title: Mine
extends: classic
pile_frozen: alwais
target: 5000
rules: |
  rule odd
    discard forbidden when count(hand) > 3
    because "odd"
"""


@pytest.fixture
def found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[Diagnostic, ...]:
    monkeypatch.chdir(tmp_path)
    Path("my game, 50%.yaml").write_text(FAULTY, encoding="utf-8")
    houses = ["open-before-pickup", "no-pickup-when-opening", "hand_size=99"]
    compilation = compile_spec("./my game, 50%.yaml", houses)
    return fixable(compilation)


def test_sarif__follows_the_schema(found: tuple[Diagnostic, ...]) -> None:
    log = json.loads(render_sarif(found, "1.0"))
    jsonschema.Draft202012Validator(LOG).validate(log)
    (run,) = log["runs"]
    assert len(run["results"]) == len(found)
    rules = run["tool"]["driver"]["rules"]
    for result in run["results"]:
        assert rules[result["ruleIndex"]]["id"] == result["ruleId"]
    assert any("fixes" in result for result in run["results"])
    regions = [
        place["physicalLocation"]["region"]
        for result in run["results"]
        for place in result.get("locations", [])
        if "physicalLocation" in place
    ]
    assert all(
        (r["endLine"], r["endColumn"]) >= (r["startLine"], r["startColumn"]) for r in regions
    )


def test_sarif__of_nothing_follows_the_schema() -> None:
    jsonschema.Draft202012Validator(LOG).validate(json.loads(render_sarif([], "1.0")))


def test_github__has_a_line_each(found: tuple[Diagnostic, ...]) -> None:
    lines = render_github(found).split("\n")
    assert len(lines) == len(found)
    for line in lines:
        assert re.fullmatch(r"::(error|warning) [^:]*::.+", line), line
    of_file = [line for line in lines if "file=" in line]
    assert any("file=./my game%2C 50%25.yaml,line=4,col=14,endLine=4" in line for line in of_file)


def test_github__hides_line_breaks_and_signs() -> None:
    span = Span("a.yaml", 1, 2, 1, 5)
    line = render_github([error("MC0202", "100 % wrong", span, "here", help=["mend it"])])
    assert line == (
        "::error file=a.yaml,line=1,col=2,endLine=1,endColumn=4,title=MC0202::"
        "100 %25 wrong: here%0Ahelp: mend it"
    )


def test_json__has_the_fix(found: tuple[Diagnostic, ...]) -> None:
    data = json.loads(render_json(found))
    fixes = [each["fix"] for each in data if each["fix"]]
    assert {"title": "write `always`"}.items() <= fixes[0].items() or len(fixes) > 1
