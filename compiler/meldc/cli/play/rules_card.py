"""The rules of a game on one card: what a player looks up at the table, from the program alone. The
whole of them is the rulebook, whose lines this card chooses from.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from meldc.cli.play.forms import form
from meldc.cli.play.screen import Screen, words
from meldc.rulebook import Line, Section, write_rulebook
from meldc_runtime.program.expressions import SettingValue
from meldc_runtime.program.nodes import walk

HEAD = 22
"""Width of the column of names."""
VALUES = "values"
"""The table that is told with the cards."""
_NUMBER = re.compile(r"-?\d[\d,]*\b")


def rules_card(screen: Screen) -> list[str]:
    """The card as lines."""
    return list(_Card(screen).lines())


class _Card:
    def __init__(self, screen: Screen) -> None:
        self.screen = screen
        self.program = screen.game.program
        self.nodes = list(walk(self.program))
        self.sections = write_rulebook(screen.game)

    def lines(self) -> Iterator[str]:
        yield self.program.title
        if self.program.house:
            yield from self._entry("house rules", ", ".join(self.program.house))
        yield from self.screen.wrapped("  ", self._with("players")[0].text)
        yield from self._named("Cards", [*self._with("cards."), *self._with(f"{VALUES}.")])
        yield from self._turn()
        yield from self._named("Melds", self._with("melds."))
        used = {getattr(node, "table", "") for node in self.nodes} - {VALUES}
        tables = {table.name: table.form for table in self.program.tables if table.name in used}
        for section in self.sections:
            form = tables.get(section.lines[0].key.partition(".")[0])
            if form is not None:
                yield from self._rows(section, form)
        yield from self._settings()
        yield from self._score()
        yield ""
        spec = self.screen.spec or self.program.name
        yield from self.screen.wrapped("  ", f"All of the rules, one by one: meldc rulebook {spec}")

    def _turn(self) -> Iterator[str]:
        """What a player is asked for, and what can be done then."""
        yield from self._head("In a turn")
        for phase in self.program.phases:
            done = [form(each) for each in self.program.actions if phase.name in each.phases]
            yield from self.screen.wrapped("  ", phase.text or words(phase.name))
            yield from self.screen.wrapped("    ", " | ".join(dict.fromkeys(done)))

    def _settings(self) -> Iterator[str]:
        """What is set and matters, but for what is nothing or no."""
        used = {node.name for node in self.nodes if isinstance(node, SettingValue)}
        yield from self._head("What is set")
        for line in self._with("settings."):
            value = line.text.rpartition(": ")[2]
            if line.key.removeprefix("settings.") in used and value not in ("0", "no", ""):
                yield from self.screen.wrapped("  ", line.text)

    def _score(self) -> Iterator[str]:
        """What counts, with its points where they are a number."""
        yield from self._head("What counts in a deal")
        told = [_points(*line.text.split(": ", 1)) for line in self._with("scores.")]
        yield from self.screen.wrapped("  ", "; ".join(filter(None, told)))

    # -- lines of the rulebook

    def _with(self, key: str) -> list[Line]:
        return [
            line
            for section in self.sections
            for line in section.lines
            if line.key.startswith(key) and not line.level
        ]

    def _rows(self, section: Section, form: str) -> Iterator[str]:
        """A table: short rows side by side, longer ones each in a line."""
        rows = [line.text for line in section.lines]
        if form == "band":
            rows = [row if row.startswith("below") else f"from {row}" for row in rows]
        if all(len(row) < HEAD for row in rows):
            yield from self._head(section.title)
            yield from self.screen.wrapped("  ", ";  ".join(rows))
        else:
            yield from self._named(section.title, section.lines, typed=form == "lists")

    def _named(self, title: str, lines: Iterable[Line], typed: bool = False) -> Iterator[str]:
        """A heading, and lines in two columns; typed: by the names that actions have for them."""
        entries = list(lines)
        if entries:
            yield from self._head(title)
        for line in entries:
            name, _, text = line.text.partition(": ")
            typed_name = words(line.key.rpartition(".")[2])
            yield from self._entry(typed_name if typed else name, text.removeprefix("title "))

    def _head(self, title: str) -> Iterator[str]:
        yield ""
        yield from self.screen.wrapped("", title)

    def _entry(self, name: str, text: str, width: int = HEAD) -> Iterator[str]:
        width = min(width, self.screen.width // 3)
        yield from self.screen.wrapped(f"  {name:<{width}} ", text)


def _points(name: str, value: str) -> str:
    """A line of the score with its points, where they are a number; nothing where they are none."""
    number = _NUMBER.match(value)
    if number is None or value[number.end() : number.end() + 1] not in ("", ","):
        return name
    return "" if number[0] == "0" else f"{name} {number[0]}"
