"""Looking ahead from what completes a turn: what `can(…)` asks may lead back to the rule that asks.

Whether an action is possible hangs on whether the turn can still be completed after it: by the
actions that end it. A rule about one of these that asks for the action asks again what it asks.
"""

from __future__ import annotations

from collections.abc import Iterator

from meldc.check.deciding import refuses
from meldc.check.inspection import Inspection
from meldc.check.packs import span_of
from meldc.check.walk import walk, walk_through
from meldc_runtime.program.declarations import Action, Moment, Program, Rule
from meldc_runtime.program.effects import (
    Effect,
    EndDeal,
    EndGame,
    EndTurn,
    GoBack,
    GoTo,
    Redeal,
)
from meldc_runtime.program.expressions import Can

ENDS = (EndDeal, EndGame, Redeal)


def check_completing(inspection: Inspection) -> None:
    """Warns of rules about an ending that ask for what only such an ending completes."""
    program = inspection.program
    course = _Course(program)
    for rule in program.rules:
        if rule.soft:
            continue
        about = _endings_judged(course, rule)
        steps = [name for name in rule.actions if name in course.steps]
        for asked in _asked(program, rule):
            if asked.without == rule.name:
                continue
            again = [name for name in course.completing(asked) if name in about]
            if asked.subject == "end_of_turn":
                again += steps
            if not again or _is_never_legal(inspection, asked):
                continue
            whole = rule.end_of_turn and not set(again) & set(rule.actions)
            what = "the end of the turn" if whole else f"`{again[0]}`"
            name = asked.name or "end of turn"
            inspection.warn(
                "MC0716",
                f"`{rule.name}` asks for `{name}`, which may hang on {what}, which it judges",
                span_of(rule.origin),
                "the question leads back to the rule",
                help=(
                    f"leave the rule aside, `can({name} without {rule.name})`, or say the "
                    "condition without looking ahead",
                    *_as_last_resort(course, what, again[0]),
                ),
            )
            break


def _as_last_resort(course: _Course, what: str, ending: str) -> Iterator[str]:
    if ending in course.endings:
        yield f"or mark {what} as a last resort by a rule with `while the turn can end otherwise`"


def _is_never_legal(inspection: Inspection, asked: Can) -> bool:
    """Whether the settings alone refuse an action that is asked for."""
    return any(
        asked.name in rule.actions
        and not rule.soft
        and rule.name != asked.without
        and all(judge.truth(refuses(rule)) is True for judge in inspection.judges)
        for rule in inspection.program.rules
    )


def _endings_judged(course: _Course, rule: Rule) -> set[str]:
    """The endings about which a rule is: all, where it is about the end of the turn."""
    if rule.end_of_turn:
        return set(course.endings)
    return {name for name in rule.actions if name in course.endings}


def _asked(program: Program, rule: Rule) -> Iterator[Can]:
    """What a rule looks ahead to, through definitions."""
    for node in walk_through(program, (rule.requires, rule.when, rule.unless)):
        if isinstance(node, Can):
            yield node


def _leads_away(node: object) -> bool:
    return isinstance(node, GoBack) or (isinstance(node, GoTo) and node.player is not None)


class _Course:
    """Where actions lead, and which of them end a turn (or the deal) in look-ahead.

    endings: those that may end either; of_turns: those that may end the turn. steps: actions
    behind which the player goes on, so that the way to an end may begin with them.
    """

    def __init__(self, program: Program) -> None:
        self.program = program
        self.actions = {each.name: each for each in program.actions}
        self.begins = {each.name for each in program.phases if each.begins_turn}
        marked = {
            name for rule in program.rules if rule.soft == "otherwise" for name in rule.actions
        }
        self.marked = marked
        self.endings = {
            each.name
            for each in program.actions
            if each.name not in marked and any(map(self._ends, self._nodes(each)))
        }
        self.of_turns = {
            each.name
            for each in program.actions
            if each.name not in marked and any(map(self._ends_turn, self._nodes(each)))
        }

        self.steps = {
            each.name
            for each in program.actions
            if each.name not in self.endings and not any(map(_leads_away, self._nodes(each)))
        }

    def completing(self, asked: Can) -> list[str]:
        """The endings on which an answer may hang."""
        if asked.subject == "moment":
            return []
        if asked.subject == "end_of_turn":
            return [each.name for each in self.program.actions if each.name in self.of_turns]
        action = self.actions[asked.name]
        if action.name not in self.marked and self._surely_ends(action):
            return [action.name]
        phases = self._reached(action)
        if action.name in self.marked:
            phases |= set(action.phases)
        return [
            each.name
            for each in self.program.actions
            if each.name in self.endings and set(each.phases) & phases
        ]

    def _all(self, action: Action) -> Iterator[tuple[Effect, ...]]:
        yield action.effects
        for moment in self._after(action.name):
            yield moment.effects

    def _after(self, name: str) -> Iterator[Moment]:
        for moment in self.program.moments:
            if moment.trigger.kind == "after" and name in moment.trigger.targets:
                yield moment
                yield from self._after(moment.name)

    def _nodes(self, action: Action) -> Iterator[object]:
        return (node for effects in self._all(action) for node in walk(effects))

    def _ends(self, node: object) -> bool:
        return isinstance(node, ENDS) or self._ends_turn(node)

    def _ends_turn(self, node: object) -> bool:
        return isinstance(node, EndTurn) or (isinstance(node, GoTo) and node.phase in self.begins)

    def _surely_ends(self, action: Action) -> bool:
        return any(self._ends(effect) for effect in action.effects)

    def _reached(self, action: Action) -> set[str]:
        """The phases of the turn in which the player may be asked after an action."""
        sure = {each.phase for each in action.effects if isinstance(each, GoTo)}
        sure |= {
            effect.phase
            for moment in self._after(action.name)
            if moment.when is None
            for effect in moment.effects
            if isinstance(effect, GoTo)
        }
        found = sure or {*action.phases, *self._goes_to(action)}
        waiting = list(found)
        while waiting:
            here = waiting.pop()
            for other in self.program.actions:
                if here in other.phases:
                    further = self._goes_to(other) - found
                    found |= further
                    waiting.extend(further)
        return found - self.begins if sure else found

    def _goes_to(self, action: Action) -> set[str]:
        return {
            node.phase
            for node in self._nodes(action)
            if isinstance(node, GoTo) and node.phase not in self.begins
        }
