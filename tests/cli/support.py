"""Running the command line in this process and in others."""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

from meldc.cli import main

ROOT = Path(__file__).parents[2]


@dataclass(frozen=True)
class Ran:
    """What a command left behind."""

    code: int
    out: str
    err: str


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> Ran:
    """Runs a command in this process."""
    with pytest.raises(SystemExit) as ended:
        main(arguments)
    captured = capsys.readouterr()
    assert "Traceback" not in captured.err
    assert isinstance(ended.value.code, int)
    return Ran(ended.value.code, captured.out, captured.err)


def environment(**more: str) -> dict[str, str]:
    """The environment of another process that finds the packages of this checkout."""
    return {
        **os.environ,
        "PYTHONPATH": os.pathsep.join((str(ROOT / "compiler"), str(ROOT / "runtime"))),
        **more,
    }


def start(*arguments: str, **more: str) -> subprocess.Popen[bytes]:
    """Starts a command in another process, with pipes."""
    return subprocess.Popen(
        [sys.executable, "-m", "meldc", *arguments],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=environment(**more),
    )


def run_apart(*arguments: str, stdin: bytes = b"", **more: str) -> Ran:
    """Runs a command in another process to its end."""
    process = start(*arguments, **more)
    out, err = process.communicate(stdin, timeout=120)
    assert b"Traceback" not in err, err.decode()
    return Ran(process.returncode, out.decode(errors="replace"), err.decode(errors="replace"))
