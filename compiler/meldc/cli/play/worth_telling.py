"""Which zones and memories of a game a player wants to see: those that still matter once the cards
are dealt, and whose name means something to somebody who has not read the program.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from meldc_runtime.program.declarations import Definition, Memory, Moment, Program
from meldc_runtime.program.effects import LayMeld, MoveCards, MoveCount, MoveUntil
from meldc_runtime.program.expressions import Apply, Remembered, ZoneCards
from meldc_runtime.program.nodes import walk
from meldc_runtime.table import BUILT_IN

TOLD_ELSEWHERE = {memory.name for memory in BUILT_IN}
"""Memory that the head of a deal and the totals tell already."""
CARD = (("card", "card"),)
"""The parameters of a class of cards."""
BARE = ("yes_no", "number", "player", "side")
"""Types whose values say nothing without the name of what is remembered."""


def zones_told(program: Program) -> set[str]:
    """The zones that players see into, and those from which cards may still come or that something
    asks about.
    """
    used = {zone.name for zone in program.zones if zone.visibility != "hidden"}
    for node in _in_play(program):
        match node:
            case ZoneCards(zone):
                used.add(zone)
            case MoveCount() | MoveCards() | MoveUntil():
                used.add(node.source.zone)
            case LayMeld(parts):
                used |= {part.source.zone for part in parts}
    return used


def memories_told(program: Program) -> list[Memory]:
    """The memories that something in play asks about, but for those of a turn that begin anew."""
    asked = {node.memory for node in _in_play(program) if isinstance(node, Remembered)}
    return [
        memory
        for memory in program.memories
        if memory.name in asked
        and memory.name not in TOLD_ELSEWHERE
        and not (memory.scope == "turn" and memory.initial is not None)
        and is_understood(program, memory)
    ]


def is_understood(program: Program, memory: Memory) -> bool:
    """Whether a player can make something of the name of a memory: it stands beside its player or
    side, or beside a suit or the like for a whole deal, or it is a word that the game itself uses
    for people.
    """
    if memory.scope != "turn" and (memory.owner != "none" or memory.type not in BARE):
        return True
    name = re.compile(rf"\b{memory.name.replace('_', ' ')}\b")
    return any(name.search(text.lower()) for text in _texts(program))


def _texts(program: Program) -> Iterator[str]:
    """All that the authors of a game have written for its players."""
    sentences = [rule.sentence for rule in program.rules]
    sentences += [line.sentence for line in program.scores]
    for sentence in sentences:
        yield from (part for part in sentence if isinstance(part, str))
    yield from (setting.text for setting in program.settings)
    yield from (zone.text for zone in program.zones)
    yield from (phase.text for phase in program.phases)
    yield from (table.text for table in program.tables)
    for table in program.tables:
        yield from (row.title for row in table.rows)


def _in_play(program: Program) -> Iterator[Any]:
    """All nodes that matter between the deal and its end."""
    moments = [moment for moment in program.moments if not _at_an_end_of_the_deal(program, moment)]
    definitions = {definition.name: definition for definition in program.definitions}
    classes = tuple(each.body for each in program.definitions if each.params == CARD)
    judged = (
        program.actions,
        program.kinds,
        program.rules,
        program.allowances,
        program.scores,
        tuple(moments),
        classes,
    )
    yield from _with_definitions(judged, definitions)


def _with_definitions(value: Any, definitions: dict[str, Definition]) -> Iterator[Any]:
    """All nodes of a value, and those of the definitions used there, each once."""
    for node in walk(value):
        yield node
        if isinstance(node, Apply) and node.definition in definitions:
            yield from _with_definitions(definitions.pop(node.definition).body, definitions)


def _at_an_end_of_the_deal(program: Program, moment: Moment) -> bool:
    """Whether a moment belongs to the deal of the cards, or to what follows the score."""
    trigger = moment.trigger
    if trigger.kind in ("start", "end"):
        return trigger.period == "deal"
    targets = [each for each in program.moments if each.name in trigger.targets]
    return bool(targets) and all(_at_an_end_of_the_deal(program, each) for each in targets)
