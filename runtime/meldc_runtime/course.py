"""The schedule of a Table with its written functions in place: what the machine runs through."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from meldc_runtime.schedule import Schedule
from meldc_runtime.state import State
from meldc_runtime.writing.code import Code

Env = dict[str, Any]
Condition = Callable[[State, Env], bool]
Judged = tuple[tuple[str, Condition], ...]
"""Rules: their names, and whether they are broken."""


class Happening:
    """A moment with its functions. when: None where it is always due. rules: firm ones about it;
    soft: those that hold it back while the turn can end otherwise. after: the moments after it.
    """

    __slots__ = ("after", "effect", "index", "rules", "soft", "when")

    def __init__(
        self,
        index: int,
        when: Condition | None,
        rules: Judged,
        soft: Judged,
        effect: Callable[[State, Env], None],
    ) -> None:
        self.index = index
        self.when = when
        self.rules = rules
        self.soft = soft
        self.effect = effect
        self.after: tuple[Happening, ...] = ()


Happenings = tuple[Happening, ...]


class Course:
    """The lists of a Schedule, with functions for names. By action: before, effects, after,
    last_resorts (rules of the sort `otherwise`), params (name, and whether it is a meld), phases,
    allowances (those that may hold, with their phases). hands_over: whether the end of a turn
    surely makes another player act.
    """

    def __init__(self, schedule: Schedule, code: Code) -> None:
        program = schedule.program
        moments = tuple(self._happening(schedule, code, i) for i in range(len(program.moments)))

        def of(indices: Iterable[int]) -> Happenings:
            return tuple(moments[index] for index in indices)

        for moment, after in zip(moments, schedule.after_moment, strict=True):
            moment.after = of(after)
        self.scan = of(schedule.scan)
        self.start_turn, self.end_turn = of(schedule.start_turn), of(schedule.end_turn)
        self.start_deal, self.end_deal = of(schedule.start_deal), of(schedule.end_deal)
        self.before = tuple(of(indices) for indices in schedule.before)
        self.after = tuple(of(indices) for indices in schedule.after)
        self.effects = tuple(code.effects[action.name] for action in program.actions)
        self.params = tuple(
            tuple((p.name, p.type == "meld") for p in action.params) for action in program.actions
        )
        self.end_rules = _judged(code, schedule.end_rules)
        self.soft_end_rules = _judged(code, schedule.soft_end_rules)
        self.last_resorts = tuple(
            _judged(code, schedule.soft_rules["otherwise"].get(i, ()))
            for i in range(len(program.actions))
        )
        self.phases = schedule.phases
        self.allowances = tuple(
            tuple((code.allowances[n], phases) for n, phases in one if n not in code.never_allowed)
            for one in schedule.allowances
        )
        self.begins_turn = tuple(phase.begins_turn for phase in program.phases)
        self.hands_over = schedule.hands_over

    def _happening(self, schedule: Schedule, code: Code, index: int) -> Happening:
        name = schedule.program.moments[index].name
        when = None if name in code.always_due else code.moment_when[name]
        rules = _judged(code, schedule.moment_rules[index])
        soft = _judged(code, schedule.soft_moment_rules[index])
        return Happening(index, when, rules, soft, code.effects[name])


def _judged(code: Code, names: Sequence[str]) -> Judged:
    return tuple((name, code.rules[name]) for name in names)
