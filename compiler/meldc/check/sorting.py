"""Tables that sort melds: rows nothing reaches, rows at odds, bonuses forgotten or paid twice."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations

from meldc.check.inspection import Inspection, labels, listed
from meldc.check.naming import counted, meld_named
from meldc.check.packs import span_of
from meldc.check.possible.melds import Form
from meldc.check.possible.memories import score_line
from meldc.check.walk import walk
from meldc.resolve import model
from meldc_runtime.program.declarations import ScoreLine, Table
from meldc_runtime.program.expressions import Expr, RowAttr, SortedAs, Sum


@dataclass(frozen=True, slots=True)
class Sorted:
    """A row with the melds that may and that do belong to it if no later row takes them."""

    place: int
    given: model.Row
    may: frozenset[tuple[int, Form]]
    does: frozenset[tuple[int, Form]]

    @property
    def is_plain(self) -> bool:
        """Whether its columns alone decide, not a condition of its own."""
        return self.given.melds is None or self.given.melds.condition is None


def check_sorting(inspection: Inspection) -> None:
    """Reports what is wrong with the rows of tables that sort melds."""
    for table in inspection.program.tables:
        given = inspection.model.tables.get(table.name)
        if table.form != "sorts" or given is None:
            continue
        rows = list(_sorted(inspection, table, given))
        for row in rows:
            _check_reached(inspection, table, row, rows)
        for first, second in combinations(rows, 2):
            _check_pair(inspection, table, first, second, rows)
        _check_columns(inspection, table, given)
    _check_unsorted(inspection)
    _check_paid_twice(inspection)


def _sorted(inspection: Inspection, table: Table, given: model.Table) -> Iterator[Sorted]:
    for place, (row, written) in enumerate(zip(table.rows, given.rows, strict=True)):
        may: set[tuple[int, Form]] = set()
        does: set[tuple[int, Form]] = set()
        for at, judge in enumerate(inspection.judges):
            for form in judge.forms:
                truth = judge.truth(row.condition, {"meld": form})
                if truth is not False:
                    may.add((at, form))
                if truth is True:
                    does.add((at, form))
        yield Sorted(place, written, frozenset(may), frozenset(does))


# ---- rows that nothing reaches -----------------------------------------------------------------


def _check_reached(inspection: Inspection, table: Table, row: Sorted, rows: list[Sorted]) -> None:
    if not row.may:
        _report_empty(inspection, table, row)
        return
    takers, left = [], row.may
    for later in rows[row.place + 1 :]:
        if left & later.does:
            takers.append(later)
            left -= later.does
    if left:
        return
    names = listed(f"`{each.given.key}`" for each in takers)
    word = "takes" if len(takers) == 1 else "take"
    own = [each for each in takers if inspection.is_own(each.given.steps)]
    first = row if inspection.is_own(row.given.steps) or not own else own[-1]
    others = [each for each in (row, *takers) if each is not first]
    inspection.error(
        "MC0630",
        f"no meld is ever `{row.given.key}` in `{table.name}`: {names} {word} all of them",
        first.given.span,
        "the last row that fits a meld counts",
        secondary=labels(
            *(
                (each.given.span, "never reached" if each is row else "takes its melds")
                for each in others
            )
        ),
        help=(
            f"say in {names} what `{row.given.key}` is not (its `wilds`, `naturals`, `size`, "
            "`rank`), or put the rows in the other order",
        ),
    )


def _report_empty(inspection: Inspection, table: Table, row: Sorted) -> None:
    melds = row.given.melds
    if melds is None:
        return
    kinds = inspection.program.kinds
    names = [word.text for word in melds.meld.value] if melds.meld is not None else []
    forms = [
        form
        for judge in inspection.judges
        for form in judge.forms
        if not names or kinds[form.kind].name in names
    ]
    if not forms:
        return  # that nobody can form such melds is said of their kind
    least = melds.size.value.low if melds.size is not None else None
    such = [form.size for form in forms if _within(form, melds)]
    causes = (melds.naturals, melds.wilds, melds.rank, *_causes(inspection, names))
    inspection.short_of_melds = True
    if least is not None and such and max(such) < least:
        inspection.never_full.update(names)
        message = f"it needs {counted(least, 'card')}, and at most {max(such)} can be together"
        span = inspection.blame(melds.size, *causes)
    else:
        message = "no meld that can be formed is like that"
        span = inspection.blame(melds.wilds, melds.naturals, melds.rank, melds.condition)
    inspection.error(
        "MC0632",
        f"no meld can be `{row.given.key}` in `{table.name}`: {message}",
        span or row.given.span,
        "",
        secondary=labels((row.given.span, "the row")),
        help=("compare the row with the kind of meld and the pack, or leave it out",),
    )


def _within(form: Form, melds: model.SortedMelds) -> bool:
    """Whether a meld has the cards that a row asks for, its size aside."""
    return all(
        cell is None
        or (cell.value.low or 0)
        <= number
        <= (number if cell.value.high is None else cell.value.high)
        for cell, number in ((melds.wilds, form.wilds), (melds.naturals, form.naturals))
    )


def _causes(inspection: Inspection, names: list[str]) -> Iterator[model.Cell[object] | None]:
    for name in names:
        row = inspection.model.melds.get(name)
        if row is not None:
            yield from (row.size, row.cards, row.wilds)
    yield from (inspection.model.pack.packs, inspection.model.pack.jokers)


# ---- two rows ----------------------------------------------------------------------------------


def _check_pair(
    inspection: Inspection, table: Table, first: Sorted, second: Sorted, rows: list[Sorted]
) -> None:
    """Two rows share melds, and neither is a case of the other, or of those before it."""
    shared = first.does & second.does
    if not shared or not (first.is_plain and second.is_plain):
        return
    before: frozenset[tuple[int, Form]] = frozenset()
    for row in rows[: second.place]:
        before |= row.does
    if second.does <= before or first.does <= second.does:
        return
    own = [each for each in (second, first) if inspection.is_own(each.given.steps)]
    if not own:
        return
    other = first if own[0] is second else second
    example = min((form for _, form in shared), key=lambda f: (f.size, f.wilds, f.rank or 0))
    inspection.warn(
        "MC0631",
        f"a {meld_named(example, inspection.program)} is `{first.given.key}` and "
        f"`{second.given.key}` in `{table.name}`",
        own[0].given.span,
        f"`{second.given.key}` counts, as the later row",
        secondary=labels((other.given.span, "the other row")),
        help=("let the rows differ in `wilds`, `naturals`, `size` or `rank`",),
    )


# ---- kinds in no row ---------------------------------------------------------------------------


def _check_unsorted(inspection: Inspection) -> None:
    """A kind of meld that can be full, as others that have a row, and has none itself."""
    judge = inspection.judges[0]
    tables = [table for table in inspection.program.tables if table.form == "sorts" and table.rows]
    sorted_ = {
        form.kind
        for table in tables
        for form in judge.forms
        if judge.sorted_rows(table, form).few != frozenset((None,))
    }
    for place, kind in enumerate(inspection.program.kinds):
        row = inspection.model.melds[kind.name]
        if place in sorted_ or not sorted_ or kind.size[1] is None:
            continue
        largest = max((form.size for form in judge.forms if form.kind == place), default=0)
        if largest < kind.size[1] or kind.shape == "groups" or not inspection.is_own(row.steps):
            continue
        names = listed(f"`{table.name}`" for table in tables)
        inspection.warn(
            "MC0637",
            f"a full meld of the kind `{kind.name}` counts as none of {names}",
            row.name.span,
            f"it is full with {kind.size[1]} cards, and no row is for it",
            help=(f"add a row with `meld: {kind.name}`",),
        )


# ---- bonuses -----------------------------------------------------------------------------------


def _check_columns(inspection: Inspection, table: Table, given: model.Table) -> None:
    """A number that all rows have but one."""
    judge = inspection.judges[0]
    for column, type_ in table.columns:
        values = [judge.cell(row, column) for row in table.rows]
        if type_ != "number" or len(values) < 2:
            continue
        without = [at for at, value in enumerate(values) if value.known and value.most == 0]
        if len(without) != 1 or not all(
            value.known for at, value in enumerate(values) if at not in without
        ):
            continue
        row = given.rows[without[0]]
        if not inspection.is_own(row.steps):
            continue
        said = row.cells.get(column)
        inspection.warn(
            "MC0633",
            f"`{row.key}` has no {column}, all other rows of `{table.name}` have one",
            said.span if said is not None else row.span,
            "it counts 0",
            help=(f"add `{column}: …`, or remove the row",),
        )


def _check_paid_twice(inspection: Inspection) -> None:
    paid: dict[tuple[object, Expr | None, str], ScoreLine] = {}
    summed: dict[tuple[str, str], ScoreLine] = {}
    judge = inspection.judges[0]
    for line in inspection.program.scores:
        if score_line(judge, line.name).few == frozenset((0,)):
            continue
        worth = judge.of(line.gives)
        given = worth.most if worth.known else line.gives
        before = paid.setdefault((given, line.when, line.owner), line)
        if before is not line:
            _report_twice(inspection, before, line, "gives the same")
            continue
        for node in walk(line.gives):
            match node:
                case Sum(_, _, RowAttr(SortedAs(), name, column)) if line.when is None:
                    other = summed.setdefault((name, column), line)
                    if other is not line:
                        _report_twice(inspection, other, line, f"counts each `{column}` too")
                case _:
                    pass


def _report_twice(inspection: Inspection, first: ScoreLine, second: ScoreLine, why: str) -> None:
    scores = inspection.model.declarations.scores
    mine, other = second, first
    if inspection.is_own(scores[first.name].steps) and not inspection.is_own(
        scores[second.name].steps
    ):
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
