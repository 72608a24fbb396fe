"""Questions about a state as searches over groups: the ways that are open, what can be laid of each
group, what plays outside of plans may do.
"""

from __future__ import annotations

from meldc_runtime import machine
from meldc_runtime.cards import ACE, FACE, RANK_OF, UNKNOWN
from meldc_runtime.lookahead.aims import Aim, NotKnown
from meldc_runtime.lookahead.contexts import Context
from meldc_runtime.lookahead.doubts import Settled
from meldc_runtime.lookahead.glance import Glance, happens
from meldc_runtime.lookahead.groups import Closure, Group, Outcome, Vector
from meldc_runtime.lookahead.join import Join, Layout, Level, OpenWay, Option
from meldc_runtime.lookahead.knowledge import Test
from meldc_runtime.lookahead.limits import Bound
from meldc_runtime.lookahead.looks import Look
from meldc_runtime.lookahead.probes import Function
from meldc_runtime.program import expressions as x
from meldc_runtime.state import Meld, State

LAST, LOW, HIGH = range(3)
SORTS = {"last": LAST, "low": LOW, "high": HIGH}
"""Sorts of numbers: at the end of a plan, the least and the greatest on the way."""

WORTHS = 5_000
"""Lists of what cards are worth kept before all are forgotten."""


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
        look = self.looks.of(state)
        if settled is None:
            settled = self._settled(look) if stages else ()
        tests = self._open_tests(look, aim, relaxed)
        layout = self._layout(aim, [test for test, _ in tests])
        leaving = self._leaving(look, lays) if relaxed else frozenset()
        join = self._new_join(
            look, layout, stages, settled, leaving, lays, sparing=aim.subject == "complete"
        )
        for (test, function), pick in zip(tests, layout.picks, strict=True):
            way = OpenWay(function, pick)
            if join.is_open(way) and (
                not test.moment or self._leads_on(look, test.moment, aim, relaxed, stages)
            ):
                join.ways.append(way)
                if test.action is not None:
                    join.actions.add(test.action)
        if join.ways and not relaxed:
            join.cap(self._caps(tests, layout))
        return join

    def settled(self, state: State) -> Settled:
        """The conditions on all melds that nothing laid in the rest of the turn changes."""
        return self._settled(self.looks.of(state))

    def _settled(self, look: Look) -> Settled:
        if not self.doubts.conditions:
            return ()
        if "settled" not in look.known:
            look.known["settled"] = self.doubts.settled(self, look.state)
        found: Settled = look.known["settled"]
        return found

    def new_join(self, state: State, layout: Layout, settled: Settled) -> Join:
        """A join of all that can be laid, with these conditions settled; without ways."""
        look = self.looks.of(state)
        return self._new_join(look, layout, True, settled, frozenset(), True, False)

    def loosest(self, state: State, layout: Layout, groups: frozenset[int]) -> list[int]:
        """The numbers of a layout at their loosest, whatever is laid of these groups."""
        look = self.looks.of(state)
        join = self._new_join(look, layout, True, (), frozenset(), True, False, groups)
        return join.loosest

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

    def _leads_on(self, look: Look, moment: str, aim: Aim, relaxed: bool, stages: bool) -> bool:
        """Whether the goal might be reached after a moment has happened, with the new cards that it
        brings and all that is in hand now; stages: whether to look so far.
        """
        key = ("leads on", moment, aim, relaxed, stages)
        if key not in look.known:
            look.known[key] = self._find_whether_leads_on(look.state, moment, aim, relaxed, stages)
        return bool(look.known[key])

    def _find_whether_leads_on(
        self, state: State, moment: str, aim: Aim, relaxed: bool, stages: bool
    ) -> bool:
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
        look: Look,
        layout: Layout,
        strict: bool,
        settled: Settled,
        leaving: frozenset[int],
        lays: bool,
        sparing: bool,
        groups: frozenset[int] | None = None,
    ) -> Join:
        """The join of what can be laid of each group."""
        by_kind, closures = self._held_closures(look, strict, settled, groups)
        closures = closures if lays else []
        once: set[int] = set()
        shared_kinds = set(leaving)
        for closure in closures:
            kinds = self.kinds[closure.group.number]
            for place in closure.used:
                (shared_kinds if kinds[place] in once else once).add(kinds[place])
        shared = tuple(sorted(shared_kinds))
        levels = []
        for closure in closures:
            cards = [self._of_card(look, kind) for kind in self.kinds[closure.group.number]]
            key = (shared, layout, tuple([number for number, _ in cards]))
            level = closure.views.get(key)
            if level is None:
                level = closure.views[key] = self._new_level(
                    closure, shared, layout.components, [values for _, values in cards]
                )
                self.closures.weight += len(level.options)
            levels.append(level)
        vector = self._now(look, by_kind, layout.components)
        worth = self._worth(look, shared, layout)
        free = frozenset([place for place, kind in enumerate(shared) if kind in leaving])
        return Join(
            layout, levels, tuple([by_kind[kind] for kind in shared]), vector, worth, free, sparing
        )

    def _now_closures(self, look: Look) -> list[Closure]:
        return self._held_closures(look, True, self._settled(look))[1]

    def _held_closures(
        self, look: Look, strict: bool, settled: Settled, groups: frozenset[int] | None = None
    ) -> tuple[list[int], list[Closure]]:
        """How many cards of each kind are in hand, and the closures of the groups."""
        key = ("closures", strict, settled, groups)
        known: tuple[list[int], list[Closure]] | None = look.known.get(key)
        if known is not None:
            return known
        state = look.state
        side = self.table.side_of(state.player)
        hand = state.zones[self.table.zone_slot(self.zone, state.player)]
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
        closures = self._closures(state, by_kind, by_face, melds, (strict, settled), groups)
        look.known[key] = (by_kind, closures)
        return by_kind, closures

    def _closures(
        self,
        state: State,
        by_kind: list[int],
        by_face: list[int],
        melds: dict[int, list[Meld]],
        judged: tuple[bool, Settled],
        groups: frozenset[int] | None,
    ) -> list[Closure]:
        """What can be laid of each group of which anything can: runs first, then where most cards
        can be laid.
        """
        begins = machine.in_phase(state, self.starters[0].index)
        adds = any(machine.in_phase(state, form.index) for form in self.adders)
        found = []
        contexts: dict[Context, int] = {}
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
            naturals = sum(held)
            needed = self.needed[group.number]
            if own is None and (
                naturals < needed or (group.shape == "run" and not _in_a_row(group, held, needed))
            ):
                continue
            if wild_kinds:
                more = wild.get(wild_kinds)
                if more is None:
                    more = wild[wild_kinds] = tuple([by_kind[kind] for kind in wild_kinds])
                limit = self.most_wild[group.number]
                if limit is not None:  # what can't be used makes no difference
                    melds_at_most = len(own or ()) + naturals // max(1, needed)
                    more = tuple([min(count, limit * melds_at_most) for count in more])
                held += more
            if own is None and sum(held) < self.least[group.number]:
                continue
            context = self.of_groups[group.number]
            if context not in contexts:
                contexts[context] = context.number(state)
            closure = self.closures.of(
                state, group, held, own or (), (contexts[context], *judged), begins, adds
            )
            if closure is None:
                raise NotKnown
            if closure.size:
                found.append(closure)
        found.sort(key=lambda closure: (closure.group.shape != "run", -closure.size))
        return found

    def _worth(self, look: Look, shared: Vector, layout: Layout) -> list[Vector]:
        """By component what the hand counts for it with each of the shared cards."""
        cards = [self._of_card(look, kind) for kind in shared]
        key = (layout, tuple([number for number, _ in cards]))
        worth = self.worths.get(key)
        if worth is None:
            if len(self.worths) > WORTHS:
                self.worths.clear()
            nothing = (0,) * len(shared)
            worth = self.worths[key] = [
                nothing
                if self.facts[fact].of_melds
                else tuple([values[fact] for _, values in cards])
                for _, fact in layout.components
            ]
        return worth

    def _new_level(
        self,
        closure: Closure,
        shared: Vector,
        components: tuple[Bound, ...],
        values: list[Vector],
    ) -> Level:
        places = [
            shared.index(kind) if kind in shared else -1
            for kind in self.kinds[closure.group.number]
        ]
        numbers = [(SORTS[sort], fact, self.facts[fact].of_melds) for sort, fact in components]
        found: dict[tuple[Vector, Vector], tuple[Vector, Outcome]] = {}
        firsts: dict[tuple[Vector, Vector], int] = {}
        for outcome, bits in zip(closure.outcomes, closure.firsts, strict=True):
            uses = [0] * len(shared)
            laid = [(used, n) for n, used in enumerate(outcome.used) if used]
            for used, n in laid:
                if places[n] >= 0:
                    uses[places[n]] += used
            gains, own = [], []
            for sort, fact, of_melds in numbers:
                if of_melds:
                    gain = kept = (outcome.gains, outcome.lows, outcome.highs)[sort][fact]
                else:
                    gain = kept = 0
                    for used, n in laid:
                        lost = -used * values[n][fact]
                        if lost and (sort == LAST or (lost < 0) == (sort == LOW)):
                            gain += lost
                            kept += 0 if places[n] >= 0 else lost
                gains.append(gain)
                own.append(kept)
            key = (tuple(uses), tuple(gains))
            found.setdefault(key, (tuple(own), outcome))
            firsts[key] = firsts.get(key, 0) | bits
        options = [Option(*key, *found[key], firsts[key]) for key in found]
        options.sort(key=lambda option: -sum(option.outcome.used))
        return Level(closure.group, options)

    def _now(self, look: Look, by_kind: list[int], components: tuple[Bound, ...]) -> Vector:
        """The facts as they are."""
        known: dict[int, int] = look.known.setdefault("now", {})
        asked = [fact for _, fact in components if fact not in known]
        if asked:
            state = look.state
            context = self.of_melds.number(state)
            melds = state.melds[self.table.side_of(state.player)]
            of_melds = [self._of_meld(state, context, meld) for meld in melds]
            of_cards = [
                (count, self._of_card(look, kind)[1]) for kind, count in enumerate(by_kind) if count
            ]
            for fact in asked:
                if self.facts[fact].of_melds:
                    known[fact] = sum([values[fact] for values in of_melds])
                else:
                    known[fact] = sum([count * values[fact] for count, values in of_cards])
        return tuple([known[fact] for _, fact in components])


def _in_a_row(group: Group, held: Vector, size: int) -> bool:
    """Whether there are cards of so many neighbouring ranks, an ace above the king or below the
    two.
    """
    ranks = 0
    for faces, count in zip(group.classes, held, strict=False):
        if count:
            rank = RANK_OF[faces[0]] or 0
            ranks |= 1 << rank | (rank == ACE) << 1
    for _ in range(size - 1):
        ranks &= ranks >> 1
    return bool(ranks)
