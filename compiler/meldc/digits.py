"""Numbers in groups of digits, as `5,000`, which are written without signs."""

from __future__ import annotations

import re

from meldc.diagnostics import Diagnostic, Edit, Fix, error
from meldc.source import Span

IN_GROUPS = re.compile(r"(?<![\w.,])[0-9]{1,3}(?:,[0-9]{3})+(?!\w)")
"""Such a number where commas can mean nothing else."""


def grouped_number(written: str, span: Span) -> Diagnostic:
    """Refuses a number in groups, and puts it together."""
    number = re.sub(r"[^0-9]", "", written)
    return error(
        "MC0321",
        f"`{written}` is written `{number}`",
        span,
        "a number has no signs between its digits",
        fix=Fix(f"write `{number}`", (Edit(span, number),)),
    )
