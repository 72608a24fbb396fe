"""What lies on the table, who is to act, and what the table remembers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from meldc_runtime.light import dataclass

if TYPE_CHECKING:
    from meldc_runtime.randomness import Random
    from meldc_runtime.table import Table


class Meld:
    """Cards laid together. Never changed: a meld that grows is another object in its place.

    kind: index. owner: side. cards: with marks, in the order laid (a run: by place, low first).
    rank: of the shapes by rank, else None. suit, low: of a run (low: rank of its first place, 1 for
    a low ace), else None. wilds: how many cards stand for others. serial: the number of the meld in
    the deal, from 1.
    """

    __slots__ = ("cards", "kind", "low", "owner", "rank", "serial", "suit", "wilds")

    def __init__(
        self,
        kind: int,
        owner: int,
        cards: tuple[int, ...],
        rank: int | None,
        suit: int | None,
        low: int | None,
        wilds: int,
        serial: int,
    ) -> None:
        self.kind = kind
        self.owner = owner
        self.cards = cards
        self.rank = rank
        self.suit = suit
        self.low = low
        self.wilds = wilds
        self.serial = serial

    def __repr__(self) -> str:
        fields = ("kind", "owner", "cards", "wilds", "serial")
        return f"Meld({', '.join(f'{name}={getattr(self, name)}' for name in fields)})"


@dataclass(frozen=True, slots=True)
class Play:
    """A move: the index of an action, and an argument for each of its parameters.

    Arguments: a face; a sorted tuple of faces; the index of a kind or row; a meld as `(side,
    serial)`; a number; a player; a bool.
    """

    action: int
    args: tuple[Any, ...] = ()


@dataclass(frozen=True, slots=True)
class Reason:
    """Why something is refused. rule: its name (a kind of meld for a broken pattern). text: the
    sentence, values filled in.
    """

    rule: str
    text: str
    place: str = ""


class Refused(Exception):  # noqa: N818  a judgement, no error
    """A play that is not legal; the state it was tried on is spoilt."""

    def __init__(self, reasons: tuple[Reason, ...] | tuple[str, ...]) -> None:
        super().__init__(reasons)
        self.reasons = reasons


class State:
    """One position of a game. See docs/kernel.md for the fields.

    blind: whether this is a look-ahead, where cards the acting player has not seen come to hands as
    `UNKNOWN` and nothing is scored. ended: in a look-ahead, that the turn has been ended (the next
    one is not begun). again: but that the same player must act after it (then what follows is
    begun). happened: in a look-ahead, the moments that have happened, in order. without: a rule
    left aside in a look-ahead. redeals: of this deal. last_resort: whether something has happened
    in this turn that a rule allows only where the turn cannot end otherwise. seed: of the game.
    """

    __slots__ = (
        "again", "back", "blind", "ended", "game_over", "happened", "last_resort", "melds",
        "memory", "over", "phase", "player", "redeals", "rng", "scores", "seed", "serial", "sheet",
        "table", "turn", "winners", "without", "zones",
    )  # fmt: skip

    def __init__(self, table: Table) -> None:
        self.table = table
        self.zones: list[list[int]] = [[] for _ in range(table.zone_slots)]
        self.memory: list[Any] = [None] * table.memory_slots
        self.melds: list[list[Meld]] = [[] for _ in range(table.sides)]
        self.phase = 0
        self.player = 0
        self.turn = 0
        self.back: tuple[int, int] | None = None
        self.serial = 0
        self.over = False
        self.game_over = False
        self.winners: tuple[int, ...] = ()
        self.scores: tuple[int, ...] = ()
        self.sheet: tuple[tuple[str, int, int], ...] = ()  # score line, side, points
        self.rng: Random | None = None
        self.seed = 0
        self.redeals = 0
        self.blind = False
        self.ended = False
        self.again = False
        self.happened: tuple[int, ...] = ()
        self.without: str | None = None
        self.last_resort = False

    def copy(self) -> State:
        """An independent state; melds are shared, since they never change, and so is the source of
        chance, copied on use.
        """
        other = State.__new__(State)
        other.table = self.table
        other.zones = [zone[:] for zone in self.zones]
        other.memory = self.memory[:]
        other.melds = [melds[:] for melds in self.melds]
        other.phase = self.phase
        other.player = self.player
        other.turn = self.turn
        other.back = self.back
        other.serial = self.serial
        other.over = self.over
        other.game_over = self.game_over
        other.winners = self.winners
        other.scores = self.scores
        other.sheet = self.sheet
        other.rng = None if self.rng is None else self.rng.copy()
        other.seed = self.seed
        other.redeals = self.redeals
        other.blind = self.blind
        other.ended = self.ended
        other.again = self.again
        other.happened = self.happened
        other.without = self.without
        other.last_resort = self.last_resort
        return other
