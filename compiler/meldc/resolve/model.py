"""The effective model: everything merged by name, every value with the steps that led to it.

Names are as written and not looked up, expressions are surface trees without types. What the
checker may rely on: every key was known, every declaration stands once, cells of fixed form
(sizes, card patterns, sizes of groups) are read, the word `choice` of a house rule is replaced.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import field
from typing import Any, Generic, Literal, TypeAlias, TypeVar

from meldc.source import Span
from meldc.syntax import tree
from meldc_runtime.light import dataclass


@dataclass(frozen=True, slots=True)
class Step:
    """One step of the way to an effective value: who set it, to what, and where.

    source: `machine sets`, `part feet`, `variant samples`, `house fewer`, `command line`. The
    text is the value as written, or for a declaration its first line; no span: command line.
    """

    source: str
    text: str
    span: Span | None


Steps: TypeAlias = tuple[Step, ...]
"""The base first; the last one is what counts."""

T_co = TypeVar("T_co", covariant=True)
D_co = TypeVar("D_co", bound=tree.NamedDeclaration, covariant=True)


@dataclass(frozen=True, slots=True)
class Cell(Generic[T_co]):
    """An effective value: read, as written, where it stands, and how it came to be."""

    value: T_co
    text: str
    span: Span | None
    steps: Steps


@dataclass(frozen=True, slots=True)
class Entry(Generic[D_co]):
    """An effective declaration."""

    declaration: D_co
    steps: Steps

    @property
    def name(self) -> str:
        return self.declaration.name.text


@dataclass(frozen=True, slots=True)
class Bounds:
    """`3..7`, `2..`, `..3`, `7`, `any`: both ends within, None for no bound."""

    low: int | None
    high: int | None


@dataclass(frozen=True, slots=True)
class Shape:
    """The shape of a kind of meld; `groups` has the sizes where the form is `groups`."""

    form: Literal["same_rank", "run", "any", "all_different", "groups"]
    groups: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Pack:
    """packs, jokers (of each pack): expressions. ranks: lowest and highest, None: all."""

    packs: Cell[tree.Expression]
    jokers: Cell[tree.Expression]
    ranks: Cell[tree.CardPattern] | None


@dataclass(frozen=True, slots=True)
class MeldRow:
    """A row of `melds:`; None for what is not said (then there are no wilds, no bounds …).

    ace: `high`, `low` or `both`; how_many: `many`, `one` or `one_unfinished`, as in the
    Program. steps: how the row itself came to be.
    """

    name: tree.Word
    steps: Steps
    shape: Cell[Shape] | None
    cards: Cell[tree.CardPattern] | None
    wilds: Cell[Bounds] | None
    naturals: Cell[Bounds] | None
    size: Cell[Bounds] | None
    contains: Cell[tuple[tree.CardPattern, ...]] | None
    ace: Cell[Literal["high", "low", "both"]] | None
    condition: Cell[tree.Expression] | None
    how_many: Cell[Literal["many", "one", "one_unfinished"]] | None
    called: Cell[str] | None
    wilds_go: Cell[Literal["stay", "high", "low"]] | None = None

    def cells(self) -> Iterator[tuple[str, Cell[object]]]:
        """The cells that are said, by their key in YAML."""
        for key in ("shape", "cards", "wilds", "naturals", "size", "contains", "ace"):
            yield from _said(key, getattr(self, key))
        yield from _said("if", self.condition)
        yield from _said("how_many", self.how_many)
        yield from _said("wilds_go", self.wilds_go)
        yield from _said("called", self.called)


@dataclass(frozen=True, slots=True)
class SortedMelds:
    """Which melds a row of a sorting table takes: all that is said must hold.

    meld: kinds by name (one of them); rank: a card pattern, of ranks only.
    """

    meld: Cell[tuple[tree.Word, ...]] | None = None
    rank: Cell[tree.CardPattern] | None = None
    size: Cell[Bounds] | None = None
    wilds: Cell[Bounds] | None = None
    naturals: Cell[Bounds] | None = None
    condition: Cell[tree.Expression] | None = None


@dataclass(frozen=True, slots=True)
class Row:
    """A row of a table.

    key: as written (`below 0`, `2, A`, `mixed`); span: of the key. number: the key of `number`
    and `band` tables (None there: below every bound). cards: the key of `card` tables, read.
    melds: the fixed columns of `sorts` tables. cells: by column, `""` where there is but one
    (`number`, `band`, `card`); columns not said are missing, the table has their defaults.
    """

    key: str
    span: Span | None
    steps: Steps
    number: int | None
    cards: tree.CardPattern | None
    melds: SortedMelds | None
    title: Cell[str] | None
    cells: Mapping[str, Cell[tree.Expression]]


@dataclass(frozen=True, slots=True)
class Table:
    """A table with its rows in the order in which they count (`number`, `band`: by number).

    entry: its declaration; None for the built-in `values`. steps: how the table as a whole came
    to be (declared, replaced). each_more: the row `each more` of a `number` table.
    """

    name: str
    form: Literal["number", "band", "card", "sorts", "lists"]
    entry: Entry[tree.TableDecl] | None
    steps: Steps
    rows: tuple[Row, ...]
    each_more: Cell[tree.Expression] | None


@dataclass(frozen=True, slots=True)
class Declarations:
    """All declarations in effective order, by name; `replace` keeps the place.

    A rule with the verdict `allowed during` is an allowance; the two share one name space. A
    moment keeps the trigger as written; one `before M` already stands just before M, several in
    the order written.
    """

    settings: Mapping[str, Entry[tree.SettingDecl]]
    tables: Mapping[str, Entry[tree.TableDecl]]
    zones: Mapping[str, Entry[tree.ZoneDecl]]
    phases: Mapping[str, Entry[tree.PhaseDecl]]
    memories: Mapping[str, Entry[tree.MemoryDecl]]
    definitions: Mapping[str, Entry[tree.Definition]]
    actions: Mapping[str, Entry[tree.ActionDecl]]
    moments: Mapping[str, Entry[tree.MomentDecl]]
    rules: Mapping[str, Entry[tree.RuleDecl]]
    allowances: Mapping[str, Entry[tree.RuleDecl]]
    scores: Mapping[str, Entry[tree.ScoreDecl]]

    @property
    def read_by_name(self) -> tuple[Mapping[str, Entry[Any]], ...]:
        """Those whose names stand for a value in expressions."""
        return self.settings, self.zones, self.memories, self.definitions, self.tables


@dataclass(frozen=True, slots=True)
class Need:
    """A `needs:` that held: the condition and who made it, for the rulebook."""

    source: str
    condition: Cell[tree.Expression]
    refusal: str


@dataclass(frozen=True, slots=True)
class Allowed:
    """A warning that a file wants to have silenced: its code, the reason, who wants it."""

    code: str
    reason: str
    span: Span
    source: str


@dataclass(frozen=True, slots=True)
class Resolved:
    """A game, whole, before names are looked up.

    machine: name of the family; house: names of the house rules laid on it (`name` or
    `name=choice`), sorted. players: the allowed numbers; side_sizes: the preferred first.
    settings: the effective value of every declared setting (for a setting with choices a
    `tree.Name` of the choice, unless an expression chooses between them). classes: `cards:`,
    several texts of a list are joined to one pattern. values: the built-in table of the values
    of cards. melds: kinds in order. tables: every declared table. span: where the variant names
    itself. allowed: warnings silenced, those of the variant it extends first. removed: what was
    taken away, as `remove:` says it (`rule natural_needed`, `melds.sequence`).
    """

    name: str
    title: str
    machine: str
    house: tuple[str, ...]
    players: Cell[tuple[int, ...]]
    side_sizes: Cell[tuple[int, ...]]
    pack: Pack
    declarations: Declarations
    settings: Mapping[str, Cell[tree.Expression]]
    classes: Mapping[str, Cell[tree.CardPattern]]
    values: Table
    tables: Mapping[str, Table]
    melds: Mapping[str, MeldRow]
    needs: tuple[Need, ...]
    span: Span | None = None
    allowed: tuple[Allowed, ...] = ()
    removed: Mapping[str, Steps] = field(default_factory=dict)

    def provenance(self) -> tuple[tuple[str, Steps], ...]:
        """The steps of every effective value by its key, in a fixed order.

        Keys: `players`, `pack.packs`, `settings.hand_size`, `cards.wild`, `values.2, A`,
        `melds.set`, `melds.set.size`, `opening_points.1500`, `tiers.mixed.bonus` (as in the
        YAML), and `rules.natural_needed`, `moments.opening` … for declarations.
        """
        return tuple(_provenance(self))

    def taken_away(self) -> Iterator[tuple[str, Steps]]:
        """The same for what house rules removed; the last step says who did."""
        for what, steps in self.removed.items():
            category, space, name = what.partition(" ")
            if steps[-1].source.startswith("house "):
                yield f"{_GROUPS.get(category, category)}.{name}" if space else what, steps


_GROUPS = {
    "zone": "zones",
    "phase": "phases",
    "remember": "memories",
    "define": "definitions",
    "action": "actions",
    "moment": "moments",
    "rule": "rules",
    "score": "scores",
}


def _said(key: str, cell: Cell[object] | None) -> Iterator[tuple[str, Cell[object]]]:
    if cell is not None:
        yield key, cell


def _provenance(model: Resolved) -> Iterator[tuple[str, Steps]]:
    yield "players", model.players.steps
    yield "side_size", model.side_sizes.steps
    yield "pack.packs", model.pack.packs.steps
    yield "pack.jokers", model.pack.jokers.steps
    if model.pack.ranks is not None:
        yield "pack.ranks", model.pack.ranks.steps
    for name, cell in model.settings.items():
        yield f"settings.{name}", cell.steps
    for name, pattern in model.classes.items():
        yield f"cards.{name}", pattern.steps
    for kind in model.melds.values():
        yield f"melds.{kind.name.text}", kind.steps
        for key, said in kind.cells():
            yield f"melds.{kind.name.text}.{key}", said.steps
    for table in (model.values, *model.tables.values()):
        yield from _table_provenance(table)
    declarations = model.declarations
    for category in ("zones", "phases", "memories", "definitions", "actions", "moments", "rules"):
        for name, entry in getattr(declarations, category).items():
            yield f"{category}.{name}", entry.steps
    for name, allowance in declarations.allowances.items():
        yield f"rules.{name}", allowance.steps
    for name, score in declarations.scores.items():
        yield f"scores.{name}", score.steps


def _table_provenance(table: Table) -> Iterator[tuple[str, Steps]]:
    yield table.name, table.steps
    for row in table.rows:
        path = f"{table.name}.{row.key}"
        if row.melds is not None or "" not in row.cells:
            yield path, row.steps
        for key, cell in _row_cells(row):
            yield f"{path}.{key}" if key else path, cell.steps
    if table.each_more is not None:
        yield f"{table.name}.each more", table.each_more.steps


def _row_cells(row: Row) -> Iterator[tuple[str, Cell[object]]]:
    if row.melds is not None:
        for key in ("meld", "rank", "size", "wilds", "naturals"):
            yield from _said(key, getattr(row.melds, key))
        yield from _said("if", row.melds.condition)
    yield from _said("title", row.title)
    yield from row.cells.items()
