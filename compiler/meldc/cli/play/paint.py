"""Colours: of suits, of wild cards, of headings. Everything reads as well without."""

from __future__ import annotations

import re
from dataclasses import dataclass

from meldc_runtime.cards import RANK_WORDS, card_text
from meldc_runtime.state import State

RED, WILD, BOLD, NOTE, END = (
    "\x1b[31m",
    "\x1b[1;35m",
    "\x1b[1m",
    "\x1b[33m",
    "\x1b[0m",
)
_RANKS = "|".join(sorted(map(re.escape, set(RANK_WORDS.values())), key=len, reverse=True))
_CARD = re.compile(rf"(?<![\w])(?:(?:{_RANKS})[♣♦♥♠CDHS]|Jkr)(?![\w])")
_NOTE = re.compile(r"( *)(still needed: |Not possible|That is not |There is no )")


@dataclass(frozen=True, slots=True)
class Paint:
    """Colours lines, or leaves them as they are. wild: the texts of wild cards."""

    on: bool
    wild: frozenset[str] = frozenset()

    def line(self, line: str) -> str:
        if not self.on:
            return line
        painted = _CARD.sub(self._card, line)
        if _NOTE.match(line):
            return f"{NOTE}{painted.replace(END, END + NOTE)}{END}"
        return painted

    def head(self, line: str) -> str:
        return f"{BOLD}{line}{END}" if self.on else line

    def _card(self, match: re.Match[str]) -> str:
        card = match[0]
        if card in self.wild:
            return f"{WILD}{card}{END}"
        return f"{RED}{card}{END}" if card[-1] in "♦♥DH" else card


def wild_texts(state: State) -> frozenset[str]:
    """The wild cards of a position, by their texts with signs and with letters."""
    wilds = state.table.wilds(state)
    faces = [face for face in set(state.table.pack) if wilds[face]]
    return frozenset(card_text(face, signs) for face in faces for signs in (False, True))
