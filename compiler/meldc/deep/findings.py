"""What a search may spend, what it finds, and how much it has tried."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from enum import StrEnum


@dataclass(frozen=True, slots=True)
class Budget:
    """How much is tried. deals: at most so many; seconds, by the clock, which may as well count
    decisions: after them no further one is made, and a deal that is not finished does not count.

    decisions: a deal with more of them counts as one without end. every_table: at the smallest and
    the largest table too, and not at the usual one alone.
    """

    deals: int = 200
    seconds: float = 20.0
    seed: int = 1
    decisions: int = 3000
    every_table: bool = True
    clock: Callable[[], float] = time.monotonic


class Sort(StrEnum):
    """What was found."""

    DEAD_END = "dead end"
    NO_END = "no end"
    CUT_OFF = "cut off"
    FAULT = "fault"
    NOBODY = "nobody decides"


@dataclass(frozen=True, slots=True)
class Move:
    """One action of a deal, as a record has it; declared: the name of its declaration."""

    deal: int
    player: str
    action: str
    declared: str = ""


@dataclass(frozen=True, slots=True)
class Finding:
    """Something found, and the deal that shows it.

    bots: by player. moves: all actions of the game up to there, from its first deal. detail:
    what the message adds. refusing: the rules that refused where there was nothing to do; phase:
    that of the position.
    """

    sort: Sort
    seed: int
    players: int
    side_size: int
    bots: tuple[str, ...]
    moves: tuple[Move, ...]
    detail: str = ""
    refusing: tuple[str, ...] = ()
    phase: str = ""


@dataclass
class Tried:
    """How much was tried and what was seen.

    deals, by number of players; bots: decisions by kind of bot. judged, broken: how often a rule
    was looked at, and how often it refused. happened: moments. counted: lines of the score.
    actions: how often each was played. best: the highest score of a side in a deal.
    later: deals that began with the totals of deals before; lowest, highest: these totals.
    never: rules, moments and so on that the settings switch off.
    """

    deals: Counter[int] = field(default_factory=Counter)
    bots: Counter[str] = field(default_factory=Counter)
    decisions: int = 0
    longest: int = 0
    judged: Counter[str] = field(default_factory=Counter)
    broken: Counter[str] = field(default_factory=Counter)
    happened: Counter[str] = field(default_factory=Counter)
    counted: Counter[str] = field(default_factory=Counter)
    actions: Counter[str] = field(default_factory=Counter)
    off: set[str] = field(default_factory=set)
    best: int | None = None
    later: int = 0
    lowest: int = 0
    highest: int = 0
    seconds: float = 0.0
    findings: list[Finding] = field(default_factory=list)
    complete: bool = True

    @property
    def total(self) -> int:
        return self.deals.total()
