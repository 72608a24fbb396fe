"""Records of games: JSON lines, one action a line, on the disk before the next one is chosen.

The first line says what was played: format, program (name, content hash), house rules, number of
players, seed, seats. Each further line is one action (deal, player, text), or takes the last
actions back (`undo`: how many). Since a seed and the actions decide a game, nothing else is kept. A
last line without its end was cut off while it was written; it is left out when the record is read.

A record made for one player's eyes has no seed; its head says whose eyes, its lines what that
player saw of the table (see `meldc_runtime.redacting`).
"""

from __future__ import annotations

import errno
import json
import os
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from types import TracebackType
from typing import Any

from meldc_runtime.names import MOST_PLAYERS, player_name

FORMAT = 1
LARGEST_FILE = 64_000_000
"""In bytes; a long game of several people has a thousandth."""


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


class BusyRecordError(RecordError):
    """A record that another process is writing."""


class UnfollowableError(RecordError):
    """A record with an action that the game does not allow where it stands."""


@dataclass(frozen=True, slots=True)
class Header:
    """What was played. game: the name or path that it was started with. program: content hash.
    seats: who sits where, by player. seen_by: the player for whom hidden cards were left out; such
    a record has no seed.
    """

    game: str
    title: str
    program: str
    house: tuple[str, ...]
    players: int
    side_size: int
    seed: int | None
    seats: tuple[tuple[str, str], ...]
    seen_by: str | None = None


@dataclass(frozen=True, slots=True)
class Entry:
    """One action: number of the deal, the player, the text. line: where it stands in the file.

    sight: in a record for one player's eyes, what changed in that player's sight by the action.
    """

    deal: int
    player: str
    action: str
    line: int = field(default=0, compare=False)
    sight: Mapping[str, Any] | None = None


@dataclass(frozen=True, slots=True)
class Undo:
    """The last actions taken back. count: how many."""

    count: int
    line: int = field(default=0, compare=False)


@dataclass(frozen=True, slots=True)
class Dealt:
    """In a record for one player's eyes: what that player sees when a deal begins."""

    deal: int
    sight: Mapping[str, Any]
    line: int = field(default=0, compare=False)


Step = Entry | Undo | Dealt


@dataclass(frozen=True, slots=True)
class Record:
    """A record as read. length: how many bytes of the file are whole lines. cut: whether a line
    without its end follows them.
    """

    header: Header
    steps: tuple[Step, ...]
    length: int
    cut: bool = False

    @property
    def entries(self) -> tuple[Entry, ...]:
        """The actions that stand: not those that were taken back."""
        standing: list[Entry] = []
        for step in self.steps:
            if isinstance(step, Entry):
                standing.append(step)
            elif isinstance(step, Undo):
                del standing[len(standing) - step.count :]
        return tuple(standing)


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
        try:
            _lock(recorder._descriptor)
            recorder._append(header_data(header))
            _folder_to_disk(path)
        except BaseException:
            recorder.close()
            raise
        return recorder

    @classmethod
    def resume(cls, path: Path, record: Record) -> Recorder:
        """Goes on with a record, behind its last whole line.

        Raises BusyRecordError where another process is writing it, or has written to it since it
        was read.
        """
        recorder = cls(os.open(path, os.O_WRONLY | os.O_APPEND), path)
        try:
            _lock(recorder._descriptor)
            if read(path) != record:
                raise BusyRecordError("another process has just written to it")
            os.ftruncate(recorder._descriptor, record.length)
        except BaseException:
            recorder.close()
            raise
        return recorder

    def write(self, step: Step) -> None:
        self._append(step_data(step))

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


def _lock(descriptor: int) -> None:
    """Keeps other processes from writing the file till it is closed, where the system can."""
    try:
        import fcntl
    except ImportError:
        return
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        raise BusyRecordError("another process is playing this game") from None
    except OSError:  # a file system without locks
        return


def _folder_to_disk(path: Path) -> None:
    """Forces the name of a new file onto the disk, where a folder can be opened."""
    with suppress(OSError):
        descriptor = os.open(path.parent, os.O_RDONLY)
        try:
            _to_disk(descriptor)
        finally:
            os.close(descriptor)


def _to_disk(descriptor: int) -> None:
    """Forces what was written onto the disk; pipes and devices have none."""
    try:
        os.fsync(descriptor)
    except OSError as error:
        if error.errno not in (errno.EINVAL, errno.ENOTSUP, errno.EROFS):
            raise


