"""Names and words that mean the same in every Program."""

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

CARD_ATTRS = {
    "rank": "rank",
    "suit": "suit",
    "value": "number",
    "number": "number",
    "red": "yes_no",
    "black": "yes_no",
    "laid_by": "player",
}
"""What can be asked of a card, and the types of the answers."""

MELD_ATTRS = {
    "kind": "kind",
    "size": "number",
    "naturals": "number",
    "wilds": "number",
    "cards": "cards",
    "rank": "rank",
    "suit": "suit",
    "owner": "side",
    "stands_for": "cards",
    "lowest": "card",
    "highest": "card",
}
"""What can be asked of a meld, and the types of the answers."""

COMPARISONS = ("=", "!=", "<", "<=", ">", ">=")
ARITHMETIC = ("+", "-", "*", "min", "max")
