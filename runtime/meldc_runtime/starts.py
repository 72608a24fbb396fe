"""The least melds of each kind that cards in hand can start.

One start for each choice by kinds of card, with the lowest faces held; in ascending order of faces.
What is left out is made by adding cards one by
one: that no legal meld is lost is checked for each kind (`extra_shapes`), and shapes that single
cards don't reach are starts too.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence, Set
from itertools import combinations, product

from meldc_runtime import melds
from meldc_runtime.cards import RANK_OF, SUIT_OF, UNKNOWN
from meldc_runtime.kinds import Kinds
from meldc_runtime.light import dataclass
from meldc_runtime.program.declarations import MeldKind
from meldc_runtime.state import State
from meldc_runtime.table import Table

CHOICES = 400
"""Bound on the starts of a kind whose cards need have nothing in common (`all_different`,
`groups`): one meld of each is enough for play.
"""

EXACT = ("all_different", "groups")
"""Shapes that a meld has from the start and never grows beyond."""

KEPT = 5_000
"""Hands of a rank, suit or class whose starts are kept before all are forgotten."""

Cards = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Shape:
    """How many naturals and wild cards a start takes."""

    naturals: int
    wilds: int


def least_shapes(kind: MeldKind) -> tuple[Shape, ...]:
    """The shapes of the smallest size that the bounds of a kind allow, most naturals first."""
    (low, high), (wild_low, wild_high) = kind.naturals, kind.wilds
    size = max(kind.size[0], low + wild_low, 1)
    return tuple(
        Shape(size - wilds, wilds)
        for wilds in range(wild_low, size + 1)
        if (wild_high is None or wilds <= wild_high)
        and size - wilds >= low
        and (high is None or size - wilds <= high)
    )


class Starts:
    """The starts of every kind at a Table."""

    def __init__(self, table: Table, kinds: Kinds, is_static: bool) -> None:
        """is_static: whether what a card may be in a meld never changes."""
        self.table = table
        self.kinds = kinds
        self.is_static = is_static
        self.kept: dict[tuple[int, Cards, Cards], list[Cards]] = {}
        self.first: dict[tuple[int, Cards], Cards | None] = {}
        self.least = [least_shapes(kind) for kind in table.program.kinds]
        self.extra: list[tuple[Shape, ...]] = [() for _ in table.program.kinds]
        for index, kind in enumerate(table.program.kinds):
            self.extra[index] = self.extra_shapes(index, kind)
        self.size = max(
            (
                shape.naturals + shape.wilds
                for kind, shapes in zip(table.program.kinds, self.least, strict=True)
                for shape in shapes
                if kind.shape not in EXACT
            ),
            default=0,
        )

    def some(self, state: State, kind: int, cards: Sequence[int]) -> Cards | None:
        """One start of a kind, if there is any."""
        declared = self.table.program.kinds[kind]
        if declared.shape not in EXACT:
            return next(iter(self.of(state, kind, cards)), None)
        natural = self.table.naturals(state, kind)
        own = tuple(sorted([face for face in cards if natural[face]]))
        if not self.is_static:
            return self._first(state, kind, own)
        key = (kind, own)
        if key not in self.first:
            if len(self.first) > KEPT:
                self.first.clear()
            self.first[key] = self._first(state, kind, own)
        return self.first[key]

    def _first(self, state: State, kind: int, own: Cards) -> Cards | None:
        """A start of an exact shape from these naturals, ranks that the kind must contain first."""
        declared = self.table.program.kinds[kind]
        if len(own) < declared.size[0]:
            return None
        contains = self.table.code.kind_contains[declared.name] if declared.contains else ()
        wanted = {RANK_OF[face] for face in own if any(each(state, face) for each in contains)}
        choices = (
            self._all_different(declared, list(own))
            if declared.shape == "all_different"
            else self._groups(declared, own, wanted)
        )
        for choice in choices:
            start = tuple(sorted(choice))
            if melds.would_be(self.table, state, kind, None, start, state.player) is not None:
                return start
        return None

    # ---- what a kind takes
    def natural(self, state: State, kind: int, face: int) -> bool:
        return face != UNKNOWN and self.table.code.kind_cards[self.table.program.kinds[kind].name](
            state, face
        )

    def wild(self, state: State, kind: int, face: int) -> bool:
        return (
            face != UNKNOWN
            and self.table.program.kinds[kind].wilds[1] != 0
            and self.table.can_be_wild(state, face)
        )

    def of(self, state: State, kind: int, cards: Sequence[int]) -> list[Cards]:
        """The starts of a kind from these cards, each a legal pattern."""
        declared = self.table.program.kinds[kind]
        natural, wild = self.table.naturals(state, kind), self.table.wilds(state)
        naturals = [face for face in cards if natural[face]]
        wilds = (
            tuple(sorted([face for face in cards if wild[face]])) if declared.wilds[1] != 0 else ()
        )
        found: list[Cards] = []
        for own in self._places(declared, naturals):
            if len(own) + len(wilds) >= declared.size[0] and len(own) >= declared.naturals[0]:
                found.extend(self._of_place(state, kind, tuple(sorted(own)), wilds))
        return sorted(set(found)) if len(found) > 1 else found

    def _places(self, declared: MeldKind, naturals: list[int]) -> Iterable[list[int]]:
        """The naturals that can lie in one meld: by rank, by suit, or all."""
        if declared.shape not in ("same_rank", "run"):
            return (naturals,)
        by_place: dict[int | None, list[int]] = {}
        places = RANK_OF if declared.shape == "same_rank" else SUIT_OF
        for face in naturals:
            by_place.setdefault(places[face], []).append(face)
        return by_place.values()

    def _of_place(self, state: State, kind: int, own: Cards, wilds: Cards) -> list[Cards]:
        if not self.is_static:
            return self._found(state, kind, own, wilds)
        key = (kind, own, wilds)
        known = self.kept.get(key)
        if known is None:
            if len(self.kept) > KEPT:
                self.kept.clear()
            known = self.kept[key] = self._found(state, kind, own, wilds)
        return known

    def _found(self, state: State, kind: int, own: Cards, wilds: Cards) -> list[Cards]:
        held = (*own, *(face for face in wilds if face not in own))
        choices = {tuple(sorted(choice)) for choice in self._choices(kind, list(own), list(wilds))}
        return [
            start
            for start in choices
            if _held(start, held)
            and melds.would_be(self.table, state, kind, None, start, state.player) is not None
        ]

    def _choices(self, kind: int, naturals: list[int], wilds: list[int]) -> Iterator[Cards]:
        """Choices by shape, from the naturals of one place and wild cards."""
        declared = self.table.program.kinds[kind]
        shapes = self.least[kind] + self.extra[kind]
        match declared.shape:
            case "same_rank" | "any":
                return self._mixed(shapes, naturals, wilds)
            case "run":
                return self._runs(shapes, naturals, wilds)
            case "all_different":
                return self._all_different(declared, naturals)
        return self._groups(declared, naturals)

    def _mixed(
        self, shapes: tuple[Shape, ...], naturals: list[int], wilds: list[int]
    ) -> Iterator[Cards]:
        for shape in shapes:
            if shape.naturals > len(naturals) or shape.wilds > len(wilds):
                continue
            for own in self.multisets(naturals, shape.naturals):
                for others in self.multisets(wilds, shape.wilds):
                    yield own + others

    def _runs(
        self, shapes: tuple[Shape, ...], naturals: list[int], wilds: list[int]
    ) -> Iterator[Cards]:
        one_each = sorted(set(naturals))
        for shape in shapes:
            size = shape.naturals + shape.wilds
            if shape.naturals > len(one_each) or shape.wilds > len(wilds):
                continue
            for own in combinations(one_each, shape.naturals):
                if not _within(own, size):
                    continue
                for others in self.multisets(wilds, shape.wilds):
                    yield own + others

    def _all_different(self, declared: MeldKind, naturals: list[int]) -> Iterator[Cards]:
        by_rank: dict[int, list[int]] = {}
        for face in self.kinds.lowest(naturals):
            by_rank.setdefault(RANK_OF[face] or 0, []).append(face)
        size = declared.size[0]
        if len(by_rank) < size:
            return
        count = 0
        for ranks in combinations(sorted(by_rank), size):
            for choice in product(*(by_rank[rank] for rank in ranks)):
                yield choice
                count += 1
                if count >= CHOICES:
                    return

    def _groups(
        self, declared: MeldKind, naturals: Sequence[int], wanted: Set[int | None] = frozenset()
    ) -> Iterator[Cards]:
        """wanted: ranks that are tried first."""
        by_rank: dict[int, list[int]] = {}
        for face in naturals:
            by_rank.setdefault(RANK_OF[face] or 0, []).append(face)
        sizes = sorted(declared.groups, reverse=True)
        ranks = sorted(by_rank, key=lambda rank: (rank not in wanted, rank))
        for count, assigned in enumerate(_assignments(sizes, {r: by_rank[r] for r in ranks})):
            if count >= CHOICES:
                return
            parts = [list(self.multisets(sorted(by_rank[rank]), size)) for rank, size in assigned]
            for choice in product(*parts):
                yield tuple(face for part in choice for face in part)

    def multisets(self, cards: Sequence[int], size: int) -> Iterator[Cards]:
        """The choices of so many of these cards by kinds, the lowest faces of each."""
        groups: dict[int, list[int]] = {}
        for face in sorted(cards):
            groups.setdefault(self.kinds.of[face], []).append(face)
        return _choices(list(groups.values()), size)

    # ---- completeness
    def extra_shapes(self, kind: int, declared: MeldKind) -> tuple[Shape, ...]:
        """Shapes that the kind allows and that single cards do not reach from the least ones,
        smallest first.
        """
        if declared.shape != "same_rank" or declared.condition is None:
            return ()
        state = State(self.table)
        natural = next((face for face in self.table.pack if self.natural(state, kind, face)), None)
        wild = next((face for face in self.table.pack if self.wild(state, kind, face)), None)
        if natural is None:
            return ()
        legal = set()
        limit = min(declared.size[1] or 12, 12)
        for size in range(1, limit + 1):
            for wilds in range(size + 1 if wild is not None else 1):
                faces = (natural,) * (size - wilds) + (wild or 0,) * wilds
                meld = melds.would_be(self.table, state, kind, None, faces, 0)
                if meld is not None and self.table.code.kind_condition[declared.name](state, meld):
                    legal.add((size - wilds, wilds))
        reached = {(s.naturals, s.wilds) for s in self.least[kind]} & legal
        extra = []
        for point in sorted(legal, key=lambda p: (p[0] + p[1], p[1])):
            naturals, wilds = point
            if (
                point in reached
                or (naturals - 1, wilds) in reached
                or (naturals, wilds - 1) in reached
            ):
                reached.add(point)
            else:
                extra.append(Shape(naturals, wilds))
                reached.add(point)
        return tuple(extra)


def _held(start: Cards, cards: Sequence[int]) -> bool:
    """Whether the cards hold a choice: a wild card may have been chosen in two roles."""
    left = list(cards)
    for face in start:
        if face not in left:
            return False
        left.remove(face)
    return True


def _choices(groups: list[list[int]], size: int) -> Iterator[Cards]:
    """The choices of so many cards, as many as can be of the first group first."""
    if size == 0:
        return iter(((),))
    after = [0]  # how many cards the groups behind each hold
    for group in reversed(groups):
        after.append(after[-1] + len(group))
    after.reverse()
    return _longer((), groups, after, 0, size)


def _longer(
    chosen: Cards, groups: list[list[int]], after: list[int], index: int, size: int
) -> Iterator[Cards]:
    """A choice with so many more cards, of this group and those behind it."""
    if size == 1:
        for group in groups[index:]:
            yield (*chosen, group[0])
        return
    for place in range(index, len(groups)):
        group = groups[place]
        if after[place] < size:
            return
        for count in range(min(size, len(group)), 0, -1):
            longer = (*chosen, *group[:count])
            if count == size:
                yield longer
            elif after[place + 1] >= size - count:
                yield from _longer(longer, groups, after, place + 1, size - count)


def _within(faces: Cards, size: int) -> bool:
    """Whether cards of a suit lie within so many places, an ace above the king or below the two."""
    ranks = [RANK_OF[face] or 0 for face in faces]
    if not ranks or max(ranks) - min(ranks) < size:
        return True
    low = [1 if rank == 14 else rank for rank in ranks]
    return max(low) - min(low) < size


def _assignments(
    sizes: list[int], by_rank: dict[int, list[int]]
) -> Iterator[list[tuple[int, int]]]:
    """Ways to give each size a rank of its own with as many cards; equal sizes in the order of the
    ranks.
    """
    if not sizes:
        yield []
        return
    first = sizes[0]
    equal = sizes.count(first)
    fitting = [rank for rank, cards in by_rank.items() if len(cards) >= first]
    for ranks in combinations(fitting, equal):
        rest = {rank: cards for rank, cards in by_rank.items() if rank not in ranks}
        for tail in _assignments(sizes[equal:], rest):
            yield [*((rank, first) for rank in ranks), *tail]
