"""Writes which of some plays are legal, what they have in common tested once."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from contextlib import nullcontext
from dataclasses import dataclass, field, replace

from meldc_runtime.kernel.terms import (
    NAMED,
    All,
    AtLeastZero,
    Holds,
    Place,
    Truth,
    all_of,
    assumed,
    atoms,
    denied,
    is_atom,
)
from meldc_runtime.kernel.text import place_text, truth_text
from meldc_runtime.kernel.values import Card
from meldc_runtime.writing.writer import Writer

DEEPEST = 3
"""Tests within each other that plays are parted by."""


@dataclass(frozen=True, slots=True)
class Entry:
    """A play for a list: its function, when it is legal, when no look-ahead is needed. late: what
    rules that look ahead say, which is asked last. order: where its place among the plays of the
    same group is kept, if it changes.
    """

    name: str
    legal: Truth
    sure: Truth
    tops: Mapping[str, Card | None] = field(default_factory=dict)
    late: Truth = True
    order: Place | None = None


def write_groups(writer: Writer, groups: list[list[Entry]]) -> None:
    """Groups of plays one after the other; what all plays of neighbours need is tested once, and
    what many have in common is worked out before them.
    """
    _write_neighbours(writer, _named(writer, groups))


def _named(writer: Writer, groups: list[list[Entry]]) -> list[list[Entry]]:
    """The groups with names for the tests that make look-ahead needless, where many share one."""
    shared = Counter(entry.sure for group in groups for entry in group)
    names: dict[Truth, Truth] = {}
    for truth, number in shared.items():
        if number > 2 and not isinstance(truth, bool):
            name = f"easy_{len(names)}"
            writer.line(f"{name} = {truth_text(truth)}")
            names[truth] = Holds(Place(name, NAMED))
    return [
        [replace(entry, sure=names.get(entry.sure, entry.sure)) for entry in group]
        for group in groups
    ]


def _write_neighbours(writer: Writer, groups: list[list[Entry]]) -> None:
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
    if depth == 0 and any(entry.order for entry in entries):
        _write_in_order(writer, entries)
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


def _write_in_order(writer: Writer, entries: list[Entry]) -> None:
    """Plays whose order is that of a number kept by each of them."""
    common = _common(entries)
    with writer.block(f"if {truth_text(common)}:") if common is not None else nullcontext():
        writer.line("found = []")
        for entry in entries:
            _write(writer, entry if common is None else _known(entry, common))
        with writer.block("if len(found) > 1:"):
            writer.line("found.sort()")
        writer.line("plays += [play for _, play in found]")


def _write(writer: Writer, entry: Entry) -> None:
    sure = assumed(entry.sure, entry.legal)
    tests = []
    if entry.legal is not True:
        tests.append(truth_text(entry.legal, tight=sure is not True))
    if sure is not True:
        quick = "" if sure is False else f"{truth_text(sure, tight=True)} or "
        tests.append(f"({quick}look(s, {entry.name}))")
    if entry.late is not True:
        tests.append(truth_text(entry.late, tight=True))
    found = f"plays.append({entry.name})"
    if entry.order is not None:
        found = f"found.append(({place_text(entry.order)}, {entry.name}))"
    with writer.block(f"if {' and '.join(tests)}:") if tests else nullcontext():
        writer.line(found)


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
