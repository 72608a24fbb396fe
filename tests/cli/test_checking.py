"""`meldc check`: its options."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from cli.support import run

FAULTY = "variant: mine\r\ntitle: Mine\r\nextends: classic\r\nhand_sise: 13\r\n"
MENDED = FAULTY.replace("sise", "size")


@pytest.fixture
def mine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "mine.yaml"
    path.write_bytes(FAULTY.encode())
    path.chmod(0o640)
    return path


def test_fix__mends_the_file_and_keeps_what_it_is(
    mine: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    ran = run(capsys, "check", "mine.yaml", "--fix")
    assert ran.code == 0
    assert "1 problem is fixed" in ran.err
    assert mine.read_bytes() == MENDED.encode()
    assert mine.stat().st_mode & 0o777 == 0o640


def test_diff__only_shows(mine: Path, capsys: pytest.CaptureFixture[str]) -> None:
    ran = run(capsys, "check", "mine.yaml", "--diff")
    assert "-hand_sise: 13\n+hand_size: 13" in ran.out
    assert mine.read_bytes() == FAULTY.encode()


def test_without_fix__says_that_there_is_one(
    mine: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    ran = run(capsys, "check", "mine.yaml")
    assert ran.code == 1
    assert "1 can be fixed with `--fix`" in ran.err


@pytest.mark.parametrize("form", ["json", "sarif", "github"])
def test_format__goes_to_standard_output_alone(
    mine: Path, capsys: pytest.CaptureFixture[str], form: str
) -> None:
    ran = run(capsys, "check", "mine.yaml", "--format", form)
    assert ran.code == 1
    assert "MC0401" in ran.out
    assert ran.err == ""
    if form != "github":
        json.loads(ran.out)


def test_text__has_no_colour_without_a_terminal(
    mine: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert "\x1b" not in run(capsys, "check", "mine.yaml").err


@pytest.mark.parametrize(
    "options",
    [("--json", "--format", "sarif"), ("--json", "--diff"), ("--deals", "3"), ("--seed", "x")],
)
def test_options__that_do_not_go_together(
    mine: Path, capsys: pytest.CaptureFixture[str], options: tuple[str, ...]
) -> None:
    assert run(capsys, "check", "mine.yaml", *options).code == 2


def test_deep__tells_how_much_was_tried(mine: Path, capsys: pytest.CaptureFixture[str]) -> None:
    ran = run(capsys, "check", "paston", "--deep", "--deals", "4", "--seconds", "600")
    assert ran.code == 0
    assert "tried: 4 deals" in ran.err
    assert "no deal had a dead end" in ran.err


def test_deep__keeps_records_that_replay(mine: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = 'rules: |\n  rule nobody\n    pass forbidden when count(hand) > 0\n    because "no"\n'
    mine.write_text(
        f"variant: mine\ntitle: Mine\nextends: classic\nremove: [moment nothing_but_pass]\n{text}"
    )
    options = ("--deep", "--deals", "3", "--seconds", "600", "--records", "kept")
    ran = run(capsys, "check", "mine.yaml", *options)
    assert ran.code == 1
    assert "MC0901" in ran.err
    (record, *_) = Path("kept").glob("*dead-end*.jsonl")
    assert run(capsys, "replay", str(record)).code == 0


def test_action_taken_away__is_pointed_at(mine: Path, capsys: pytest.CaptureFixture[str]) -> None:
    mine.write_text("variant: mine\ntitle: Mine\nextends: classic\nremove: [action discard]\n")
    ran = run(capsys, "check", "mine.yaml", "--json")
    (found, *_) = json.loads(ran.out)
    assert (found["code"], found["line"], found["column"]) == ("MC0901", 4, 10)


def test_house_rule_that_is_not_there__is_wrong_usage(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(capsys, "check", "classic", "--house", "nope").code == 2
