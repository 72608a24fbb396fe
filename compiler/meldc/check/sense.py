"""Checks of sense: what is well formed, and can still not be meant."""

from __future__ import annotations

from meldc.check.bands import check_bands
from meldc.check.branches import check_branches
from meldc.check.classes import check_classes
from meldc.check.completing import check_completing
from meldc.check.deciding import check_deciding
from meldc.check.elaborator import Elaborator
from meldc.check.filling import check_filling
from meldc.check.growing import check_growing
from meldc.check.inspection import Inspection
from meldc.check.intent import check_intent
from meldc.check.kinds import check_kinds
from meldc.check.looping import check_looping
from meldc.check.openings import check_openings, check_target
from meldc.check.paying import check_paying
from meldc.check.reachability import check_reachability
from meldc.check.sorting import check_sorting
from meldc.check.stranding import check_stranding
from meldc.check.timing import check_timing
from meldc.check.together import check_together
from meldc.check.uncovered import check_uncovered
from meldc.check.unused import check_unused
from meldc.check.waiting import check_waiting
from meldc_runtime.program.declarations import Program


def check_sense(el: Elaborator, program: Program) -> None:
    """Reports what can never happen, never count, or never end.

    Assumes a Program that the other checks had nothing against. Rejects what is impossible; warns
    of what is suspicious, in the words of the game itself and not of what it builds on.
    """
    inspection = Inspection(el, program)
    if not inspection.judges:
        return
    # In this order: what is impossible by the cards explains much of what follows from it.
    check_classes(inspection)
    check_sorting(inspection)
    check_kinds(inspection)
    check_target(inspection)
    check_openings(inspection)
    check_bands(inspection)
    check_uncovered(inspection)
    check_paying(inspection)
    check_filling(inspection)
    check_deciding(inspection)
    check_together(inspection)
    check_waiting(inspection)
    check_completing(inspection)
    check_growing(inspection)
    check_timing(inspection)
    check_branches(inspection)
    check_reachability(inspection)
    check_looping(inspection)
    check_stranding(inspection)
    check_unused(inspection)
    check_intent(inspection)
    inspection.hand_over()
