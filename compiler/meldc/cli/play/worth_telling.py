"""Which zones and memories of a game a player wants to see: those that still matter once the cards
are dealt, and that mean something to somebody who has not read the program.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from meldc_runtime.program.applied import walk_through
from meldc_runtime.program.declarations import Memory, Moment, Program
from meldc_runtime.program.effects import LayMeld, MoveCards, MoveCount, MoveUntil
from meldc_runtime.program.expressions import Remembered, ZoneCards
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
    """The memories that have a text, and those that something in play asks about and that can be
    understood without.
    """
    asked = {node.memory for node in _in_play(program) if isinstance(node, Remembered)}
    return [
        memory
        for memory in program.memories
        if memory.name not in TOLD_ELSEWHERE
        and (memory.text or (memory.name in asked and is_understood(memory)))
    ]


def is_understood(memory: Memory) -> bool:
    """Whether a player can make something of what is remembered: the author has a text for it, or
    it stands beside its player or side, or is a suit or the like for a whole deal.
    """
    if memory.text:
        return True
    return memory.scope != "turn" and (memory.owner != "none" or memory.type not in BARE)


def _in_play(program: Program) -> Iterator[Any]:
    """All nodes that matter between the deal and its end."""
    moments = [moment for moment in program.moments if not _at_an_end_of_the_deal(program, moment)]
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
    return walk_through(program, judged)


def _at_an_end_of_the_deal(program: Program, moment: Moment) -> bool:
    """Whether a moment belongs to the deal of the cards, or to what follows the score."""
    trigger = moment.trigger
    if trigger.kind in ("start", "end"):
        return trigger.period == "deal"
    targets = [each for each in program.moments if each.name in trigger.targets]
    return bool(targets) and all(_at_an_end_of_the_deal(program, each) for each in targets)
