"""Memories of the author's own that nothing ever changes: what asks for them follows from it."""

from __future__ import annotations

from meldc.check.inspection import Inspection
from meldc.check.walk import walk, walk_through
from meldc.source import Span
from meldc_runtime.program.declarations import Memory
from meldc_runtime.program.expressions import Apply, Remembered


def never_changed(inspection: Inspection, parts: object) -> tuple[str, Span] | None:
    """The first memory that these parts of a Program ask for and that stays as it began; where it
    is declared.
    """
    program, declared = inspection.program, inspection.model.declarations.memories
    for node in walk_through(program, parts):
        if not isinstance(node, Remembered) or node.memory in inspection.written:
            continue
        entry = declared.get(node.memory)
        memory = next((each for each in program.memories if each.name == node.memory), None)
        if entry is None or memory is None or keeps_how_things_stood(inspection, memory):
            continue
        if inspection.is_authored(entry.steps):
            return node.memory, entry.declaration.name.span
    return None


def keeps_how_things_stood(inspection: Inspection, memory: Memory) -> bool:
    """Whether a memory that nothing writes starts anew from what may change."""
    if memory.scope != "deal":
        return memory.scope == "turn"
    judge, seen = inspection.judges[0], set[str]()
    waiting: list[object] = [memory.initial]
    while waiting:
        for node in walk(waiting.pop()):
            if isinstance(node, Remembered):
                return True
            if isinstance(node, Apply) and node.definition not in seen:
                seen.add(node.definition)
                waiting.append(judge.definitions[node.definition].body)
    return False
