"""Settings, the pack and tables."""

from __future__ import annotations

from collections.abc import Iterator

from meldc.check import declared, expressions, patterns
from meldc.check.elaborator import Elaborator
from meldc.check.ranks import check_ranks
from meldc.check.scope import Binding, Scope, Typed
from meldc.check.types import (
    CARD,
    KIND,
    MELD,
    NUMBER,
    outward,
)
from meldc.diagnostics import did_you_mean
from meldc.lower.places import origin
from meldc.resolve import model
from meldc.source import Span
from meldc.syntax import tree
from meldc_runtime.program.declarations import Pack, Row, Setting, Table
from meldc_runtime.program.expressions import (
    CardAttr,
    Compare,
    Const,
    Expr,
    First,
    MeldAttr,
    Member,
    Not,
    Or,
    PlayersOf,
    Range,
    Var,
)

CARD_VAR, MELD_VAR = Var(CARD), Var(MELD)


def settings(el: Elaborator) -> Iterator[Setting]:
    """Every setting with its effective value."""
    for name, entry in el.model.declarations.settings.items():
        type_ = declared.setting_type(el, name)
        cell = el.model.settings[name]
        value = setting_value(el, cell, type_, name)
        yield Setting(
            name,
            value,
            outward(type_),
            el.vocabulary.choices(name),
            entry.declaration.about.text,
            origin(cell.span or entry.declaration.name.span),
        )


def setting_value(el: Elaborator, cell: model.Cell[tree.Expression], type_: str, name: str) -> Expr:
    scope = declared.setting_scope()
    return expressions.typed(el, cell.value, scope, type_, f"`{name}`")


def pack(el: Elaborator) -> Pack:
    """How many packs, of what."""
    check_ranks(el)
    given = el.model.pack
    scope = declared.setting_scope()
    return Pack(
        expressions.typed(el, given.packs.value, scope, NUMBER, "`packs`"),
        expressions.typed(el, given.jokers.value, scope, NUMBER, "`jokers`"),
        el.vocabulary.ranks,
    )


# ---- tables ------------------------------------------------------------------------------------


def tables(el: Elaborator) -> Iterator[Table]:
    """`values` first, then the declared ones."""
    for table in el.vocabulary.tables.values():
        yield _table(el, table)


def _table(el: Elaborator, table: model.Table) -> Table:
    found = declared.columns(el, table.name)
    word = about = ""
    place: Span | None = None
    if table.entry is not None:
        declaration = table.entry.declaration
        form = declaration.form
        word = form.word.text if isinstance(form, tree.Sorts | tree.Lists) else ""
        about = declaration.about.text if declaration.about is not None else ""
        place = declaration.name.span
    each_more = None
    if table.each_more is not None:
        scope = declared.setting_scope()
        each_more = expressions.typed(el, table.each_more.value, scope, NUMBER, "`each more`")
    if table.form == "band":
        _check_bounds(el, table)
    return Table(
        table.name,
        table.form,
        word,
        tuple((name, outward(type_)) for name, type_ in found),
        tuple(_row(el, table, row, found) for row in table.rows),
        each_more,
        about,
        origin(place),
    )


def _check_bounds(el: Elaborator, table: model.Table) -> None:
    """A row `below N` speaks of what lies under all other rows."""
    bounds = [row.number for row in table.rows if row.number is not None]
    under = [row for row in table.rows if row.number is None]
    for row in under[1:]:
        _refuse_bound(el, row, f"a second row under every bound, beside `{under[0].key}`")
    for row in under[:1]:
        written = row.key.removeprefix("below").strip()
        if bounds and written.lstrip("-").isdigit() and int(written) > min(bounds):
            _refuse_bound(el, row, f"`{row.key}` lies above the bound {min(bounds)}")


def _refuse_bound(el: Elaborator, row: model.Row, message: str) -> None:
    help_ = "one row says what holds under the lowest bound: `below`, and that bound"
    el.error("MC0604", message, row.span, help=(help_,))


