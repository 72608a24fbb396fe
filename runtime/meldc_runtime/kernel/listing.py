"""Writes which of some plays are legal, what they have in common tested once."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from meldc_runtime.kernel.reading import Card
from meldc_runtime.kernel.terms import (
    All,
    AtLeastZero,
    Truth,
    all_of,
    assumed,
    atoms,
    denied,
    is_atom,
)
from meldc_runtime.kernel.text import truth_text
from meldc_runtime.writing.writer import Writer

DEEPEST = 3
"""Tests within each other that plays are parted by."""


@dataclass(frozen=True, slots=True)
class Entry:
    """A play for a list: its function, when it is legal, when no look-ahead is needed."""

    name: str
    legal: Truth
    sure: Truth
    tops: Mapping[str, Card | None] = field(default_factory=dict)


def write_groups(writer: Writer, groups: list[list[Entry]]) -> None:
    """Groups of plays one after the other; what all plays of neighbours need is tested once."""
    waiting: list[list[Entry]] = []
    common: set[Truth] = set()
    for group in groups:
        parts = set.intersection(*(set(_parts(entry.legal)) for entry in group)) - {True}
        if waiting and common & parts:
            waiting.append(group)
            common &= parts
            continue
        _write_waiting(writer, waiting, common)
        waiting, common = [group], parts
    _write_waiting(writer, waiting, common)


def _write_waiting(writer: Writer, groups: list[list[Entry]], common: set[Truth]) -> None:
    if len(groups) < 2:
        for group in groups:
            write_group(writer, group)
        return
    known = all_of(*sorted(common, key=truth_text))
    with writer.block(f"if {truth_text(known)}:"):
        for group in groups:
            write_group(writer, [_known(entry, known) for entry in group])


def write_group(writer: Writer, entries: list[Entry], depth: int = 0) -> None:
    """Appends to `plays` those that are legal, in order; `look` is asked where nothing is sure."""
    entries = [entry for entry in entries if entry.legal is not False]
    if not entries:
        return
    common = _common(entries) if len(entries) > 1 else None
    if common is not None:
        with writer.block(f"if {truth_text(common)}:"):
            write_group(writer, [_known(entry, common) for entry in entries], depth)
        return
    parting = _parting(entries) if len(entries) > 1 and depth < DEEPEST else None
    if parting is not None:
        with writer.block(f"if {truth_text(parting)}:"):
            write_group(writer, [_known(entry, parting) for entry in entries], depth + 1)
        rest = [_known(entry, denied(parting)) for entry in entries]
        if any(entry.legal is not False for entry in rest):
            with writer.block("else:"):
                write_group(writer, rest, depth + 1)
        return
    for entry in entries:
        _write(writer, entry)


def _write(writer: Writer, entry: Entry) -> None:
    sure = assumed(entry.sure, entry.legal)
    tests = []
    if entry.legal is not True:
        tests.append(truth_text(entry.legal, tight=sure is not True))
    if sure is not True:
        quick = "" if sure is False else f"{truth_text(sure, tight=True)} or "
        tests.append(f"({quick}look(s, {entry.name}))")
    if not tests:
        writer.line(f"plays.append({entry.name})")
        return
    with writer.block(f"if {' and '.join(tests)}:"):
        writer.line(f"plays.append({entry.name})")


def _known(entry: Entry, known: Truth) -> Entry:
    return replace(entry, legal=assumed(entry.legal, known), sure=assumed(entry.sure, known))


def _parts(truth: Truth) -> tuple[Truth, ...]:
    return truth.parts if isinstance(truth, All) else (truth,)


def _common(entries: list[Entry]) -> Truth | None:
    """What must hold for each of the plays."""
    from meldc_runtime.kernel.terms import implies

    found: list[Truth] = []
    for part in {p for entry in entries for p in _parts(entry.legal) if not isinstance(p, bool)}:
        if is_atom(part) and all(
            any(implies(other, part) for other in _parts(entry.legal)) for entry in entries
        ):
            found.append(part)
    if not found:
        return None
    return all_of(*sorted(found, key=repr))


def _parting(entries: list[Entry]) -> Truth | None:
    """A simple test that each of the plays depends on."""
    counts: dict[Truth, int] = {}
    for entry in entries:
        for atom in {a if not _reversed(a) else denied(a) for a in atoms(entry.legal)}:
            counts[atom] = counts.get(atom, 0) + 1
    best = [a for a, n in counts.items() if n == len(entries) and _is_simple(a)]
    return min(best, key=repr, default=None)


def _is_simple(atom: Truth) -> bool:
    return (
        isinstance(atom, AtLeastZero) and len(atom.number.terms) == 1 and atom.number.constant == -1
    )


def _reversed(atom: Truth) -> bool:
    return isinstance(atom, AtLeastZero) and all(f < 0 for _, f in atom.number.terms)
