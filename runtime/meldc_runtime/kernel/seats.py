"""Expressions about players and sides, read as seats on from the player who acts."""

from __future__ import annotations

from meldc_runtime.kernel.layout import Layout, NotLowered
from meldc_runtime.kernel.values import Names, OwnSide, Player, Value
from meldc_runtime.program import expressions as x


class Seats:
    """The part of a reader that knows seats. Raises NotLowered for players and sides that are not
    known beforehand.
    """

    layout: Layout

    def value(self, e: x.Expr, names: Names) -> Value:
        """What an expression is read as."""
        raise NotImplementedError

    def _acting(self, e: x.Acting, names: Names) -> Value:
        return Player(0)

    def _sideof(self, e: x.SideOf, names: Names) -> Value:
        player = self.value(e.player, names)
        if isinstance(player, Player) and player.step % self.layout.table.sides == 0:
            return OwnSide()
        raise NotLowered("another side")

    def _neighbour(self, e: x.Neighbour, names: Names) -> Value:
        player = self.value(e.player, names)
        if not isinstance(player, Player):
            raise NotLowered("seats")
        return Player((player.step + e.step) % self.layout.table.players)

    def _partners(self, e: x.Partners, names: Names) -> Value:
        player = self.value(e.player, names)
        if player != Player(0):
            raise NotLowered("partners of others")
        table = self.layout.table
        return [Player(i * table.sides) for i in range(1, table.side_size)]

    def _playersof(self, e: x.PlayersOf, names: Names) -> Value:
        if self.value(e.side, names) != OwnSide():
            raise NotLowered("players of others")
        table = self.layout.table
        return [Player(i * table.sides) for i in range(table.side_size)]
