"""The declarations that make up a Program: the contract between compiler and runtime."""

from __future__ import annotations

from dataclasses import field

from meldc_runtime.light import dataclass
from meldc_runtime.program.effects import Effect, ZoneRef
from meldc_runtime.program.expressions import Expr
from meldc_runtime.program.nodes import Node

FORMAT = 2
"""Version of the saved form; a Program of another version is refused."""


@dataclass(frozen=True, slots=True)
class Origin(Node):
    """Where a declaration or cell was written: the author's file, 1-based, end exclusive."""

    file: str
    line: int
    column: int
    end_line: int
    end_column: int


@dataclass(frozen=True, slots=True)
class Value(Node):
    """A `{value}` in a sentence, with its type for printing."""

    expr: Expr
    type: str


Sentence = tuple[str | Value, ...]


@dataclass(frozen=True, slots=True)
class Setting(Node):
    name: str
    value: Expr
    type: str
    choices: tuple[str, ...]
    text: str
    origin: Origin | None


@dataclass(frozen=True, slots=True)
class Row(Node):
    """A row of a table.

    key: the number (`number`, `band`; None: below every bound), or the row's name (`sorts`,
    `lists`), or the pattern as written (`card`).
    condition: for `card` on Var("card"), for `sorts` on Var("meld"). cells: by column; a table with
    one column calls it "".
    """

    key: int | str | None
    condition: Expr | None
    cells: tuple[tuple[str, Expr], ...]
    title: str
    origin: Origin | None


@dataclass(frozen=True, slots=True)
class Table(Node):
    """form: `number` (the exact row, else 0), `band` (the row with the highest bound not above the
    key, else 0), `card` (the last row that fits, else nothing), `sorts` (melds; the last row that
    fits), `lists` (named rows in order).

    word: what a row is called in rules (`sorts melds as WORD`, `lists WORD`). each_more: added for
    every number beyond the last row (`number`).
    """

    name: str
    form: str
    word: str
    columns: tuple[tuple[str, str], ...]  # name, type
    rows: tuple[Row, ...]
    each_more: Expr | None
    text: str
    origin: Origin | None


@dataclass(frozen=True, slots=True)
class Zone(Node):
    """owner: `none`, `player` or `side`. visibility: `hidden`, `top`, `shown` or `owner`."""

    name: str
    owner: str
    visibility: str
    holds_pack: bool
    text: str
    origin: Origin | None


@dataclass(frozen=True, slots=True)
class Memory(Node):
    """scope: `turn`, `deal` or `game`: when it is set to `initial` anew (an expression of the
    acting player, Var("player") or Var("side") its owner). text: what players call it; empty: its
    name.
    """

    name: str
    owner: str
    type: str
    initial: Expr | None
    scope: str
    origin: Origin | None
    text: str = ""


@dataclass(frozen=True, slots=True)
class Phase(Node):
    name: str
    begins_turn: bool
    text: str
    origin: Origin | None


@dataclass(frozen=True, slots=True)
class Definition(Node):
    """A named expression. params: names and types. A class of cards is a definition with one card
    parameter and type yes_no.
    """

    name: str
    params: tuple[tuple[str, str], ...]
    body: Expr
    type: str
    tags: tuple[str, ...]
    origin: Origin | None


@dataclass(frozen=True, slots=True)
class MeldKind(Node):
    """A kind of meld: a pattern and what may happen to it.

    shape: `same_rank`, `run`, `any`, `all_different` or `groups` (then `groups` has the sizes, and
    size is their sum).
    cards: condition on Var("card"): what may lie as itself. naturals, wilds, size: bounds (low,
    high or None for no bound); wilds are cards of the definition `wild` that stand for another
    card. contains: conditions on Var("card"), each of which some rank group must satisfy.
    ace: `high`, `low` or `both` (in runs). condition: on Var("meld"), judged as the meld lies.
    how_many: `many`, `one` (of each rank where the shape is by rank), `one_unfinished`. called: its
    word in action texts. wilds_go: whether the wild cards of a run `stay` in the places for which
    they were laid when it grows, or are laid anew: in gaps first, then at the `high` or `low` end.
    """

    name: str
    shape: str
    groups: tuple[int, ...]
    cards: Expr
    naturals: tuple[int, int | None]
    wilds: tuple[int, int | None]
    size: tuple[int, int | None]
    contains: tuple[Expr, ...]
    ace: str
    condition: Expr | None
    how_many: str
    called: str
    origin: Origin | None
    wilds_go: str = "stay"


