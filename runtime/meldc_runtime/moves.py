"""What effects do: cards go from zone to zone, melds are laid, chance speaks. Called by the written
code.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from meldc_runtime import melds
from meldc_runtime.cards import FACE, UNKNOWN, mark
from meldc_runtime.judging import kind_reasons
from meldc_runtime.state import Meld, Refused, State

if TYPE_CHECKING:
    from meldc_runtime.table import Env

NONE, BELOW_TOP, ALL = range(3)
"""Which of the cards that leave a zone a look-ahead must forget."""

BACK = (-1, -1)
"""Stands for the phase and player to go back to."""

Exceptions = tuple[tuple[Callable[[int], Any], "list[int] | None", bool], ...]
"""Where cards of a class go instead: the class, the zone, whether cards are marked there."""

MOST_REDEALS = 1000


class Redeal(Exception):  # noqa: N818  an event, no error
    """The deal starts again."""


def move_count(
    s: State,
    count: int,
    source: list[int],
    to: list[int],
    unseen: int = NONE,
    marked: bool = False,
    under: bool = False,
    but: Exceptions = (),
) -> None:
    """Moves cards from the top of a zone, one by one; cards of an exception go elsewhere and do not
    count.
    """
    forget = unseen if s.blind else NONE
    while count > 0 and source:
        card = source.pop() & FACE
        elsewhere = _exception(card, but)
        if elsewhere is not None:
            elsewhere[1].append(mark(card, s.player) if elsewhere[2] else card)
            continue
        if forget == ALL:
            card = UNKNOWN
        elif forget == BELOW_TOP:
            forget = ALL
        if marked:
            card = mark(card, s.player)
        if under:
            to.insert(0, card)
        else:
            to.append(card)
        count -= 1


def move_cards(
    s: State,
    cards: Sequence[int],
    source: list[int],
    to: list[int],
    unseen: int = NONE,
    marked: bool = False,
    under: bool = False,
    but: Exceptions = (),
) -> None:
    """Moves these cards, as far as they are there, in this order."""
    forget = unseen if s.blind else NONE
    top = source[-1] & FACE if source and forget == BELOW_TOP else None
    moved: list[int] = []
    for card in cards if len(cards) < len(source) else list(cards):
        if not take(source, card):
            continue
        face = card & FACE
        elsewhere = _exception(face, but)
        if elsewhere is not None:
            elsewhere[1].append(mark(face, s.player) if elsewhere[2] else face)
            continue
        if forget == ALL or (forget == BELOW_TOP and face != top):
            face = UNKNOWN
        moved.append(mark(face, s.player) if marked else face)
    if under:
        to[:0] = moved
    else:
        to.extend(moved)


def take(zone: list[int], card: int) -> bool:
    """Takes a card (this very one, or else one of its face) out of a zone, of several the topmost;
    whether it was there.
    """
    if zone and zone[-1] == card:
        zone.pop()
        return True
    if card in zone:
        del zone[len(zone) - 1 - zone[::-1].index(card)]
        return True
    face = card & FACE
    for place in range(len(zone) - 1, -1, -1):
        if zone[place] & FACE == face:
            del zone[place]
            return True
    return False


def _exception(face: int, but: Exceptions) -> tuple[Any, list[int], bool] | None:
    for test, zone, marked in but:
        if zone is not None and test(face):
            return test, zone, marked
    return None


def lay_meld(
    s: State,
    env: Env,
    parts: Sequence[tuple[Sequence[int], list[int]]],
    kind: int | None,
    onto: Meld | None,
) -> Meld | None:
    """Lays cards in a meld, as `LayMeld` says; returns it, None where there were no cards.

    Raises Refused where the cards make no such meld or a rule about its kind is broken.
    """
    table = s.table
    faces: list[int] = []
    for cards, zone in parts:
        for card in cards:
            if take(zone, card):
                faces.append(card & FACE)
    if not faces:
        return onto
    base: Meld | None
    if onto is not None:
        kind, base = onto.kind, onto
        meld = melds.would_be(table, s, kind, base, faces, s.player)
    else:
        found = melds.joined(table, s, faces, s.player, kind)
        meld, base = found if found is not None else (None, None)
    if meld is None:
        raise Refused(("no meld" if kind is None else f"pattern {table.program.kinds[kind].name}",))
    melds.lay(s, meld, base)
    broken = kind_reasons(s, env, meld, tuple(faces))
    if broken:
        raise Refused(broken)
    return meld


def exchange(
    s: State,
    env: Env,
    card: int | None,
    source: list[int],
    meld: Meld | None,
    to: list[int],
    marked: bool = False,
) -> Meld | None:
    """Puts a card in the place of a wild card, as `Exchange` says; returns the meld as it lies.

    Raises Refused where no wild card stands for it or a rule about its kind is broken.
    """
    if card is None or meld is None:
        return meld
    face = card & FACE
    found = melds.exchanged(s.table, s, meld, face, s.player)
    if found is None or not take(source, card):
        raise Refused((f"no wild card {face}",))
    changed, wild = found
    melds.lay(s, changed, meld)
    to.append(mark(wild, s.player) if marked else wild)
    broken = kind_reasons(s, env, changed, (face,))
    if broken:
        raise Refused(broken)
    return changed


def joined_meld(s: State, cards: Sequence[int]) -> Meld | None:
    """The meld that cards laid by the acting player would be in."""
    found = melds.joined(s.table, s, [card & FACE for card in cards], s.player) if cards else None
    return found and found[0]


def shuffle(s: State, zone: list[int]) -> None:
    if s.rng is not None:
        s.rng.shuffle(zone)


def chance(s: State, numerator: int | None, denominator: int | None) -> bool:
    """Yes with probability numerator / denominator; no where that is no probability."""
    if s.rng is None or numerator is None or denominator is None or denominator < 1:
        return False
    return s.rng.below(denominator) < numerator


def redeal(s: State) -> None:
    """Starts the deal again, unless that has happened too often."""
    if s.redeals < MOST_REDEALS:
        raise Redeal


def end_game(s: State, env: Env, winners: Sequence[int] | None) -> None:
    """Ends the game after the step. The first end named holds; an end for nobody is none."""
    if "end game" in env or (winners is not None and not winners):
        return
    env["end game"] = None if winners is None else tuple(winners)
