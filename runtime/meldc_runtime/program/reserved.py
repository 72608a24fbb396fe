"""Names that mean the same in every Program."""

from __future__ import annotations

VALUES = "values"
"""The table of what cards count."""

WILD = "wild"
"""The class of wild cards."""

TOTAL, DEALER, DEAL_NUMBER = "total", "dealer", "deal_number"
"""Memories that every game has, declared or not: the score of a side, who deals, and how often it
has been dealt.
"""

UNFINISHED = "unfinished"
"""The definition `of meld` that says which meld takes further cards of a kind with one unfinished
meld at a time.
"""
