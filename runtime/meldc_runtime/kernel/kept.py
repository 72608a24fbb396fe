"""Kernels as written, kept between runs: to write one takes seconds, to read it back does not."""

from __future__ import annotations

import io
import marshal
import pickle
from dataclasses import dataclass, is_dataclass
from pathlib import Path
from typing import Any

from meldc_runtime.folder import keep, kept_file, recall
from meldc_runtime.kept import RUNTIME
from meldc_runtime.program import expressions
from meldc_runtime.program.codec import content_hash
from meldc_runtime.table import Table


@dataclass(frozen=True, slots=True)
class Written:
    """What a kernel is made from: its code and what belongs to it.

    made: of each play the name of its function, the action, the arguments. lays: of plays that only
    lay cards, the slot and the kinds of card. sums: the texts of what each slot gives to each sum.
    tallies: zone, kinds, place. watched: places. constants: expressions worked out for each side
    when a deal begins. plans: by phase, whether look-ahead can make plans. code: the compiled
    source, as `compiled` gives it. refused: why there is no kernel, instead of all that.
    """

    source: str = ""
    made: tuple[tuple[str, int, tuple[Any, ...]], ...] = ()
    lays: tuple[tuple[str, tuple[int, tuple[int, ...]]], ...] = ()
    sums: tuple[str, ...] = ()
    tallies: tuple[tuple[str, frozenset[int], int], ...] = ()
    watched: tuple[int, ...] = ()
    constants: tuple[expressions.Expr, ...] = ()
    plans: tuple[bool, ...] = ()
    code: bytes = b""
    refused: str = ""


def recalled(table: Table) -> Written | None:
    """The kernel kept for a Table, if there is one that can be read."""
    content = recall(_file(table))
    if content is None:
        return None
    try:
        return Written(*_PlainOnly(io.BytesIO(content)).load())
    except Exception:  # whatever is wrong with it: it is written anew
        return None


def keep_written(table: Table, written: Written) -> None:
    """Keeps a kernel for the next run, where there is a folder for it."""
    fields = tuple(getattr(written, name) for name in Written.__dataclass_fields__)
    keep(_file(table), pickle.dumps(fields, protocol=5))


PART = 400
"""Lines of source that are compiled at a time, at least."""


def compiled(source: str, name: str) -> bytes:
    """The source compiled, part by part as `marshal` writes them: all of it at once takes more
    memory than all else. name: under which tracebacks show it.
    """
    lines = source.splitlines(keepends=True)
    parts, start = [], 0
    for place, line in enumerate([*lines, "end"]):
        whole = place == len(lines) or (place - start >= PART and line.startswith("def "))
        if whole and place > start:
            above = "\n" * start  # so that the lines keep their numbers
            parts.append(compile(above + "".join(lines[start:place]), name, "exec"))
            start = place
    return marshal.dumps(tuple(parts))


def execute(code: bytes, namespace: dict[str, Any]) -> None:
    """Runs what `compiled` has given."""
    for part in marshal.loads(code):
        exec(part, namespace)


def _file(table: Table) -> Path | None:
    of_the_table = (content_hash(table.program), table.players, table.side_size)
    return kept_file("kernels", RUNTIME, *of_the_table)


class _PlainOnly(pickle.Unpickler):
    """Makes plain values and expressions, and calls nothing else."""

    def find_class(self, module: str, name: str) -> Any:
        if (module, name) == ("builtins", "frozenset"):
            return frozenset
        found = getattr(expressions, name, None)
        if module == expressions.__name__ and isinstance(found, type) and is_dataclass(found):
            return found
        raise pickle.UnpicklingError(f"{module}.{name} is no expression")
