"""Further functions for a Table: expressions that the look-ahead has worked out, written like the
definitions of the Program.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from meldc_runtime.light import dataclass
from meldc_runtime.program.declarations import Definition
from meldc_runtime.program.expressions import Expr
from meldc_runtime.table import Table
from meldc_runtime.writing import write_further


@dataclass(frozen=True, slots=True)
class Probe:
    """An expression with the names it reads (and their types) in the order in which they are
    passed.
    """

    params: tuple[tuple[str, str], ...]
    body: Expr
    type: str


Function = Callable[..., Any]


def written(table: Table, title: str, probes: Mapping[str, Probe]) -> dict[str, Function]:
    """The functions of the probes: of a state and their parameters."""
    names = {key: f"ahead__{number}" for number, key in enumerate(probes)}
    definitions = tuple(
        Definition(names[key], probe.params, probe.body, probe.type, (), None)
        for key, probe in probes.items()
    )
    functions = write_further(table, title, definitions)
    return {key: functions[name] for key, name in names.items()}
