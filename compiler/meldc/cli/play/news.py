"""What an action has brought about that its own text does not say: cards that came to lie open, a
pile that was taken, what the table remembers from now on. All of it is public.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from meldc.cli.play.screen import Screen, words
from meldc.cli.play.worth_telling import TOLD_ELSEWHERE, is_understood
from meldc_runtime import actions
from meldc_runtime.cards import FACE, card_text
from meldc_runtime.game import Position
from meldc_runtime.names import player_name, side_name
from meldc_runtime.program.declarations import Memory, Program, Zone
from meldc_runtime.program.effects import Become, Gain
from meldc_runtime.program.nodes import walk
from meldc_runtime.state import State
from meldc_runtime.values import owners, plain_value


@dataclass(frozen=True, slots=True)
class News:
    """cards: what has become of cards; remembered: what the table remembers, without the name of
    the player who acted; in_full: the same with all names.
    """

    cards: tuple[str, ...] = ()
    remembered: tuple[str, ...] = ()
    in_full: tuple[str, ...] = ()

    def __str__(self) -> str:
        return ", ".join((*self.cards, *self.remembered))


def news_of(screen: Screen, before: Position, after: Position, action: str) -> News:
    """What has come about by an action beside what it says."""
    told = list(_remembered(before, after, action))
    actor = {before.to_act, side_name(before.game.table.side_of(before.state.player))}
    return News(
        tuple(_cards(screen, before.state, after.state, action)),
        tuple(screen.memory(memory, owner, value, actor) for memory, owner, value in told),
        tuple(screen.memory(memory, owner, value) for memory, owner, value in told),
    )


# -- cards


def _cards(screen: Screen, before: State, after: State, action: str) -> Iterator[str]:
    table = before.table
    named = Counter(action.split())
    for zone in table.program.zones:
        for owner in owners(table, zone.owner):
            slot = table.zone_slot(zone.name, owner)
            came = _texts(after.zones[slot]) - _texts(before.zones[slot])
            gone = len(before.zones[slot]) - len(after.zones[slot])
            if zone.visibility == "shown" and (unsaid := came - named):
                yield f"{words(zone.name)} {screen.cards(sorted(unsaid.elements()))}"
            elif _is_taken(zone) and gone > 1:
                yield f"{words(zone.name)} of {gone}"


def _is_taken(zone: Zone) -> bool:
    """Whether only the number of cards tells how much was taken."""
    return zone.visibility == "top" and zone.owner == "none"


def _texts(cards: list[int]) -> Counter[str]:
    return Counter(card_text(card & FACE) for card in cards)


# -- memory


def _remembered(
    before: Position, after: Position, action: str
) -> Iterator[tuple[Memory, str | None, object]]:
    """Each memory that has got another value by something else than the action itself."""
    table = before.game.table
    plays = actions.parse(before.state, action)
    said = {name for play in plays for name in _set_in(table.program.actions[play.action].effects)}
    for memory in table.program.memories:
        if memory.name in said or not _is_news(table.program, memory):
            continue
        for owner in owners(table, memory.owner):
            slot = table.memory_slot(memory.name, owner)
            value = after.state.memory[slot]
            if value != before.state.memory[slot]:
                plain = plain_value(table, memory.type, value)
                if plain not in (None, False, 0, []):
                    yield memory, _name(memory.owner, owner), plain


def _is_news(program: Program, memory: Memory) -> bool:
    """Whether it is worth telling that a memory changes: what only now and then happens."""
    if memory.name in TOLD_ELSEWHERE or memory.scope == "turn":
        return False
    if not is_understood(memory):
        return False
    setting = [moment for moment in program.moments if memory.name in _set_in(moment.effects)]
    return any(moment.when is not None for moment in setting) or (
        memory.type == "yes_no" and bool(setting)
    )


def _set_in(effects: object) -> set[str]:
    """The memories that effects set."""
    return {node.memory for node in walk(effects) if isinstance(node, (Become, Gain))}


def _name(kind: str, owner: int | None) -> str | None:
    if owner is None:
        return None
    return player_name(owner) if kind == "player" else side_name(owner)
