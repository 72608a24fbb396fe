"""Places from which cards are taken, and to which none ever come."""

from __future__ import annotations

from collections.abc import Iterator

from meldc.check.dealing import starts_deal
from meldc.check.inspection import Inspection, labels
from meldc.check.packs import span_of
from meldc.check.vocabulary import MELD_ZONE
from meldc.check.walk import walk
from meldc.resolve.compare import nodes_of
from meldc.source import Span
from meldc.syntax import tree
from meldc_runtime.program.declarations import Program
from meldc_runtime.program.effects import Exchange, LayMeld, MoveCards, MoveCount, MoveUntil


def check_filling(inspection: Inspection) -> None:
    """Reports zones from which a card of an action is to come, and that never have one."""
    program, declared = inspection.program, inspection.model.declarations
    held = _zones_with_cards(program)
    told: set[str] = set()
    for action in program.actions:
        for param in action.params:
            if param.source is None or param.source.zone in held or action.name in told:
                continue
            told.add(action.name)
            inspection.refused.add(action.name)
            zone, taking = declared.zones.get(param.source.zone), span_of(action.origin)
            moved = _moved_from(inspection, param.source.zone)
            inspection.error(
                "MC0719",
                f"`{param.source.zone}` never has a card: `{action.name}` is never legal",
                moved or taking,
                "nothing can be moved from there" if moved else "it takes a card from there",
                secondary=labels(
                    (zone.declaration.name.span if zone is not None else None, "always empty"),
                    (taking if moved else None, "it takes a card from there"),
                ),
                help=(
                    f"`move … to {param.source.zone}` at the start of a deal, or take the card "
                    "from a place that has some",
                ),
            )


def _moved_from(inspection: Inspection, zone: str) -> Span | None:
    """Where the author moves cards from a place as a deal begins: perhaps the wrong way round."""
    for entry in inspection.model.declarations.moments.values():
        moment = entry.declaration
        if not starts_deal(moment) or not inspection.is_authored(entry.steps):
            continue
        for move in nodes_of(moment, tree.Move):
            if isinstance(move.source, tree.Name) and move.source.name == zone:
                return move.span
    return None


def _zones_with_cards(program: Program) -> set[str]:
    """The zones to which cards can come from the pack, by way of others perhaps."""
    ways = list(_ways(program))
    held = {zone.name for zone in program.zones if zone.holds_pack}
    before = -1
    while before != len(held):
        before = len(held)
        held |= {to for source, to in ways if source in held}
    return held


def _ways(program: Program) -> Iterator[tuple[str, str]]:
    """Whence and whither cards are moved by any effect."""
    for node in walk((program.actions, program.moments)):
        match node:
            case MoveCount() | MoveCards() | MoveUntil():
                yield node.source.zone, node.to.zone
                for exception in getattr(node, "exceptions", ()):
                    yield node.source.zone, exception.to.zone
            case LayMeld(parts):
                yield from ((part.source.zone, MELD_ZONE) for part in parts)
            case Exchange():
                yield MELD_ZONE, node.to.zone
            case _:
                pass
