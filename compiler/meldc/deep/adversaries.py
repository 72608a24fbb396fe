"""Bots that look for trouble. They see all cards: here it counts what can happen, not who may know.

Each takes the play after which the position is the worst in its sense, among a few at random.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeAlias

from meldc_runtime import machine
from meldc_runtime.randomness import Random
from meldc_runtime.state import Play, State

LOOKED_AT = 6
"""Plays that are tried out for one decision."""

Wish: TypeAlias = Callable[[State, int], tuple[int, ...]]
"""How much a position is to the liking of a bot of a player; more is better."""

Chooser: TypeAlias = Callable[[State, Sequence[Play], Random], Play]


def any_play(state: State, plays: Sequence[Play], random: Random) -> Play:
    """Each as likely as the others."""
    return plays[random.below(len(plays))]


def _seeking(wish: Wish) -> Chooser:
    def choose(state: State, plays: Sequence[Play], random: Random) -> Play:
        player = state.player
        best, best_worth = plays[0], None
        for play in _some(plays, random):
            after = state.copy()
            machine.apply(after, play)
            worth = wish(after, player)
            if best_worth is None or worth > best_worth:
                best, best_worth = play, worth
        return best

    return choose


def _some(plays: Sequence[Play], random: Random) -> list[Play]:
    left = list(plays)
    chosen: list[Play] = []
    while left and len(chosen) < LOOKED_AT:
        chosen.append(left.pop(random.below(len(left))))
    return chosen


def _goes_on(state: State) -> int:
    return 0 if state.over else 1


def _held(state: State, player: int) -> int:
    """Cards that a player alone sees: the hand."""
    table = state.table
    return sum(
        len(state.zones[table.zone_slot(zone.name, player)])
        for zone in table.program.zones
        if zone.owner == "player" and zone.visibility == "owner"
    )


def _left_to_draw(state: State) -> int:
    table = state.table
    return sum(
        len(state.zones[table.zone_slot(zone.name)])
        for zone in table.program.zones
        if zone.holds_pack and zone.owner == "none"
    )


def _melded(state: State, player: int) -> int:
    return sum(len(meld.cards) ** 2 for meld in state.melds[state.table.side_of(player)])


CHOOSERS: dict[str, Chooser] = {
    "random": any_play,
    # Keeps the deal going, and the stock full: passes, takes piles, discards.
    "lingering": _seeking(lambda s, p: (_goes_on(s), _left_to_draw(s), _held(s, p))),
    # Lays all it can without going out, to be left without a play.
    "stripping": _seeking(lambda s, p: (_goes_on(s), -_held(s, p))),
    # Builds large melds and goes out, so that the rules about them are met.
    "building": _seeking(lambda s, p: (_melded(s, p), 1 - _goes_on(s), -_held(s, p))),
}
