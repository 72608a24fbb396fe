"""Expressions of a Program: typed, total, without any word of a game.

Nothing is implicit here: a thing kept by players or sides names its owner, a player is turned into
a side by `SideOf`. Asked of nothing, an expression is nothing; a comparison with nothing is no.
Values at
play: numbers, players, sides, ranks (2 … 14, joker 15), suits (0 … 3), rows and kinds of meld by
index, phases by index, cards as in `meldc_runtime.cards`, yes and no as booleans, words as strings,
lists as lists, nothing as None.
"""

from __future__ import annotations

from typing import ClassVar

from meldc_runtime.light import dataclass
from meldc_runtime.program.nodes import Node


@dataclass(frozen=True, slots=True)
class Expr(Node):
    """Any expression."""


@dataclass(frozen=True, slots=True)
class Const(Expr):
    """A value known to the compiler; `type` is one of the type names below."""

    value: int | bool | str | None
    type: str


@dataclass(frozen=True, slots=True)
class Var(Expr):
    """A parameter, a `let`, or the thing a query or `for each` looks at."""

    name: str


@dataclass(frozen=True, slots=True)
class SettingValue(Expr):
    name: str


@dataclass(frozen=True, slots=True)
class Remembered(Expr):
    """What the table remembers; `owner` a player or side, as the memory's declaration says."""

    memory: str
    owner: Expr | None


@dataclass(frozen=True, slots=True)
class ZoneCards(Expr):
    """The cards of a zone, bottom first. `owner`: one player or side; a list puts together."""

    zone: str
    owner: Expr | None
    many: bool = False


@dataclass(frozen=True, slots=True)
class MeldsOf(Expr):
    """The melds of a side, in the order laid; with `many` those of a list of sides."""

    owner: Expr
    many: bool = False


@dataclass(frozen=True, slots=True)
class MeldCards(Expr):
    """All cards of a list of melds."""

    melds: Expr


@dataclass(frozen=True, slots=True)
class AllPlayers(Expr):
    pass


@dataclass(frozen=True, slots=True)
class AllSides(Expr):
    pass


@dataclass(frozen=True, slots=True)
class AllKinds(Expr):
    """Every kind of meld."""


@dataclass(frozen=True, slots=True)
class RowsOf(Expr):
    """Every row of a `lists` table, in order."""

    table: str


@dataclass(frozen=True, slots=True)
class Acting(Expr):
    """The player who acts."""


@dataclass(frozen=True, slots=True)
class SideOf(Expr):
    player: Expr


@dataclass(frozen=True, slots=True)
class PlayersOf(Expr):
    """The players of a side, clockwise; with `many` of a list of sides."""

    side: Expr
    many: bool = False


@dataclass(frozen=True, slots=True)
class Neighbour(Expr):
    """The player `step` seats on, clockwise: 1 is left, -1 right."""

    player: Expr
    step: int


@dataclass(frozen=True, slots=True)
class SeatsOn(Expr):
    """The player so many seats on, clockwise; a negative number counts the other way."""

    player: Expr
    steps: Expr


@dataclass(frozen=True, slots=True)
class Partners(Expr):
    """The other players of the player's side, nearest clockwise first."""

    player: Expr


@dataclass(frozen=True, slots=True)
class Opponents(Expr):
    """The other sides."""

    side: Expr


@dataclass(frozen=True, slots=True)
class NextOf(Expr):
    """Of a list of players the first after `after`, clockwise (`after` itself comes last)."""

    players: Expr
    after: Expr


@dataclass(frozen=True, slots=True)
class StartingAt(Expr):
    """A list of players, clockwise from `start`."""

    players: Expr
    start: Expr


@dataclass(frozen=True, slots=True)
class CardAttr(Expr):
    """`rank suit value number red black laid_by` of a card (`number`: the rank as a number)."""

    card: Expr
    attr: str


@dataclass(frozen=True, slots=True)
class MeldAttr(Expr):
    """`kind size naturals wilds cards rank owner stands_for suit lowest highest` of a meld.

    stands_for: faces that its wild cards stand for. suit, lowest, highest: of a run, the faces of
    its first and last place, whoever fills them; nothing of other melds.
    """

    meld: Expr
    attr: str


@dataclass(frozen=True, slots=True)
class SortedAs(Expr):
    """The row of a sorting table that a meld belongs to (the last that fits), or nothing."""

    meld: Expr
    table: str


@dataclass(frozen=True, slots=True)
class RowAttr(Expr):
    """A column of a row; `place` is the row's number from 1."""

    row: Expr
    table: str
    column: str


@dataclass(frozen=True, slots=True)
class Lookup(Expr):
    """A cell of a table `by number`, `by band` or `by card`; nothing where no row of a `by card`
    table fits.
    """

    table: str
    key: Expr


@dataclass(frozen=True, slots=True)
class Apply(Expr):
    """The value of a definition for these arguments."""

    definition: str
    arguments: tuple[Expr, ...]


@dataclass(frozen=True, slots=True)
class Filter(Expr):
    source: Expr
    var: str
    where: Expr


@dataclass(frozen=True, slots=True)
class Count(Expr):
    """How many of a list satisfy `where`."""

    source: Expr
    var: str = ""
    where: Expr | None = None


@dataclass(frozen=True, slots=True)
class Exists(Expr):
    """Whether some element satisfies `where`."""

    source: Expr
    var: str = ""
    where: Expr | None = None


