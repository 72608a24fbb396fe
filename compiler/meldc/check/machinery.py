"""The machine as a whole: phases lead on, cards start somewhere, choices can be listed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from types import UnionType
from typing import Any

from meldc.check.dealing import starts_deal
from meldc.check.elaborator import Elaborator
from meldc.check.ownership import is_own, of_the_author, taken_away
from meldc.check.packs import span_of
from meldc.check.vocabulary import MELD_ZONE
from meldc.check.walk import reads, walk
from meldc.diagnostics import Label
from meldc.resolve.compare import nodes_of
from meldc.resolve.model import Entry
from meldc.source import Span
from meldc.syntax import tree
from meldc_runtime.program.declarations import Action, Moment, Param, Program, Rule, Trigger, Zone
from meldc_runtime.program.effects import EndDeal, EndGame, EndTurn, GoBack, GoTo, LayMeld, Shuffle
from meldc_runtime.program.expressions import And, Compare, Const, Count, Expr, Var

MOST_LISTED = 3
"""The most cards that an action may need at least, where neither a meld nor a rule says which."""


def check_machinery(el: Elaborator, program: Program) -> None:
    """Reports what would leave the machine without a next step."""
    _check_phases(el, program)
    _check_turns(el, program)
    _check_zones(el, program)
    for action in program.actions:
        several = [param for param in action.params if param.mode == "some"]
        if len(several) > 1:
            el.error(
                "MC0702",
                f"`{action.name}` takes some cards twice",
                span_of(action.origin),
                help=("one parameter of an action can be `from` a zone, the others are `in` one",),
            )
        for param in several:
            if not _can_be_listed(program, action, param):
                el.error(
                    "MC0702",
                    f"the cards of `{action.name}` cannot be listed",
                    span_of(action.origin),
                    f"a rule asks for more than {MOST_LISTED} of them, without saying how many",
                    help=(
                        f"fix their number by a rule, `{action.name} requires "
                        f"count({param.name}) = …`, or meld them",
                    ),
                )


def _check_phases(el: Elaborator, program: Program) -> None:
    if not any(phase.begins_turn for phase in program.phases):
        first = program.phases[0] if program.phases else None
        el.error(
            "MC0701",
            "no phase begins a turn",
            span_of(first.origin) if first is not None else None,
            help=("write `begins turn` behind the name of the phase in which a turn starts",),
        )
    used = {name for action in program.actions for name in action.phases}
    used |= {name for allowance in program.allowances for name in allowance.phases}
    effects = [each.effects for each in program.actions]
    effects += [each.effects for each in program.moments]
    entered = {node.phase for node in walk(tuple(effects)) if isinstance(node, GoTo)}
    for phase in program.phases:
        if phase.name in entered and phase.name not in used:
            el.error(
                "MC0708",
                f"nothing can be done in the phase `{phase.name}`",
                span_of(phase.origin),
                "it is gone to, and no action is `during` it",
                help=("add an action during it, or go to another phase",),
            )


def _check_turns(el: Elaborator, program: Program) -> None:
    """A deal and the end of a turn must lead to somebody's move."""
    if not _leads_on(program, "start", "deal", GoTo):
        starts = [each for each in program.moments if each.trigger == Trigger("start", "deal")]
        el.error(
            "MC0712",
            "nobody is to move when a deal has begun",
            span_of(starts[-1].origin) if starts else el.model.players.span,
            help=("a moment `at start of deal` must `go to` a phase for a player",),
        )
    begins = {phase.name: phase.begins_turn for phase in program.phases}
    can_end = _leads_on(program, "end", "turn", GoTo | EndDeal | EndGame)
    parts: tuple[Action | Moment, ...] = (*program.actions, *program.moments)
    for action in parts:
        found = list(walk(action.effects))
        if any(isinstance(node, EndTurn) for node in found) and not can_end:
            ends = [each for each in program.moments if each.trigger == Trigger("end", "turn")]
            removed = taken_away(el.model, "moment ", that="end of turn")
            ending, says = _end_of_turn(el, action) or span_of(action.origin), "it ends the turn"
            if ends:
                ending, says = span_of(ends[-1].origin), "the last moment of a turn"
            el.error(
                "MC0713",
                "nobody is to move when a turn has ended",
                removed[0] if removed else ending,
                "this led on to the next player" if removed else says,
                secondary=[Label(ending, says)] if removed else [],
                help=("a moment `at end of turn` must `go to` a phase for the next player",),
            )
            can_end = True
        if not isinstance(action, Action):
            continue
        first = [name for name in action.phases if begins.get(name)]
        if first and any(isinstance(node, GoBack) for node in found):
            el.error(
                "MC0714",
                f"from the phase `{first[0]}` there is no way back",
                span_of(action.origin),
                "it begins a turn",
                help=("`go back` leads out of a phase that keeps the turn of another player",),
            )


