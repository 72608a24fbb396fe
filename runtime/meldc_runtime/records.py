"""Records of games: JSON lines, one action a line, on the disk before the next one is chosen.

The first line says what was played: format, program (name, content hash), house rules, number of
players, seed, seats. Each further line is one action: deal, player, text. Since a seed and the
actions decide a game, nothing else is kept. A last line without its end was cut off while it was
written; it is left out when the record is read.
"""

from __future__ import annotations

import errno
import json
import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Any

FORMAT = 1


class RecordError(ValueError):
    """A text that is no record of this format, or one that does not fit the game; `line` counts
    from 1, 0 for the file as a whole.
    """

    def __init__(self, message: str, line: int = 0) -> None:
        super().__init__(f"line {line}: {message}" if line else message)
        self.message = message
        self.line = line


class OtherRulesError(RecordError):
    """A record that was played with another program."""


class UnfollowableError(RecordError):
    """A record with an action that the game does not allow where it stands."""


@dataclass(frozen=True, slots=True)
class Header:
    """What was played. game: the name or path that it was started with. program: content hash.
    seats: who sits where, by player.
    """

    game: str
    title: str
    program: str
    house: tuple[str, ...]
    players: int
    side_size: int
    seed: int
    seats: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Entry:
    """One action: number of the deal, the player, the text."""

    deal: int
    player: str
    action: str


@dataclass(frozen=True, slots=True)
class Record:
    """A record as read. length: how many bytes of the file are whole lines."""

    header: Header
    entries: tuple[Entry, ...]
    length: int


class Recorder:
    """Writes a record; every line is on the disk when `write` returns.

    Raises OSError when that fails; the record then ends with its last whole line.
    """

    def __init__(self, descriptor: int, path: Path) -> None:
        self.path = path
        self._descriptor = descriptor

    @classmethod
    def create(cls, path: Path, header: Header) -> Recorder:
        """Starts a record. Raises FileExistsError rather than write over one."""
        flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_APPEND
        recorder = cls(os.open(path, flags, 0o644), path)
        recorder._append(header_data(header))
        return recorder

    @classmethod
    def resume(cls, path: Path, record: Record) -> Recorder:
        """Goes on with a record, behind its last whole line."""
        descriptor = os.open(path, os.O_WRONLY | os.O_APPEND)
        os.ftruncate(descriptor, record.length)
        return cls(descriptor, path)

    def write(self, entry: Entry) -> None:
        self._append({"deal": entry.deal, "player": entry.player, "action": entry.action})

    def _append(self, data: Mapping[str, Any]) -> None:
        line = memoryview(
            (json.dumps(data, ensure_ascii=False, separators=(", ", ": ")) + "\n").encode()
        )
        while line:
            line = line[os.write(self._descriptor, line) :]
        _to_disk(self._descriptor)

    def close(self) -> None:
        if self._descriptor >= 0:
            os.close(self._descriptor)
            self._descriptor = -1

    def __enter__(self) -> Recorder:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()


def _to_disk(descriptor: int) -> None:
    """Forces what was written onto the disk; pipes and devices have none."""
    try:
        os.fsync(descriptor)
    except OSError as error:
        if error.errno not in (errno.EINVAL, errno.ENOTSUP, errno.EROFS):
            raise


def header_data(header: Header) -> dict[str, Any]:
    return {
        "record": FORMAT,
        "game": header.game,
        "title": header.title,
        "program": header.program,
        "house": list(header.house),
        "players": header.players,
        "side_size": header.side_size,
        "seed": header.seed,
        "seats": dict(header.seats),
    }


def read(path: Path) -> Record:
    """Reads a record. Raises RecordError, or OSError when the file can't be read."""
    return parse(path.read_bytes())


def parse(data: bytes) -> Record:
    """The record in a file's bytes; a last line without its end is left out. Raises RecordError."""
    whole = data[: data.rfind(b"\n") + 1]
    lines = whole.split(b"\n")[:-1]
    if not lines:
        raise RecordError("there is no whole line in it, so no record")
    header = _header(_object(lines[0], 1))
    entries = tuple(
        _entry(_object(line, number), number) for number, line in enumerate(lines[1:], 2)
    )
    return Record(header, entries, len(whole))


def _object(line: bytes, number: int) -> dict[str, Any]:
    try:
        data = json.loads(line)
    except (ValueError, RecursionError):
        raise RecordError("not a JSON object on one line", number) from None
    if not isinstance(data, dict):
        raise RecordError("not a JSON object on one line", number)
    return data


def _header(data: dict[str, Any]) -> Header:
    version = data.get("record")
    if version is None:
        raise RecordError("not the head of a record of a game", 1)
    if version != FORMAT:
        raise RecordError(f"written in format {version}; this version reads format {FORMAT}", 1)
    seats = data.get("seats")
    house = data.get("house")
    if not isinstance(seats, dict) or not all(isinstance(v, str) for v in seats.values()):
        raise RecordError("`seats` must say who sits where", 1)
    if not isinstance(house, list) or not all(isinstance(v, str) for v in house):
        raise RecordError("`house` must be a list of names", 1)
    return Header(
        _field(data, "game", str, 1),
        _field(data, "title", str, 1),
        _field(data, "program", str, 1),
        tuple(house),
        _field(data, "players", int, 1),
        _field(data, "side_size", int, 1),
        _field(data, "seed", int, 1),
        tuple(seats.items()),
    )


def _entry(data: dict[str, Any], number: int) -> Entry:
    return Entry(
        _field(data, "deal", int, number),
        _field(data, "player", str, number),
        _field(data, "action", str, number),
    )


def _field(data: dict[str, Any], name: str, kind: type, line: int) -> Any:
    value = data.get(name)
    if type(value) is not kind:
        raise RecordError(
            f"`{name}` is missing or not {'a number' if kind is int else 'a text'}", line
        )
    return value
