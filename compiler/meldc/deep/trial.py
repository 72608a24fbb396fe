"""A few deals that every check plays of a game with rules of its own."""

from __future__ import annotations

import time
from itertools import count

from meldc.deep.findings import Budget, Sort
from meldc.deep.search import search
from meldc.deep.told import diagnose
from meldc.diagnostics import Diagnostic
from meldc.source import Span
from meldc_runtime.program import Program

DECISIONS = 200
"""Enough for what stands in the way of every deal; `--deep` looks for the rest. Decisions, not
seconds: what a check finds should hang neither on the machine nor on what else it does.
"""
PATIENCE = 5.0
"""Seconds of the processor that no game is worth here, should its decisions be that slow."""


def budget() -> Budget:
    """What a trial may cost, its clock set to nothing."""
    decisions, slow = count(), time.process_time() + PATIENCE

    def clock() -> float:
        return next(decisions) if time.process_time() < slow else float("inf")

    return Budget(deals=8, seconds=DECISIONS, every_table=False, clock=clock)


def trial(program: Program, place: Span | None) -> list[Diagnostic]:
    """Dead ends and deals without end that a few deals show; place: where the game names itself."""
    tried = search(program, budget())
    tried.findings = [each for each in tried.findings if each.sort is not Sort.CUT_OFF]
    return diagnose(program, tried, place, {})
