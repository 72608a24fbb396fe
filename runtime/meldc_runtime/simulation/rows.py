"""What is written down of a deal: plain data, from which every figure can be worked out."""

from __future__ import annotations

from typing import Any, Literal, NotRequired, TypedDict

from meldc_runtime.names import player_name, side_name
from meldc_runtime.program.declarations import Memory
from meldc_runtime.program.reserved import TOTAL
from meldc_runtime.reasons import value_text
from meldc_runtime.state import State
from meldc_runtime.table import BUILT_IN, Table

BySide = list[int]
End = Literal["over", "stuck", "unfinished"]

PLAIN = ("yes_no", "number", "player", "side", "suit", "rank")
"""Types of memory whose values are written down."""


LAID = "melds"
"""The zone that is kept as melds, not as cards."""


class Happened(TypedDict):
    """times: by side. first: the turn of a side (its own, from 1) in which it happened first."""

    times: BySide
    first: list[int | None]


class Asked(TypedDict):
    """decisions: those asked for what is refused in them. rules: by name in how many of them a rule
    refused something, and in how many it alone did so.
    """

    decisions: int
    rules: dict[str, list[int]]


class Row(TypedDict):
    """A deal. Lists by side in the order of the sides, by player clockwise from P1.

    set: the name of the game, with its house rules. whole: whether games are played to their end.
    game: its number in the task, from 0. deal: its number in the game, from 1. first: who acts
    first. end: `over`; `stuck` where a player had no legal action; `unfinished` where it was broken
    off. turns: how often another player came to the turn. options: legal actions, summed over the
    decisions; forced: decisions with one only. won: the sides that have won, once the game is over.
    totals: before the deal. lines: points by side, null where a line did not apply. memory, left:
    what is remembered, and the number of cards in each zone, when the deal ends. melds: on the
    table at the end, by kind; sorts: by the rows of tables that sort melds.

    Only of deals that were watched: ended_by: the moment or action that ended the deal; moments,
    which happened; bands: of tables that rules about a moment read by number or band, what they
    said when it happened first; asked.
    """

    set: str
    whole: bool
    game: int
    seed: int
    deal: int
    dealer: str
    first: str
    bots: list[str]
    end: End
    turns: int
    decisions: int
    options: int
    forced: int
    cut_offs: int
    actions: dict[str, int]
    game_over: bool
    won: list[str]
    scores: BySide
    totals: BySide
    lines: dict[str, list[int | None]]
    memory: dict[str, Any]
    left: dict[str, Any]
    melds: dict[str, BySide]
    sorts: dict[str, dict[str, BySide]]
    ended_by: NotRequired[str]
    moments: NotRequired[dict[str, Happened]]
    bands: NotRequired[dict[str, dict[str, list[int | None]]]]
    asked: NotRequired[Asked]


OF_WATCHED = frozenset(("ended_by", "moments", "bands", "asked"))
"""What only rows of watched deals have."""


def remembered(table: Table) -> tuple[Memory, ...]:
    """The memories that are written down when a deal ends."""
    kept = {memory.name for memory in BUILT_IN}
    return tuple(
        memory
        for memory in table.program.memories
        if memory.scope == "deal" and memory.type in PLAIN and memory.name not in kept
    )


def totals(state: State) -> BySide:
    table = state.table
    base = table.memory_slot(TOTAL, 0)
    return [int(total) for total in state.memory[base : base + table.sides]]


def describe_end(state: State, row: Row) -> None:
    """Writes down how a deal that is over lies."""
    table = state.table
    row["game_over"] = state.game_over
    row["won"] = [side_name(side) for side in state.winners] if state.game_over else []
    row["scores"] = list(state.scores)
    for line, side, points in state.sheet:
        row["lines"].setdefault(line, [None] * table.sides)[side] = points
    for memory in remembered(table):
        row["memory"][memory.name] = _by_owner(
            table, memory.owner, table.memory_base[memory.name], state.memory, memory.type
        )
    sizes = [len(cards) for cards in state.zones]
    for zone in table.program.zones:
        if zone.name == LAID:
            row["left"][LAID] = [sum(len(m.cards) for m in melds) for melds in state.melds]
            continue
        row["left"][zone.name] = _by_owner(
            table, zone.owner, table.zone_base[zone.name], sizes, "number"
        )
    _describe_melds(state, row)


def _by_owner(table: Table, owner: str, base: int, values: list[Any], kind: str) -> Any:
    found = [_plain(table, v, kind) for v in values[base : base + table.owners(owner)]]
    return found[0] if owner == "none" else found


def _plain(table: Table, value: Any, kind: str) -> Any:
    """A value as JSON has it: words for all but numbers and truths."""
    if value is None or kind in ("yes_no", "number"):
        return value
    match kind:
        case "player":
            return player_name(value)
        case "side":
            return side_name(value)
    return value_text(table, value, kind)


def _describe_melds(state: State, row: Row) -> None:
    table = state.table
    program = table.program
    sorting = [t for t in program.tables if t.form == "sorts"]
    for side, melds in enumerate(state.melds):
        for meld in melds:
            _count(row["melds"], program.kinds[meld.kind].name, side, table.sides)
            for sorts in sorting:
                place = table.code.sort[sorts.name](state, meld)
                if place is not None:
                    found = row["sorts"].setdefault(sorts.name, {})
                    _count(found, str(sorts.rows[place].key), side, table.sides)


def _count(counts: dict[str, BySide], name: str, side: int, sides: int) -> None:
    if name not in counts:
        counts[name] = [0] * sides
    counts[name][side] += 1
