"""Whether a turn can still be completed, and what can be reached in it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from meldc_runtime import machine
from meldc_runtime.candidates import Candidates, Form
from meldc_runtime.kinds import kinds_of
from meldc_runtime.lookahead.search import CutOff, Search, blinded, completed, key_of
from meldc_runtime.state import Play, State
from meldc_runtime.table import Table

WITNESSES = 20_000
"""Plans kept before all are forgotten."""


@dataclass(slots=True)
class Counts:
    """What the look-ahead was asked and how it answered. cut_offs: questions given up, counted as no."""

    questions: int = 0
    sure: int = 0
    planned: int = 0
    searched: int = 0
    cut_offs: int = 0


class Outlook:
    """The look-ahead of a Table; answers `can(…)` and `only(…)`, and what legality asks."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self.kinds = kinds_of(table)
        self.candidates = Candidates(table, self.kinds)
        self.counts = Counts()
        self.has_marks = any(rule.soft == "otherwise" for rule in table.program.rules)
        self.search = Search(self.candidates)
        self.witnesses: dict[Any, tuple[Play, ...]] = {}

    # ---- questions of legality
    def allows(self, state: State, play: Play, last_resort: bool) -> bool:
        """Whether a candidate can be made and the turn completed after it. `last_resort`: whether marked endings count."""
        after = self.search.after(state, play, last_resort)
        return after is not None and self.completable(after, state.player, state.turn, last_resort)

    def completable(self, state: State, player: int, turn: int, last_resort: bool) -> bool:
        """Whether the player can complete the turn from a blind state. A question that is cut off counts as no."""
        if completed(state, player, turn):
            return True
        self.counts.questions += 1
        self.counts.searched += 1
        try:
            path = self.search.path(state, last_resort)
        except CutOff:
            self.counts.cut_offs += 1
            return False
        if path is None:
            return False
        self.remember(state, path)
        return True

    def needs_last_resort(self, state: State) -> bool:
        """Whether the turn can end in no other way than a marked ending."""
        if not self.has_marks:
            return False
        return not self.completable(blinded(state), state.player, state.turn, last_resort=False)

    # ---- witnesses
    def remember(self, state: State, path: tuple[Play, ...]) -> None:
        """Keeps the plan that proves a state completable."""
        if len(self.witnesses) >= WITNESSES:
            self.witnesses.clear()
        self.witnesses[key_of(state, self.candidates)] = path

    def witness(self, state: State) -> Play | None:
        """The next play of the plan that proved this state completable, if one is kept."""
        path = self.witnesses.get(key_of(state, self.candidates))
        if not path:
            return None
        if len(path) > 1:
            after = self.search.after(state, path[0], last_resort=True)
            if after is not None:
                self.remember(after, path[1:])
        return path[0]

    # ---- Foresight
    def can_action(self, state: State, action: str, player: int, without: str | None) -> bool:
        form = self.candidates.forms[self.table.actions[action]]
        asked = self.asked(state, player, without)
        if state.player != player or not machine.in_phase(asked, form.index):
            asked.phase = self.table.phases[form.action.phases[0]]
        last_resort = self.needs_last_resort(asked)
        return any(self.allows(asked, play, last_resort) for play in self.candidates.of(asked, form))

    def can_moment(self, state: State, moment: str, player: int, without: str | None) -> bool:
        number = self.table.moments[moment]
        return self.reaches(self.asked(state, player, without), lambda after: number in after.happened)

    def can_end_turn(self, state: State, player: int, without: str | None) -> bool:
        return self.reaches(self.asked(state, player, without), lambda after: after.ended and not after.over)

    def reaches(self, state: State, goal: Callable[[State], bool]) -> bool:
        """Whether own plays lead from a blind state to a step after which the goal holds."""
        self.counts.questions += 1
        self.counts.searched += 1
        try:
            return self.search.path(state, last_resort=True, goal=goal) is not None
        except CutOff:
            self.counts.cut_offs += 1
            return False

    def only(self, state: State, actions: tuple[str, ...]) -> bool:
        asked = blinded(state)
        last_resort = self.needs_last_resort(asked)
        numbers = {self.table.actions[name] for name in actions}
        forms = [form for form in self.candidates.forms if machine.in_phase(asked, form.index)]
        if any(self.has_legal(asked, form, last_resort) for form in forms if form.index not in numbers):
            return False
        return any(self.has_legal(asked, form, last_resort) for form in forms if form.index in numbers)

    def has_legal(self, state: State, form: Form, last_resort: bool) -> bool:
        return any(self.allows(state, play, last_resort) for play in self.candidates.of(state, form))

    def asked(self, state: State, player: int, without: str | None) -> State:
        asked = blinded(state)
        asked.without = without
        asked.player = player
        return asked
