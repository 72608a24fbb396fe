"""Checking is safe whoever wrote a file: what refers to what must stay small when written out."""

from __future__ import annotations

from meldc.check.elaborator import Elaborator
from meldc.check.packs import span_of
from meldc_runtime.program import Program
from meldc_runtime.program.extents import MOST_PARTS, MOST_STEPS, first_too_large


def check_extent(el: Elaborator, program: Program) -> bool:
    """Whether every expression can be judged in no time; reports the first that cannot."""
    declared = first_too_large(program)
    if declared is None:
        return True
    el.error(
        "MC0715",
        f"`{declared.name}` grows too large",
        span_of(declared.origin),
        f"with all that it refers to: more than {MOST_PARTS} parts, or {MOST_STEPS} steps deep",
        help=("look for a name that is read twice in what another reads twice, and so on",),
    )
    return False
