"""What is settled before a card is dealt: settings and the pack read no state, no divisor is
below 1.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from meldc.check.elaborator import Elaborator
from meldc.check.estimate import Unknown
from meldc.check.packs import Seating, seatings, span_of
from meldc.check.reckoning import Value
from meldc.check.walk import walk, walk_through
from meldc.resolve.model import Cell
from meldc.source import Span
from meldc.syntax import tree
from meldc_runtime.program import expressions as x
from meldc_runtime.program.declarations import Origin, Program
from meldc_runtime.program.nodes import children

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
    found = [
        *_settled_without_a_divisor(el, program),
        *_never_with_a_divisor(program),
    ]
    for span in found:
        el.error(
            "MC0517",
            "this divides by a number below 1",
            span,
            "the quotient is nothing",
            help=("write a divisor from 1 on",),
        )
    return bool(found)


def _settled_without_a_divisor(el: Elaborator, program: Program) -> Iterator[Span | None]:
    """Values of settings and of the pack that are nothing at a table."""
    for _, value, cell in _settled(el, program):
        if any(
            _is_nothing(node.right, table)
            for table in seatings(program)
            for node in _divisions(value, table)
        ):
            yield cell.span


def _never_with_a_divisor(program: Program) -> Iterator[Span | None]:
    """What else reckons with a divisor that is a constant; what hangs on a setting may be guarded
    by a condition on it.
    """
    table = next(seatings(program), None)
    if table is None:
        return
    for origin, part in _parts(program):
        if any(
            not any(isinstance(each, x.SettingValue | x.Count) for each in walk(node.right))
            and _is_nothing(node.right, table)
            for node in _divisions(part, table)
        ):
            yield span_of(origin)


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


def _parts(program: Program) -> Iterator[tuple[Origin | None, object]]:
    """All that reckons while a game is played."""
    for table in program.tables:
        yield from ((row.origin, row) for row in table.rows)
    for group in (
        program.definitions,
        program.actions,
        program.moments,
        program.rules,
        program.allowances,
        program.scores,
    ):
        yield from ((part.origin, part) for part in group)


def _divisions(part: object, table: Seating) -> Iterator[x.Quotient | x.Remainder]:
    for node in _reckoned(part, table):
        if isinstance(node, x.Quotient | x.Remainder):
            yield node


def _reckoned(part: object, table: Seating) -> Iterator[object]:
    """All that is reckoned: of a choice that is settled, what is chosen alone."""
    yield part
    below: Iterable[object] = children(part)
    if isinstance(part, x.If):
        chosen = _value(part.condition, table)
        if chosen is not None:
            below = (part.then if chosen else part.otherwise,)
    for child in below:
        yield from _reckoned(child, table)


def _is_nothing(divisor: x.Expr, table: Seating) -> bool:
    value = _value(divisor, table)
    return isinstance(value, int) and value < 1


def _value(expr: x.Expr, table: Seating) -> Value:
    """What an expression comes to; nothing where only the deal tells."""
    try:
        return table.estimator.value(expr)
    except Unknown:
        return None
