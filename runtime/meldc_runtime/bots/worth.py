"""What a position is worth to a side, by the score lines of the program and by what a hand may
still become. Nothing here knows a game: cards are worth what the score says.
"""

from __future__ import annotations

from collections import Counter
from functools import lru_cache
from typing import Any

from meldc_runtime import machine
from meldc_runtime.cards import FACE, FACES, RANK_OF, SUIT_OF, UNKNOWN
from meldc_runtime.oracle import evaluate
from meldc_runtime.program.applied import walk_through
from meldc_runtime.program.declarations import MeldKind
from meldc_runtime.program.expressions import Unmelded, Var
from meldc_runtime.program.nodes import walk
from meldc_runtime.splitting import unmelded
from meldc_runtime.standing import missing
from meldc_runtime.state import Meld, State
from meldc_runtime.table import Table

MELDED = 0.8
CHANCES = (0.0, 0.12, 0.45, MELDED)
"""How likely a card is laid in the end when so many in the hand (itself included) go together."""
FINISHED = (1.0, 0.55, 0.35, 0.22, 0.14, 0.08)
"""How likely a meld comes to the next row of a sorting table when so many cards are missing."""
WILD = 0.8
NEAR = 0b11111
"""Two ranks below a card to two above, as bits."""
FITS = 0.9
"""The same for a card that fits a meld on the table."""
NEARLY = 0.5
"""How much of a card that may come to a meld counts as melded, where hands are split into melds."""
IN_HAND = 0.1
"""How much of its cost a card in a hand costs though it is melded there: others can go out."""


@lru_cache(maxsize=64)
def worth_of(table: Table) -> Worth:
    """The worth of the positions of a Table."""
    return Worth(table)


