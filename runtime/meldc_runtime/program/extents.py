"""How large the expressions of a Program are with all that they refer to written out in its place.

Definitions double what they refer to as easily as they name it, so that forty short lines can ask
for more than any machine can do. What stays below these bounds is judged in no time.
"""

from __future__ import annotations

from collections import Counter
from typing import Any

from meldc_runtime.program.declarations import (
    Action,
    Allowance,
    Definition,
    MeldKind,
    Memory,
    Moment,
    Program,
    Rule,
    ScoreLine,
    Setting,
    Table,
)
from meldc_runtime.program.expressions import (
    Apply,
    CardAttr,
    Lookup,
    RowAttr,
    SettingValue,
    SortedAs,
    Var,
)
from meldc_runtime.program.nodes import children
from meldc_runtime.program.reserved import VALUES

MOST_PARTS = 20_000
"""Nodes of a declaration, written out; those of games that come with meldc have some hundreds."""

MOST_STEPS = 60
"""From a declaration to another that it refers to, and on."""

Referred = Definition | Setting | Table
Declared = Referred | Memory | MeldKind | Action | Moment | Rule | Allowance | ScoreLine
Extent = Counter[str]
"""Nodes under the name "", and how often each variable is read."""


def first_too_large(program: Program) -> Declared | None:
    """The first declaration beyond the bounds, or that refers to itself.

    Assumes that what is referred to exists.
    """
    extents = _Extents(program)
    for group in (
        program.settings, program.definitions, program.tables, program.memories, program.kinds,
        program.actions, program.moments, program.rules, program.allowances, program.scores,
    ):  # fmt: skip
        for declared in group:
            try:
                extents.of(declared)
            except (_TooLarge, RecursionError):
                return declared
    return None


class _TooLarge(Exception):  # noqa: N818 - an answer, no error
    pass


class _Extents:
    def __init__(self, program: Program) -> None:
        self.definitions = {each.name: each for each in program.definitions}
        self.settings = {each.name: each for each in program.settings}
        self.tables = {each.name: each for each in program.tables}
        self.known: dict[tuple[type, str], Extent] = {}
        self.steps: dict[tuple[type, str], int] = {}
        self.within: list[tuple[type, str]] = []

    def of_referred(self, declared: Referred) -> Extent:
        key = (type(declared), declared.name)
        if key not in self.known:
            if key in self.within or len(self.within) > MOST_STEPS:
                raise _TooLarge
            self.within.append(key)
            self.steps[key] = 0
            self.known[key] = self.of(declared)
            self.within.pop()
        if self.within:
            above = self.within[-1]
            self.steps[above] = max(self.steps[above], self.steps[key] + 1)
            if self.steps[above] > MOST_STEPS:
                raise _TooLarge
        return self.known[key]

    def of(self, node: Any) -> Extent:
        total: Extent = Counter()
        for part in children(node):
            total.update(self.of(part))
        total[""] += 1
        match node:
            case Var(name):
                total[name] += 1
            case Apply(name, arguments):
                definition = self.definitions[name]
                extent = self.of_referred(definition)
                total[""] += extent[""]
                for (param, _), argument in zip(definition.params, arguments, strict=True):
                    for read, often in self.of(argument).items():
                        total[read] += often * extent[param]
            case SettingValue(name):
                total[""] += self.of_referred(self.settings[name])[""]
            case Lookup(name) | SortedAs(_, name) | RowAttr(_, name, _):
                total[""] += self.of_referred(self.tables[name])[""]
            case CardAttr(_, "value") if VALUES in self.tables:
                total[""] += self.of_referred(self.tables[VALUES])[""]
        if total[""] > MOST_PARTS:
            raise _TooLarge
        return total
