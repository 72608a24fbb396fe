"""The names of a model and what they stand for, before any expression is looked at."""

from __future__ import annotations

from collections.abc import Iterator

from meldc.check.types import (
    DECLARABLE,
    HIGHEST_RANK,
    KIND,
    LOWEST_RANK,
    PHASE,
    RANK_NUMBERS,
    SUIT,
    row_of,
    setting_of,
    table_of,
)
from meldc.resolve.model import Resolved
from meldc.syntax import tree
from meldc_runtime.cards import SUIT_WORDS
from meldc_runtime.program.expressions import Const
from meldc_runtime.program.reserved import CARD_ATTRS, DEAL_NUMBER, DEALER, MELD_ATTRS, TOTAL

BUILT_IN_MEMORIES = {
    TOTAL: ("side", "number"),
    DEALER: ("none", "player"),
    DEAL_NUMBER: ("none", "number"),
}
"""What every table remembers, with owner and type."""

MELD_ZONE = "melds"
"""The zone that holds melds and not cards."""

BUILT_IN_NAMES = (
    "deal_score", "it", "kinds", "opponents", "partners", "phase", "player", "players", "side",
    "sides",
)  # fmt: skip
FUNCTIONS = (
    "all", "any", "best", "bottom", "can", "count", "first", "joined", "left", "max", "min", "next",
    "only", "opponents", "partners", "players", "quotient", "remainder", "right", "sum", "top",
    "unmelded",
)  # fmt: skip


def ranks_of(model: Resolved) -> tuple[int, int]:
    """Lowest and highest rank of the pack, jokers aside."""
    given = model.pack.ranks
    if given is None:
        return LOWEST_RANK, HIGHEST_RANK
    ends = [
        RANK_NUMBERS[word.text]
        for part in given.value.alternatives
        for word in (part.low, part.high)
        if word is not None
    ]
    return (min(ends), max(ends)) if ends else (LOWEST_RANK, HIGHEST_RANK)


class Vocabulary:
    """Answers what kind of thing a name is; types come from the elaborator."""

    def __init__(self, model: Resolved) -> None:
        self.model = model
        declared = model.declarations
        self.zones = declared.zones
        self.memories = declared.memories
        self.definitions = declared.definitions
        self.classes = model.classes
        self.settings = declared.settings
        self.tables = {model.values.name: model.values, **model.tables}
        self.ranks = ranks_of(model)
        jokers = model.pack.jokers.value
        self.has_jokers = not (isinstance(jokers, tree.Number) and jokers.value == 0)
        self.kinds = {name: at for at, name in enumerate(model.melds)}
        self.phases = {name: at for at, name in enumerate(declared.phases)}
        self.rows = {
            name: {row.key: at for at, row in enumerate(table.rows)}
            for name, table in self.tables.items()
            if table.form in ("sorts", "lists")
        }
        self.sort_words = dict(self._table_words("sorts"))
        self.row_types = {**dict(self._table_words("lists")), **self.sort_words}

    def _table_words(self, form: str) -> Iterator[tuple[str, str]]:
        for name, table in self.tables.items():
            if table.form == form and table.entry is not None:
                declared = table.entry.declaration.form
                assert isinstance(declared, tree.Sorts | tree.Lists)
                yield declared.word.text, name

    def choices(self, setting: str) -> tuple[str, ...]:
        """The words a setting can be; empty where it is no choice between words."""
        entry = self.settings.get(setting)
        if entry is None:
            return ()
        declaration = entry.declaration
        if declaration.choices:
            return tuple(word.text for word in declaration.choices)
        value = declaration.value
        if isinstance(value, tree.Name) and not self.is_value(value.name):
            return (value.name,)
        return ()

    def is_value(self, name: str) -> bool:
        """Whether a name has a meaning by itself, wherever it stands."""
        return (
            name in self.zones
            or name in self.memories
            or name in BUILT_IN_MEMORIES
            or name in self.definitions
            or name in self.classes
            or name in self.settings
            or name in self.tables
            or name in BUILT_IN_NAMES
        )

    def words_of(self, kind: str) -> dict[str, Const]:
        """The words that a type alone explains, with what they mean."""
        if (setting := setting_of(kind)) is not None:
            return {word: Const(word, "word") for word in self.choices(setting)}
        if (table := table_of(kind)) is not None:
            return {key: Const(at, kind) for key, at in self.rows.get(table, {}).items()}
        if kind == SUIT:
            return {word: Const(at, SUIT) for at, word in enumerate(SUIT_WORDS)}
        if kind == KIND:
            return {name: Const(at, KIND) for name, at in self.kinds.items()}
        if kind == PHASE:
            return {name: Const(at, PHASE) for name, at in self.phases.items()}
        return {}

    def type_named(self, name: str) -> str | None:
        """The type that an author names so: a built-in one, or a row of a table."""
        if name in DECLARABLE:
            return name
        table = self.row_types.get(name)
        return None if table is None else row_of(table)

    def type_names(self) -> tuple[str, ...]:
        return (*DECLARABLE, *self.row_types)

    def values(self) -> Iterator[str]:
        """All names that have a meaning by themselves, for suggestions."""
        yield from BUILT_IN_NAMES
        yield from BUILT_IN_MEMORIES
        for group in (self.settings, self.zones, self.memories, self.definitions, self.classes):
            yield from group
        yield from self.tables

    def about(self, owner: str) -> Iterator[str]:
        """Definitions, zones and memories kept of such an owner, for suggestions."""
        for name, entry in self.definitions.items():
            if entry.declaration.owner is not None and entry.declaration.owner.text == owner:
                yield name
        for name, zone in self.zones.items():
            if zone.declaration.owner is not None and zone.declaration.owner.text == owner:
                yield name
        for name, memory in self.memories.items():
            if memory.declaration.owner is not None and memory.declaration.owner.text == owner:
                yield name
        if owner == "side":
            yield "total"
            yield "deal_score"
        if owner == "card":
            yield from CARD_ATTRS
            yield from self.classes
        if owner == "meld":
            yield from MELD_ATTRS
            yield from self.sort_words
