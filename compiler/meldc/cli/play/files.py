"""Where records of games lie, and how a game is found again in one."""

from __future__ import annotations

import os
import re
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path

from meldc.load.catalogue import is_path


def state_folder() -> Path:
    """Where records go by themselves: `$XDG_STATE_HOME/meldc`, or `~/.local/state/meldc`."""
    base = os.environ.get("XDG_STATE_HOME", "")
    if base and Path(base).is_absolute():
        return Path(base) / "meldc"
    return Path.home() / ".local" / "state" / "meldc"


def new_record_path(name: str, seed: int) -> Path:
    """A path in the state folder that no file has; the folder is made. Raises OSError,
    RuntimeError.
    """
    folder = state_folder()
    folder.mkdir(parents=True, exist_ok=True)
    moment = datetime.now(UTC).strftime("%Y%m%d-%H%M%S")
    stem = f"{re.sub(r'[^A-Za-z0-9_-]+', '-', name).strip('-') or 'game'}-{moment}-{seed}"
    path = folder / f"{stem}.jsonl"
    number = 1
    while path.exists():
        number += 1
        path = folder / f"{stem}-{number}.jsonl"
    return path


def lasting(reference: str) -> str:
    """A name, or a path that means the same from every folder; with the choice of a house rule."""
    path, equals, choice = reference.partition("=")
    with suppress(OSError):
        return f"{os.path.abspath(path)}{equals}{choice}" if is_path(path) else reference
    return reference


def from_here(reference: str) -> str:
    """A path as it is written in this folder, if what it means lies there."""
    with suppress(ValueError, OSError):
        return str(Path(reference).relative_to(Path.cwd()))
    return reference
