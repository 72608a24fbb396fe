"""Which rules keep a turn from being completed, where only look-ahead refuses a play."""

from __future__ import annotations

from typing import TYPE_CHECKING

from meldc_runtime import machine
from meldc_runtime.lookahead.search import blinded
from meldc_runtime.program import expressions as x
from meldc_runtime.state import Play, Refused, State

if TYPE_CHECKING:
    from meldc_runtime.lookahead.outlook import Outlook


def hindrances(
    outlook: Outlook, state: State, play: Play, after: State, last_resort: bool
) -> tuple[str, ...]:
    """The rules that keep the due moments, else the end of the turn, from happening after a play;
    else what allows the play only as a last resort.
    """
    if not last_resort and (
        outlook.candidates.marked(state, play) or after.last_resort or outlook.has_marks
    ):
        marked = _marks(outlook, state, play, after)
        if marked:
            return marked
    due = _due(outlook, after)
    if due:
        return due
    return _refusals(outlook, after)


def _marks(outlook: Outlook, state: State, play: Play, after: State) -> tuple[str, ...]:
    """The rules of the last resort, where with them left aside the play would be legal."""
    if not outlook.allows(state, play, last_resort=True):
        return ()
    own = machine.soft_reasons(state, play, "otherwise")
    if own:
        return own
    return tuple(rule.name for rule in outlook.table.program.rules if rule.soft == "otherwise")


def _due(outlook: Outlook, state: State) -> tuple[str, ...]:
    """The broken rules about state moments that are due."""
    program, code = outlook.table.program, outlook.table.code
    env = {x.Marker.PLAYER: state.player}
    found: list[str] = []
    for moment in program.moments:
        if moment.trigger.kind == "state" and code.moment_when[moment.name](state, env):
            rules = [
                rule.name for rule in program.rules if moment.name in rule.moments and not rule.soft
            ]
            found.extend(
                name for name in rules if name != state.without and code.rules[name](state, env)
            )
    return tuple(dict.fromkeys(found))


def _refusals(outlook: Outlook, state: State) -> tuple[str, ...]:
    """Why the plays that are left are refused: what follows, else the rules about them."""
    found: list[str] = []
    for play in outlook.candidates.plays(state):
        after = blinded(state)
        try:
            machine.perform(after, play)
        except Refused as refused:
            found.extend(str(reason) for reason in refused.reasons)
        else:
            found.extend(_due(outlook, after))
    if not found:
        found = _rules_against(outlook, state)
    return tuple(dict.fromkeys(found))


def _rules_against(outlook: Outlook, state: State) -> list[str]:
    found: list[str] = []
    for form in outlook.candidates.forms:
        if not machine.in_phase(state, form.index) or len(form.action.params) > 1:
            continue
        if not form.action.params:
            found.extend(machine.raw_reasons(state, Play(form.index)))
        elif form.action.params[0].mode == "one":
            name = form.action.params[0].name
            for value in outlook.candidates.domain(
                state, form, name, {x.Marker.PLAYER: state.player}
            ):
                found.extend(machine.raw_reasons(state, Play(form.index, (value,))))
    return found
