"""Up to four house rules at once, any of them, in any order: one game, or the same refusals."""

from __future__ import annotations

import random

import pytest
from house.table import OTHER_MACHINES, REFUSED, VARIANTS

from meldc.compilation import Compilation, compile_spec

GAMES = [name for name in VARIANTS if name not in OTHER_MACHINES]


def drawn(seed: int) -> tuple[str, list[str]]:
    """A variant and the house rules laid over it, by chance."""
    rng = random.Random(seed)
    return rng.choice(GAMES), rng.sample(list(REFUSED), rng.choice((2, 3, 3, 4, 4)))


def told(compilation: Compilation) -> list[tuple[str, str, str]]:
    return [(each.code, each.message, str(each.primary.span)) for each in compilation.diagnostics]


def orders(seed: int, houses: list[str]) -> list[list[str]]:
    rng = random.Random(seed + 1)
    return [houses[::-1], rng.sample(houses, len(houses))]


@pytest.mark.parametrize("seed", range(24))
def test_order__makes_no_difference(seed: int) -> None:
    variant, houses = drawn(seed)
    first = compile_spec(variant, houses)
    for order in orders(seed, houses):
        other = compile_spec(variant, order)
        assert other.program == first.program
        # The places of words after `--house` differ with the order; all else is the same.
        assert [each[:2] for each in told(other)] == [each[:2] for each in told(first)]


@pytest.mark.parametrize("seed", range(24))
def test_refusal__has_a_code_a_place_and_a_cure(seed: int) -> None:
    compilation = compile_spec(*drawn(seed))
    for each in compilation.diagnostics:
        assert each.primary.span is not None
        assert each.help, each.message
    errors = [each for each in compilation.diagnostics if each.is_error]
    assert bool(errors) == (compilation.program is None)
    for each in errors:
        places = [label.span for label in (each.primary, *each.secondary) if label.span]
        assert len(places) > 1, each.message
