"""What actions and moments do."""

from __future__ import annotations

from typing import TypeAlias

from meldc.syntax.tree.expressions import Expression, Node, Word
from meldc_runtime.light import dataclass

# ---- effects -----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Target(Node):
    """What changes: `opened`, `tricks(winner)`."""

    name: Word
    owner: Expression | None


@dataclass(frozen=True, slots=True)
class Diversion(Node):
    """`, but bonus_card to bonus`: such cards go there and do not count."""

    card_class: Word
    target: Expression


@dataclass(frozen=True, slots=True)
class Let(Node):
    """`let held = count(hand)`."""

    name: Word
    value: Expression


@dataclass(frozen=True, slots=True)
class Move(Node):
    """`move CARDS to Z`, `move Z to Z`; with a source: `move N from Z to Z`."""

    what: Expression
    source: Expression | None
    target: Expression
    diversions: tuple[Diversion, ...]


@dataclass(frozen=True, slots=True)
class MoveUntil(Node):
    """`move from Z to Z until P`."""

    source: Expression
    target: Expression
    condition: Expression
    diversions: tuple[Diversion, ...]


@dataclass(frozen=True, slots=True)
class MoveUnder(Node):
    """`move … under Z`."""

    what: Expression
    source: Expression | None
    target: Expression


@dataclass(frozen=True, slots=True)
class LayMeld(Node):
    """`meld CARDS`, `meld CARDS as KIND`, `meld CARDS onto MELD`."""

    cards: Expression
    kind: Expression | None
    onto: Expression | None


@dataclass(frozen=True, slots=True)
class Exchange(Node):
    """`exchange CARD with MELD to Z`."""

    card: Expression
    meld: Expression
    target: Expression


@dataclass(frozen=True, slots=True)
class Becomes(Node):
    """`X becomes E`; `chance(1, N)` may stand as the value."""

    target: Target
    value: Expression


@dataclass(frozen=True, slots=True)
class Gains(Node):
    """`X gains N`."""

    target: Target
    value: Expression


@dataclass(frozen=True, slots=True)
class GoTo(Node):
    """`go to PHASE`, `go to PHASE for PLAYER`."""

    phase: Word
    player: Expression | None


@dataclass(frozen=True, slots=True)
class GoBack(Node):
    """`go back`."""


@dataclass(frozen=True, slots=True)
class EndTurn(Node):
    """`end turn`."""


@dataclass(frozen=True, slots=True)
class EndDeal(Node):
    """`end deal`."""


@dataclass(frozen=True, slots=True)
class EndGame(Node):
    """`end game`, `end game for SIDE`."""

    winner: Expression | None


@dataclass(frozen=True, slots=True)
class Shuffle(Node):
    """`shuffle Z`."""

    zone: Expression


@dataclass(frozen=True, slots=True)
class Redeal(Node):
    """`redeal`."""


@dataclass(frozen=True, slots=True)
class If(Node):
    """`if P`, a body, perhaps `else` and a body; `else if` is an `If` alone in `otherwise`."""

    condition: Expression
    then: tuple[Effect, ...]
    otherwise: tuple[Effect, ...]


@dataclass(frozen=True, slots=True)
class ForEach(Node):
    """`for each NAME in X from PLAYER`; without X, NAME says over what: `for each player`."""

    name: Word
    over: Expression | None
    start: Expression | None
    body: tuple[Effect, ...]


Effect: TypeAlias = (
    Let
    | Move
    | MoveUntil
    | MoveUnder
    | LayMeld
    | Exchange
    | Becomes
    | Gains
    | GoTo
    | GoBack
    | EndTurn
    | EndDeal
    | EndGame
    | Shuffle
    | Redeal
    | If
    | ForEach
)
