"""Characters that cannot be seen, or cannot be told from a space."""

from __future__ import annotations

import re
import unicodedata

UNSEEN = re.compile(
    "[\u00a0\u00ad\u034f\u061c\u1680\u180e\u2000-\u200f\u202f\u205f-\u2064\u3000\ufe00-\ufe0f]"
)
"""One of them."""


def named(character: str) -> str:
    """A character that does not show, in words: its number and its name where it has one."""
    name = unicodedata.name(character, "").lower()
    return f"U+{ord(character):04X}" + (f" ({name})" if name else "")


def plain(character: str) -> str:
    """What is written in its place: a space, or nothing."""
    return " " if unicodedata.category(character) == "Zs" else ""
