"""Melds that are begun with the fewest cards, and then never grow."""

from __future__ import annotations

from collections.abc import Iterator

from meldc.check.inspection import Inspection, labels
from meldc.check.ownership import taken_away
from meldc.check.packs import span_of
from meldc.check.walk import walk
from meldc.source import Span
from meldc_runtime.program.declarations import Action, MeldKind, Program
from meldc_runtime.program.effects import LayMeld
from meldc_runtime.program.expressions import AllSides, Filter, MeldsOf, SideOf, Var


def check_growing(inspection: Inspection) -> None:
    """Warns of an action that begins melds, in a phase where none of the own can grow.

    Melds are begun with the fewest cards that their kind allows, and grow card by card: without an
    action for that no larger meld can be laid.
    """
    program = inspection.program
    larger = [kind.name for kind in program.kinds if _can_be_larger(kind)]
    if not larger:
        return
    for action in program.actions:
        if not _begins_melds(action):
            continue
        lacking = [phase for phase in action.phases if phase not in set(_phases_to_grow(program))]
        if lacking:
            inspection.warn(
                "MC0717",
                f"a meld of the kind `{larger[0]}` never grows in the phase `{lacking[0]}`",
                _own_place(inspection) or span_of(action.origin),
                "no meld of the own grows by this"
                if _own_place(inspection)
                else "it is begun here",
                secondary=labels((span_of(action.origin), "begun with the fewest cards")),
                help=(
                    f"add an action `during {', '.join(lacking)}` that lays cards on a meld: "
                    '`action add(cards from hand, home in melds) "add {cards} to {home}"`, with '
                    "`meld cards onto home`",
                ),
            )


def _own_place(inspection: Inspection) -> Span | None:
    """What the game itself says of melding, or takes away of what can be done."""
    declared = inspection.model.declarations.actions
    for action in inspection.program.actions:
        melds = any(isinstance(node, LayMeld) for node in walk(action.effects))
        if melds and inspection.is_own(declared[action.name].steps):
            return span_of(action.origin)
    return next(iter(taken_away(inspection.model, "action ")), None)


def _can_be_larger(kind: MeldKind) -> bool:
    """Whether a kind has melds that are not reached by beginning them, nor by beginning again."""
    if kind.how_many != "many" or kind.shape in ("groups", "all_different"):
        return False
    low, high = max(kind.size[0], kind.naturals[0] + kind.wilds[0]), kind.size[1]
    return high is None or high > low


def _begins_melds(action: Action) -> bool:
    some = {Var(param.name) for param in action.params if param.mode == "some"}
    return any(
        isinstance(node, LayMeld)
        and node.onto is None
        and len(node.parts) == 1
        and node.parts[0].cards in some
        for node in walk(action.effects)
    )


def _phases_to_grow(program: Program) -> Iterator[str]:
    """The phases in which cards can be laid on a meld of the own."""
    for action in program.actions:
        own = {Var(p.name) for p in action.params if p.type == "meld" and _holds_own(p.domain)}
        if any(isinstance(node, LayMeld) and node.onto in own for node in walk(action.effects)):
            yield from action.phases
            yield from (
                phase
                for allowance in program.allowances
                if action.name in allowance.actions
                for phase in allowance.phases
            )


def _holds_own(domain: object) -> bool:
    """Whether the melds to choose from are, or may be, of the player's side."""
    match domain:
        case Filter(source):
            return _holds_own(source)
        case MeldsOf(owner):
            return isinstance(owner, AllSides) or owner == SideOf(Var("player"))
        case _:
            return True
