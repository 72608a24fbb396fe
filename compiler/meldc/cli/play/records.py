"""Records given on the command line; what is wrong with one ends the command with a diagnostic."""

from __future__ import annotations

import json
import shlex
from collections.abc import Iterable
from pathlib import Path
from typing import NoReturn

from meldc.cli.games import end_with, load_game, reason, unreadable
from meldc.diagnostics import error
from meldc.load.catalogue import is_path
from meldc.source import Span
from meldc_runtime.game import Game, Position
from meldc_runtime.records import (
    Dealt,
    Entry,
    Header,
    OtherRulesError,
    Record,
    RecordError,
    Step,
    UnfollowableError,
    header_data,
    read,
    step_data,
)
from meldc_runtime.redacting import redacted, show_redacted
from meldc_runtime.replaying import Watcher, replay

OTHER_RULES = (
    "take back what was changed in them since, or compile the rules of that time and name that "
    "file beside this one"
)


def load_recorded(path: str, header: Header, spec: str | None) -> Game:
    """The game of a record, or the one of a SPEC that stands in for it."""
    game = spec or _found(header.game, path)
    if spec is None and is_path(game) and not Path(game).exists():
        raise unreadable(
            f"`{path}` was played with `{game}`, and there is no such file; name the one that "
            "holds the rules now beside the record"
        )
    house = tuple(_found(each, path) for each in header.house)
    return load_game(game, house, header.players, header.side_size)


def _found(reference: str, record: str) -> str:
    """A file that is named without its folder, where it lies: here, or else beside the record."""
    file, equals, choice = reference.partition("=")
    beside = Path(record).parent / file
    if is_path(file) and not Path(file).exists() and beside.exists():
        return f"{beside}{equals}{choice}"
    return reference


def read_record(path: str) -> Record:
    """The record in a file."""
    try:
        return read(Path(path))
    except RecordError as problem:
        refuse(path, problem)
    except OSError as problem:
        raise unreadable(f"`{path}` cannot be read: {reason(problem)}") from None


def replay_record(
    path: str,
    game: Game,
    record: Record,
    watch: Watcher | None = None,
    most: int | None = None,
) -> Position:
    """The position in which a record ends, or the one after `most` actions."""
    try:
        if record.header.seen_by is not None:
            return show_redacted(game, record, watch, most)
        return replay(game, record, watch, most)
    except RecordError as problem:
        refuse(path, problem)


def redact_record(
    path: str, game: Game, record: Record, player: str
) -> tuple[Header, list[Dealt | Entry]]:
    """A record of what one player saw."""
    try:
        return redacted(game, record, player)
    except RecordError as problem:
        refuse(path, problem)


def write_record(path: Path, header: Header, steps: Iterable[Step]) -> None:
    """Writes a whole record. Raises OSError, FileExistsError rather than write over one."""
    with path.open("x", encoding="utf-8") as file:
        for data in (header_data(header), *map(step_data, steps)):
            file.write(json.dumps(data, ensure_ascii=False) + "\n")


def refuse(path: str, problem: RecordError) -> NoReturn:
    """Ends the command with what is wrong with a record."""
    match problem:
        case OtherRulesError():
            code, hint = "MC0812", OTHER_RULES
        case UnfollowableError():
            code, hint = "MC0813", _good_lines(path, problem.line)
        case _ if problem.line > 1:
            code, hint = "MC0811", _good_lines(path, problem.line)
        case _:
            code, hint = "MC0811", "records are the files that `meldc play` writes"
    place = Span(path, problem.line, 1, problem.line, 1) if problem.line else None
    end_with((error(code, f"`{path}`: {problem.message}", place, help=[hint]),))


def _good_lines(path: str, line: int) -> str:
    """How to go on with what stands before a line that does not fit."""
    kept = f"head -n {line - 1} {shlex.quote(path)} > kept.jsonl"
    return f"the lines before this one are good; to keep them: {kept}"
