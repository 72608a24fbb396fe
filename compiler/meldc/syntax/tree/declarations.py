"""What stands at the left edge."""

from __future__ import annotations

from typing import Literal, TypeAlias

from meldc.syntax.tree.effects import Effect
from meldc.syntax.tree.expressions import EndOfTurn, Expression, Node, Sentence, Text, Word
from meldc_runtime.light import dataclass

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
    """`remember NAME of OWNER = START each PERIOD "…"`, or `: TYPE` for what starts as nothing."""

    owner: Word | None
    type_name: Word | None
    start: Expression | None
    each: Period
    about: Text | None


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
