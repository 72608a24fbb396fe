"""The score of a deal: a column for each side, or a paragraph where there are too many."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from meldc.cli.play.screen import Screen, words
from meldc_runtime.game import Position


def score_sheet(screen: Screen, position: Position) -> list[str]:
    """The score of a deal line by line, and the totals."""
    rows = _rows(position)
    names = [screen.side(side) for side in position.totals]
    label = max(len(text) for text, _ in rows)
    widths = [max(8, len(name)) for name in names]
    if 2 + label + sum(width + 2 for width in widths) > screen.width:
        return [line for place in range(len(names)) for line in _side(screen, names, rows, place)]
    heads = "".join(f"  {name:>{width}}" for name, width in zip(names, widths, strict=True))
    lines = [f"  {'':<{label}}{heads}"]
    for text, numbers in rows:
        cells = "".join(
            f"  {'' if n is None else n:>{width}}" for n, width in zip(numbers, widths, strict=True)
        )
        lines.append(f"  {text:<{label}}{cells}".rstrip())
    return lines


Rows = list[tuple[str, list[int | None]]]


def _rows(position: Position) -> Rows:
    sides = list(position.totals)
    sentences = {
        line.name: _sentence(line.sentence) or words(line.name)
        for line in position.game.program.scores
    }
    points: dict[str, dict[str, int]] = {}
    for entry in position.sheet:
        by_side = points.setdefault(entry["line"], {})
        by_side[entry["side"]] = by_side.get(entry["side"], 0) + entry["points"]
    rows: Rows = [
        (sentences.get(line, words(line)), [by_side.get(side) for side in sides])
        for line, by_side in points.items()
        if any(by_side.values())
    ]
    rows.append(("this deal", [position.scores[side] for side in sides]))
    rows.append(("total", [position.totals[side] for side in sides]))
    return rows


def _side(screen: Screen, names: list[str], rows: Rows, place: int) -> list[str]:
    told = [f"{text} {numbers[place]}" for text, numbers in rows if numbers[place]]
    return screen.wrapped(f"  {names[place]}: ", ", ".join(told) or "0")


def _sentence(sentence: Iterable[Any]) -> str:
    return "".join(part for part in sentence if isinstance(part, str)).strip()
