"""Every command and every snippet of the documents works as it stands there."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
DOCUMENTS = sorted(
    [ROOT / "README.md", *(ROOT / "docs").glob("*.md"), *(ROOT / "specs").glob("*.md")]
)
FENCE = re.compile(r"^```(\w*)\n(.*?)^```", re.M | re.S)
INLINE = re.compile(r"`(meldc [^`]+)`")
STARTED_BY_HAND = re.compile(r"^python3 -m venv ")
"""Installing is what `.ci/run` does, with these very commands."""

QUICK = ("--bot", "random")


def _commands() -> Iterator[tuple[str, str]]:
    for path in DOCUMENTS:
        text = path.read_text(encoding="utf-8")
        lines = [
            line for kind, body in FENCE.findall(text) if kind == "sh" for line in body.splitlines()
        ]
        for command in [*lines, *INLINE.findall(FENCE.sub("", text))]:
            if command.startswith("meldc ") and not re.search(r"[A-Z]{4,}|…|\bX\b", command):
                yield path.name, command


def _snippets(kind: str) -> Iterator[tuple[str, str]]:
    for path in DOCUMENTS:
        for found, body in FENCE.findall(path.read_text(encoding="utf-8")):
            if found == kind:
                yield path.name, body


def _environment(home: Path) -> dict[str, str]:
    paths = os.pathsep.join(str(ROOT / part) for part in ("compiler", "runtime"))
    return {**os.environ, "HOME": str(home), "XDG_STATE_HOME": str(home), "PYTHONPATH": paths}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the commands run: a folder that holds what they speak of."""
    place = tmp_path_factory.mktemp("documents")
    (place / "specs").symlink_to(ROOT / "specs")
    (place / "my-game.yaml").write_text(
        "variant: my-game\ntitle: My game\nextends: classic\ntarget: 3000\n"
    )
    return place


@pytest.mark.parametrize(("document", "command"), sorted(set(_commands())))
def test_command__of_a_document(document: str, command: str, folder: Path) -> None:
    words = shlex.split(command, comments=True)
    if words[:2] == ["meldc", "new"]:
        (folder / f"{words[2]}.yaml").unlink(missing_ok=True)
    if words[:2] == ["meldc", "play"] and "--bot" not in words:
        words += QUICK  # without a terminal the game is played to its end
    done = subprocess.run(
        [sys.executable, "-m", *words],
        cwd=folder,
        env=_environment(folder),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, (
        f"{document}: {command}\n{done.stdout[-2000:]}{done.stderr[-2000:]}"
    )


@pytest.mark.parametrize(("document", "snippet"), list(_snippets("python")))
def test_python__of_a_document(document: str, snippet: str, folder: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", snippet],
        cwd=folder,
        env=_environment(folder),
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, f"{document}\n{done.stderr}"


def test_install__is_what_the_run_of_all_checks_does() -> None:
    """README's test command: the same extra, the same runner as `.ci/run`."""
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    run = (ROOT / ".ci" / "run").read_text(encoding="utf-8")
    command = next(
        line for line in readme.splitlines() if STARTED_BY_HAND.match(line) and "pytest" in line
    )
    for part in ('-e ".[dev]"', "pytest -q"):
        assert part in command
        assert part in run


def test_scenario_files__have_a_row_each() -> None:
    folder = ROOT / "specs" / "tests"
    named = re.findall(r"^\| `(.+?\.yaml)`", (folder / "README.md").read_text("utf-8"), re.M)
    assert sorted(named) == sorted(path.name for path in folder.glob("*.yaml"))
