"""Whether a saved Program is sound in its types: it may come from anybody.

*Assumes* a Program of the right form (`meldc_runtime.program.codec`). *Establishes*: every
expression has a type and stands where one of that type is wanted, what is referred to exists,
words are among those known, numbers and sizes are bounded, nothing kept grows without measure.
*Rejects* with ProgramError, which says where and what. A Program that the compiler has just made
is so by its own checks.
"""

from __future__ import annotations

from meldc_runtime.program.codec import ProgramError
from meldc_runtime.program.declarations import Program
from meldc_runtime.vetting.declarations import Vetting
from meldc_runtime.vetting.growth import check_growth
from meldc_runtime.vetting.places import path_to
from meldc_runtime.vetting.types import UnsoundError


def vet(program: Program) -> None:
    """Checks a Program that was read from a file. Raises ProgramError."""
    try:
        Vetting(program).check()
        check_growth(program)
    except UnsoundError as found:
        raise ProgramError(f"{path_to(program, found.node)}: {found}") from None
