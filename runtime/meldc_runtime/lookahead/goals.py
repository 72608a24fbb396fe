"""Goals of a turn, as conditions over facts that hold wherever the goal can still be reached.

A goal is reached in one of several ways: an action that ends the turn or leads out of the phase; a
moment that ends the deal; a moment that brings new cards (then a new plan is made). For each way
the rules about it are turned into what may hold at the end of a plan.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from meldc_runtime.light import dataclass
from meldc_runtime.lookahead.aims import Aim
from meldc_runtime.lookahead.asking import all_denied, asked_in
from meldc_runtime.lookahead.facts import PlanWorld, Registry, reads
from meldc_runtime.lookahead.footprints import Footprint, Moments, footprint, is_last
from meldc_runtime.lookahead.ranges import (
    PLAYER,
    all_of,
    any_of,
    compared,
    denied,
    for_bounds,
    number,
)
from meldc_runtime.program import effects as e
from meldc_runtime.program import expressions as x
from meldc_runtime.program.declarations import Action, Moment, Rule
from meldc_runtime.writing.folding import NO, YES, Folding
from meldc_runtime.writing.nodes import free_names, walk

if TYPE_CHECKING:
    from meldc_runtime.table import Table


@dataclass(frozen=True, slots=True)
class Way:
    """A way to an aim. action: by which it ends, None where laying alone leads there. moment: that
    brings new cards, after which another plan must lead on. by: an action that must be possible in
    the phase, too, since the way is open only because of it.
    """

    action: Action | None
    condition: x.Expr
    moment: str = ""
    by: Action | None = None


class Goals:
    """Writes goals as conditions. layers: names of the actions that a plan consists of; zone: the
    hand their cards come from.
    """

    def __init__(
        self, table: Table, folding: Folding, moments: Moments, layers: list[Action], zone: str
    ) -> None:
        self.table = table
        self.folding = folding
        self.moments = moments
        self.layers = layers
        self.zone = zone
        self.registry = Registry()
        self.leavers = [
            action
            for action in table.program.actions
            if action not in layers and self._leads_out(action)
        ]
        self.rules_of: dict[str, list[Rule]] = {}
        for rule in table.program.rules:
            for name in (*rule.actions, *rule.moments):
                self.rules_of.setdefault(name, []).append(rule)
        self._worlds: dict[Any, PlanWorld] = {}
        self._monotone_for: dict[Any, dict[str, x.Expr]] = {}
        self.always = self._always_written()
        self.asks_plainly = True
        """Whether what a turn can come to is a matter of plans alone."""
        self.staged: set[str] = self._of_kinds()
        """Moments up to which a plan is made, and another after them: their rules ask for several
        things at one time, or what they remember changes how melds are judged.
        """
        self._settle_stages()
        self.staged |= {
            moment.name for moment in self.moments.state if self._asks_for_several(moment)
        }
        self._settle_stages()

    def _settle_stages(self) -> None:
        """Within a stage the memories that only staged moments change stay as they are."""
        self.marks = self._marks()
        self._worlds.clear()
        self._monotone_for.clear()

    def _of_kinds(self) -> set[str]:
        """State moments that change what rules about kinds of meld read."""
        read: set[str] = set()
        for kind in self.table.program.kinds:
            if kind.condition is not None:
                reads(self.table, self.folding, self.folding.fold(kind.condition), read)
        for rule in self.table.program.rules:
            if rule.kinds and rule.name not in self.table.code.never_broken:
                for part in (rule.when, rule.unless, rule.requires):
                    if part is not None:
                        reads(self.table, self.folding, self.folding.fold(part), read)
        return {
            moment.name
            for moment in self.moments.state
            if not self.ends_deal(moment)
            and not self.brings_cards(moment)
            and any(
                f"memory {name}" in read for name in self.moments.footprints[moment.name].written
            )
        }

    def _asks_for_several(self, moment: Moment) -> bool:
        """Whether what must hold for a moment to happen must hold at one time: several things that
        rules ask for, or something of which there must be enough and something of which there must
        not be too much.
        """
        if self.ends_deal(moment) or self.brings_cards(moment):
            return False
        aim = Aim("complete")
        turn = self.world(aim, None, over_turn=True, one_less=False)
        rules = self._rules(moment.name, aim)
        if moment.name in self.staged and rules:
            return True
        kept = all_of(*(self.may_be_kept(turn, rule, aim) for rule in rules))
        if any(
            isinstance(node, x.And) and sum(reads_facts(part) for part in node.operands) > 1
            for node in walk(kept)
        ):
            return True
        names = free_names(all_of(turn.truth(self.fold(moment.when))[1], kept))
        return any(n.startswith("low_") for n in names) and any(
            n.startswith("high_") for n in names
        )

    def _leads_out(self, action: Action) -> bool:
        """Whether an action, or what follows from it, may end the turn or the deal, or leave the
        phase.
        """
        around = self.moments.around(action.name)
        return footprint(action.effects).flow or any(
            self.moments.footprints[m.name].flow for m in around
        )

    # ---- sorts of moments
    def ends_deal(self, moment: Moment) -> bool:
        """Whether a moment, or what follows from it, ends the deal or turn, or goes elsewhere."""
        chain = (moment, *self.moments.around(moment.name))
        return any(
            isinstance(part, (e.EndDeal, e.EndGame, e.EndTurn, e.GoTo, e.GoBack, e.Redeal))
            for m in chain
            for f in m.effects
            for part in walk(f)
        )

    def brings_cards(self, moment: Moment) -> bool:
        """Whether a moment moves cards, and ends nothing."""
        chain = (moment, *self.moments.around(moment.name))
        return not self.ends_deal(moment) and any(
            self.moments.footprints[m.name].moves or self.moments.footprints[m.name].lays
            for m in chain
        )

    def _marks(self) -> Footprint:
        """What laying melds may change beside the melds and the hand."""
        marks = Footprint()
        for action in self.layers:
            own = footprint(self.folding.fold(effect) for effect in action.effects)
            own.zones.discard(self.zone)
            marks.add(own)
            for moment in self.moments.around(action.name):
                marks.add(self.moments.footprints[moment.name])
        for moment in self.moments.state:
            if (
                not self.ends_deal(moment)
                and not self.brings_cards(moment)
                and moment.name not in self.staged
            ):
                for each in (moment, *self.moments.around(moment.name)):
                    marks.add(self.moments.footprints[each.name])
        return marks

    def _always_written(self) -> dict[str, x.Expr | None]:
        """Memories that each laid meld sets to the same value: they have it at the end of a plan,
        since a plan lays something.
        """
        found: list[dict[str, x.Expr | None]] = []
        for action in self.layers:
            own: dict[str, x.Expr | None] = {}
            for moment in self.moments.around(action.name):
                if (
                    moment.when is None
                    and moment.trigger.kind == "after"
                    and not self.rules_of.get(moment.name)
                ):
                    own |= {
                        name: value
                        for name, value in self.moments.footprints[moment.name].written.items()
                        if value is not None
                    }
            found.append(own)
        common = {
            name: value
            for name, value in found[0].items()
            if all(other.get(name) == value for other in found)
        }
        elsewhere = [
            m
            for m in self.moments.state
            if any(name in self.moments.footprints[m.name].written for name in common)
        ]
        return {} if elsewhere else common

    # ---- worlds
    def world(self, aim: Aim, more: Footprint | None, over_turn: bool, one_less: bool) -> PlanWorld:
        """What is known at the end of a plan, or over the turn; more: what an action at its end
        changes besides.
        """
        written = (
            None if more is None else tuple(sorted(more.written.items(), key=lambda item: item[0]))
        )
        zones = frozenset() if more is None else frozenset(more.zones)
        key = (aim.last_resort, aim.without, written, zones, over_turn, one_less)
        if key not in self._worlds:
            marks = Footprint()
            marks.add(self.marks)
            if more is not None:
                marks.written.update(more.written)
                marks.zones |= more.zones - {self.zone}
            self._worlds[key] = PlanWorld(
                self.table,
                self.folding,
                self.registry,
                self.zone,
                marks,
                self._monotone(aim),
                over_turn,
                one_less,
            )
        return self._worlds[key]

    def _monotone(self, aim: Aim) -> dict[str, x.Expr]:
        """Memories that laying can only make yes, with what must hold for that at some time in the
        turn.
        """
        key = (aim.last_resort, aim.without)
        if key in self._monotone_for:
            return self._monotone_for[key]
        plain = PlanWorld(
            self.table, self.folding, self.registry, self.zone, self.marks, {}, True, True
        )
        found: dict[str, x.Expr] = {}
        for name in self.marks.written:
            writers = self._writers(name) if self.table.memories[name].type == "yes_no" else None
            if writers is not None:
                found[name] = any_of(
                    *(
                        all_of(
                            *(
                                self.may_be_kept(plain, rule, aim)
                                for rule in self._rules(moment.name, aim)
                            )
                        )
                        for moment in writers
                    )
                )
        self._monotone_for[key] = found
        return found

    def _writers(self, memory: str) -> list[Moment] | None:
        """The moments that make a memory yes; None where something may change it otherwise."""
        writers = []
        for action in self.layers:
            if memory in footprint(action.effects).written:
                return None
        for moment in self.table.program.moments:
            for effect in moment.effects:
                for part in walk(effect):
                    if isinstance(part, (e.Gain, e.Chance)) and part.memory == memory:
                        return None
                    if isinstance(part, e.Become) and part.memory == memory:
                        if moment.trigger.kind in ("start", "end"):
                            continue
                        if part.value != YES:
                            return None
                        writers.append(moment)
        return writers

    # ---- rules
    def _rules(self, name: str, aim: Aim) -> list[Rule]:
        """The rules about an action or moment that count for an aim."""
        return [
            rule
            for rule in self.rules_of.get(name, ())
            if rule.soft != "another"
            and rule.name != aim.without
            and (rule.soft != "otherwise" or not aim.last_resort)
        ]

    def fold(self, node: x.Expr | None, names: dict[str, x.Expr] | None = None) -> x.Expr | None:
        return None if node is None else for_bounds(self.folding.fold(node), names or {})

    def may_be_kept(
        self, world: PlanWorld, rule: Rule, aim: Aim, names: dict[str, x.Expr] | None = None
    ) -> x.Expr:
        """That a rule may be kept."""
        if rule.name == aim.without:
            return YES
        when, unless, requires = (
            self.fold(part, names) for part in (rule.when, rule.unless, rule.requires)
        )
        ways = [] if when is None else [denied(world.truth(when)[0])]
        ways += [world.truth(part)[1] for part in (unless, requires) if part is not None]
        return any_of(*ways)

    def may_happen(self, moment: Moment, aim: Aim, world: PlanWorld) -> x.Expr:
        rules = (self.may_be_kept(world, rule, aim) for rule in self._rules(moment.name, aim))
        return all_of(world.truth(self.fold(moment.when))[1], *rules)

    # ---- ways
    def possible(self, action: Action, aim: Aim, over_turn: bool = False) -> x.Expr:
        """That the rules may allow an action at the end of a plan (or at some time over the turn);
        one whose rules look ahead, of a plan that lays something.
        """
        rules = self._rules(action.name, aim)
        late = any(_looks_ahead(rule) for rule in rules)
        after = Footprint(written=dict(self.always)) if late else None
        world = self.world(aim, after, over_turn=over_turn, one_less=False)
        names = {param.name for param in action.params}
        if (
            len(action.params) == 1
            and action.params[0].mode == "one"
            and action.params[0].domain == x.ZoneCards(self.zone, PLAYER)
        ):
            var = "card__one"
            given: dict[str, x.Expr] = {action.params[0].name: x.Var(var)}
            where = all_of(*(self.kept_by(rule, aim, given) for rule in rules))
            low_high = world.number(x.Count(x.ZoneCards(self.zone, PLAYER), var, where))
            return all_of(compared(">=", low_high[1], number(1)))
        free = [rule for rule in rules if not names & _names_read(rule)]
        return all_of(*(self.may_be_kept(world, rule, aim) for rule in free))

    def kept_by(self, rule: Rule, aim: Aim, names: dict[str, x.Expr]) -> x.Expr:
        """That a rule is kept, as it stands."""
        when, unless, requires = (
            self.fold(part, names) for part in (rule.when, rule.unless, rule.requires)
        )
        ways = [] if when is None else [denied(when)]
        return any_of(*ways, *(part for part in (unless, requires) if part is not None))

    def ends_turn(self, action: Action, aim: Aim) -> x.Expr:
        """That the turn may be ended by an action at the end of a plan."""
        own = footprint(self.folding.fold(effect) for effect in action.effects)
        for moment in (*self.moments.around(action.name), *self._staged_by(action)):
            if not self.ends_deal(moment):
                own.add(self.moments.footprints[moment.name])
        one_less = self._takes_a_card(action)
        last = self.world(aim, own, over_turn=False, one_less=one_less)
        turn = self.world(aim, own, over_turn=True, one_less=one_less)
        open_ways = [self.possible(action, aim)]
        for moment in self.moments.state:
            not_due = denied(last.truth(self.fold(moment.when))[0])
            if self.ends_deal(moment):
                open_ways.append(not_due)
            elif self._rules(moment.name, aim):
                if moment.name in self.staged and not self._reads_of(moment) & self._changed_by(
                    action
                ):
                    open_ways.append(not_due)
                    continue
                when = last if moment.name in self.staged else turn
                kept = (self.may_be_kept(when, rule, aim) for rule in self._rules(moment.name, aim))
                open_ways.append(any_of(not_due, all_of(*kept)))
        rules = [
            rule for rule in self.table.program.rules if rule.end_of_turn and rule.soft != "another"
        ]
        rules = [rule for rule in rules if rule.soft != "otherwise" or not aim.last_resort]
        return all_of(*open_ways, *(self.may_be_kept(last, rule, aim) for rule in rules))

    def _staged_by(self, action: Action) -> list[Moment]:
        """The moments between stages that an action may bring about in its own step."""
        changed = self._changed_by(action)
        return [
            moment
            for moment in self.moments.state
            if moment.name in self.staged and self._reads_of(moment) & changed
        ]

    def _reads_of(self, moment: Moment) -> set[str]:
        """What a moment and the rules about it read."""
        parts = [
            moment.when,
            *(
                p
                for rule in self.moments.rules[moment.name]
                for p in (rule.when, rule.unless, rule.requires)
            ),
        ]
        found: set[str] = set()
        for part in parts:
            if part is not None:
                reads(self.table, self.folding, self.folding.fold(part), found)
        return found

    def _changed_by(self, action: Action) -> set[str]:
        """What an action and the moments around it change, named like what is read."""
        marks = footprint(action.effects)
        for moment in self.moments.around(action.name):
            marks.add(self.moments.footprints[moment.name])
        return {f"memory {name}" for name in marks.written} | {
            f"zone {name}" for name in marks.zones
        }

    def follows(self, action: Action, moment: Moment, aim: Aim) -> x.Expr:
        """That a moment may happen in the step of an action at the end of a plan."""
        own = footprint(self.folding.fold(effect) for effect in action.effects)
        for around in (*self.moments.around(action.name), *self._staged_by(action)):
            own.add(self.moments.footprints[around.name])
        last = self.world(aim, own, over_turn=False, one_less=self._takes_a_card(action))
        return all_of(self.possible(action, aim), self.may_happen(moment, aim, last))

    def _takes_a_card(self, action: Action) -> bool:
        return any(
            param.domain == x.ZoneCards(self.zone, PLAYER) and param.mode == "one"
            for param in action.params
        )

    # ---- goals
    def ways(self, aim: Aim) -> list[Way]:
        """The ways in which an aim may be reached at the end of a plan; none of them open: it
        cannot be reached.
        """
        last = self.world(aim, None, over_turn=False, one_less=False)
        found: list[Way] = []
        if aim.subject == "moment":
            moment = next(m for m in self.table.program.moments if m.name == aim.name)
            found.append(Way(None, self.may_happen(moment, aim, last)))
            found += [Way(action, self.follows(action, moment, aim)) for action in self.leavers]
        for action in self.leavers:
            found += self._ways_by(action, aim)
        for moment in self.moments.state:
            if self.brings_cards(moment) or moment.name in self.staged:
                found.append(Way(None, self.may_happen(moment, aim, last), moment.name))
            elif aim.subject == "complete" and self.ends_deal(moment):
                found.append(Way(None, self.may_happen(moment, aim, last)))
        return [way for way in found if way.condition != NO]

    def _ways_by(self, action: Action, aim: Aim) -> list[Way]:
        """The ways of a goal by an action at the end of a plan."""
        ends_turn = e.EndTurn() in action.effects
        found = []
        if ends_turn and aim.subject != "moment":
            found.append(Way(action, self.ends_turn(action, aim)))
        if not ends_turn:
            leads_on = aim.subject == "complete" or not is_last(action)
            return self._ways_out(action, aim) if leads_on else []
        for moment in (*self.moments.around(action.name), *self.moments.state):
            if aim.subject == "complete" and (self.brings_cards(moment) or self.ends_deal(moment)):
                found.append(Way(action, self.follows(action, moment, aim)))
        return found

    def _ways_out(self, action: Action, aim: Aim) -> list[Way]:
        """The ways of a goal by an action that needs no more than to be possible.

        Where a rule about it asks what the turn can still come to, that must be open, too, perhaps
        by more melds: then a plan that lays these as well comes by a time when the action is
        possible.
        """
        rules = [rule for rule in self._rules(action.name, aim) if asked_in(rule)]
        if not rules or not self.asks_plainly or aim.subject != "complete":
            return [Way(action, self.possible(action, aim))]
        rule = rules[0]
        may_be = self.possible(action, aim, over_turn=True)
        world = self.world(aim, None, over_turn=True, one_less=False)
        found = [Way(action, all_of(may_be, self.may_be_kept(world, all_denied(rule), aim)))]
        for asked in asked_in(rule):
            for way in self.ways(self.aim_of(asked)):
                open_ = all_of(may_be, way.condition)
                found.append(Way(action, open_, way.moment, way.action))
        return found

    def aim_of(self, asked: x.Can) -> Aim:
        """The aim of a question about the turn."""
        name = asked.name if asked.subject == "moment" else ""
        without = None if asked.without in self.table.code.never_broken else asked.without
        return Aim(asked.subject, name, True, without)

    def aims(self) -> list[Aim]:
        """The aims that questions about this Program can have."""
        marked = any(rule.soft == "otherwise" for rule in self.table.program.rules)
        found = [Aim("complete", last_resort=True)] + (
            [Aim("complete", last_resort=False)] if marked else []
        )
        program = self.table.program
        places = [
            *program.rules,
            *program.moments,
            *program.definitions,
            *program.actions,
            *program.allowances,
        ]
        for place in places:
            parts = [getattr(place, name, None) for name in ("requires", "when", "unless", "body")]
            for node in (n for part in parts if part is not None for n in walk(part)):
                if isinstance(node, x.Can) and node.subject in ("moment", "end_of_turn"):
                    aim = self.aim_of(node)
                    if aim not in found:
                        found.append(aim)
        return found


def reads_facts(condition: x.Expr) -> bool:
    """Whether a bound reads facts, and not only what is known."""
    return any(
        name.startswith(("low_", "high_", "least_", "most_")) for name in free_names(condition)
    )


def _looks_ahead(rule: Rule) -> bool:
    return any(
        isinstance(n, (x.Can, x.Only))
        for p in (rule.when, rule.unless, rule.requires)
        if p is not None
        for n in walk(p)
    )


def _names_read(rule: Rule) -> set[str]:
    return {
        node.name
        for part in (rule.when, rule.unless, rule.requires)
        if part is not None
        for node in walk(part)
        if isinstance(node, x.Var)
    }
