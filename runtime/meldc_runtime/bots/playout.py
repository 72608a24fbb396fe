"""Going on from an imagined position for a while, in melding games everyone doing what looks best
at once.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from meldc_runtime import legality, machine
from meldc_runtime.bots.worth import Worth
from meldc_runtime.randomness import Random
from meldc_runtime.state import Play, Refused, State

NEVER = float("-inf")


@dataclass(slots=True)
class Playouts:
    """Plays positions on. made: plays made so far, all playouts together."""

    worth: Worth
    made: int = 0
    luck: int = 0
    random: Random = field(default_factory=lambda: Random(0))

    def begin(self, luck: int) -> None:
        """Chance for playouts to come: the same luck does the same in the same position."""
        self.luck = luck
        self.random = Random(luck)

    def after(self, state: State, play: Play) -> State | None:
        """The position after a play; None where the machine refuses it there."""
        other = state.copy()
        try:
            machine.apply(other, play)
        except Refused:
            return None
        self.made += 1
        return other

    def play_on(self, state: State, plies: int, back_to: int | None = None) -> None:
        """Plays on in place: to the end of the deal, or for so many plays, or until the player
        `back_to` has another turn.
        """
        away = False
        for _ in range(plies):
            if state.turn != back_to:
                away = True
            elif away:
                return
            if not self._one(state):
                return

    def finish_turn(self, state: State, turn: int, plies: int) -> bool:
        """Plays on in place while it is the turn of this player, for so many plays at most; False
        where the turn cannot be ended.
        """
        for _ in range(plies):
            if state.over or state.turn != turn:
                return True
            if not self._one(state):
                return False
        return True

    def _one(self, state: State) -> bool:
        """One play; False where there is none."""
        plays = [] if state.over else legality.legal_plays(state)
        if not plays:
            return False
        machine.perform(state, self._quick(state, plays))
        self.made += 1
        return True

    def _quick(self, state: State, plays: list[Play]) -> Play:
        """What looks best at once. Where nothing is melded the score as it lies tells cards apart,
        but no calls: there anything is done.
        """
        program = state.table.program
        if not program.kinds and not all(program.actions[play.action].params for play in plays):
            return plays[self.random.below(len(plays))]
        return best_at_once(self.worth, state, plays, self.luck >> 5 * state.player)


def best_at_once(worth: Worth, state: State, plays: list[Play], luck: int) -> Play:
    """The play after which the player's own side has most; of several equal ones luck tells."""
    if len(plays) == 1:
        return plays[0]
    values = values_at_once(worth, state, plays)
    top = max(values)
    best = [play for play, value in zip(plays, values, strict=True) if value == top]
    return best[luck % len(best)]


def values_at_once(worth: Worth, state: State, plays: list[Play]) -> list[float]:
    """What the acting player's side has after each play, cards not seen yet not counted."""
    return [
        NEVER if after is None else worth.own(after, state.player)
        for after in (after_blind(state, play) for play in plays)
    ]


def after_blind(state: State, play: Play) -> State | None:
    """The position after a play up to the end of the turn, unseen cards unknown; None where the
    machine refuses it.
    """
    after = state.copy()
    after.blind = True
    try:
        machine.perform(after, play)
    except Refused:
        return None
    return after
