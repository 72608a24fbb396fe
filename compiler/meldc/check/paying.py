"""Points: lines of the score that never count, what is paid twice, what is paid for nothing."""

from __future__ import annotations

from collections.abc import Iterator

from meldc.check.inspection import Inspection, labels
from meldc.check.packs import span_of
from meldc.check.possible.memories import score_line
from meldc.check.possible.proof import never_together
from meldc.check.walk import walk
from meldc.source import Span
from meldc_runtime.program import expressions as x
from meldc_runtime.program.declarations import Program, ScoreLine

NEVER = frozenset((0,))


def check_paying(inspection: Inspection) -> None:
    """Reports lines of the score that count nothing, or what another one counts."""
    _check_idle(inspection)
    _check_alone(inspection)
    _check_paid_twice(inspection)
    _check_paid_one_by_one(inspection)
    _check_unpaid(inspection)


def _is_own(inspection: Inspection, line: ScoreLine) -> bool:
    return inspection.is_own(inspection.model.declarations.scores[line.name].steps)


# ---- lines that are all of the score ----------------------------------------------------------


def _check_alone(inspection: Inspection) -> None:
    """A line that is always the whole score of a side, so that no other ever counts."""
    for line in inspection.program.scores:
        if not line.only or not _is_own(inspection, line) or len(inspection.program.scores) == 1:
            continue
        if all(judge.truth(_condition(line)) is True for judge in inspection.judges):
            inspection.warn(
                "MC0740",
                f"no line of the score but `{line.name}` ever counts",
                span_of(line.origin),
                "`only`: where it applies it is the whole score, and it applies always",
                help=("say `when` it is the whole score, or leave `only` out",),
            )


# ---- lines that never count --------------------------------------------------------------------


def _check_idle(inspection: Inspection) -> None:
    if inspection.without_score or inspection.short_of_melds:
        return
    for line in inspection.program.scores:
        if not _is_own(inspection, line):
            continue
        given = inspection.model.declarations.scores[line.name].declaration
        judges = inspection.judges
        if all(never_together(judge, (_condition(line),), ()) for judge in judges):
            what, place = "its condition never holds", given.when or given.unless
        elif all(score_line(judge, line.name).few == NEVER for judge in judges):
            what, place = "it gives 0 always", given.value
        else:
            continue
        inspection.warn(
            "MC0734",
            f"the score line `{line.name}` never counts: {what}",
            place.span if place is not None else span_of(line.origin),
            "",
            help=("correct it, or leave the line out",),
        )


def _condition(line: ScoreLine) -> x.Expr:
    parts = [line.when] if line.when is not None else []
    if line.unless is not None:
        parts.append(x.Not(line.unless))
    return x.And(tuple(parts))


# ---- what is paid twice ------------------------------------------------------------------------


def _check_paid_twice(inspection: Inspection) -> None:
    paid: dict[tuple[object, x.Expr | None, str], ScoreLine] = {}
    summed: dict[tuple[str, str], ScoreLine] = {}
    judge = inspection.judges[0]
    for line in inspection.program.scores:
        if score_line(judge, line.name).few == NEVER:
            continue
        worth = judge.of(line.gives)
        given = worth.most if worth.known else line.gives
        before = paid.setdefault((given, line.when, line.owner), line)
        if before is not line:
            _report_twice(inspection, before, line, "gives the same")
            continue
        for table, column in _sums(line):
            other = summed.setdefault((table, column), line)
            if other is not line:
                _report_twice(inspection, other, line, f"counts each `{column}` too")


def _sums(line: ScoreLine) -> Iterator[tuple[str, str]]:
    """The columns of sorting tables that a line adds up, whatever happens."""
    for node in walk(line.gives):
        match node:
            case x.Sum(_, _, x.RowAttr(x.SortedAs(), table, column)) if line.when is None:
                yield table, column
            case _:
                pass


