"""The score of a deal: a column for each side, or a paragraph where there are too many. A line that
counts melds or cards by a table says below how many there are of what.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from meldc.cli.play.screen import Screen, words
from meldc_runtime.game import Position
from meldc_runtime.program.declarations import Program, ScoreLine
from meldc_runtime.program.expressions import Count, Lookup, RowAttr, SortedAs, Var, ZoneCards
from meldc_runtime.program.nodes import walk

SIDE = Var("side")
TIMES = "x"
"""Stands before a number that is no points."""


@dataclass(frozen=True, slots=True)
class Row:
    """A line of the sheet: its cells by side, empty where it does not concern a side. counts: it
    says how many there are of what the line above it counts.
    """

    text: str
    cells: list[str]
    counts: bool = False

    @property
    def label(self) -> str:
        return f"  {self.text}" if self.counts else self.text


def score_sheet(screen: Screen, position: Position) -> list[str]:
    """The score of a deal line by line, and the totals."""
    rows = _rows(position)
    names = [screen.side(side) for side in position.totals]
    label = max(len(row.label) for row in rows)
    widths = [max(8, len(name)) for name in names]
    if 2 + label + sum(width + 2 for width in widths) > screen.width:
        return [line for place in range(len(names)) for line in _side(screen, names, rows, place)]
    heads = "".join(f"  {name:>{width}}" for name, width in zip(names, widths, strict=True))
    lines = [f"  {'':<{label}}{heads}"]
    for row in rows:
        cells = "".join(f"  {cell:>{width}}" for cell, width in zip(row.cells, widths, strict=True))
        lines.append(f"  {row.label:<{label}}{cells}".rstrip())
    return lines


def _rows(position: Position) -> list[Row]:
    sides = list(position.totals)
    declared = {line.name: line for line in position.game.program.scores}
    points: dict[str, dict[str, int]] = {}
    for entry in position.sheet:
        by_side = points.setdefault(entry["line"], {})
        by_side[entry["side"]] = by_side.get(entry["side"], 0) + entry["points"]
    rows: list[Row] = []
    for name, by_side in points.items():
        if any(by_side.values()):
            line = declared.get(name)
            text = _sentence(line.sentence) if line is not None else ""
            rows.append(Row(text or words(name), [str(by_side.get(side, "")) for side in sides]))
            rows += _counted(position, line, sides) if line is not None else ()
    rows.append(Row("this deal", [str(position.scores[side]) for side in sides]))
    rows.append(Row("total", [str(position.totals[side]) for side in sides]))
    return rows


# -- what a line counts


def _counted(position: Position, line: ScoreLine, sides: list[str]) -> Iterator[Row]:
    """How many melds of each row a line sums up, and how many cards it finds in a table."""
    program, view = position.game.program, position.view(position.game.players[0])
    for table in dict.fromkeys(_sorting(line)):
        word = next(each.word for each in program.tables if each.name == table)
        found = [Counter(meld["rows"].get(word) for meld in view["melds"][side]) for side in sides]
        for key, title in _titles(program, table):
            yield from _row(title, [each[key] for each in found])
    for zone in dict.fromkeys(_zones(line)):
        held = {each["owner"]: each["count"] for each in view["zones"] if each["name"] == zone}
        if set(sides) <= set(held):
            yield from _row("cards", [held[side] for side in sides])


def _row(text: str, counts: list[int]) -> Iterator[Row]:
    if any(counts):
        yield Row(text, [f"{TIMES}{count}" if count else "" for count in counts], counts=True)


def _sorting(line: ScoreLine) -> Iterator[str]:
    """The tables that sort melds from which a line takes what each is worth."""
    for node in walk(line.gives):
        if isinstance(node, RowAttr) and isinstance(node.row, SortedAs):
            yield node.table


def _zones(line: ScoreLine) -> Iterator[str]:
    """The zones of the side whose number of cards is looked up in a table."""
    for node in walk(line.gives):
        match node:
            case Lookup(key=Count(source=ZoneCards(zone=zone, owner=owner), where=None)):
                if owner == SIDE:
                    yield zone


def _titles(program: Program, table: str) -> Iterator[tuple[Any, str]]:
    for each in program.tables:
        if each.name == table:
            yield from ((row.key, row.title or words(str(row.key))) for row in each.rows)


# -- in paragraphs


def _side(screen: Screen, names: list[str], rows: list[Row], place: int) -> list[str]:
    told: list[tuple[str, list[str]]] = []
    for row in rows:
        cell = row.cells[place]
        if not row.counts:
            told.append(("" if cell in ("", "0") else f"{row.text} {cell}", []))
        elif cell:
            told[-1][1].append(f"{cell.removeprefix(TIMES)} {row.text}")
    parts = [f"{text} ({', '.join(counts)})" if counts else text for text, counts in told if text]
    return screen.wrapped(f"  {names[place]}: ", ", ".join(parts) or "0")


def _sentence(sentence: Iterable[Any]) -> str:
    return "".join(part for part in sentence if isinstance(part, str)).strip()
