"""What memories can hold, from how they start and all that is written to them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from meldc.check.possible import domain
from meldc.check.possible.domain import ANYTHING, Possible
from meldc.check.walk import walk
from meldc_runtime.program.declarations import Action, Moment, Program
from meldc_runtime.program.effects import Become, Chance, Effect, Gain

if TYPE_CHECKING:
    from meldc.check.possible.judge import Judge

BUILT_IN = ("total", "dealer", "deal_number")


class Written:
    """What is written to each memory."""

    def __init__(self, program: Program) -> None:
        self._program = program
        self.effects: dict[str, list[Become | Gain | Chance]] = {}
        for effect in all_effects(program):
            if isinstance(effect, Become | Gain | Chance):
                self.effects.setdefault(effect.memory, []).append(effect)

    def value(self, judge: Judge, name: str) -> Possible:
        """What a memory can hold."""
        memory = judge.memories[name]
        if name == "deal_number":
            return domain.between(1, None)
        if name == "dealer":
            return domain.SOMETHING
        effects = self.effects.get(name, [])
        if name == "total":
            return self._total(judge, effects)
        first = domain.exactly(None) if memory.initial is None else judge.of(memory.initial)
        if not effects:
            return first
        if memory.type == "yes_no":
            return domain.union((first, domain.EITHER))
        if memory.type == "number":
            return self._number(judge, first, effects)
        found = [first]
        for effect in effects:
            found.append(judge.of(effect.value) if isinstance(effect, Become) else ANYTHING)
        return domain.union(found)

    def _number(
        self, judge: Judge, first: Possible, effects: list[Become | Gain | Chance]
    ) -> Possible:
        gains = [judge.of(each.value) for each in effects if isinstance(each, Gain)]
        set_ = [judge.of(each.value) for each in effects if isinstance(each, Become)]
        whole = domain.union((first, *set_))
        falls = any(each.least is None or each.least < 0 for each in gains)
        rises = any(each.most is None or each.most > 0 for each in gains)
        if not gains:
            return whole
        return domain.between(
            None if falls else whole.least, None if rises else whole.most, whole.can_be_nothing
        )

    def _total(self, judge: Judge, effects: list[Become | Gain | Chance]) -> Possible:
        """Totals: the scores of deals added up, and what is written to them beside."""
        scores = [score_line(judge, line.name) for line in self._program.scores]
        falls = any(each.least is None or each.least < 0 for each in scores)
        rises = any(each.most is None or each.most > 0 for each in scores)
        added = self._number(judge, domain.exactly(0), effects)
        return domain.between(None if falls else added.least, None if rises else added.most)


def score_line(judge: Judge, name: str) -> Possible:
    """What a line of the score can give for a side; where it does not apply it gives 0."""
    line = next(each for each in judge.program.scores if each.name == name)
    if judge.truth(line.when) is False or (
        line.unless is not None and judge.truth(line.unless) is True
    ):
        return domain.exactly(0)
    gives = domain.union((judge.of(line.gives), domain.exactly(0)))
    if line.owner == "player":
        side = judge.seating.players // judge.seating.sides
        gives = domain.reckoned("*", gives, domain.between(0, side))
    return gives


def all_effects(program: Program) -> Iterator[Effect]:
    """Every effect of a Program, those within others too."""
    parts: tuple[Action | Moment, ...] = (*program.actions, *program.moments)
    for part in parts:
        for node in walk(part.effects):
            if isinstance(node, Effect):
                yield node
