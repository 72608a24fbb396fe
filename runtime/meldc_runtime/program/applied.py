"""What stands in nodes themselves and in the definitions they apply."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from meldc_runtime.program.declarations import Program
from meldc_runtime.program.expressions import Apply
from meldc_runtime.program.nodes import walk


def walk_through(program: Program, parts: Any) -> Iterator[Any]:
    """All nodes of some parts of a Program, with the definitions they apply, each of these once."""
    bodies = {each.name: each.body for each in program.definitions}
    waiting = [parts]
    while waiting:
        for node in walk(waiting.pop()):
            yield node
            if isinstance(node, Apply) and node.definition in bodies:
                waiting.append(bodies.pop(node.definition))
