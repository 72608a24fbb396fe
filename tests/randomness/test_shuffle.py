"""A shuffle draws its numbers as `below` does, one for each card."""

from __future__ import annotations

import pytest

from meldc_runtime.randomness import Random


@pytest.mark.parametrize("size", [0, 1, 2, 52, 108, 300])
def test_shuffle__is_that_of_single_draws(size: int) -> None:
    quick, plain = Random(size + 9), Random(size + 9)
    cards, others = list(range(size)), list(range(size))
    quick.shuffle(cards)
    for i in range(size - 1, 0, -1):
        j = plain.below(i + 1)
        others[i], others[j] = others[j], others[i]
    assert cards == others
    assert quick.state == plain.state
