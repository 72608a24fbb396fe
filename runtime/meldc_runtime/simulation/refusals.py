"""Which rules refuse something in a position: what the cards would allow is held against what the
rules let through.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from copy import copy
from itertools import islice

from meldc_runtime import legality, machine
from meldc_runtime.candidates import Candidates
from meldc_runtime.forms import Form
from meldc_runtime.lookahead import outlook_of
from meldc_runtime.program.declarations import Program
from meldc_runtime.simulation.rows import Asked
from meldc_runtime.starts import Cards
from meldc_runtime.state import Meld, Play, State
from meldc_runtime.table import Env, Table

CHOICES = 200
"""Choices of several cards that are looked at for one action."""
PLAYS = 200
"""Plays of one action that are looked at."""


class Conceivable(Candidates):
    """Lists the smallest plays that phases, domains and patterns allow, whatever the rules say."""

    def __init__(self, table: Table) -> None:
        super().__init__(table, outlook_of(table).kinds)
        self.judged = [False] * len(table.program.kinds)
        self.blanket = [frozenset() for _ in table.program.kinds]

    def broken(self, state: State, form: Form, env: Env, known: int) -> bool:
        return False

    def kind_allows(
        self, state: State, env: Env, meld: Meld, base: Meld | None, new: Cards
    ) -> bool:
        return True

    def by_size(self, cards: Sequence[int], limit: int) -> Iterator[Cards]:
        return islice(super().by_size(cards, limit), CHOICES)


def names_of_rules(program: Program) -> Iterator[str]:
    """What may refuse something: rules, and the conditions of kinds of meld."""
    yield from (rule.name for rule in program.rules)
    yield from (f"pattern {kind.name}" for kind in program.kinds if kind.condition is not None)


class Refusals:
    """Asks positions of a table which rules refuse something in them. It has a look-ahead of its
    own, made when it is first asked: the answers of the table's are not touched.
    """

    def __init__(self, table: Table) -> None:
        self.table = copy(table)
        self.table._foresight = None
        self.rules = frozenset(names_of_rules(table.program))
        self._conceivable: Conceivable | None = None

    @property
    def conceivable(self) -> Conceivable:
        if self._conceivable is None:
            self._conceivable = Conceivable(self.table)
        return self._conceivable

    def begin_anew(self) -> None:
        """Forgets the positions asked."""
        if self._conceivable is not None:
            outlook_of(self.table).begin_anew()

    def shrink(self) -> None:
        """Drops what is kept to save time."""
        if self._conceivable is not None:
            outlook_of(self.table).shrink()
            self._conceivable.starts.kept.clear()

    def ask(self, state: State, legal: Sequence[Play], asked: Asked) -> None:
        """Adds to `asked` what is refused where these plays are legal.

        A rule counts once for a position, however many plays it refuses; it refuses alone where it
        is all that speaks against one of them.
        """
        state = state.copy()
        state.table = self.table
        allowed = set(legal)
        refused: set[str] = set()
        alone: set[str] = set()
        for form in self.conceivable.forms:
            if not machine.in_phase(state, form.index):
                continue
            for play in islice(self.conceivable.of(state, form), PLAYS):
                if play not in allowed:
                    names = self.rules.intersection(legality.names_against(state, play))
                    refused |= names
                    if len(names) == 1:
                        alone |= names
        asked["decisions"] += 1
        for name in sorted(refused):
            counts = asked["rules"].setdefault(name, [0, 0])
            counts[0] += 1
            counts[1] += name in alone
