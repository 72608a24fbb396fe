"""Play that need not go on: a phase left on a condition that nothing there changes, an action that
can be repeated without end.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TypeAlias

from meldc.check.deciding import refuses
from meldc.check.inspection import Inspection, labels
from meldc.check.packs import span_of
from meldc.check.vocabulary import MELD_ZONE
from meldc.check.walk import actions_during, moments_after, walk, walk_through
from meldc_runtime.program import effects as fx
from meldc_runtime.program import expressions as x
from meldc_runtime.program.declarations import Action, Program

Guards: TypeAlias = tuple[x.Expr, ...]
LEAVING = (fx.EndTurn, fx.EndDeal, fx.EndGame, fx.Redeal, fx.GoTo, fx.GoBack)
UNKNOWN = (x.Can, x.Only, x.CurrentPhase, x.Joined, x.Neighbour, x.SeatsOn, x.NextOf)


def check_looping(inspection: Inspection) -> None:
    """Warns of phases that hold a player, and of actions that use nothing up."""
    program = inspection.program
    for phase in program.phases:
        actions = actions_during(program, phase.name)
        if actions and all(_is_authored(inspection, each) for each in actions):
            _check_left(inspection, phase.name, actions)
    for action in program.actions:
        if _is_authored(inspection, action):
            _check_used_up(inspection, action)


def _is_authored(inspection: Inspection, action: Action) -> bool:
    return inspection.is_authored(inspection.model.declarations.actions[action.name].steps)


# ---- phases ------------------------------------------------------------------------------------


def _check_left(inspection: Inspection, phase: str, actions: list[Action]) -> None:
    """A phase of which every way out hangs on what no action there changes."""
    program = inspection.program
    ways = [
        guards
        for action in actions
        for effect, guards in _effects(program, action)
        if isinstance(effect, LEAVING) and effect != fx.GoTo(phase, None)
    ]
    ways += [
        (moment.when,)
        for moment in program.moments
        if moment.trigger.kind == "state" and moment.when is not None
        if any(isinstance(node, LEAVING) for node in walk(moment.effects))
    ]
    if not ways or () in ways or len(set(ways)) > 1:
        return  # of several conditions one may hold wherever another does not
    asked = _asked(program, ways)
    if asked is None or asked & _changed(program, actions):
        return
    last = actions[-1]
    inspection.warn(
        "MC0725",
        f"the phase `{phase}` may never be left: no action there changes what that hangs on",
        span_of(last.origin),
        "whoever plays it is asked again, and again",
        secondary=labels(
            (inspection.model.declarations.phases[phase].declaration.name.span, "the phase")
        ),
        help=("let one of its actions `end turn` or `go to` another phase",),
    )


def _asked(program: Program, conditions: Iterable[object]) -> set[str] | None:
    """The zones and memories that conditions look at; None where they look at something else."""
    found: set[str] = set()
    for node in walk_through(program, tuple(conditions)):
        match node:
            case x.ZoneCards(name) | x.Remembered(name):
                found.add(name)
            case x.MeldsOf() | x.MeldAttr():
                found.add(MELD_ZONE)
            case x.Lookup() | x.SettingValue() | x.Const():
                pass
            case x.Var(name) if name not in (x.Marker.PLAYER, x.Marker.SIDE):
                return None
        if isinstance(node, UNKNOWN):
            return None
    return found


def _changed(program: Program, actions: Iterable[Action]) -> set[str]:
    """The zones and memories that actions change, with the moments that hang on them."""
    found: set[str] = set()
    for action in actions:
        for effect, _ in _effects(program, action):
            match effect:
                case fx.Become(name) | fx.Gain(name) | fx.Chance(name):
                    found.add(name)
                case fx.MoveCount() | fx.MoveCards() | fx.MoveUntil():
                    found |= {effect.source.zone, effect.to.zone}
                case fx.Exchange():
                    found |= {effect.source.zone, effect.to.zone, MELD_ZONE}
                case fx.LayMeld(parts):
                    found |= {MELD_ZONE, *(part.source.zone for part in parts)}
    return found


def _effects(program: Program, action: Action) -> Iterator[tuple[fx.Effect, Guards]]:
    """What an action does, with the moments that hang on it, each with its conditions."""
    yield from _guarded(action.effects, ())
    for moment in moments_after(program, action):
        yield from _guarded(moment.effects, () if moment.when is None else (moment.when,))


def _guarded(effects: tuple[fx.Effect, ...], guards: Guards) -> Iterator[tuple[fx.Effect, Guards]]:
    for effect in effects:
        yield effect, guards
        match effect:
            case fx.Branch(condition, then, otherwise):
                either = _leaves(then) and _leaves(otherwise)
                inner = guards if either else (*guards, condition)
                yield from _guarded(then, inner)
                yield from _guarded(otherwise, inner)
            case fx.ForEach(_, _, body):
                yield from _guarded(body, guards)


def _leaves(effects: tuple[fx.Effect, ...]) -> bool:
    return any(isinstance(node, LEAVING) for node in walk(effects))


# ---- actions -----------------------------------------------------------------------------------


def _check_used_up(inspection: Inspection, action: Action) -> None:
    """An action that leads nowhere, and moves cards round, if any."""
    program = inspection.program
    done = [effect for effect, _ in _effects(program, action)]
    if any(isinstance(each, (*LEAVING, fx.LayMeld, fx.Exchange)) for each in done):
        return
    others = [each for phase in action.phases for each in actions_during(program, phase)]
    if not any(isinstance(e, LEAVING) for other in others for e, _ in _effects(program, other)):
        return  # that the phase is never left is said already
    moves = [e for e in done if isinstance(e, fx.MoveCount | fx.MoveCards | fx.MoveUntil)]
    sources, targets = {e.source.zone for e in moves}, {e.to.zone for e in moves}
    if sources - targets:
        return  # a place that becomes empty in the end
    rules = [refuses(rule) for rule in program.rules if action.name in rule.actions]
    asked = _asked(program, (*rules, *(param.domain for param in action.params)))
    state = [
        each.when
        for each in program.moments
        if each.trigger.kind == "state" and each.when is not None
    ]
    hooked = _asked(program, state)
    changed = _changed(program, [action])
    if asked is None or asked & changed or hooked is None or hooked & changed:
        return
    inspection.warn(
        "MC0728",
        f"`{action.name}` can be played again and again: it uses nothing up, and leads nowhere",
        span_of(action.origin),
        "nothing keeps a player from going on so for ever",
        help=(
            "let it `end turn` or `go to` another phase; or remember that it was played "
            "(`remember … = no each turn`), and ask for that in a rule",
        ),
    )
