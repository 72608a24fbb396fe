"""How many cards a player can hold in the first turn, from what is dealt and drawn."""

from __future__ import annotations

from collections.abc import Iterator

from meldc.check.dealing import starts_of_deal
from meldc.check.inspection import Inspection
from meldc.check.possible.judge import Judge
from meldc.check.walk import walk
from meldc_runtime.light import dataclass
from meldc_runtime.program import expressions as x
from meldc_runtime.program.declarations import Program
from meldc_runtime.program.effects import Effect, ForEach, LayMeld, MoveCards, MoveCount


@dataclass(frozen=True, slots=True)
class Hand:
    """dealt, drawn: cards of one player; held: dealt to all the player's places.

    setting: that which says how many are dealt.
    """

    dealt: int
    drawn: int
    held: int
    setting: str

    @property
    def cards(self) -> int:
        return self.dealt + self.drawn


def largest_hand(inspection: Inspection, judge: Judge) -> Hand | None:
    """The hand of the first turn after drawing; None where the Program does not tell."""
    zones = melding_zones(inspection.program)
    players = {zone.name for zone in inspection.program.zones if zone.owner == "player"}
    dealt, held, setting = 0, 0, ""
    for moment in starts_of_deal(inspection.program):
        for move in to_players(moment.effects):
            if move.to.zone not in players:
                continue
            number = judge.of(move.count)
            if number.most is None:
                if isinstance(move.count, x.Var):
                    continue  # as many as were laid away before: they take their place
                return None
            held += number.most
            if move.to.zone not in zones:
                continue
            dealt += number.most
            names = [node.name for node in walk(move.count) if isinstance(node, x.SettingValue)]
            setting = names[0] if names else setting
    drawn = 0
    for action in inspection.program.actions:
        for node in walk(action.effects):
            if isinstance(node, MoveCount) and node.to.zone in zones:
                number = judge.of(node.count)
                if number.most is None or not any(
                    zone.holds_pack and zone.name == node.source.zone
                    for zone in inspection.program.zones
                ):
                    continue
                drawn = max(drawn, number.most)
    return Hand(dealt, drawn, held, setting) if dealt else None


def melding_zones(program: Program) -> set[str]:
    """The zones of players from which melds are laid."""
    return {
        param.source.zone
        for action in program.actions
        for param in action.params
        if param.source is not None
        and any(isinstance(node, LayMeld) for node in walk(action.effects))
        and any(zone.name == param.source.zone and zone.owner == "player" for zone in program.zones)
    }


def to_players(effects: tuple[Effect, ...]) -> Iterator[MoveCount]:
    """What is moved once for each player."""
    for effect in effects:
        if isinstance(effect, ForEach):
            yield from (node for node in walk(effect.body) if isinstance(node, MoveCount))


def takes_at_once(program: Program) -> bool:
    """Whether an action brings cards of another place than the pack to a hand, any number."""
    zones = melding_zones(program)
    pack = {zone.name for zone in program.zones if zone.holds_pack}
    return any(
        isinstance(node, MoveCards | MoveCount)
        and node.to.zone in zones
        and node.source.zone not in pack
        for action in program.actions
        for node in walk(action.effects)
    )


def dealt_to(judge: Judge, zone: str) -> int | None:
    """How many cards each player is dealt to a zone, at most; None where the Program does not
    tell.
    """
    found = 0
    for moment in starts_of_deal(judge.program):
        for move in to_players(moment.effects):
            if move.to.zone == zone:
                most = judge.of(move.count).most
                if most is None:
                    return None
                found += most
    return found or None
