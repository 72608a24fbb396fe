"""Did you mean …? Names near a name that is not there."""

from __future__ import annotations

from collections.abc import Iterable

LONGEST_NAME = 60
MOST_SUGGESTIONS = 3


def suggest(name: str, candidates: Iterable[str]) -> list[str]:
    """The candidates a writer of `name` may have meant, the likeliest first, at most three."""
    wanted = _plain(name)
    if not wanted or len(wanted) > LONGEST_NAME:
        return []
    allowed = max(1, len(wanted) // 3)
    ranked = []
    for candidate in dict.fromkeys(candidates):
        plain = _plain(candidate)
        if candidate == name or not plain or len(plain) > LONGEST_NAME:
            continue
        distance = _distance(wanted, plain, allowed)
        if distance <= allowed and distance < len(wanted):
            ranked.append((distance, candidate))
        elif len(wanted) >= 3 and (plain.startswith(wanted) or wanted in plain.split("_")):
            ranked.append((allowed + 1, candidate))
    same = [each for each in ranked if each[0] == 0]
    return [candidate for _, candidate in sorted(same or ranked)[:MOST_SUGGESTIONS]]


def did_you_mean(name: str, candidates: Iterable[str]) -> tuple[str, ...]:
    """The same as a line of help: empty when nothing is near."""
    names = [f"`{candidate}`" for candidate in suggest(name, candidates)]
    if not names:
        return ()
    *others, last = names
    return (f"did you mean {', '.join(others)} or {last}?" if others else f"did you mean {last}?",)


def _plain(name: str) -> str:
    return name.casefold().replace("-", "_").replace(" ", "_")


def _distance(left: str, right: str, limit: int) -> int:
    """Insertions, deletions, replacements and swaps of neighbours; above `limit` inexact."""
    if abs(len(left) - len(right)) > limit:
        return limit + 1
    before: list[int] = []
    row = list(range(len(right) + 1))
    for i, here in enumerate(left, 1):
        above, row = row, [i]
        for j, there in enumerate(right, 1):
            cost = min(above[j] + 1, row[j - 1] + 1, above[j - 1] + (here != there))
            if i > 1 and j > 1 and here == right[j - 2] and left[i - 2] == there:
                cost = min(cost, before[j - 2] + 1)
            row.append(cost)
        if min(row) > limit:
            return limit + 1
        before = above
    return row[-1]
