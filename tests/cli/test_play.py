"""`meldc play`: what is kept, what is shown, and how it ends whatever happens to it."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from cli.support import environment, run, run_apart, start

from meldc_runtime.records import read

BOTS = ("play", "paston", "--seed", "3", "--seat", "P1=random", "--bot", "random")
HUMAN = ("play", "paston", "--seed", "5", "--seat", "P1=human", "--bot", "random")


def test_bots__play_a_game_to_its_end(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"
    ran = run(capsys, *BOTS, "--record", str(path))
    assert (ran.code, ran.err) == (0, "")
    assert "The game is over: P1 won." in ran.out
    assert "declarer" in ran.out
    assert run(capsys, "replay", str(path)).code == 0
    data = json.loads(run(capsys, "replay", str(path), "--json").out)
    assert data["game_over"]
    assert data["actions"] == len(read(path).entries)


@pytest.mark.parametrize("kept", [1, 2, 30, 31, 100])
def test_resumed_game__goes_on_alike(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, kept: int
) -> None:
    path = tmp_path / "game.jsonl"
    run(capsys, *BOTS, "--record", str(path))
    whole = path.read_bytes()
    lines = whole.splitlines(keepends=True)
    path.write_bytes(b"".join(lines[:kept]) + lines[kept][:7])
    assert run(capsys, "play", "--resume", str(path)).code == 0
    assert path.read_bytes() == whole


def test_finished_game__is_not_gone_on_with(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    path = tmp_path / "game.jsonl"
    run(capsys, *BOTS, "--record", str(path))
    ran = run(capsys, "play", "--resume", str(path))
    assert ran.code == 0
    assert "is over" in ran.out


def test_person__is_shown_the_table_and_told_why_not() -> None:
    ran = run_apart(*HUMAN, stdin=b"help\ncall clubs\nnonsense\n99\n\x00\xff\xfe\n1\nquit\n")
    assert ran.code == 0
    assert "make the next call, or pass" in ran.out
    assert "each call is the next one up" in ran.out
    assert "not understood" in ran.out
    assert "There is no number 99" in ran.out
    assert "1 call spades" in ran.out
    assert "go on with: meldc play --resume" in ran.out


def test_other_hands__are_not_shown() -> None:
    ran = run_apart(*HUMAN, stdin=b"2\n" + b"1\n" * 4)
    assert "hand: P2 10  P3 10" in ran.out
    assert "bury ?? ??" in ran.out


def test_end_of_input__keeps_the_game(tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"
    ran = run_apart(*HUMAN, "--record", str(path), stdin=b"1\n")
    assert ran.code == 0
    assert "go on with" in ran.out
    assert [entry.action for entry in read(path).entries if entry.player == "P1"] == ["call spades"]


@pytest.mark.parametrize(
    ("number", "code"), [(signal.SIGTERM, 143), (signal.SIGHUP, 129), (signal.SIGINT, 130)]
)
def test_signal__ends_the_game_and_says_where_it_is(
    tmp_path: Path, number: signal.Signals, code: int
) -> None:
    path = tmp_path / "game.jsonl"
    with start(*HUMAN, "--record", str(path)) as process:
        assert process.stdout is not None
        while b"P1> " not in process.stdout.read1():
            pass
        process.send_signal(number)
        _, err = process.communicate(timeout=60)
    assert process.returncode == code
    assert b"go on with" in err
    assert b"Traceback" not in err
    assert read(path).entries


def test_kill__loses_no_action(tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"
    with start(*HUMAN, "--record", str(path)) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(b"1\n")
        process.stdin.flush()
        shown = b""
        while shown.count(b"P1> ") < 2:
            shown += process.stdout.read1()
        process.kill()
    actions = [(entry.player, entry.action) for entry in read(path).entries]
    assert ("P1", "call spades") in actions
    assert actions[-1][0] != "P1"


def test_closed_pipe__is_no_error() -> None:
    with start(*BOTS) as process:
        assert process.stdout is not None
        process.stdout.readline()
        process.stdout.close()
        assert process.stderr is not None
        err = process.stderr.read()
    assert process.returncode == 141
    assert b"Traceback" not in err


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="the system has no /dev/full")
@pytest.mark.parametrize("arguments", [("list",), BOTS])
def test_full_disk__is_said(arguments: tuple[str, ...]) -> None:
    with Path("/dev/full").open("wb") as full:
        ran = subprocess.run(
            [sys.executable, "-m", "meldc", *arguments],
            stdout=full,
            stderr=subprocess.PIPE,
            env=environment(),
            check=False,
            timeout=120,
        )
    assert ran.returncode == 1
    assert b"no space left" in ran.stderr
    assert b"Traceback" not in ran.stderr


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="the system has no /dev/full")
def test_full_disk_under_the_record__ends_the_game(tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"
    code = (
        "import resource, sys; resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000)); "
        "from meldc.cli import main; main(sys.argv[1:])"
    )
    ran = subprocess.run(
        [sys.executable, "-c", code, *BOTS, "--record", str(path)],
        capture_output=True,
        env=environment(),
        check=False,
        timeout=120,
    )
    assert ran.returncode == 1
    assert b"cannot be written" in ran.stderr
    assert b"Traceback" not in ran.stderr
    assert len(read(path).entries) > 5
    assert run_apart("play", "--resume", str(path)).code == 0


def test_state_folder_that_cannot_be_made__is_a_warning(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    ran = run_apart(*BOTS, XDG_STATE_HOME=str(tmp_path / "file"))
    assert ran.code == 0
    assert "not recorded" in ran.err


def test_record_that_cannot_be_made__is_an_error(tmp_path: Path) -> None:
    ran = run_apart(*BOTS, "--record", str(tmp_path / "none" / "game.jsonl"))
    assert ran.code == 2
    assert "cannot be written" in ran.err


def test_ascii_terminal__gets_ascii() -> None:
    ran = run_apart(*HUMAN, stdin=b"1\n", PYTHONIOENCODING="ascii", LC_ALL="C")
    assert ran.code == 0
    assert ran.out.isascii()


@pytest.mark.parametrize(
    "wrong",
    [
        ("play",),
        ("play", "paston", "--seat", "P9=human"),
        ("play", "paston", "--seat", "P1=nobody"),
        ("play", "paston", "--players", "7"),
        ("play", "paston", "--seed", "x"),
        ("play", "--resume", "no-such-file"),
        ("play", "no-such-game"),
    ],
)
def test_wrong_usage__is_said(capsys: pytest.CaptureFixture[str], wrong: tuple[str, ...]) -> None:
    ran = run(capsys, *wrong)
    assert ran.code == 2
    assert ran.err


def test_pipe__is_told_how_to_take_part() -> None:
    told = "No terminal: bots play all seats; `--seat P1=human` to play from a pipe."
    assert told in run_apart("play", "paston", "--seed", "3", "--bot", "random").out
    assert told not in run_apart(*HUMAN, stdin=b"quit\n").out


def test_game_without_a_decision__ends_with_a_message(tmp_path: Path) -> None:
    path = tmp_path / "mine.yaml"
    path.write_text(
        "variant: mine\ntitle: Mine\nextends: classic\nrules: |\n"
        "  moment gift at start of turn\n    then go to draw for left(player)\n",
        encoding="utf-8",
    )
    ran = run_apart("play", str(path), "--bot", "random")
    assert ran.code == 1
    assert "nobody had anything to decide" in ran.err
    assert f"a mistake in its rules; `meldc check {path} --deep`" in ran.err


def test_rules_card__names_the_file_of_a_game_that_is_not_shipped(tmp_path: Path) -> None:
    path = tmp_path / "mine.yaml"
    path.write_text("variant: mine\ntitle: Mine\nextends: paston\n", encoding="utf-8")
    ran = run_apart("play", str(path), "--seat", "P1=human", stdin=b"?\nquit\n")
    assert str(path) in " ".join(ran.out.split()).split("meldc rulebook ")[1]
