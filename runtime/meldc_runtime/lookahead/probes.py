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
from meldc_runtime.writing.running import run_further


@dataclass(frozen=True, slots=True)
class Probe:
    """An expression with the names it reads (and their types) in the order in which they are
    passed.
    """

    params: tuple[tuple[str, str], ...]
    body: Expr
    type: str


Function = Callable[..., Any]


def write(table: Table, probes: Mapping[str, Probe]) -> dict[str, Any]:
    """The text of the functions of probes, and their names in it; plain data."""
    from meldc_runtime.writing.module import write_further

    names = {key: f"ahead__{number}" for number, key in enumerate(probes)}
    definitions = tuple(
        Definition(names[key], probe.params, probe.body, probe.type, (), None)
        for key, probe in probes.items()
    )
    source = write_further(table, definitions)
    return {"source": source, "names": {key: f"d_{name}" for key, name in names.items()}}


def functions_of(table: Table, title: str, written: dict[str, Any]) -> dict[str, Function]:
    """The functions of probes that were written: of a state and their parameters."""
    found = run_further(table, title, written["source"])
    return {key: found[name] for key, name in written["names"].items()}
