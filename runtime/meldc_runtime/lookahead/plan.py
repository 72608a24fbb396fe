"""Plans a turn: what to lay of each group so that a goal can be reached, tried out on the real
machine.

Where no plan exists the goal cannot be reached, since groups and goals are bounds from above. A
plan is made on a copy of the state; if the machine refuses it (a rule that looks beyond groups, an
order that matters), nothing is known and the search decides.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from meldc_runtime import machine
from meldc_runtime.cards import FACE
from meldc_runtime.lookahead.goals import Aim
from meldc_runtime.lookahead.groups import Group, Step
from meldc_runtime.lookahead.join import Choice, Join
from meldc_runtime.lookahead.questions import NotKnown, Questions
from meldc_runtime.lookahead.search import Goal, blinded, completed
from meldc_runtime.program import expressions as x
from meldc_runtime.state import Play, Refused, State
from meldc_runtime.table import Env

if TYPE_CHECKING:
    from meldc_runtime.forms import Form

TRIES = 12
"""Plans tried on the machine for one question."""

RELAXED_TRIES = 60
"""The same where plays outside of plans may follow."""

OTHERS = 15
"""Positions looked at for plays outside of plans after one plan."""

Path = tuple[Play, ...]


class Planner(Questions):
    """Plans at a Table."""

    def path(self, state: State, aim: Aim, goal: Goal, depth: int = 0) -> Path | None:
        """Plays from a blind state to the goal of an aim; None where it cannot be reached. Raises
        NotKnown, CutOff.
        """
        if not self.applies or aim not in self.tests:
            raise NotKnown
        if (
            aim.subject == "moment"
            and self._is_plain(state)
            and self.is_closed_at_a_glance(state, aim)
        ):
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

    def _played(
        self, state: State, choice: Choice, faces: list[list[int]], goal: Goal
    ) -> tuple[State, Path] | None:
        """The state after a choice, or at the goal on the way; None where the machine refuses."""
        now = blinded(state)
        path: list[Play] = []
        for (group, outcome), cards in zip(choice, faces, strict=True):
            side = self.table.side_of(state.player)
            refs = [(meld.owner, meld.serial) for meld in state.melds[side] if group.holds(meld)]
            left = list(cards)
            for step in outcome.steps:
                laid = [left.pop(0) for _ in step.classes]
                play = self._play(step.kind, step.base, laid, refs)
                now.happened = ()
                try:
                    self._apply(now, play)
                except Refused:
                    return None
                path.append(play)
                if goal(now):
                    return now, tuple(path)
                if completed(now, state.player, state.turn):
                    return None
                if step.base is None:
                    refs.append((side, now.serial))
        return now, tuple(path)

    def _first_made(
        self, state: State, join: Join, aim: Aim, goal: Goal, depth: int
    ) -> Path | None:
        """The path of the first choice that the machine makes. Raises NotKnown where it makes none
        of those that are open.
        """
        tries = 0
        for choice in join.choices():
            path = self.made(state, choice, aim, goal, depth, join.actions)
            if path is None and not self.commutes and len(choice) > 1:
                path = self.made(state, choice, aim, goal, depth, join.actions, backwards=True)
            if path is not None:
                return path
            tries += 1
            if tries >= TRIES:
                raise NotKnown
        if tries:
            raise NotKnown
        return None

    def _is_plain(self, state: State) -> bool:
        """Whether there are no plays outside of plans, and no melds of very many cards."""
        return (
            not self._specials(state)
            and not self._has_candidates(state, self.simple)
            and not self._has_others(state)
        )

    def _by_simple(self, state: State, aim: Aim, goal: Goal, depth: int) -> Path | None:
        """A path that begins with a play which has nothing to do with melds: such plays may as well
        come first.
        """
        for form in self.simple:
            if machine.in_phase(state, form.index):
                for play in self.candidates.of(state, form):
                    found = self._left(state, play, aim, goal, depth - 1, state)
                    if found is not None:
                        return found
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

    def _by_others_only(
        self, now: State, path: Path, aim: Aim, goal: Goal, depth: int, start: State, ends: set[int]
    ) -> Path | None:
        """The path with plays outside of plans and an end. Raises NotKnown where there are too many
        of them to try.
        """
        if self.join(now, aim, relaxed=True, lays=False).is_closed():
            return None
        left = [OTHERS]
        found = self._with_others(now, path, aim, goal, depth, start, ends, left)
        if found is None and left[0] < 0:
            raise NotKnown
        return found

    def _with_others(
        self,
        now: State,
        path: Path,
        aim: Aim,
        goal: Goal,
        depth: int,
        start: State,
        ends: set[int],
        left: list[int],
    ) -> Path | None:
        """The path with plays that neither lay melds nor lead out, then an end."""
        left[0] -= 1
        if left[0] < 0:
            return None
        for form in self.others:
            if not machine.in_phase(now, form.index):
                continue
            for play in self.candidates.of(now, form):
                after = self.outlook.search.made(now, play, aim.last_resort)
                if after is None or self.candidates.late_broken(now, play):
                    continue
                longer = (*path, play)
                if goal(after):
                    return longer
                if completed(after, start.player, start.turn):
                    continue
                found = self._finished(after, longer, aim, goal, depth, start, ends)
                if found is None:
                    found = self._with_others(after, longer, aim, goal, depth, start, ends, left)
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
        if self._specials(state) or self._has_candidates(state, self.simple):
            raise NotKnown
        choice = next(self.join(state, aim).choices(), None)
        if choice is None and self._has_others(state):
            return next(self.join(state, aim, relaxed=True).choices(), None)
        return choice

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
        closure = next((c for c in self._now_closures(state) if c.group is group), None)
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

    def _class_of(self, group: Group, card: int) -> int:
        """The local class of a card, -1 where the group does not take it."""
        return next((n for n, faces in enumerate(group.classes) if card in faces), -1)

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
            self._leaving(state)
        )

    def _has_candidates(self, state: State, forms: list[Form]) -> bool:
        return any(
            machine.in_phase(state, form.index)
            and next(iter(self.candidates.of(state, form)), None) is not None
            for form in forms
        )

    def made(
        self,
        state: State,
        choice: Choice,
        aim: Aim,
        goal: Goal,
        depth: int,
        ends: set[int],
        with_others: bool = False,
        backwards: bool = False,
    ) -> Path | None:
        """The plays of a plan as the machine makes them, up to the goal; None where it does not
        come to it.
        """
        faces = self._faces(state, choice)
        if faces is None:
            return None
        if (
            self.commutes
            and aim.subject == "complete"
            and not with_others
            and not self.outlook.has_marks
        ):
            quick = self._as_it_will_lie(state, choice, faces, aim, goal, depth, ends)
            if quick is not None:
                return quick
        now = blinded(state)
        if backwards:
            choice, faces = choice[::-1], faces[::-1]
        path: list[Play] = []
        staged = False
        for (group, outcome), cards in zip(choice, faces, strict=True):
            refs = [
                (meld.owner, meld.serial)
                for meld in state.melds[self.table.side_of(state.player)]
                if group.holds(meld)
            ]
            place = 0
            for step in outcome.steps:
                laid = cards[place : place + len(step.classes)]
                place += len(step.classes)
                play = self._play(step.kind, step.base, laid, refs)
                now.happened = ()
                try:
                    self._apply(now, play)
                except Refused:
                    if with_others:
                        raise NotKnown from None
                    return None
                path.append(play)
                staged = staged or any(
                    now.memory[slot] != state.memory[slot] for slot in self.staged
                )
                if goal(now):
                    return tuple(path)
                if completed(now, state.player, state.turn):
                    return None
                if step.base is None:
                    refs.append((self.table.side_of(state.player), now.serial))
                if aim.subject == "complete" and self.outlook.is_sure(now):
                    return tuple(path)
        if not staged and self.doubts.conditions:
            staged = self.doubts.as_now(now) != self.doubts.as_now(state)
        if staged:
            further = self.outlook.further(now, aim, goal, depth + 1)
            return None if further is None else (*path, *further)
        if with_others:
            return self._by_others_only(now, tuple(path), aim, goal, depth, state, ends)
        done = self._finished(now, tuple(path), aim, goal, depth, state, ends)
        return (
            done
            if done is not None
            else self._finished(now, tuple(path), aim, goal, depth, state, None)
        )

    def _as_it_will_lie(
        self,
        state: State,
        choice: Choice,
        faces: list[list[int]],
        aim: Aim,
        goal: Goal,
        depth: int,
        ends: set[int],
    ) -> Path | None:
        """The plays of a plan, if the state that they lead to ends the deal or can be ended; that
        state is put together, not played.

        Only where it makes no difference in which order melds are laid, and when what follows
        happens.
        """
        now = blinded(state)
        side = self.table.side_of(state.player)
        hand = now.zones[self.table.zone_slot(self.zone, state.player)]
        own = now.melds[side]
        path: list[Play] = []
        begun = 0
        for (group, outcome), cards in zip(choice, faces, strict=True):
            old = [meld for meld in state.melds[side] if group.holds(meld)]
            own[:] = [meld for meld in own if meld not in old]
            own += outcome.melds
            refs = [(side, meld.serial) for meld in old]
            place = 0
            for step in outcome.steps:
                laid = cards[place : place + len(step.classes)]
                place += len(step.classes)
                path.append(self._play(step.kind, step.base, laid, refs))
                if step.base is None:
                    begun += 1
                    refs.append((side, state.serial + begun))
            for card in cards:
                hand.remove(card)
        settled = self._settles(now)
        if settled is None:
            return tuple(path)
        return self._finished(now, tuple(path), aim, goal, depth, state, ends) if settled else None

    def _settles(self, state: State) -> bool | None:
        """Lets happen what follows from laid melds; whether that was nothing but what may follow at
        any time. None: the end of the deal.
        """
        code, schedule = self.table.code, self.table.schedule
        env: Env = {x.Marker.PLAYER: state.player}
        moments = self.table.program.moments
        for moment in schedule.after[self.starters[0].index]:
            code.effects[moments[moment].name](state, env)
        done = 0
        while (place := code.next_moment(state, env, done)) >= 0:
            moment = schedule.scan[place]
            if moment in self.last:
                return None
            if moment not in self.settling:
                return False
            done |= 1 << place
            code.effects[moments[moment].name](state, env)
        return True

    def _apply(self, state: State, play: Play) -> None:
        """Makes a play of a plan on the machine. Raises Refused."""
        env = machine.environment(state, play)
        if env is None or not machine.in_phase(state, play.action):
            raise Refused(())
        reasons = machine.rule_reasons(state, play.action, env)
        if reasons:
            raise Refused(reasons)
        machine.perform(state, play, env)

    def _finished(
        self,
        now: State,
        path: Path,
        aim: Aim,
        goal: Goal,
        depth: int,
        start: State,
        ends: set[int] | None,
    ) -> Path | None:
        """The path with the play that reaches the goal, perhaps by way of a new phase or new cards.
        ends: the actions that come into question; None for those whose rules look ahead.
        """
        if aim.subject == "complete" and ends is not None and self.outlook.is_sure(now):
            return path
        held_up = self._is_held_up(now)
        for action in self.goals.leavers:
            form = self.candidates.forms[self.table.actions[action.name]]
            if bool(form.late) == (ends is not None) or (held_up and form.index in self.ending):
                continue
            if (ends is not None and form.index not in ends) or not machine.in_phase(
                now, form.index
            ):
                continue
            for play in self.candidates.of(now, form):
                found = self._left(now, play, aim, goal, depth, start)
                if found is not None:
                    return (*path, *found)
        if ends is not None and self._grown(start, now, path):
            further = self.outlook.further(now, aim, goal, depth + 1)
            return None if further is None else (*path, *further)
        return None

    def _left(
        self, now: State, play: Play, aim: Aim, goal: Goal, depth: int, start: State
    ) -> Path | None:
        """A play that leads out, and what further leads to the goal."""
        after = self.outlook.search.made(now, play, aim.last_resort)
        if after is None:
            return None
        reached = goal(after)
        if not reached and completed(after, start.player, start.turn):
            return None
        if self.candidates.late_broken(now, play):
            return None
        if reached:
            return (play,)
        further = self.outlook.further(after, aim, goal, depth + 1)
        return None if further is None else (play, *further)

    def _is_held_up(self, state: State) -> bool:
        """Whether a state moment is due and kept from happening, so that the turn can't be ended by
        an action that only ends it.
        """
        env = {x.Marker.PLAYER: state.player}
        for when, rules in self.blockable:
            if when(state, env) and any(
                rule(state, env) for name, rule in rules if name != state.without
            ):
                return True
        return False

    def _grown(self, start: State, now: State, path: Path) -> bool:
        """Whether more cards are in hand than a plan has left there."""
        slot = self.table.zone_slot(self.zone, start.player)
        forms = [self.candidates.forms[play.action] for play in path]
        laid = sum(
            len(play.args[form.cards_place])
            for play, form in zip(path, forms, strict=True)
            if form.cards
        )
        return len(now.zones[slot]) > len(start.zones[slot]) - laid

    def _faces(
        self, state: State, choice: Choice, first: tuple[Group, tuple[int, ...]] | None = None
    ) -> list[list[int]] | None:
        """The faces that each outcome of a choice lays, in the order of its steps; runs choose
        first, since they need very cards. None where the hand has not enough. first: very cards
        for the first step of a group.
        """
        left = sorted(
            card & FACE for card in state.zones[self.table.zone_slot(self.zone, state.player)]
        )
        taken = () if first is None else first[1]
        for face in taken:
            left.remove(face)
        chosen: list[list[int]] = []
        for group, outcome in choice:
            cards: list[int] = []
            steps = outcome.steps
            if first is not None and group is first[0]:
                numbered = sorted((self._class_of(group, face), face) for face in taken)
                cards += [face for _, face in numbered]
                steps = steps[1:]
            for step in steps:
                for number in step.classes:
                    fitting = [card for card in left if card in group.classes[number]]
                    if not fitting:
                        return None
                    left.remove(fitting[0])
                    cards.append(fitting[0])
            chosen.append(cards)
        return chosen

    def _play(
        self, kind: int, base: int | None, cards: list[int], refs: list[tuple[int, int]]
    ) -> Play:
        form = self.starters[0] if base is None else self.adders[0]
        values = {form.cards: tuple(sorted(cards))}
        if base is None:
            values[form.kind] = kind  # type: ignore[assignment]
        else:
            values[form.onto] = refs[base]
        return Play(form.index, tuple(values[name] for name in form.names))


__all__ = ["Aim", "NotKnown", "Path", "Planner"]
