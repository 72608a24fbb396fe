"""Tables by band and by number: gaps, rows nobody reaches, numbers that fall."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from meldc.check import ownership
from meldc.check.granularity import granularity
from meldc.check.inspection import Inspection, labels, listed
from meldc.check.lasting import grows_without_end
from meldc.check.lines import Keys, Line
from meldc.check.possible.domain import Possible, union
from meldc.check.steps import check_steps
from meldc.check.walk import walk
from meldc.resolve import model
from meldc.source import Span
from meldc_runtime.program.declarations import Row, Table
from meldc_runtime.program.effects import EndGame
from meldc_runtime.program.expressions import (
    AllSides,
    Compare,
    Exists,
    Expr,
    Lookup,
    Remembered,
)


def check_bands(inspection: Inspection) -> None:
    """Reports what is wrong with the rows of tables by number and by band."""
    if inspection.without_score:
        return
    asked: dict[str, list[Expr]] = {}
    for node in inspection.nodes:
        if isinstance(node, Lookup):
            asked.setdefault(node.table, []).append(node.key)
    for table in inspection.program.tables:
        given = inspection.model.tables.get(table.name)
        if given is None or not table.rows or table.form not in ("number", "band"):
            continue
        lines = list(_lines(inspection, table.rows, given.rows))
        _check_order(inspection, table, lines)
        keys = _keys(inspection, asked.get(table.name, []))
        if keys is None:
            if table.form == "number":
                _check_holes(inspection, table, lines)
                _check_growing(inspection, table, lines, asked.get(table.name, []))
            continue
        if table.form == "band":
            _check_bands(inspection, table, lines, keys)
            check_steps(inspection, table, lines, keys)
            _check_target(inspection, table, lines, keys)
        else:
            _check_numbers(inspection, table, lines, keys, asked[table.name])


def _lines(
    inspection: Inspection, rows: tuple[Row, ...], given: tuple[model.Row, ...]
) -> Iterator[Line]:
    for row, written in zip(rows, given, strict=True):
        number = row.key if isinstance(row.key, int) else None
        values = union(judge.cell(row) for judge in inspection.judges)
        value = values.least if values.known else None
        cell = written.cells.get("")
        steps = cell.steps if cell is not None else written.steps
        span = written.span
        if cell is not None and cell.span is not None and inspection.is_own(steps):
            span = written.span if _is_same_file(written.span, cell.span) else cell.span
        yield Line(number, value, span, steps, written.key)


def _is_same_file(first: Span | None, second: Span) -> bool:
    return first is not None and first.file == second.file and first.line <= second.line


def _keys(inspection: Inspection, asked: list[Expr]) -> Keys | None:
    """What a table is asked for; None where that is not known."""
    found: list[Possible] = []
    for key in asked:
        values = union(judge.of(key) for judge in inspection.judges)
        if values.least is None and values.most is None and not _is_total(key):
            return None
        found.append(values)
    if not found:
        return None
    whole = union(found)
    of_totals = all(_is_total(key) for key in asked)
    step = granularity(inspection) if of_totals else 1
    return Keys(whole.least, whole.most, step, of_totals)


def _is_total(key: Expr) -> bool:
    return isinstance(key, Remembered) and key.memory == "total"


# ---- bands -------------------------------------------------------------------------------------


def _check_bands(inspection: Inspection, table: Table, lines: list[Line], keys: Keys) -> None:
    bounds = [line for line in lines if line.number is not None]
    below = next((line for line in lines if line.number is None), None)
    if below is not None:
        _check_gap(inspection, table, below, bounds[0] if bounds else None, keys)
    elif bounds and bounds[0].number is not None:
        _check_bottom(inspection, table, bounds[0], keys)
    for line, after in zip(bounds, [*bounds[1:], None], strict=True):
        assert line.number is not None
        end = after.number if after is not None else None
        if keys.reaches(line.number, end):
            continue
        if after is not None and keys.step > 1:
            label = f"the next row begins at {end}, and {keys.what} go in steps of {keys.step}"
        else:
            label = "it is never asked for"
        inspection.warn(
            "MC0622",
            f"the row `{line.key}` of `{table.name}` is never reached",
            line.span,
            label,
            secondary=labels((after.span if after else None, "the next row")),
            help=("correct its number, or leave it out",),
        )


def _check_gap(
    inspection: Inspection, table: Table, below: Line, first: Line | None, keys: Keys
) -> None:
    """`below N` and the first bound: what lies between them stands in no row."""
    written = below.key.removeprefix("below").strip()
    if not written.lstrip("-").isdigit():
        return
    low, high = int(written), first.number if first is not None else None
    if not keys.reaches(low, high):
        return
    start = keys.first_from(low)
    if high is None:
        words = f"{keys.what} from {start} on stand in no row of `{table.name}`"
        label = "no row begins there"
    else:
        last = (high - 1) // keys.step * keys.step
        between = f"{start} to {last}" if last > start else f"{start}"
        words = f"a gap in `{table.name}`: {between} stands in no row"
        label = f"this ends below {low}, the next row begins at {high}"
    owner = below if inspection.is_own(below.steps) or first is None else first
    other = first if owner is below else below
    inspection.error(
        "MC0620",
        words,
        owner.span,
        label,
        secondary=labels((other.span if other else None, "the other row")),
        help=(
            f"write `below {high}`, or let a row begin at {low}"
            if high is not None
            else f"add a row `{low}: …`",
        ),
    )


def _check_bottom(inspection: Inspection, table: Table, first: Line, keys: Keys) -> None:
    assert first.number is not None
    if keys.low is not None and keys.low >= first.number:
        return
    lowest = first.number
    if not keys.reaches(lowest - keys.step if keys.low is None else keys.low, lowest):
        return
    negative = (
        "negative totals" if keys.of_totals and lowest <= 0 else f"{keys.what} below {lowest}"
    )
    inspection.warn(
        "MC0621",
        f"{negative} stand in no row of `{table.name}`",
        first.span,
        "the lowest row: below it the table gives 0",
        help=(f"add a row `below {lowest}: …`",),
    )


def _check_target(inspection: Inspection, table: Table, lines: list[Line], keys: Keys) -> None:
    """A row that begins where the game has been won already."""
    if not keys.of_totals:
        return
    for moment in inspection.program.moments:
        if not any(isinstance(node, EndGame) for node in walk(moment.effects)):
            continue
        for node in walk(moment.when):
            match node:
                case Exists(AllSides(), _, Compare(">=" | ">", Remembered("total"), wanted)):
                    _check_below(inspection, table, lines, wanted)
                case _:
                    pass


def _check_below(inspection: Inspection, table: Table, lines: list[Line], wanted: Expr) -> None:
    found = union(judge.of(wanted) for judge in inspection.judges)
    name = getattr(wanted, "name", "")
    for line in lines:
        if not inspection.is_own(line.steps):
            continue  # a shorter game leaves out the last rows of the one that it builds on
        if found.known and line.number is not None and line.number >= (found.most or 0) > 0:
            cell = inspection.setting(name)
            inspection.warn(
                "MC0622",
                f"the row `{line.key}` of `{table.name}` is never reached: the game ends at "
                f"{found.most}",
                line.span,
                "a side with so many points has won",
                secondary=labels((cell.span if cell is not None else None, "the end of the game")),
                help=("lower the bound, or play on to a higher total",),
            )
            return


# ---- numbers -----------------------------------------------------------------------------------


def _check_numbers(
    inspection: Inspection, table: Table, lines: list[Line], keys: Keys, asked: list[Expr]
) -> None:
    if keys.high is None:
        _check_holes(inspection, table, lines)
        _check_growing(inspection, table, lines, asked)
        return
    numbers = {line.number for line in lines}
    if table.each_more is None:
        for line in lines:
            own = inspection.is_own(line.steps)
            if own and line.number is not None and line.number > keys.high:
                inspection.warn(
                    "MC0622",
                    f"the row `{line.key}` of `{table.name}` is never reached",
                    line.span,
                    f"there are at most {keys.high}",
                    help=("leave it out, or add packs",),
                )
    first = min((number for number in numbers if number is not None), default=0)
    last = max((number for number in numbers if number is not None), default=0)
    top = min(keys.high, last) if table.each_more is not None else keys.high
    missing = [number for number in range(first, top + 1) if number not in numbers]
    if missing and len(missing) <= len(lines) + 8:
        beyond = missing[0] > last
        anchor = (
            lines[-1]
            if beyond
            else next(
                line for line in lines if line.number is not None and line.number > missing[0]
            )
        )
        pack = inspection.model.pack.packs
        cut = [f"{table.name}.{number}" for number in missing]
        removed = ownership.taken_away(inspection.model, *cut)
        own_pack = beyond and not inspection.is_own(anchor.steps) and inspection.is_own(pack.steps)
        place = removed[0] if removed else pack.span if own_pack else anchor.span
        beside = "the last row" if beyond else "the next row"
        inspection.warn(
            "MC0625",
            f"`{table.name}` has no row for {listed(missing)}",
            place,
            f"there can be {keys.high}; without a row they give 0",
            secondary=labels((anchor.span if place != anchor.span else None, beside)),
            help=(f"add `{missing[0]}: …`" + (", or `each more: …`" if beyond else ""),),
        )


def _check_holes(inspection: Inspection, table: Table, lines: list[Line]) -> None:
    """Numbers left out between two rows, where nothing tells which numbers can come up."""
    for one, two in pairwise(lines):
        if one.number is None or two.number is None or two.number <= one.number + 1:
            continue
        if len(lines) < 3 or two.number - one.number > len(lines):
            continue  # rows for single numbers far apart are meant
        missing = list(range(one.number + 1, two.number))
        cut = [f"{table.name}.{number}" for number in missing]
        own = [line.span for line in (two, one) if inspection.is_own(line.steps)]
        place = next(iter([*ownership.taken_away(inspection.model, *cut), *own]), None)
        if place is not None:
            inspection.warn(
                "MC0625",
                f"`{table.name}` has no row for {listed(missing)}",
                place,
                "without a row it gives 0",
                secondary=labels((two.span if place != two.span else None, "the next row")),
                help=(f"add `{missing[0]}: …`; `0` where that is meant",),
            )


def _check_growing(
    inspection: Inspection, table: Table, lines: list[Line], asked: list[Expr]
) -> None:
    """Rows that end, for a memory that nothing keeps from going on."""
    own = [line for line in lines if inspection.is_own(line.steps)]
    if table.each_more is not None or not own:
        return
    name = next((found for key in asked if (found := grows_without_end(inspection, key))), None)
    if name is None:
        return
    last = max(line.number for line in lines if line.number is not None)
    inspection.warn(
        "MC0625",
        f"`{table.name}` has no row above {last}, and `{name}` can be more",
        own[-1].span,
        "what lies beyond the last row gives 0",
        help=(f"add `each more: …`, or ask for `{table.name}[min({name}, {last})]`",),
    )


# ---- the order of values -----------------------------------------------------------------------


def _check_order(inspection: Inspection, table: Table, lines: list[Line]) -> None:
    """Values that rise and then fall; a value of 0 is an exception somebody meant."""
    valued = [line for line in lines if line.value]
    rises = [(one, two) for one, two in pairwise(valued) if _gap(one, two) > 0]
    falls = [(one, two) for one, two in pairwise(valued) if _gap(one, two) < 0]
    if len(falls) == 1 and (rises or len(valued) == 2):  # with more of them the order is meant
        for one, two in falls:
            if inspection.is_own(one.steps) or inspection.is_own(two.steps):
                _report_fall(inspection, table, one, two)
    for one, two in pairwise(lines):
        if (
            table.form == "band"
            and one.number is not None
            and one.value is not None
            and one.value == two.value
            and all(inspection.is_own((step,)) for step in two.steps)
        ):
            inspection.warn(
                "MC0624",
                f"the row `{two.key}` of `{table.name}` changes nothing",
                two.span,
                f"{two.value}, as in the row before",
                secondary=labels((one.span, "the row before")),
                help=("leave it out, or correct its value",),
            )


def _gap(one: Line, two: Line) -> int:
    assert one.value is not None and two.value is not None
    return two.value - one.value


def _report_fall(inspection: Inspection, table: Table, one: Line, two: Line) -> None:
    owner, other = (two, one) if inspection.is_own(two.steps) else (one, two)
    inspection.warn(
        "MC0623",
        f"`{table.name}` falls from {one.value} to {two.value}",
        owner.span,
        f"the row `{two.key}` gives less than the row `{one.key}` before it",
        secondary=labels((other.span, "the other row")),
        help=("no other row falls; are two values exchanged?",),
    )
