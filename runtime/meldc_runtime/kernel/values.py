"""What expressions are read as, beside numbers and truths: cards by kind, melds by slot, players by
their seats.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from meldc_runtime.kernel.layout import NotLowered, Slot
from meldc_runtime.kernel.terms import (
    NAMED,
    ONE,
    Number,
    Place,
    Truth,
    at,
    at_least,
    equal,
    fixed,
    plus,
)

HOME = "?home"
"""The name for the meld that a play begins."""

OTHER = -1
"""The step to a player of whom it is known only that another one acts."""

CODED = ("yes_no", "player", "side")
"""Types of memory that may hold nothing, kept as numbers."""


@dataclass(frozen=True, slots=True)
class Card:
    """A card of a kind. own: of a card in a meld, whether the acting player has laid it (None: it
    has not been asked).
    """

    kind: int
    own: bool | None = None


class NeedsOwner(Exception):  # noqa: N818
    """What is asked of a card depends on who has laid it."""


@dataclass(frozen=True, slots=True)
class Code:
    """What is kept as a number: 0 for nothing, 1 and 2 for no and yes, or a seat or side from 1
    on.
    """

    number: Number
    type: str

    def is_now(self, value: bool) -> Truth:
        """Whether it is yes, or no."""
        return at_least(self.number, fixed(2)) if value else equal(self.number, ONE)


@dataclass(frozen=True, slots=True)
class Player:
    """So many seats on from the player who acts."""

    step: int


@dataclass(frozen=True, slots=True)
class OwnSide:
    """The side of the player who acts."""


@dataclass(frozen=True, slots=True)
class Cards:
    """Cards by kind, each with its number, in the order in which they are looked at. zone: where
    they lie. total: their number in all, where cards that are not known count. meld: whose cards
    they all are.
    """

    by_kind: tuple[tuple[int, Number], ...]
    zone: str | None
    total: Number | None = None
    meld: Slot | None = None

    @property
    def number(self) -> Number:
        return plus(*(n for _, n in self.by_kind)) if self.total is None else self.total


@dataclass(frozen=True, slots=True)
class One:
    """The only card, or meld, that there may be; present: whether there is one."""

    value: Any
    present: Truth
    zone: str | None = None


@dataclass(frozen=True, slots=True)
class Melds:
    """Melds of the own side, each with the condition under which it is among them."""

    among: tuple[tuple[Slot, Truth], ...]


Value = Any
"""Number, Truth, Card, Cards, One, Slot, Melds, Player, OwnSide, Code, or None for nothing."""

Names = Mapping[str, Value]
Look = Callable[[Place], Number | Truth]


class NeedsTop(Exception):  # noqa: N818
    """What is asked depends on the top card of a list."""

    def __init__(self, zone: str) -> None:
        super().__init__(zone)
        self.zone = zone


def same(left: Value, right: Value, side_size: int) -> Truth:
    """Whether two things other than numbers are the same."""
    if isinstance(right, Code):
        left, right = right, left
    if isinstance(left, Code) and isinstance(right, bool):
        return left.is_now(right)
    if isinstance(left, Code) and right == (OwnSide() if left.type == "side" else Player(0)):
        who = "q" if left.type == "side" else "p"
        return equal(left.number, plus(at(Place(who, NAMED)), ONE))
    if isinstance(left, Player) and isinstance(right, Player):
        return same_player(left.step, right.step, side_size)
    if isinstance(left, bool) and isinstance(right, bool):
        return left == right
    if isinstance(left, OwnSide) and isinstance(right, OwnSide):
        return True
    raise NotLowered("a comparison of other things than numbers")


def same_player(one: int, other: int, side_size: int) -> bool:
    """Whether so many seats on lead to the same player."""
    if OTHER not in (one, other):
        return one == other
    known = max(one, other)
    if known and side_size > 2:
        raise NotLowered("which of several partners")
    return known != 0  # of two partners the other one is known
