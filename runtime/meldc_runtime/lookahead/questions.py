"""Questions about a state as searches over groups: the ways that are open, what can be laid of each
group, what plays outside of plans may do.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from meldc_runtime import machine
from meldc_runtime.cards import FACE, UNKNOWN
from meldc_runtime.lookahead.aims import Aim, NotKnown
from meldc_runtime.lookahead.doubts import Settled
from meldc_runtime.lookahead.glance import Glance, happens
from meldc_runtime.lookahead.groups import Closure, Context, Vector
from meldc_runtime.lookahead.join import Join, Layout, Level, OpenWay, Option
from meldc_runtime.lookahead.knowledge import Test
from meldc_runtime.lookahead.limits import Bound
from meldc_runtime.lookahead.probes import Function
from meldc_runtime.program import expressions as x
from meldc_runtime.state import Meld, State

if TYPE_CHECKING:
    pass


HELD = 64
"""States whose closures are kept before all are forgotten."""


class Questions(Glance):
    """Makes joins for aims."""

    def join(
        self,
        state: State,
        aim: Aim,
        stages: bool = True,
        relaxed: bool = False,
        lays: bool = True,
        settled: Settled | None = None,
    ) -> Join:
        """The question as a search over groups. stages: whether new cards may be hoped for (else
        this is one about the time after they have come, with all that is in hand before: rules that
        begin to hold on the way are left out). relaxed: whether what plays outside of plans may
        change counts as unknown. lays: whether anything is laid at all. settled: conditions on all
        melds that are taken for settled; where not given, those that are.
        """
        if settled is None:
            settled = self.settled(state) if stages else ()
        tests = self._open_tests(state, aim, relaxed)
        layout = self._layout(aim, [test for test, _ in tests])
        leaving = frozenset(self._leaving(state, lays)) if relaxed else frozenset()
        join = self._new_join(
            state, layout, stages, settled, leaving, lays, sparing=aim.subject == "complete"
        )
        for (test, function), pick in zip(tests, layout.picks, strict=True):
            way = OpenWay(function, pick)
            if join.is_open(way) and (
                not test.moment or self._leads_on(state, test.moment, aim, relaxed, stages)
            ):
                join.ways.append(way)
                if test.action is not None:
                    join.actions.add(test.action)
        if join.ways and not relaxed:
            join.cap(self._caps(tests, layout))
        return join

    def settled(self, state: State) -> Settled:
        """The conditions on all melds that nothing laid in the rest of the turn changes; kept for a
        few states.
        """
        if not self.doubts.conditions:
            return ()
        key = self._key_of(state)
        known = self.settled_for.get(key)
        if known is None:
            if len(self.settled_for) >= HELD:
                self.settled_for.clear()
            known = self.settled_for[key] = self.doubts.settled(self, state)
        return known

    def new_join(self, state: State, layout: Layout, settled: Settled) -> Join:
        """A join of all that can be laid, with these conditions settled; without ways."""
        return self._new_join(state, layout, True, settled, frozenset(), True, False)

    def loosest(self, state: State, layout: Layout, groups: frozenset[int]) -> list[int]:
        """The numbers of a layout at their loosest, whatever is laid of these groups."""
        join = self._new_join(state, layout, True, (), frozenset(), True, False, groups)
        return join.loosest

    def _key_of(self, state: State) -> Any:
        side = state.melds[state.player % self.table.sides]
        hand = state.zones[self.table.zone_slot(self.zone, state.player)]
        signatures = tuple([self.closures.signature_of(meld) for meld in side])
        return (
            state.player,
            state.phase,
            state.without,
            tuple(sorted(hand)),
            signatures,
            self.context(state),
            tuple(state.memory),
        )

    def _caps(self, tests: list[tuple[Test, Function]], layout: Layout) -> dict[int, int]:
        """Where ways only compare a number with others that are known, the value beyond which it
        makes no difference.
        """
        components = {component: place for place, component in enumerate(layout.components)}
        limits: dict[int, int] = {}
        endless: set[int] = set()
        for test, function in tests:
            for component, numbers, places in test.limits:
                place = components[component]
                if numbers is None:
                    endless.add(place)
                    continue
                most = numbers
                for given in places:
                    number = function.args[1 + given]  # type: ignore[attr-defined]
                    if type(number) is not int:
                        endless.add(place)
                    elif number > most:
                        most = number
                if most > limits.get(place, 0):
                    limits[place] = most
        return {place: limit + 2 for place, limit in limits.items() if place not in endless}

    def _leads_on(self, state: State, moment: str, aim: Aim, relaxed: bool, stages: bool) -> bool:
        """Whether the goal might be reached after a moment has happened, with the new cards that it
        brings and all that is in hand now; stages: whether to look so far.
        """
        after = self._brought_about(state, moment)
        if after is None:
            return True
        if after.zones == state.zones and after.memory == state.memory:
            return False
        if not stages or not self._follows_quietly(after):
            return True
        if aim.subject == "complete" and self.outlook.is_sure(after):
            return True
        join = self.join(after, aim, stages=False, relaxed=relaxed)
        return join.is_open_now() or next(join.choices(), None) is not None

    def _follows_quietly(self, state: State) -> bool:
        """Lets happen what is due after a moment; whether none of it ends deal or turn, or is
        refused.
        """
        table, env = self.table, {x.Marker.PLAYER: state.player}
        done = 0
        while (place := table.code.next_moment(state, env, done)) >= 0:
            moment = table.course.scan[place]
            if self.goals.ends_deal(table.program.moments[moment.index]):
                return False
            done |= 1 << place
            if not happens(state, env, moment):
                return False
        return True

    def _new_join(
        self,
        state: State,
        layout: Layout,
        strict: bool,
        settled: Settled,
        leaving: frozenset[int],
        lays: bool,
        sparing: bool,
        groups: frozenset[int] | None = None,
    ) -> Join:
        """The join of what can be laid of each group."""
        side = self.table.side_of(state.player)
        by_kind, closures = self._held_closures(state, strict, settled, groups)
        closures = closures if lays else []
        context = self.context(state)
        once: set[int] = set()
        shared_kinds = set(leaving)
        for closure in closures:
            kinds = self.kinds[closure.group.number]
            for place in closure.used:
                (shared_kinds if kinds[place] in once else once).add(kinds[place])
        shared = tuple(sorted(shared_kinds))
        player = state.player if self.closures.marked else 0
        levels = []
        for closure in closures:
            key = (shared, layout, context, player)
            level = closure.views.get(key)
            if level is None:
                level = closure.views[key] = self._new_level(
                    state, closure, shared, layout.components, context
                )
                self.closures.weight += len(level.options)
            levels.append(level)
        vector = self._now(state, side, by_kind, context, layout.components)
        worth = self.worths.get((shared, layout, context, player))
        if worth is None:
            worth = self._worth(state, shared, layout, context)
            self.worths[shared, layout, context, player] = worth
        free = frozenset([place for place, kind in enumerate(shared) if kind in leaving])
        return Join(
            layout, levels, tuple([by_kind[kind] for kind in shared]), vector, worth, free, sparing
        )

    def _now_closures(self, state: State) -> list[Closure]:
        return self._held_closures(state, True, self.settled(state))[1]

    def _held_closures(
        self, state: State, strict: bool, settled: Settled, groups: frozenset[int] | None = None
    ) -> tuple[list[int], list[Closure]]:
        """How many cards of each kind are in hand, and the closures of the groups; kept for a few
        states.
        """
        side = self.table.side_of(state.player)
        hand = state.zones[self.table.zone_slot(self.zone, state.player)]
        context = self.context(state)
        own = tuple(map(id, state.melds[side]))
        key = (
            state.player,
            state.phase,
            strict,
            settled,
            state.without,
            tuple(sorted(hand)),
            own,
            context,
            tuple(state.memory),
            groups,
        )
        known = self.held.get(key)
        if known is not None and all(
            a is b for a, b in zip(known[2], state.melds[side], strict=True)
        ):
            return known[0], known[1]
        by_kind = [0] * len(self.coarse.faces)
        by_face = [0] * (UNKNOWN + 1)
        for card in hand:
            by_kind[self.coarse.of[card & FACE]] += 1
            by_face[card & FACE] += 1
        melds: dict[int, list[Meld]] = {}
        for meld in state.melds[side]:
            number = self.group_of.get((meld.kind, self._place(meld)))
            if number is not None:
                melds.setdefault(number, []).append(meld)
        closures = self._closures(
            state, by_kind, by_face, melds, (context, strict, settled), groups
        )
        if len(self.held) >= HELD:
            self.held.clear()
        self.held[key] = (by_kind, closures, list(state.melds[side]))
        return by_kind, closures

    def _closures(
        self,
        state: State,
        by_kind: list[int],
        by_face: list[int],
        melds: dict[int, list[Meld]],
        context: Context,
        groups: frozenset[int] | None,
    ) -> list[Closure]:
        """What can be laid of each group of which anything can: runs first, then where most cards
        can be laid.
        """
        begins = machine.in_phase(state, self.starters[0].index)
        adds = any(machine.in_phase(state, form.index) for form in self.adders)
        found = []
        wild: dict[tuple[int, ...], tuple[int, ...]] = {}
        for group in self.groups:
            if groups is not None and group.number not in groups:
                continue
            own = melds.get(group.number)
            natural_kinds, wild_kinds = self.own_kinds[group.number], self.wild_kinds[group.number]
            if group.shape == "run":
                held = tuple([by_face[faces[0]] for faces in group.classes[: group.wild_from]])
            else:
                held = tuple([by_kind[kind] for kind in natural_kinds])
            if own is None and not any(held):
                continue
            if wild_kinds:
                more = wild.get(wild_kinds)
                if more is None:
                    more = wild[wild_kinds] = tuple([by_kind[kind] for kind in wild_kinds])
                held += more
            if own is None and sum(held) < self.least[group.number]:
                continue
            closure = self.closures.of(state, group, held, own or (), context, begins, adds)
            if closure is None:
                raise NotKnown
            if closure.size:
                found.append(closure)
        found.sort(key=lambda closure: (closure.group.shape != "run", -closure.size))
        return found

    def _worth(self, state: State, shared: Vector, layout: Layout, context: int) -> list[Vector]:
        """By component what the hand counts for it with each of the shared cards."""
        if len(self.worths) > 5_000:
            self.worths.clear()
        return [
            (0,) * len(shared)
            if self.facts[fact].of_melds
            else tuple([self._of_card(state, context, kind)[fact] for kind in shared])
            for _, fact in layout.components
        ]

    def _new_level(
        self,
        state: State,
        closure: Closure,
        shared: Vector,
        components: tuple[Bound, ...],
        context: int,
    ) -> Level:
        kinds = self.kinds[closure.group.number]
        values = [self._of_card(state, context, kind) for kind in kinds]
        found: dict[tuple[Vector, Vector], Option] = {}
        for outcome in closure.outcomes:
            uses = [0] * len(shared)
            for number, used in enumerate(outcome.used):
                if used and kinds[number] in shared:
                    uses[shared.index(kinds[number])] += used
            gains, own = [], []
            for sort, fact in components:
                if self.facts[fact].of_melds:
                    of = {"last": outcome.gains, "low": outcome.lows, "high": outcome.highs}[sort]
                    gains.append(of[fact])
                    own.append(of[fact])
                else:
                    lost = [
                        (-used * values[n][fact], kinds[n] in shared)
                        for n, used in enumerate(outcome.used)
                        if used
                    ]
                    lost = [
                        (g, also)
                        for g, also in lost
                        if sort == "last" or (g < 0) == (sort == "low")
                    ]
                    gains.append(sum(g for g, _ in lost))
                    own.append(sum(g for g, also in lost if not also))
            option = Option(tuple(uses), tuple(gains), tuple(own), outcome)
            found.setdefault((option.uses, option.gains), option)
        options = sorted(found.values(), key=lambda option: -sum(option.outcome.used))
        return Level(closure.group, options)

    def _now(
        self,
        state: State,
        side: int,
        by_kind: list[int],
        context: int,
        components: tuple[Bound, ...],
    ) -> Vector:
        """The facts as they are."""
        of_melds = [self._of_meld(state, context, meld) for meld in state.melds[side]]
        of_cards = [
            (count, self._of_card(state, context, kind))
            for kind, count in enumerate(by_kind)
            if count
        ]
        known: dict[int, int] = {}
        for _, fact in components:
            if fact not in known:
                if self.facts[fact].of_melds:
                    known[fact] = sum([values[fact] for values in of_melds])
                else:
                    known[fact] = sum([count * values[fact] for count, values in of_cards])
        return tuple([known[fact] for _, fact in components])
