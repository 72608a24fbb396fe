"""Rules that can leave a player without a play: nothing held fits, and nothing else leads on."""

from __future__ import annotations

from collections.abc import Iterator

from meldc.check.dealing import starts_of_deal
from meldc.check.deciding import cards_chosen, refuses
from meldc.check.hands import dealt_to
from meldc.check.inspection import Inspection
from meldc.check.naming import cards_named
from meldc.check.possible.domain import CARDS, Possible
from meldc.check.possible.judge import Judge
from meldc.check.possible.memories import all_effects
from meldc.check.possible.narrowed import Narrowed
from meldc.check.walk import moments_after, walk
from meldc.source import Span
from meldc.syntax import tree
from meldc_runtime.program import expressions as x
from meldc_runtime.program.declarations import Action, Moment, Program, Rule
from meldc_runtime.program.effects import (
    Become,
    Chance,
    EndDeal,
    EndGame,
    EndTurn,
    Gain,
    GoTo,
    LayMeld,
    MoveCards,
    MoveCount,
    MoveUntil,
)

ENDS = (EndTurn, EndDeal, EndGame)


def check_stranding(inspection: Inspection) -> None:
    """Reports hard rules of the game's own that some hand, or a side without melds, cannot keep."""
    for rule in inspection.program.rules:
        entry = inspection.model.declarations.rules.get(rule.name)
        told = rule.name in inspection.at_odds
        if told or rule.soft or entry is None or not inspection.is_own(entry.steps):
            continue
        if rule.end_of_turn:
            _check_end_of_turn(inspection, rule)
        for name in rule.actions:
            action = next(each for each in inspection.program.actions if each.name == name)
            if _is_only_way(inspection.program, action) and _check_action(inspection, rule, action):
                break


# ---- actions with a card of the hand -----------------------------------------------------------


def _check_action(inspection: Inspection, rule: Rule, action: Action) -> bool:
    """A hand of one sort of card only, none of which the rule lets go."""
    card = cards_chosen(inspection, (action.name,))
    if not card:
        return False
    domain = next(param.domain for param in action.params if param.name == card[0])
    if not isinstance(domain, x.ZoneCards):
        return False
    judge = inspection.judges[0]
    held = [
        face
        for face in sorted(judge.zones.get(domain.zone, ()))
        if judge.truth(refuses(rule), {card[0]: CARDS[face]}) is not False
    ]
    stuck = [face for face in held if _is_stuck(judge, rule, card[0], domain.zone, face)]
    if not stuck and rule.requires is None and rule.unless is not None:
        stuck = _stuck_at_first(judge, rule, card[0], domain.zone, held)
    if not stuck or len(stuck) == len(judge.pack):
        return False
    words = cards_named(stuck, judge.pack)
    _report(
        inspection,
        rule,
        f"`{rule.name}` can leave a player without a play: who holds nothing but {words} "
        f"cannot `{action.name}`",
    )
    return True


def _is_stuck(judge: Judge, rule: Rule, card: str, zone: str, face: int) -> bool:
    narrowed = Narrowed(judge, holding={zone: {face}})
    return narrowed.truth(refuses(rule), {card: CARDS[face]}) is True


def _stuck_at_first(judge: Judge, rule: Rule, card: str, zone: str, held: list[int]) -> list[int]:
    """Cards that fill a whole hand, none of which the rule lets go before anything was played."""
    dealt = dealt_to(judge, zone)
    narrowed = Narrowed(
        judge, holding={zone: set(held), **_empty_at_first(judge)}, memories=_start(judge)
    )
    stuck = [face for face in held if narrowed.truth(refuses(rule), {card: CARDS[face]}) is True]
    alone = Narrowed(
        judge, holding={zone: set(stuck), **_empty_at_first(judge)}, memories=_start(judge)
    )
    stuck = [face for face in stuck if alone.truth(refuses(rule), {card: CARDS[face]}) is True]
    many = sum(judge.pack[face] for face in stuck)
    return stuck if dealt is not None and many >= dealt else []


