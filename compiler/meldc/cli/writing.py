"""Files written whole or not at all; what a command gives out."""

from __future__ import annotations

import os
import stat
import tempfile
from pathlib import Path

import click

from meldc.cli.games import reason, unreadable


def write_whole(path: Path, text: str) -> None:
    """Writes a file so that it is there whole or not at all; what it may be used for stays.

    Raises OSError.
    """
    if path.exists() and not path.is_file():
        path.write_text(text, encoding="utf-8")
        return
    path = path.resolve()  # a link goes on leading to the file
    descriptor, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with os.fdopen(descriptor, "w", encoding="utf-8", newline="") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        os.chmod(name, _mode(path))
        os.replace(name, path)
    except BaseException:
        os.unlink(name)
        raise


def write_out(output: str | None, text: str) -> None:
    """Writes what a command gives to the file of its option `--output`, or to standard output."""
    if output is None or output == "-":
        click.echo(text, nl=False)
        return
    try:
        write_whole(Path(output), text)
    except OSError as error:
        raise unreadable(f"`{output}` cannot be written: {reason(error)}") from None


def write_back(path: Path, before: str, after: str) -> bool:
    """Puts another text into a file with the mark and line ends it has; False where the file no
    longer holds the text it was read with. Raises OSError.
    """
    data = path.read_bytes().decode("utf-8")
    mark = "\ufeff" if data.startswith("\ufeff") else ""
    if data.removeprefix("\ufeff").replace("\r\n", "\n") != before:
        return False
    text = after.replace("\n", "\r\n") if "\r\n" in data else after
    write_whole(path, mark + text)
    return True


def _mode(path: Path) -> int:
    if path.exists():
        return stat.S_IMODE(path.stat().st_mode)
    mask = os.umask(0)
    os.umask(mask)
    return 0o666 & ~mask
