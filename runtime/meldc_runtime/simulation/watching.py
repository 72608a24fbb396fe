"""Watches a table while it is played at: turns begun, moments that happen, what ends a deal."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from copy import copy
from dataclasses import replace
from typing import Any

from meldc_runtime.course import Course
from meldc_runtime.light import dataclass
from meldc_runtime.oracle import evaluate
from meldc_runtime.program import expressions as x
from meldc_runtime.program.declarations import Moment, Program
from meldc_runtime.simulation.rows import BySide, Happened
from meldc_runtime.state import State
from meldc_runtime.table import Env, Table
from meldc_runtime.writing.nodes import free_names, walk

ENDS = ("end deal", "end game")


@dataclass(frozen=True, slots=True)
class Reading:
    """A table by number or band that rules about a moment read. owner: `player` or `side`, and the
    name that the key has for it; empty where the key has none.
    """

    table: str
    lookup: x.Lookup
    owner: str
    name: str


class Notes:
    """What was noted of a deal. state: the one that is watched; others of its table, in which bots
    and look-ahead try things, are not. turns: begun, by side. moments, bands, ended_by: as in a
    row.
    """

    def __init__(self, sides: int) -> None:
        self.sides = sides
        self.state: State | None = None
        self.clear()

    def clear(self) -> None:
        self.turns: BySide = [0] * self.sides
        self.moments: dict[str, Happened] = {}
        self.bands: dict[str, dict[str, list[int | None]]] = {}
        self.ended_by = ""
        self.no_turn = False


def watched(table: Table) -> tuple[Table, Notes]:
    """A Table of the same game that notes what happens; the given one stays as it is."""
    notes = Notes(table.sides)
    other = copy(table)
    effects = dict(table.code.effects)
    for moment in table.program.moments:
        readings = tuple(readings_of(table.program, moment))
        effects[moment.name] = _noting(notes, moment.name, effects[moment.name], readings)
    for action in table.program.actions:
        effects[action.name] = _noting_end(notes, action.name, effects[action.name])
    resets = table.code.memory_resets | {
        "deal": _clearing(notes, table.code.memory_resets["deal"]),
        "turn": _counting(notes, table.code.memory_resets["turn"]),
    }
    other.code = replace(table.code, effects=effects, memory_resets=resets)
    other.course = Course(table.schedule, other.code)
    other._foresight = None
    return other, notes


def _noting(
    notes: Notes, name: str, effect: Callable[[State, Env], None], readings: tuple[Reading, ...]
) -> Callable[[State, Env], None]:
    def noting(state: State, env: Env) -> None:
        if state is not notes.state:
            effect(state, env)
            return
        side = state.player % notes.sides
        happened = notes.moments.get(name)
        if happened is None:
            happened = {"times": [0] * notes.sides, "first": [None] * notes.sides}
            notes.moments[name] = happened
        happened["times"][side] += 1
        if happened["first"][side] is None:
            happened["first"][side] = notes.turns[side]
            for reading in readings:
                by_side = notes.bands.setdefault(name, {}).setdefault(
                    reading.table, [None] * notes.sides
                )
                by_side[side] = _read(state, reading)
        goes_on = not any(end in env for end in ENDS)
        effect(state, env)
        if goes_on and any(end in env for end in ENDS):
            notes.ended_by = notes.ended_by or name

    return noting


def _noting_end(
    notes: Notes, name: str, effect: Callable[[State, Env], None]
) -> Callable[[State, Env], None]:
    def noting(state: State, env: Env) -> None:
        effect(state, env)
        if state is notes.state and any(end in env for end in ENDS):
            notes.ended_by = notes.ended_by or name

    return noting


def _clearing(notes: Notes, reset: Callable[[State, int], None]) -> Callable[[State, int], None]:
    """The memory of the turn is set anew when a table is cleared, too: that begins no turn."""

    def clearing(state: State, player: int) -> None:
        if state is notes.state:
            notes.no_turn = True
        reset(state, player)

    return clearing


def _counting(notes: Notes, reset: Callable[[State, int], None]) -> Callable[[State, int], None]:
    def counting(state: State, player: int) -> None:
        if state is notes.state:
            if not notes.no_turn:
                notes.turns[player % notes.sides] += 1
            notes.no_turn = False
        reset(state, player)

    return counting


# ---- tables that rules about a moment read
def readings_of(program: Program, moment: Moment) -> Iterator[Reading]:
    """The tables by number or band that decide whether a moment may happen, each once."""
    tables = {t.name for t in program.tables if t.form in ("band", "number")}
    found: set[str] = set()
    for rule in program.rules:
        if moment.name in rule.moments:
            for part in (rule.requires, rule.when, rule.unless):
                if part is not None:
                    for reading in _readings_in(program, part, {"player": "player"}, frozenset()):
                        if reading.table in tables and reading.table not in found:
                            found.add(reading.table)
                            yield reading


def _readings_in(
    program: Program, expr: x.Expr, params: dict[str, str], seen: frozenset[str]
) -> Iterator[Reading]:
    """params: the names that may be read, with the sort of owner that they stand for."""
    for node in walk(expr):
        if isinstance(node, x.Lookup):
            names = free_names(node.key)
            if not names:
                yield Reading(node.table, node, "", "")
            elif len(names) == 1 and params.get(name := next(iter(names))) in ("player", "side"):
                yield Reading(node.table, node, params[name], name)
        elif isinstance(node, x.Apply) and node.definition not in seen:
            definition = next(d for d in program.definitions if d.name == node.definition)
            yield from _readings_in(
                program, definition.body, dict(definition.params), seen | {node.definition}
            )


def _read(state: State, reading: Reading) -> int | None:
    table = state.table
    owner = state.player if reading.owner == "player" else table.side_of(state.player)
    names: dict[str, Any] = {reading.name: owner} if reading.owner else {}
    value = evaluate(table, state, names, reading.lookup)
    return value if isinstance(value, int) else None
