"""Plays recorded games again, every action checked."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from meldc_runtime.game import ActionError, Game, IllegalActionError, Position
from meldc_runtime.program import content_hash
from meldc_runtime.records import (
    Entry,
    OtherRulesError,
    Record,
    RecordError,
    Step,
    Undo,
    UnfollowableError,
)

Watcher = Callable[[Position, Entry], None]


def replay(
    game: Game, record: Record, watch: Watcher | None = None, most: int | None = None
) -> Position:
    """The position in which a record ends, or the one after `most` of the actions that stand.

    `watch` is told each of these before it is made. A deal that is over is followed by the next one
    as soon as there is an action of it. Actions that were taken back are checked too. Raises
    OtherRulesError, or UnfollowableError with the line that does not fit.
    """
    check_rules(game, record)
    seed = record.header.seed
    if seed is None:
        raise RecordError("what was hidden from others is left out: it is not played, but shown")
    if most is None and any(isinstance(step, Undo) for step in record.steps):
        _run(game.start(seed), record.steps, None)
    position = _run(game.start(seed), record.entries[:most], watch)
    if most is None:
        _pass_to_next_deal(position)
    return position


def check_rules(game: Game, record: Record) -> None:
    """Raises OtherRulesError where a record was played with other rules than a game has."""
    if content_hash(game.program) != record.header.program:
        raise OtherRulesError("it was played with other rules than this program has", 1)


def _run(position: Position, steps: Iterable[Step], watch: Watcher | None) -> Position:
    before: list[Position] = []
    for step in steps:
        if isinstance(step, Undo):
            if step.count > len(before):
                raise UnfollowableError("no action of an earlier deal is taken back", step.line)
            position = before[-step.count]
            del before[-step.count :]
        elif isinstance(step, Entry):
            if position.is_over:
                _pass_to_next_deal(position)
                before.clear()
            before.append(position.copy())
            _make(position, step, watch)
    return position


def _pass_to_next_deal(position: Position) -> None:
    if position.is_over and not position.game_over:
        position.next_deal()


def _make(position: Position, entry: Entry, watch: Watcher | None) -> None:
    if position.is_over:
        raise UnfollowableError("the game is over before this action", entry.line)
    if position.deal_number != entry.deal:
        raise UnfollowableError(
            f"deal {position.deal_number} is on, not deal {entry.deal}", entry.line
        )
    if position.to_act != entry.player:
        raise UnfollowableError(f"{position.to_act} is to act, not {entry.player}", entry.line)
    if watch is not None:
        watch(position, entry)
    try:
        position.apply(entry.action)
    except ActionError as error:
        raise UnfollowableError(str(error), entry.line) from None
    except IllegalActionError as error:
        raise UnfollowableError(f"the action is not legal: {error}", entry.line) from None
