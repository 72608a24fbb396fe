"""Records given on the command line; what is wrong with one ends the command with a diagnostic."""

from __future__ import annotations

from pathlib import Path
from typing import NoReturn

from meldc.cli.games import end_with, reason, unreadable
from meldc.diagnostics import error
from meldc.source import Span
from meldc_runtime.game import Game, Position
from meldc_runtime.records import OtherRulesError, Record, RecordError, UnfollowableError, read
from meldc_runtime.replaying import Watcher, replay


def read_record(path: str) -> Record:
    """The record in a file."""
    try:
        return read(Path(path))
    except RecordError as problem:
        _refuse(path, problem)
    except OSError as problem:
        raise unreadable(f"`{path}` cannot be read: {reason(problem)}") from None


def replay_record(path: str, game: Game, record: Record, watch: Watcher | None = None) -> Position:
    """The position in which a record ends."""
    try:
        return replay(game, record, watch)
    except RecordError as problem:
        _refuse(path, problem)


def _refuse(path: str, problem: RecordError) -> NoReturn:
    match problem:
        case OtherRulesError():
            code, hint = "MC0812", "compile the rules of that time, and name the file beside it"
        case UnfollowableError():
            code, hint = "MC0813", "the lines before this one are good"
        case _:
            code, hint = "MC0811", "records are the files that `meldc play` writes"
    place = Span(path, problem.line, 1, problem.line, 1) if problem.line else None
    end_with((error(code, f"`{path}`: {problem.message}", place, help=[hint]),))