@dataclass(frozen=True, slots=True)
class ForAll(Expr):
    """Whether all elements satisfy `where`; of none: yes."""

    source: Expr
    var: str
    where: Expr


@dataclass(frozen=True, slots=True)
class Sum(Expr):
    """The sum of `by` over a list; nothing counts 0."""

    source: Expr
    var: str
    by: Expr


@dataclass(frozen=True, slots=True)
class Best(Expr):
    """The element with the highest `by`; nothing when empty or, with `tie_is_none`, when equal."""

    source: Expr
    var: str
    by: Expr
    tie_is_none: bool = True


@dataclass(frozen=True, slots=True)
class First(Expr):
    source: Expr


@dataclass(frozen=True, slots=True)
class After(Expr):
    """The element of a list that comes after one; nothing behind the last, or where it is not."""

    source: Expr
    element: Expr
    cards: bool = False


@dataclass(frozen=True, slots=True)
class Top(Expr):
    """The last of a list of cards, or nothing."""

    cards: Expr


@dataclass(frozen=True, slots=True)
class Bottom(Expr):
    cards: Expr


@dataclass(frozen=True, slots=True)
class Nth(Expr):
    """The n-th card from the top, 1 the top itself."""

    cards: Expr
    index: Expr


@dataclass(frozen=True, slots=True)
class ListOf(Expr):
    items: tuple[Expr, ...]


@dataclass(frozen=True, slots=True)
class Join(Expr):
    """Two lists after each other; an element that is no list counts as a list of one, nothing as
    none.
    """

    left: Expr
    right: Expr


@dataclass(frozen=True, slots=True)
class Range(Expr):
    """The numbers (or ranks) from low to high, both included."""

    low: Expr
    high: Expr


@dataclass(frozen=True, slots=True)
class Member(Expr):
    """Whether an element is in a list; cards compare by face."""

    element: Expr
    source: Expr
    cards: bool = False


@dataclass(frozen=True, slots=True)
class Not(Expr):
    operand: Expr


@dataclass(frozen=True, slots=True)
class And(Expr):
    operands: tuple[Expr, ...]


@dataclass(frozen=True, slots=True)
class Or(Expr):
    operands: tuple[Expr, ...]


@dataclass(frozen=True, slots=True)
class Compare(Expr):
    """`= != < <= > >=`; with nothing on a side every one of them is no, but `!=` is `not =`."""

    op: str
    left: Expr
    right: Expr
    cards: bool = False


@dataclass(frozen=True, slots=True)
class Arith(Expr):
    """`+ - * min max`; nothing makes nothing."""

    op: str
    left: Expr
    right: Expr


@dataclass(frozen=True, slots=True)
class Remainder(Expr):
    """What is left of `left` when it is divided by `right`, 0 or more; nothing where `right` is
    below 1.
    """

    left: Expr
    right: Expr


@dataclass(frozen=True, slots=True)
class Quotient(Expr):
    """How often `right` goes into `left`, rounded down; nothing where `right` is below 1."""

    left: Expr
    right: Expr


@dataclass(frozen=True, slots=True)
class If(Expr):
    condition: Expr
    then: Expr
    otherwise: Expr


@dataclass(frozen=True, slots=True)
class Otherwise(Expr):
    """The first of these that is something."""

    options: tuple[Expr, ...]


@dataclass(frozen=True, slots=True)
class IsSomething(Expr):
    operand: Expr


@dataclass(frozen=True, slots=True)
class Joined(Expr):
    """The meld, as it lies, that these cards of the acting player would join; nothing where they
    start one or make none.
    """

    cards: Expr


@dataclass(frozen=True, slots=True)
class Unmelded(Expr):
    """The least sum of `by` over those of these cards that are left when the others are laid in
    melds, each by its pattern alone; nothing where there are more than 20 cards, or more ways than
    can be tried, or a card that is not known.
    """

    source: Expr
    var: str
    by: Expr


@dataclass(frozen=True, slots=True)
class CurrentPhase(Expr):
    """The phase in which the acting player is asked."""


@dataclass(frozen=True, slots=True)
class DealScore(Expr):
    """What a deal has brought a side, once it is counted; before that nothing."""

    side: Expr


@dataclass(frozen=True, slots=True)
class Can(Expr):
    """Look-ahead: whether an action is possible (`action`), whether the player could reach a moment
    (`moment`) or an accepted end of the turn (`end_of_turn`) by own plays in this turn; `without`
    names a rule left aside. `player`: who (an action of another phase is asked as if that player
    stood in it).
    """

    subject: str
    name: str
    player: Expr
    without: str | None = None


@dataclass(frozen=True, slots=True)
class Only(Expr):
    """Whether the acting player has legal actions, all among these."""

    actions: tuple[str, ...]


TYPES: tuple[str, ...] = (
    "number", "yes_no", "rank", "suit", "card", "cards", "meld", "melds", "kind", "player",
    "players", "side", "sides", "phase", "word", "none",
)  # fmt: skip
"""Names of types; `row:TABLE` is a row of a table, `list:TYPE` a list of anything else."""


class Marker:
    """Names that the runtime itself gives to the things a rule speaks of."""

    PLAYER: ClassVar[str] = "player"
    MELD: ClassVar[str] = "meld"
    NEW: ClassVar[str] = "new"
    CARD: ClassVar[str] = "card"
    SIDE: ClassVar[str] = "side"
