"""What one player may see, as plain data: derived from how the zones are shown, and from nothing
else.

`hidden`: how many cards. `top`: how many, and the top card. `shown`: all. `owner`: all for the
owner (a player, or all players of a side), how many for everyone else. Melds, memories, totals and
the score of the deal are public.
"""

from __future__ import annotations

from typing import Any

from meldc_runtime.actions import meld_name, text
from meldc_runtime.cards import FACE, UNKNOWN, card_text, laid_by
from meldc_runtime.forms import variables
from meldc_runtime.names import player_name, side_name
from meldc_runtime.program.declarations import Action, Zone
from meldc_runtime.program.effects import Exchange, LayMeld, MoveCards
from meldc_runtime.program.expressions import Var
from meldc_runtime.program.nodes import walk
from meldc_runtime.program.reserved import DEAL_NUMBER, DEALER, TOTAL
from meldc_runtime.standing import missing
from meldc_runtime.state import Meld, Play, State
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
        "deal": state.memory[table.memory_slot(DEAL_NUMBER)],
        "dealer": player_name(state.memory[table.memory_slot(DEALER)]),
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
    return {side_name(s): state.memory[table.memory_slot(TOTAL, s)] for s in range(table.sides)}


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
    word; `missing`: how many natural cards (`cards`) it lacks to which `row` of a `word`.
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


def seen_text(state: State, play: Play, player: int) -> str:
    """The text of a play in a position, as a player sees it made: cards that go where he may
    not look are `??`.
    """
    table = state.table
    action = table.program.actions[play.action]
    secret = _secret_params(
        table, action, by_owner=table.side_of(state.player) != table.side_of(player)
    )
    if state.player == player or not secret:
        return text(state, play)
    args = tuple(
        _unknown(value) if param.name in secret else value
        for param, value in zip(action.params, play.args, strict=True)
    )
    return text(state, Play(play.action, args))


def _unknown(value: Any) -> Any:
    return (UNKNOWN,) * len(value) if isinstance(value, tuple) else UNKNOWN


def _secret_params(table: Table, action: Action, by_owner: bool) -> set[str]:
    """The parameters whose cards are only moved to zones that nobody else sees."""
    moved: dict[str, list[str]] = {}
    for node in walk(action.effects):
        if isinstance(node, MoveCards) and isinstance(node.cards, Var):
            moved.setdefault(node.cards.name, []).append(table.zones[node.to.zone].visibility)
        elif isinstance(node, Exchange):
            for name in variables(node.card):
                moved.setdefault(name, []).append("shown")
        elif isinstance(node, LayMeld):
            for part in node.parts:
                for name in variables(part.cards):
                    moved.setdefault(name, []).append("shown")
    secret = {"hidden", "owner"} if by_owner else {"hidden"}
    return {name for name, seen in moved.items() if secret.issuperset(seen)}


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
        "missing": _missing(state, meld),
    }


def _missing(state: State, meld: Meld) -> dict[str, Any] | None:
    found = missing(state, meld)
    if found is None:
        return None
    return {"cards": found.cards, "word": found.word, "row": found.row}


def _layer(card: int) -> str | None:
    player = laid_by(card)
    return None if player is None else player_name(player)


def _owner_name(kind: str, owner: int | None) -> str | None:
    if owner is None:
        return None
    return player_name(owner) if kind == "player" else side_name(owner)
