"""What the checks of sense share: the game at each table, whose words are whose, how to report."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cached_property

from meldc.check import ownership
from meldc.check.elaborator import Elaborator
from meldc.check.packs import seatings
from meldc.check.possible.judge import Judge
from meldc.check.walk import walk
from meldc.diagnostics import Diagnostic, Fix, Label, error, warning
from meldc.resolve.model import Cell, Steps
from meldc.source import Span
from meldc.syntax import tree
from meldc_runtime.program.declarations import Program
from meldc_runtime.program.effects import Become, Chance, Gain

MOST_TABLES = 3


class Inspection:
    """A Program with its sources, and a judge for each size of table that is looked at.

    Of many allowed numbers of players the lowest, the highest and one between are looked at.
    """

    def __init__(self, el: Elaborator, program: Program) -> None:
        self.el = el
        self.model = el.model
        self.program = program
        self.short_of_melds = False
        """Whether kinds of meld, or rows that sort them, were found impossible."""
        self.without_score = False
        """Whether no side can ever win a point."""
        self.never_full: set[str] = set()
        """Kinds of meld of which a row asks for more cards than can lie together."""
        self.at_odds: set[str] = set()
        """Rules that refuse always, or contradict another."""
        self.refused: set[str] = set()
        """Actions of which it is said that they are never legal."""
        self._reports: list[Diagnostic] = []

    @cached_property
    def judges(self) -> tuple[Judge, ...]:
        found = [Judge(self.program, seating) for seating in seatings(self.program)]
        if len(found) > MOST_TABLES:
            found = [found[0], found[len(found) // 2], found[-1]]
        return tuple(found)

    @cached_property
    def nodes(self) -> tuple[object, ...]:
        """All that is judged or done in the game, node by node."""
        p = self.program
        parts = (p.definitions, p.rules, p.allowances, p.scores, p.moments, p.actions, p.kinds)
        return tuple(walk(parts))

    @cached_property
    def written(self) -> frozenset[str]:
        """Memories that an action or a moment changes."""
        done = walk((self.program.actions, self.program.moments))
        return frozenset(n.memory for n in done if isinstance(n, Become | Gain | Chance))

    # ---- whose words -----------------------------------------------------------------------

    def is_own(self, steps: Steps) -> bool:
        """Whether the game itself, or a house rule laid on it, said it: not what it builds on."""
        return ownership.is_own(self.model, steps)

    def is_authored(self, steps: Steps) -> bool:
        """The same, the author's own machine and parts with it."""
        return ownership.is_authored(self.model, steps)

    def blame(self, *cells: Cell[object] | None) -> Span | None:
        """Where to point: at the first of these that the game itself said, else at the first."""
        return ownership.blame(self.model, *cells)

    def setting(self, name: str) -> Cell[tree.Expression] | None:
        return self.model.settings.get(name)

    @property
    def variant_span(self) -> Span | None:
        """Where the game names itself, or nearly."""
        return self.model.span or self.model.players.span

    # ---- reports ---------------------------------------------------------------------------

    def hand_over(self) -> None:
        """Give all reports on, but for those that follow from another at the very same words:
        a warning from an error, a report from the first with its code.
        """
        wrong = {each.primary.span for each in self._reports if each.is_error}
        told: set[tuple[str, Span | None]] = set()
        for each in self._reports:
            place = (each.code, each.primary.span)
            if place not in told and (each.is_error or each.primary.span not in wrong):
                told.add(place)
                self.el.found.add(each)

    def error(
        self,
        code: str,
        message: str,
        span: Span | None,
        label: str = "",
        *,
        secondary: Iterable[Label] = (),
        help: Iterable[str] = (),  # noqa: A002 - as in diagnostics
        notes: Iterable[str] = (),
    ) -> None:
        self._reports.append(
            error(code, message, span, label, secondary=secondary, help=help, notes=notes)
        )

    def warn(
        self,
        code: str,
        message: str,
        span: Span | None,
        label: str = "",
        *,
        secondary: Iterable[Label] = (),
        help: Iterable[str] = (),  # noqa: A002
        notes: Iterable[str] = (),
        fix: Fix | None = None,
    ) -> None:
        self._reports.append(
            warning(
                code, message, span, label, secondary=secondary, help=help, notes=notes, fix=fix
            )
        )


def labels(*given: tuple[Span | None, str]) -> Iterator[Label]:
    """Further places, those left out that there are not."""
    for span, text in given:
        if span is not None:
            yield Label(span, text)


def listed(words: Iterable[object]) -> str:
    """`a, b and c`."""
    texts = [str(word) for word in words]
    if len(texts) < 2:
        return "".join(texts)
    return f"{', '.join(texts[:-1])} and {texts[-1]}"
