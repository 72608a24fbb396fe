"""Makes plans on the machine: the plays of a choice one by one, then a play to the goal."""

from __future__ import annotations

from typing import TYPE_CHECKING

from meldc_runtime import machine
from meldc_runtime.cards import FACE
from meldc_runtime.lookahead.aims import Aim, NotKnown, Path
from meldc_runtime.lookahead.groups import Group
from meldc_runtime.lookahead.join import Choice
from meldc_runtime.lookahead.questions import Questions
from meldc_runtime.lookahead.search import Goal, blinded, completed
from meldc_runtime.program import expressions as x
from meldc_runtime.state import Play, Refused, State
from meldc_runtime.table import Env

if TYPE_CHECKING:
    pass

OTHERS = 15
"""Positions looked at for plays outside of plans after one plan."""


class Making(Questions):
    """Makes plans."""

    def made(
        self,
        state: State,
        choice: Choice,
        aim: Aim,
        goal: Goal,
        depth: int,
        ends: set[int],
        with_others: bool = False,
    ) -> Path | None:
        """The plays of a plan as the machine makes them, up to the goal; None where it does not
        come to it. `refused` says afterwards which part of it the machine has refused.
        """
        self.refused = None
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
        path: list[Play] = []
        staged = False
        for part, cards in zip(choice, faces, strict=True):
            group, outcome = part
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
                try:
                    self.apply(now, play)
                except Refused:
                    if with_others:
                        raise NotKnown from None
                    self.refused = part
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
            self.leads_nowhere = further is None
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
                try:
                    self.apply(now, play)
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

    def apply(self, state: State, play: Play) -> None:
        """Makes a play of a plan on the machine. Raises Refused."""
        env = machine.environment(state, play)
        if env is None or not machine.in_phase(state, play.action):
            raise Refused(())
        reasons = machine.rule_reasons(state, play.action, env)
        if reasons:
            raise Refused(reasons)
        state.happened = ()
        state.ended = state.again = False
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

    def _class_of(self, group: Group, card: int) -> int:
        """The local class of a card, -1 where the group does not take it."""
        return next((n for n, faces in enumerate(group.classes) if card in faces), -1)

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
