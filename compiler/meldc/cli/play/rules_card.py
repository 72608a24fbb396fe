"""The rules of a game on one card: what a player looks up at the table, from the program alone."""

from __future__ import annotations

from collections.abc import Iterator

from meldc.cli.play.screen import Screen, words
from meldc_runtime.program.declarations import Sentence, Table


def rules_card(screen: Screen) -> list[str]:
    """The card as lines."""
    return list(_Card(screen).lines())


class _Card:
    def __init__(self, screen: Screen) -> None:
        self.screen = screen
        self.game = screen.game
        self.program = screen.game.program
        self.steps = {key: steps for key, steps in self.program.provenance if steps}

    def lines(self) -> Iterator[str]:
        table = self.game.table
        sides = "each alone" if table.side_size == 1 else f"in sides of {table.side_size}"
        house = f", house rules {', '.join(self.program.house)}" if self.program.house else ""
        cards = f"{len(table.pack)} cards{house}"
        yield from self.screen.wrapped(
            f"{self.program.title}: ", f"{table.players} players, {sides}; {cards}"
        )
        yield from self._rows("cards", self._cells("cards."))
        yield from self._rows("values", self._cells("values."))
        yield from self._settings()
        for kind in self.program.kinds:
            name = kind.called or words(kind.name)
            yield from self._row(
                f"meld: {words(name)}", self._cells(f"melds.{kind.name}.", ("called",))
            )
        for each in self.program.tables:
            yield from self._table(each)
        yield from self._row("score", [self._said(s.sentence) for s in self.program.scores])
        yield from self._row("the whole rules", [f"meldc rulebook {self.program.name}"])

    def _rows(self, head: str, cells: list[str]) -> Iterator[str]:
        yield from self._row(head, cells)

    def _row(self, head: str, cells: list[str]) -> Iterator[str]:
        if cells:
            yield from self.screen.wrapped(f"  {head}: ", "; ".join(filter(None, cells)))

    def _cells(self, prefix: str, without: tuple[str, ...] = ()) -> list[str]:
        return [
            f"{words(key[len(prefix) :])} {words(steps[-1].text)}"
            for key, steps in self.steps.items()
            if key.startswith(prefix) and "." not in key[len(prefix) :].replace("..", "")
            if key[len(prefix) :] not in without
        ]

    def _settings(self) -> Iterator[str]:
        """Numbers that are not 0, and what the variant or a house rule has set."""
        told = []
        for setting in self.program.settings:
            steps = self.steps.get(f"settings.{setting.name}", ())
            value = words(steps[-1].text) if steps else "0"
            if value not in ("0", "no") and (len(steps) > 1 or setting.type == "number"):
                told.append(f"{setting.text or words(setting.name)}: {value}")
        yield from self._row("numbers", told)

    def _table(self, table: Table) -> Iterator[str]:
        if table.name == "values":
            return
        prefix = f"{table.name}."
        rows: dict[str, list[str]] = {}
        for key, steps in self.steps.items():
            if key.startswith(prefix) and steps[-1].text != "{…}":
                row, column = _split(key[len(prefix) :], {str(row.key) for row in table.rows})
                rows.setdefault(row, []).append(f"{words(column)} {words(steps[-1].text)}".strip())
        told = [f"{words(row)} {', '.join(cells)}" for row, cells in rows.items()]
        yield from self._row(table.text or words(table.name), told)

    def _said(self, sentence: Sentence) -> str:
        return "".join(part if isinstance(part, str) else "…" for part in sentence)


def _split(key: str, rows: set[str]) -> tuple[str, str]:
    """Row and column of a cell; names of rows may hold dots."""
    row = max((row for row in rows if key == row or key.startswith(f"{row}.")), key=len, default="")
    if row:
        return row, key[len(row) + 1 :]
    head, _, tail = key.rpartition(".")
    return (head, tail) if head and not head.endswith(".") else (key, "")