@dataclass(frozen=True, slots=True)
class Param(Node):
    """A parameter of an action. mode: `one` of the domain or `some` of it (one at least). source:
    the zone, where the domain is cards of one.
    """

    name: str
    mode: str
    domain: Expr
    type: str
    source: ZoneRef | None


@dataclass(frozen=True, slots=True)
class Action(Node):
    """text: the template people type, `{name}` a parameter, `( … )` a part that may be left out."""

    name: str
    params: tuple[Param, ...]
    text: str
    phases: tuple[str, ...]
    effects: tuple[Effect, ...]
    tags: tuple[str, ...]
    origin: Origin | None


@dataclass(frozen=True, slots=True)
class Trigger(Node):
    """kind: `state` (looked at after every step), `start` or `end` (then `period`: `turn`, `deal`),
    `before` or `after` (then `targets`: actions; after also moments).
    """

    kind: str
    period: str = ""
    targets: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Moment(Node):
    name: str
    trigger: Trigger
    when: Expr | None
    effects: tuple[Effect, ...]
    tags: tuple[str, ...]
    origin: Origin | None


@dataclass(frozen=True, slots=True)
class Rule(Node):
    """Why something is refused. It is broken when `when` holds (or is None), `unless` does not, and
    `requires` does not (None: forbidden).

    actions, moments, kinds: what it speaks of, by name; end_of_turn: the end of the turn.
    Conditions may read the acting player as Var("player"), the parameters of its action, and for
    kinds Var("meld") (as it will lie) and Var("new") (the cards now laid).
    soft: `` (firm), `another` (binds while another choice of the same action is legal; earlier
    rules weigh more) or `otherwise` (binds while the turn can end otherwise).
    """

    name: str
    actions: tuple[str, ...]
    moments: tuple[str, ...]
    kinds: tuple[str, ...]
    end_of_turn: bool
    requires: Expr | None
    when: Expr | None
    unless: Expr | None
    soft: str
    sentence: Sentence
    tags: tuple[str, ...]
    origin: Origin | None


@dataclass(frozen=True, slots=True)
class Allowance(Node):
    """`allowed during`: actions that are possible in further phases while a condition holds."""

    name: str
    actions: tuple[str, ...]
    phases: tuple[str, ...]
    when: Expr | None
    unless: Expr | None
    sentence: Sentence
    tags: tuple[str, ...]
    origin: Origin | None


@dataclass(frozen=True, slots=True)
class ScoreLine(Node):
    """A line of the score of a deal, for each side (`owner` side: Var("side")) or player
    (Var("player"), counted to the side). only: where it applies it is the whole score of that side.
    """

    name: str
    owner: str
    gives: Expr
    when: Expr | None
    unless: Expr | None
    only: bool
    sentence: Sentence
    tags: tuple[str, ...]
    origin: Origin | None


@dataclass(frozen=True, slots=True)
class Pack(Node):
    """packs: number of packs. jokers: of each pack. ranks: lowest and highest rank of the pack."""

    packs: Expr
    jokers: Expr
    ranks: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Step(Node):
    """One step of the way to an effective value: who set it to what, and where."""

    source: str
    text: str
    origin: Origin | None


@dataclass(frozen=True, slots=True)
class Program(Node):
    """A compiled game, whole.

    players: the allowed numbers. side_sizes: allowed sizes of a side, the preferred first (one that
    does not divide the players into two sides or more is not taken). provenance: for each effective
    value by its key (`settings.hand_size`, `melds.set.size`, `rules.natural_needed`) the steps that
    led to it, the base first. moments, rules, scores, kinds stand in the order in which they are
    judged and written.
    """

    name: str
    title: str
    machine: str
    house: tuple[str, ...]
    players: tuple[int, ...]
    side_sizes: tuple[int, ...]
    pack: Pack
    settings: tuple[Setting, ...]
    tables: tuple[Table, ...]
    zones: tuple[Zone, ...]
    memories: tuple[Memory, ...]
    phases: tuple[Phase, ...]
    definitions: tuple[Definition, ...]
    kinds: tuple[MeldKind, ...]
    actions: tuple[Action, ...]
    moments: tuple[Moment, ...]
    rules: tuple[Rule, ...]
    allowances: tuple[Allowance, ...]
    scores: tuple[ScoreLine, ...]
    provenance: tuple[tuple[str, tuple[Step, ...]], ...] = ()
    format: int = field(default=FORMAT)
