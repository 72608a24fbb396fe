"""Memories that nothing keeps from growing."""

from __future__ import annotations

from collections.abc import Iterator

from meldc.check.deciding import refuses
from meldc.check.inspection import Inspection
from meldc.check.possible.judge import Judge
from meldc.check.walk import walk
from meldc_runtime.program import expressions as x
from meldc_runtime.program.declarations import Action, Moment
from meldc_runtime.program.effects import Become, Branch, EndGame, Gain


def grows_without_end(inspection: Inspection, key: x.Expr) -> str | None:
    """The memory that a number is, where something makes it larger and nothing asks how large it
    is by then; None where there is no such memory.
    """
    judge = inspection.judges[0]
    while isinstance(key, x.Apply):
        key = judge.definitions[key.definition].body
    if not isinstance(key, x.Remembered) or key.memory == "total":
        return None
    if judge.of(key).most is not None:
        return None
    name = key.memory
    parts: list[Action | Moment] = [*inspection.program.actions, *inspection.program.moments]
    if name == "deal_number":
        asked = (
            part.when
            for part in inspection.program.moments
            if any(isinstance(node, EndGame) for node in walk(part.effects))
        )
        return None if any(_asks(judge, each, name) for each in asked) else name
    unguarded = (
        part for part in parts if _raises(part, name) and not _is_guarded(inspection, part, name)
    )
    return name if next(unguarded, None) is not None else None


def _raises(part: Action | Moment, name: str) -> bool:
    return any(
        (isinstance(node, Gain) and node.memory == name)
        or (
            isinstance(node, Become)
            and node.memory == name
            and any(isinstance(e, x.Remembered) and e.memory == name for e in walk(node.value))
        )
        for node in walk(part.effects)
    )


def _is_guarded(inspection: Inspection, part: Action | Moment, name: str) -> bool:
    """Whether what makes it larger happens only with regard to it."""
    return any(_asks(inspection.judges[0], each, name) for each in _conditions(inspection, part))


def _conditions(inspection: Inspection, part: Action | Moment) -> Iterator[object]:
    if isinstance(part, Moment):
        yield part.when
    for rule in inspection.program.rules:
        if part.name in (*rule.actions, *rule.moments):
            yield refuses(rule)
    for node in walk(part.effects):
        if isinstance(node, Branch):
            yield node.condition


def _asks(judge: Judge, condition: object, name: str) -> bool:
    """Whether a condition reads a memory, through definitions."""
    seen: set[str] = set()
    waiting = [condition]
    while waiting:
        for node in walk(waiting.pop()):
            if isinstance(node, x.Remembered) and node.memory == name:
                return True
            if isinstance(node, x.Apply) and node.definition not in seen:
                seen.add(node.definition)
                waiting.append(judge.definitions[node.definition].body)
    return False
