"""Where records of games lie, and how a game is found again in one."""

from __future__ import annotations

import os
import re
from datetime import UTC, datetime
from pathlib import Path


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