def _row(
    el: Elaborator, table: model.Table, row: model.Row, found: tuple[tuple[str, str], ...]
) -> Row:
    condition: Expr | None = None
    scope = declared.setting_scope()
    key: int | str | None = row.key
    if table.form in ("number", "band"):
        key = row.number
    elif table.form == "card":
        assert row.cards is not None
        condition = patterns.condition(el, row.cards)
        scope = card_scope()
    elif table.form == "sorts":
        condition = sorting_condition(el, row.melds or model.SortedMelds())
        scope = meld_scope()
    cells = []
    for name, type_ in found:
        cell = row.cells.get(name)
        if cell is not None:
            role = f"`{name}`" if name else f"`{row.key}` of `{table.name}`"
            cells.append((name, expressions.typed(el, cell.value, scope, type_, role)))
        elif name and (default := declared.column_default(el, table.name, name)) is not None:
            cells.append((name, default.expr))
        elif name:
            el.error(
                "MC0507",
                f"row `{row.key}` does not say its `{name}`",
                row.span,
                help=(f"the column `{name}` of `{table.name}` has no default",),
            )
            cells.append((name, Const(None, "none")))
    title = row.title.value if row.title is not None else ""
    return Row(key, condition, tuple(cells), title, origin(row.span))


def card_scope() -> Scope:
    """The scope of cells and patterns about a card."""
    thing = Typed(CARD_VAR, CARD)
    return Scope({CARD: Binding(thing)}, (thing,), nobody="a table of cards holds for everybody")


def meld_scope() -> Scope:
    """The scope of conditions about a meld: its side is in question, and any player of it."""
    thing, owner = Typed(MELD_VAR, MELD), MeldAttr(MELD_VAR, "owner")
    return Scope({MELD: Binding(thing)}, (thing,), player=First(PlayersOf(owner)), side=owner)


def sorting_condition(el: Elaborator, melds: model.SortedMelds) -> Expr:
    """Whether a meld belongs to a row of a sorting table."""
    conditions: list[Expr] = []
    if melds.meld is not None:
        conditions.append(_of_kinds(el, melds.meld.value))
    if melds.rank is not None:
        conditions.append(_of_rank(el, melds.rank.value))
    for name in ("size", "wilds", "naturals"):
        cell: model.Cell[model.Bounds] | None = getattr(melds, name)
        if cell is not None:
            conditions.append(within(MeldAttr(MELD_VAR, name), cell.value))
    if melds.condition is not None:
        conditions.append(expressions.condition(el, melds.condition.value, meld_scope()))
    return patterns.all_of(tuple(conditions))


def within(number: Expr, bounds: model.Bounds) -> Expr:
    """Whether a number lies within bounds."""
    low, high = bounds.low, bounds.high
    if low is not None and low == high:
        return Compare("=", number, Const(low, NUMBER))
    parts: list[Expr] = []
    if low is not None and low > 0:
        parts.append(Compare(">=", number, Const(low, NUMBER)))
    if high is not None:
        parts.append(Compare("<=", number, Const(high, NUMBER)))
    return patterns.all_of(tuple(parts))


def _of_kinds(el: Elaborator, words: tuple[tree.Word, ...]) -> Expr:
    found: list[Expr] = []
    for word in words:
        if word.text in el.vocabulary.kinds:
            kind = Const(el.vocabulary.kinds[word.text], KIND)
            found.append(Compare("=", MeldAttr(MELD_VAR, "kind"), kind))
        else:
            el.error(
                "MC0451",
                f"there is no kind of meld `{word.text}`",
                word.span,
                help=did_you_mean(word.text, el.vocabulary.kinds)
                or (f"kinds are {', '.join(el.vocabulary.kinds)}",),
            )
    return patterns.any_of(tuple(found))


def _of_rank(el: Elaborator, pattern: tree.CardPattern) -> Expr:
    """A pattern of ranks, asked of the rank of the meld."""
    return _about_rank(patterns.condition(el, pattern))


def _about_rank(condition: Expr) -> Expr:
    rank = MeldAttr(MELD_VAR, "rank")
    match condition:
        case Compare("=", CardAttr(_, "rank"), wanted):
            return Compare("=", rank, wanted)
        case Member(CardAttr(_, "rank"), Range() as ranks):
            return Member(rank, ranks)
        case Or(operands):
            return Or(tuple(_about_rank(each) for each in operands))
        case Not(operand):
            return Not(_about_rank(operand))
        case _:
            return condition
