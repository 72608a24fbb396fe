"""Bounds of bands that miss the steps in which totals move, or stand one step beside another."""

from __future__ import annotations

from itertools import pairwise

from meldc.check.inspection import Inspection, labels
from meldc.check.lines import Keys, Line
from meldc_runtime.program.declarations import Table

FEWEST_EVEN = 2
"""So many other bounds that are totals show that this one was to be one, too."""


def check_steps(inspection: Inspection, table: Table, lines: list[Line], keys: Keys) -> None:
    """Warns of bounds of the game's own that are off by one, or by one step."""
    reached = _reached(lines, keys)
    if not keys.of_totals or keys.step < 2:
        return
    # Of a row that gives what the one before gives, that is said.
    told = {two.key for one, two in pairwise(lines) if one.value == two.value is not None}
    # And of one that is never reached, too; the next row may be what is wrong there.
    held = [line for line, _ in reached]
    told |= {two.key for one, two in pairwise(lines) if one.number is not None and one not in held}
    told -= {line.key for line in lines if not inspection.is_own(line.steps)}
    for line, number in reached:
        if number % keys.step == 0 or not inspection.is_own(line.steps) or line.key in told:
            continue
        replaces = _replaces(inspection, table, number, lines, keys.step)
        if replaces or _is_odd_one(inspection, reached, line, keys.step):
            told.add(line.key)
            _report_uneven(inspection, table, line, number, keys.step)
    for (one, low), (two, high) in pairwise(reached):
        own = [line for line in (one, two) if inspection.is_own(line.steps)]
        first = keys.first_from(low)
        if len(own) == 1 and own[0].key not in told and first + keys.step >= high:
            _report_single(inspection, table, own[0], one if own[0] is two else two, first, one.key)


def _is_odd_one(
    inspection: Inspection, reached: list[tuple[Line, int]], line: Line, step: int
) -> bool:
    """Whether all other rows of the game's own begin at totals: `more than` is not its way."""
    others = [
        number for other, number in reached if other is not line and inspection.is_own(other.steps)
    ]
    return len(others) >= FEWEST_EVEN and all(number % step == 0 for number in others)


def _replaces(
    inspection: Inspection, table: Table, number: int, lines: list[Line], step: int
) -> bool:
    """Whether a row of what the game builds on begins, or began, one step beside."""
    removed = (
        what.rpartition(".")[2]
        for what, steps in inspection.model.removed.items()
        if what.startswith(f"{table.name}.") and inspection.is_own(steps)
    )
    bounds = [int(each) for each in removed if each.isdigit()]
    bounds += [
        line.number
        for line in lines
        if line.number is not None and not inspection.is_own(line.steps)
    ]
    return any(abs(number - each) < step for each in bounds)


def _reached(lines: list[Line], keys: Keys) -> list[tuple[Line, int]]:
    """The rows that some number falls into, with their bounds."""
    bounds = [(line, line.number) for line in lines if line.number is not None]
    ends = [number for _, number in bounds[1:]]
    return [
        (line, number)
        for (line, number), end in zip(bounds, [*ends, None], strict=True)
        if keys.reaches(number, end)
    ]


def _report_uneven(
    inspection: Inspection, table: Table, line: Line, number: int, step: int
) -> None:
    below, above = number // step * step, -(-number // step) * step
    inspection.warn(
        "MC0626",
        f"the row `{line.key}` of `{table.name}` begins between two totals",
        line.span,
        f"totals go in steps of {step}: {below} stands in the row before, {above} in this one",
        help=(f"write `{below}` or `{above}`",),
    )


def _report_single(
    inspection: Inspection, table: Table, own: Line, other: Line, only: int, key: str
) -> None:
    inspection.warn(
        "MC0626",
        f"only a total of {only} stands in the row `{key}` of `{table.name}`",
        own.span,
        f"one step beside the row `{other.key}`, which still holds",
        secondary=labels((other.span, "the row that it builds on")),
        help=(f"is it meant in its place? Then `remove: [{table.name}.{other.key}]`",),
    )
