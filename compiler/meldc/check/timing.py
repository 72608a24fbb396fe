"""What is asked for before it is there, or when it is gone: scores, memories of turns, phases."""

from __future__ import annotations

from collections.abc import Iterator

from meldc.check.inspection import Inspection, labels, listed
from meldc.check.packs import span_of
from meldc.check.walk import walk_through
from meldc.syntax import tree
from meldc_runtime.program.declarations import Moment, Origin, Program, Rule, Trigger
from meldc_runtime.program.expressions import (
    And,
    Compare,
    Const,
    CurrentPhase,
    DealScore,
    Expr,
    Remembered,
)

AT_END = Trigger("end", "deal")


def check_timing(inspection: Inspection) -> None:
    """Warns of what asks for something at a time when it cannot be there."""
    _check_scores(inspection)
    _check_memories(inspection)
    _check_phases(inspection)


def _check_memories(inspection: Inspection) -> None:
    """What is kept of each player or side, and is set anew each turn, in the score of a deal."""
    declared = inspection.model.declarations
    fleeting = {
        each.name
        for each in inspection.program.memories
        if each.scope == "turn" and each.owner in ("player", "side")
    }
    for line in inspection.program.scores:
        if not inspection.is_own(declared.scores[line.name].steps):
            continue
        asked = walk_through(inspection.program, (line.gives, line.when, line.unless))
        names = [n.memory for n in asked if isinstance(n, Remembered) and n.memory in fleeting]
        for name in dict.fromkeys(names):
            entry = declared.memories[name]
            inspection.warn(
                "MC0741",
                f"`{line.name}` counts `{name}`, which is forgotten after each turn",
                span_of(line.origin),
                "at the end of a deal only what was noted in the last turn is left",
                secondary=labels((entry.declaration.name.span, "each turn")),
                help=(f"remember `{name}` `each deal`",),
            )


def _check_phases(inspection: Inspection) -> None:
    """A phase asked for by what speaks of actions that are never played in it."""
    program, declared = inspection.program, inspection.model.declarations
    places = {each.name: set(each.phases) for each in program.actions}
    for each in program.allowances:
        for name in each.actions:
            places[name] |= set(each.phases)
    for rule in program.rules:
        given = declared.rules[rule.name]
        of_actions_alone = not (rule.moments or rule.kinds or rule.end_of_turn)
        if rule.actions and of_actions_alone and inspection.is_own(given.steps):
            phases = set().union(*(places[name] for name in rule.actions))
            verdict = given.declaration.verdict
            asked = verdict.condition if isinstance(verdict, tree.Requires) else None
            _check_phase(inspection, rule.when, given.declaration.when, phases, rule)
            _check_phase(inspection, rule.requires, asked, phases, rule)
    for moment in program.moments:
        targets = set(moment.trigger.targets)
        of_own = inspection.is_own(declared.moments[moment.name].steps)
        if of_own and targets and targets <= places.keys():
            phases = set().union(*(places[name] for name in targets))
            words = declared.moments[moment.name].declaration.condition
            _check_phase(inspection, moment.when, words, phases, moment)


def _check_phase(
    inspection: Inspection,
    condition: Expr | None,
    words: tree.Expression | None,
    phases: set[str],
    part: Rule | Moment,
) -> None:
    """Warns where a condition, in these words, asks for a phase that is none of these."""
    parts = condition.operands if isinstance(condition, And) else (condition,)
    for each in parts:
        match each:
            case Compare("=", CurrentPhase(), Const(int(number))):
                phase = inspection.program.phases[number].name
            case _:
                continue
        if phase in phases or words is None:
            continue
        played = listed(f"`{name}`" for name in sorted(phases))
        inspection.warn(
            "MC0727" if isinstance(part, Moment) else "MC0722",
            f"`{part.name}` asks for the phase `{phase}`, and what it speaks of is never played in "
            "it",
            words.span,
            f"it is played in {played}",
            help=("name another phase, or leave it out",),
        )


def _check_scores(inspection: Inspection) -> None:
    """What asks for the score of a deal while it is played, or counted."""
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
