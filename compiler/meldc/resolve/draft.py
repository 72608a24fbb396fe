"""The effective model while it is put together, and what the layers do to each other on the way.

Every value has a path: `settings, hand_size`; `melds, set, size`; `pack, packs`; a row of a table
with one column `values, 8..K, ""`; a declaration `rule, leave_needed`. Writing goes through here,
so that the history of each value, two house rules against each other, house rules without effect
and values that only repeat the inherited one are seen in one place.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from meldc.diagnostics import Collector, Label, error
from meldc.resolve.compare import meaning
from meldc.resolve.layer import Layer
from meldc.resolve.model import Cell, Entry, Step, Steps
from meldc.source import Sources, Span
from meldc.syntax import tree

Path: TypeAlias = tuple[str, ...]

GONE = "removed"
"""The value of what a layer takes away."""


@dataclass(frozen=True, slots=True)
class Head:
    """A row of a table: its key as first written, and how it came to be."""

    key: str
    span: Span | None
    steps: Steps


@dataclass(frozen=True, slots=True)
class Repeat:
    """A value that was so already: the new step and the one before."""

    path: Path
    now: Step
    before: Step | None


@dataclass(frozen=True, slots=True)
class Change:
    """A value that differs as written; it may still come to the same at every table."""

    repeat: Repeat
    earlier: object
    value: object


@dataclass(frozen=True, slots=True)
class Laid:
    """What a house rule did to a path."""

    layer: Layer
    value: object
    step: Step


@dataclass
class Draft:
    """The state of the merge.

    patterns: keys of rows by card, read. decided: paths set on the command line, which settle
    contradictions. changed, repeats, written, refused: by layer what it changed, what was so
    already, all it wrote, and whether something of it was left out. reckoned: by layer the
    changes by expressions, which may come to what was so before. laid: what house rules did;
    contested: that about which two of them contradict each other. removed: what was taken away and
    has not come again, as `remove:` says it, with its steps.
    """

    found: Collector
    sources: Sources
    cells: dict[Path, Cell[Any]] = field(default_factory=dict)
    rows: dict[str, dict[str, Head]] = field(default_factory=dict)
    wiped: dict[str, Steps] = field(default_factory=dict)
    declared: dict[str, dict[str, Entry[Any]]] = field(default_factory=dict)
    patterns: dict[tuple[str, str], tree.CardPattern] = field(default_factory=dict)
    decided: frozenset[Path] = frozenset()
    changed: set[str] = field(default_factory=set)
    reckoned: dict[str, list[Change]] = field(default_factory=dict)
    repeats: dict[str, list[Repeat]] = field(default_factory=dict)
    written: dict[str, list[Path]] = field(default_factory=dict)
    refused: set[str] = field(default_factory=set)
    laid: dict[Path, Laid] = field(default_factory=dict)
    contested: set[Path] = field(default_factory=set)
    removed: dict[str, Steps] = field(default_factory=dict)

    # ---- writing ------------------------------------------------------------

    def write(
        self, layer: Layer, path: Path, value: object, step: Step, unsaid: object = None
    ) -> None:
        """Set a cell. `unsaid` is what holds where nobody has said anything."""
        if self.is_contradicted(layer, path, value, step):
            return
        self.written.setdefault(layer.title, []).append(path)
        before = self.cells.get(path)
        earlier = before.value if before else unsaid
        repeat = Repeat(path, step, before.steps[-1] if before else None)
        if earlier is not None and meaning(earlier) == meaning(value):
            self.repeats.setdefault(layer.title, []).append(repeat)
            if self._is_shared(layer, path):
                self.changed.add(layer.title)
        elif layer.is_house and isinstance(value, tree.Choice):
            change = Change(repeat, earlier, value)
            self.reckoned.setdefault(layer.title, []).append(change)
        else:
            self.changed.add(layer.title)
        steps = (*(before.steps if before else ()), step)
        self.cells[path] = Cell(value, step.text, step.span, steps)

    def head(self, layer: Layer, table: str, row: str, step: Step) -> None:
        """Begin a row of a table, or note that a layer changes it."""
        heads = self.rows.setdefault(table, {})
        self.removed.pop(f"{table}.{row}", None)
        before = heads.get(row)
        if before is None:
            self.changed.add(layer.title)
            heads[row] = Head(row, step.span, (step,))
        else:
            heads[row] = Head(row, before.span, (*before.steps, step))

    def wipe(self, layer: Layer, table: str, step: Step) -> bool:
        """Take away all rows of a table, as `replace` before its name does; False: refused."""
        if self.is_contradicted(layer, (table,), GONE, step):
            return False
        self.changed.add(layer.title)
        self.wiped[table] = (*self.wiped.get(table, ()), step)
        self.rows[table] = {}
        self._drop((table,))
        return True

    def drop_row(self, layer: Layer, table: str, row: str, step: Step) -> None:
        """Take away a row of a table."""
        if self.is_contradicted(layer, (table, row), GONE, step):
            return
        self.changed.add(layer.title)
        head = self.rows[table].pop(row, None)
        self.removed[f"{table}.{row}"] = (*(head.steps if head else ()), step)
        self._drop((table, row))

    def drop_cell(self, layer: Layer, path: Path, step: Step) -> None:
        """Take away a cell of a row."""
        if self.is_contradicted(layer, path, GONE, step):
            return
        self.changed.add(layer.title)
        self.cells.pop(path, None)

    def drop_table(self, table: str) -> None:
        """Forget the rows of a table that is no longer declared."""
        self.rows.pop(table, None)
        self.wiped.pop(table, None)
        self._drop((table,))

    def drop_columns(self, table: str, columns: Collection[str]) -> None:
        """Forget the cells of columns a table no longer has."""
        for path in [path for path in self.cells if path[0] == table and path[-1] in columns]:
            del self.cells[path]

    def _drop(self, prefix: Path) -> None:
        for path in [path for path in self.cells if path[: len(prefix)] == prefix]:
            del self.cells[path]

    # ---- house rules against each other ------------------------------------------------------

    def is_contradicted(self, layer: Layer, path: Path, value: object, step: Step) -> bool:
        """Whether another house rule does something else to the same thing; reported here."""
        if not layer.is_house:
            return False
        other = self._against(layer, path, value)
        if other is None:
            self.laid.setdefault(path, Laid(layer, value, step))
            return False
        self.refused.add(layer.title)
        self.contested.add(path)
        if path not in self.decided:
            self._report_contradiction(layer, path, step, other)
        return True

    def was_refused(self, layer: Layer) -> bool:
        """Whether something of a layer was left out, so that it may have no effect for that."""
        return layer.title in self.refused

    def has_fallen(self, layer: Layer, what: str) -> bool:
        """Whether it went along with something else that the same layer removes."""
        steps = self.removed.get(what)
        return steps is not None and steps[-1].source == layer.title

    def was_dropped_by_another(self, layer: Layer, path: Path) -> bool:
        """Whether another house rule has taken the same thing away already."""
        other = self.laid.get(path)
        return (
            layer.is_house
            and other is not None
            and other.layer is not layer
            and other.value == GONE
        )

    def _against(self, layer: Layer, path: Path, value: object) -> Laid | None:
        for other_path, laid in self.laid.items():
            if laid.layer is layer:
                continue
            shared = min(len(path), len(other_path))
            if path[:shared] != other_path[:shared]:
                continue
            if path == other_path and meaning(laid.value) == meaning(value):
                continue
            if path == other_path or GONE in (laid.value if len(path) > shared else value,):
                return laid
        return None

    def _is_shared(self, layer: Layer, path: Path) -> bool:
        """Whether it is so only because another house rule made it so."""
        other = self.laid.get(path)
        return other is not None and other.layer is not layer

    def _report_contradiction(self, layer: Layer, path: Path, step: Step, other: Laid) -> None:
        what = spoken(path)
        mine, theirs = layer.label, other.layer.label
        cure = "lay only one of the two over a game"
        if (len(path) == 2 and path[0] in ("settings", "pack")) or len(path) == 1:
            cure += f", or decide on the command line: `--house {path[-1]}={step.text}`"
        self.found.add(
            error(
                "MC0410",
                f"the house rules `{theirs}` and `{mine}` contradict each other about {what}",
                step.span,
                f"`{mine}` {_deed(path, step)}",
                secondary=[
                    Label(other.step.span, f"`{theirs}` {_deed(path, other.step)}"),
                ],
                help=[cure],
            )
        )

    # ---- declarations ------------------------------------------------------------

    def category(self, category: str) -> dict[str, Entry[Any]]:
        """The declarations of a category by name, in order."""
        return self.declared.setdefault(category, {})

    def step(self, layer: Layer, node: tree.Node) -> Step:
        """The step of a declaration: its text as written, in one line."""
        return Step(layer.title, self.text(node.span), node.span)

    def text(self, span: Span) -> str:
        """What stands at a place, in one line, without comments."""
        source = self.sources.get(span.file)
        if source is None:
            return ""
        lines = list(source.lines[span.line - 1 : span.end_line])
        if not lines:
            return ""
        lines[-1] = lines[-1][: span.end_column - 1] if span.end_column > 1 else ""
        lines[0] = lines[0][span.column - 1 :]
        return " ".join(line for line in map(_without_comment, lines) if line)


def spoken(path: Path) -> str:
    """A path for people: `` `hand_size` ``, `` `size` of `set` in `melds` ``."""
    match path:
        case ("settings", name):
            return f"`{name}`"
        case (category, name) if category in CATEGORY_WORDS:
            return f"{CATEGORY_WORDS[category]} `{name}`"
        case (table,):
            return f"`{table}`"
        case (table, row) | (table, row, ""):
            return f"`{row}` in `{table}`"
        case (table, row, column):
            return f"`{column}` of `{row}` in `{table}`"
    return ".".join(path)


CATEGORY_WORDS = {
    "setting": "the setting",
    "table": "the table",
    "zone": "the zone",
    "phase": "the phase",
    "remember": "the memory",
    "define": "the definition",
    "action": "the action",
    "moment": "the moment",
    "rule": "the rule",
    "score": "the score",
}


def names_of(entries: Iterable[Entry[Any]]) -> list[str]:
    """The names of declarations."""
    return [entry.name for entry in entries]


def _deed(path: Path, step: Step) -> str:
    if step.text.startswith(GONE):
        return "removes it"
    if path[0] in CATEGORY_WORDS and path[0] != "settings":
        return "has it so"
    return f"says `{step.text}`"


def _without_comment(line: str) -> str:
    head, _, rest = line.partition("#")
    return line.strip() if '"' in rest and head.count('"') % 2 else head.strip()
