"""When plays are legal, and when it is sure that the turn can be ended after them: as terms."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property, partial

from meldc_runtime.kernel.acting import BACK, Acting, Flow
from meldc_runtime.kernel.ahead import Ahead, Script, paths
from meldc_runtime.kernel.conditions import Names, broken, due
from meldc_runtime.kernel.layout import Layout, NotLowered
from meldc_runtime.kernel.reading import Reader
from meldc_runtime.kernel.terms import (
    ONE,
    ZERO,
    All,
    Number,
    Some,
    Truth,
    all_of,
    any_of,
    assumed,
    at,
    at_least,
    atoms,
    certain,
    denied,
    fixed,
    minus,
    plus,
    substituted_truth,
)  # fmt: skip
from meldc_runtime.kernel.values import Card, Cards, NeedsTop, Player
from meldc_runtime.program import expressions as x
from meldc_runtime.program.declarations import Action
from meldc_runtime.program.effects import EndTurn, GoTo, LayMeld, MoveCount
from meldc_runtime.writing.folding import Folding
from meldc_runtime.writing.nodes import walk

SIMPLEST = 3
"""So many of the ways in which it can be seen that a turn can be ended are looked at."""

MOST_TESTS = 8
"""Tests for which it does not pay to leave ways out."""

MORE, WAYS = 3, 6
"""So many cards more in hand, and so many ways, are tried where one condition is to do for all
plays of an action.
"""

Tops = Mapping[str, Card | None]


class Judge:
    """Judges the plays of one layout. Raises NotLowered where the Program does not fit."""

    def __init__(self, layout: Layout) -> None:
        self.layout = layout
        self.table = layout.table
        self.program = self.table.program
        self.folding = Folding(self.table)
        self.reader = Reader(layout, self.folding)
        self.sure: dict[tuple[int, bool], Truth] = {}
        self.easy: dict[tuple[int, int], list[Truth]] = {}
        self.rules = {rule.name: rule for rule in self.program.rules}

    def top_read(self, action: int, names: Names) -> str | None:
        """The list whose top card must be known to judge a play."""
        try:
            self.base(action, names, {}, True)
        except NeedsTop as needed:
            return needed.zone
        return None

    def base(self, action: int, names: Names, tops: Tops, held: Truth) -> Truth:
        """Whether no rule about an action is broken."""
        reader = Reader(self.layout, self.folding, None, tops)
        parts = [held]
        for name in self.table.schedule.action_rules[action]:
            if name in self.layout.late:
                continue
            kept = denied(broken(reader, self.rules[name], names))
            if kept is False:
                return False
            parts.append(kept)
        return all_of(*parts)

    def late(self, action: int, names: Names) -> Truth:
        """Whether no rule about an action that looks ahead is broken."""
        names_of_rules = self.table.schedule.action_rules[action]
        late = [name for name in names_of_rules if name in self.layout.late]
        return all_of(*(denied(broken(self.reader, self.rules[name], names)) for name in late))

    def judged(self, action: int, names: Names, tops: Tops, held: Truth) -> tuple[Truth, Truth]:
        """When a play is legal as far as rules say, and when it is sure that the turn can be
        completed after it.
        """
        base = self.base(action, names, tops, held)
        if base is False:
            return False, False
        reader = Reader(self.layout, self.folding, None, tops)
        legal = self._legal(action, names, reader, base)
        if legal is False:
            return False, False
        ends = any(isinstance(e, EndTurn) for e in self.program.actions[action].effects)
        if not ends:
            easy = self.easily(action, names, reader, base)
            if easy is not False:
                return legal, easy
        sure: Truth = True
        for drawn in self._draws(action):
            done = self._surely(action, names, reader, legal, drawn, ends)
            sure = all_of(sure, done)
            if ends:
                legal = all_of(legal, assumed(done, legal))
        return legal, True if ends else assumed(sure, legal)

    def _legal(self, action: int, names: Names, reader: Reader, base: Truth) -> Truth:
        """When rules and patterns let a play be made."""

        def run(script: Script) -> Truth:
            ahead = Ahead(reader, script, base, ONE)
            Acting(self.layout, ahead, base).step(action, dict(names), scans=False)
            rest = all_of(ahead.path, ahead.given, ahead.legal)
            return all_of(ahead.path, assumed(rest, all_of(ahead.path, ahead.facts)))

        legal = any_of(*paths(run))
        if certain(legal) != legal:
            raise NotLowered("legality that depends on what is not seen")
        return legal

    def _surely(
        self, action: int, names: Names, reader: Reader, legal: Truth, drawn: Number | None,
        exact: bool,
    ) -> Truth:  # fmt: skip
        """When it is sure that the turn can be completed after a legal play; exact: when it can."""

        def run(script: Script) -> Truth:
            ahead = Ahead(reader, script, all_of(legal, self.settled), drawn)
            acting = Acting(self.layout, ahead, legal)
            acting.step(action, dict(names))
            done = self.completed(ahead, acting.flow, self.phase_of(action))
            done = all_of(ahead.path, ahead.simple(done))
            return assumed(done if exact else certain(done), all_of(legal, self.settled))

        ways = [way for way in paths(run) if way is not False]
        if exact:
            return any_of(*ways)
        return simplest(ways)

    # ---- conditions under which any play of an action is followed by an end of the turn
    def easily(self, action: int, names: Names, reader: Reader, base: Truth) -> Truth:
        """A condition that does not depend on what exactly is played, under which it is sure that
        the turn can be completed; False where there is none.
        """
        laid = self._laid(action, names)
        key = (action, laid)
        if key not in self.easy:
            self.easy[key] = [True, *self._candidates(action, laid)]
        good: list[Truth] = []
        for condition in list(self.easy[key]):
            if self._follows(action, names, reader, base, condition):
                good.append(condition)
                if laid or condition is True:
                    break
        if good and laid and good[0] is not self.easy[key][0]:
            # the next play of the action will be like this one
            self.easy[key].remove(good[0])
            self.easy[key].insert(0, good[0])
        return any_of(*good)

    def _laid(self, action: int, names: Names) -> int:
        """How many cards of the hand an action lays."""
        if not any(isinstance(effect, LayMeld) for effect in self.program.actions[action].effects):
            return 0
        numbers = [value.number for value in names.values() if isinstance(value, Cards)]
        return sum(number.constant for number in numbers) if numbers else MORE

    def _candidates(self, action: int, more: int) -> list[Truth]:
        """Ways in which the turn can be ended after an action, with some cards more in hand."""
        phase = self.phase_of(action)
        for effect in self.program.actions[action].effects:
            if isinstance(effect, GoTo) and effect.player is None:
                phase = self.table.phases[effect.phase]
        for moment in self.table.schedule.after[action]:
            for effect in self.program.moments[moment].effects:
                if isinstance(effect, GoTo) and effect.player is None:
                    phase = self.table.phases[effect.phase]
        size = self.layout.hand_size

        def with_more(truth: Truth) -> Truth:
            return substituted_truth(
                truth, lambda place: plus(at(place), fixed(-more)) if place == size else at(place)
            )

        found = {with_more(way) for way in alternatives(self.sure_at(phase))}
        return sorted(found - {False}, key=lambda way: (len(list(atoms(way))), repr(way)))[:WAYS]

    def _follows(
        self, action: int, names: Names, reader: Reader, base: Truth, condition: Truth
    ) -> bool:
        """Whether a condition makes sure that the turn can be completed after a legal play."""
        given = all_of(base, self.settled, condition)

        def run(script: Script, drawn: Number | None) -> bool:
            ahead = Ahead(reader, script, given, drawn)
            acting = Acting(self.layout, ahead, all_of(base, condition))
            acting.step(action, dict(names))
            done = self.completed(ahead, acting.flow, self.phase_of(action))
            return ahead.simple(certain(done)) is True

        for drawn in self._draws(action):
            there_is_one = False
            for follows in paths(partial(run, drawn=drawn)):
                if not follows:
                    return False
                there_is_one = True
            if not there_is_one:
                return False
        return True

    @cached_property
    def settled(self) -> Truth:
        """What holds wherever a player decides: no state moment is due and free to happen."""
        names: Names = {x.Marker.PLAYER: Player(0)}
        found: list[Truth] = []
        for index in self.table.schedule.scan:
            is_due, kept = due(self.reader, self.program.moments[index], names)
            found.append(denied(all_of(is_due, denied(kept))))
        return all_of(*found)

    def phase_of(self, action: int) -> int:
        phases = self.table.schedule.phases[action]
        if len(phases) != 1:
            raise NotLowered("actions of several phases")
        return next(iter(phases))

    def _draws(self, action: int) -> list[Number | None]:
        """How many cards a draw may bring, where an action draws."""
        effects = [e for each in self.program.actions[action].effects for e in walk(each)]
        counts = [e.count for e in effects if isinstance(e, MoveCount)]
        if not counts:
            return [None]
        count = self.folding.fold(counts[0])
        if len(counts) > 1 or not isinstance(count, x.Const) or type(count.value) is not int:
            raise NotLowered("drawing a number of cards that changes")
        return [fixed(number) for number in range(count.value + 1)]

    # ---- whether the turn can be ended
    def completed(self, ahead: Ahead, flow: Flow, phase: int, over: bool = True) -> Truth:
        """Whether the turn can surely be completed after a step. over: whether any way does, also
        the end of the deal; else an accepted end of the turn is wanted.
        """
        if flow.ended:
            return over
        if flow.ends_turn:
            return self._accepted(ahead)
        if flow.target == BACK:
            return over
        if flow.target is not None:
            phase, step = flow.target
            if step or self.program.phases[phase].begins_turn:
                return over
        later = substituted_truth(self.sure_at(phase, over), ahead.number, ahead.truth)
        return ahead.simple(later)

    def _accepted(self, ahead: Ahead) -> Truth:
        names: Names = {x.Marker.PLAYER: Player(0)}
        rules = [self.rules[name] for name in self.table.schedule.end_rules]
        kept = [denied(broken(ahead.reader, rule, names)) for rule in rules]
        return all_of(denied(ahead.blocked), *kept)

    def sure_at(self, phase: int, over: bool = True) -> Truth:
        """When one of the plays that lead to an end of the turn is surely there; over: as in
        `completed`.
        """
        if (phase, over) not in self.sure:
            self.sure[phase, over] = False  # as long as it is being worked out
            ways: list[Truth] = []
            for index, action in enumerate(self.program.actions):
                late = self.layout.late.intersection(self.table.schedule.action_rules[index])
                if (
                    phase in self.table.schedule.phases[index]
                    and len(action.params) <= 1
                    and not late
                ):
                    try:
                        ways.append(certain(self._way(index, action, phase, over)))
                    except (NotLowered, NeedsTop):
                        continue
            self.sure[phase, over] = any_of(*ways)
        return self.sure[phase, over]

    def _way(self, index: int, action: Action, phase: int, over: bool) -> Truth:
        names: Names = {x.Marker.PLAYER: Player(0)}
        if not action.params:
            return self._leads_on(index, names, phase, over)
        param = action.params[0]
        if param.type != "card" or param.mode != "one":
            return False
        domain = self.reader.value(self.reader.folded(param.domain), names)
        held = {kind: n for kind, n in domain.by_kind if n != ZERO}
        whole = len(held) == self.layout.unknown
        kinds = [*held, *([self.layout.unknown] if whole else [])]
        ways = [self._leads_on(index, {**names, param.name: Card(k)}, phase, over) for k in kinds]
        numbers = list(held.values())
        if whole:  # the cards that are not known
            numbers.append(minus(at(self.layout.hand_size), plus(*numbers)))
        alike: dict[Truth, list[Number]] = {}
        for number, way in zip(numbers, ways, strict=True):
            alike.setdefault(way, []).append(number)
        return any_of(*(all_of(at_least(plus(*some), ONE), way) for way, some in alike.items()))

    def _leads_on(self, index: int, names: Names, phase: int, over: bool) -> Truth:
        """When a play is legal and surely leads to an end of the turn."""
        base = self.base(index, names, {}, True)
        if base is False:
            return False

        def run(script: Script) -> Truth:
            given = all_of(base, self.settled)
            ahead = Ahead(self.reader, script, given)
            acting = Acting(self.layout, ahead, base)
            acting.step(index, dict(names))
            done = self.completed(ahead, acting.flow, phase, over)
            way = all_of(base, ahead.path, ahead.simple(all_of(ahead.legal, done)))
            return certain(assumed(way, self.settled))

        ways = [way for way in paths(run) if way is not False]
        return simplest(ways)


def alternatives(truth: Truth, most: int = 64) -> list[Truth]:
    """Truths without alternatives of which any makes this one true."""
    match truth:
        case Some(parts):
            return [way for part in parts for way in alternatives(part, most)][:most]
        case All(parts):
            found: list[Truth] = [True]
            for part in parts:
                ways: list[Truth] = [
                    all_of(one, way) for one in found for way in alternatives(part, most)
                ]
                found = list[Truth](way for way in ways if way is not False)[:most]
            return found
    return [truth]


def simplest(ways: Sequence[Truth]) -> Truth:
    """Some of the ways, where all of them together are too many to look at."""
    whole = any_of(*ways)
    if len(list(atoms(whole))) <= MOST_TESTS:
        return whole
    return any_of(*sorted(ways, key=lambda way: len(list(atoms(way))))[:SIMPLEST])
