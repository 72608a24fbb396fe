"""Plans a turn: what to lay of each group so that a goal can be reached, tried out on the real
machine.

Where no plan exists the goal cannot be reached, since groups and goals are bounds from above. A
plan is made on a copy of the state; if the machine refuses it (a rule that looks beyond groups, an
order that matters), nothing is known and the search decides.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from meldc_runtime import machine
from meldc_runtime.lookahead.aims import Aim, NotKnown, Path
from meldc_runtime.lookahead.groups import Closure, Group, Step
from meldc_runtime.lookahead.join import Choice, Join, Part
from meldc_runtime.lookahead.making import Making
from meldc_runtime.lookahead.search import Goal, blinded, key_of
from meldc_runtime.program import expressions as x
from meldc_runtime.state import Play, State

if TYPE_CHECKING:
    from meldc_runtime.forms import Form
    from meldc_runtime.lookahead.looks import Look

TRIES = 12
"""Plans tried on the machine for one question."""

RELAXED_TRIES = 60
"""The same where plays outside of plans may follow."""

TRAIL = 30
"""Plays one after the other that have nothing to do with melds."""

EVERY = 60
"""Plans looked at to make sure that none leads on."""


class Planner(Making):
    """Plans at a Table."""

    def path(self, state: State, aim: Aim, goal: Goal, depth: int = 0) -> Path | None:
        """Plays from a blind state to the goal of an aim; None where it cannot be reached. Raises
        NotKnown, CutOff.
        """
        if not self.applies or aim not in self.tests:
            raise NotKnown
        if (aim.subject == "moment" or self.others) and self._is_out_of_sight(state, aim):
            return None
        found = self._by_special(state, aim, goal, depth)
        if found is not None:
            return found
        join = self.join(state, aim)
        ends = join.actions
        at_once = None
        if join.is_open_now() and not (ends <= self.ending and self._is_held_up(state)):
            at_once = self._finished(blinded(state), (), aim, goal, depth, state, ends)
        if at_once is not None:
            return at_once
        found = self._laid(state, join, aim, goal, depth)
        if found is not None:
            return found
        found = self._by_simple(state, aim, goal, depth) or self._by_others(state, aim, goal, depth)
        return (
            found
            if found is not None
            else self._finished(blinded(state), (), aim, goal, depth, state, None)
        )

    def _laid(self, state: State, join: Join, aim: Aim, goal: Goal, depth: int) -> Path | None:
        """A path that begins with laid melds; None where there is none. Raises NotKnown."""
        now = self.doubts.as_now(state)
        if len(self.settled(state)) == len(now):
            return self._first_made(state, join, aim, goal, depth)
        if next(join.choices(), None) is None:
            return None
        found = self._first_made(state, self.join(state, aim, settled=now), aim, goal, depth)
        if found is not None:
            return found
        flips = self.doubts.flips(self, state, now)
        if flips is None:
            raise NotKnown
        for choice in flips:
            found = self._after_flip(state, choice, aim, goal, depth)
            if found is not None:
                return found
        return None

    def _after_flip(
        self, state: State, choice: Choice, aim: Aim, goal: Goal, depth: int
    ) -> Path | None:
        """A path that begins with melds which change a condition on all melds."""
        faces = self._faces(state, choice)
        if faces is None:
            return None
        made = self._played(state, choice, faces, goal)
        if made is None:
            raise NotKnown
        now, path = made
        if goal(now):
            return path
        further = self.outlook.further(now, aim, goal, depth + 1)
        return None if further is None else (*path, *further)

    def _first_made(
        self, state: State, join: Join, aim: Aim, goal: Goal, depth: int
    ) -> Path | None:
        """The path of the first choice that the machine makes. Raises NotKnown where it makes none
        of those that are open.
        """
        tried: list[Choice] = []
        unknown = False
        for choice in join.choices():
            path = self._made_somehow(state, choice, join, aim, goal, depth)
            if path is not None:
                return path
            tried.append(choice)
            unknown = unknown or not self.leads_nowhere
            if len(tried) >= TRIES:
                raise NotKnown
        if unknown:
            raise NotKnown
        if tried:
            self._try_all(state, join, tried, aim, goal, depth)
        return None

    def _made_somehow(
        self, state: State, choice: Choice, join: Join, aim: Aim, goal: Goal, depth: int
    ) -> Path | None:
        """The plays of a plan, in some order: what is refused is laid earlier.
        `leads_nowhere` says afterwards whether the plan could be made and a further one could not.
        """
        self.leads_nowhere = False
        path = self.made(state, choice, aim, goal, depth, join.actions)
        moved: list[Part] = []
        while path is None and self.refused is not None and self.refused not in moved:
            late = self.refused
            moved.append(late)
            rest = tuple(part for part in choice if part is not late)
            for place in reversed(range(choice.index(late))):
                choice = (*rest[:place], late, *rest[place:])
                path = self.made(state, choice, aim, goal, depth, join.actions)
                if self.refused is not late:
                    break
        if path is None and not moved and not self.leads_nowhere and not self.commutes:
            path = self.made(state, choice[::-1], aim, goal, depth, join.actions)
        return path

    def _try_all(
        self, state: State, join: Join, tried: list[Choice], aim: Aim, goal: Goal, depth: int
    ) -> None:
        """Makes sure that every choice leads nowhere, those too that differ only in what is left in
        hand. Raises NotKnown where one does not.
        """
        for count, choice in enumerate(join.every_choice()):
            if choice in tried:
                continue
            if count >= EVERY:
                raise NotKnown
            path = self._made_somehow(state, choice, join, aim, goal, depth)
            if path is not None or not self.leads_nowhere:
                raise NotKnown

    def _is_out_of_sight(self, state: State, aim: Aim, lays: bool = False) -> bool:
        """Whether a glance shows that an aim cannot be reached; where there are melds of very many
        cards, or plays that come before plans, none is taken.
        """
        look = self.looks.of(state)
        key = ("out of sight", aim, lays)
        if key not in look.known:
            look.known[key] = self._find_whether_out_of_sight(look, aim, lays)
        return bool(look.known[key])

    def _find_whether_out_of_sight(self, look: Look, aim: Aim, lays: bool) -> bool:
        if not self._is_closed_but_for_specials(look, aim, lays):
            return False
        return not (self._specials(look.state) or self._has_candidates(look.state, self.simple))

    def _is_closed_but_for_specials(self, look: Look, aim: Aim, lays: bool) -> bool:
        """The same by counts; first as if all cards might leave the hand by plays outside of
        plans, since it takes long to find out which may.
        """
        if any(machine.in_phase(look.state, form.index) for form in self.others):
            try:
                if self.is_closed_at_a_glance(look, aim, frozenset(self._counts(look)[0]), lays):
                    return True
            except NotKnown:
                pass
            leaving = self._leaving(look)
        else:
            leaving = frozenset()
        try:
            return self.is_closed_at_a_glance(look, aim, leaving, lays)
        except NotKnown:
            return False

    def _by_simple(self, state: State, aim: Aim, goal: Goal, depth: int) -> Path | None:
        """A path that begins with a play which has nothing to do with melds: such plays may as well
        come first.
        Raises NotKnown where they go on and on.
        """
        forms = [form for form in self.simple if machine.in_phase(state, form.index)]
        plays = [play for form in forms for play in self.candidates.of(state, form)]
        if not plays:
            return None
        here = (goal, key_of(state, self.candidates))
        if here in self.trail:
            return None
        if len(self.trail) >= TRAIL:
            raise NotKnown
        self.trail.append(here)
        try:
            for play in plays:
                found = self._left(state, play, aim, goal, depth - 1, state)
                if found is not None:
                    return found
        finally:
            self.trail.pop()
        return None

    def _by_special(self, state: State, aim: Aim, goal: Goal, depth: int) -> Path | None:
        """A path that begins with a meld of very many cards; such melds are no part of plans."""
        for play in self._specials(state):
            found = self._left(state, play, aim, goal, depth, state)
            if found is not None:
                return found
        return None

    def _specials(self, state: State) -> list[Play]:
        form = self.starters[0]
        hand = state.zones[self.table.zone_slot(self.zone, state.player)]
        kinds = [
            kind for kind in self.special if self.table.program.kinds[kind].size[0] <= len(hand)
        ]
        if not kinds or not machine.in_phase(state, form.index):
            return []
        return list(
            self.candidates.start_plays(state, form, {x.Marker.PLAYER: state.player}, kinds)
        )

    def _by_others(self, state: State, aim: Aim, goal: Goal, depth: int) -> Path | None:
        """A path with plays that neither lay melds nor lead out, at its beginning or after all that
        is laid. Raises NotKnown where such plays might help otherwise.
        """
        if not self._has_others(state):
            return None
        join = self.join(state, aim, relaxed=True)
        if not join.ways:
            return None
        found = self._by_others_only(blinded(state), (), aim, goal, depth, state, join.actions)
        if found is not None:
            return found
        for tries, choice in enumerate(join.choices()):
            if tries > RELAXED_TRIES:
                raise NotKnown
            found = self.made(state, choice, aim, goal, depth, join.actions, with_others=True)
            if found is not None:
                return found
        return None

    def lays(self, form: Form) -> bool:
        """Whether an action is among those that plans are made of."""
        return self.applies and (form in self.starters or form in self.adders)

    def holds_up(self, state: State, form: Form) -> bool:
        """Whether an action that only ends the turn is refused whatever it names, since a moment is
        due and kept from happening.
        """
        return self.applies and form.index in self.ending and self._is_held_up(state)

    def first_choice(self, state: State, aim: Aim) -> Choice | None:
        """A choice of cards to lay after which a way to an aim may be open; None where there is
        none. Raises NotKnown, CutOff.
        """
        look = self.looks.of(state)
        key = ("first choice", aim)
        if key not in look.known:
            look.known[key] = self._find_first_choice(look, aim)
        choice: Choice | None = look.known[key]
        return choice

    def _find_first_choice(self, look: Look, aim: Aim) -> Choice | None:
        state = look.state
        if self._specials(state) or self._has_candidates(state, self.simple):
            raise NotKnown
        if self._is_out_of_sight(state, aim, lays=True):
            return None
        choice = next(self.join(state, aim).choices(), None)
        if choice is None and self._has_others(state):
            return next(self.join(state, aim, relaxed=True).choices(), None)
        return choice

    def _beginnings(self, look: Look, aim: Aim) -> dict[int, int]:
        """By group the steps with which what may lead to an aim can begin, as bits."""
        found: dict[int, int] | None = look.known.get(("beginnings", aim))
        if found is None:
            join = self.join(look.state, aim, relaxed=self._has_others(look.state))
            found = join.beginnings() if join.ways and join.narrow() else {}
            look.known["beginnings", aim] = found
        return found

    def might_begin(self, state: State, play: Play, aim: Aim) -> bool:
        """Whether a play that lays cards may be the first of some that lead to an aim. Raises
        NotKnown, CutOff.
        """
        look = self.looks.of(state)
        found = self._step_of(state, play)
        if found is None:
            return True
        group, step = found
        closures: dict[int, Closure] | None = look.known.get("closures by group")
        if closures is None:
            closures = {closure.group.number: closure for closure in self._now_closures(look)}
            look.known["closures by group"] = closures
        closure = closures.get(group.number)
        bit = 0 if closure is None else closure.first_steps.get(step, 0)
        return not bit or bool(self._beginnings(look, aim).get(group.number, 0) & bit)

    def goes_with(self, state: State, play: Play, choice: Choice, aim: Aim, goal: Goal) -> bool:
        """Whether a play, a choice and an end make a plan: a quick test, where order makes no
        difference.
        """
        if not self.commutes or self.outlook.has_marks or self._has_others(state):
            return False
        found = self._step_of(state, play)
        if found is None:
            return False
        group, step = found
        closure = next(
            (c for c in self._now_closures(self.looks.of(state)) if c.group is group), None
        )
        if closure is None:
            return False
        used = next((outcome.used for other, outcome in choice if other is group), None)
        fitting = [
            outcome for outcome in closure.outcomes if outcome.steps and outcome.steps[0] == step
        ]
        fitting.sort(key=lambda outcome: (outcome.used != used, len(outcome.steps)))
        others = tuple(part for part in choice if part[0] is not group)
        for outcome in fitting[:2]:
            longer = (*others, (group, outcome))
            cards = play.args[self.candidates.forms[play.action].cards_place]
            faces = self._faces(state, longer, (group, cards))
            ends = {self.table.actions[action.name] for action in self.goals.leavers}
            if (
                faces is not None
                and self._as_it_will_lie(state, longer, faces, aim, goal, 0, ends) is not None
            ):
                return True
        return False

    def _step_of(self, state: State, play: Play) -> tuple[Group, Step] | None:
        """The group that a play lays cards of, and the step that it is there."""
        form = self.candidates.forms[play.action]
        cards = play.args[form.cards_place]
        if form.starts:
            kind = play.args[form.names.index(form.kind or "")]
            for group in self.groups:
                classes = self._classes(group, cards) if kind in group.kinds else None
                if classes is not None and any(number < group.wild_from for number in classes):
                    return group, Step(kind, None, classes)
            return None
        reference = play.args[form.names.index(form.onto or "")]
        melds = state.melds[reference[0]]
        home = next(meld for meld in melds if meld.serial == reference[1])
        number = self.group_of.get((home.kind, self._place(home)))
        if number is None:
            return None
        group = self.groups[number]
        classes = self._classes(group, cards)
        base = [meld for meld in melds if group.holds(meld)].index(home)
        return None if classes is None else (group, Step(home.kind, base, classes))

    def _classes(self, group: Group, cards: tuple[int, ...]) -> tuple[int, ...] | None:
        """The local classes of cards; None where the group does not take them."""
        found = [self._class_of(group, card) for card in cards]
        return None if -1 in found else tuple(sorted(found))

    def is_out_of_reach(self, state: State, aim: Aim) -> bool:
        """Whether all ways to an aim are closed, at first sight. Raises NotKnown."""
        if (
            not self.applies
            or aim not in self.tests
            or self._specials(state)
            or self._has_candidates(state, self.simple)
        ):
            raise NotKnown
        if aim.subject == "complete" and any(
            self.candidates.forms[self.table.actions[action.name]].late
            and machine.in_phase(state, self.table.actions[action.name])
            for action in self.goals.leavers
        ):
            return False
        return self.join(state, aim, relaxed=self._has_others(state)).is_closed()

    def _has_others(self, state: State) -> bool:
        """Whether there may be plays that are neither laid melds nor lead out: they are no part of
        plans.
        """
        return any(machine.in_phase(state, form.index) for form in self.others) and bool(
            self._leaving(self.looks.of(state))
        )

    def _has_candidates(self, state: State, forms: list[Form]) -> bool:
        return any(
            machine.in_phase(state, form.index)
            and next(iter(self.candidates.of(state, form)), None) is not None
            for form in forms
        )
