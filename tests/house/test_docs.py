"""The example of docs/house-rules.md is a house rule whose own scenario passes."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from meldc.comparing import house_lines
from meldc.compilation import compile_spec
from meldc.load.catalogue import shipped_houses
from meldc.scenario import run_file
from meldc.source import Sources

PAGE = (Path(__file__).parents[2] / "docs" / "house-rules.md").read_text(encoding="utf-8")


@pytest.fixture
def own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The files of the page in a folder of their own."""
    for name, text in re.findall(r"```yaml\n# (\S+)\n(.*?)```", PAGE, re.DOTALL):
        (tmp_path / name).write_text(text, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_own_house_rule__is_taken(own: Path) -> None:
    compilation = compile_spec("classic", ["./sevens.yaml"])
    assert compilation.program is not None
    assert not compilation.diagnostics


def test_own_house_rule__says_what_it_needs(own: Path) -> None:
    (found,) = compile_spec("classic", ["./sevens.yaml", "canasta-cards-count=no"]).diagnostics
    assert found.code == "MC0410"
    assert "here cards in canastas are not counted" in found.message


def test_own_scenario__passes(own: Path) -> None:
    outcomes = run_file(own / "sevens-test.yaml", Sources())
    assert outcomes
    assert not [outcome.reason for outcome in outcomes if not outcome.passed]


def test_own_house_rule__is_told(own: Path) -> None:
    program = compile_spec("classic", ["./sevens.yaml"]).program
    assert program is not None
    lines = house_lines(program)
    assert lines
    assert all(f"\n  {line}\n" in PAGE for line in lines)


def test_page__names_every_house_rule() -> None:
    assert not [name for name in shipped_houses() if f"`{name}`" not in PAGE]
