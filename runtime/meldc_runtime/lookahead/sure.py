"""Conditions under which a turn can surely be ended at once, worked out from the Program when a
Table is made.

`ends[action]`: an ending action (its rules are kept) is accepted. `goes_on`: after so many cards of
the hand have been laid in a meld of a kind, some ending action is legal and accepted. Both are
sound, not complete: where they fail, the plan and the search decide. They read the state before the
play, so that a candidate need not be made to be judged.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from meldc_runtime.light import dataclass
from meldc_runtime.lookahead.footprints import Footprint, Moments, footprint
from meldc_runtime.lookahead.probes import Probe
from meldc_runtime.lookahead.ranges import (
    FAR,
    PLAYER,
    SIDE,
    Pair,
    Query,
    Reasoning,
    all_of,
    any_of,
    as_node,
    compared,
    denied,
    for_bounds,
    minus,
    most_of,
    number,
    plus,
)
from meldc_runtime.program import effects as e
from meldc_runtime.program import expressions as x
from meldc_runtime.program.declarations import Action, Moment, Param, Rule
from meldc_runtime.writing.folding import NO, YES, Folding

if TYPE_CHECKING:
    from meldc_runtime.table import Table

GONE = x.Var("cards_gone")
KIND = x.Var("kind_laid")
PHASE = x.Var("phase_now")
PARAMS = (
    (x.Marker.PLAYER, "player"),
    (GONE.name, "number"),
    (KIND.name, "kind"),
    (PHASE.name, "number"),
)


@dataclass(frozen=True, slots=True)
class Ending:
    """An action that ends the turn by itself; card: its parameter, a card of the hand that leaves
    it.
    """

    action: Action
    card: Param | None
    zone: str


class AfterStep(Reasoning):
    """What is known after cards have left the hand of the acting player, perhaps for one meld of
    the side.
    """

    def __init__(
        self,
        table: Table,
        folding: Folding,
        zone: str,
        gone: x.Expr,
        marks: Footprint,
        grows: bool = False,
    ) -> None:
        """zone: the hand. gone: how many cards have left it. grows: whether cards may have come to
        it.
        """
        super().__init__(table, folding)
        self.grows = grows
        self.zone = zone
        self.gone = gone
        self.marks = marks

    def changed(self, node: x.Expr) -> bool:
        match node:
            case x.Remembered(memory):
                return memory in self.marks.written
            case x.ZoneCards(zone, owner):
                return zone in self.marks.zones and not self.is_others(owner)
            case x.MeldsOf(owner):
                return self.marks.lays and not isinstance(owner, x.Opponents)
            case x.Can() | x.Only() | x.Joined() | x.CurrentPhase() | x.Unmelded():
                return True
        return False

    def is_others(self, owner: x.Expr | None) -> bool:
        match owner:
            case x.Opponents(side) | x.PlayersOf(x.Opponents(side)):
                return side == SIDE
            case x.Partners(player) | x.Neighbour(player):
                return player == PLAYER
        return False

    def memory(self, node: x.Remembered) -> x.Expr | None:
        return self.marks.written[node.memory]

    def query(self, query: Query) -> Pair:
        low, high = super().query(query)
        match query.source:
            case x.ZoneCards(zone, owner) if zone == self.zone and query.by is None:
                must, may = self.truth(query.where)
                low = minus(as_node(replace(query, where=must)), self.gone)
                high = as_node(replace(query, where=may))
                if self.grows:
                    high = number(FAR)
                elif query.where == YES and owner in (PLAYER, x.Acting()):
                    return minus(high, self.gone), minus(high, self.gone)
                return most_of(number(0), low), high
            case x.MeldsOf(owner) if owner == SIDE and query.by is None:
                must, may = self.truth(query.where)
                of_kind = _kind_asked(query)
                more: x.Expr = number(1)
                if of_kind is not None:
                    more = x.If(x.Compare("=", KIND, of_kind), number(1), number(0))
                low = most_of(
                    number(1 if query.where == YES else 0),
                    minus(as_node(replace(query, where=must)), more),
                )
                return low, plus(as_node(replace(query, where=may)), more)
        return low, high


def _kind_asked(query: Query) -> x.Expr | None:
    """The one kind of meld that a condition is about, if it can hold for no other."""
    parts = query.where.operands if isinstance(query.where, x.And) else (query.where,)
    for part in parts:
        match part:
            case x.Compare("=", x.MeldAttr(x.Var(name), "kind"), x.Const() as kind) if (
                name == query.var
            ):
                return kind
    return None


class Sure:
    """Writes the conditions of a Table as definitions."""

    def __init__(self, table: Table, folding: Folding, moments: Moments) -> None:
        self.table = table
        self.folding = folding
        self.moments = moments
        self.endings = [
            ending
            for action in table.program.actions
            if (ending := self.ending(action)) is not None
        ]
        self.at_end = self._rules_at_end()

    def _rules_at_end(self) -> list[Rule]:
        """The rules about what happens at the end of a turn."""
        program, schedule = self.table.program, self.table.schedule
        indices = list(schedule.end_turn)
        for index in indices:
            indices += [after for after in schedule.after_moment[index] if after not in indices]
        return [rule for i in indices for rule in self.moments.rules[program.moments[i].name]]

    def ending(self, action: Action) -> Ending | None:
        """The action as an ending, if it always ends the turn and does nothing else but move one
        card and remember.
        """
        if e.EndTurn() not in action.effects or len(action.params) > 1:
            return None
        card = action.params[0] if action.params else None
        zone = ""
        for effect in action.effects:
            match effect:
                case e.EndTurn() | e.Become() | e.Gain() | e.Let():
                    pass
                case e.MoveCards(x.Var(name), e.ZoneRef(source, owner)) if (
                    card is not None and name == card.name
                ):
                    if owner not in (PLAYER, x.Acting()):
                        return None
                    zone = source
                case _:
                    return None
        if card is not None and (
            card.mode != "one" or not zone or card.domain != x.ZoneCards(zone, PLAYER)
        ):
            return None
        return Ending(action, card, zone)

    # ---- conditions
    def accepted(
        self, ending: Ending, before: Footprint, zone: str, gone: x.Expr, grows: bool = False
    ) -> x.Expr:
        """That an ending whose own rules are kept is accepted, after `gone` cards have left the
        hand already. Where the same player might have to act again, nothing is sure.
        """
        if not self.table.course.hands_over:
            return NO
        marks = Footprint()
        marks.add(before)
        own = footprint(self.folding.fold(effect) for effect in ending.action.effects)
        own.flow = own.moves = False
        marks.add(own, certain=True)
        marks.zones |= own.zones
        left = plus(gone, number(1)) if ending.card is not None else gone
        around = self.moments.around(ending.action.name)
        watched = [m for m in (*around, *self.moments.state) if not self.moments.is_harmless(m)]
        for moment in (*around, *self.moments.state):
            if self.moments.is_harmless(moment):
                marks.add(self.moments.footprints[moment.name])
        world = AfterStep(self.table, self.folding, zone or ending.zone, left, marks, grows)
        quiet = [denied(world.truth(self.fold(moment.when))[1]) for moment in watched]
        rules = [rule for rule in self.table.program.rules if rule.end_of_turn]
        return all_of(*quiet, *(self.kept(world, rule) for rule in rules + self.at_end))

    def kept(self, world: Reasoning, rule: Rule, names: dict[str, x.Expr] | None = None) -> x.Expr:
        """That a rule is surely not broken."""
        when, unless, requires = (
            self.fold(part, names) for part in (rule.when, rule.unless, rule.requires)
        )
        kept = [denied(world.truth(when)[1])] if when is not None else []
        kept += [world.truth(part)[0] for part in (unless, requires) if part is not None]
        return any_of(*kept)

    def fold(self, node: x.Expr | None, names: dict[str, x.Expr] | None = None) -> x.Expr | None:
        return None if node is None else for_bounds(self.folding.fold(node), names or {})

    def ends(self, ending: Ending) -> x.Expr:
        """That an ending whose own rules are kept is accepted now."""
        return self.accepted(ending, Footprint(), "", number(0))

    def goes_on(self, laying: Action | None) -> x.Expr:
        """That after `GONE` cards of the hand have been laid in a meld of kind `KIND` the turn can
        be ended at once; None: as it is now.
        """
        marks = Footprint()
        around = [] if laying is None else self.moments.around(laying.name)
        if laying is not None:
            own = footprint(self.folding.fold(effect) for effect in laying.effects)
            if own.flow or own.moves:
                return NO
            marks.add(own, certain=True)
        watched = [m for m in (*around, *self.moments.state) if not self.moments.is_harmless(m)]
        for moment in (*around, *self.moments.state):
            if self.moments.is_harmless(moment):
                marks.add(self.moments.footprints[moment.name])
        gone: x.Expr = GONE if laying is not None else number(0)
        ways = []
        for ending in self.endings:
            zone = ending.zone or next(iter(marks.zones), "")
            world = AfterStep(self.table, self.folding, zone, gone, marks)
            quiet = (
                [denied(world.truth(self.fold(moment.when))[1]) for moment in watched]
                if laying is not None
                else []
            )
            ways.append(
                all_of(
                    self.in_phase(ending),
                    *quiet,
                    self.possible(ending, world),
                    self.accepted(ending, marks, zone, gone),
                )
            )
        return any_of(*ways)

    def in_phase(self, ending: Ending) -> x.Expr:
        """That it is a phase in which an ending is declared."""
        phases = [self.table.phases[name] for name in ending.action.phases]
        return any_of(*(x.Compare("=", PHASE, number(phase)) for phase in phases))

    def goes_on_after_drawing(self, action: Action) -> x.Expr | None:
        """That after cards have come to the hand the turn can be ended at once; None where an
        action does something else.
        """
        phase = self._draws_for(action)
        if phase is None:
            return None
        marks = footprint(self.folding.fold(effect) for effect in action.effects)
        around = self.moments.around(action.name)
        for moment in (*around, *self.moments.state):
            if moment in around and not self._only_ends_deal(moment):
                if self.moments.rules[moment.name] or not self._only_moves_to_hand(moment):
                    return None
                marks.add(self.moments.footprints[moment.name])
            elif self.moments.is_harmless(moment):
                marks.add(self.moments.footprints[moment.name])
        watched = [m for m in self.moments.state if not self.moments.is_harmless(m)]
        ways = []
        for ending in self.endings:
            if phase not in ending.action.phases or not ending.zone:
                continue
            world = AfterStep(self.table, self.folding, ending.zone, number(0), marks, grows=True)
            quiet = [denied(world.truth(self.fold(moment.when))[1]) for moment in watched]
            accepted = self.accepted(ending, marks, ending.zone, number(0), grows=True)
            ways.append(all_of(*quiet, self.possible(ending, world), accepted))
        return any_of(*ways)

    def _draws_for(self, action: Action) -> str | None:
        """The phase that an action leads to which does nothing but bring cards to the hand, and
        remember.
        """
        hands = {ending.zone for ending in self.endings}
        phase = None
        for effect in action.effects:
            match effect:
                case e.Let() | e.Become() | e.Gain():
                    pass
                case e.MoveCount(_, source, to) if to.zone in hands and source.zone not in hands:
                    pass
                case e.GoTo(name, None) if not self._begins_turn(name):
                    phase = name
                case _:
                    return None
        return None if action.params else phase

    def _begins_turn(self, name: str) -> bool:
        return any(phase.name == name and phase.begins_turn for phase in self.table.program.phases)

    def _only_ends_deal(self, moment: Moment) -> bool:
        return moment.effects == (e.EndDeal(),) and not self.moments.rules[moment.name]

    def _only_moves_to_hand(self, moment: Moment) -> bool:
        hands = {ending.zone for ending in self.endings}
        moves = (e.MoveCount, e.MoveCards, e.Become, e.Gain)
        return all(
            isinstance(effect, moves)
            and (
                not isinstance(effect, (e.MoveCount, e.MoveCards))
                or effect.source.zone not in hands
            )
            for effect in moment.effects
        )

    def possible(self, ending: Ending, world: AfterStep) -> x.Expr:
        """That the rules about an ending are surely kept, by some card of the hand where it has
        one.
        """
        rules = [rule for rule in self.table.program.rules if ending.action.name in rule.actions]
        if any(rule.soft == "otherwise" for rule in rules):
            return NO
        firm = [rule for rule in rules if not rule.soft]
        if ending.card is None:
            return all_of(*(self.kept(world, rule) for rule in firm))
        var = "card__one"
        names: dict[str, x.Expr] = {ending.card.name: x.Var(var)}
        where = all_of(*(self.kept(world, rule, names) for rule in firm))
        cards = x.Count(
            x.ZoneCards(ending.zone, PLAYER),
            var if where != YES else "",
            None if where == YES else where,
        )
        return NO if where == NO else compared(">", cards, world.gone)

    def probes(self) -> dict[str, Probe]:
        """All conditions: `ends ACTION`, `goes on` (as it is now) and `goes on after ACTION`."""
        found = {f"ends {ending.action.name}": self.ends(ending) for ending in self.endings}
        found["goes on"] = self.goes_on(None)
        for action in self.table.program.actions:
            drawn = self.goes_on_after_drawing(action)
            if drawn is not None:
                found[f"goes on after drawing by {action.name}"] = drawn
            if any(isinstance(effect, e.LayMeld) for effect in action.effects):
                found[f"goes on after {action.name}"] = self.goes_on(action)
        return {
            name: Probe(PARAMS, self.folding.fold(body), "yes_no") for name, body in found.items()
        }
