"""What is asked for before it is there: the score of a deal."""

from __future__ import annotations

from collections.abc import Iterator

from meldc.check.inspection import Inspection
from meldc.check.packs import span_of
from meldc.check.walk import walk_through
from meldc_runtime.program.declarations import Origin, Program, Trigger
from meldc_runtime.program.expressions import DealScore

AT_END = Trigger("end", "deal")


def check_timing(inspection: Inspection) -> None:
    """Warns of what asks for the score of a deal while the deal is still played."""
    program = inspection.program
    for name, origin, parts in _before_the_count(program):
        if any(isinstance(node, DealScore) for node in walk_through(program, parts)):
            inspection.warn(
                "MC0718",
                f"`{name}` asks for `deal_score`, which is nothing until the deal is counted",
                span_of(origin),
                help=("ask for it in a moment `at end of deal`",),
            )


def _before_the_count(program: Program) -> Iterator[tuple[str, Origin | None, object]]:
    """What is judged or done while a deal is played, and the lines that count it."""
    late = {each.name for each in program.moments if each.trigger == AT_END}
    growing = True
    while growing:
        more = {
            each.name
            for each in program.moments
            if set(each.trigger.targets) & late and each.name not in late
        }
        late |= more
        growing = bool(more)
    for moment in program.moments:
        if moment.name not in late:
            yield moment.name, moment.origin, (moment.when, moment.effects)
    for action in program.actions:
        yield action.name, action.origin, (action.params, action.effects)
    for rule in program.rules:
        if not set(rule.moments) & late:
            yield rule.name, rule.origin, (rule.requires, rule.when, rule.unless)
    for line in program.scores:
        yield line.name, line.origin, (line.gives, line.when, line.unless)
