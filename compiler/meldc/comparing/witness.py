"""A deal that shows how two games differ: the same seed and actions, up to where they part."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from meldc_runtime.game import Game, Position
from meldc_runtime.program import Program
from meldc_runtime.randomness import Random
from meldc_runtime.table import SeatingError

MOST_DEALS = 12
MOST_DECISIONS = 400
MOST_NAMED = 6


@dataclass(frozen=True, slots=True)
class Witness:
    """Where two games part. decision: counted from 1; 0 is the end of the deal.

    before: the last actions, the same in both. first, second: what only the one and only the other
    allows there, or the scores of the deal.
    """

    seed: int
    decision: int
    player: str
    before: tuple[str, ...]
    first: tuple[str, ...]
    second: tuple[str, ...]

    def in_words(self) -> Iterator[str]:
        """Lines for people."""
        after = f" after {'; '.join(self.before)}" if self.before else ""
        if self.decision:
            yield f"seed {self.seed}, decision {self.decision}: {self.player} is asked{after}"
        else:
            yield f"seed {self.seed}, at the end of the deal{after}"
        for letter, what in (("A", self.first), ("B", self.second)):
            shown = list(what[:MOST_NAMED])
            more = f", and {len(what) - len(shown)} more" if len(what) > len(shown) else ""
            said = f"{', '.join(shown)}{more}" if shown else "nothing besides"
            yield f"  {letter}: {said}"


def witness(one: Program, other: Program) -> Witness | None:
    """The first of a few deals in which the games part; None where none does, or where they are
    not for the same table.
    """
    try:
        games = Game(one), Game(other, Game(one).table.players)
    except SeatingError:
        return None
    found = (_parting(*games, seed) for seed in range(1, MOST_DEALS + 1))
    return next((each for each in found if each is not None), None)


def _parting(one: Game, other: Game, seed: int) -> Witness | None:
    left, right = one.deal(seed), other.deal(seed)
    random = Random.of(seed, "witness")
    played: list[str] = []
    for decision in range(1, MOST_DECISIONS + 1):
        if left.is_over or right.is_over:
            break
        a, b = _asked(left), _asked(right)
        if a != b:
            only = _only(a, b), _only(b, a)
            return Witness(seed, decision, left.to_act, tuple(played[-3:]), *only)
        if len(a) == 1:  # nothing can be done, in either game
            return None
        action = a[1 + random.below(len(a) - 1)]
        played.append(f"{left.to_act} {action}")
        left.apply(action)
        right.apply(action)
    ends = _end(left), _end(right)
    return None if ends[0] == ends[1] else Witness(seed, 0, "", tuple(played[-3:]), *ends)


def _asked(position: Position) -> tuple[str, ...]:
    """Who is asked, and what can be done."""
    who = f"{position.to_act} ({position.phase})"
    return (who, *map(str, position.legal_actions()))


def _only(these: tuple[str, ...], those: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(each for each in these if each not in those)


def _end(position: Position) -> tuple[str, ...]:
    if not position.is_over:
        return ("the deal goes on",)
    return tuple(f"{side} {score}" for side, score in position.scores.items())
