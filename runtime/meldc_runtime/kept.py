"""What was worked out from a Program is kept between runs, in the user's cache folder.

It is plain data, and follows from the Program, how it is seated and the files of this package: a
file has its name from all three. One that is not whole is passed over; where nothing can be kept,
all is worked out anew.
"""

from __future__ import annotations

import hashlib
import json
import os
import sys
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any

from meldc_runtime.folder import cache_folder, keep
from meldc_runtime.program.codec import content_hash
from meldc_runtime.program.declarations import Program


class Kept:
    """What is known of a Program for these seats."""

    def __init__(self, program: Program, players: int | None, side_size: int | None) -> None:
        self.file: Path | None = None
        self.known: dict[str, Any] = {}
        self.is_new = False
        folder, version = cache_folder(), _version()
        if folder is not None and version is not None:
            key = "\n".join((content_hash(program), str(players), str(side_size), version))
            self.file = folder / "tables" / hashlib.sha256(key.encode()).hexdigest()[:32]
            self.known = _recalled(self.file)

    def get(self, name: str, work_out: Callable[[], Any]) -> Any:
        """What is kept by a name, as JSON gives it back; worked out the first time."""
        if name not in self.known:
            self.known[name] = work_out()
            self.is_new = True
        return self.known[name]

    def save(self) -> None:
        """Writes what is new."""
        if self.is_new and self.file is not None:
            body = json.dumps(self.known).encode()
            keep(self.file, _digest(body) + body)
        self.is_new = False


def _recalled(file: Path) -> dict[str, Any]:
    with suppress(OSError, ValueError):
        content = file.read_bytes()
        digest, body = content[:64], content[64:]
        if digest == _digest(body):
            found = json.loads(body)
            if isinstance(found, dict):
                return found
    return {}


def _digest(body: bytes) -> bytes:
    return hashlib.sha256(body).hexdigest().encode()


@cache
def _version() -> str | None:
    """What the form of all this hangs on: Python, and the files of this package; None where these
    can't be told.
    """
    here = Path(__file__).parent
    try:
        files = sorted(
            f"{entry.path} {entry.stat().st_size} {entry.stat().st_mtime_ns}"
            for folder in (here, *(path for path in here.iterdir() if path.is_dir()))
            for entry in os.scandir(folder)
            if entry.name.endswith(".py")
        )
    except OSError:
        return None
    return "\n".join((sys.version, *files))
