"""The machine that plays a Table: deals, plays, moments, turns, scores. "Meaning of a step" in docs/language.md is its specification."""

from __future__ import annotations

from collections.abc import Iterable

from meldc_runtime.state import Meld, Play, Reason, State
from meldc_runtime.table import Env, Table


def start_game(table: Table, seed: int, dealer: int = 0) -> State:
    """A new game with its first deal dealt, up to the first decision (or the end of the deal)."""
    raise NotImplementedError


def new_state(table: Table, seed: int = 0, dealer: int = 0) -> State:
    """A game before its first deal: memories of game, deal and turn at their first values, the pack in its zone, deal_number 1."""
    raise NotImplementedError


def start_deal(state: State) -> None:
    """Deals: memories of deal and turn anew, all cards into the zone that holds the pack, moments at start of deal, first turn."""
    raise NotImplementedError


def next_deal(state: State) -> None:
    """The following deal, in place: after `over` and before `game_over`. Raises ValueError otherwise."""
    raise NotImplementedError


def environment(state: State, play: Play) -> Env | None:
    """The names of the step that a play makes; None where a named meld does not exist."""
    raise NotImplementedError


def raw_reasons(state: State, play: Play) -> tuple[str, ...]:
    """Why a play is refused before its effects: phase, arguments outside their domain, broken firm rules about the action.

    Names for `reasons_for`; empty where nothing speaks against it so far. Soft rules are not among them.
    """
    raise NotImplementedError


def soft_reasons(state: State, play: Play, kind: str = "another") -> tuple[str, ...]:
    """The broken soft rules (`another` or `otherwise`) about the action of a play, the weightiest first."""
    raise NotImplementedError


def in_phase(state: State, action: int) -> bool:
    """Whether an action is possible in the phase: declared `during` it, or allowed by an allowance that holds."""
    raise NotImplementedError


def kind_reasons(state: State, env: Env, meld: Meld, new: tuple[int, ...]) -> tuple[str, ...]:
    """The broken condition and rules of the kind of a meld. The meld must lie in `state.melds` already; `new`: the faces just laid.

    A broken condition (`if`) gives `pattern KIND`. env needs "player" only.
    """
    raise NotImplementedError


def apply(state: State, play: Play) -> None:
    """Makes a play, in place, with all that follows from it, up to the next decision or the end of the deal.

    Raises Refused (names for `reasons_for`); the state is spoilt then. Soft rules and look-ahead are not judged here.
    """
    raise NotImplementedError


def perform(state: State, play: Play, env: Env | None = None) -> None:
    """`apply` without judging phase, domains and rules about the action: for plays that `raw_reasons` has passed."""
    raise NotImplementedError


def reasons_for(state: State, env: Env, names: Iterable[str]) -> tuple[Reason, ...]:
    """The reasons that names stand for, sentences with their values on this state."""
    raise NotImplementedError


def score_deal(state: State) -> None:
    """Counts the deal as it lies: `sheet` and `scores`, totals updated, moments at end of deal, `over` (and `game_over`)."""
    raise NotImplementedError
