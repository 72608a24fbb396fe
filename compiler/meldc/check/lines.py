"""Rows of tables by number and by band, and the numbers that such a table is asked for."""

from __future__ import annotations

from meldc.resolve import model
from meldc.source import Span
from meldc_runtime.light import dataclass


@dataclass(frozen=True, slots=True)
class Line:
    """A row with its number (None: below all others), its value where that is fixed, its place."""

    number: int | None
    value: int | None
    span: Span | None
    steps: model.Steps
    key: str


@dataclass(frozen=True, slots=True)
class Keys:
    """The numbers that a table is asked for: between these, in steps.

    of_totals: whether they are totals of sides.
    """

    low: int | None
    high: int | None
    step: int
    of_totals: bool

    def first_from(self, bound: int) -> int:
        """The lowest number from a bound on that can be asked for."""
        lowest = bound if self.low is None else max(bound, self.low)
        return -(-lowest // self.step) * self.step

    def reaches(self, low: int, below: int | None) -> bool:
        """Whether a number from `low` on, and below the other bound, can be asked for."""
        first = self.first_from(low)
        return (below is None or first < below) and (self.high is None or first <= self.high)

    @property
    def what(self) -> str:
        return "totals" if self.of_totals else "numbers"
