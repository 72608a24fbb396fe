"""Ways to lay a certain card: plays on one meld, with cards of the hand, each used once.

A card gets into a meld by a play that begins or extends it; what was laid there before were plays
on the same meld. Other melds and rules are left out, so that where no chain leads to the card it
cannot be laid.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from typing import Any

from meldc_runtime import machine, melds
from meldc_runtime.candidates import Candidates
from meldc_runtime.cards import FACE, RANK_OF, SUIT_OF, UNKNOWN
from meldc_runtime.forms import Form
from meldc_runtime.program import expressions as x
from meldc_runtime.state import Meld, Play, State

MELDS = 3_000
"""Melds that are thought of for one card before it is too much."""

Chain = tuple[tuple[Form, int, tuple[int, ...]], ...]
"""Plays: the form, the kind begun (-1 where it adds), the cards; all of them on one meld."""


class TooManyError(Exception):
    """There are more melds than can be looked at."""


class Chains:
    """Finds chains at a Table. layers: the forms that lay cards of the hand."""

    def __init__(self, candidates: Candidates, layers: list[Form]) -> None:
        self.candidates = candidates
        self.table = candidates.table
        self.starters = [form for form in layers if form.starts]
        self.adders = [form for form in layers if form.adds]

    def to(
        self, state: State, face: int, wilds: bool = True
    ) -> Iterator[tuple[Meld | None, Chain]]:
        """The chains that lay a card, each with the meld it begins on (None: a new one); short ones
        first. wilds: whether wild cards of the hand serve, too. Raises TooManyError.
        """
        hand = self._hand(state)
        if not wilds:
            wild = self.table.wilds(state)
            hand = [card for card in hand if not wild[card]]
        if face not in hand:
            return
        seen: set[Any] = set()
        waiting: deque[tuple[Meld | None, Meld, list[int], Chain]] = deque()
        for form in self.adders:
            if machine.in_phase(state, form.index):
                env = {x.Marker.PLAYER: state.player}
                for home in self.candidates.domain(state, form, form.onto or "", env):
                    waiting.append((home, home, hand, ()))
        for chain, meld in self._begun(state, hand, face):
            left = _without(hand, chain[0][2])
            if face in chain[0][2]:
                yield None, chain
            else:
                waiting.append((None, meld, left, chain))
        adder = next((f for f in self.adders if machine.in_phase(state, f.index)), None)
        while waiting and adder is not None:
            first, meld, left, chain = waiting.popleft()
            for cards, longer in self._extended(state, meld, left, face):
                further = (*chain, (adder, -1, cards))
                if face in cards:
                    yield first, further
                    continue
                cards_in_it = tuple(sorted(card & FACE for card in longer.cards))
                place = (longer.low, longer.rank, longer.suit)
                key = (longer.owner, longer.serial, longer.kind, place, cards_in_it)
                if key not in seen:
                    seen.add(key)
                    if len(seen) > MELDS:
                        raise TooManyError
                    waiting.append((first, longer, _without(left, cards), further))

    def _hand(self, state: State) -> list[int]:
        form = (self.starters or self.adders)[0]
        env = {x.Marker.PLAYER: state.player}
        cards = self.candidates.domain(state, form, form.cards or "", env)
        return sorted(card & FACE for card in cards if card & FACE != UNKNOWN)

    def _near(self, state: State, kind: int, hand: list[int], face: int) -> list[int]:
        """The cards that might lie in one meld of a kind with a card."""
        wild = self.table.wilds(state)
        place = {"same_rank": RANK_OF, "run": SUIT_OF}.get(self.table.program.kinds[kind].shape)
        if wild[face] or place is None:
            return hand
        return [card for card in hand if wild[card] or place[card] == place[face]]

    def _begun(self, state: State, hand: list[int], face: int) -> Iterator[tuple[Chain, Meld]]:
        starts = self.candidates.starts
        for form in self.starters:
            if not machine.in_phase(state, form.index):
                continue
            for kind in range(len(self.table.program.kinds)):
                for cards in starts.of(state, kind, self._near(state, kind, hand, face)):
                    meld = melds.would_be(self.table, state, kind, None, cards, state.player)
                    if meld is not None:
                        yield ((form, kind, cards),), meld

    def _extended(
        self, state: State, meld: Meld, left: list[int], face: int
    ) -> Iterator[tuple[tuple[int, ...], Meld]]:
        """The melds that one more step makes of one that might take the card."""
        wild = self.table.wilds(state)
        if not (
            wild[face]
            or (meld.rank is None and meld.suit is None)
            or meld.rank == RANK_OF[face]
            or meld.suit == SUIT_OF[face]
        ):
            return
        steps: list[tuple[int, ...]] = [(card,) for card in sorted(set(left))]
        pattern = self.table.program.kinds[meld.kind]
        if pattern.shape == "run" and pattern.wilds[1] != 0:
            steps += self.candidates.bridges(state, meld, left)
        for cards in steps:
            longer = melds.would_be(self.table, state, meld.kind, meld, cards, state.player)
            if longer is not None:
                yield cards, longer

    def plays(self, state: State, first: Meld | None, chain: Chain) -> Iterator[Play]:
        """The plays of a chain, made from a state as it is when each is asked for."""
        home = None if first is None else (first.owner, first.serial)
        for form, kind, cards in chain:
            values: dict[str, Any] = {form.cards or "": cards}
            if form.starts:
                values[form.kind or ""] = kind
            else:
                values[form.onto or ""] = home
            yield Play(form.index, tuple([values[name] for name in form.names]))
            if form.starts:
                home = (self.table.side_of(state.player), state.serial)


def _without(cards: Sequence[int], gone: Sequence[int]) -> list[int]:
    left = list(cards)
    for card in gone:
        left.remove(card)
    return left
