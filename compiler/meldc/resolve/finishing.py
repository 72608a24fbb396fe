"""From the draft to the effective model: what is missing, what is named twice, the final order."""

from __future__ import annotations

from typing import Any

from meldc.diagnostics import Collector, Label, error
from meldc.resolve.declaring import category_of, named
from meldc.resolve.draft import CATEGORY_WORDS, Draft
from meldc.resolve.layer import Layer
from meldc.resolve.laying import form_of
from meldc.resolve.model import (
    Allowed,
    Cell,
    Declarations,
    Entry,
    MeldRow,
    Need,
    Pack,
    Resolved,
    Row,
    SortedMelds,
    Steps,
    Table,
)
from meldc.resolve.ordering import in_order
from meldc.source import Span
from meldc.syntax import tree

_NEEDED = {
    ("players",): "`players`: how many play",
    ("side_size",): "`side_size`: how many players make a side",
    ("pack", "packs"): "`packs` in `pack`: how many packs of cards",
}


def finish(
    draft: Draft,
    variant: Layer,
    title: str,
    machine: str,
    house: tuple[str, ...],
    needs: tuple[Need, ...],
    allowed: tuple[Allowed, ...],
) -> Resolved | None:
    """The model; None where something it cannot do without is missing."""
    _check_names(draft)
    if not _has_all(draft, variant.span):
        return None
    return Resolved(
        name=variant.name,
        title=title,
        machine=machine,
        house=house,
        players=draft.cells["players",],
        side_sizes=draft.cells["side_size",],
        pack=_pack(draft, variant),
        declarations=_declarations(draft),
        settings={name: draft.cells["settings", name] for name in draft.category("setting")},
        classes={name: draft.cells["cards", name, ""] for name in _rows(draft, "cards")},
        values=_table(draft, "values"),
        tables={name: _table(draft, name) for name in draft.category("table")},
        melds={name: _meld(draft, name) for name in _rows(draft, "melds")},
        needs=needs,
        span=variant.span,
        allowed=allowed,
        removed=_removed(draft),
    )


def _removed(draft: Draft) -> dict[str, Steps]:
    """What was removed and is not there again."""
    found = {}
    for what, steps in draft.removed.items():
        category, _, name = what.partition(" ")
        if not name or name not in draft.category(category):
            found[what] = steps
    return found


# ---- checks of the whole ------------------------------------------------------------


def _has_all(draft: Draft, span: Span | None) -> bool:
    missing = [what for path, what in _NEEDED.items() if path not in draft.cells]
    for what in missing:
        help_ = ["give it here or in the variant this one extends"]
        message = f"the game does not say {what}"
        draft.found.add(error("MC0204", message, span, "nothing says it", help=help_))
    return not missing


def _check_names(draft: Draft) -> None:
    """Classes of cards share the names of definitions, kinds of meld those of actions."""
    for table, category, what in (
        ("cards", "define", "a class of cards"),
        ("melds", "action", "a kind of meld"),
    ):
        for name, head in draft.rows.get(table, {}).items():
            other = named(draft, category, name)
            if other is not None:
                _report_namesake(draft.found, name, what, head.span, other)


def _report_namesake(
    found: Collector, name: str, what: str, span: Span | None, other: Entry[Any]
) -> None:
    found.add(
        error(
            "MC0404",
            f"`{name}` is {what} and also {CATEGORY_WORDS[category_of(other)]}",
            span,
            f"{what} of this name",
            secondary=[Label(other.declaration.name.span, "this has the name too")],
            help=["choose another name for one of them"],
        )
    )


# ---- the parts of the model ------------------------------------------------------------


def _rows(draft: Draft, table: str) -> list[str]:
    """The rows of which every cell could be read, in order."""
    return [
        row
        for row in draft.rows.get(table, {})
        if any(path[:2] == (table, row) for path in draft.cells)
    ]


def _pack(draft: Draft, variant: Layer) -> Pack:
    span = variant.span or Span("", 1, 1, 1, 1)
    no_jokers: Cell[tree.Expression] = Cell(tree.Number(span, 0), "0", None, ())
    return Pack(
        packs=draft.cells["pack", "packs"],
        jokers=draft.cells.get(("pack", "jokers"), no_jokers),
        ranks=draft.cells.get(("pack", "ranks")),
    )


def _declarations(draft: Draft) -> Declarations:
    rules = draft.category("rule")
    allowances = {
        name: entry
        for name, entry in rules.items()
        if isinstance(entry.declaration.verdict, tree.AllowedDuring)
    }
    return Declarations(
        settings=draft.category("setting"),
        tables=draft.category("table"),
        zones=draft.category("zone"),
        phases=draft.category("phase"),
        memories=draft.category("remember"),
        definitions=draft.category("define"),
        actions=draft.category("action"),
        moments=in_order(draft.category("moment"), draft.found),
        rules={name: entry for name, entry in rules.items() if name not in allowances},
        allowances=allowances,
        scores=draft.category("score"),
    )


def _meld(draft: Draft, name: str) -> MeldRow:
    head = draft.rows["melds"][name]
    cells = _cells(draft, "melds", name)
    return MeldRow(
        name=tree.Word(name, head.span or Span("", 1, 1, 1, 1)),
        steps=head.steps,
        shape=cells.get("shape"),
        cards=cells.get("cards"),
        wilds=cells.get("wilds"),
        naturals=cells.get("naturals"),
        size=cells.get("size"),
        contains=cells.get("contains"),
        ace=cells.get("ace"),
        condition=cells.get("if"),
        how_many=cells.get("how_many"),
        called=cells.get("called"),
        wilds_go=cells.get("wilds_go"),
    )


def _table(draft: Draft, name: str) -> Table:
    form = form_of(draft, name)
    assert form in ("number", "band", "card", "sorts", "lists"), "this is a bug in meldc"
    entry = draft.category("table").get(name)
    rows = [_row(draft, name, row, form) for row in _rows(draft, name) if row != "each more"]
    if form in ("number", "band"):
        rows.sort(key=lambda row: (row.number is not None, row.number or 0))
    steps: Steps = (*(entry.steps if entry else ()), *draft.wiped.get(name, ()))
    more = draft.cells.get((name, "each more", "")) if form == "number" else None
    return Table(name, form, entry, steps, tuple(rows), more)


def _row(draft: Draft, table: str, name: str, form: str) -> Row:
    head = draft.rows[table][name]
    cells = _cells(draft, table, name)
    title = cells.pop("title", None) if form in ("sorts", "lists") else None
    melds = None
    if form == "sorts":
        melds = SortedMelds(
            meld=cells.pop("meld", None),
            rank=cells.pop("rank", None),
            size=cells.pop("size", None),
            wilds=cells.pop("wilds", None),
            naturals=cells.pop("naturals", None),
            condition=cells.pop("if", None),
        )
    is_number = form in ("number", "band") and not name.startswith("below")
    return Row(
        key=name,
        span=head.span,
        steps=head.steps,
        number=int(name) if is_number else None,
        cards=draft.patterns.get((table, name)),
        melds=melds,
        title=title,
        cells=cells,
    )


def _cells(draft: Draft, table: str, row: str) -> dict[str, Cell[Any]]:
    return {path[2]: cell for path, cell in draft.cells.items() if path[:2] == (table, row)}
