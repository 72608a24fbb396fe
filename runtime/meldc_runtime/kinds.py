"""Kinds of card: faces that nothing in a Program tells apart.

Two faces are one kind when a card of the one may stand in the place of a card of the other without
any condition, effect, score line or meld noticing; `distinguishing` finds what notices.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from meldc_runtime.cards import FACES, UNKNOWN
from meldc_runtime.light import dataclass

if TYPE_CHECKING:
    from meldc_runtime.table import Table


@dataclass(frozen=True, slots=True)
class Kinds:
    """of: the kind of each face (and of `UNKNOWN`), numbered in the order of their lowest faces.
    faces: those of each kind, low first.
    """

    of: tuple[int, ...]
    faces: tuple[tuple[int, ...], ...]

    def lowest(self, cards: list[int] | tuple[int, ...]) -> list[int]:
        """One face for each kind among these cards, the lowest held, in ascending order."""
        seen: dict[int, int] = {}
        for face in sorted(cards):
            seen.setdefault(self.of[face], face)
        return list(seen.values())


def kinds_of(table: Table, runs: bool = True) -> Kinds:
    """The kinds of card of a Table; without `runs` what only places in a run tell apart is one
    kind.
    """
    of: list[int] = table.kept.get(
        "kinds" if runs else "kinds but for runs", lambda: _numbers(table, runs)
    )
    faces: list[list[int]] = [[] for _ in set(of)]
    for face in FACES:
        faces[of[face]].append(face)
    return Kinds((*of, len(faces)), (*map(tuple, faces), (UNKNOWN,)))


def _numbers(table: Table, runs: bool) -> list[int]:
    from meldc_runtime.distinguishing import Distinctions

    signatures = Distinctions(table, runs).signatures()
    numbers: dict[object, int] = {}
    return [numbers.setdefault(signatures[face], len(numbers)) for face in FACES]


def classes_are_static(table: Table) -> bool:
    """Whether what each card may be in a meld is the same whatever is remembered."""
    return bool(table.kept.get("static classes", lambda: _are_static(table)))


def _are_static(table: Table) -> bool:
    from meldc_runtime.distinguishing import Distinctions

    return Distinctions(table).classes_are_static()
