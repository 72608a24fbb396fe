"""What plays outside of plans, neither laid melds nor plays that lead out, may do to the hand."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from meldc_runtime import machine
from meldc_runtime.cards import FACE
from meldc_runtime.lookahead.groups import Closure
from meldc_runtime.lookahead.knowledge import Knowledge
from meldc_runtime.lookahead.probes import Function
from meldc_runtime.lookahead.search import blinded
from meldc_runtime.program import expressions as x
from meldc_runtime.program.effects import MoveCards, MoveCount, MoveUntil
from meldc_runtime.state import Meld, State
from meldc_runtime.writing.nodes import walk

if TYPE_CHECKING:
    from meldc_runtime.forms import Form


class Outside(Knowledge):
    """Judges plays outside of plans."""

    def _now_closures(self, state: State) -> list[Closure]:
        """What can be laid of each group; known to the class that asks questions."""
        raise NotImplementedError

    def _leaving(self, state: State, lays: bool = True) -> set[int]:
        """The kinds of card in hand that might leave it by plays outside of plans, after plans if
        anything is laid.
        """
        hand = {
            self.coarse.of[card & FACE]: card & FACE
            for card in state.zones[self.table.zone_slot(self.zone, state.player)]
        }
        forms = [form for form in self.others if machine.in_phase(state, form.index)]
        return {
            kind
            for kind, face in hand.items()
            if any(self._may_leave(state, form, face, lays) for form in forms)
        }

    def _brings(self, form: Form) -> bool:
        """Whether cards may come to the hand by an action."""
        chain = [
            form.action.effects,
            *(m.effects for m in self.goals.moments.around(form.action.name)),
        ]
        moves = [part for effects in chain for effect in effects for part in walk(effect)]
        return any(
            isinstance(p, (MoveCount, MoveCards, MoveUntil)) and p.to.zone == self.zone
            for p in moves
        )

    def _may_leave(self, state: State, form: Form, face: int, lays: bool) -> bool:
        """Whether a card of the hand might leave it by an action, on the melds that lie or might be
        begun.
        """
        hands = [
            p for p in form.action.params if p.source is not None and p.source.zone == self.zone
        ]
        homes = [p for p in form.action.params if p.type == "meld"]
        if len(hands) != 1 or len(hands) + len(homes) != len(form.action.params) or len(homes) > 1:
            return True
        env: dict[str, Any] = {x.Marker.PLAYER: state.player}
        if (
            face not in self.candidates.domain(state, form, hands[0].name, env)
            and hands[0].mode == "some"
        ):
            return False
        env[hands[0].name] = face if hands[0].mode == "one" else (face,)
        if not homes:
            return not any(
                self.table.code.rules[name](state, env) for stage in form.rules for name in stage
            )
        for meld in self._homes(state, form, homes[0].name, lays):
            env[homes[0].name] = meld
            if not any(
                self.table.code.rules[name](state, env) for stage in form.rules for name in stage
            ):
                return True
        return False

    def _homes(self, state: State, form: Form, name: str, lays: bool) -> list[Meld]:
        """The melds that a parameter of an action might range over after some plan."""
        domain = self.table.code.param_domain[form.action.name, name]
        after = blinded(state)
        side = self.table.side_of(state.player)
        found = [meld for meld in state.melds[side] if self._ranges_over(after, domain, side, meld)]
        for closure in self._now_closures(state) if lays else ():
            key = ("homes", form.index, state.player)
            if key not in closure.views:
                melds = {id(meld): meld for outcome in closure.outcomes for meld in outcome.melds}
                closure.views[key] = [
                    m for m in melds.values() if self._ranges_over(after, domain, side, m)
                ]
            found += closure.views[key]
        return found

    def _ranges_over(self, state: State, domain: Function, side: int, meld: Meld) -> bool:
        state.melds[side] = [meld]
        return meld in domain(state, {x.Marker.PLAYER: state.player})
