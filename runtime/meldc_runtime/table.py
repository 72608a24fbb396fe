"""A Program seated: how many play, in sides of which size, and all that follows from it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Callable

from meldc_runtime.foresight import Foresight
from meldc_runtime.program.declarations import Program
from meldc_runtime.state import Meld, State

Env = dict[str, Any]
"""The names of a step: `player`, the parameters of the action, its `let`s; for rules about a kind `meld` and `new`.

A parameter that is a meld is the `Meld` itself here; cards are a tuple of faces."""


class SeatingError(ValueError):
    """The game is not played by so many, or not in sides of this size."""


@dataclass(frozen=True, slots=True)
class Code:
    """The compiled functions of a Table, by the names of what they come from; see docs/kernel.md.

    Where a condition is always met there is still a function. `env` needs "player"; other names only where the node reads them.
    """

    source: str
    rules: dict[str, Callable[[State, Env], bool]]  # True: broken
    allowances: dict[str, Callable[[State, Env], bool]]
    definitions: dict[str, Callable[..., Any]]
    moment_when: dict[str, Callable[[State, Env], bool]]
    effects: dict[str, Callable[[State, Env], None]]  # of actions and moments
    scores: dict[str, Callable[[State, int], int | None]]  # of a side or player; None: does not apply
    sort: dict[str, Callable[[State, Meld], int | None]]
    kind_cards: dict[str, Callable[[State, int], bool]]
    kind_contains: dict[str, tuple[Callable[[State, int], bool], ...]]
    kind_condition: dict[str, Callable[[State, Meld], bool]]
    param_domain: dict[tuple[str, str], Callable[[State, Env], list[Any]]]
    memory_initial: dict[str, Callable[[State, Env], Any]]
    lookups: dict[str, Callable[[State, Any], Any]]  # tables by number, band and card


class Table:
    """A Program for a number of players and a size of sides; one Table serves all states.

    players: default 4 where allowed, else the first allowed. side_size: default the first allowed that makes two sides or more.
    Raises SeatingError.

    Attributes: program, players, sides, side_size; pack (faces, sorted); settings (folded values);
    code; actions, moments, kinds, phases (name -> index); rows (table -> row name -> index); zone_slots, memory_slots.
    """

    program: Program
    players: int
    side_size: int
    sides: int
    pack: tuple[int, ...]
    settings: dict[str, Any]
    actions: dict[str, int]
    moments: dict[str, int]
    kinds: dict[str, int]
    phases: dict[str, int]
    rows: dict[str, dict[str, int]]
    zone_slots: int
    memory_slots: int
    code: Code
    foresight: Foresight
    """Answers `can` and `only`; assign one. Until then `meldc_runtime.lookahead.foresight(table)` is used on first need."""

    def __init__(self, program: Program, players: int | None = None, side_size: int | None = None) -> None:
        raise NotImplementedError

    def side_of(self, player: int) -> int:
        """The side of a player: player modulo number of sides."""
        return player % self.sides

    def players_of(self, side: int) -> tuple[int, ...]:
        """The players of a side, clockwise."""
        return tuple(range(side, self.players, self.sides))

    def zone_slot(self, name: str, owner: int | None = None) -> int:
        """Index into `State.zones`; owner a player or side as the zone is declared, None for an unowned zone."""
        raise NotImplementedError

    def memory_slot(self, name: str, owner: int | None = None) -> int:
        """Index into `State.memory`. `total` (of side), `dealer`, `deal_number` always exist."""
        raise NotImplementedError

    def can_be_wild(self, state: State, card: int) -> bool:
        """Whether a card is of the class `wild` (none is where the Program has no such class)."""
        raise NotImplementedError
