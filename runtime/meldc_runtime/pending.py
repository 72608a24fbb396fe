"""What is due and cannot happen yet, for telling people what their turn still needs."""

from __future__ import annotations

from meldc_runtime import machine
from meldc_runtime.state import Reason, State


def pending(state: State) -> tuple[Reason, ...]:
    """The rules that keep moments which are due for the player in turn from happening."""
    if state.over:
        return ()
    table = state.table
    env = {"player": state.turn}
    names: list[str] = []
    for moment in table.program.moments:
        if moment.trigger.kind == "state" and table.code.moment_when[moment.name](state, env):
            names += [
                rule.name
                for rule in table.program.rules
                if moment.name in rule.moments and table.code.rules[rule.name](state, env)
            ]
    return machine.reasons_for(state, env, dict.fromkeys(names))
