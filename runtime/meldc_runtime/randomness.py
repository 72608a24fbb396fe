"""The source of chance: SplitMix64, written out so that a seed gives the same deal on every machine
and in every version.

Algorithm: Steele, Lea, Flood, "Fast splittable pseudorandom number generators", OOPSLA 2014.
`below` rejects the uneven rest, so it is exactly uniform; `shuffle` is Fisher-Yates from the last
card down.
"""

from __future__ import annotations

MASK = (1 << 64) - 1
LIMITS = (0, *((1 << 64) - (1 << 64) % bound for bound in range(1, 257)))
"""By bound, the numbers below which each rest is equally likely."""


class Random:
    """A stream of 64-bit numbers; its whole state is one integer."""

    __slots__ = ("state",)

    def __init__(self, state: int) -> None:
        self.state = state & MASK

    @classmethod
    def of(cls, *parts: int | str) -> Random:
        """The stream for a purpose: the same parts (seed, deal, purpose) give the same stream."""
        stream = cls(0x9E3779B97F4A7C15)
        for part in parts:
            for number in part.encode() if isinstance(part, str) else (part,):
                stream.state = (stream.state ^ (number & MASK)) & MASK
                stream.state = stream.next()
        return stream

    def copy(self) -> Random:
        return Random(self.state)

    def next(self) -> int:
        """The next number, 0 … 2**64 - 1."""
        self.state = (self.state + 0x9E3779B97F4A7C15) & MASK
        z = self.state
        z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & MASK
        z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & MASK
        return z ^ (z >> 31)

    def below(self, bound: int) -> int:
        """A number 0 … bound - 1, uniform."""
        limit = (1 << 64) - (1 << 64) % bound
        while True:
            number = self.next()
            if number < limit:
                return number % bound

    def shuffle(self, cards: list[int]) -> None:
        """Every order as likely as the others: as if each card were chosen by `below`."""
        state = self.state
        for i in range(len(cards) - 1, 0, -1):
            bound = i + 1
            limit = LIMITS[bound] if bound < len(LIMITS) else (1 << 64) - (1 << 64) % bound
            while True:  # `below`, without a call for each card
                state = (state + 0x9E3779B97F4A7C15) & MASK
                z = ((state ^ (state >> 30)) * 0xBF58476D1CE4E5B9) & MASK
                z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & MASK
                z ^= z >> 31
                if z < limit:
                    break
            j = z % bound
            cards[i], cards[j] = cards[j], cards[i]
        self.state = state
