"""What is worked out from a Program is kept between runs, and nothing hangs on it."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from runtime.games import melding

from meldc_runtime.kept import Kept
from meldc_runtime.kinds import kinds_of
from meldc_runtime.lookahead import outlook_of
from meldc_runtime.program import Program, dump, load
from meldc_runtime.table import Table


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("MELDC_CACHE_DIR", str(tmp_path))
    return tmp_path / "tables"


def told(program: Program) -> Any:
    """All that may come from what is kept."""
    table = Table(program)
    outlook = outlook_of(table)
    code = table.code
    return (
        code.source,
        code.never_broken,
        code.always_due,
        code.never_allowed,
        code.fixed_naturals,
        code.fixed_wilds,
        table.settings,
        table.pack,
        kinds_of(table),
        outlook.relaxed.rules,
        [function is None for function in outlook.sure_end],
    )


def the_file(folder: Path) -> Path:
    (file,) = folder.iterdir()
    return file


def test_kept__gives_the_same_a_second_time(folder: Path) -> None:
    program = melding()
    first = told(program)
    before = the_file(folder).read_bytes()
    second = told(program)
    assert [list(part) if isinstance(part, list) else part for part in second[:9]] == list(
        first[:9]
    )
    assert [list(rule) for rule in second[9]] == [list(rule) for rule in first[9]]
    assert second[10] == first[10]
    assert the_file(folder).read_bytes() == before


def test_kept__is_not_worked_out_again(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program = melding()
    outlook_of(Table(program))

    def refuse(self: Kept, name: str, work_out: Any) -> Any:
        return self.known[name]

    monkeypatch.setattr(Kept, "get", refuse)
    assert outlook_of(Table(program)).table.pack


@pytest.mark.parametrize("content", [b"", b"{}", b"\xff" * 100, b"0" * 64 + b'{"module": 1}'])
def test_kept__passes_over_what_is_broken(folder: Path, content: bytes) -> None:
    program = melding()
    source = Table(program).code.source
    the_file(folder).write_bytes(content)
    assert Table(program).code.source == source


def test_kept__tells_programs_and_seats_apart(folder: Path) -> None:
    program = melding()
    Table(program)
    Table(replace(program, title="another"))
    Table(program, players=program.players[0])
    assert len(list(folder.iterdir())) == 3


def test_kept__may_be_switched_off(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MELDC_CACHE_DIR", "")
    assert Table(melding()).code.source
    assert not folder.exists()


@pytest.mark.skipif(not hasattr(os, "getuid"), reason="folders of others can't be told")
def test_kept__believes_no_folder_that_others_write(folder: Path) -> None:
    folder.parent.chmod(0o777)
    assert Table(melding()).code.source
    assert not folder.exists()


def test_kept__a_program_is_vetted_once(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text = dump(melding())
    asked = []
    monkeypatch.setattr("meldc_runtime.vetting.vet", asked.append)
    assert load(text) == load(text)
    assert len(asked) == 1
