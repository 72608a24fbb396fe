"""Kernels as written, kept between runs: to write one takes seconds, to read it back does not."""

from __future__ import annotations

import hashlib
import io
import pickle
import sys
from contextlib import suppress
from dataclasses import dataclass, is_dataclass
from pathlib import Path
from typing import Any

from meldc_runtime.folder import cache_folder, keep
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
    source, as `marshal` writes it (to compile it takes more memory than all else). refused: why
    there is no kernel, instead of all that.
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
    file = _file(table)
    if file is None:
        return None
    try:
        found = _PlainOnly(io.BytesIO(file.read_bytes())).load()
        return Written(*found) if isinstance(found, tuple) else None
    except Exception:  # not there, or not whole: then it is written anew
        return None


def keep_written(table: Table, written: Written) -> None:
    """Keeps a kernel for the next run, where there is a folder for it."""
    file = _file(table)
    if file is not None:
        fields = tuple(getattr(written, name) for name in Written.__dataclass_fields__)
        keep(file, pickle.dumps(fields, protocol=5))


def _file(table: Table) -> Path | None:
    folder = cache_folder()
    if folder is None:
        return None
    seats = f"{table.players} {table.side_size}"
    key = f"{content_hash(table.program)}\n{seats}\n{_version()}"
    return folder / "kernels" / hashlib.sha256(key.encode()).hexdigest()[:32]


def _version() -> str:
    """What kernels hang on beside the Program: Python, and the files of this package."""
    parts = [sys.version, sys.implementation.name]
    with suppress(OSError):
        runtime = Path(__file__).parent.parent
        for folder in (runtime, runtime / "kernel", runtime / "writing", runtime / "program"):
            for path in sorted(folder.glob("*.py")):
                parts.append(hashlib.sha256(path.read_bytes()).hexdigest())
    return "\n".join(parts)


class _PlainOnly(pickle.Unpickler):
    """Makes plain values and expressions, and calls nothing else."""

    def find_class(self, module: str, name: str) -> Any:
        if (module, name) == ("builtins", "frozenset"):
            return frozenset
        found = getattr(expressions, name, None)
        if module == expressions.__name__ and isinstance(found, type) and is_dataclass(found):
            return found
        raise pickle.UnpicklingError(f"{module}.{name} is no expression")
