"""Keys and values of a game in words."""

from __future__ import annotations

import re

from meldc_runtime.program.declarations import Program, Sentence, Value
from meldc_runtime.program.expressions import (
    Apply,
    Count,
    Remembered,
    SettingValue,
    Var,
    ZoneCards,
)

_RANGE = re.compile(r"(\d*|[AKQJT])\.\.(\d*|[AKQJT])")
_COLUMNS = {
    "cards": "its cards",
    "wilds": "wild cards",
    "naturals": "natural cards",
    "size": "cards in all",
    "wilds_go": "wild cards of a growing run go",
    "how_many": "how many a side may have",
    "called": "called",
    "if": "condition",
    "contains": "must contain",
    "meld": "kind of meld",
}
_HEADS = {"values": "value of", "cards": "cards that are", "pack": ""}
_CATEGORIES = {
    "rules": "rule",
    "scores": "score line",
    "moments": "moment",
    "actions": "action",
    "phases": "phase",
    "zones": "zone",
    "memories": "memory",
    "definitions": "definition",
}
DECLARED = tuple(_CATEGORIES)


def plain(text: str) -> str:
    """A name as people write it."""
    return text.replace("_", " ")


def listed(words: list[str], last: str) -> str:
    """`a, b and c`."""
    if len(words) < 2:
        return "".join(words)
    return f"{', '.join(words[:-1])} {last} {words[-1]}"


def value_in_words(text: str) -> str:
    """A value as written, with ranges in words."""
    found = _RANGE.fullmatch(text.strip())
    if found is None:
        return plain(text)
    low, high = found.groups()
    if low and high:
        return f"{low} to {high}"
    return f"{low} or more" if low else f"up to {high}" if high else "any number"


def about(program: Program, key: str) -> str:
    """What a key is about: the sentence of a setting, the row and column of a table."""
    head, _, rest = key.partition(".")
    if head == "settings":
        text = next((each.text for each in program.settings if each.name == rest), "")
        return text or plain(rest)
    if head in _CATEGORIES:
        return f"{_CATEGORIES[head]} {plain(rest)}"
    if head in _HEADS:
        return f"{_HEADS[head]} {plain(rest)}".strip()
    if not rest:
        return plain(head)
    row, dot, column = rest.rpartition(".")
    if not dot or row.endswith("."):
        row, column = rest, ""
    what = "melds" if head == "melds" else table_title(program, head)
    name = row_title(program, head, row)
    return f"{what}, {name}: {_COLUMNS.get(column, plain(column))}" if column else f"{what}, {name}"


def table_title(program: Program, table: str) -> str:
    text = next((each.text for each in program.tables if each.name == table), "")
    return text or plain(table)


def row_title(program: Program, table: str, row: str) -> str:
    """The title of a row; `from 1500` for the lower bound of a band."""
    for each in program.tables:
        if each.name != table:
            continue
        title = next((r.title for r in each.rows if str(r.key) == row and r.title), "")
        if each.form == "band" and row.lstrip("-").isdecimal():
            return f"from {row}"
        return title or plain(row)
    return plain(row)


def said(program: Program, sentence: Sentence) -> str:
    """A sentence with the values of settings, and the names of what only play can tell."""
    return "".join(part if isinstance(part, str) else _value(program, part) for part in sentence)


def _value(program: Program, value: Value) -> str:
    match value.expr:
        case SettingValue(name):
            return plain(setting_text(program, name))
        case Apply(definition=name) | Var(name) | Remembered(memory=name):
            return f"<{plain(name)}>"
        case Count(ZoneCards(zone=name)):
            return f"<number of cards: {plain(name)}>"
    return "…"


def setting_text(program: Program, name: str) -> str:
    """The value of a setting as written."""
    for key, steps in program.provenance:
        if key == f"settings.{name}" and steps:
            return steps[-1].text
    return plain(name)
