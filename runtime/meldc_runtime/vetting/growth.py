"""Whether what a game remembers can grow without measure.

Numbers may be added up and multiplied as long as the table is played at. What would soon outgrow
every machine is a number that is multiplied by itself from step to step, a list that is put
together with itself, or a range without a bound.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from meldc_runtime.program import effects as f
from meldc_runtime.program import expressions as x
from meldc_runtime.program.declarations import Program
from meldc_runtime.program.nodes import walk
from meldc_runtime.program.reserved import TOTAL
from meldc_runtime.vetting.types import UnsoundError

LONGEST_RANGE = 10_000
MOST_DOUBLED = 12
"""Names of a step that may be worked out from other such names twice over."""
MOST_STEPS = 300_000
"""Nodes that this check looks at, some seconds' worth; games that come with meldc take a hundredth
of them.
"""


def check_growth(program: Program) -> None:
    """Raises UnsoundError for what could grow without measure."""
    growth = _Growth(program)
    for name, values in (*growth.remembered.items(), *growth.lets.items()):
        for value in values:
            for node in growth.doubling(value):
                if name in growth.reads(node.left) & growth.reads(node.right):
                    raise UnsoundError(node, f"`{name}` would grow by itself without measure")
    doubled = [
        node for values in growth.lets.values() for v in values for node in growth.doubling(v)
    ]
    chained = [
        n for n in doubled if growth.reads(n.left) & growth.reads(n.right) & set(growth.lets)
    ]
    if len(chained) > MOST_DOUBLED:
        raise UnsoundError(chained[-1], "the names of a step are doubled too often")


class _Growth:
    """What flows where: from memories and names of a step into others."""

    def __init__(self, program: Program) -> None:
        self.bodies = {definition.name: definition.body for definition in program.definitions}
        self.remembered: dict[str, list[Any]] = {TOTAL: [line.gives for line in program.scores]}
        self.lets: dict[str, list[Any]] = {}
        self.arguments: dict[str, list[Any]] = {}
        self.sources: dict[str, set[str]] = {}
        """By name the names that flow into it at once, as far as they were asked for."""
        self.steps = 0
        params = {d.name: [name for name, _ in d.params] for d in program.definitions}
        for node in walk(program):
            if isinstance(node, f.Let):
                self.lets.setdefault(node.name, []).append(node.value)
            elif isinstance(node, (f.Become, f.Gain)):
                self.remembered.setdefault(node.memory, []).append(node.value)
            elif isinstance(node, x.Apply):
                for name, argument in zip(params[node.definition], node.arguments, strict=True):
                    self.arguments.setdefault(name, []).append(argument)
            elif isinstance(node, x.Range):
                _check_range(node)

    def doubling(self, value: Any) -> Iterator[Any]:
        """The nodes in what flows into a value that make more of two things than one of them."""
        for node in self._all(value):
            if isinstance(node, x.Join) or (isinstance(node, x.Arith) and node.op == "*"):
                yield node

    def reads(self, value: Any) -> set[str]:
        """The memories and names of a step that flow into a value, by whatever way."""
        found = self._names_in(value)
        left = list(found)
        while left:
            name = left.pop()
            if name not in self.sources:
                values = (*self.remembered.get(name, ()), *self.lets.get(name, ()))
                self.sources[name] = set().union(*map(self._names_in, values))
            further = self.sources[name] - found
            self._count(value, 1 + len(further))
            found |= further
            left.extend(further)
        return found

    def _names_in(self, value: Any) -> set[str]:
        """The memories and names of a step that a value, and the definitions in it, read."""
        found: set[str] = set()
        for node in self._all(value):
            if isinstance(node, x.Remembered):
                found.add(node.memory)
            elif isinstance(node, x.DealScore):
                found.add(TOTAL)
            elif isinstance(node, x.Var) and node.name in self.lets:
                found.add(node.name)
        return found

    def _all(self, value: Any) -> Iterator[Any]:
        """The nodes whose values flow into one, definitions and what they are given among them."""
        seen: set[int] = set()
        left = [value]
        while left:
            node = left.pop()
            if id(node) in seen:
                continue
            seen.add(id(node))
            self._count(node, 1)
            yield node
            left.extend(_flowing(node))
            if isinstance(node, x.Apply):
                left.append(self.bodies[node.definition])
            elif isinstance(node, x.Var):
                left.extend(self.arguments.get(node.name, ()))

    def _count(self, node: Any, steps: int) -> None:
        self.steps += steps
        if self.steps > MOST_STEPS:
            raise UnsoundError(
                node, "too much flows into what is kept to be sure that it is bounded"
            )


def _flowing(node: Any) -> tuple[Any, ...]:
    """The parts of a node whose size its value has."""
    match node:
        case x.Arith() | x.Join() | x.Quotient():
            return node.left, node.right
        case x.If():
            return node.then, node.otherwise
        case x.Otherwise():
            return node.options
        case x.Filter():
            return (node.source,)
        case x.Sum() | x.Unmelded():
            return node.source, node.by
        case x.StartingAt():
            return (node.players,)
        case x.Lookup():
            return (node.key,)
    return ()


def _check_range(node: x.Range) -> None:
    ends = [end.value for end in (node.low, node.high) if isinstance(end, x.Const)]
    if any(isinstance(end, int) and abs(end) > LONGEST_RANGE for end in ends):
        raise UnsoundError(node, f"a range goes up to {LONGEST_RANGE}")
