"""Bulk play: many games or single deals among bots, written down deal by deal and counted.

Each game has its own seed, derived from the first seed and its number, and all counts are whole
numbers, so the result does not depend on how many processes share the work.
"""

from __future__ import annotations

from meldc_runtime.simulation.figures import Difference, Figures, Results
from meldc_runtime.simulation.measuring import Key
from meldc_runtime.simulation.rows import Row
from meldc_runtime.simulation.spans import Match, Played, Span, Workforce
from meldc_runtime.simulation.task import Task, seated, seed_of
from meldc_runtime.simulation.working import Outcome, run, simulate, workforce

__all__ = [
    "Difference", "Figures", "Key", "Match", "Outcome", "Played", "Results", "Row", "Span", "Task",
    "Workforce", "run", "seated", "seed_of", "simulate", "workforce",
]  # fmt: skip