def _empty_at_first(judge: Judge) -> dict[str, set[int]]:
    """The places to which nothing is moved while cards are dealt."""
    filled = {
        node.to.zone
        for moment in starts_of_deal(judge.program)
        for node in walk(moment.effects)
        if isinstance(node, MoveCards | MoveCount | MoveUntil)
    }
    return {
        each.name: set()
        for each in judge.program.zones
        if each.name not in filled and not each.holds_pack
    }


def _start(judge: Judge) -> dict[str, Possible]:
    """What memories of yes and no hold before anything has happened, where that is known."""
    bare = Narrowed(judge, bare=True)
    found = {
        each.name: bare.of(each.initial)
        for each in judge.program.memories
        if each.type == "yes_no" and each.initial is not None
    }
    return {name: value for name, value in found.items() if value.known}


def _is_only_way(program: Program, action: Action) -> bool:
    """Whether nothing but this action, or melding, leads on from its phases."""
    allowed = {name: each.phases for each in program.allowances for name in each.actions}
    for other in program.actions:
        phases = {*other.phases, *allowed.get(other.name, ())}
        if other is action or not phases & set(action.phases):
            continue
        melds = any(isinstance(node, LayMeld) for node in walk(other.effects))
        if not melds and _leads_on(program, other):
            return False
    return any(isinstance(node, (*ENDS, GoTo)) for node in _following(program, action))


def _leads_on(program: Program, action: Action) -> bool:
    begins = {phase.name for phase in program.phases if phase.begins_turn}
    return any(
        isinstance(node, ENDS) or (isinstance(node, GoTo) and node.phase in begins)
        for node in _following(program, action)
    )


def _following(program: Program, action: Action) -> Iterator[object]:
    """All that an action does, with the moments that hang on it."""
    yield from walk(action.effects)
    for moment in moments_after(program, action):
        yield from walk(moment.effects)


# ---- the end of a turn -------------------------------------------------------------------------


def _check_end_of_turn(inspection: Inspection, rule: Rule) -> None:
    """A turn in which nothing can be melded, at the beginning of a deal."""
    program = inspection.program
    if any(
        isinstance(node, EndDeal)
        for action in program.actions
        if not any(isinstance(each, EndTurn) for each in walk(action.effects))
        and not set(action.phases) & {p.name for p in program.phases if p.begins_turn}
        for node in walk(action.effects)
    ):
        return  # the deal can be ended in the place of the turn
    for judge in inspection.judges:
        bare = Narrowed(judge, memories=_untouched(judge, program), bare=True)
        if bare.truth(refuses(rule)) is True:
            _report(
                inspection,
                rule,
                f"`{rule.name}` can leave a player without a play: who can meld nothing cannot end "
                "the turn",
            )
            return


def _untouched(judge: Judge, program: Program) -> dict[str, Possible]:
    """The memories that only melding changes, as they are before."""
    bare = Narrowed(judge, bare=True)
    parts: list[Action | Moment] = [*program.actions, *program.moments]
    idle = {
        each.name
        for each in program.actions
        if any(isinstance(node, LayMeld) for node in walk(each.effects))
    }
    for moment in program.moments:
        hooked = set(moment.trigger.targets)
        if (hooked and hooked <= idle) or bare.truth(moment.when) is False:
            idle.add(moment.name)
    written = {
        node.memory
        for part in parts
        if part.name not in idle
        for node in walk(part.effects)
        if isinstance(node, Become | Gain | Chance)
    }
    changed = {e.memory for e in all_effects(program) if isinstance(e, Become | Gain | Chance)}
    found = {}
    for memory in program.memories:
        if memory.name in changed - written and memory.initial is not None:
            value = bare.of(memory.initial)
            if value.known:
                found[memory.name] = value
    return found


# ---- report ------------------------------------------------------------------------------------


def _report(inspection: Inspection, rule: Rule, message: str) -> None:
    given = inspection.model.declarations.rules[rule.name].declaration
    inspection.warn(
        "MC0733",
        message,
        _condition(given) or given.name.span,
        "it binds even where nothing else is possible",
        help=(
            "write `while another will do` below it, or say in `unless` when it does not bind"
            if rule.actions
            else "say in `unless` when it does not bind, or let a moment end the deal then",
        ),
    )


def _condition(given: tree.RuleDecl) -> Span | None:
    if isinstance(given.verdict, tree.Requires):
        return given.verdict.condition.span
    return given.when.span if given.when is not None else None
