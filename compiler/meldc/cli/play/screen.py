"""The table as lines of text, from what one player may see. All words about the game are the
program's own.
"""

from __future__ import annotations

import textwrap
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from meldc.cli.play.cards import ace_is_low, by_suit, grouped, with_signs
from meldc.cli.play.worth_telling import memories_told, zones_told
from meldc_runtime.cards import parse_card
from meldc_runtime.game import Game
from meldc_runtime.program.declarations import Memory

MELD_NAME = 9
"""Width of the column of meld names, where none is longer."""


@dataclass(frozen=True)
class Screen:
    """How a game is shown: with suit signs or letters, in lines of a width. spec: what the commands
    of `meldc` know it by, where that is not its name.
    """

    game: Game
    signs: bool = False
    width: int = 80
    spec: str = ""

    # -- cards

    def cards(self, cards: Sequence[str]) -> str:
        """Cards with blanks between them."""
        return self.text(" ".join(cards))

    def text(self, text: str) -> str:
        """A text with the suits of its cards as signs, where signs are shown."""
        return with_signs(text) if self.signs else text

    def hand(self, cards: Sequence[str], wild: Collection[str] = ()) -> str:
        """Cards grouped by rank, or by suit where the game reads suits; wild ones first."""
        program = self.game.program
        groups = grouped(cards, by_suit(program), wild, ace_is_low(program))
        return "  ".join(self.cards(group) for group in groups)

    # -- the table

    @cached_property
    def _runs(self) -> set[str]:
        return {kind.name for kind in self.game.program.kinds if kind.shape == "run"}

    @cached_property
    def _zones_told(self) -> set[str]:
        return zones_told(self.game.program)

    @cached_property
    def _memories_told(self) -> dict[str, Memory]:
        return {memory.name: memory for memory in memories_told(self.game.program)}

    @cached_property
    def _titles(self) -> dict[str, dict[str, str]]:
        """Titles of the rows of each table."""
        return {
            table.name: {str(row.key): row.title for row in table.rows}
            for table in self.game.program.tables
        }

    def table(self, view: dict[str, Any], wild: Collection[str] = ()) -> list[str]:
        """What lies on the table."""
        sides = [line for side in self.sides(view, wild) for line in side]
        return [*sides, *self.middle(view)]

    def sides(self, view: dict[str, Any], wild: Collection[str] = ()) -> list[list[str]]:
        """For each side total, state and melds."""
        names = [self.text(meld["name"]) for melds in view["melds"].values() for meld in melds]
        width = max(MELD_NAME, *map(len, names), 0)
        return [
            [
                *self._side(view, side, total),
                *(line for meld in view["melds"][side] for line in self._meld(meld, wild, width)),
            ]
            for side, total in view["totals"].items()
        ]

    def side(self, side: str) -> str:
        """A side by its players."""
        players = self.game.sides[side]
        return players[0] if len(players) == 1 else f"{side} ({' '.join(players)})"

    def _side(self, view: dict[str, Any], side: str, total: int) -> list[str]:
        width = max(len(self.side(each)) for each in view["totals"])
        own = ["you"] if side == view["side"] else []
        parts = [*own, *self._laid_apart(view, side), *self._memories(view, side)]
        head = f"  {self.side(side):<{width}} {total:>7}"
        return _hang(f"{head}   ", ", ".join(parts), self.width) if parts else [head]

    def _laid_apart(self, view: dict[str, Any], side: str) -> list[str]:
        """What lies open in zones of the side."""
        return [
            f"{words(zone['name'])} {self.cards(zone['cards'])}"
            for zone in view["zones"]
            if zone["owner"] == side and zone.get("cards")
        ]

    def _meld(self, meld: dict[str, Any], wild: Collection[str], width: int) -> list[str]:
        """A line: name (in a column of a width), cards, what they are worth."""
        naturals = len(meld["cards"]) - meld["wilds"]
        about = f"{naturals}+{meld['wilds']} wild" if meld["wilds"] else f"{naturals}"
        rows = [
            f"{words(str(row))} {word}" for word, row in meld["rows"].items() if row is not None
        ]
        if rows:
            about += f": {', '.join(rows)}"
        elif meld["missing"]:
            lacks = meld["missing"]
            about += f", {lacks['cards']} to {words(lacks['row'])} {lacks['word']}"
        head = f"    {self.text(meld['name']):<{width}} "
        laid = meld["cards"]
        if meld["kind"] not in self._runs:
            laid = sorted(laid, key=lambda card: (card in wild, parse_card(card) or 0))
        cards = self.cards(laid)
        line = f"{head}{cards:<{max(0, 24 + MELD_NAME - width)}}  {about}"
        if len(line) <= self.width:
            return [line]
        return _hang(head, f"{cards}  {about}", self.width)

    def middle(self, view: dict[str, Any]) -> list[str]:
        """The zones that belong to no side alone, and what is remembered of nobody: first what lies
        in the middle and how it stands there, then what each player has.
        """
        common: list[str] = []
        held: list[str] = []
        for zone in self.game.program.zones:
            if zone.name not in self._zones_told:
                continue
            seen = [z for z in view["zones"] if z["name"] == zone.name]
            if zone.owner == "none":
                common += [
                    self._zone(zone.name, each) for each in seen if each["count"] or zone.holds_pack
                ]
            elif zone.owner == "player" and any(each["count"] for each in seen):
                held.append(self._owned(zone.name, seen, view["player"]))
        return _wrap([*common, *self._memories(view, None), *held], self.width)

    def _zone(self, name: str, zone: dict[str, Any]) -> str:
        word = words(name)
        count = zone["count"]
        if "top" in zone:
            return f"{word}: {self.text(zone['top'])} on top, {_cards(count)}"
        if "cards" in zone:
            laid = zone.get("laid_by", [None] * count)
            cards = [
                self.text(c) + (f" ({p})" if p else "")
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

    def _memories(self, view: dict[str, Any], side: str | None) -> list[str]:
        """What is remembered of a side and its players, a player of it named by the table
        included; of nobody in particular, for None.
        """
        players = self.game.sides[side] if side else ()
        alone = len(players) == 1
        told: dict[str, list[str]] = {}
        for entry in view["memory"]:
            memory = self._memories_told.get(entry["name"])
            value, owner = entry["value"], entry["owner"]
            if memory is None or value in (None, False, 0, []):
                continue
            if memory.type == "player" and owner is None:
                if value in players:
                    told.setdefault(called(memory), []).append("" if alone else value)
            elif owner in (side, *players):
                named = owner in players and not alone
                shown = "" if value is True else self._value(memory, value)
                parts = [owner if named else "", shown]
                told.setdefault(called(memory), []).append(" ".join(filter(None, parts)))
        return [f"{name} {', '.join(values)}".strip() for name, values in told.items()]

    def memory(
        self, memory: Memory, owner: str | None, value: object, unnamed: Collection[str] = ()
    ) -> str:
        """That something is remembered from now on; owners who are `unnamed` are left out."""
        if memory.type == "player":
            return f"{value} {called(memory)}"
        parts = [
            owner if owner and owner not in unnamed else "",
            called(memory),
            "" if value is True else self._value(memory, value),
        ]
        return " ".join(filter(None, parts))

    def _value(self, memory: Memory, value: object) -> str:
        """A value as it is shown; a row of a table with its title."""
        shown = self.text(words(str(value)))
        title = self._titles.get(memory.type.removeprefix("row:"), {}).get(str(value), "")
        return f"{shown} ({title})" if title and title.lower() != shown.lower() else shown

    # -- what the player holds and may do

    def own_zones(self, view: dict[str, Any]) -> list[dict[str, Any]]:
        """The zones that the player alone (or the player's side) sees."""
        visible = {zone.name for zone in self.game.program.zones if zone.visibility == "owner"}
        return [zone for zone in view["zones"] if zone["name"] in visible and "cards" in zone]

    def own_cards(self, view: dict[str, Any], wild: Collection[str] = ()) -> list[str]:
        """Their cards, sorted and grouped."""
        return [
            line
            for zone in self.own_zones(view)
            for line in _hang(
                f"  {words(zone['name'])} ({zone['count']}): ",
                self.hand(zone["cards"], wild),
                self.width,
            )
        ]

    def wrapped(self, head: str, text: str) -> list[str]:
        """A text behind a head, its further lines below its first."""
        return _hang(head, text, self.width)


def words(name: str) -> str:
    """A name as words."""
    return name.replace("_", " ")


def called(memory: Memory) -> str:
    """What players call something that is remembered."""
    return memory.text or words(memory.name)


def _cards(count: int) -> str:
    return f"{count} card{'s' * (count != 1)}"


def _wrap(parts: Sequence[str], width: int) -> list[str]:
    """Parts side by side, as many as fit a line."""
    lines: list[str] = []
    for part in parts:
        if lines and len(lines[-1]) + len(part) + 3 <= width:
            lines[-1] += f"   {part}"
        else:
            lines += _hang("  ", part, width)
    return lines


def _hang(head: str, text: str, width: int) -> list[str]:
    indent = len(head) if len(head) < width // 2 else 4
    return textwrap.wrap(
        head + text,
        width,
        subsequent_indent=" " * indent,
        break_on_hyphens=False,
        break_long_words=False,
        drop_whitespace=True,
        replace_whitespace=False,
    ) or [head.rstrip()]
