"""What one player may see, as plain data: derived from how the zones are shown, and from nothing
else.

`hidden`: how many cards. `top`: how many, and the top card. `shown`: all. `owner`: all for the
owner (a player, or all players of a side), how many for everyone else. Melds, memories, totals and
the score of the deal are public.
"""

from __future__ import annotations

from typing import Any

from meldc_runtime.actions import meld_name
from meldc_runtime.cards import FACE, card_text, laid_by
from meldc_runtime.names import player_name, side_name
from meldc_runtime.program.declarations import Zone
from meldc_runtime.state import Meld, State
from meldc_runtime.table import Table
from meldc_runtime.values import card_texts, owners, plain_value, sort_cards


def view(state: State, player: int) -> dict[str, Any]:
    """What the player (0 …) sees. Own cards are sorted; zones that lie open keep their order,
    bottom first.
    """
    table = state.table
    return {
        "player": player_name(player),
        "side": side_name(table.side_of(player)),
        "to_act": player_name(state.player),
        "turn": player_name(state.turn),
        "phase": table.program.phases[state.phase].name,
        "deal": state.memory[table.memory_slot("deal_number")],
        "dealer": player_name(state.memory[table.memory_slot("dealer")]),
        "zones": [seen for zone in table.program.zones for seen in _zone(state, zone, player)],
        "melds": {side_name(side): melds_data(state, side) for side in range(table.sides)},
        "memory": memory_data(state),
        "totals": totals(state),
        "over": state.over,
        "game_over": state.game_over,
        "scores": scores(state),
        "sheet": sheet(state),
        "winners": [side_name(side) for side in state.winners],
    }


def totals(state: State) -> dict[str, int]:
    """The totals by side, the deal included once it is over."""
    table = state.table
    return {side_name(s): state.memory[table.memory_slot("total", s)] for s in range(table.sides)}


def scores(state: State) -> dict[str, int]:
    """The scores of the deal by side; empty while it goes on."""
    return (
        {side_name(side): points for side, points in enumerate(state.scores)} if state.over else {}
    )


def sheet(state: State) -> list[dict[str, Any]]:
    """The score of the deal line by line; empty while it goes on."""
    if not state.over:
        return []
    return [
        {"line": line, "side": side_name(side), "points": points}
        for line, side, points in state.sheet
    ]


def melds_data(state: State, side: int) -> list[dict[str, Any]]:
    """The melds of a side in the order laid; `rows`: what the sorting tables make of it, by their
    word.
    """
    return [_meld(state, meld) for meld in state.melds[side]]


def memory_data(state: State) -> list[dict[str, Any]]:
    """What the table remembers, in the order declared."""
    table = state.table
    found = []
    for memory in table.program.memories:
        for owner in owners(table, memory.owner):
            value = state.memory[table.memory_slot(memory.name, owner)]
            found.append(
                {
                    "name": memory.name,
                    "owner": _owner_name(memory.owner, owner),
                    "value": plain_value(table, memory.type, value),
                }
            )
    return found


def _zone(state: State, zone: Zone, player: int) -> list[dict[str, Any]]:
    table = state.table
    seen = []
    for owner in owners(table, zone.owner):
        cards = state.zones[table.zone_slot(zone.name, owner)]
        data: dict[str, Any] = {
            "name": zone.name,
            "owner": _owner_name(zone.owner, owner),
            "count": len(cards),
        }
        if zone.visibility == "top":
            data["top"] = card_text(cards[-1]) if cards else None
        elif zone.visibility == "shown":
            data["cards"] = card_texts(cards)
            if any(laid_by(card) is not None for card in cards):
                data["laid_by"] = [_layer(card) for card in cards]
        elif zone.visibility == "owner" and _is_owner(table, zone, owner, player):
            data["cards"] = card_texts(sort_cards(cards))
        seen.append(data)
    return seen


def _is_owner(table: Table, zone: Zone, owner: int | None, player: int) -> bool:
    return owner == (table.side_of(player) if zone.owner == "side" else player)


def _meld(state: State, meld: Meld) -> dict[str, Any]:
    table = state.table
    rows = {}
    for sorting in table.program.tables:
        if sorting.form == "sorts":
            row = table.code.sort[sorting.name](state, meld)
            rows[sorting.word] = None if row is None else sorting.rows[row].key
    return {
        "name": meld_name(table, meld),
        "kind": table.program.kinds[meld.kind].name,
        "cards": card_texts(card & FACE for card in meld.cards),
        "laid_by": [_layer(card) for card in meld.cards],
        "wilds": meld.wilds,
        "rows": rows,
    }


def _layer(card: int) -> str | None:
    player = laid_by(card)
    return None if player is None else player_name(player)


def _owner_name(kind: str, owner: int | None) -> str | None:
    if owner is None:
        return None
    return player_name(owner) if kind == "player" else side_name(owner)