def _check_paid_one_by_one(inspection: Inspection) -> None:
    """So much for each of some melds, beside a line that adds up the same number of a table."""
    summed = {key: line for line in inspection.program.scores for key in _sums(line)}
    counted = {key: line for line in inspection.program.scores for key in _looked_up(line)}
    for line in inspection.program.scores:
        if not _is_own(inspection, line):
            continue
        for number, source, where in _multiples(line):
            for (table, column), other in summed.items():
                row = _row_named(where, table)
                if other is line or row is None:
                    continue
                if inspection.judges[0].cell(
                    inspection.judges[0].tables[table].rows[row], column
                ).few == frozenset((number,)):
                    key = inspection.model.tables[table].rows[row].key
                    _report_twice(
                        inspection, other, line, f"it gives {number} for each `{key}` too"
                    )
            for (table, collection), other in counted.items():
                if other is not line and where is None and collection == source:
                    first = inspection.judges[0].tables[table].rows[0]
                    if inspection.judges[0].cell(first).few == frozenset((number,)):
                        _report_twice(inspection, other, line, f"`{table}` gives {number} too")


def _multiples(line: ScoreLine) -> Iterator[tuple[int, x.Expr, x.Expr | None]]:
    """`N * count(X where P)`, and `N` when any of them: the number, what, and which."""
    match line.gives, line.when:
        case x.Arith("*", x.Const(int(number)), x.Count(source, _, where)), None:
            yield number, source, where
        case x.Arith("*", x.Count(source, _, where), x.Const(int(number))), None:
            yield number, source, where
        case x.Const(int(number)), x.Exists(source, _, where):
            yield number, source, where
        case _:
            pass


def _looked_up(line: ScoreLine) -> Iterator[tuple[str, x.Expr]]:
    for node in walk(line.gives):
        match node:
            case x.Lookup(table, x.Count(source, _, None)):
                yield table, source
            case _:
                pass


def _row_named(where: x.Expr | None, table: str) -> int | None:
    """The row to which a condition ties melds, where it asks for nothing else."""
    parts = where.operands if isinstance(where, x.And) else (where,)
    found: int | None = None
    for part in parts:
        match part:
            case x.IsSomething(x.SortedAs(_, name)) if name == table:
                pass
            case x.Compare("=", x.SortedAs(_, name), x.Const(int(row))) if name == table:
                found = row
            case _:
                return None
    return found


def _report_twice(inspection: Inspection, first: ScoreLine, second: ScoreLine, why: str) -> None:
    mine, other = second, first
    if _is_own(inspection, first) and not _is_own(inspection, second):
        mine, other = first, second
    inspection.warn(
        "MC0634",
        f"`{second.name}` counts again what `{first.name}` counts",
        span_of(mine.origin),
        why,
        secondary=labels((span_of(other.origin), "the other line")),
        help=(
            f"`replace score {first.name}` takes its place, `remove score {first.name}` drops it",
        ),
    )


# ---- what is never paid ------------------------------------------------------------------------


def _check_unpaid(inspection: Inspection) -> None:
    """Points in a table that sorts melds, which nothing reads since a line was taken away."""
    read = _columns_read(inspection.program)
    judge = inspection.judges[0]
    for table in inspection.program.tables:
        if table.form != "sorts":
            continue
        for column, type_ in table.columns:
            values = [judge.cell(row, column) for row in table.rows]
            if type_ != "number" or (table.name, column) in read:
                continue
            if not any(value.known and value.most for value in values):
                continue
            place = _place_of_unpaid(inspection, table.name, column)
            if place is None:
                continue
            inspection.warn(
                "MC0735",
                f"nothing counts the `{column}` of `{table.name}`",
                place,
                "no line of the score reads it",
                help=(f"a line `gives sum({table.name} by …)` counts it; or leave the column out",),
            )


def _columns_read(program: Program) -> set[tuple[str, str]]:
    parts = (program.definitions, program.rules, program.scores, program.moments, program.actions)
    return {
        (node.table, node.column)
        for node in walk((parts, program.kinds, program.allowances))
        if isinstance(node, x.RowAttr)
    }


def _place_of_unpaid(inspection: Inspection, table: str, column: str) -> Span | None:
    """The game's own row, or what it removed or replaced of the score; None: not its doing."""
    model = inspection.model
    for row in model.tables[table].rows:
        cell = row.cells.get(column)
        if cell is not None and inspection.is_own(cell.steps):
            return cell.span
    for what, steps in model.removed.items():
        if what.startswith("score ") and inspection.is_own(steps):
            return steps[-1].span
    for entry in model.declarations.scores.values():
        if len(entry.steps) > 1 and inspection.is_own(entry.steps):
            return entry.declaration.name.span
    return None
