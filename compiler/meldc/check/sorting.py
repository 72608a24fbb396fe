"""Tables that sort melds: rows nothing reaches, rows at odds, bonuses forgotten or paid twice."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

from meldc.check.deciding import condition_span, refuses
from meldc.check.inspection import Inspection, labels, listed
from meldc.check.naming import counted, meld_named
from meldc.check.possible.melds import Form
from meldc.check.possible.proof import never_together
from meldc.check.walk import reads
from meldc.resolve import model
from meldc.source import Span
from meldc_runtime.light import dataclass
from meldc_runtime.program.declarations import Table
from meldc_runtime.program.expressions import Marker


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
        _check_refused(inspection, table, rows)
        _check_gaps(inspection, table, rows)
        _check_columns(inspection, table, given)
    _check_unsorted(inspection)


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
        _report_empty(inspection, table, row, others=any(each.may for each in rows))
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
        _place(inspection, first),
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


def _check_refused(inspection: Inspection, table: Table, rows: list[Sorted]) -> None:
    """Rows of which the game's own rules about kinds of meld refuse every meld."""
    kinds = [kind.name for kind in inspection.program.kinds]
    for rule in inspection.program.rules:
        own = inspection.is_own(inspection.model.declarations.rules[rule.name].steps)
        if not own or not rule.kinds or rule.soft or reads(refuses(rule), Marker.NEW):
            continue
        spoken_of = {
            (at, form)
            for at, judge in enumerate(inspection.judges)
            for form in judge.forms
            if kinds[form.kind] in rule.kinds
        }
        refused = {
            (at, form)
            for at, form in spoken_of
            if inspection.judges[at].truth(refuses(rule), {"meld": form}) is True
        }
        empty = [row.given for row in rows if row.may and row.may <= refused]
        if not empty or refused == spoken_of:
            continue  # a rule that refuses whatever it speaks of is told by itself
        inspection.error(
            "MC0632",
            f"no meld is ever {listed(f'`{row.key}`' for row in empty)} of `{table.name}`: "
            f"`{rule.name}` refuses all of them",
            condition_span(inspection, rule),
            "it refuses every such meld",
            secondary=labels(*((row.span, "a row that no meld fits") for row in empty)),
            help=("say in `unless` which melds it lets be, or remove the rows",),
        )


