"""Follows `remove:` of a YAML file: rows, cells and declarations, with what hangs on them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from meldc.diagnostics import did_you_mean, error
from meldc.load.nodes import YamlList, YamlText, key_name
from meldc.resolve.declaring import remove_declaration, take_along
from meldc.resolve.draft import CATEGORY_WORDS, GONE, Draft
from meldc.resolve.layer import Layer
from meldc.resolve.laying import BUILT_IN, form_of
from meldc.resolve.model import Step
from meldc.resolve.reading import words_in
from meldc.syntax import tree


def lay_removals(draft: Draft, layer: Layer) -> None:
    """Apply `remove:`; an entry of the list may itself name several with commas."""
    listed = layer.body.get("remove") if layer.body else None
    items = listed.items if isinstance(listed, YamlList) else (listed,)
    for item in items:
        if isinstance(item, YamlText):
            for word in _pieces(draft, item):
                _remove(draft, layer, word)


def _pieces(draft: Draft, item: YamlText) -> list[tree.Word]:
    """What one entry names; a comma within the key of a row divides nothing."""
    table, dot, row = item.value.partition(".")
    if dot and row.strip() in draft.rows.get(table.strip(), {}):
        return [tree.Word(item.value.strip(), item.span)]
    return [
        tree.Word(".".join(key_name(part) for part in word.text.split(".")), word.span)
        if "." in word.text
        else tree.Word(word.text.replace("-", "_"), word.span)
        for word in words_in(item.value, item.rebase)
    ]


def _remove(draft: Draft, layer: Layer, word: tree.Word) -> None:
    category, _, name = word.text.partition(" ")
    if name and category in CATEGORY_WORDS:
        remove_declaration(draft, layer, category, tree.Word(name.strip(), word.span))
        return
    table, dot, row = word.text.partition(".")
    if not dot:
        _report_nothing_named(draft, word, category if name else "")
    elif form_of(draft, table) is None:
        known = (*BUILT_IN, *draft.category("table"))
        _report_absent(draft, word, f"there is no table `{table}`", did_you_mean(table, known))
    else:
        _remove_row(draft, layer, word, table, row)


def _remove_row(draft: Draft, layer: Layer, word: tree.Word, table: str, row: str) -> None:
    step = Step(layer.title, f"{GONE} {word.text}", word.span)
    if row in draft.rows.get(table, {}):
        draft.drop_row(layer, table, row, step)
        if table == "melds":
            take_along(draft, layer, row, step)
            _take_rows_along(draft, layer, row, step)
        return
    head, dot, column = row.rpartition(".")
    if dot and (table, head, column) in draft.cells:
        draft.drop_cell(layer, (table, head, column), step)
    elif not (
        draft.has_fallen(layer, f"{table}.{row}")
        or draft.was_dropped_by_another(layer, (table, row))
    ):
        known = draft.rows.get(table, {})
        help_ = did_you_mean(row, known) or _rows_there(known)
        _report_absent(draft, word, f"`{table}` has no row `{row}`", help_)


def _rows_there(known: Iterable[str]) -> tuple[str, ...]:
    names = [f"`{name}`" for name in known]
    return (f"its rows are {', '.join(names)}",) if names else ()


def _take_rows_along(draft: Draft, layer: Layer, kind: str, step: Step) -> None:
    """A removed kind of meld takes along the rows that sort it alone."""
    for table in list(draft.rows):
        if form_of(draft, table) != "sorts":
            continue
        for row in list(draft.rows[table]):
            cell = draft.cells.get((table, row, "meld"))
            if cell is None or kind not in [word.text for word in cell.value]:
                continue
            left = tuple(word for word in cell.value if word.text != kind)
            if left:
                narrowed = replace(cell, value=left, steps=(*cell.steps, step))
                draft.cells[table, row, "meld"] = narrowed
            else:
                draft.drop_row(layer, table, row, step)


def _report_absent(draft: Draft, word: tree.Word, message: str, help_: tuple[str, ...]) -> None:
    label = "there is nothing to remove"
    draft.found.add(error("MC0406", message, word.span, label, help=help_))


def _report_nothing_named(draft: Draft, word: tree.Word, category: str) -> None:
    help_ = did_you_mean(category, CATEGORY_WORDS) if category else ()
    shown = "write `melds.NAME` for a row, or `rule NAME` for a declaration"
    draft.found.add(
        error(
            "MC0406",
            f"`{word.text}` says neither a row nor a declaration",
            word.span,
            "it is not clear what is removed",
            help=(*help_, shown),
        )
    )
