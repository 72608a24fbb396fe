"""Search over the machine's own plays: exact, for any Program, and slow. What the quicker answers
cannot settle comes here.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator
from typing import Any

from meldc_runtime import machine
from meldc_runtime.candidates import Candidates
from meldc_runtime.cards import FACE
from meldc_runtime.state import Play, Refused, State

NODES = 400
"""Positions looked at for one question before it is cut off."""

REMEMBERED = 2_000
"""Dead positions kept before all are forgotten."""


class CutOff(Exception):  # noqa: N818
    """The question took too long."""


Goal = Callable[[State], bool]


class Search:
    """Finds plays of one player to an accepted end of the turn, or to a step after which something
    else holds.
    """

    def __init__(self, candidates: Candidates) -> None:
        self.candidates = candidates
        self.dead: set[Any] = set()
        self.budget = 0
        self.within = 0
        """Searches that are going on: rules that look ahead start others within them."""
        self.hopeless: Goal | None = None
        self.matters: list[int] = []
        """Memories that rules about the end of the turn read: plays that change them are tried
        first.
        """

    def path(
        self,
        state: State,
        last_resort: bool,
        goal: Goal | None = None,
        hopeless: Goal | None = None,
        limit: int = NODES,
    ) -> tuple[Play, ...] | None:
        """Plays of the player to act from a blind state that complete the turn, or reach the goal;
        None where there are none.

        last_resort: whether endings count that a rule allows only where the turn cannot end
        otherwise. hopeless: holds only of states from which there is no way. Raises CutOff.
        """
        outer = self.budget, self.hopeless
        self.budget, self.hopeless = limit // 4**self.within, hopeless
        dead = self.dead if goal is None and not self.within else set()
        if len(dead) > REMEMBERED:
            dead.clear()
        self.within += 1
        try:
            path = self._descend(state, last_resort, goal, dead)
        finally:
            self.within -= 1
            self.budget, self.hopeless = outer
        return None if path is None else tuple(reversed(path))

    def nearest(
        self, state: State, last_resort: bool, goal: Goal | None = None, limit: int = NODES
    ) -> tuple[Play, ...] | None:
        """The same by as few plays as can be, for where plays go on and on. Raises CutOff."""
        waiting: deque[tuple[State, tuple[Play, ...]]] = deque([(state, ())])
        seen: set[Any] = set()
        while waiting:
            now, path = waiting.popleft()
            key = key_of(now, self.candidates)
            if key in seen:
                continue
            if len(seen) >= limit:
                raise CutOff
            seen.add(key)
            for play, after, reached in self._steps(now, last_resort, goal):
                if reached:
                    return (*path, play)
                waiting.append((after, (*path, play)))
        return None

    def _steps(
        self, state: State, last_resort: bool, goal: Goal | None
    ) -> Iterator[tuple[Play, State, bool]]:
        """The plays from a state with the states they lead to, and whether these are the goal;
        those that complete the turn and do not reach it left out.
        """
        for play in self.candidates.plays(state):
            after = self.made(state, play, last_resort)
            if after is None:
                continue
            done = completed(after, state.player, state.turn)
            reached = done if goal is None else goal(after)
            if (reached or not done) and not self.candidates.late_broken(state, play):
                yield play, after, reached

    def _descend(
        self, state: State, last_resort: bool, goal: Goal | None, dead: set[Any]
    ) -> list[Play] | None:
        key = (last_resort, state.without, key_of(state, self.candidates))
        if key in dead:
            return None
        self.budget -= 1
        if self.budget < 0:
            raise CutOff
        if self.hopeless is not None and self.hopeless(state):
            dead.add(key)
            return None
        later: list[tuple[Play, State]] = []
        for play, after, reached in self._steps(state, last_resort, goal):
            if reached:
                return [play]
            later.append((play, after))
        side = state.table.side_of(state.player)
        later.sort(
            key=lambda pair: (
                all(pair[1].memory[slot] == state.memory[slot] for slot in self.matters),
                -sum(len(meld.cards) for meld in pair[1].melds[side]),
            )
        )
        for play, after in later:
            path = self._descend(after, last_resort, goal, dead)
            if path is not None:
                path.append(play)
                return path
        dead.add(key)
        return None

    def after(self, state: State, play: Play, last_resort: bool) -> State | None:
        """The blind state after a candidate; None where a rule that looks ahead or what follows
        from the play refuses it.
        """
        after = self.made(state, play, last_resort)
        return None if after is None or self.candidates.late_broken(state, play) else after

    def made(self, state: State, play: Play, last_resort: bool) -> State | None:
        """The same, rules that look ahead not judged."""
        if not last_resort and self.candidates.marked(state, play):
            return None
        after = blinded(state)
        try:
            machine.perform(after, play)
        except Refused:
            return None
        return None if after.last_resort and not last_resort else after


def blinded(state: State) -> State:
    """A copy for look-ahead: cards that the player to act has not seen come as unknown ones."""
    copy = state.copy()
    copy.blind = True
    copy.happened = ()
    copy.ended = copy.again = False
    return copy


def completed(state: State, player: int, turn: int) -> bool:
    """Whether it is no longer the player's own affair: the deal or the turn is over, or another
    player is asked. Where the same player must act again the affair goes on.
    """
    ended = state.ended and not state.again
    return state.over or ended or state.player != player or state.turn != turn


def key_of(state: State, candidates: Candidates) -> Any:
    """What two states must share to be one position; cards by kind, where their order does not
    matter sorted.
    """
    kind_of = candidates.kinds.of
    ordered = candidates.ordered_zones
    zones = tuple(
        tuple(zone) if is_ordered else tuple(sorted([kind_of[card & FACE] for card in zone]))
        for is_ordered, zone in zip(ordered, state.zones, strict=True)
    )
    melds = tuple(
        tuple(
            sorted(
                (
                    meld.kind,
                    meld.low or 0,
                    tuple(sorted([(kind_of[c & FACE], c >> 6) for c in meld.cards])),
                )
                for meld in side
            )
        )
        for side in state.melds
    )
    memory = tuple(tuple(value) if isinstance(value, list) else value for value in state.memory)
    return (
        state.phase,
        state.player,
        state.turn,
        state.back,
        state.last_resort,
        zones,
        melds,
        memory,
    )
