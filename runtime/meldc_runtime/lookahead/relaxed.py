"""A quick no: the turn cannot end before something is remembered that no laid card will bring
about, even if laying used nothing up.

For rules about the end of the turn that read memories only. Melds are laid on and on with cards
that stay in hand; every meld that could ever lie is there for further cards.
"""

from __future__ import annotations

from typing import Any

from meldc_runtime import machine
from meldc_runtime.candidates import Candidates
from meldc_runtime.forms import Form
from meldc_runtime.lookahead.search import blinded, completed
from meldc_runtime.program import expressions as x
from meldc_runtime.state import Meld, Play, Refused, State

MELDS = 150
"""Melds that are thought of before nothing is known."""


class Relaxed:
    """Knows the rules about the end of the turn of which it can judge."""

    def __init__(self, candidates: Candidates) -> None:
        self.candidates = candidates
        self.table = candidates.table
        self.layers = [form for form in candidates.forms if form.starts or form.adds]
        self.rules: list[tuple[str, list[int]]] = self.table.kept.get("waiting", self._find_rules)
        self.matters = sorted({slot for _, slots in self.rules for slot in slots})

    def _find_rules(self) -> list[tuple[str, list[int]]]:
        """The rules about the end of the turn that wait for memories, and the slots of these."""
        from meldc_runtime.lookahead.facts import reads

        folding = self.table.folding
        rules = []
        for rule in self.table.program.rules:
            if rule.end_of_turn and not rule.soft and rule.name not in self.table.code.never_broken:
                found: set[str] = set()
                for part in (rule.when, rule.unless, rule.requires):
                    if part is not None:
                        reads(self.table, folding, folding.fold(part), found)
                if found and all(read.startswith("memory ") for read in found):
                    rules.append((rule.name, self.slots(found)))
        return rules

    def slots(self, found: set[str]) -> list[int]:
        names = [read.removeprefix("memory ") for read in found]
        return [
            self.table.memory_slot(name, owner)
            for name in names
            for owner in range(self.table.owners(self.table.memories[name].owner))
        ]

    def broken(self, state: State) -> list[list[int]]:
        """What the broken rules about the end of the turn read."""
        env = {x.Marker.PLAYER: state.player}
        return [
            slots
            for name, slots in self.rules
            if name != state.without and self.table.code.rules[name](state, env)
        ]

    def is_hopeless(self, state: State) -> bool:
        """Whether a rule about the end of the turn is broken and will stay so. False where that is
        not known.
        """
        broken = self.broken(state)
        if not broken or self._other_plays(state):
            return False
        return not self._may_change(state, {slot for slots in broken for slot in slots})

    def _other_plays(self, state: State) -> bool:
        """Whether there are plays that might end the deal, or ask another player, or change the
        memories otherwise.
        """
        for form in self.candidates.forms:
            if form in self.layers or not machine.in_phase(state, form.index):
                continue
            for play in self.candidates.of(state, form):
                after = self._made(state, play)
                if after is not None and (
                    after.over
                    or completed(after, state.player, state.turn)
                    or not self._same(state, after)
                ):
                    return True
        return False

    def _may_change(self, state: State, slots: set[int]) -> bool:
        """Whether laying might change one of these memories; yes where that is too much to find
        out.
        """
        now = blinded(state)
        known = {self._shape(meld) for side in now.melds for meld in side}
        tried: set[Play] = set()
        growing = True
        while growing:
            growing = False
            for form in self.layers:
                for play in self._plays(now, form):
                    if play in tried:
                        continue
                    tried.add(play)
                    after = self._made(now, play)
                    if after is None:
                        continue
                    if (
                        any(after.memory[slot] != state.memory[slot] for slot in slots)
                        or after.over
                    ):
                        return True
                    growing |= self._keep_melds(now, after, known)
                    if len(known) > MELDS:
                        return True
        return False

    def _plays(self, state: State, form: Form) -> list[Play]:
        return list(self.candidates.of(state, form)) if machine.in_phase(state, form.index) else []

    def _keep_melds(self, now: State, after: State, known: set[Any]) -> bool:
        """Adds the melds that are new to those that lie; whether there are any."""
        found = False
        for side, lie in enumerate(after.melds):
            for meld in lie:
                shape = self._shape(meld)
                if shape not in known:
                    known.add(shape)
                    now.serial += 1
                    now.melds[side].append(
                        Meld(
                            meld.kind,
                            meld.owner,
                            meld.cards,
                            meld.rank,
                            meld.suit,
                            meld.low,
                            meld.wilds,
                            now.serial,
                        )
                    )
                    found = True
        return found

    def _shape(self, meld: Meld) -> Any:
        return (meld.owner, meld.kind, meld.rank, meld.suit, meld.low, len(meld.cards), meld.wilds)

    def _same(self, state: State, after: State) -> bool:
        return all(after.memory[slot] == state.memory[slot] for slot in self.matters)

    def _made(self, state: State, play: Play) -> State | None:
        after = blinded(state)
        try:
            machine.perform(after, play)
        except Refused:
            return None
        return after
