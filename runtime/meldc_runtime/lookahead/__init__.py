"""Look-ahead: whether a turn can still be completed after a play, and what can be reached in it."""

from __future__ import annotations

from meldc_runtime.lookahead.circles import Counts
from meldc_runtime.lookahead.outlook import Outlook
from meldc_runtime.table import Table

__all__ = ["Counts", "Outlook", "foresight", "outlook_of"]


def foresight(table: Table) -> Outlook:
    """A new look-ahead for a Table."""
    return Outlook(table)


def outlook_of(table: Table) -> Outlook:
    """The look-ahead of a Table, made on first need and kept as its `foresight`."""
    known = table.foresight
    return known if isinstance(known, Outlook) else foresight(table)
