"""What plays outside of plans, neither laid melds nor plays that lead out, may do to the hand."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any

from meldc_runtime import machine
from meldc_runtime.cards import FACE
from meldc_runtime.lookahead.groups import Closure
from meldc_runtime.lookahead.knowledge import Knowledge
from meldc_runtime.lookahead.looks import Look
from meldc_runtime.lookahead.probes import Function
from meldc_runtime.lookahead.search import blinded
from meldc_runtime.program import expressions as x
from meldc_runtime.program.effects import MoveCards, MoveCount, MoveUntil
from meldc_runtime.state import Meld, State
from meldc_runtime.writing.nodes import walk

if TYPE_CHECKING:
    from meldc_runtime.forms import Form
    from meldc_runtime.program.declarations import Param


class Outside(Knowledge):
    """Judges plays outside of plans."""

    def _now_closures(self, look: Look) -> list[Closure]:
        """What can be laid of each group; known to the class that asks questions."""
        raise NotImplementedError

    def _leaving(self, look: Look, lays: bool = True) -> frozenset[int]:
        """The kinds of card in hand that might leave it by plays outside of plans, after plans if
        anything is laid.
        """
        key = ("leaving", lays)
        if key not in look.known:
            look.known[key] = frozenset(self._find_leaving(look, lays))
        found: frozenset[int] = look.known[key]
        return found

    def _find_leaving(self, look: Look, lays: bool) -> set[int]:
        state = look.state
        hand = {
            self.coarse.of[card & FACE]: card & FACE
            for card in state.zones[self.table.zone_slot(self.zone, state.player)]
        }
        found: set[int] = set()
        for form in self.others:
            if machine.in_phase(state, form.index):
                found |= self._leaving_by(look, form, hand, lays)
        return found

    def _leaving_by(self, look: Look, form: Form, hand: dict[int, int], lays: bool) -> set[int]:
        """The kinds of card in hand (with a face of each) that might leave it by an action, on the
        melds that lie or might be begun.
        """
        hands = [
            p for p in form.action.params if p.source is not None and p.source.zone == self.zone
        ]
        homes = [p for p in form.action.params if p.type == "meld"]
        if len(hands) != 1 or len(hands) + len(homes) != len(form.action.params) or len(homes) > 1:
            return set(hand)
        state = look.state
        card, melds = hands[0], self._homes(look, form, homes[0].name, lays) if homes else None
        if melds is not None and not melds:
            return set()
        env: dict[str, Any] = {x.Marker.PLAYER: state.player}
        among = (
            set(self.candidates.domain(state, form, card.name, env))
            if card.mode == "some"
            else set(hand.values())
        )
        return {
            kind
            for kind, face in hand.items()
            if face in among and self._is_allowed(state, form, card, face, homes, melds)
        }

    def _is_allowed(
        self,
        state: State,
        form: Form,
        card: Param,
        face: int,
        homes: list[Param],
        melds: list[Meld] | None,
    ) -> bool:
        """Whether the rules about an action let a card go, on one of these melds if it names
        one.
        """
        env: dict[str, Any] = {x.Marker.PLAYER: state.player}
        env[card.name] = face if card.mode == "one" else (face,)
        rules = [self.table.code.rules[name] for stage in form.rules for name in stage]
        if melds is None:
            return not any(rule(state, env) for rule in rules)
        for meld in melds:
            env[homes[0].name] = meld
            if not any(rule(state, env) for rule in rules):
                return True
        return False

    @cached_property
    def brings(self) -> bool:
        """Whether cards may come to the hand by plays outside of plans."""
        return any(self._brings(form) for form in self.others)

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

    def _homes(self, look: Look, form: Form, name: str, lays: bool) -> list[Meld]:
        """The melds that a parameter of an action might range over after some plan."""
        state = look.state
        domain = self.table.code.param_domain[form.action.name, name]
        after = blinded(state)
        side = self.table.side_of(state.player)
        found = [meld for meld in state.melds[side] if self._ranges_over(after, domain, side, meld)]
        for closure in self._now_closures(look) if lays else ():
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