def _report_empty(inspection: Inspection, table: Table, row: Sorted, *, others: bool) -> None:
    """A row that no meld fits; others: some meld fits another row of the table."""
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
        span = inspection.blame(melds.wilds, melds.naturals, melds.rank, melds.condition, *causes)
    # The words of a row that the game builds on may well go idle: the others are played for.
    cells = (melds.meld, melds.rank, melds.size, melds.wilds, melds.naturals, melds.condition)
    mine = [cell for cell in cells if cell is not None and inspection.is_own(cell.steps)]
    report = inspection.error if mine or not others else inspection.warn
    report(
        "MC0632",
        f"no meld can be `{row.given.key}` in `{table.name}`: {message}",
        span or row.given.span,
        "",
        secondary=labels((row.given.span, "the row")),
        help=(
            "compare the row with the kind of meld and the pack, or take it away: "
            f"`remove: [{table.name}.{row.given.key}]`",
        ),
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
            yield from (row.size, row.cards, row.wilds, row.naturals, row.condition, row.shape)
    yield from (inspection.model.pack.packs, inspection.model.pack.jokers)


# ---- two rows ----------------------------------------------------------------------------------


def _check_pair(
    inspection: Inspection, table: Table, first: Sorted, second: Sorted, rows: list[Sorted]
) -> None:
    """Two rows share melds, and neither is a case of the other, or of those before it."""
    shared = first.does & second.does
    if not (first.is_plain and second.is_plain):
        _check_conditions(inspection, table, first, second, rows)
        return
    if not shared:
        return
    before = _before(second, rows)
    if first.does <= second.does or second.does <= first.does:
        return
    special = _before(first, rows)
    if second.does <= before and not (special and first.does <= special):
        return  # a special case of what stands before, and the first one is none
    _report_shared(inspection, table, first, second, shared)


def _check_conditions(
    inspection: Inspection, table: Table, first: Sorted, second: Sorted, rows: list[Sorted]
) -> None:
    """The same where one of them has a condition: a meld can fulfil it and fit the other row."""
    shared = first.may & second.may
    if not shared or first.may <= second.does or second.may <= first.does:
        return
    before = _before(second, rows)
    special = _before(first, rows)
    if second.may <= before and not (special and first.may <= special):
        return
    conditions = [table.rows[each.place].condition for each in (first, second)]
    judge = inspection.judges[0]
    together = tuple(each for each in conditions if each is not None)
    if not never_together(judge, together, ()):
        _report_shared(inspection, table, first, second, shared)


def _report_shared(
    inspection: Inspection,
    table: Table,
    first: Sorted,
    second: Sorted,
    shared: frozenset[tuple[int, Form]],
) -> None:
    own = [each for each in (second, first) if inspection.is_own(each.given.steps)]
    if not own:
        return
    plain = first.is_plain and second.is_plain
    other = first if own[0] is second else second
    example = min((form for _, form in shared), key=lambda f: (f.size, f.wilds, f.rank or 0))
    inspection.warn(
        "MC0631",
        f"a {meld_named(example, inspection.program)} {'is' if plain else 'can be'} "
        f"`{first.given.key}` and "
        f"`{second.given.key}` in `{table.name}`",
        _place(inspection, own[0]),
        f"`{second.given.key}` counts, as the later row",
        secondary=labels((other.given.span, "the other row")),
        help=("let the rows differ in `wilds`, `naturals`, `size` or `rank`",),
    )


def _before(row: Sorted, rows: list[Sorted]) -> frozenset[tuple[int, Form]]:
    """The melds of the rows before one."""
    found: frozenset[tuple[int, Form]] = frozenset()
    for each in rows[: row.place]:
        found |= each.does
    return found


def _check_gaps(inspection: Inspection, table: Table, rows: list[Sorted]) -> None:
    """Melds in no row between melds that stand in one: as large, with more or fewer wild cards."""
    if any(not row.is_plain for row in rows):
        return
    taken = {form for row in rows for at, form in row.does if at == 0}
    for place, kind in enumerate(inspection.program.kinds):
        mine = [form for form in inspection.judges[0].forms if form.kind == place]
        gaps = [form for form in mine if form not in taken and _lies_between(form, mine, taken)]
        own = [row for row in rows if any(form.kind == place for at, form in row.does if at == 0)]
        own = [row for row in own if _is_touched(inspection, row)]
        if not gaps or not own:
            continue
        example = min(gaps, key=lambda form: (form.size, form.wilds, form.rank or 0))
        inspection.warn(
            "MC0638",
            f"a {meld_named(example, inspection.program)} stands in no row of `{table.name}`",
            _touched_span(inspection, own[-1]),
            "as large ones, and larger ones, stand in a row" if kind.wilds[1] else "",
            help=("let the rows meet in `wilds`, `naturals` and `size`",),
        )


def _lies_between(form: Form, mine: list[Form], taken: set[Form]) -> bool:
    alike = [each for each in mine if each in taken and each.rank == form.rank]
    larger = any(each.wilds == form.wilds and each.size > form.size for each in alike)
    as_large = [each.wilds for each in alike if each.size == form.size]
    return bool(as_large) and (larger or min(as_large) < form.wilds < max(as_large))


def _is_touched(inspection: Inspection, row: Sorted) -> bool:
    return _touched_span(inspection, row) is not None


def _place(inspection: Inspection, row: Sorted) -> Span | None:
    """The game's own word about a row of what it builds on; else its name."""
    if len(row.given.steps) > 1 and inspection.is_own(row.given.steps):
        return _touched_span(inspection, row) or row.given.span
    return row.given.span


def _touched_span(inspection: Inspection, row: Sorted) -> Span | None:
    """The game's own word about which melds a row takes."""
    melds = row.given.melds
    cells = (melds.wilds, melds.naturals, melds.size, melds.rank) if melds is not None else ()
    own = [cell.span for cell in cells if cell is not None and inspection.is_own(cell.steps)]
    return own[0] if own else None


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
