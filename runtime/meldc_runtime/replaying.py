"""Plays recorded games again, every action checked."""

from __future__ import annotations

from collections.abc import Callable

from meldc_runtime.game import ActionError, Game, IllegalActionError, Position
from meldc_runtime.program import content_hash
from meldc_runtime.records import Entry, OtherRulesError, Record, UnfollowableError

Watcher = Callable[[Position, Entry], None]


def replay(game: Game, record: Record, watch: Watcher | None = None) -> Position:
    """The position in which a record ends; `watch` is told each action before it is made.

    A deal that is over is followed by the next one as soon as there is an action of it. Raises
    OtherRulesError, or UnfollowableError with the line that does not fit.
    """
    header = record.header
    if content_hash(game.program) != header.program:
        raise OtherRulesError("it was played with other rules than this program has", 1)
    position = game.start(header.seed)
    for number, entry in enumerate(record.entries, 2):
        if position.is_over and not position.game_over:
            position.next_deal()
        _check(position, entry, number)
        if watch is not None:
            watch(position, entry)
        try:
            position.apply(entry.action)
        except ActionError as error:
            raise UnfollowableError(str(error), number) from None
        except IllegalActionError as error:
            raise UnfollowableError(f"the action is not legal: {error}", number) from None
    if position.is_over and not position.game_over:
        position.next_deal()
    return position


def _check(position: Position, entry: Entry, number: int) -> None:
    if position.is_over:
        raise UnfollowableError("the game is over before this action", number)
    if position.deal_number != entry.deal:
        raise UnfollowableError(f"deal {position.deal_number} is on, not deal {entry.deal}", number)
    if position.to_act != entry.player:
        raise UnfollowableError(f"{position.to_act} is to act, not {entry.player}", number)
