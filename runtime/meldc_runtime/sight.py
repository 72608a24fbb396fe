"""What one player sees of a position, as something to think with: everything hidden from the player
is gone from it, so that nothing made of it can depend on hidden cards.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, overload

from meldc_runtime import view
from meldc_runtime.actions import text
from meldc_runtime.cards import FACE, UNKNOWN
from meldc_runtime.game import Action, Game, Position
from meldc_runtime.names import player_name
from meldc_runtime.randomness import Random
from meldc_runtime.state import Play, State

if TYPE_CHECKING:
    from meldc_runtime.program.declarations import Zone
    from meldc_runtime.table import Table


class Actions(Sequence[Action]):
    """The legal actions of a position; their texts are made when they are asked for."""

    def __init__(self, state: State, plays: Sequence[Play]) -> None:
        self.plays = tuple(plays)
        self._state = state
        self._made: dict[int, Action] = {}

    def __len__(self) -> int:
        return len(self.plays)

    @overload
    def __getitem__(self, place: int) -> Action: ...
    @overload
    def __getitem__(self, place: slice) -> list[Action]: ...
    def __getitem__(self, place: int | slice) -> Action | list[Action]:
        if isinstance(place, slice):
            return [self._made_at(number) for number in range(len(self))[place]]
        return self._made_at(range(len(self))[place])

    def __iter__(self) -> Iterator[Action]:
        return (self._made_at(place) for place in range(len(self)))

    def _made_at(self, place: int) -> Action:
        if place not in self._made:
            self._made[place] = Action(text(self._state, self.plays[place]))
        return self._made[place]

    def place_of(self, action: Action) -> int:
        """The place of an action. Raises ValueError where it is none of these."""
        for place, made in self._made.items():
            if made is action:
                return place
        return self.index(action)


class Sight:
    """A position as one player sees it. game: the rules. player: who looks. actions: what this
    player, who is to act, may do.
    """

    def __init__(self, game: Game, state: State, player: int, plays: Sequence[Play] = ()) -> None:
        self.game = game
        self.player = player_name(player)
        self.seat = player
        self.state = blank(state, player)
        """The position with `UNKNOWN` cards where the player may not look, and without chance."""
        self.actions = Actions(self.state, plays)

    def view(self) -> dict[str, Any]:
        """The same as plain data; see `meldc_runtime.view`."""
        return view.view(self.state, self.seat)

    def imagine(self, random: Random) -> Position:
        """A position that the player could not tell from the real one: unseen cards dealt out
        anew.
        """
        return Position(self.game, imagine(self.state, random))


def blank(state: State, player: int) -> State:
    """A copy of a state without what a player may not see. Own cards are sorted."""
    table = state.table
    other = state.copy()
    other.rng, other.seed = None, 0
    for zone in table.program.zones:
        for owner in range(table.owners(zone.owner)):
            slot = table.zone_slot(zone.name, owner)
            other.zones[slot] = _seen(table, zone, owner, other.zones[slot], player)
    return other


def _seen(table: Table, zone: Zone, owner: int, cards: list[int], player: int) -> list[int]:
    match zone.visibility:
        case "shown":
            return cards
        case "top":
            return [UNKNOWN] * (len(cards) - 1) + cards[-1:]
        case "owner" if owner == (table.side_of(player) if zone.owner == "side" else player):
            return sorted(cards)
    return [UNKNOWN] * len(cards)


def unseen(state: State) -> list[int]:
    """The cards that a player has not before the eyes, in ascending order."""
    left: dict[int, int] = {}
    for face in state.table.pack:
        left[face] = left.get(face, 0) + 1
    laid = (meld.cards for melds in state.melds for meld in melds)
    for cards in (*state.zones, *laid):
        for card in cards:
            if (face := card & FACE) != UNKNOWN:
                left[face] = left.get(face, 0) - 1
    return [face for face in sorted(left) for _ in range(left[face])]


def imagine(state: State, random: Random) -> State:
    """A copy of a blank state with unseen cards in all places that are unknown, and new chance."""
    other = state.copy()
    cards = unseen(state)
    random.shuffle(cards)
    for slot, zone in enumerate(other.zones):
        if UNKNOWN in zone:
            other.zones[slot] = [
                cards.pop() if card == UNKNOWN and cards else card for card in zone
            ]
    other.rng = random.copy()
    return other
