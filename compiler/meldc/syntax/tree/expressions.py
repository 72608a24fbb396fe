"""Names, expressions, sentences and card patterns."""

from __future__ import annotations

from typing import Literal, TypeAlias

from meldc.source import Span
from meldc_runtime.light import dataclass


@dataclass(frozen=True, slots=True)
class Node:
    """What every node has: its place."""

    span: Span


@dataclass(frozen=True, slots=True)
class Word:
    """A name as written, and where: whatever refers to something or is declared."""

    text: str
    span: Span


@dataclass(frozen=True, slots=True)
class Text:
    """A plain string without its quotes; the span covers the quotes too."""

    text: str
    span: Span


# ---- expressions -----------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Number(Node):
    """`12`; never negative (see `Negative`)."""

    value: int


@dataclass(frozen=True, slots=True)
class Truth(Node):
    """`yes`, `no`."""

    value: bool


@dataclass(frozen=True, slots=True)
class Nothing(Node):
    """`none`."""


@dataclass(frozen=True, slots=True)
class RankLiteral(Node):
    """`A`, `K`, `Q`, `J` or `Jkr`. The ranks 2 to 10 are written, and read, as numbers."""

    rank: str


@dataclass(frozen=True, slots=True)
class CardLiteral(Node):
    """`7S`: rank `2` … `10`, `J`, `Q`, `K`, `A`; suit `S`, `H`, `D` or `C`."""

    rank: str
    suit: str


@dataclass(frozen=True, slots=True)
class Name(Node):
    """A name alone: `pile`, `it`, `player`."""

    name: str

    @property
    def word(self) -> Word:
        return Word(self.name, self.span)


@dataclass(frozen=True, slots=True)
class Call(Node):
    """`count(hand)`, `hand(dealer)`, `left(player)`, `min(a, b)`, `can(draw)`."""

    name: Word
    arguments: tuple[Argument, ...]


@dataclass(frozen=True, slots=True)
class Field(Node):
    """`card.rank`, `melds.cards`."""

    of: Expression
    name: Word


@dataclass(frozen=True, slots=True)
class Lookup(Node):
    """`opening_points[total]`, `pile[number]`."""

    of: Expression
    key: Expression


@dataclass(frozen=True, slots=True)
class Listing(Node):
    """`(A, 7)`: two things or more."""

    items: tuple[Expression, ...]


@dataclass(frozen=True, slots=True)
class Range(Node):
    """`low..high`, both ends within."""

    low: Expression
    high: Expression


@dataclass(frozen=True, slots=True)
class Negative(Node):
    """`- x`."""

    operand: Expression


ArithmeticSign: TypeAlias = Literal["+", "-", "*"]
ComparisonSign: TypeAlias = Literal["=", "!=", "<", "<=", ">", ">="]


@dataclass(frozen=True, slots=True)
class Arithmetic(Node):
    """`a + b`, `a - b`, `a * b`; `+` also puts cards together."""

    sign: ArithmeticSign
    left: Expression
    right: Expression


@dataclass(frozen=True, slots=True)
class Comparison(Node):
    """`a = b`, `a >= b` …; never chained."""

    sign: ComparisonSign
    left: Expression
    right: Expression


@dataclass(frozen=True, slots=True)
class Within(Node):
    """`a in b`."""

    item: Expression
    whole: Expression


@dataclass(frozen=True, slots=True)
class Exists(Node):
    """`a exists`."""

    operand: Expression


@dataclass(frozen=True, slots=True)
class Is(Node):
    """`a is P`, `a is not P`.

    The property is a `Name` (`empty`, `wild`), `Nothing`, or what stood in parentheses; names
    in it are looked up in the fields of the subject first.
    """

    subject: Expression
    property: Expression
    negated: bool


@dataclass(frozen=True, slots=True)
class Not(Node):
    """`not a`."""

    operand: Expression


@dataclass(frozen=True, slots=True)
class And(Node):
    """`a and b and …`: two parts or more."""

    parts: tuple[Expression, ...]


@dataclass(frozen=True, slots=True)
class Or(Node):
    """`a or b or …`: two parts or more."""

    parts: tuple[Expression, ...]


@dataclass(frozen=True, slots=True)
class Where(Node):
    """`hand where wild`: those of a collection for which the condition holds."""

    source: Expression
    condition: Expression


@dataclass(frozen=True, slots=True)
class Otherwise(Node):
    """`a otherwise b otherwise …`: the first that is something; two or more."""

    choices: tuple[Expression, ...]


@dataclass(frozen=True, slots=True)
class Choice(Node):
    """`if a then b else c`."""

    condition: Expression
    then: Expression
    otherwise: Expression


Expression: TypeAlias = (
    Number
    | Truth
    | Nothing
    | RankLiteral
    | CardLiteral
    | Name
    | Call
    | Field
    | Lookup
    | Listing
    | Range
    | Negative
    | Arithmetic
    | Comparison
    | Within
    | Exists
    | Is
    | Not
    | And
    | Or
    | Where
    | Otherwise
    | Choice
)


# ---- what stands only among the arguments of a call --------------------------------------------


@dataclass(frozen=True, slots=True)
class Are(Node):
    """`hand are wild`, in `all(hand are wild)`; fields of the thing looked at come first."""

    source: Expression
    property: Expression


@dataclass(frozen=True, slots=True)
class By(Node):
    """`hand by value`, in `sum(hand by value)`."""

    source: Expression
    key: Expression


@dataclass(frozen=True, slots=True)
class Behind(Node):
    """`players after dealer`, in `next(players after dealer)`."""

    source: Expression
    element: Expression


@dataclass(frozen=True, slots=True)
class Without(Node):
    """`going_out without leave_needed`, in `can(…)`; also `end of turn without …`."""

    goal: Expression | EndOfTurn
    rule: Word


@dataclass(frozen=True, slots=True)
class EndOfTurn(Node):
    """`end of turn`: a subject of rules, and a goal of `can(…)`."""


Argument: TypeAlias = Expression | Are | Behind | By | Without | EndOfTurn


# ---- sentences ---------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Sentence(Node):
    """`"the opening needs {minimum} points"`: text and expressions in turn, none empty.

    In the text of an action, parentheses around a part say that it may be left out; they stay in
    the text here.
    """

    parts: tuple[Text | Expression, ...]


# ---- card patterns in YAML ---------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class CardAlternative(Node):
    """One part of a card pattern: `not wild`, `red 3`, `4..A`, `KH`.

    A card fits when it is of all `classes` (words such as `red`, `wild`, and `any` and `none`)
    and its rank is `low`, or from `low` to `high`, or it is `card`; `negated` turns that round.
    A rank's text is `2` … `10`, `J`, `Q`, `K`, `A` or `Jkr`.
    """

    negated: bool
    classes: tuple[Word, ...]
    low: Word | None
    high: Word | None
    card: CardLiteral | None


@dataclass(frozen=True, slots=True)
class CardPattern(Node):
    """`2, Jkr`: the comma means or; one alternative at least."""

    alternatives: tuple[CardAlternative, ...]
