"""Asks for plays that may well be illegal, so that rules which only refuse are met."""

from __future__ import annotations

from typing import Any

from meldc_runtime import legality, machine
from meldc_runtime.program.declarations import Param
from meldc_runtime.randomness import Random
from meldc_runtime.state import Meld, Play, State

MOST_CARDS = 4


def probe(state: State, random: Random) -> None:
    """Judges one play of each action of the phase, with arguments at random."""
    table = state.table
    for index, action in enumerate(table.program.actions):
        if not machine.in_phase(state, index):
            continue
        env: dict[str, Any] = {"player": state.player}
        arguments: list[Any] = []
        for param in action.params:
            domain = table.code.param_domain[action.name, param.name](state, env)
            if not domain:
                break
            value = _choice(param, list(domain), random)
            env[param.name] = value
            arguments.append((value.owner, value.serial) if isinstance(value, Meld) else value)
        else:
            legality.why_illegal(state, Play(index, tuple(arguments)))


def _choice(param: Param, domain: list[Any], random: Random) -> Any:
    if param.mode == "one":
        return domain[random.below(len(domain))]
    number = 1 + random.below(min(MOST_CARDS, len(domain)))
    chosen = []
    for _ in range(number):
        chosen.append(domain.pop(random.below(len(domain))))
    return tuple(sorted(chosen))
