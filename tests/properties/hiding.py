"""What a player cannot see, exchanged."""

from __future__ import annotations

from meldc_runtime.cards import FACE
from meldc_runtime.randomness import Random
from meldc_runtime.state import State
from meldc_runtime.table import Table

LAID_AT_ONCE = "bonus_card"
"""The class of cards that are laid as soon as they are met: everybody knows that no hand holds
one.
"""

Place = tuple[int, int]
"""Slot of a zone, and where in it."""


def exchanged(state: State, player: int, seed: int) -> State:
    """The state with all cards that a player may not see dealt anew among their places, in a way
    that could be so: cards that are laid at once come to no hand.
    """
    laid = _laid_at_once(state.table)
    in_hands, elsewhere = hidden_places(state, player)
    cards = [state.zones[slot][at] for slot, at in elsewhere]
    apart = [card for card in cards if card & FACE in laid]
    in_hands = [(slot, at) for slot, at in in_hands if state.zones[slot][at] & FACE not in laid]
    rest = [card for card in cards if card & FACE not in laid]
    rest += [state.zones[slot][at] for slot, at in in_hands]

    random = Random.of(seed, "hidden")
    order = list(range(len(elsewhere)))
    random.shuffle(order)
    random.shuffle(rest)
    other = state.copy()
    places = [elsewhere[number] for number in order] + in_hands
    for (slot, at), card in zip(places, apart + rest, strict=True):
        other.zones[slot][at] = card
    return other


def hidden_places(state: State, player: int) -> tuple[list[Place], list[Place]]:
    """Where the cards lie that a player may not see: in the hands of others, and elsewhere."""
    table = state.table
    in_hands: list[Place] = []
    elsewhere: list[Place] = []
    for zone in table.program.zones:
        for owner in range(table.owners(zone.owner)):
            slot = table.zone_slot(zone.name, owner)
            count = len(state.zones[slot])
            own = owner == (table.side_of(player) if zone.owner == "side" else player)
            if zone.visibility == "top":
                count = max(count - 1, 0)
            elif zone.visibility == "shown" or (zone.visibility == "owner" and own):
                count = 0
            found = in_hands if zone.visibility == "owner" else elsewhere
            found += [(slot, at) for at in range(count)]
    return in_hands, elsewhere


def _laid_at_once(table: Table) -> frozenset[int]:
    if LAID_AT_ONCE not in table.definitions:
        return frozenset()
    is_laid = table.code.definitions[LAID_AT_ONCE]
    return frozenset(face for face in table.pack_set if is_laid(None, face))
