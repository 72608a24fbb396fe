"""What must hold in every deal of every game, checked while a deal is played at random."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Any

from properties.choosing import Chooser
from properties.hiding import exchanged
from properties.tables import start

from meldc_runtime import legality, machine
from meldc_runtime.actions import text as action_text
from meldc_runtime.cards import FACE
from meldc_runtime.game import Game, Position
from meldc_runtime.lookahead import outlook_of
from meldc_runtime.lookahead.search import CutOff, Search
from meldc_runtime.randomness import Random
from meldc_runtime.state import Meld, Play, Refused, State

MOST_ACTIONS = 5_000
"""A deal with more does not end."""

BRANCHES = 3
"""Of the actions of a position looked at closely: how many are gone into beside the one made."""

POSITIONS = 150
"""Looked at to find out whether a refused action could be completed."""


class ViolationError(AssertionError):
    """A property that does not hold; with the seed the deal can be played again."""

    def __init__(self, what: str, seed: int, texts: Sequence[str]) -> None:
        last = ", ".join(texts[-3:]) or "the deal"
        super().__init__(f"{what}; seed {seed}, after {len(texts)} actions ({last})")
        self.what = what
        self.seed = seed


@dataclass(frozen=True, slots=True)
class Played:
    """A deal as it was played. finished: whether it came to its end, not cut."""

    seed: int
    texts: tuple[str, ...]
    finished: bool
    end: tuple[Any, ...]

    @property
    def digest(self) -> str:
        return sha256("\n".join(self.texts).encode()).hexdigest()


def play(game: Game, seed: int, most_actions: int | None = None) -> Played:
    """A deal played at random, nothing checked."""
    position, chooser = start(game, seed), Chooser(game, seed)
    texts: list[str] = []
    state = position.state
    while not state.over and len(texts) < (most_actions or MOST_ACTIONS):
        play = chooser.choose(legality.legal_plays(state))
        texts.append(action_text(state, play))
        machine.apply(state, play)
    return Played(seed, tuple(texts), state.over, fingerprint(state))


def play_checked(
    game: Game, seed: int, most_actions: int | None = None, close_looks: int = 10
) -> Played:
    """The same deal; cards, dead ends and cut-offs are checked at each action, everything else
    at one of so many.

    most_actions: where the deal is cut. Raises ViolationError.
    """
    return _Deal(game, seed).played(most_actions, close_looks)


def replay(game: Game, played: Played) -> None:
    """Plays the recorded texts once more by the public face. Raises ViolationError."""
    position = start(game, played.seed)
    for number, text in enumerate(played.texts):
        found = position.why_illegal(text)
        if found:
            made = played.texts[:number]
            raise ViolationError(f"`{text}` is refused when replayed", played.seed, made)
        position.apply(text)
    if fingerprint(position.state) != played.end:
        raise ViolationError("the texts lead to another state", played.seed, played.texts)


class _Deal:
    def __init__(self, game: Game, seed: int) -> None:
        self.game = game
        self.seed = seed
        self.random = Random.of(seed, "checks")
        self.texts: list[str] = []
        self.counts = outlook_of(game.table).counts
        self.cut_offs = self.counts.cut_offs

    def must(self, holds: bool, what: str) -> None:
        if not holds:
            raise ViolationError(what, self.seed, self.texts)

    def played(self, most_actions: int | None, close_looks: int) -> Played:
        position, chooser = start(self.game, self.seed), Chooser(self.game, self.seed)
        state = position.state
        self._conserved(state)
        while not state.over and len(self.texts) != most_actions:
            plays = self._plays(state)
            if self.random.below(close_looks) == 0:
                self._look_closely(state, plays)
            play = chooser.choose(plays)
            self.texts.append(action_text(state, play))
            machine.apply(state, play)
            self._conserved(state)
            self.must(len(self.texts) < MOST_ACTIONS, "the deal does not end")
        if state.over:
            self._ended(position)
        return Played(self.seed, tuple(self.texts), state.over, fingerprint(state))

    def _plays(self, state: State) -> list[Play]:
        plays = legality.legal_plays(state)
        self.must(bool(plays), "a dead end")
        self.must(self.counts.cut_offs == self.cut_offs, "look-ahead was cut off")
        return plays

    def _conserved(self, state: State) -> None:
        cards = [card & FACE for zone in state.zones for card in zone]
        cards += [card & FACE for side in state.melds for meld in side for card in meld.cards]
        self.must(tuple(sorted(cards)) == state.table.pack, "cards are lost or made")

    def _ended(self, position: Position) -> None:
        self.must(position.legal_actions() == [], "actions after the end of the deal")
        self.must(set(position.scores) == set(self.game.sides), "a side without a score")
        if position.game_over:
            self.must(bool(position.winners), "a game over that nobody won")
            return
        following = position.copy()
        following.next_deal()
        self._conserved(following.state)
        if not following.is_over:
            self._plays(following.state)

    # ---- one position, closely

    def _look_closely(self, state: State, plays: list[Play]) -> None:
        before = fingerprint(state)
        texts = [action_text(state, play) for play in plays]
        self._read_back(texts)
        after = [self._made(state, play, text) for play, text in zip(plays, texts, strict=True)]
        for _ in range(min(BRANCHES, len(plays))):
            number = self.random.below(len(plays))
            self._found_again(state, texts[number], fingerprint(after[number]))
            if not after[number].over:
                self._plays(after[number])
        self._refuses_rightly(state, texts)
        self._leaks_nothing(state, texts)
        self.must(fingerprint(state) == before, "a copy that changes the state it was made from")

    def _read_back(self, texts: list[str]) -> None:
        self.must(len(set(texts)) == len(texts), "two actions of one text")
        for text in texts:
            self.must(self.game.parse(text).text == text, f"`{text}` is read as another action")

    def _made(self, state: State, play: Play, text: str) -> State:
        after = state.copy()
        try:
            machine.apply(after, play)
        except Refused:
            self.must(False, f"`{text}` is listed and cannot be made")
        self._conserved(after)
        return after

    def _found_again(self, state: State, text: str, end: tuple[Any, ...]) -> None:
        """What the text means here is the action that was listed."""
        plan, reasons = legality.plan(state, text)
        self.must(plan is not None, f"`{text}` is listed and refused: {reasons}")
        after = state.copy()
        for play in plan or ():
            machine.apply(after, play)
        self.must(fingerprint(after) == end, f"`{text}` does something else than listed")

    def _refuses_rightly(self, state: State, texts: list[str]) -> None:
        """What is not listed for what would follow could not be completed: plain search finds no
        way, as far as it looks.
        """
        outlook = outlook_of(state.table)
        last_resort = outlook.needs_last_resort(state)
        search = Search(outlook.candidates)
        for form in outlook.candidates.forms:
            if form.another or not machine.in_phase(state, form.index):
                continue
            for play in outlook.candidates.of(state, form):
                text = action_text(state, play)
                if text in texts:
                    continue
                after = search.after(state, play, last_resort)
                found = after is not None and _can_be_completed(search, after, last_resort)
                self.must(not found, f"`{text}` is refused and could be completed")

    def _leaks_nothing(self, state: State, texts: list[str]) -> None:
        number = self.random.next()
        for player, name in enumerate(self.game.players):
            other = Position(self.game, exchanged(state, player, number))
            same = other.view(name) == Position(self.game, state).view(name)
            self.must(same, f"the view of {name} tells hidden cards")
            if player == state.player:
                listed = [str(action) for action in other.legal_actions()]
                self.must(listed == texts, f"the actions of {name} tell hidden cards")


def _can_be_completed(search: Search, after: State, last_resort: bool) -> bool:
    try:
        return search.path(after, last_resort, limit=POSITIONS) is not None
    except CutOff:
        return False


def fingerprint(state: State) -> tuple[Any, ...]:
    """All that makes a state what it is, comparable."""
    return (
        tuple(map(tuple, state.zones)),
        tuple(tuple(value) if isinstance(value, list) else value for value in state.memory),
        tuple(tuple(map(_meld, side)) for side in state.melds),
        (state.phase, state.player, state.turn, state.back, state.serial, state.last_resort),
        (state.over, state.game_over, state.winners, state.scores, state.sheet, state.redeals),
        None if state.rng is None else state.rng.state,
    )


def _meld(meld: Meld) -> tuple[Any, ...]:
    return (meld.kind, meld.owner, meld.cards, meld.rank, meld.suit, meld.low, meld.wilds)
