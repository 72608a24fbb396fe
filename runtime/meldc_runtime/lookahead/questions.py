"""Questions about a state as searches over groups: the ways that are open, what can be laid of each
group, what plays outside of plans may do.
"""

from __future__ import annotations

from functools import partial
from itertools import product
from typing import TYPE_CHECKING, Any

from meldc_runtime import machine
from meldc_runtime.cards import FACE, UNKNOWN
from meldc_runtime.lookahead.aims import Aim, NotKnown
from meldc_runtime.lookahead.doubts import Settled
from meldc_runtime.lookahead.groups import Closure, Context, Vector
from meldc_runtime.lookahead.join import Join, Layout, Level, OpenWay, Option, picker
from meldc_runtime.lookahead.knowledge import Bound, Test
from meldc_runtime.lookahead.outside import Outside
from meldc_runtime.lookahead.probes import Function
from meldc_runtime.lookahead.ranges import FAR
from meldc_runtime.lookahead.search import blinded
from meldc_runtime.program import expressions as x
from meldc_runtime.state import Meld, Refused, State
from meldc_runtime.table import Env

if TYPE_CHECKING:
    pass


HELD = 64
"""States whose closures are kept before all are forgotten."""


class Questions(Outside):
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

    def loosest(self, state: State, layout: Layout) -> list[int]:
        """The numbers of a layout at their loosest, whatever is laid."""
        return self.new_join(state, layout, ()).loosest

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

    def is_closed_at_a_glance(self, state: State, aim: Aim) -> bool:
        """Whether no way to an aim is open even if every card of the hand were laid that could be
        in any meld. Raises NotKnown.
        """
        tests = self._open_tests(state, aim, relaxed=False)
        layout = self._layout(aim, [test for test, _ in tests])
        context = self.context(state)
        held: dict[int, int] = {}
        of = self.coarse.of
        for card in state.zones[self.table.zone_slot(self.zone, state.player)]:
            kind = of[card & FACE]
            held[kind] = held.get(kind, 0) + 1
        lie = {
            self.group_of.get((meld.kind, self._place(meld)))
            for meld in state.melds[state.player % self.table.sides]
        }
        numbers: dict[int, tuple[int, int, int]] = {}
        for _, fact in layout.components:
            if not self.facts[fact].of_melds and fact not in numbers:
                numbers[fact] = self._at_a_glance(state, fact, held, lie, context)
        asked = []
        for place, most in zip(layout.places, layout.most, strict=True):
            sort, fact = layout.components[place]
            if self.facts[fact].of_melds:
                asked.append(FAR if most else -FAR)
            else:
                least, now, greatest = numbers[fact]
                asked.append(
                    (now if sort != "last" and least >= 0 else greatest) if most else least
                )
        return not any(
            function(*pick(asked)) for (_, function), pick in zip(tests, layout.picks, strict=True)
        )

    def _at_a_glance(
        self, state: State, fact: int, held: dict[int, int], lie: set[int | None], context: int
    ) -> tuple[int, int, int]:
        """The least, the present and the greatest value of a fact of the hand, by a look at counts
        alone.
        """
        least = now = greatest = 0
        for kind, count in held.items():
            value = self._of_card(state, context, kind)[fact]
            if not value:
                continue
            now += count * value
            if self._may_lie(kind, held, lie):
                least += min(0, count * value)
                greatest += max(0, count * value)
            else:
                least += count * value
                greatest += count * value
        return least, now, greatest

    def _may_lie(self, kind: int, held: dict[int, int], lie: set[int | None]) -> bool:
        """Whether cards of a kind might be laid: as wild cards, on a meld of their group, or in one
        that there are naturals enough for.
        """
        if kind in self.ever_wild:
            return True
        return any(
            number in lie
            or sum([held.get(other, 0) for other in self.own_kinds[number]]) >= self.needed[number]
            for number in self.groups_with.get(kind, ())
        )

    def _layout(self, aim: Aim, tests: list[Test]) -> Layout:
        """Which numbers these ways to an aim ask for; kept."""
        key = (aim, tuple(map(id, tests)))
        layout = self.layouts.get(key)
        if layout is None:
            asked: dict[Bound, int] = {}
            for test in tests:
                for bound in test.bounds:
                    asked.setdefault(bound, len(asked))
            components: dict[Bound, int] = {}
            places = [
                components.setdefault((_sort(bound), fact), len(components))
                for bound, fact in asked
            ]
            picks = tuple(picker([asked[bound] for bound in test.bounds]) for test in tests)
            layout = Layout(
                tuple(components),
                tuple(places),
                tuple(bound in ("most", "high") for bound, _ in asked),
                picks,
            )
            self.layouts[key] = layout
        return layout

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

    def _open_tests(self, state: State, aim: Aim, relaxed: bool) -> list[tuple[Test, Function]]:
        """The ways that the phase leaves open, with the constants of this state."""
        values: dict[int, Any] = {}
        found: list[tuple[Test, Function]] = []
        for test in self.tests[aim]:
            if test.action is not None and not machine.in_phase(state, test.action):
                continue
            for number in test.constants:
                if number not in values:
                    values[number] = self.given[number](state, state.player)
                    if values[number] is None:
                        raise NotKnown
            given = [values[number] for number in test.constants]
            function = (
                self._relaxed(state, test, given)
                if relaxed
                else partial(test.function, state, *given)
            )
            found.append((test, function))
        return found

    def _relaxed(self, state: State, test: Test, given: list[Any]) -> Function:
        """A way for which constants that other plays may change can be anything, and facts of the
        hand what new cards make them.
        """
        doubtful = [
            place
            for place, number in enumerate(test.constants)
            if number in self.doubtful and not (given[place] is True and number in self.lasting)
        ]
        if len(doubtful) > 4 or not all(isinstance(given[place], bool) for place in doubtful):
            raise NotKnown
        brings = any(self._brings(form) for form in self.others)
        more = [
            FAR if brings and bound in ("most", "high") and not self.facts[fact].of_melds else 0
            for bound, fact in test.bounds
        ]

        def is_open(*numbers: int) -> bool:
            bounds = [number + extra for number, extra in zip(numbers, more, strict=True)]
            for choice in product((True, False), repeat=len(doubtful)):
                values = list(given)
                for place, value in zip(doubtful, choice, strict=True):
                    values[place] = value
                if test.function(state, *values, *bounds):
                    return True
            return False

        return is_open

    def _leads_on(self, state: State, moment: str, aim: Aim, relaxed: bool, stages: bool) -> bool:
        """Whether the goal might be reached after a moment has happened, with the new cards that it
        brings and all that is in hand now; stages: whether to look so far.
        """
        after = blinded(state)
        env = {x.Marker.PLAYER: state.player}
        try:
            self.table.code.effects[moment](after, env)
        except Refused:
            return True
        if after.zones == state.zones and after.memory == state.memory:
            return False
        if not stages or not self._follows_quietly(after, env):
            return True
        if aim.subject == "complete" and self.outlook.is_sure(after):
            return True
        join = self.join(after, aim, stages=False, relaxed=relaxed)
        return join.is_open_now() or next(join.choices(), None) is not None

    def _follows_quietly(self, state: State, env: Env) -> bool:
        """Lets happen what is due after a moment; whether none of it ends deal or turn."""
        code, scan, moments = self.table.code, self.table.schedule.scan, self.table.program.moments
        done = 0
        while (place := code.next_moment(state, env, done)) >= 0:
            moment = moments[scan[place]]
            if self.goals.ends_deal(moment):
                return False
            done |= 1 << place
            code.effects[moment.name](state, env)
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
    ) -> Join:
        """The join of what can be laid of each group."""
        side = self.table.side_of(state.player)
        by_kind, closures = self._held_closures(state, strict, settled)
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
        self, state: State, strict: bool, settled: Settled
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
        closures = self._closures(state, by_kind, by_face, melds, (context, strict, settled))
        if len(self.held) >= HELD:
            self.held.clear()
        self.held[key] = (by_kind, closures, list(state.melds[side]))
        return by_kind, closures

    def _place(self, meld: Meld) -> int | None:
        shape = self.table.program.kinds[meld.kind].shape
        return meld.rank if shape == "same_rank" else meld.suit if shape == "run" else None

    def _closures(
        self,
        state: State,
        by_kind: list[int],
        by_face: list[int],
        melds: dict[int, list[Meld]],
        context: Context,
    ) -> list[Closure]:
        """What can be laid of each group of which anything can: runs first, then where most cards
        can be laid.
        """
        begins = machine.in_phase(state, self.starters[0].index)
        adds = any(machine.in_phase(state, form.index) for form in self.adders)
        found = []
        wild: dict[tuple[int, ...], tuple[int, ...]] = {}
        for group in self.groups:
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

    def _of_card(self, state: State, context: int, kind: int) -> Vector:
        """What a card of a kind in hand counts for each fact."""
        key = (state.player if self.closures.marked else 0, context, kind)
        if key not in self.card_values:
            if len(self.card_values) > 20_000:
                self.card_values.clear()
            face = self.coarse.faces[kind][0]
            self.card_values[key] = tuple(
                [fact(state, state.player, face) for fact in self.of_card]
            )
        return self.card_values[key]

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

    def _of_meld(self, state: State, context: int, meld: Meld) -> Vector:
        """What a meld counts for each fact; kept as long as it lies."""
        known = self.meld_values.get(id(meld))
        key = (context, state.player if self.closures.marked else 0)
        if known is not None and known[0] is meld and known[1] == key:
            return known[2]
        if len(self.meld_values) > 5_000:
            self.meld_values.clear()
        values = self.closures.values(state, state.player, meld)
        self.meld_values[id(meld)] = (meld, key, values)
        return values


def _sort(bound: str) -> str:
    return "last" if bound in ("least", "most") else bound
