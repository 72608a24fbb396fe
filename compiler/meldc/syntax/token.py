"""A stretch of a text, as the first look at it takes it apart."""

from __future__ import annotations

from collections.abc import Callable

from meldc.source import Span
from meldc_runtime.light import dataclass

PlaceOf = Callable[[int, int], Span]
"""From a stretch of the text, as two offsets, to its place in the file."""


@dataclass(frozen=True, slots=True)
class Token:
    """A stretch of the text; `kind` is a group of `scan.TOKEN`."""

    kind: str
    text: str
    start: int

    @property
    def end(self) -> int:
        return self.start + len(self.text)
