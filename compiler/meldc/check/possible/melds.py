"""The melds that can lie, told apart as far as tables and conditions can."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace

from meldc.check.walk import walk
from meldc_runtime.cards import RANK_OF, SUIT_OF
from meldc_runtime.light import dataclass
from meldc_runtime.program.declarations import MeldKind, Program
from meldc_runtime.program.expressions import Compare, Const, ListOf, MeldAttr, Member, Range


@dataclass(frozen=True, slots=True)
class Form:
    """A meld: its kind (by place), its rank where it has one, how many cards of each sort.

    alike: for how many ranks it stands, which nothing in the game tells apart.
    """

    kind: int
    rank: int | None
    naturals: int
    wilds: int
    alike: int = 1

    @property
    def size(self) -> int:
        return self.naturals + self.wilds


@dataclass(frozen=True, slots=True)
class Stuff:
    """The cards for melds of a kind: by group (a rank, a suit …) what may lie as itself.

    alike: for how many groups it stands.
    """

    rank: int | None
    naturals: int
    total: int
    alike: int = 1


def named_ranks(program: Program) -> frozenset[int]:
    """The ranks of melds that a game speaks of by name; all others are alike."""
    found: set[int] = set()
    parts = (program.definitions, program.rules, program.moments, program.scores, program.actions)
    for node in walk((parts, program.kinds)):
        _note_ranks(node, found)
    for table in program.tables:
        if table.form == "sorts":
            for node in walk(table.rows):
                _note_ranks(node, found)
    return frozenset(found)


def _note_ranks(node: object, found: set[int]) -> None:
    match node:
        case Compare(_, MeldAttr(_, "rank"), Const(int(rank))):
            found.add(rank)
        case Compare(_, Const(int(rank)), MeldAttr(_, "rank")):
            found.add(rank)
        case Member(MeldAttr(_, "rank"), Range(Const(int(low)), Const(int(high)))):
            found.update(range(low, high + 1))
        case Member(MeldAttr(_, "rank"), ListOf(items)):
            found.update(
                each.value
                for each in items
                if isinstance(each, Const) and isinstance(each.value, int)
            )
        case _:
            pass


def forms(
    kind: MeldKind,
    place: int,
    pack: Counter[int],
    fits: Callable[[int], bool],
    is_wild: Callable[[int], bool],
    cap: int,
    named: frozenset[int] = frozenset(),
) -> Iterator[Form]:
    """Every meld of a kind that the cards of the pack can make; a size above `cap` counts as it.

    named: ranks that are told apart. fits, is_wild: whether a face may lie as itself, whether it
    may stand for another; both say yes where only the deal tells.
    """
    low, high = kind.size
    most_wild = 0 if kind.wilds[1] == 0 else sum(n for face, n in pack.items() if is_wild(face))
    if kind.wilds[1] is not None:
        most_wild = min(most_wild, kind.wilds[1])
    top = cap if high is None else min(high, cap)
    for stuff in _together(_stuff(kind, pack, fits, is_wild), named):
        least, most = kind.naturals[0], stuff.naturals
        if kind.naturals[1] is not None:
            most = min(most, kind.naturals[1])
        for naturals in range(least, min(most, top) + 1):
            for wilds in range(kind.wilds[0], min(most_wild, top - naturals) + 1):
                size = naturals + wilds
                if size >= max(1, low) and size <= stuff.total:
                    yield Form(place, stuff.rank, naturals, wilds, stuff.alike)


def _together(many: Iterable[Stuff], named: frozenset[int]) -> Iterator[Stuff]:
    """One group for all that are alike."""
    groups: dict[object, list[Stuff]] = {}
    for each in many:
        key = each.rank if each.rank in named else None
        groups.setdefault((key, each.naturals, each.total), []).append(each)
    for group in groups.values():
        yield replace(group[0], alike=len(group))


def _stuff(
    kind: MeldKind,
    pack: Counter[int],
    fits: Callable[[int], bool],
    is_wild: Callable[[int], bool],
) -> Iterator[Stuff]:
    own = {face for face in pack if fits(face)}
    wild = set() if kind.wilds[1] == 0 else {face for face in pack if is_wild(face)}
    match kind.shape:
        case "same_rank":
            ranks = sorted({RANK_OF[face] or 0 for face in (own or wild)})
            for rank in ranks:
                group = {face for face in own if RANK_OF[face] == rank}
                yield Stuff(rank, _many(pack, group), _many(pack, group | wild))
        case "run":
            yield from _runs(kind, pack, own, wild)
        case "all_different":
            ranks_held = {RANK_OF[face] for face in own}
            yield Stuff(None, len(ranks_held), len(ranks_held))
        case "groups":
            held = Counter[int | None]()
            for face in own:
                held[RANK_OF[face]] += pack[face]
            sizes = sorted(kind.groups, reverse=True)
            counts = sorted(held.values(), reverse=True)
            if len(counts) >= len(sizes) and all(map(int.__ge__, counts, sizes)):
                yield Stuff(None, sum(sizes), sum(sizes))
        case _:
            yield Stuff(None, _many(pack, own), _many(pack, own | wild))


def _runs(kind: MeldKind, pack: Counter[int], own: set[int], wild: set[int]) -> Iterator[Stuff]:
    """Runs of the suit that offers most; with wild cards any places may be filled."""
    suits: dict[int | None, set[int]] = {}
    for face in own:
        rank = RANK_OF[face]
        if SUIT_OF[face] is not None and rank is not None:
            suits.setdefault(SUIT_OF[face], set()).add(rank)
    found = set()
    for ranks in suits.values():
        places = set(ranks)
        if 14 in ranks and kind.ace in ("low", "both"):
            places.add(1)
            if kind.ace == "low":
                places.discard(14)
        # As at the table: a gap, or the lack of enough of one suit, is filled by wild cards only.
        found.add((_longest(places), max(places) - min(places) + 1 if places else 0, len(places)))
    for longest, span, count in sorted(found):
        yield Stuff(None, count if wild else longest, span if wild else longest)


def _longest(places: Iterable[int]) -> int:
    """The length of the longest row of neighbours."""
    held = set(places)
    best = 0
    for start in held:
        if start - 1 not in held:
            end = start
            while end in held:
                end += 1
            best = max(best, end - start)
    return best


def _many(pack: Counter[int], faces: set[int]) -> int:
    return sum(pack[face] for face in faces)
