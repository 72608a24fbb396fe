"""From a variant and its house rules to one effective model, every value with its history."""

from meldc.resolve.model import (
    Bounds,
    Cell,
    Declarations,
    Entry,
    MeldRow,
    Need,
    Pack,
    Resolved,
    Row,
    Shape,
    SortedMelds,
    Step,
    Steps,
    Table,
)
from meldc.resolve.resolving import resolve

__all__ = [
    "Bounds",
    "Cell",
    "Declarations",
    "Entry",
    "MeldRow",
    "Need",
    "Pack",
    "Resolved",
    "Row",
    "Shape",
    "SortedMelds",
    "Step",
    "Steps",
    "Table",
    "resolve",
]
