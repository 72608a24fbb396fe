"""The ranks of a pack: one row of them, from the lowest to the highest."""

from __future__ import annotations

from itertools import pairwise

from meldc.check.elaborator import Elaborator
from meldc.check.types import RANK_NUMBERS
from meldc.diagnostics import Label, warning
from meldc.syntax import tree
from meldc_runtime.cards import RANK_WORDS

_HELP = "write the lowest and the highest rank, as `7..A`; they rise from 2 up to A"


def check_ranks(el: Elaborator) -> None:
    """Reports ranks of the pack that are no row from a lowest to a highest one."""
    cell = el.model.pack.ranks
    if cell is None:
        return
    message = _not_ranks(cell.value) or _broken_row(cell.value)
    if message is not None:
        text, help_ = message
        el.error("MC0650", text, cell.span, help=(help_,))
        return
    named: dict[int, tree.CardAlternative] = {}
    for part in cell.value.alternatives:
        twice = [rank for rank in _ranks(part) if rank in named]
        if twice:
            el.found.add(
                warning(
                    "MC0614",
                    f"the rank {RANK_WORDS[twice[0]]} is listed twice",
                    part.span,
                    "again here; the pack has it once",
                    secondary=(Label(named[twice[0]].span, "first here"),),
                    help=("leave out one of them",),
                )
            )
        named.update(dict.fromkeys(_ranks(part), part))


def _not_ranks(pattern: tree.CardPattern) -> tuple[str, str] | None:
    """What else than ranks, each from the lower to the higher, is said."""
    for part in pattern.alternatives:
        if part.negated or part.classes or part.card is not None or part.low is None:
            return "the ranks of a pack are ranks, and nothing else", _HELP
        low, high = part.low, part.high or part.low
        if "Jkr" in (low.text, high.text):
            return "the joker is no rank of the pack", "say `jokers:` how many each pack has"
        if RANK_NUMBERS[low.text] > RANK_NUMBERS[high.text]:
            return f"no rank lies between {low.text} and {high.text}", _HELP
    return None


def _broken_row(pattern: tree.CardPattern) -> tuple[str, str] | None:
    """Where ranks are missing between the lowest and the highest."""
    named = {rank for part in pattern.alternatives for rank in _ranks(part)}
    for lower, higher in pairwise(sorted(named)):
        if higher != lower + 1:
            between = [RANK_WORDS[rank] for rank in range(lower + 1, higher)]
            return (
                f"a pack has all ranks from its lowest to its highest: {between[0]} is missing",
                f"let it begin or end there; a pack without {' '.join(between)} between other "
                "ranks cannot be said",
            )
    return None


def _ranks(part: tree.CardAlternative) -> range:
    assert part.low is not None
    high = part.high or part.low
    return range(RANK_NUMBERS[part.low.text], RANK_NUMBERS[high.text] + 1)
