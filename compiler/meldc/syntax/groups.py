"""Numbers written in groups of digits, `5,000`: a number has no signs between its digits."""

from __future__ import annotations

from collections.abc import Iterator

from meldc.diagnostics import Diagnostic
from meldc.digits import grouped_number
from meldc.syntax.token import PlaceOf, Token


def judge_groups(found: list[Token], place: PlaceOf) -> Iterator[Diagnostic]:
    """Groups of digits with a comma, a point or a blank between them.

    Within brackets a comma parts the items of a list, if no group begins with 0.
    """
    depth, index = 0, 0
    while index < len(found):
        depth += {"open": 1, "close": -1}.get(found[index].kind, 0)
        end = _end_of_groups(found, index, in_list=depth > 0)
        if end > index:
            written = "".join(token.text for token in found[index : end + 1])
            yield grouped_number(written, place(found[index].start, found[end].end))
        index = end + 1


def _end_of_groups(found: list[Token], index: int, *, in_list: bool) -> int:
    """The last token of a number in groups that begins at a token; that one, where none does."""
    first = found[index]
    before = found[index - 1].text if index else ""
    if not _are_digits(first, 1, 3) or before == ".":
        return index
    end = index
    while end + 2 < len(found) and _are_digits(found[end + 2], 3, 3):
        sign, group = found[end + 1].text, found[end + 2].text
        if sign not in (",", ".", " ") or (sign == "," and in_list and group[0] != "0"):
            break
        end += 2
    return end


def _are_digits(token: Token, least: int, most: int) -> bool:
    return token.kind == "word" and token.text.isdecimal() and least <= len(token.text) <= most
