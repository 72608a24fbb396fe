"""Lists of numbers that are added up many times, each list as one large number: adding two lists,
or taking one so many times, is then one step.

A number has 64 bits of its own, a *lane*. Only lists without negative numbers are packed; what
exceeds `MOST` is taken for it, so that no sum of the cards and melds of a deal leaves its lane.
"""

from __future__ import annotations

from collections.abc import Iterable
from struct import Struct, pack

MOST = 1 << 44


def packed(numbers: Iterable[int | None]) -> int:
    """A list as one number; what is negative, or nothing, counts as 0."""
    lanes = [0 if n is None or n < 0 else n if n < MOST else MOST for n in numbers]
    return int.from_bytes(pack(f"<{len(lanes)}q", *lanes), "little")


class Lanes:
    """Reads lists of a certain length."""

    def __init__(self, length: int) -> None:
        self.bytes = 8 * length
        self.layout = Struct(f"<{length}q")

    def unpacked(self, number: int) -> tuple[int, ...]:
        """The list that a number, or a sum of such, holds."""
        return self.layout.unpack(number.to_bytes(self.bytes, "little"))
