"""What speaks against a play before its effects, and against a meld as it lies."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from meldc_runtime.melds import find
from meldc_runtime.state import Meld, Play, State

if TYPE_CHECKING:
    from meldc_runtime.table import Env

THE_ACTION = "the action"
"""The name, in the names of a step, of the action (its index) that makes it."""


def environment(state: State, play: Play) -> Env | None:
    """The names of the step that a play makes; None where it has not the arguments of its action,
    or a meld does not exist.
    """
    params = state.table.course.params[play.action]
    env: Env = {"player": state.player, THE_ACTION: play.action}
    if len(params) != len(play.args):
        return None
    for (name, is_meld), arg in zip(params, play.args, strict=True):
        if is_meld:
            arg = find(state, arg) if isinstance(arg, tuple) and len(arg) == 2 else None
            if arg is None:
                return None
        env[name] = arg
    return env


def in_phase(state: State, action: int) -> bool:
    """Whether an action is possible in the phase: declared `during` it, or allowed by an allowance
    that holds.
    """
    course = state.table.course
    if state.phase in course.phases[action]:
        return True
    for allowed, phases in course.allowances[action]:
        if state.phase in phases and allowed(state, {"player": state.player}):
            return True
    return False


def raw_reasons(state: State, play: Play) -> tuple[str, ...]:
    """Why a play is refused before its effects: phase, arguments outside their domain, broken firm
    rules about the action.

    Names for `reasons_for`; empty where nothing speaks against it so far. Soft rules are not among
    them.
    """
    if state.over or not in_phase(state, play.action):
        return ("not now",)
    env = environment(state, play)
    if env is None:
        return ("no such meld",)
    outside = _outside(state, play, env)
    return rule_reasons(state, play.action, env) if outside is None else (f"domain {outside}",)


def rule_reasons(state: State, action: int, env: Env) -> tuple[str, ...]:
    """The broken firm rules about an action."""
    table = state.table
    if state.without is None and table.code.free[table.program.actions[action].name](state, env):
        return ()
    rules = table.code.rules
    return tuple(
        n
        for n in table.schedule.action_rules[action]
        if n != state.without and rules[n](state, env)
    )


def soft_reasons(state: State, play: Play, kind: str = "another") -> tuple[str, ...]:
    """The broken soft rules (`another` or `otherwise`) about the action of a play, the weightiest
    first.
    """
    table = state.table
    names = table.schedule.soft_rules[kind].get(play.action, ())
    env = environment(state, play) if names else None
    if env is None:
        return ()
    return tuple(n for n in names if n != state.without and table.code.rules[n](state, env))


def _outside(state: State, play: Play, env: Env) -> str | None:
    """The first parameter whose argument is outside its domain."""
    table = state.table
    action = table.program.actions[play.action]
    for param in action.params:
        domain = table.code.param_domain[action.name, param.name](state, env)
        value = env[param.name]
        if param.mode == "some":
            if not _some_of(value, domain):
                return param.name
        elif value not in domain:
            return param.name
    return None


def _some_of(value: Any, domain: list[Any]) -> bool:
    """Whether the values are among the domain, each as often as it is there; one at least."""
    if not isinstance(value, (tuple, list)) or not value:
        return False
    left = list(domain)
    for one in value:
        if one not in left:
            return False
        left.remove(one)
    return True


def kind_reasons(state: State, env: Env, meld: Meld, new: tuple[int, ...]) -> tuple[str, ...]:
    """The broken condition and rules of the kind of a meld. The meld must lie in `state.melds`
    already; `new`: the faces just laid. A broken condition (`if`) gives `pattern KIND`. env needs
    "player" only.
    """
    table = state.table
    names = table.schedule.kind_rules[meld.kind]
    condition = table.schedule.kind_conditions[meld.kind]
    if condition is not None and not table.code.kind_condition[condition](state, meld):
        return (f"pattern {condition}",)
    if not names:
        return ()
    judged = {"player": env["player"], "meld": meld, "new": new}
    rules = table.code.rules
    return tuple(n for n in names if n != state.without and rules[n](state, judged))
