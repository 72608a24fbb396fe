"""Did you mean …? Names near a name that is not there."""

from __future__ import annotations

from collections.abc import Iterable

LONGEST_NAME = 60
MOST_SUGGESTIONS = 3
SHORTEST_STEM = 3
SHORTEST_PART = 3
SHORTEST_CERTAIN = 4


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
        elif is_form_of(wanted, plain):
            ranked.append((allowed, candidate))
        elif (
            len(wanted) >= SHORTEST_PART
            and (plain.startswith(wanted) or wanted in plain.split("_"))
        ) or (len(plain) > SHORTEST_PART and plain in wanted.split("_")):
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


def is_slip(name: str, candidate: str) -> bool:
    """Whether a name differs by a slip of the pen: nothing else can well have been meant.

    Short words are near to too many others.
    """
    wanted = _plain(name)
    allowed = max(1, len(wanted) // 3)
    if len(wanted) < SHORTEST_CERTAIN and len(candidate) < SHORTEST_CERTAIN:
        return False
    return name != candidate and _distance(wanted, _plain(candidate), allowed) <= allowed


def is_form_of(word: str, stem: str) -> bool:
    """Whether a word is another by an ending: `melding`, `melded` of `meld`, `taken` of `take`."""
    return (
        len(stem) >= SHORTEST_STEM
        and word.startswith(stem)
        and word.removeprefix(stem) in ("ing", "ed", "s", "es", "er", "n", "en", stem[-1] + "ing")
    )


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
