"""Parses, and keeps what was parsed: in the process, and for each file between runs.

A text is parsed the same whenever it stands at the same place of the same file, so that text and
place are the key. Only what has no mistake is kept. While all texts of a game are known, neither
the grammar nor Lark is loaded; of a new game only its own texts are parsed, those of the machine
and of what it builds on are known.
"""

from __future__ import annotations

import io
import os
import pickle
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import is_dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

from meldc.source import Rebase, is_shipped_file
from meldc.syntax import tree
from meldc.syntax.rules_text import RulesText
from meldc_runtime.folder import keep, kept_file, recall

if TYPE_CHECKING:
    from meldc.diagnostics import Diagnostic

    Parsed: TypeAlias = tuple[Any, list[Diagnostic]]

Key: TypeAlias = tuple[str, str, Rebase]

COMPILER = Path(__file__).parents[1]

MOST_KNOWN = 20_000
MOST_OF_A_FILE = 1_000
"""With more texts of a file than these only those of the last run are kept."""

_known: dict[Key, Any] = {}
_on_disk: dict[Path, dict[Key, Any]] = {}
"""What is kept between runs, as far as this process has read or written it."""
_recalls = False
"""Whether what is kept is asked for: within `keeping`."""
_used: dict[str, dict[Key, Any]] = {}
"""And the texts of each that were asked for."""


def parse_file(text: str, origin: Rebase) -> tuple[RulesText, list[Diagnostic]]:
    """As `parse.parse_file`."""
    found: tuple[RulesText, list[Diagnostic]] = _kept("parse_file", text, origin)
    return found


def parse_rules(text: str, origin: Rebase) -> tuple[tuple[tree.Declaration, ...], list[Diagnostic]]:
    """As `parse.parse_rules`."""
    found: tuple[tuple[tree.Declaration, ...], list[Diagnostic]]
    found = _kept("parse_rules", text, origin)
    return found


def parse_cell(text: str, origin: Rebase) -> tuple[tree.Expression | None, list[Diagnostic]]:
    """As `parse.parse_cell`."""
    found: tuple[tree.Expression | None, list[Diagnostic]] = _kept("parse_cell", text, origin)
    return found


def parse_cards(text: str, origin: Rebase) -> tuple[tree.CardPattern | None, list[Diagnostic]]:
    """As `parse.parse_cards`."""
    found: tuple[tree.CardPattern | None, list[Diagnostic]] = _kept("parse_cards", text, origin)
    return found


def _kept(what: str, text: str, origin: Rebase) -> Any:
    key = (what, text, origin)
    if key not in _known and _recalls:
        _known.update(_recalled(origin.file))
    if key not in _known:
        from meldc.syntax import parse

        parser: Callable[[str, Rebase], Parsed] = getattr(parse, what)
        value, problems = parser(text, origin)
        if problems:
            return value, problems
        if len(_known) >= MOST_KNOWN:
            _known.clear()
        _known[key] = value
    _used.setdefault(origin.file, {})[key] = _known[key]
    return _known[key], []


# ---- between runs ------------------------------------------------------------------------------


@contextmanager
def keeping() -> Iterator[None]:
    """Recalls what was parsed of each file the last time, and keeps what is parsed within."""
    global _recalls
    before, _recalls = _recalls, True
    _used.clear()
    try:
        yield
    finally:
        _recalls = before
        for name, used in _used.items():
            _keep_file(name, used)


def _recalled(name: str) -> dict[Key, Any]:
    """What the last runs parsed of a file; nothing where it was asked for before."""
    file = _file(name)
    if file is None or file in _on_disk:
        return {}
    _on_disk[file] = _recall(file)
    return _on_disk[file]


def _keep_file(name: str, used: dict[Key, Any]) -> None:
    file = _file(name)
    if file is None:
        return
    if file not in _on_disk:
        _on_disk[file] = _recall(file)
    known = _on_disk[file]
    if used.keys() - known.keys():
        _on_disk[file] = used if len(known) > MOST_OF_A_FILE else {**known, **used}
        keep(file, pickle.dumps(_on_disk[file], protocol=5))


def _file(name: str) -> Path | None:
    """Where the texts of a file are kept; one that is not shipped is known by where it lies."""
    where = "" if is_shipped_file(name) else os.getcwd()
    return kept_file("parsed", COMPILER, where, name)


class _TreesOnly(pickle.Unpickler):
    """Makes trees and places, and calls nothing else, whoever wrote the file."""

    def find_class(self, module: str, name: str) -> Any:
        if module.startswith("meldc.syntax.") or module == "meldc.source":
            found = getattr(sys.modules.get(module), name, None)
            if isinstance(found, type) and is_dataclass(found):
                return found
        raise pickle.UnpicklingError(f"{module}.{name} is no tree")


def _recall(file: Path) -> dict[Key, Any]:
    content = recall(file)
    if content is None:
        return {}
    try:
        found = _TreesOnly(io.BytesIO(content)).load()
    except Exception:  # whatever is wrong with it: it is parsed anew
        return {}
    return found if isinstance(found, dict) else {}