class Worth:
    """Values of positions of one Table, in points."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self._lines = [
            (table.code.scores[line.name], line.owner == "player", line.only)
            for line in table.program.scores
        ]
        self.hands = [
            zone.name
            for zone in table.program.zones
            if zone.owner == "player" and zone.visibility == "owner"
        ]
        self._takes_wild = [kind.wilds[1] != 0 for kind in table.program.kinds]
        self._costs = self._find_costs()
        self._unmelded = self._find_unmelded()
        self._scores_unmelded = any(
            isinstance(node, Unmelded) for node in walk_through(table.program, table.program.scores)
        )
        self._has_prospects = bool(table.program.kinds) and any((*self._costs, *self._unmelded))
        self._gains: dict[tuple[Any, ...], float] = {}

    # -- scores

    def points(self, state: State, side: int) -> int:
        """The score of a side if the deal ended as it lies."""
        if state.over and state.scores:
            return state.scores[side]
        total, alone = 0, None
        for line, by_player, only in self._lines:
            owners = self.table.players_of(side) if by_player else (side,)
            given = [p for owner in owners if (p := line(state, owner)) is not None]
            if given and only:
                alone = sum(given)
            total += sum(given)
        return total if alone is None else alone

    def lead(self, state: State, side: int) -> float:
        """By how much a side is ahead of the others, hands counted for what they may become."""
        worth = [self._side(state, each) for each in range(self.table.sides)]
        others = sum(worth) - worth[side]
        return worth[side] - others / (len(worth) - 1)

    def own(self, state: State, player: int) -> float:
        """By how much a player's side is ahead as the deal lies, with what its melds and the own
        hand may become.
        """
        return self.ours(state, player) - self.others(state, self.table.side_of(player))

    def ours(self, state: State, player: int) -> float:
        """The points of a player's side as the deal lies, with what its melds and the own hand may
        become.
        """
        side = self.table.side_of(player)
        points = float(self.points(state, side))
        if state.over or not self.table.program.kinds:
            return points
        return points + self.progress(state, side) + self.prospects(state, player)

    def others(self, state: State, side: int) -> float:
        """The points of the other sides as the deal lies, on the average."""
        others = (each for each in range(self.table.sides) if each != side)
        return sum(self.points(state, each) for each in others) / (self.table.sides - 1)

    def _side(self, state: State, side: int) -> float:
        points = float(self.points(state, side))
        if state.over or not self.table.program.kinds:
            return points
        hands = sum(self.prospects(state, player) for player in self.table.players_of(side))
        return points + self.progress(state, side) + hands

    # -- melds

    def progress(self, state: State, side: int) -> float:
        """What the melds of a side are still good for: what they bring when they count as something
        better, as far as they are likely to.
        """
        return sum(self._gain(state, meld) for meld in state.melds[side])

    def _gain(self, state: State, meld: Meld) -> float:
        key = (meld.kind, meld.rank, meld.suit, meld.low, meld.wilds, len(meld.cards))
        if key not in self._gains:
            self._gains[key] = self._find_gain(state, meld)
        return self._gains[key]

    def _find_gain(self, state: State, meld: Meld) -> float:
        lacks = missing(state, meld)
        if lacks is None or lacks.cards >= len(FINISHED):
            return 0.0
        side = meld.owner
        alone = state.copy()
        alone.melds[side] = [meld]
        before = self.points(alone, side)
        alone.melds[side] = [lacks.meld]
        return (self.points(alone, side) - before) * FINISHED[lacks.cards]

    # -- hands

    def prospects(self, state: State, player: int) -> float:
        """What the cards of a hand are still good for: what they would cost if left, and once more
        what they bring when laid, each as far as it is likely to be laid.
        """
        table = self.table
        if not self._has_prospects:
            return 0.0
        held = [
            card & FACE
            for name in self.hands
            for card in state.zones[table.zone_slot(name, player)]
        ]
        cards = [card for card in held if card != UNKNOWN]
        chances = self._chances(state, player, cards)
        if self._unmelded:
            split = self._split(state, chances, whole=len(cards) == len(held))
            if split is not None:
                return split
        return sum(2 * self._costs[face] * chance for face, chance in chances)

    def _split(self, state: State, chances: list[tuple[int, float]], whole: bool) -> float | None:
        """What the score does not say yet of a hand that is worth the more, the less it has left
        when it is split into melds; None where that cannot be told. whole: whether all of the hand
        is known, so that score lines can split it, too.
        """
        left = unmelded(state, [(face, self._unmelded[face]) for face, _ in chances])
        if left is None:
            return None
        told = sum(self._costs[face] for face, _ in chances)
        if self._scores_unmelded:
            told = left if whole else 0
        held = sum(self._unmelded[face] for face, _ in chances)
        likely = sum(self._unmelded[face] * chance for face, chance in chances)
        nearly = likely - MELDED * (held - left)
        return told - left - IN_HAND * held + NEARLY * nearly

    def _chances(self, state: State, player: int, cards: list[int]) -> list[tuple[int, float]]:
        table = self.table
        wilds = table.wilds(state)
        melds = state.melds[table.side_of(player)]
        best: dict[int, float] = {}
        for index, kind in enumerate(table.program.kinds):
            natural = table.naturals(state, index)
            fitting = [face for face in cards if natural[face]]
            if not fitting:
                continue
            own = [meld for meld in melds if meld.kind == index and _grows(kind, meld)]
            for face, chance in _chances_in(kind.shape, fitting, own).items():
                if chance > best.get(face, 0.0):
                    best[face] = chance
        some = WILD if any(self._takes_wild) else 0.0
        return [(face, max(best.get(face, 0.0), some if wilds[face] else 0.0)) for face in cards]

    def _find_costs(self) -> tuple[float, ...]:
        """By face: what a card costs that is left in a hand."""
        table = self.table
        costs = [0.0] * (len(FACES) + 1)
        if not self.hands:
            return tuple(costs)
        state = machine.new_state(table)
        slot = table.zone_slot(self.hands[0], 0)
        before = self.points(state, 0)
        for face in set(table.pack):
            state.zones[slot] = [face]
            costs[face] = max(0.0, float(before - self.points(state, 0)))
        return tuple(costs)

    def _find_unmelded(self) -> tuple[int, ...]:
        """By face: what a card counts that stays unmelded, as the rules reckon it; empty where no
        rule splits hands into melds.
        """
        program = self.table.program
        asked = [node for node in walk(program) if isinstance(node, Unmelded)]
        state = machine.new_state(self.table)
        found = [
            tuple(
                evaluate(self.table, state, {node.var: face}, node.by) or 0
                for face in (*range(len(FACES)), UNKNOWN)
            )
            for node in asked
            if not any(isinstance(part, Var) and part.name != node.var for part in walk(node.by))
        ]
        return max(found, key=sum, default=())


def _grows(kind: MeldKind, meld: Any) -> bool:
    return kind.size[1] is None or len(meld.cards) < kind.size[1]


def _chances_in(shape: str, fitting: list[int], own: list[Meld]) -> dict[int, float]:
    """By face: how likely a card is laid in melds of one shape. own: such melds that still grow."""
    match shape:
        case "same_rank":
            counts = Counter(RANK_OF[face] for face in fitting)
            open_ranks = {meld.rank for meld in own}
            by_rank = {
                rank: FITS if rank in open_ranks else CHANCES[min(count, 3)]
                for rank, count in counts.items()
            }
            return {face: by_rank[RANK_OF[face]] for face in fitting}
        case "run":
            return _chances_in_runs(fitting, own)
        case "any":
            chance = FITS if own else CHANCES[min(len(fitting), 3)]
            return dict.fromkeys(fitting, chance)
    return {}


def _chances_in_runs(fitting: list[int], own: list[Meld]) -> dict[int, float]:
    """A card goes together with others of its suit that are no more than two ranks away."""
    ends = {
        (meld.suit, rank)
        for meld in own
        for rank in ((meld.low or 0) - 1, (meld.low or 0) + len(meld.cards))
    }
    held: dict[int | None, int] = {}
    for face in fitting:
        suit = SUIT_OF[face]
        held[suit] = held.get(suit, 0) | 1 << (RANK_OF[face] or 0) + 2
    chances: dict[int, float] = {}
    for face in fitting:
        suit, rank = SUIT_OF[face], RANK_OF[face]
        if rank is not None:
            near = (held[suit] >> rank & NEAR).bit_count()
            chances[face] = FITS if (suit, rank) in ends else CHANCES[min(near, 3)]
    return chances
