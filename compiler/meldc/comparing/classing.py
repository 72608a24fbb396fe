"""Whether a value is about the setup, about what is legal, or about the score: by what reads it."""

from __future__ import annotations

from collections.abc import Iterator
from enum import StrEnum

from meldc.check.walk import walk
from meldc_runtime.program.declarations import Program


class Class(StrEnum):
    """What a difference is about, in the order in which they are told."""

    SETUP = "setup"
    LEGALITY = "legality"
    SCORING = "scoring"


_HEADS = {
    "players": Class.SETUP,
    "side_size": Class.SETUP,
    "pack": Class.SETUP,
    "zones": Class.SETUP,
    "melds": Class.LEGALITY,
    "cards": Class.LEGALITY,
    "rules": Class.LEGALITY,
    "actions": Class.LEGALITY,
    "phases": Class.LEGALITY,
    "scores": Class.SCORING,
    "values": Class.SCORING,
}


class Classes:
    """The class of each key of a Program."""

    def __init__(self, program: Program) -> None:
        self._moments = {each.name: each for each in program.moments}
        names = {
            *(each.name for each in program.settings),
            *(each.name for each in program.tables),
            *(each.name for each in program.definitions),
            *(each.name for each in program.memories),
        }
        self._names = names
        bodies: dict[str, object] = {each.name: each.body for each in program.definitions}
        bodies |= {each.name: each.rows for each in program.tables}
        setup = [m for m in program.moments if (m.trigger.kind, m.trigger.period) == _DEAL]
        legality: list[object] = [program.rules, program.allowances, program.actions, program.kinds]
        legality += [m for m in program.moments if self._of_moment(m.name) is Class.LEGALITY]
        ends = [m for m in program.moments if self._of_moment(m.name) is Class.SCORING]
        self._read = {
            Class.SETUP: self._closed([*setup, program.pack], bodies),
            Class.LEGALITY: self._closed(legality, bodies),
            Class.SCORING: self._closed([program.scores, *ends], bodies),
        }

    def of(self, key: str) -> Class:
        """The class of a key: of several that read it the score, then the setup, comes first."""
        head, _, rest = key.partition(".")
        if head in _HEADS:
            return _HEADS[head]
        if head == "moments":
            return self._of_moment(rest)
        name = rest if head in ("settings", "definitions", "memories") else head
        for each in (Class.SCORING, Class.SETUP, Class.LEGALITY):
            if name in self._read[each] and not self._is_legal_first(name, each):
                return each
        return Class.LEGALITY

    def _is_legal_first(self, name: str, class_: Class) -> bool:
        """Whether rules ask for something that the setup or score reads too, a condition mostly."""
        return class_ is Class.SETUP and name in self._read[Class.LEGALITY]

    def _of_moment(self, name: str) -> Class:
        moment = self._moments.get(name)
        if moment is None:
            return Class.LEGALITY
        trigger = moment.trigger
        if trigger.period == "deal":
            return Class.SETUP if trigger.kind == "start" else Class.SCORING
        hooks = [self._moments[each] for each in trigger.targets if each in self._moments]
        if trigger.targets and len(hooks) == len(trigger.targets):
            return self._of_moment(hooks[0].name)
        return Class.LEGALITY

    def _closed(self, roots: list[object], bodies: dict[str, object]) -> set[str]:
        """The names that are read, through definitions and tables."""
        found: set[str] = set()
        waiting: list[object] = list(roots)
        while waiting:
            for name in self._mentioned(waiting.pop()):
                if name not in found:
                    found.add(name)
                    if name in bodies:
                        waiting.append(bodies[name])
        return found

    def _mentioned(self, node: object) -> Iterator[str]:
        for each in walk(node):
            for slot in ("name", "definition", "table", "memory"):
                value = getattr(each, slot, None)
                if isinstance(value, str) and value in self._names:
                    yield value


_DEAL = ("start", "deal")
