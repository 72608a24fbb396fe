"""What was done at the table since each person last looked, as that person saw it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

Turns = list[tuple[str, list[str]]]
"""A player and the actions of one turn, turn after turn."""


class Moves:
    """The moves of a deal: for each person those of the others, and all as everybody saw them."""

    def __init__(self, humans: Sequence[str]) -> None:
        self._humans = list(humans)
        self.clear()

    def clear(self) -> None:
        """A new deal begins."""
        self._unseen: dict[str, Turns] = {human: [] for human in self._humans}
        self._last: dict[str, Turns] = {human: [] for human in self._humans}
        self._public: Turns = []
        self._told = 0

    def note(self, player: str, seen: Mapping[str, str], made: str) -> None:
        """Keeps an action: as each person saw it; as it was made where only bots play."""
        for human in self._humans:
            if human != player:
                _add(self._unseen[human], player, seen[human])
        secret = max(seen.values(), key=lambda text: text.count("??")) if seen else made
        _add(self._public, player, secret)

    def take_back(self) -> None:
        """The last action is undone."""
        for turns in (*self._unseen.values(), self._public):
            if turns:
                turns[-1][1].pop()
                if not turns[-1][1]:
                    turns.pop()

    def untold(self, finished: bool) -> Turns:
        """The turns of bots that nobody was told of; where they are to be `finished`, without the
        one that may go on.
        """
        end = len(self._public) - (1 if finished else 0)
        told, self._told = self._public[self._told : end], max(self._told, end)
        return [turn for turn in told if turn[0] not in self._humans]

    def end_of_deal(self, players: int) -> Turns:
        """The last turns, as everybody saw them."""
        return self._public[-players:]

    def take(self, player: str) -> Turns:
        """What this player has not been told yet."""
        turns = self._unseen[player]
        if turns:
            self._last[player], self._unseen[player] = turns, []
        return turns

    def last(self, player: str) -> Turns:
        """The moves since the player's turn before, told already or not."""
        return self._unseen[player] or self._last[player]


def _add(turns: Turns, player: str, action: str) -> None:
    if turns and turns[-1][0] == player:
        turns[-1][1].append(action)
    else:
        turns.append((player, [action]))
