"""Where things are kept between runs: the user's cache folder.

`meldc` in `$XDG_CACHE_HOME` or `~/.cache`. `MELDC_CACHE_DIR` names another folder; set to nothing
it turns the keeping off. Without a folder that can be written all works, only slower.
"""

from __future__ import annotations

import os
import stat
import tempfile
from contextlib import suppress
from pathlib import Path

MOST_FILES = 300
"""Files of a folder before the oldest are dropped."""


def cache_folder() -> Path | None:
    """The folder, made where it is not there; None where nothing is to be kept."""
    try:
        folder = _named_folder()
        if folder:
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        return folder if folder and _is_ours(folder) else None
    except (OSError, RuntimeError):  # no home, or nothing can be written there
        return None


def _named_folder() -> Path | None:
    named = os.environ.get("MELDC_CACHE_DIR")
    if named is not None:
        return Path(named) if named else None
    base = os.environ.get("XDG_CACHE_HOME")
    return (Path(base) if base else Path.home() / ".cache") / "meldc"


def _is_ours(folder: Path) -> bool:
    """Whether this user, and where that can be told nobody else, puts things there: what is kept
    there is believed, and Lark's part of it could even be code.
    """
    if not os.access(folder, os.W_OK):
        return False
    if not hasattr(os, "getuid"):
        return True
    status = folder.stat()
    others_write = status.st_mode & (stat.S_IWGRP | stat.S_IWOTH)
    return status.st_uid == os.getuid() and not others_write


def keep(file: Path, content: bytes) -> None:
    """Writes a file of the folder, whole or not at all."""
    with suppress(OSError):
        file.parent.mkdir(exist_ok=True)
        _make_room(file.parent)
        descriptor, name = tempfile.mkstemp(dir=file.parent)
        with os.fdopen(descriptor, "wb") as stream:
            stream.write(content)
        os.replace(name, file)


def _make_room(folder: Path) -> None:
    """Drops the oldest files where there are too many."""
    files = list(folder.iterdir())
    if len(files) < MOST_FILES:
        return
    for path in sorted(files, key=lambda each: each.stat().st_mtime)[: MOST_FILES // 3]:
        path.unlink(missing_ok=True)
