"""Melds: patterns of every shape, what cards would be, how a meld grows."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import TYPE_CHECKING

from meldc_runtime.cards import (
    ACE,
    FACE,
    RANK_OF,
    SUIT_OF,
    UNKNOWN,
    face_of,
    laid_by,
    mark,
    stands_for,
)
from meldc_runtime.program.declarations import MeldKind
from meldc_runtime.program.reserved import UNFINISHED
from meldc_runtime.state import Meld, State

if TYPE_CHECKING:
    from meldc_runtime.table import Table

Bounds = tuple[int, int | None]


def would_be(
    table: Table, state: State, kind: int, base: Meld | None, cards: Sequence[int], player: int
) -> Meld | None:
    """The meld that cards make alone (base None) or joined to a meld of this kind, by the pattern
    only; None where they make none.

    Pattern: classes, naturals, wild cards, size, shape, contains, ace. Not the condition and the
    rules about the kind. Cards are faces; in the meld they carry marks. A new meld has serial 0 and
    the player's side as owner.
    """
    pattern = table.program.kinds[kind]
    size = len(cards) if base is None else len(cards) + len(base.cards)
    low, high = pattern.size
    if size < low or (high is not None and size > high) or not cards:
        return None
    meld = shaped(table, state, kind, base, cards, player, pattern)
    if meld is None or not _fits(pattern, meld):
        return None
    if pattern.contains and not _contains(table, state, kind, meld):
        return None
    return meld


def shaped(
    table: Table,
    state: State,
    kind: int,
    base: Meld | None,
    cards: Sequence[int],
    player: int,
    pattern: MeldKind,
) -> Meld | None:
    """The meld that cards make by classes and shape alone, its bounds not judged (of a run with
    several readings: by the bounds of `pattern`, which may be looser than the kind's own).
    """
    match pattern.shape:
        case "same_rank":
            return _same_rank(table, state, kind, base, cards, player)
        case "run":
            return _run(table, state, kind, base, cards, player, pattern)
        case "any":
            return _any(table, state, kind, base, cards, player)
        case "all_different":
            return _all_different(table, state, kind, base, cards, player)
    return _groups(table, state, kind, base, cards, player)


def joins(table: Table, state: State, kind: int, cards: Sequence[int], player: int) -> Meld | None:
    """The meld of the player's side that a start of this kind must join (`one`, `one_unfinished`),
    or None where it starts a new one.
    """
    pattern = table.program.kinds[kind]
    if pattern.how_many == "many":
        return None
    by_rank = pattern.shape == "same_rank"
    rank = rank_of_cards(table, state, kind, cards) if by_rank else None
    for meld in state.melds[player % table.sides]:
        if meld.kind != kind or (by_rank and meld.rank != rank):
            continue
        if pattern.how_many == "one" or _unfinished(table, state, meld):
            return meld
    return None


def joined(
    table: Table, state: State, cards: Sequence[int], player: int, kind: int | None = None
) -> tuple[Meld, Meld | None] | None:
    """What laying cards without naming a meld makes: the meld as it will lie and the one it
    replaces; the first kind, in order, that fits.
    """
    for candidate in range(len(table.program.kinds)) if kind is None else (kind,):
        base = joins(table, state, candidate, cards, player)
        meld = would_be(table, state, candidate, base, cards, player)
        if meld is not None:
            return meld, base
    return None


def lay(state: State, meld: Meld, base: Meld | None) -> Meld:
    """Puts a meld on the table in the place of `base`, or as a new one (with the next serial);
    returns it as it lies.
    """
    if base is not None:
        melds = state.melds[base.owner]
        melds[melds.index(base)] = meld
        return meld
    state.serial += 1
    meld.serial = state.serial
    state.melds[meld.owner].append(meld)
    return meld


def find(state: State, reference: tuple[int, int]) -> Meld | None:
    """The meld that `(side, serial)` names."""
    side, serial = reference
    for meld in state.melds[side] if 0 <= side < len(state.melds) else ():
        if meld.serial == serial:
            return meld
    return None


def standing_faces(meld: Meld) -> tuple[int, ...]:
    """The faces that the wild cards of a meld stand for: of a run the very card, of one rank any
    card of it.
    """
    if not meld.wilds:
        return ()
    if meld.suit is not None:
        ranks = (stands_for(card) for card in meld.cards)
        return tuple(face_of(rank, meld.suit) for rank in ranks if rank)
    if meld.rank is not None and meld.rank <= ACE:
        return tuple(face_of(meld.rank, suit) for suit in range(4))
    return ()


def exchanged(
    table: Table, state: State, meld: Meld, face: int, player: int
) -> tuple[Meld, int] | None:
    """A meld with a card in the place of the first wild card that stands for it, and that wild
    card's face; None where there is none, or what would lie is no such meld.
    """
    if face == UNKNOWN or not table.naturals(state, meld.kind)[face]:
        return None
    if meld.suit is not None and meld.suit != SUIT_OF[face]:
        return None
    rank = RANK_OF[face]
    place = next((n for n, card in enumerate(meld.cards) if stands_for(card) == rank), None)
    if place is None or rank is None:
        return None
    wild = meld.cards[place] & FACE
    cards = (*meld.cards[:place], mark(face, player), *meld.cards[place + 1 :])
    found = Meld(
        meld.kind, meld.owner, cards, meld.rank, meld.suit, meld.low, meld.wilds - 1, meld.serial
    )
    pattern = table.program.kinds[meld.kind]
    if not _fits(pattern, found):
        return None
    if pattern.contains and not _contains(table, state, meld.kind, found):
        return None
    return found, wild


def lowest_face(meld: Meld) -> int | None:
    """The face of the first place of a run; nothing of other melds."""
    if meld.low is None or meld.suit is None:
        return None
    return face_of(ACE if meld.low == 1 else meld.low, meld.suit)


def highest_face(meld: Meld) -> int | None:
    """The face of the last place of a run; nothing of other melds."""
    if meld.low is None or meld.suit is None:
        return None
    place = meld.low + len(meld.cards) - 1
    return face_of(ACE if place == 1 else place, meld.suit)


def rank_of_cards(table: Table, state: State, kind: int, cards: Sequence[int]) -> int | None:
    """The rank of the meld of one rank that these cards make or join: with the fewest wild cards,
    then the lowest.
    """
    natural = table.naturals(state, kind)
    counts: dict[int, int] = {}
    for card in cards:
        if natural[card]:
            rank = RANK_OF[card]
            assert rank is not None
            counts[rank] = counts.get(rank, 0) + 1
    if len(counts) < 2:
        return next(iter(counts), None)
    wild = table.wilds(state)
    return max(
        (
            rank
            for rank in counts
            if all(wild[c] or (natural[c] and RANK_OF[c] == rank) for c in cards)
        ),
        key=lambda rank: (counts[rank], -rank),
        default=None,
    )


def _unfinished(table: Table, state: State, meld: Meld) -> bool:
    definition = table.code.definitions.get(UNFINISHED)
    if definition is not None:
        return bool(definition(state, meld))
    high = table.program.kinds[meld.kind].size[1]
    return high is None or len(meld.cards) < high


def within(number: int, bounds: Bounds) -> bool:
    """Whether a number keeps to bounds."""
    return bounds[0] <= number and (bounds[1] is None or number <= bounds[1])


def _fits(pattern: MeldKind, meld: Meld) -> bool:
    return within(meld.wilds, pattern.wilds) and within(
        len(meld.cards) - meld.wilds, pattern.naturals
    )


def _contains(table: Table, state: State, kind: int, meld: Meld) -> bool:
    conditions = table.code.kind_contains[table.program.kinds[kind].name]
    own = [card & FACE for card in meld.cards if not stands_for(card)]
    return all(any(condition(state, card) for card in own) for condition in conditions)


def _grown(
    kind: int,
    base: Meld | None,
    new: Sequence[int],
    table: Table,
    player: int,
    rank: int | None,
    wilds: int,
) -> Meld:
    if base is None:
        return Meld(kind, player % table.sides, tuple(new), rank, None, None, wilds, 0)
    return Meld(
        kind, base.owner, (*base.cards, *new), rank, None, None, base.wilds + wilds, base.serial
    )


def _same_rank(
    table: Table, state: State, kind: int, base: Meld | None, cards: Sequence[int], player: int
) -> Meld | None:
    rank = base.rank if base is not None else rank_of_cards(table, state, kind, cards)
    if rank is None:
        return None
    natural = table.naturals(state, kind)
    wild = table.wilds(state)
    new: list[int] = []
    wilds = 0
    for card in cards:
        if RANK_OF[card] == rank and natural[card]:
            new.append(mark(card, player))
        elif wild[card]:
            wilds += 1
            new.append(mark(card, player, rank))
        else:
            return None
    return _grown(kind, base, new, table, player, rank, wilds)


def _any(
    table: Table, state: State, kind: int, base: Meld | None, cards: Sequence[int], player: int
) -> Meld | None:
    natural = table.naturals(state, kind)
    wild = table.wilds(state)
    wilds = sum(not natural[card] for card in cards)
    if wilds and not all(natural[card] or wild[card] for card in cards):
        return None
    return _grown(kind, base, [mark(card, player) for card in cards], table, player, None, wilds)


def _all_different(
    table: Table, state: State, kind: int, base: Meld | None, cards: Sequence[int], player: int
) -> Meld | None:
    natural = table.naturals(state, kind)
    wild = table.wilds(state)
    seen: set[int | None] = (
        set() if base is None else {RANK_OF[c & FACE] for c in base.cards if not stands_for(c)}
    )
    wilds = 0
    new = []
    for card in sorted(cards, key=lambda c: wild[c]):
        if natural[card] and RANK_OF[card] not in seen:
            seen.add(RANK_OF[card])
            new.append(mark(card, player))
        elif wild[card]:
            wilds += 1
            new.append(mark(card, player))
        else:
            return None
    ranks = {RANK_OF[face] for face in set(table.pack) if natural[face]}
    if len(seen) + wilds + (0 if base is None else base.wilds) > len(ranks):
        return None
    return _grown(kind, base, new, table, player, None, wilds)


def _groups(
    table: Table, state: State, kind: int, base: Meld | None, cards: Sequence[int], player: int
) -> Meld | None:
    natural = table.naturals(state, kind)
    wild = table.wilds(state)
    if base is not None or not all(natural[card] or wild[card] for card in cards):
        return None
    sizes = sorted(table.program.kinds[kind].groups, reverse=True)
    must = [card for card in cards if not natural[card]]
    may = [card for card in cards if natural[card] and wild[card]]
    held = Counter([RANK_OF[card] for card in cards if natural[card]])
    for more in range(len(may) + 1):
        for others in combinations(may, more):
            left = held.copy()
            left.subtract([RANK_OF[card] for card in others])
            ranks = sorted([number for number in left.values() if number], reverse=True)
            if len(ranks) <= len(sizes) and all(
                n <= size for n, size in zip(ranks, sizes, strict=False)
            ):
                wilds = len(must) + more
                return _grown(
                    kind, None, [mark(c, player) for c in cards], table, player, None, wilds
                )
    return None


# ---- runs: places are ranks, 1 a low ace and 14 a high one


def _run(
    table: Table,
    state: State,
    kind: int,
    base: Meld | None,
    cards: Sequence[int],
    player: int,
    pattern: MeldKind,
) -> Meld | None:
    natural = table.naturals(state, kind)
    wild = table.wilds(state)
    must = [card for card in cards if not natural[card]]
    if not all(wild[card] for card in must):
        return None
    suit = base.suit if base is not None else _suit_of(cards, natural, wild)
    if suit is None:
        return None
    aces = pattern.ace
    own = [c for c in cards if natural[c] and SUIT_OF[c] == suit]
    strange = [c for c in cards if natural[c] and SUIT_OF[c] != suit]
    if not all(wild[c] for c in strange):
        return None
    ends = _ends(table, natural, suit, aces)
    lying, lifted = _lying(base, pattern.wilds_go)
    optional = [c for c in own if wild[c]]
    for more in range(len(optional) + 1):
        for others in _distinct(optional, more):
            free = [*lifted, *(mark(c, player) for c in sorted([*must, *strange, *others]))]
            placed = (Counter(own) - Counter(others)).elements()
            for places in _places(list(placed), aces):
                taken = _placed(lying, places, suit, player)
                run = taken and _filled(taken, free, ends, pattern.wilds_go == "low")
                if not run:
                    continue
                low, lies = run
                if free or base is not None:
                    lies = tuple([_as_itself(card, natural, suit) for card in lies])
                meld = _run_of(kind, base, suit, low, lies, player % table.sides)
                if _fits(pattern, meld):
                    return meld
    return None


def _run_of(
    kind: int, base: Meld | None, suit: int, low: int, cards: tuple[int, ...], side: int
) -> Meld:
    """The run that cards make from its lowest place on: the base, grown, or a new one of a side."""
    owner, serial = (side, 0) if base is None else (base.owner, base.serial)
    wilds = sum([stands_for(card) is not None for card in cards])
    return Meld(kind, owner, cards, None, suit, low, wilds, serial)


def _as_itself(card: int, natural: Sequence[bool], suit: int) -> int:
    """A card of a run: one that fills the very place of its own face lies as itself."""
    face, rank = card & FACE, stands_for(card)
    if rank is not None and natural[face] and face == face_of(rank, suit):
        return mark(face, laid_by(card))
    return card


def _suit_of(cards: Sequence[int], natural: Sequence[bool], wild: Sequence[bool]) -> int | None:
    """The suit of a new run: of the cards that can only lie as themselves, else of the most that
    can.
    """
    firm = {SUIT_OF[card] for card in cards if natural[card] and not wild[card]}
    if firm:
        return firm.pop() if len(firm) == 1 else None
    suits = Counter(suit for card in cards if natural[card] and (suit := SUIT_OF[card]) is not None)
    return max(sorted(suits), key=lambda suit: suits[suit], default=None)


def _distinct(cards: Sequence[int], number: int) -> Iterator[tuple[int, ...]]:
    yield from sorted(set(combinations(sorted(cards), number)))


def _ends(table: Table, natural: Sequence[bool], suit: int, aces: str) -> tuple[int, int]:
    """The lowest and highest place that a wild card may fill."""
    ranks = [
        rank
        for rank in range(2, ACE + 1)
        if natural[face_of(rank, suit)] and face_of(rank, suit) in table.pack_set
    ]
    low = min(ranks, default=2)
    high = max((rank for rank in ranks if aces != "low" or rank != ACE), default=ACE)
    if aces != "high" and ACE in ranks and 2 in ranks:
        low = 1
    return low, high


def _places(cards: list[int], aces: str) -> Iterator[list[int]]:
    """The places that cards of one suit may take: an ace is high, low, or (first high, then low)
    either.
    """
    ranks = [rank for card in cards if (rank := RANK_OF[card]) is not None]
    number = ranks.count(ACE)
    others = [rank for rank in ranks if rank != ACE]
    if number == 0 or aces == "high":
        yield ranks
    elif aces == "low":
        yield others + [1] * number
    else:
        for low in range(number + 1):
            yield others + [1] * low + [ACE] * (number - low)


def _lying(base: Meld | None, wilds_go: str) -> tuple[dict[int, int], list[int]]:
    """What keeps its place when a run grows, and the wild cards that are laid anew."""
    if base is None:
        return {}, []
    assert base.low is not None
    lying = dict(enumerate(base.cards, base.low))
    if wilds_go == "stay":
        return lying, []
    own = {place: card for place, card in lying.items() if stands_for(card) is None}
    lifted = [mark(card & FACE, laid_by(card)) for place, card in lying.items() if place not in own]
    return own, lifted


def _placed(
    lying: dict[int, int], places: list[int], suit: int, player: int
) -> dict[int, int] | None:
    """The run with cards of its own at these places; None where one is taken, or there are none."""
    taken = dict(lying)
    for place in places:
        if place in taken:
            return None
        taken[place] = mark(face_of(ACE if place == 1 else place, suit), player)
    return taken or None


def _filled(
    taken: dict[int, int], free: list[int], ends: tuple[int, int], low_first: bool
) -> tuple[int, tuple[int, ...]] | None:
    """The run with wild cards in its gaps, then at one end, then at the other: its lowest place and
    its cards; None where they are too few, or too many.
    """
    low, high = min(taken), max(taken)
    gaps = [place for place in range(low, high) if place not in taken]
    more = len(free) - len(gaps)
    room_below, room_above = max(low - ends[0], 0), max(ends[1] - high, 0)
    if more < 0 or more > room_below + room_above:
        return None
    down = min(more, room_below) if low_first else more - min(more, room_above)
    first, last = low - down, high + more - down
    gaps = sorted([*range(first, low), *gaps, *range(high + 1, last + 1)])
    filled = dict(taken)
    for place, card in zip(gaps, free, strict=True):
        filled[place] = mark(card & FACE, laid_by(card), ACE if place == 1 else place)
    return first, tuple(filled[place] for place in range(first, last + 1))
