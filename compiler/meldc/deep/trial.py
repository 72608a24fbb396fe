"""A few deals that every check plays of a game with rules of its own."""

from __future__ import annotations

import time

from meldc.deep.findings import Budget, Sort
from meldc.deep.search import search
from meldc.deep.told import diagnose
from meldc.diagnostics import Diagnostic
from meldc.source import Span
from meldc_runtime.program import Program

BUDGET = Budget(deals=8, seconds=0.4, every_table=False, clock=time.process_time)
"""Enough for what stands in the way of every deal; `--deep` looks for the rest. Time of the
processor: what is found should not hang on what else the machine does.
"""


def trial(program: Program, place: Span | None) -> list[Diagnostic]:
    """Dead ends and deals without end that a few deals show; place: where the game names itself."""
    tried = search(program, BUDGET)
    tried.findings = [each for each in tried.findings if each.sort is not Sort.CUT_OFF]
    return diagnose(program, tried, place, {})
