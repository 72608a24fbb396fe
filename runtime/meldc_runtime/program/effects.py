"""Effects of a Program. An effect on nothing does nothing; `move 2` moves what is there."""

from __future__ import annotations

from meldc_runtime.light import dataclass
from meldc_runtime.program.expressions import Expr
from meldc_runtime.program.nodes import Node


@dataclass(frozen=True, slots=True)
class Effect(Node):
    """Any effect."""


@dataclass(frozen=True, slots=True)
class ZoneRef(Node):
    """One zone: with its owner, where the zone has one."""

    zone: str
    owner: Expr | None


@dataclass(frozen=True, slots=True)
class Exception_(Node):  # noqa: N801 - the saved form of programs has this name
    """Cards of `cards` (a condition on the card `var`) go to another zone instead.

    Where a number of cards is moved they do not count towards it: others follow as long as there
    are any.
    """

    var: str
    cards: Expr
    to: ZoneRef


@dataclass(frozen=True, slots=True)
class Let(Effect):
    """Names a value for the rest of the step, moments `after` included."""

    name: str
    value: Expr


@dataclass(frozen=True, slots=True)
class MoveCount(Effect):
    """Moves `count` cards from the top of a zone, one by one."""

    count: Expr
    source: ZoneRef
    to: ZoneRef
    under: bool = False
    exceptions: tuple[Exception_, ...] = ()


@dataclass(frozen=True, slots=True)
class MoveCards(Effect):
    """Moves these very cards (one or a list; all of the zone where `cards` is the zone itself)."""

    cards: Expr
    source: ZoneRef
    to: ZoneRef
    under: bool = False
    exceptions: tuple[Exception_, ...] = ()


@dataclass(frozen=True, slots=True)
class MoveUntil(Effect):
    """Moves cards one by one until the condition holds or the source is empty; at least one."""

    source: ZoneRef
    to: ZoneRef
    until: Expr


@dataclass(frozen=True, slots=True)
class MeldPart(Node):
    """Cards for a meld, and the zone that they come from."""

    cards: Expr
    source: ZoneRef


@dataclass(frozen=True, slots=True)
class LayMeld(Effect):
    """Lays cards in a meld of the acting player's side: a new one of `kind`, or joined to `onto`.

    With neither, the kind is found from the cards. Where a kind has one (unfinished) meld at a time
    the cards join it.
    """

    parts: tuple[MeldPart, ...]
    kind: Expr | None
    onto: Expr | None


@dataclass(frozen=True, slots=True)
class Exchange(Effect):
    """Puts a card in the place of the wild card of a meld that stands for it, which goes to `to`.

    Where no wild card of the meld stands for it the step is not possible.
    """

    card: Expr
    source: ZoneRef
    meld: Expr
    to: ZoneRef


@dataclass(frozen=True, slots=True)
class Become(Effect):
    memory: str
    owner: Expr | None
    value: Expr


@dataclass(frozen=True, slots=True)
class Gain(Effect):
    memory: str
    owner: Expr | None
    value: Expr


@dataclass(frozen=True, slots=True)
class GoTo(Effect):
    """Who acts next, in which phase; of several in one step the last holds.

    A phase that begins a turn starts a new one for that player; another phase keeps the turn."""

    phase: str
    player: Expr | None


@dataclass(frozen=True, slots=True)
class GoBack(Effect):
    """Back to the phase and player from which a phase of another player was entered."""


@dataclass(frozen=True, slots=True)
class EndTurn(Effect):
    pass


@dataclass(frozen=True, slots=True)
class EndDeal(Effect):
    pass


@dataclass(frozen=True, slots=True)
class EndGame(Effect):
    """Ends the game; `winners`: a side, where those with the highest total do not win."""

    winners: Expr | None = None


@dataclass(frozen=True, slots=True)
class Shuffle(Effect):
    zone: ZoneRef


@dataclass(frozen=True, slots=True)
class Redeal(Effect):
    """Gathers all cards and starts the deal again, by the same dealer."""


@dataclass(frozen=True, slots=True)
class Chance(Effect):
    """Lets a memory become yes with probability numerator / denominator."""

    memory: str
    owner: Expr | None
    numerator: Expr
    denominator: Expr


@dataclass(frozen=True, slots=True)
class Branch(Effect):
    condition: Expr
    then: tuple[Effect, ...]
    otherwise: tuple[Effect, ...] = ()


@dataclass(frozen=True, slots=True)
class ForEach(Effect):
    """Does the body for each element in order; a player looked at so is the player in question."""

    var: str
    source: Expr
    body: tuple[Effect, ...]
