"""What the writer hands over: the compiled functions of a Table."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from meldc_runtime.light import dataclass
from meldc_runtime.state import Meld, State

Env = dict[str, Any]
ByFace = tuple[Any, ...]
Condition = Callable[[State, Env], bool]


@dataclass(frozen=True, slots=True)
class Code:
    """Functions by the names of what they come from. `env` needs "player"; other names only where
    the node reads them.

    source, namespace: the module and what is defined in it.
    rules: True where the rule is broken (`when`, `unless`, `requires` composed). effects: of
    actions and moments. scores: points of a side or player, None where the line does not apply.
    sort: the row of a sorting table for a meld. kind_cards: what may lie as itself. kind_condition:
    the `if` of a kind, True where there is none. param_domain: the values that a parameter ranges
    over. lookups: the tables by number, band and card. naturals (by kind), wilds: tuples by face
    for the present state. free: of actions, whether no firm rule about it is broken. next_moment:
    the first state moment (a place in `Machinery.scan`) that is due, free and not done; -1 for
    none. due_moments: those due and not done. memory_resets: sets the memory of a scope anew.
    never_broken: rules that the settings switch
    off. always_due: moments without a condition. never_allowed: allowances switched off.
    fixed_naturals, fixed_wilds: the tuples where they never change.
    """

    source: str
    namespace: dict[str, Any]
    rules: dict[str, Condition]
    allowances: dict[str, Condition]
    definitions: dict[str, Callable[..., Any]]
    moment_when: dict[str, Condition]
    effects: dict[str, Callable[[State, Env], None]]
    scores: dict[str, Callable[[State, int], int | None]]
    sort: dict[str, Callable[[State, Meld], int | None]]
    kind_cards: dict[str, Callable[[State, int], bool]]
    kind_contains: dict[str, tuple[Callable[[State, int], bool], ...]]
    kind_condition: dict[str, Callable[[State, Meld], bool]]
    param_domain: dict[tuple[str, str], Callable[[State, Env], list[Any]]]
    lookups: dict[str, Callable[[State, Any], Any]]
    naturals: tuple[Callable[[State], ByFace], ...]
    wilds: Callable[[State], ByFace]
    free: dict[str, Condition]
    next_moment: Callable[[State, Env, Any], int]
    memory_resets: dict[str, Callable[[State, int], None]]
    never_broken: frozenset[str]
    always_due: frozenset[str]
    never_allowed: frozenset[str]
    fixed_naturals: tuple[ByFace | None, ...]
    fixed_wilds: ByFace | None
