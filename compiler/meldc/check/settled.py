"""What is settled before a card is dealt: settings and the pack read no state, nothing is divided
by 0.
"""

from __future__ import annotations

from collections.abc import Iterator

from meldc.check.elaborator import Elaborator
from meldc.check.estimate import Unknown
from meldc.check.packs import Seating, seatings, span_of
from meldc.check.walk import walk, walk_through
from meldc.resolve.model import Cell
from meldc.source import Span
from meldc.syntax import tree
from meldc_runtime.program import expressions as x
from meldc_runtime.program.declarations import Program

_OF_STATE = (
    x.Acting,
    x.Can,
    x.CurrentPhase,
    x.DealScore,
    x.Joined,
    x.MeldsOf,
    x.Only,
    x.Remembered,
    x.Unmelded,
    x.ZoneCards,
)
"""What only a table at which is played can answer."""


def check_settled(el: Elaborator, program: Program) -> bool:
    """Whether all is settled before the first card is dealt; reports what is not."""
    reading = _check_settings(el, program)
    dividing = _check_divisors(el, program)
    return not (reading or dividing)


def _check_divisors(el: Elaborator, program: Program) -> bool:
    found = False
    tables = list(seatings(program))
    for span, part in _parts(el, program):
        if any(_divides_by_nothing(part, table) for table in tables):
            found = True
            el.error(
                "MC0517",
                "this divides by 0",
                span,
                "the quotient is nothing",
                help=("write a divisor that is not 0",),
            )
    return found


def _check_settings(el: Elaborator, program: Program) -> bool:
    found = False
    for name, value, cell in _settled(el, program):
        reads = [node for node in walk_through(program, value) if isinstance(node, _OF_STATE)]
        if reads:
            found = True
            el.error(
                "MC0516",
                f"`{name}` is settled before a card is dealt, and cannot read {_named(reads[0])}",
                cell.span,
                help=(
                    f"let `{name}` be a plain value; in `rules:` `define` what changes, and "
                    f"`replace` the moment, action or score line that uses `{name}`",
                ),
            )
    return found


def _settled(
    el: Elaborator, program: Program
) -> Iterator[tuple[str, x.Expr, Cell[tree.Expression]]]:
    for setting in program.settings:
        yield setting.name, setting.value, el.model.settings[setting.name]
    yield "packs", program.pack.packs, el.model.pack.packs
    yield "jokers", program.pack.jokers, el.model.pack.jokers


def _named(node: object) -> str:
    match node:
        case x.Remembered(name) | x.ZoneCards(name):
            return f"`{name}`"
        case x.MeldsOf():
            return "melds on the table"
        case x.DealScore():
            return "`deal_score`"
        case x.CurrentPhase():
            return "`phase`"
        case _:
            return "how a deal stands"


def _parts(el: Elaborator, program: Program) -> Iterator[tuple[Span | None, object]]:
    """All that reckons, with the place to point at."""
    for _, value, cell in _settled(el, program):
        yield cell.span, value
    for table in program.tables:
        for row in table.rows:
            yield span_of(row.origin), row
    for group in (
        program.definitions,
        program.actions,
        program.moments,
        program.rules,
        program.allowances,
        program.scores,
    ):
        for part in group:
            yield span_of(part.origin), part


def _divides_by_nothing(part: object, table: Seating) -> bool:
    return any(
        isinstance(node, x.Quotient | x.Remainder) and _is_nothing(node.right, table)
        for node in walk(part)
    )


def _is_nothing(divisor: x.Expr, table: Seating) -> bool:
    try:
        return table.estimator.value(divisor) == 0
    except Unknown:
        return False
