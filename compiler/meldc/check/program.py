"""Checks of a Program as a whole, after every expression has its type."""

from __future__ import annotations

from meldc.check.circles import check_circles
from meldc.check.elaborator import Elaborator
from meldc.check.extent import check_extent
from meldc.check.machinery import check_machinery
from meldc.check.packs import check_packs
from meldc.check.secrecy import check_secrecy
from meldc.check.sense import check_sense
from meldc.check.settled import check_settled
from meldc_runtime.program import Program


def check_program(el: Elaborator, program: Program) -> None:
    """Reports what no single expression shows.

    Assumes a Program lowered without an error. Rejects machines that would stand still, deals
    larger than the pack, look ahead in a circle, expressions that grow without measure; warns of
    what can never happen.
    """
    if not check_extent(el, program) or not check_settled(el, program):
        return
    check_machinery(el, program)
    check_packs(el, program)
    check_circles(el, program)
    check_secrecy(el, program)
    if not el.found.has_errors:
        check_sense(el, program)
