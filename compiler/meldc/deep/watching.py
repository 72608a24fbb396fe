"""Counts what rules, moments and effects do while a table is played at."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from meldc.deep.findings import Tried
from meldc_runtime.course import Course
from meldc_runtime.state import State
from meldc_runtime.table import Table

Env = dict[str, Any]


def watch(table: Table, tried: Tried) -> None:
    """Puts counters around the rules and moments of a table that nobody has played at yet."""
    code = table.code
    moments = {moment.name for moment in table.program.moments}
    for name, rule in code.rules.items():
        code.rules[name] = _counted_rule(rule, name, tried)
    for name, effect in code.effects.items():
        if name in moments:
            code.effects[name] = _counted_effect(effect, name, tried)
    for action in table.program.actions:
        tried.actions[action.name] += 0
    table.course = Course(table.schedule, code)
    tried.off |= {*code.never_broken, *code.never_allowed}


def _counted_rule(
    rule: Callable[[State, Env], bool], name: str, tried: Tried
) -> Callable[[State, Env], bool]:
    judged, broken = tried.judged, tried.broken
    judged[name] += 0

    def counted(state: State, env: Env) -> bool:
        judged[name] += 1
        if rule(state, env):
            broken[name] += 1
            return True
        return False

    return counted


def _counted_effect(
    effect: Callable[[State, Env], None], name: str, tried: Tried
) -> Callable[[State, Env], None]:
    happened = tried.happened
    happened[name] += 0

    def counted(state: State, env: Env) -> None:
        if not state.blind:
            happened[name] += 1
        effect(state, env)

    return counted
