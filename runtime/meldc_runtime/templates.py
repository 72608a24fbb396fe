"""Templates of actions: words, `{name}` a parameter, `( … )` a part that may be left out."""

from __future__ import annotations

import re
from functools import lru_cache

from meldc_runtime.light import dataclass

_PIECE = re.compile(r"\{(\w+)\}|\(|\)|[^{}()]+")


@dataclass(frozen=True, slots=True)
class Piece:
    """A part of a template: words, or a parameter. optional: inside brackets."""

    words: str
    param: str
    optional: bool


@lru_cache(maxsize=512)
def pieces(template: str) -> tuple[Piece, ...]:
    """The parts of a template in order."""
    found: list[Piece] = []
    optional = False
    for match in _PIECE.finditer(template):
        if match[0] in "()":
            optional = match[0] == "("
        else:
            found.append(Piece("" if match[1] else match[0], match[1] or "", optional))
    return tuple(found)
