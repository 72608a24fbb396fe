"""Where things are kept between runs: the user's cache folder.

`meldc` in `$XDG_CACHE_HOME` or `~/.cache`. `MELDC_CACHE_DIR` names another folder; set to nothing
it turns the keeping off. Without a folder that can be written all works, only slower.

What is kept is believed, code among it: nobody else may put anything there, and a file that is not
as it was written is passed over.
"""

from __future__ import annotations

import hashlib
import os
import stat
import sys
import tempfile
from contextlib import suppress
from functools import cache
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
    """Whether this user, and where that can be told nobody else, puts things there."""
    if not os.access(folder, os.W_OK):
        return False
    if not hasattr(os, "getuid"):
        return True
    status = folder.stat()
    others_write = status.st_mode & (stat.S_IWGRP | stat.S_IWOTH)
    return status.st_uid == os.getuid() and not others_write


def folder_of(sort: str) -> Path | None:
    """The folder for things of one sort, which nobody else can enter; None where nothing is to be
    kept.
    """
    above = cache_folder()
    if above is None:
        return None
    folder = above / sort
    try:
        folder.mkdir(mode=0o700, exist_ok=True)
        return folder if _is_ours(folder) else None
    except OSError:
        return None


def kept_file(sort: str, maker: Path, *key: object) -> Path | None:
    """The file for a thing of a sort, by all that it hangs on; None where nothing is to be kept.

    maker: the folder of the package that makes it. Of another version of that, or of Python, the
    file has another name.
    """
    folder, version = folder_of(sort), _version(maker)
    if folder is None or version is None:
        return None
    text = "\n".join((version, *map(str, key)))
    return folder / hashlib.sha256(text.encode(errors="surrogatepass")).hexdigest()[:32]


@cache
def _version(package: Path) -> str | None:
    """The files of a package and Python; None where the files can't be told."""
    try:
        files = sorted(
            f"{entry.path} {entry.stat().st_size} {entry.stat().st_mtime_ns}"
            for folder in (package, *(path for path in package.iterdir() if path.is_dir()))
            for entry in os.scandir(folder)
            if entry.is_file()
        )
    except OSError:
        return None
    return "\n".join((sys.implementation.name, sys.version, *files))


def recall(file: Path | None) -> bytes | None:
    """What was kept in a file; None where that is nothing, or not whole."""
    if file is None:
        return None
    try:
        content = file.read_bytes()
    except OSError:
        return None
    digest, body = content[:DIGEST], content[DIGEST:]
    return body if digest == _digest(body) else None


def keep(file: Path | None, body: bytes) -> None:
    """Writes a file of `kept_file`, whole or not at all; nothing without one."""
    if file is None:
        return
    with suppress(OSError):
        _make_room(file.parent)
        descriptor, name = tempfile.mkstemp(dir=file.parent)
        try:
            with os.fdopen(descriptor, "wb") as stream:
                stream.write(_digest(body) + body)
            os.replace(name, file)
        except OSError:
            os.unlink(name)
            raise


DIGEST = hashlib.sha256().digest_size


def _digest(body: bytes) -> bytes:
    return hashlib.sha256(body).digest()


def _make_room(folder: Path) -> None:
    """Drops the oldest files where there are too many."""
    files = list(folder.iterdir())
    if len(files) < MOST_FILES:
        return
    for path in sorted(files, key=lambda each: each.stat().st_mtime)[: MOST_FILES // 3]:
        path.unlink(missing_ok=True)
