"""Lays the tables of a layer on what is there: cell by cell, row by row."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from typing import Literal, TypeAlias

from meldc.diagnostics import Label, did_you_mean, error
from meldc.load import catalogue
from meldc.load.nodes import Entry as YamlEntry
from meldc.load.nodes import YamlMap, YamlNode, YamlText, kind_of
from meldc.resolve.declaring import named
from meldc.resolve.draft import Draft
from meldc.resolve.layer import Kind, Layer
from meldc.resolve.model import Bounds, Step
from meldc.resolve.reading import Reader
from meldc.source import Span
from meldc.syntax import tree

Form: TypeAlias = Literal["number", "band", "card", "sorts", "lists", "melds", "cards"]

BUILT_IN: Mapping[str, Form] = {"cards": "cards", "values": "card", "melds": "melds"}
ABOUT_THE_FILE = frozenset(
    {
        *("variant", "house", "extends", "title", "machine", "use", "rules", "remove"),
        *("needs", "choices", "sources", "allow"),
    }
)
FIXED = ("players", "side_size", "pack", *BUILT_IN)
_NO_HELP: tuple[str, ...] = ()
PACK = ("packs", "jokers", "ranks")

_NOWHERE = Span("", 1, 1, 1, 1)
_UNSAID: Mapping[str, object] = {
    "if": tree.Truth(_NOWHERE, True),
    "how_many": "many",
    "wilds": Bounds(0, 0),
    "wilds_go": "stay",
}
"""What holds for a kind of meld where its row says nothing."""


def lay_cells(draft: Draft, layer: Layer, reader: Reader) -> None:
    """Apply the keys of a file that are no rules: what is fixed, settings, tables."""
    known = ABOUT_THE_FILE if layer.kind is not Kind.COMMAND_LINE else frozenset()
    for entry in layer.body or ():
        if entry.name not in known:
            _Laying(draft, layer, reader).key(entry)


def form_of(draft: Draft, table: str) -> Form | None:
    """The form of a table, declared or built in; None where there is no such table."""
    declared = draft.category("table").get(table)
    if declared is None:
        return BUILT_IN.get(table)
    form = declared.declaration.form
    if isinstance(form, tree.Keyed):
        return form.key
    return "sorts" if isinstance(form, tree.Sorts) else "lists"


def row_key(key: YamlText, name: str, form: Form) -> str:
    """The text by which a row is the same in every layer."""
    if form == "card":
        return ", ".join(" ".join(part.split()) for part in key.value.split(","))
    if form in ("number", "band"):
        number = key.as_integer()
        return " ".join(key.value.split()) if number is None else str(number)
    return name


class _Laying:
    """Lays keys of one layer."""

    def __init__(self, draft: Draft, layer: Layer, reader: Reader) -> None:
        self._draft = draft
        self._layer = layer
        self._reader = reader

    def key(self, entry: YamlEntry) -> None:
        """A key at the left edge with what it holds."""
        if entry.name.startswith("replace "):
            self._replaced_table(entry, entry.name.removeprefix("replace "))
        elif entry.name in ("players", "side_size"):
            self._cell((entry.name,), entry.value, self._reader.numbers)
        elif entry.name == "pack":
            self._pack(entry)
        elif entry.name in self._draft.category("setting"):
            self._setting(entry)
        elif (form := form_of(self._draft, entry.name)) is not None:
            self._table(entry, entry.name, form)
        else:
            self._report_unknown_key(entry)

    # ---- single values ------------------------------------------------------------

    def _pack(self, entry: YamlEntry) -> None:
        for cell in self._map(entry, "`pack` holds `packs`, `jokers` and `ranks`"):
            if cell.name == "ranks":
                self._cell(("pack", "ranks"), cell.value, self._reader.cards)
            elif cell.name in PACK:
                self._cell(("pack", cell.name), cell.value, self._reader.expression)
            else:
                self._report_unknown(cell.key, "in `pack`", PACK)

    def _setting(self, entry: YamlEntry) -> None:
        declaration = self._draft.category("setting")[entry.name].declaration
        choices = [word.text for word in declaration.choices]
        if not choices:
            self._cell(("settings", entry.name), entry.value, self._reader.expression)
            return
        value = self._reader.word_or_expression(entry.value, choices)
        if value is None:
            return
        strangers = list(_no_choices(value, choices))
        for stranger in strangers:
            self._report_no_choice(stranger, entry.name, declaration)
        if not strangers:
            self._cell(("settings", entry.name), entry.value, lambda _: value)

    # ---- tables ------------------------------------------------------------

    def _replaced_table(self, entry: YamlEntry, name: str) -> None:
        form = form_of(self._draft, name)
        if form is None:
            self._report_no_table(entry, name)
            return
        step = Step(self._layer.title, f"replace {name}", entry.key.span)
        if self._draft.wipe(self._layer, name, step):
            self._table(entry, name, form)

    def _table(self, entry: YamlEntry, table: str, form: Form) -> None:
        for row in self._map(entry, f"`{table}` is a table and holds rows"):
            self._row(table, form, row)

    def _row(self, table: str, form: Form, row: YamlEntry) -> None:
        key = row_key(row.key, row.name, form)
        if not self._is_key(table, form, key, row.key):
            return
        is_new = key not in self._draft.rows.get(table, {})
        if is_new and key.startswith("below ") and not self._is_lowest(table, row.key):
            return
        before = len(self._draft.found)
        if form in ("sorts", "lists", "melds"):
            what = "a kind of meld" if form == "melds" else f"a row of `{table}`"
            columns = self._columns(table, form)
            for cell in self._map(row, f"{what} holds columns"):
                self._column(table, key, cell, columns, form)
        else:
            read = self._reader.cards if form == "cards" else self._reader.expression
            self._cell((table, key, ""), row.value, read)
        head = Step(self._layer.title, self._reader.written(row.value), row.key.span)
        self._draft.head(self._layer, table, key, head)
        if is_new and len(self._draft.found) == before:
            self._finish_new_row(table, form, key, row.key)

    def _column(
        self,
        table: str,
        row: str,
        cell: YamlEntry,
        columns: Mapping[str, tuple[Callable[[YamlNode], object], object]],
        form: Form,
    ) -> None:
        if cell.name not in columns:
            what = "a kind of meld" if form == "melds" else f"the rows of `{table}`"
            self._report_unknown(cell.key, f"of {what}", columns, "MC0414")
            return
        read, unsaid = columns[cell.name]
        self._cell((table, row, cell.name), cell.value, read, unsaid)

    def _columns(
        self, table: str, form: Form
    ) -> dict[str, tuple[Callable[[YamlNode], object], object]]:
        """For each column how it is read and what holds where it is not said."""
        read = self._reader
        if form == "melds":
            readers: dict[str, Callable[[YamlNode], object]] = {
                "shape": read.shape,
                "cards": read.cards,
                "wilds": read.bounds,
                "naturals": read.bounds,
                "size": read.bounds,
                "contains": read.cards_each,
                "ace": read.ace,
                "if": read.expression,
                "how_many": read.how_many,
                "called": read.plain,
                "wilds_go": read.wilds_go,
            }
            return {name: (reader, _UNSAID.get(name)) for name, reader in readers.items()}
        columns: dict[str, tuple[Callable[[YamlNode], object], object]] = {
            "title": (read.plain, None)
        }
        if form == "sorts":
            columns["meld"] = (read.names, None)
            columns["rank"] = (read.cards, None)
            columns["if"] = (read.expression, _UNSAID["if"])
            columns |= dict.fromkeys(("size", "wilds", "naturals"), (read.bounds, None))
        for column in self._draft.category("table")[table].declaration.form.columns:
            columns[column.name.text] = (read.expression, column.default)
        return columns

    def _finish_new_row(self, table: str, form: Form, key: str, written: YamlText) -> None:
        """A row nobody has begun yet says what it is about, or it meant another one."""
        draft = self._draft
        if form == "melds" and ("melds", key, "shape") not in draft.cells:
            self._report_no_row(table, key, written, "a new kind of meld says its `shape`")
        elif form == "sorts" and (table, key, "meld") not in draft.cells:
            if key not in draft.rows.get("melds", {}):
                help_ = "a new row says its `meld`, or has the name of a kind of meld"
                self._report_no_row(table, key, written, help_)
                return
            step = Step(self._layer.title, key, written.span)
            draft.write(self._layer, (table, key, "meld"), (tree.Word(key, written.span),), step)

    # ---- one cell ------------------------------------------------------------

    def _cell(
        self,
        path: tuple[str, ...],
        node: YamlNode,
        read: Callable[[YamlNode], object],
        unsaid: object = None,
    ) -> None:
        value = read(node)
        if value is not None:
            step = Step(self._layer.title, self._reader.written(node), node.span)
            self._draft.write(self._layer, path, value, step, unsaid)

    def _map(self, entry: YamlEntry, wanted: str) -> Iterable[YamlEntry]:
        if isinstance(entry.value, YamlMap):
            return entry.value
        self._draft.found.add(
            error(
                "MC0201",
                f"{wanted}, and this is {kind_of(entry.value)}",
                entry.value.span,
                "a map `{key: value}` belongs here",
            )
        )
        return ()

    # ---- what goes wrong ------------------------------------------------------------

    def _is_key(self, table: str, form: Form, key: str, written: YamlText) -> bool:
        """Whether a row can have this key; reported where it cannot."""
        wanted, help_ = "", _NO_HELP
        match form:
            case "number" if key != "each more" and not key.removeprefix("-").isdecimal():
                wanted = "a number, or `each more`"
                help_ = _of_stretch(key, "each number has a row of its own")
            case "band" if not re.fullmatch(r"-?\d+|below -?\d+", key):
                wanted = "a number (the lower bound), or `below` and a number"
                help_ = _of_stretch(key, "a row goes on to where the next one begins")
            case "card":
                pattern = self._reader.pattern_key(written)
                if pattern is not None:
                    self._draft.patterns.setdefault((table, key), pattern)
                return pattern is not None
        if wanted:
            self._draft.found.add(
                error(
                    "MC0202",
                    f"`{key}` is no row of `{table}`",
                    written.span,
                    f"{wanted} belongs here",
                    help=help_,
                )
            )
        return not wanted

    def _is_lowest(self, table: str, written: YamlText) -> bool:
        """Whether a table has no row below all bounds yet; reported where it has."""
        heads = self._draft.rows.get(table, {}).values()
        lowest = next((head for head in heads if head.key.startswith("below ")), None)
        if lowest is not None:
            self._draft.found.add(
                error(
                    "MC0202",
                    f"`{table}` has a row `{lowest.key}` already",
                    written.span,
                    "only one row lies below all others",
                    secondary=[Label(lowest.span, "the other one")],
                    help=[f"remove it with `remove: [{table}.{lowest.key}]`"],
                )
            )
        return lowest is None

    def _report_unknown_key(self, entry: YamlEntry) -> None:
        draft, name = self._draft, entry.name
        known = (*FIXED, *draft.category("setting"), *draft.category("table"))
        help_ = did_you_mean(name, known)
        secondary: list[Label] = []
        namesake = named(draft, "define", name)
        if namesake is not None:
            what = "no setting and no table"
            secondary = [Label(namesake.declaration.name.span, f"`{name}` is {what}")]
            help_ = ("it can be replaced in `rules:`",)
        elif not help_ and isinstance(entry.value, YamlMap):
            help_ = (f"a new table is declared in `rules:`: `table {name} by number`",)
        elif not help_ and (part := catalogue.part_with(name)):
            help_ = (f"the part `{part}` has it: write `use: {part}`, or `use {part}` in rules",)
        elif not help_:
            help_ = ("`meldc why` shows all the keys of a game",)
        draft.found.add(
            error(
                "MC0401",
                f"this game has no setting and no table `{entry.key.value}`",
                entry.key.span,
                "nothing reads this key",
                secondary=secondary,
                help=help_,
            )
        )

    def _report_no_table(self, entry: YamlEntry, name: str) -> None:
        tables = (*BUILT_IN, *self._draft.category("table"))
        help_ = did_you_mean(name, tables)
        if name in self._draft.category("setting") or name in FIXED:
            help_ = (f"only tables are replaced as a whole; write `{name}:`",)
        self._draft.found.add(
            error(
                "MC0405",
                f"there is no table `{name}` to replace",
                entry.key.span,
                "no table has this name here",
                help=help_,
            )
        )

    def _report_unknown(
        self, key: YamlText, where: str, known: Iterable[str], code: str = "MC0203"
    ) -> None:
        names = list(known)
        self._draft.found.add(
            error(
                code,
                f"`{key.value}` is no key {where}",
                key.span,
                "nothing reads this key",
                help=did_you_mean(key.value, names)
                or (f"the keys here are {', '.join(f'`{name}`' for name in names)}",),
            )
        )

    def _report_no_choice(
        self, stranger: tree.Expression, setting: str, declaration: tree.SettingDecl
    ) -> None:
        written = self._draft.text(stranger.span) or getattr(stranger, "name", "this")
        choices = [word.text for word in declaration.choices]
        self._draft.found.add(
            error(
                "MC0402",
                f"`{written}` is no choice of `{setting}`",
                stranger.span,
                "not one of its choices",
                secondary=[Label(declaration.name.span, "the setting is declared here")],
                help=(
                    *did_you_mean(written, choices),
                    f"the choices are {', '.join(f'`{choice}`' for choice in choices)}",
                ),
            )
        )

    def _report_no_row(self, table: str, key: str, written: YamlText, help_: str) -> None:
        rows = [row for row in self._draft.rows.get(table, {}) if row != key]
        self._draft.rows.get(table, {}).pop(key, None)
        for path in [path for path in self._draft.cells if path[:2] == (table, key)]:
            del self._draft.cells[path]
        what = "kind of meld" if table == "melds" else "row"
        who = "the house rule names" if self._layer.kind is Kind.HOUSE else "this names"
        self._draft.found.add(
            error(
                "MC0413",
                f"there is no {what} `{written.value}` in `{table}` to change",
                written.span,
                f"{who} what is not there",
                help=(*did_you_mean(key, rows), help_),
            )
        )


def _no_choices(value: tree.Expression, choices: list[str]) -> list[tree.Expression]:
    """The parts of an expression that would have to be a choice and are none."""
    match value:
        case tree.Choice():
            return _no_choices(value.then, choices) + _no_choices(value.otherwise, choices)
        case tree.Otherwise():
            return [bad for part in value.choices for bad in _no_choices(part, choices)]
        case tree.Name(name=name) if name in choices:
            return []
        case _:
            return [value]


def _of_stretch(key: str, how: str) -> tuple[str, ...]:
    """Help for a key that names a stretch of numbers, where rows are named by their beginning."""
    begin = re.match(r"[<>=]*\s*(-?\d+)", key)
    return (f"{how}: write `{begin[1]}: …`",) if begin else ()
