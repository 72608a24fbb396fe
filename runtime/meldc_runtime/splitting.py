"""Cards split into melds so that what is left over is worth as little as possible."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import TYPE_CHECKING

from meldc_runtime import melds
from meldc_runtime.cards import ACE, FACE, RANK_OF, SUIT_OF, UNKNOWN
from meldc_runtime.state import State

if TYPE_CHECKING:
    from meldc_runtime.table import Table

MOST_TO_SPLIT = 20
"""Cards; hands are smaller, and what is asked of more would take too long."""

MOST_TRIED = 1_000_000
"""Melds and ways to lay them that are tried, some seconds' worth. Of cards that all lie with each
other there are as many melds as sets of them.
"""

KEPT = 2_000
"""Answers that a Table keeps before all are forgotten."""

MOST_KEPT = 100
"""Melds of one rank, suit or class that are kept together; more are found anew."""

Faces = tuple[int, ...]
Item = tuple[int, int]
"""A face, and what a card of it is worth, negated: of equal faces the dearest comes first."""


def unmelded(state: State, worths: Sequence[tuple[int, int | None]]) -> int | None:
    """The least that the cards left over can be worth together, as `Unmelded` says; None where that
    cannot be told.

    worths: cards, each with what it is worth (nothing counts 0).
    """
    if len(worths) > MOST_TO_SPLIT or any(card & FACE == UNKNOWN for card, _ in worths):
        return None
    items = tuple(sorted((card & FACE, -(worth or 0)) for card, worth in worths))
    table = state.table
    key = _key(table, state, items)
    if key is None:
        return _least(state, items, None)
    if key not in table.splits:
        if len(table.splits) > KEPT:
            table.splits.clear()
        table.splits[key] = _least(state, items, key[1:])
    return table.splits[key]


def _least(state: State, items: tuple[Item, ...], read: object) -> int | None:
    """The answer, worked out. read: what else than cards it depends on, None where that may be
    anything.
    """
    try:
        return _Split(state, items, read).least(items)
    except _TooManyError:
        return None


class _TooManyError(Exception):
    """There are more ways than can be tried."""


def _key(table: Table, state: State, items: tuple[Item, ...]) -> tuple[object, ...] | None:
    """All that the answer depends on; None where conditions of kinds may ask for anything."""
    if any(condition is not None for condition in table.schedule.kind_conditions):
        return None
    kinds = range(len(table.program.kinds))
    return items, table.wilds(state), tuple(table.naturals(state, kind) for kind in kinds)


class _Split:
    """The melds that can be made of some cards, and the best choice among them."""

    def __init__(self, state: State, items: tuple[Item, ...], read: object) -> None:
        self.state = state
        self.read = read
        self.table = state.table
        self.known: dict[tuple[Item, ...], int] = {}
        self.tried = 0
        self.with_face: dict[int, list[Faces]] = {}
        for meld in sorted(self._melds([face for face, _ in items])):
            for face in set(meld):
                self.with_face.setdefault(face, []).append(meld)

    def least(self, items: tuple[Item, ...]) -> int:
        """What is left at the least: the first of the cards is, or it lies in a meld."""
        if not items:
            return 0
        if items not in self.known:
            (face, worth), rest = items[0], items[1:]
            best = self.least(rest) - worth
            for meld in self.with_face.get(face, ()):
                self._try()
                others = _without(items, meld)
                if others is not None:
                    best = min(best, self.least(others))
            self.known[items] = best
        return self.known[items]

    # ---- melds
    def _melds(self, faces: list[int]) -> set[Faces]:
        """Every choice of these cards that makes a meld by its pattern and its condition."""
        found: set[Faces] = set()
        for kind in range(len(self.table.program.kinds)):
            for own, spare in self._groups(kind, faces):
                found |= self._melds_of(kind, own, spare)
        return found

    def _melds_of(self, kind: int, own: Faces, spare: Faces) -> set[Faces]:
        """The melds of cards that can lie with each other, and wild ones; kept where they hang on
        these alone.
        """
        if self.read is None:
            return {c for c in self._choices(kind, own, spare) if self._lies(kind, c)}
        key = (self.read, kind, own, spare)
        known = self.table.melds_of.get(key)
        if known is None:
            tried = self.tried
            melds_found = {c for c in self._choices(kind, own, spare) if self._lies(kind, c)}
            known = (melds_found, self.tried - tried)
            if len(melds_found) <= MOST_KEPT:
                if len(self.table.melds_of) > KEPT:
                    self.table.melds_of.clear()
                self.table.melds_of[key] = known
        else:
            self._try(known[1])
        return known[0]

    def _try(self, number: int = 1) -> None:
        self.tried += number
        if self.tried > MOST_TRIED:
            raise _TooManyError

    def _lies(self, kind: int, cards: Faces) -> bool:
        self._try()
        meld = melds.would_be(self.table, self.state, kind, None, cards, self.state.player)
        if meld is None:
            return False
        condition = self.table.schedule.kind_conditions[kind]
        return condition is None or bool(
            self.table.code.kind_condition[condition](self.state, meld)
        )

    def _groups(self, kind: int, faces: list[int]) -> Iterator[tuple[Faces, Faces]]:
        """Cards that can lie as themselves in one meld, where they are enough, each with the wild
        ones.
        """
        declared = self.table.program.kinds[kind]
        natural, wild = self.table.naturals(self.state, kind), self.table.wilds(self.state)
        spare = tuple(face for face in faces if wild[face]) if declared.wilds[1] != 0 else ()
        groups: dict[int | None, list[int]] = {None: []} if spare else {}
        for face in faces:
            if natural[face]:
                place = {"same_rank": RANK_OF[face], "run": SUIT_OF[face]}.get(declared.shape)
                groups.setdefault(place, []).append(face)
        for own in groups.values():
            if len(own) >= self._least(kind, spare):
                yield tuple(own), spare

    def _least(self, kind: int, spare: Faces) -> int:
        """How many cards must lie as themselves at the least."""
        declared = self.table.program.kinds[kind]
        return max(declared.size[0] - len(spare), declared.naturals[0])

    def _choices(self, kind: int, own: Faces, spare: Faces) -> Iterator[Faces]:
        """Choices that may make a meld."""
        declared = self.table.program.kinds[kind]
        low, high = declared.size
        least = self._least(kind, spare)
        held = Counter(own) | Counter(spare)  # a card may be among both
        rows = _in_a_row(own, len(spare)) if declared.shape == "run" else _parts(own, least)
        for chosen in rows:
            for others in _parts(spare, low - len(chosen)) if spare else ((),):
                size = len(chosen) + len(others)
                if len(chosen) < least or size < low or (high is not None and size > high):
                    continue
                cards = tuple(sorted((*chosen, *others)))
                if not others or not Counter(cards) - held:
                    yield cards


def _parts(cards: Sequence[int], least: int) -> Iterator[Faces]:
    """Every choice of so many of these cards or more, equal ones once."""
    for size in range(max(least, 0), len(cards) + 1):
        yield from sorted(set(combinations(sorted(cards), size)))


def _in_a_row(cards: Sequence[int], spare: int) -> set[Faces]:
    """Every choice of cards of a suit with no more than so many empty places between them.

    An ace is high, low, or with another one both.
    """
    held = Counter(cards)
    places = sorted({*((RANK_OF[face] or 0, face) for face in cards)})
    places = [*((1, face) for rank, face in places if rank == ACE), *places]
    found: set[Faces] = {()}

    def grow(chosen: tuple[tuple[int, int], ...], left: int) -> None:
        faces = tuple(sorted(face for _, face in chosen))
        if Counter(faces) - held:
            return
        found.add(faces)
        for place, face in places:
            gap = place - chosen[-1][0] - 1
            if 0 <= gap <= left:
                grow((*chosen, (place, face)), left - gap)

    for one in places:
        grow((one,), spare)
    return found


def _without(items: tuple[Item, ...], meld: Faces) -> tuple[Item, ...] | None:
    """The cards without those of a meld, of equal faces the dearest; None where they lack one."""
    left = list(items)
    for face in meld:
        item = next((item for item in left if item[0] == face), None)
        if item is None:
            return None
        left.remove(item)
    return tuple(left)