def header_data(header: Header) -> dict[str, Any]:
    data: dict[str, Any] = {
        "record": FORMAT,
        "game": header.game,
        "title": header.title,
        "program": header.program,
        "house": list(header.house),
        "players": header.players,
        "side_size": header.side_size,
    }
    if header.seen_by is None:
        data["seed"] = header.seed
    else:
        data["seen_by"] = header.seen_by
    return {**data, "seats": dict(header.seats)}


def step_data(step: Step) -> dict[str, Any]:
    """A line of a record after the first, as plain data."""
    if isinstance(step, Undo):
        return {"undo": step.count}
    if isinstance(step, Dealt):
        return {"deal": step.deal, "sight": dict(step.sight)}
    data: dict[str, Any] = {"deal": step.deal, "player": step.player, "action": step.action}
    return data if step.sight is None else {**data, "sight": dict(step.sight)}


def read(path: Path) -> Record:
    """Reads a record. Raises RecordError, or OSError when the file can't be read."""
    with path.open("rb") as file:
        data = file.read(LARGEST_FILE + 1)
    if len(data) > LARGEST_FILE:
        raise RecordError(f"larger than {LARGEST_FILE:,} bytes, so no record of a game")
    return parse(data)


def parse(data: bytes) -> Record:
    """The record in a file's bytes; a last line without its end is left out. Raises RecordError."""
    whole = data[: data.rfind(b"\n") + 1]
    lines = whole.split(b"\n")[:-1]
    if not lines:
        raise RecordError("there is no whole line in it, so no record")
    header = _header(_object(lines[0], 1))
    steps = _steps(header, lines[1:])
    return Record(header, steps, len(whole), len(whole) < len(data))


def _steps(header: Header, lines: list[bytes]) -> tuple[Step, ...]:
    steps: list[Step] = []
    standing = 0
    for number, line in enumerate(lines, 2):
        step = _step(_object(line, number), number, header.seen_by is not None)
        if isinstance(step, Undo):
            if step.count > standing:
                raise RecordError(f"there are only {standing} actions to take back", number)
            standing -= step.count
        elif isinstance(step, Entry):
            standing += 1
        steps.append(step)
    return tuple(steps)


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
    seen_by = None if "seen_by" not in data else _field(data, "seen_by", str, 1)
    header = Header(
        _field(data, "game", str, 1),
        _field(data, "title", str, 1),
        _field(data, "program", str, 1),
        tuple(house),
        _field(data, "players", int, 1),
        _field(data, "side_size", int, 1),
        _field(data, "seed", int, 1) if seen_by is None else None,
        tuple(seats.items()),
        seen_by,
    )
    _check_header(header)
    return header


def _check_header(header: Header) -> None:
    names = [player_name(player) for player in range(min(header.players, MOST_PLAYERS))]
    if header.players < 1 or header.side_size < 1 or header.players > MOST_PLAYERS:
        raise RecordError(f"`players` is 1 to {MOST_PLAYERS}, `side_size` at least 1", 1)
    if not {seat for seat, _ in header.seats} <= set(names):
        raise RecordError(f"`seats` must say who sits at {names[0]} to {names[-1]}", 1)
    if header.seen_by is not None and header.seen_by not in names:
        raise RecordError(f"`seen_by`: there is no player `{header.seen_by[:20]}`", 1)
    if header.seed is not None and not 0 <= header.seed < 2**63:
        raise RecordError("`seed` is 0 or more, and below 2 to the power of 63", 1)


def _step(data: dict[str, Any], number: int, for_one: bool) -> Step:
    if "undo" in data:
        count = _field(data, "undo", int, number)
        if count < 1 or for_one:
            raise RecordError("`undo` says how many actions are taken back", number)
        return Undo(count, number)
    deal = _field(data, "deal", int, number)
    sight = _field(data, "sight", dict, number) if for_one else None
    if sight is not None and "action" not in data:
        return Dealt(deal, sight, number)
    player, action = _field(data, "player", str, number), _field(data, "action", str, number)
    return Entry(deal, player, action, number, sight)


def _field(data: dict[str, Any], name: str, kind: type, line: int) -> Any:
    value = data.get(name)
    if type(value) is not kind:
        wanted = {int: "a number", str: "a text"}.get(kind, "an object")
        raise RecordError(f"`{name}` is missing or not {wanted}", line)
    return value
