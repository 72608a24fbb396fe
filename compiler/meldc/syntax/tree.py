"""The surface tree: what an author wrote, construct by construct, every node with its place.

Nothing is looked up yet: a `Name` may turn out to be a setting, a zone or a parameter, and a
`Call` a query, a look-ahead, a definition or a zone with its owner. Layout, comments and
parentheses are gone; spans are those of the file the author wrote, also for text inside YAML.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

from meldc.source import Span


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
class Without(Node):
    """`going_out without leave_needed`, in `can(…)`; also `end of turn without …`."""

    goal: Expression | EndOfTurn
    rule: Word


@dataclass(frozen=True, slots=True)
class EndOfTurn(Node):
    """`end of turn`: a subject of rules, and a goal of `can(…)`."""


Argument: TypeAlias = Expression | Are | By | Without | EndOfTurn


# ---- sentences ---------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Sentence(Node):
    """`"the opening needs {minimum} points"`: text and expressions in turn, none empty.

    In the text of an action, parentheses around a part say that it may be left out; they stay in
    the text here.
    """

    parts: tuple[Text | Expression, ...]


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


# ---- declarations ------------------------------------------------------------------------------

Period: TypeAlias = Literal["turn", "deal", "game"]
Boundary: TypeAlias = Literal["start", "end"]
Visibility: TypeAlias = Literal["hidden", "top shown", "shown", "shown to owner"]
Category: TypeAlias = Literal[
    "setting",
    "table",
    "zone",
    "phase",
    "remember",
    "define",
    "action",
    "moment",
    "rule",
    "score",
]


@dataclass(frozen=True, slots=True)
class Use(Node):
    """`use PART, …`."""

    parts: tuple[Word, ...]


@dataclass(frozen=True, slots=True)
class Removal(Node):
    """`remove rule NAME`; a line that names several gives one each."""

    category: Category
    name: Word


@dataclass(frozen=True, slots=True)
class Named(Node):
    """What every named declaration has: whether it says `replace`, its name, its `[TAGS]`."""

    replace: bool
    name: Word
    tags: tuple[Word, ...]


@dataclass(frozen=True, slots=True)
class SettingDecl(Named):
    """`setting NAME = VALUE "…"` or `setting NAME = ONE | TWO "…"`.

    Either `choices` (two or more, the first is the default) or `value`. A setting with a single
    word, `= mixed`, has a `Name` as its value.
    """

    choices: tuple[Word, ...]
    value: Expression | None
    about: Text


@dataclass(frozen=True, slots=True)
class Column(Node):
    """`times = 1` (a default) or `suit: suit` (a type) of a sorting or listing table."""

    name: Word
    default: Expression | None
    type_name: Word | None


@dataclass(frozen=True, slots=True)
class Keyed(Node):
    """`by number`, `by band`, `by card`."""

    key: Literal["number", "band", "card"]


@dataclass(frozen=True, slots=True)
class Sorts(Node):
    """`sorts melds as WORD with COLUMNS`."""

    word: Word
    columns: tuple[Column, ...]


@dataclass(frozen=True, slots=True)
class Lists(Node):
    """`lists WORD with COLUMNS`."""

    word: Word
    columns: tuple[Column, ...]


@dataclass(frozen=True, slots=True)
class TableDecl(Named):
    """`table NAME FORM "…"`."""

    form: Keyed | Sorts | Lists
    about: Text | None


@dataclass(frozen=True, slots=True)
class ZoneDecl(Named):
    """`zone NAME of OWNER VISIBILITY, holds the pack "…"`."""

    owner: Word | None
    visibility: Visibility
    holds_pack: bool
    about: Text | None


@dataclass(frozen=True, slots=True)
class PhaseDecl(Named):
    """`phase NAME begins turn "…"`."""

    begins_turn: bool
    about: Text


@dataclass(frozen=True, slots=True)
class MemoryDecl(Named):
    """`remember NAME of OWNER = START each PERIOD`, or `: TYPE` for what starts as nothing."""

    owner: Word | None
    type_name: Word | None
    start: Expression | None
    each: Period


@dataclass(frozen=True, slots=True)
class Definition(Named):
    """`define NAME of OWNER = VALUE`; the owner is a player, side, card or meld."""

    owner: Word | None
    value: Expression


@dataclass(frozen=True, slots=True)
class Parameter(Node):
    """`card in hand` (one of them), `cards from hand` (some of them, one at least)."""

    name: Word
    mode: Literal["one", "some"]
    domain: Expression


@dataclass(frozen=True, slots=True)
class ActionDecl(Named):
    """`action NAME(PARAMETERS) "…"`, `during` PHASES, `then` EFFECTS."""

    parameters: tuple[Parameter, ...]
    text: Sentence
    phases: tuple[Word, ...]
    effects: tuple[Effect, ...]


@dataclass(frozen=True, slots=True)
class AtBoundary(Node):
    """`at start of deal`, `at end of turn` …"""

    boundary: Boundary
    period: Period


@dataclass(frozen=True, slots=True)
class After(Node):
    """`after draw, take`."""

    names: tuple[Word, ...]


@dataclass(frozen=True, slots=True)
class Before(Node):
    """`before going_out`."""

    names: tuple[Word, ...]


@dataclass(frozen=True, slots=True)
class MomentDecl(Named):
    """`moment NAME TRIGGER`, `when` P, `then` EFFECTS; a state moment has no trigger."""

    trigger: AtBoundary | After | Before | None
    condition: Expression | None
    effects: tuple[Effect, ...]


@dataclass(frozen=True, slots=True)
class Requires(Node):
    """`requires E`."""

    condition: Expression


@dataclass(frozen=True, slots=True)
class Forbidden(Node):
    """`forbidden`; when, say `when` and `unless` of the rule."""


@dataclass(frozen=True, slots=True)
class AllowedDuring(Node):
    """`allowed during PHASES`."""

    phases: tuple[Word, ...]


@dataclass(frozen=True, slots=True)
class Soft(Node):
    """`while another will do` (another), `while the turn can end otherwise` (otherwise)."""

    form: Literal["another", "otherwise"]


@dataclass(frozen=True, slots=True)
class RuleDecl(Named):
    """`rule NAME`, SUBJECTS VERDICT, `when`, `unless`, `while …`, `because "…"`."""

    subjects: tuple[Word | EndOfTurn, ...]
    verdict: Requires | Forbidden | AllowedDuring
    when: Expression | None
    unless: Expression | None
    soft: Soft | None
    because: Sentence


@dataclass(frozen=True, slots=True)
class ScoreDecl(Named):
    """`score only NAME of OWNER`, `gives` E, `when`, `unless`, `because "…"`."""

    only: bool
    owner: Word | None
    value: Expression
    when: Expression | None
    unless: Expression | None
    because: Sentence


NamedDeclaration: TypeAlias = (
    SettingDecl
    | TableDecl
    | ZoneDecl
    | PhaseDecl
    | MemoryDecl
    | Definition
    | ActionDecl
    | MomentDecl
    | RuleDecl
    | ScoreDecl
)
Declaration: TypeAlias = Use | Removal | NamedDeclaration


@dataclass(frozen=True, slots=True)
class Header(Node):
    """`machine NAME "…"` or `part NAME "…"`, the first line of a `.rules` file."""

    kind: Literal["machine", "part"]
    name: Word
    title: Text


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
