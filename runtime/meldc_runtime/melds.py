"""Melds: patterns of every shape, what cards would be, how a meld grows."""

from __future__ import annotations

from collections.abc import Sequence

from meldc_runtime.state import Meld, State
from meldc_runtime.table import Table


def would_be(
    table: Table, state: State, kind: int, base: Meld | None, cards: Sequence[int], player: int
) -> Meld | None:
    """The meld that cards make alone (base None) or joined to a meld of this kind, by the pattern only; None where they make none.

    Pattern: classes, naturals, wild cards, size, shape, contains, ace. Not the condition and the rules about the kind.
    Cards are faces; in the meld they carry marks. A new meld has serial 0 and the player's side as owner.
    """
    raise NotImplementedError


def joins(table: Table, state: State, kind: int, cards: Sequence[int], player: int) -> Meld | None:
    """The meld of the player's side that a start of this kind must join (`one`, `one_unfinished`), or None where it starts a new one."""
    raise NotImplementedError


def joined(table: Table, state: State, cards: Sequence[int], player: int, kind: int | None = None) -> tuple[Meld, Meld | None] | None:
    """What laying cards without naming a meld makes: the meld as it will lie and the one it replaces; the first kind, in order, that fits."""
    raise NotImplementedError


def lay(table: Table, state: State, meld: Meld, base: Meld | None) -> Meld:
    """Puts a meld on the table in the place of `base`, or as a new one (with the next serial); returns it as it lies."""
    raise NotImplementedError


def find(state: State, reference: tuple[int, int]) -> Meld | None:
    """The meld that `(side, serial)` names."""
    raise NotImplementedError
