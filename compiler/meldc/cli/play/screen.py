"""The table as lines of text, from what one player may see. All words about the game are the
program's own.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from meldc_runtime.cards import SUIT_LETTERS, SUIT_SIGNS, parse_card
from meldc_runtime.game import Action, Game, Position
from meldc_runtime.program.declarations import Program
from meldc_runtime.program.expressions import CardAttr
from meldc_runtime.table import BUILT_IN
from meldc_runtime.view import nodes_of

WIDTH = 80
TOLD_ELSEWHERE = {memory.name for memory in BUILT_IN}
"""Memory that the head of a deal and the totals tell already."""
_CARD = re.compile(r"\b(10|[2-9JQKA])([CDHS])\b")


@dataclass(frozen=True)
class Screen:
    """How a game is shown: with suit signs or letters, in colour or not."""

    game: Game
    signs: bool = False

    # -- cards

    def cards(self, cards: Sequence[str]) -> str:
        """Cards with blanks between them."""
        return " ".join(self.card(card) for card in cards)

    def card(self, card: str) -> str:
        return self.text(card)

    def text(self, text: str) -> str:
        """A text with the suits of its cards as signs, where signs are shown."""
        if not self.signs:
            return text
        return _CARD.sub(lambda m: m[1] + SUIT_SIGNS[SUIT_LETTERS.index(m[2])], text)

    def hand(self, cards: Sequence[str]) -> str:
        """Cards grouped by rank, or by suit where the game reads suits."""
        return "  ".join(self.cards(group) for group in grouped(cards, by_suit(self.game.program)))

    # -- the table

    def table(self, view: dict[str, Any]) -> list[str]:
        """What lies on the table: totals, melds by side, open zones, memories worth telling."""
        lines = [self._totals(view)]
        lines += self._melds(view)
        lines += self._zones(view)
        lines += self._memories(view)
        return lines

    def _totals(self, view: dict[str, Any]) -> str:
        points = "   ".join(
            f"{self.side(side)} {number}" for side, number in view["totals"].items()
        )
        return f"  total: {points}"

    def side(self, side: str) -> str:
        """A side by its players."""
        players = self.game.sides[side]
        return players[0] if len(players) == 1 else f"{side} ({' '.join(players)})"

    def _melds(self, view: dict[str, Any]) -> list[str]:
        if not self.game.program.kinds:
            return []
        lines = []
        for side, melds in view["melds"].items():
            lines.append(f"  {self.side(side)}" + ("" if melds else "  -"))
            lines += [self._meld(meld) for meld in melds]
        return lines

    def _meld(self, meld: dict[str, Any]) -> str:
        rows = [str(row).replace("_", " ") for row in meld["rows"].values() if row is not None]
        about = f"{len(meld['cards'])} cards" + "".join(f", {row}" for row in rows)
        return f"    {self.text(meld['name']):<8} {self.cards(meld['cards'])}   ({about})"

    def _zones(self, view: dict[str, Any]) -> list[str]:
        parts = []
        for zone in self.game.program.zones:
            seen = [z for z in view["zones"] if z["name"] == zone.name]
            if zone.owner == "none":
                parts += [
                    self._zone(zone.name, each) for each in seen if each["count"] or zone.holds_pack
                ]
            elif any(each["count"] for each in seen):
                parts.append(self._owned(zone.name, seen, view["player"]))
        return _wrap(parts)

    def _zone(self, name: str, zone: dict[str, Any]) -> str:
        word = words(name)
        count = zone["count"]
        if "top" in zone:
            return f"{word}: {self.card(zone['top'])} on top, {_cards(count)}"
        if "cards" in zone:
            laid = zone.get("laid_by", [None] * count)
            cards = [
                self.card(c) + (f" ({p})" if p else "")
                for c, p in zip(zone["cards"], laid, strict=True)
            ]
            return f"{word}: {' '.join(cards)}"
        return f"{word}: {_cards(count)}"

    def _owned(self, name: str, seen: Iterable[dict[str, Any]], player: str) -> str:
        parts = []
        for zone in seen:
            if zone["owner"] == player and "cards" in zone:
                continue
            if "cards" in zone:
                parts.append(f"{zone['owner']} {self.cards(zone['cards']) or '-'}")
            else:
                parts.append(f"{zone['owner']} {zone['count']}")
        return f"{words(name)}: {'  '.join(parts)}"

    def _memories(self, view: dict[str, Any]) -> list[str]:
        declared = {memory.name: memory for memory in self.game.program.memories}
        told: dict[str, list[str]] = {}
        for entry in view["memory"]:
            memory = declared[entry["name"]]
            value = entry["value"]
            if entry["name"] in TOLD_ELSEWHERE:
                continue
            if value in (None, False, 0, []) or (
                memory.scope == "turn" and memory.initial is not None
            ):
                continue
            owner = [entry["owner"]] if entry["owner"] else []
            shown = [] if value is True else [self.text(words(str(value)))]
            told.setdefault(entry["name"], []).append(" ".join(owner + shown))
        return _wrap(
            [f"{words(name)} {', '.join(values)}".strip() for name, values in told.items()]
        )

    # -- what the player holds and may do

    def own_zones(self, view: dict[str, Any]) -> list[dict[str, Any]]:
        """The zones that the player alone (or the player's side) sees."""
        visible = {zone.name for zone in self.game.program.zones if zone.visibility == "owner"}
        return [zone for zone in view["zones"] if zone["name"] in visible and "cards" in zone]

    def own_cards(self, view: dict[str, Any]) -> list[str]:
        """Their cards, sorted and grouped."""
        return [
            _hang(f"  {words(zone['name'])} ({zone['count']}): ", self.hand(zone["cards"]))
            for zone in self.own_zones(view)
        ]

    def suggestions(self, actions: Sequence[Action], limit: int | None = 10) -> list[str]:
        """The legal actions, numbered, in columns; no more lines than the limit."""
        entries = [f"{number} {self.text(str(action))}" for number, action in enumerate(actions, 1)]
        if not entries:
            return []
        width = max(len(entry) for entry in entries) + 2
        columns = max(1, (WIDTH - 2) // width)
        more = 0
        if limit is not None and len(entries) > limit * columns:
            more = len(entries) - limit * columns
            entries = entries[: limit * columns]
        rows = -(-len(entries) // columns)
        lines = []
        for row in range(rows):
            cells = [entries[i] for i in range(row, len(entries), rows)]
            lines.append("  " + "".join(cell.ljust(width) for cell in cells).rstrip())
        return [*lines, f"  and {more} more: `list`"] if more else lines

    def score_sheet(self, position: Position) -> list[str]:
        """The score of a deal line by line, and the totals."""
        sides = list(position.totals)
        sentences = {
            line.name: _sentence(line.sentence) or words(line.name)
            for line in self.game.program.scores
        }
        points: dict[str, dict[str, int]] = {}
        for entry in position.sheet:
            by_side = points.setdefault(entry["line"], {})
            by_side[entry["side"]] = by_side.get(entry["side"], 0) + entry["points"]
        rows = [
            (sentences.get(line, words(line)), [by_side.get(side) for side in sides])
            for line, by_side in points.items()
            if any(by_side.values())
        ]
        rows.append(("this deal", [position.scores[side] for side in sides]))
        rows.append(("total", [position.totals[side] for side in sides]))
        names = [self.side(side) for side in sides]
        label = max(len(row[0]) for row in rows)
        lines = ["  " + " " * label + "".join(f"  {name:>9}" for name in names)]
        for text, numbers in rows:
            cells = "".join(
                f"  {'' if n is None else n:>{max(9, len(s))}}"
                for n, s in zip(numbers, names, strict=True)
            )
            lines.append(f"  {text:<{label}}{cells}".rstrip())
        return lines


def words(name: str) -> str:
    """A name as words."""
    return name.replace("_", " ")


def grouped(cards: Sequence[str], suits: bool) -> list[list[str]]:
    """Cards in groups of one suit or one rank, those of no suit last."""
    groups: dict[str, list[str]] = {}
    for card in cards:
        face = parse_card(card)
        suited = face is not None and card[-1] in SUIT_LETTERS
        groups.setdefault((card[-1] if suits else card[:-1]) if suited else card, []).append(card)
    if not suits:
        return list(groups.values())
    return [groups[key] for key in sorted(groups, key=lambda key: ("CDHS".find(key) % 9, key))]


def by_suit(program: Program) -> bool:
    """Whether a game reads suits: it has runs, or asks for the suit of a card."""
    if any(kind.shape == "run" for kind in program.kinds):
        return True
    judged = (program.rules, program.moments, program.actions, program.scores)
    return any(isinstance(node, CardAttr) and node.attr == "suit" for node in nodes_of(judged))


def _sentence(sentence: Iterable[Any]) -> str:
    return "".join(part for part in sentence if isinstance(part, str)).strip()


def _cards(count: int) -> str:
    return f"{count} card{'s' * (count != 1)}"


def _wrap(parts: Sequence[str]) -> list[str]:
    """Parts side by side, as many as fit a line."""
    lines: list[str] = []
    for part in parts:
        if lines and len(lines[-1]) + len(part) + 3 <= WIDTH:
            lines[-1] += f"   {part}"
        else:
            lines.append(f"  {part}")
    return lines


def _hang(head: str, text: str) -> str:
    return "\n".join(
        textwrap.wrap(
            head + text,
            WIDTH,
            subsequent_indent=" " * len(head),
            break_on_hyphens=False,
            break_long_words=False,
            drop_whitespace=True,
            replace_whitespace=False,
        )
    )
