"""Records for one player's eyes: what the player saw of the table, action by action, and nothing of
what was hidden. Such a record has no seed; it can be shown and checked as far as one player can.

A *sight* is what a player sees, as flat data: `phase`, `player`, `zone hand P1`, `melds A`, `memory
NAME OWNER` and so on. A deal begins with a whole one, every action has what changed.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import Any

from meldc_runtime.cards import (
    FACE,
    PLAYER_MASK,
    UNKNOWN,
    card_text,
    laid_by,
    mark,
    parse_card,
    stands_for,
)
from meldc_runtime.game import ActionError, Game, Position
from meldc_runtime.names import parse_player, player_name
from meldc_runtime.randomness import Random
from meldc_runtime.records import Dealt, Entry, Header, Record, UnfollowableError
from meldc_runtime.replaying import check_rules, replay
from meldc_runtime.sight import Sight, blank, unseen
from meldc_runtime.state import Meld, State
from meldc_runtime.table import Table
from meldc_runtime.values import owners

Sights = dict[str, Any]
SightWatcher = Callable[[Position, Entry], None]


def redacted(game: Game, record: Record, player: str) -> tuple[Header, list[Dealt | Entry]]:
    """A record without what was hidden from a player. Raises as `replay` does."""
    seat = game.players.index(player)
    steps: list[Dealt | Entry] = []
    sight: Sights = {}

    def watch(position: Position, entry: Entry) -> None:
        nonlocal sight
        if not steps or steps[-1].deal != entry.deal:
            sight = sight_data(blank(position.state, seat))
            steps.append(Dealt(entry.deal, sight))
        after = position.copy()
        after.apply(entry.action)
        seen = sight_data(blank(after.state, seat))
        shown = position.seen_by(player, entry.action)
        steps.append(replace(entry, action=shown, sight=changes(sight, seen)))
        sight = seen

    replay(game, record, watch)
    return _head_for(player, record.header), steps


def _head_for(player: str, header: Header) -> Header:
    """The head of a record for others to read: no seed, and of files no more than their names."""
    house = tuple(map(_without_folder, header.house))
    return replace(
        header, game=_without_folder(header.game), house=house, seed=None, seen_by=player
    )


def _without_folder(reference: str) -> str:
    """The name of a file, with the choice of a house rule behind it; other names as they are."""
    return re.split(r"[/\\]", reference)[-1]


def show_redacted(
    game: Game, record: Record, watch: SightWatcher | None = None, most: int | None = None
) -> Position:
    """The last position of a record for one player's eyes (or the one after `most` actions), as
    that player sees it; `watch` is told each action before it is made.

    Checks what one player can: whose turn it was, that the own actions were legal, that no card
    lies in two places. Raises OtherRulesError, UnfollowableError with the line that does not fit.
    """
    check_rules(game, record)
    seat = game.players.index(record.header.seen_by or "")
    sight: Sights = {}
    position: Position | None = None
    made = 0
    for step in record.steps:
        if most is not None and made >= most and position is not None:
            break
        if isinstance(step, Dealt):
            sight = dict(step.sight)
        elif isinstance(step, Entry):
            if position is None:
                raise UnfollowableError("no deal has begun", step.line)
            _check(position, step, seat)
            if watch is not None:
                watch(position, step)
            sight = {**sight, **(step.sight or {})}
            made += 1
        position = _position(game, sight, step.line)
    if position is None:
        raise UnfollowableError("no deal has begun", 1)
    return position


def _position(game: Game, sight: Sights, line: int) -> Position:
    try:
        state = read_sight(game.table, sight)
    except (KeyError, ValueError, TypeError, IndexError, AttributeError):
        raise UnfollowableError("its `sight` is none of this game", line) from None
    if len(unseen(state)) != sum(zone.count(UNKNOWN) for zone in state.zones):
        raise UnfollowableError("the cards in its `sight` are not those of the pack", line)
    return Position(game, state)


def _check(position: Position, entry: Entry, seat: int) -> None:
    if position.is_over:
        raise UnfollowableError("the deal is over before this action", entry.line)
    if position.to_act != entry.player:
        raise UnfollowableError(f"{position.to_act} is to act, not {entry.player}", entry.line)
    if "??" in entry.action:
        return
    try:
        if entry.player != player_name(seat):
            position.game.parse(entry.action)
            return
        world = Sight(position.game, position.state, seat).imagine(Random.of("redacted"))
        reasons = world.why_illegal(entry.action)
    except ActionError as error:
        raise UnfollowableError(str(error), entry.line) from None
    if reasons:
        said = "; ".join(reason.text for reason in reasons)
        raise UnfollowableError(f"the action is not legal: {said}", entry.line)


# ---- sights as data


def sight_data(state: State) -> Sights:
    """A blank state as flat data."""
    table = state.table
    data: Sights = {
        "phase": table.program.phases[state.phase].name,
        "player": player_name(state.player),
        "turn": player_name(state.turn),
        "back": None if state.back is None else [state.back[0], player_name(state.back[1])],
        "serial": state.serial,
        "last_resort": state.last_resort,
        "over": state.over,
        "game_over": state.game_over,
        "winners": list(state.winners),
        "scores": list(state.scores),
        "sheet": [list(line) for line in state.sheet],
    }
    for key, slot in _zones(table):
        data[key] = " ".join(_card(card) for card in state.zones[slot])
    for side, melds in enumerate(state.melds):
        data[f"melds {side}"] = [_meld(meld) for meld in melds]
    for key, slot in _memories(table):
        value = state.memory[slot]
        data[key] = list(value) if isinstance(value, tuple) else value
    return data


def changes(before: Mapping[str, Any], after: Mapping[str, Any]) -> Sights:
    """What of a sight is another than before."""
    return {key: value for key, value in after.items() if before.get(key, ...) != value}


def read_sight(table: Table, data: Mapping[str, Any]) -> State:
    """The blank state of flat data. Raises KeyError, ValueError, TypeError where it is none."""
    state = State(table)
    state.phase = table.phases[data["phase"]]
    state.player, state.turn = _player(table, data["player"]), _player(table, data["turn"])
    if data["back"] is not None:
        phase, player = data["back"]
        state.back = (range(len(table.phases))[phase], _player(table, player))
    state.serial = int(data["serial"])
    state.last_resort = bool(data["last_resort"])
    state.over, state.game_over = bool(data["over"]), bool(data["game_over"])
    state.winners = tuple(range(table.sides)[side] for side in data["winners"])
    state.scores = tuple(int(points) for points in data["scores"])
    lines = {line.name for line in table.program.scores}
    state.sheet = tuple(
        (name, range(table.sides)[side], int(points))
        for name, side, points in data["sheet"]
        if name in lines
    )
    for key, slot in _zones(table):
        state.zones[slot] = [_read_card(word) for word in data[key].split()]
    for side in range(table.sides):
        state.melds[side] = [_read_meld(side, each) for each in data[f"melds {side}"]]
    for key, slot in _memories(table):
        value = data[key]
        state.memory[slot] = tuple(value) if isinstance(value, list) else value
    return state


def _zones(table: Table) -> Iterator[tuple[str, int]]:
    for zone in table.program.zones:
        for owner in owners(table, zone.owner):
            yield _key("zone", zone.name, zone.owner, owner), table.zone_slot(zone.name, owner)


def _memories(table: Table) -> Iterator[tuple[str, int]]:
    for memory in table.memories.values():
        for owner in owners(table, memory.owner):
            key = _key("memory", memory.name, memory.owner, owner)
            yield key, table.memory_slot(memory.name, owner)


def _key(what: str, name: str, kind: str, owner: int | None) -> str:
    if owner is None:
        return f"{what} {name}"
    return f"{what} {name} {player_name(owner) if kind == 'player' else owner}"


def _player(table: Table, name: str) -> int:
    player = parse_player(name, table.players)
    if player is None:
        raise ValueError(name)
    return player


def _card(card: int) -> str:
    """A card with its marks: `2S`, laid by P1 `2S/P1`, in the place of a nine `2S/P1=9`."""
    layer, place = laid_by(card), stands_for(card)
    laid = "" if layer is None else f"/{player_name(layer)}"
    return card_text(card) + laid + ("" if place is None else f"={place}")


def _read_card(word: str) -> int:
    rest, _, place = word.partition("=")
    name, _, layer = rest.partition("/")
    face = UNKNOWN if name == "??" else parse_card(name)
    if face is None:
        raise ValueError(word)
    player = parse_player(layer, PLAYER_MASK) if layer else None
    return mark(face & FACE, player, int(place) if place else None)


def _meld(meld: Meld) -> list[Any]:
    cards = " ".join(_card(card) for card in meld.cards)
    return [meld.kind, cards, meld.rank, meld.suit, meld.low, meld.wilds, meld.serial]


def _read_meld(side: int, data: list[Any]) -> Meld:
    kind, cards, rank, suit, low, wilds, serial = data
    return Meld(
        kind, side, tuple(_read_card(w) for w in cards.split()), rank, suit, low, wilds, serial
    )