def _end_of_turn(el: Elaborator, part: Action | Moment) -> Span | None:
    """Where the turn is ended among the effects of the author's own."""
    declared = el.model.declarations
    entries: Mapping[str, Entry[Any]] = declared.moments
    if isinstance(part, Action):
        entries = declared.actions
    entry = entries.get(part.name)
    if entry is None or not of_the_author(el.model, entry.steps):
        return None
    return next((node.span for node in nodes_of(entry.declaration, tree.EndTurn)), None)


def _leads_on(program: Program, kind: str, period: str, effect: type | UnionType) -> bool:
    """Whether a moment at such a time, or one that hangs on it, has an effect."""
    names: set[str] = set()
    for moment in (*program.moments, *program.moments):
        trigger = moment.trigger
        if (trigger.kind, trigger.period) == (kind, period) or names & set(trigger.targets):
            names.add(moment.name)
            if any(isinstance(node, effect) for node in walk(moment.effects)):
                return True
    return False


def _check_zones(el: Elaborator, program: Program) -> None:
    holders = [zone for zone in program.zones if zone.holds_pack]
    if not holders:
        el.error(
            "MC0707",
            "no zone holds the pack",
            span_of(program.zones[0].origin) if program.zones else None,
            help=("write `, holds the pack` behind the zone where the cards lie before a deal",),
        )
    _check_shuffled(el, program, holders[:1])
    for extra in holders[1:]:
        el.error(
            "MC0707",
            "two zones hold the pack",
            span_of(extra.origin),
            "this one too",
            secondary=[Label(span_of(holders[0].origin), "the first")],
            help=("all cards lie in one zone before a deal",),
        )
    for zone in program.zones:
        if zone.name == MELD_ZONE and zone.owner != "side":
            el.error(
                "MC0711",
                f"`{MELD_ZONE}` are those of a side",
                span_of(zone.origin),
                help=(f"write `zone {MELD_ZONE} of side`",),
            )


def _place_of_start(el: Elaborator) -> Span | None:
    """The game's own moment at the start of a deal, or what it takes away of those."""
    for entry in el.model.declarations.moments.values():
        if starts_deal(entry.declaration) and is_own(el.model, entry.steps):
            return entry.declaration.name.span
    return next(iter(taken_away(el.model, "moment ")), None)


def _check_shuffled(el: Elaborator, program: Program, holders: list[Zone]) -> None:
    """The pack lies in its order until it is shuffled: without that all deals are the same."""
    done = walk((program.moments, program.actions))
    shuffled = {node.zone.zone for node in done if isinstance(node, Shuffle)}
    for holder in holders:
        if holder.name not in shuffled:
            el.warn(
                "MC0739",
                f"`{holder.name}` is never shuffled: every deal is the same",
                _place_of_start(el) or span_of(holder.origin),
                help=(f"`shuffle {holder.name}` belongs to a moment `at start of deal`",),
            )


# ---- choices of several cards ------------------------------------------------------------------


def _can_be_listed(program: Program, action: Action, param: Param) -> bool:
    for node in walk(action.effects):
        if isinstance(node, LayMeld) and any(reads(part.cards, param.name) for part in node.parts):
            return True
    demands = [
        demand
        for rule in program.rules
        if action.name in rule.actions and not rule.soft
        for demand in _demands(rule, param.name)
    ]
    if any(sign == "=" for sign, _ in demands):
        return True
    least = max((_least(sign, bound) for sign, bound in demands), default=1)
    return least <= MOST_LISTED


def _demands(rule: Rule, name: str) -> Iterator[tuple[str, Expr]]:
    """What a rule asks of the number of cards: sign and bound."""
    if rule.requires is None or rule.when is not None or rule.unless is not None:
        return
    parts = rule.requires.operands if isinstance(rule.requires, And) else (rule.requires,)
    for part in parts:
        match part:
            case Compare(sign, Count(Var(counted), _, None), bound) if counted == name:
                yield sign, bound
            case _:
                pass


def _least(sign: str, bound: Expr) -> int:
    if not isinstance(bound, Const) or not isinstance(bound.value, int):
        return 1
    return {">=": bound.value, ">": bound.value + 1}.get(sign, 1)
