"""Running a simulation: processes, interrupts, files that cannot be written, wrong usage."""

from __future__ import annotations

import json
import os
import re
import shlex
import signal
import subprocess
import sys
import threading
from contextlib import suppress
from pathlib import Path

import pytest
from cli.support import environment, run, run_apart
from simulate.test_rows import game_of

from meldc_runtime.simulation import Match, Results, Task, workforce
from meldc_runtime.simulation import run as play
from meldc_runtime.simulation.spans import spans_of
from meldc_runtime.simulation.working import Processes, WorkersLostError

FULL = Path("/dev/full")


def without_times(text: str) -> dict[str, object]:
    data: dict[str, object] = json.loads(text)
    return {k: v for k, v in data.items() if k not in ("seconds", "decisions_per_second")}


def test_spans__cover_the_games_once_and_keep_groups_together() -> None:
    for number in (1, 7, 250, 100_000):
        for bots in (("random",), ("random", "greedy"), ("random", "greedy", "search")):
            task = Task(number, False, 1, bots)
            spans = list(spans_of(task))
            assert [game for span in spans for game in range(*span)] == list(range(number))
            assert all(span.start % task.group == 0 for span in spans)


def test_two_processes__write_the_same_rows_and_table(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    arguments = (
        "simulate", "classic", "--house", "fewer-wilds", "--against", "none", "--deals", "4",
        "--seed", "4", "--bot", "random", "--bot", "random", "--rules-every", "8", "--json",
    )  # fmt: skip
    one, two = tmp_path / "one.jsonl", tmp_path / "two.jsonl"
    alone = run(capsys, *arguments, "--out", str(one))
    shared = run_apart(*arguments, "--out", str(two), "--workers", "2")
    assert without_times(alone.out) == without_times(shared.out)
    assert one.read_bytes() == two.read_bytes()


def test_lost_process__costs_a_repeat_only() -> None:
    match = Match((("classic", game_of("classic")),), Task(8, False, 1), rows=True)
    expected = play(match, workforce(match, 1)).results

    class Losing(Processes):
        lost = 0

        def submit(self, span: object) -> object:  # type: ignore[override]
            ticket = super().submit(span)  # type: ignore[arg-type]
            if self.lost == 0 and self.pool._processes:
                self.lost = next(iter(self.pool._processes))
                os.kill(self.lost, signal.SIGKILL)
            return ticket

    force = Losing(match, 2)
    outcome = play(match, force)
    assert force.lost
    assert outcome.stopped is None
    assert outcome.results == expected


def test_processes__leave_no_thread_behind() -> None:
    match = Match((("classic", game_of("classic")),), Task(8, False, 1))
    before = set(threading.enumerate())
    outcome = play(match, workforce(match, 2))
    assert outcome.stopped is None
    assert set(threading.enumerate()) <= before


def test_processes_lost_again_and_again__end_it() -> None:
    match = Match((("classic", game_of("classic")),), Task(8, False, 1))

    class Losing(Processes):
        def submit(self, span: object) -> object:  # type: ignore[override]
            ticket = super().submit(span)  # type: ignore[arg-type]
            for process in list(self.pool._processes or ()):
                with suppress(ProcessLookupError):
                    os.kill(process, signal.SIGKILL)
            return ticket

    outcome = play(match, Losing(match, 2))
    assert isinstance(outcome.stopped, WorkersLostError)
    assert outcome.results == Results()


@pytest.mark.parametrize(
    ("number", "workers", "code"),
    [(signal.SIGINT, 1, 130), (signal.SIGINT, 2, 130), (signal.SIGTERM, 2, 143)],
)
def test_interrupt__gives_the_result_so_far_and_the_rest_is_missing(
    number: int, workers: int, code: int, tmp_path: Path
) -> None:
    path = tmp_path / "deals.jsonl"
    arguments = ("simulate", "classic", "--deals", "1000", "--seed", "9", "--out", str(path),
                 "--workers", str(workers), "--json")  # fmt: skip
    process = subprocess.Popen(
        [sys.executable, "-m", "meldc", *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=environment(),
        start_new_session=True,
    )
    while not (path.exists() and path.read_bytes().count(b"\n") >= 10):
        assert process.poll() is None
    os.killpg(process.pid, number)
    out, err = process.communicate(timeout=120)
    assert b"Traceback" not in err, err.decode()
    assert process.returncode == code
    data = json.loads(out)
    rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    assert data["stopped"] == "interrupted"
    assert data["deals"] == len(rows) == data["next"]
    (rest,) = re.findall(r"the rest: (.*)", err.decode())
    words = shlex.split(rest)
    assert words[words.index("--start-at") + 1] == str(len(rows))
    assert words[words.index("--seed") + 1] == "9"


@pytest.mark.skipif(not FULL.exists(), reason="this system has no full device")
def test_full_disk__keeps_the_result_so_far(capsys: pytest.CaptureFixture[str]) -> None:
    ran = run(capsys, "simulate", "classic", "--deals", "3", "--seed", "1", "--out", str(FULL))
    assert ran.code == 1
    assert "no space left on device" in ran.err
    assert "--start-at 0" in ran.err


@pytest.mark.skipif(os.name != "posix", reason="this system has no limits of this kind")
def test_file_that_may_not_grow__holds_whole_rows(tmp_path: Path) -> None:
    path = tmp_path / "deals.jsonl"
    words = [sys.executable, "-m", "meldc", "simulate", "paston", "--deals", "200", "--seed", "1",
             "--out", str(path), "--json"]  # fmt: skip
    ran = subprocess.run(
        ["sh", "-c", f"ulimit -f 100; exec {shlex.join(words)}"],
        capture_output=True, text=True, env=environment(), check=False,
    )  # fmt: skip
    assert ran.returncode == 1
    data = json.loads(ran.stdout)
    rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    assert 0 < len(rows) == data["deals"] == data["next"] < 200
    assert f"--start-at {len(rows)}" in ran.stderr


def test_file_that_cannot_be_written__is_said(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for option in ("--out", "--report"):
        for path in (tmp_path, tmp_path / "no" / "file"):
            ran = run(capsys, "simulate", "classic", "--deals", "1", option, str(path))
            assert ran.code == 2
            assert str(path) in ran.err


@pytest.mark.parametrize(
    ("arguments", "wanted"),
    [
        ((), "say how much"),
        (("--deals", "0"), "0 is not in the range"),
        (("--deals", "many"), "not a valid integer"),
        (("--deals", "2", "--games", "2"), "say how much"),
        (("--deals", "2", "--seed", "-1"), "-1 is not in the range"),
        (("--deals", "2", "--workers", "0"), "0 is not in the range"),
        (("--deals", "2", "--start-at", "2"), "there are 2 only"),
        (("--deals", "4", "--start-at", "1", "--bot", "random", "--bot", "greedy"), "multiple"),
        (("--deals", "2", "--bot", "nobody"), "there is no bot `nobody`"),
        (("--deals", "2", "--bot", "P9=random"), "no seat or side `P9`"),
        (("--deals", "2", "--bot", "A=nobody"), "there is no bot `nobody`"),
        (("--deals", "2", "--bot", "A=random", "--bot", "greedy"), "give all bots a seat"),
        (("--deals", "2", "--house", "nonsense"), "nonsense"),
        (("--deals", "2", "--against", "nonsense"), "nonsense"),
        (("--deals", "2", "--against-house", "fewer-wilds"), "needs `--against SPEC`"),
        (("--rows", "/no/such/file"), "cannot be read"),
        (("--rows", "/no/such/file", "--deals", "2"), "nothing is played anew"),
    ],
)
def test_wrong_usage__is_said(
    arguments: tuple[str, ...], wanted: str, capsys: pytest.CaptureFixture[str]
) -> None:
    ran = run(capsys, "simulate", "classic", *arguments)
    assert ran.code == 2
    assert wanted in ran.err
    assert ran.out == ""


def test_parquet__is_not_overwritten_by_the_rest(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "deals.parquet"
    path.write_bytes(b"the first part")
    ran = run(capsys, "simulate", "classic", "--deals", "2", "--start-at", "1", "--out", str(path))
    assert ran.code == 2
    assert "nothing can be added to Parquet" in ran.err
    assert path.read_bytes() == b"the first part"


def test_bots__sit_where_they_are_put(capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ("simulate", "classic", "--deals", "2", "--seed", "1", "--bot", "B=greedy")
    data = json.loads(run(capsys, *arguments, "--json").out)
    assert data["bots"] == ["random", "greedy", "random", "greedy"]
    assert data["leads"]["greedy"]["value"] == pytest.approx(
        data["scores"]["B"]["value"] - data["scores"]["A"]["value"]
    )


FAILING = """
class Failing:
    asked = 0

    def choose(self, sight, random):
        Failing.asked += 1
        if Failing.asked > 1000:
            raise RuntimeError("enough")
        return sight.actions[random.below(len(sight.actions))]
"""


def test_failing_bot__keeps_the_result_so_far(tmp_path: Path) -> None:
    (tmp_path / "failing_bot.py").write_text(FAILING, encoding="utf-8")
    paths = os.pathsep.join((environment()["PYTHONPATH"], str(tmp_path)))
    ran = run_apart(
        "simulate", "classic", "--deals", "50", "--seed", "1", "--bot", "failing_bot:Failing",
        "--json", PYTHONPATH=paths,
    )  # fmt: skip
    assert ran.code == 1
    data = json.loads(ran.out)
    assert data["deals"] == data["next"] > 0
    assert "RuntimeError: enough" in data["stopped"]
    assert f"--start-at {data['next']}" in ran.err


def test_import_of_the_command__brings_nothing_that_it_may_not_need() -> None:
    program = (
        "import sys\n"
        "from meldc.cli.commands import commands\n"
        "from meldc.cli import simulating\n"
        "from meldc.simulate import campaign, table\n"
        "print({'matplotlib', 'numpy', 'pyarrow', 'ray', 'rich'} & set(sys.modules))\n"
    )
    ran = subprocess.run(
        [sys.executable, "-c", program],
        capture_output=True,
        text=True,
        env=environment(),
        check=True,
    )
    assert ran.stdout == "set()\n"


def test_fast__says_where_it_changes_nothing(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = ("simulate", "classic", "--deals", "2", "--seed", "1", "--fast")
    assert "for random bots alone" in run(capsys, *asked, "--bot", "greedy").err
    monkeypatch.setattr("meldc_runtime.kernel.player_of", lambda table: None)
    assert "no kernel for Classic Canasta" in run(capsys, *asked).err
