"""Larger plays as series of smallest ones.

A person may lay five cards at once, or take the pile with more cards than are needed. Such a play
is legal when some order of smallest plays that lays the same cards is legal at each step. Orders
are told apart by kinds of card.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import combinations

from meldc_runtime import machine, melds
from meldc_runtime.candidates import Candidates
from meldc_runtime.forms import Form
from meldc_runtime.lookahead import outlook_of
from meldc_runtime.lookahead.search import key_of
from meldc_runtime.program import expressions as x
from meldc_runtime.state import Meld, Play, Refused, State

STATES = 2_000
"""Positions looked at to find an order."""

Cards = tuple[int, ...]
Legal = Callable[[State, Play], bool]


def steps(state: State, play: Play, is_legal: Legal) -> tuple[Play, ...] | None:
    """The smallest plays that make up a play, each legal when its turn comes; None where no order
    is.
    """
    candidates = outlook_of(state.table).candidates
    form = candidates.forms[play.action]
    if form.cards is None or form.exactly is not None:
        return (play,) if is_legal(state, play) else None
    return _Series(candidates, form, play, is_legal).find(state)


class _Series:
    """The search for an order of one play."""

    def __init__(self, candidates: Candidates, form: Form, play: Play, is_legal: Legal) -> None:
        self.candidates = candidates
        self.form = form
        self.play = play
        self.is_legal = is_legal
        self.names = [param.name for param in form.action.params]
        self.place = self.names.index(form.cards or "")
        self.cards: Cards = tuple(sorted(play.args[self.place]))
        self.seen: set[object] = set()
        self.adder = self._adder()

    def _adder(self) -> Form | None:
        """The action by which further cards join a meld of the own side."""
        forms = [form for form in self.candidates.forms if form.lay is not None and form.onto]
        several = [form for form in forms if form.cards and form.alone]
        return next(iter((*several, *(form for form in forms if self._adds_one(form)))), None)

    def _adds_one(self, form: Form) -> bool:
        """Whether an action lays one card, of the place that the play's cards come from."""
        if form.cards or form.lay is None or self.form.lay is None or len(form.names) != 2:
            return False
        cards = [x.Var(name) for name in form.names if name != form.onto]
        own = {part.source for part in self.form.lay.parts}
        return [part.cards for part in form.lay.parts] == cards and form.lay.parts[0].source in own

    def find(self, state: State) -> tuple[Play, ...] | None:
        for first, rest in self._first_steps(state):
            after = self._made(state, first)
            if after is None:
                continue
            if not rest:
                return (first,)
            home = self._home(state, after)
            others = self._rest(after, home, rest)
            if others is not None:
                return (first, *others)
        return None

    def _first_steps(self, state: State) -> Iterator[tuple[Play, Cards]]:
        """The smallest plays to begin with, and the cards that are left for later."""
        form = self.form
        if form.starts:
            kind = self.play.args[self.names.index(form.kind or "")]
            joined = melds.joined(state.table, state, self.cards, state.player, kind)
            base = joined[1] if joined else None
            if base is not None and self.adder is not None:
                yield from (
                    (self._add(base, (face,)), _without(self.cards, (face,)))
                    for face in self._kinds(self.cards)
                )
                return
            choices: list[Cards] = self.candidates.starts.of(state, kind, self.cards)
        elif form.lay is not None and not (form.alone and form.onto):
            choices = [c for size in range(1, len(self.cards) + 1) for c in self._subsets(size)]
        else:
            choices = [(face,) for face in self._kinds(self.cards)]
            home = (
                melds.find(state, self.play.args[self.names.index(form.onto)])
                if form.adds and form.onto
                else None
            )
            choices += self._bridges(state, home, self.cards)
        for choice in choices:
            yield self._with(choice), _without(self.cards, choice)
        if form.lay is not None and form.onto is None and not form.starts:
            yield from ((play, self.cards) for play in self._without_hand(state))

    def _without_hand(self, state: State) -> Iterator[Play]:
        """Plays that lay the same card of another zone, alone, on a meld by rank: the cards of the
        hand may follow.
        """
        assert self.form.lay is not None
        for form in self.candidates.forms:
            if form.lay is None or form.cards or not form.onto:
                continue
            if not set(form.lay.parts) < set(self.form.lay.parts):
                continue
            if not machine.in_phase(state, form.index):
                continue
            place = [param.name for param in form.action.params].index(form.onto)
            for play in self.candidates.of(state, form):
                home = melds.find(state, play.args[place])
                if home is not None and home.rank is not None:
                    yield play

    def _rest(self, state: State, home: Meld | None, cards: Cards) -> list[Play] | None:
        key = (key_of(state, self.candidates), cards)
        if key in self.seen or len(self.seen) > STATES:
            return None
        self.seen.add(key)
        for some in [*((face,) for face in self._kinds(cards)), *self._bridges(state, home, cards)]:
            if self.form.lay is None:
                step = self._with(some)
            elif home is None or self.adder is None:
                return None
            else:
                step = self._add(home, some)
            after = self._made(state, step)
            if after is None:
                continue
            left = _without(cards, some)
            if not left:
                return [step]
            others = self._rest(
                after, None if home is None else melds.find(after, (home.owner, home.serial)), left
            )
            if others is not None:
                return [step, *others]
        return None

    def _made(self, state: State, step: Play) -> State | None:
        """The state after a step, if it is legal."""
        if state.over or not self.is_legal(state, step):
            return None
        after = state.copy()
        after.blind = True
        try:
            machine.apply(after, step)
        except Refused:
            return None
        return after

    def _home(self, before: State, after: State) -> Meld | None:
        """The meld that the first step made or extended."""
        if self.form.onto is not None:
            return melds.find(after, self.play.args[self.names.index(self.form.onto)])
        side = after.table.side_of(before.player)
        old = {id(meld) for meld in before.melds[side]}
        return next((meld for meld in after.melds[side] if id(meld) not in old), None)

    def _with(self, cards: Cards) -> Play:
        args = list(self.play.args)
        args[self.place] = tuple(sorted(cards))
        return Play(self.play.action, tuple(args))

    def _bridges(self, state: State, home: Meld | None, cards: Cards) -> list[Cards]:
        """Cards that a run takes only together."""
        if self.adder is not None and not self.adder.cards:
            return []
        if home is None or self.candidates.table.program.kinds[home.kind].shape != "run":
            return []
        return self.candidates.bridges(state, home, cards)

    def _add(self, home: Meld, cards: Cards) -> Play:
        assert self.adder is not None
        laid = cards if self.adder.cards else cards[0]
        home_is = (home.owner, home.serial)
        args = [home_is if name == self.adder.onto else laid for name in self.adder.names]
        return Play(self.adder.index, tuple(args))

    def _kinds(self, cards: Cards) -> list[int]:
        return self.candidates.kinds.lowest(cards)

    def _subsets(self, size: int) -> Iterator[Cards]:
        seen: set[Cards] = set()
        of = self.candidates.kinds.of
        for choice in combinations(self.cards, size):
            kinds = tuple(sorted(of[face] for face in choice))
            if kinds not in seen:
                seen.add(kinds)
                yield choice


def _without(cards: Cards, taken: Cards) -> Cards:
    left = list(cards)
    for face in taken:
        left.remove(face)
    return tuple(left)
