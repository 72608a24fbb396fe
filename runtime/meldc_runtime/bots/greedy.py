"""The bot that takes what counts most at once."""

from __future__ import annotations

from meldc_runtime.bots.playout import NEVER, Playouts, after_blind
from meldc_runtime.bots.worth import Worth, worth_of
from meldc_runtime.game import Action
from meldc_runtime.randomness import Random
from meldc_runtime.sight import Sight, imagine
from meldc_runtime.state import Play, State


class GreedyBot:
    """Chooses the action after which its side would have the best score, were the deal to end as
    it lies; cards in the hand count for what they may still become.

    Where the score at once tells little (games without melds, a question put or answered), the
    deal or the turn is played out a few times with cards that it cannot see dealt out anew.
    """

    WORLDS = 6
    DEALS = 3
    """Worlds in which a whole deal is played out."""
    PLIES = 200

    def choose(self, sight: Sight, random: Random) -> Action:
        plays = sight.actions.plays
        if len(plays) == 1:
            return sight.actions[0]
        values = self.values(sight.state, plays, random)
        return sight.actions[best_place(values, random)]

    def values(self, state: State, plays: tuple[Play, ...], random: Random) -> list[float]:
        """What each play is worth, on a blank state."""
        worth = worth_of(state.table)
        if not state.table.program.kinds:
            return self._played_out(worth, state, plays, random, whole_deal=True)
        after = [after_blind(state, play) for play in plays]
        if state.turn != state.player or any(_asks(state, each) for each in after):
            return self._played_out(worth, state, plays, random, whole_deal=False)
        side = state.table.side_of(state.player)
        others = worth.others(state, side)
        values = []
        for each in after:
            if each is None:
                values.append(NEVER)
                continue
            theirs = worth.others(each, side)
            if theirs != others and not each.over:
                # what others get hangs on cards that are not seen
                return self._played_out(worth, state, plays, random, whole_deal=False)
            values.append(worth.ours(each, state.player) - theirs)
        return values

    def _played_out(
        self,
        worth: Worth,
        state: State,
        plays: tuple[Play, ...],
        random: Random,
        whole_deal: bool,
    ) -> list[float]:
        side = state.table.side_of(state.player)
        playouts = Playouts(worth)
        values = [0.0] * len(plays)
        worlds = self.DEALS if whole_deal else self.WORLDS
        for _ in range(worlds):
            world = imagine(state, random)
            luck = random.next()
            for place, play in enumerate(plays):
                playouts.begin(luck)
                after = playouts.after(world, play)
                if after is None:
                    values[place] += NEVER
                    continue
                if whole_deal:
                    playouts.play_on(after, self.PLIES)
                else:
                    after = self._finished(playouts, after, state.turn)
                values[place] += worth.lead(after, side) / worlds
        return values

    def _finished(self, playouts: Playouts, after: State, turn: int) -> State:
        """The position at the end of the turn. An answer may promise something of the hand of the
        one in turn that imagined cards do not keep: then all of it but a card is as good as laid.
        """
        ended = after.copy()
        if playouts.finish_turn(ended, turn, self.PLIES):
            return ended
        table = after.table
        for slot in (table.zone_slot(name, turn) for name in playouts.worth.hands):
            for card in after.zones[slot][: self.WORLDS]:
                ended = after.copy()
                ended.zones[slot] = [card]
                if playouts.finish_turn(ended, turn, self.PLIES):
                    return ended
        return after


def _asks(state: State, after: State | None) -> bool:
    """Whether somebody else is to act within the same turn."""
    if after is None or after.ended or after.over:
        return False
    return after.player != state.player and after.turn == state.turn


def best_place(values: list[float], random: Random) -> int:
    """The place of the highest value, any of several equal ones."""
    top = max(values)
    best = [place for place, value in enumerate(values) if value == top]
    return best[random.below(len(best))] if len(best) > 1 else best[0]
