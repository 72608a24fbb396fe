"""Questions that rules ask while another question is being answered: bounded, whatever they ask.

Whether an action may be made can hang on whether another one can, and so on. A question that comes
up again while it is being answered, of the same position, is answered no: what is possible only by
way of itself is not possible. Questions within questions beyond a depth or a number count as cut
off.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from meldc_runtime.light import dataclass
from meldc_runtime.lookahead.search import key_of
from meldc_runtime.state import State

if TYPE_CHECKING:
    from meldc_runtime.candidates import Candidates

DEPTH = 4
"""Questions within each other."""

WITHIN = 100
"""Questions asked within one."""


@dataclass(slots=True)
class Counts:
    """What the look-ahead was asked and how it answered. cut_offs: questions given up, counted as
    no.
    """

    questions: int = 0
    sure: int = 0
    planned: int = 0
    searched: int = 0
    cut_offs: int = 0


class Circles:
    """The questions that are being answered."""

    def __init__(self, candidates: Candidates, counts: Counts) -> None:
        self.candidates = candidates
        self.counts = counts
        self.open: set[Any] = set()
        self.depth = 0
        self.within = 0

    def asked(self, question: Any, state: State, answer: Callable[[], bool]) -> bool:
        """The answer to a question about a state; no where it is being answered already, or this
        goes too far.
        """
        if not self.depth:
            self.within = 0
            return self._answered(None, answer)
        self.within += 1
        if self.depth >= DEPTH or self.within > WITHIN:
            self.counts.cut_offs += 1
            return False
        key = (question, state.without, key_of(state, self.candidates))
        return key not in self.open and self._answered(key, answer)

    def _answered(self, key: Any, answer: Callable[[], bool]) -> bool:
        """The answer, with the question noted as being answered."""
        self.depth += 1
        self.open.add(key)
        try:
            return answer()
        finally:
            self.depth -= 1
            self.open.discard(key)
