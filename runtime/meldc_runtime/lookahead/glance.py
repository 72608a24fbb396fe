"""A look at a question by counts alone, before anything is worked out of what can be laid."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from itertools import product
from operator import add, sub
from typing import Any

from meldc_runtime import machine
from meldc_runtime.cards import ACE, FACE, RANK_OF
from meldc_runtime.course import Env, Happening
from meldc_runtime.lookahead.aims import Aim, NotKnown
from meldc_runtime.lookahead.facts import Fact
from meldc_runtime.lookahead.groups import Group, Vector
from meldc_runtime.lookahead.join import Layout, picker
from meldc_runtime.lookahead.knowledge import Test
from meldc_runtime.lookahead.lanes import Lanes, packed
from meldc_runtime.lookahead.limits import Bound
from meldc_runtime.lookahead.looks import Look
from meldc_runtime.lookahead.outside import Outside
from meldc_runtime.lookahead.probes import Function
from meldc_runtime.lookahead.ranges import FAR
from meldc_runtime.lookahead.ranges import number as constant
from meldc_runtime.lookahead.search import blinded
from meldc_runtime.program import expressions as x
from meldc_runtime.state import Meld, Refused, State

LEAST, GREATEST, GREATEST_EVER, MOST_OF_MELDS, LEAST_OF_MELDS = range(5)
"""Lists of what facts are at a glance."""

CARDS_KNOWN = 20_000
"""Kinds of card, each in a context, of which facts are kept before all are forgotten."""


class Glance(Outside):
    """Knows the ways of an aim that are open in a state, and what counts say of them."""

    def take(self, functions: dict[str, Function]) -> None:
        super().take(functions)
        if not self.applies:
            return
        self.most_wild = [self._most_wild(group) for group in self.groups]
        """By group the most wild cards that a meld takes, None where there is no limit."""
        self.takes = [
            (group.number, set(own), set(wild), self.most_wild[group.number])
            for group, own, wild in zip(self.groups, self.own_kinds, self.wild_kinds, strict=True)
        ]
        self.least_by_group = [
            [] if least is None else [min(least[k] for k in group.kinds) for group in self.groups]
            for least in self.least_sizes
        ]
        self.told = [
            fact in self.card_worth or least is not None
            for fact, least in enumerate(self.least_sizes)
        ]
        """By fact of melds, whether counts tell its greatest value."""
        one = Fact(True, constant(1))
        self.number_of_melds = self.facts.index(one) if one in self.facts else None
        """The fact that is the number of melds: it does not fall."""
        self.least_of_melds = [-FAR] * len(self.facts)
        self.by_phase: dict[tuple[Aim, int], list[tuple[Test, list[int]]]] = {}
        self.relaxed_tests: dict[int, tuple[list[tuple[int, bool]], list[int]]] = {}
        self.readings: dict[Layout, list[tuple[int, int]]] = {}
        self.lanes = Lanes(len(self.facts))
        self.begun: dict[tuple[int, int, int], int] = {}
        self.grown: dict[tuple[int, int, int], int] = {}
        self.packed_melds: dict[Vector, tuple[int, int, int]] = {}
        self.packed_cards: dict[int, tuple[int, int, int]] = {}

    def _most_wild(self, group: Group) -> int | None:
        """The most wild cards that a meld of a group takes, None where there is no limit."""
        limits = [self.table.program.kinds[kind].wilds[1] for kind in group.kinds]
        return None if None in limits else max(limit for limit in limits if limit is not None)

    def _open_tests(self, look: Look, aim: Aim, relaxed: bool) -> list[tuple[Test, Function]]:
        """The ways that the phase leaves open, with the constants of this position. Raises
        NotKnown.
        """
        key = ("tests", aim, relaxed)
        if key not in look.known:
            look.known[key] = self._find_open_tests(look, aim, relaxed)
        tests: list[tuple[Test, Function]] | None = look.known[key]
        if tests is None:
            raise NotKnown
        return tests

    def _find_open_tests(
        self, look: Look, aim: Aim, relaxed: bool
    ) -> list[tuple[Test, Function]] | None:
        """The same; None where a constant is nothing, or too much is doubtful."""
        state = look.state
        values: dict[int, Any] = look.known.setdefault("given", {})
        found: list[tuple[Test, Function]] = []
        for test, allowed in self._in_phase(aim, state.phase):
            if allowed and not all(machine.in_phase(state, action) for action in allowed):
                continue
            for number in test.constants:
                if number not in values:
                    values[number] = self.given[number](state, state.player)
                if values[number] is None:
                    return None
            given = [values[number] for number in test.constants]
            function: Function | None = partial(test.function, state, *given)
            if relaxed:
                function = self._relaxed(state, test, given)
            if function is None:
                return None
            found.append((test, function))
        return found

    def _in_phase(self, aim: Aim, phase: int) -> list[tuple[Test, list[int]]]:
        """The ways to an aim that a phase does not close, each with the actions of which it must be
        asked whether they are allowed in it; kept.
        """
        key = (aim, phase)
        known = self.by_phase.get(key)
        if known is None:
            known = self.by_phase[key] = []
            course = self.table.course
            for test in self.tests[aim]:
                elsewhere = [action for action in test.asked if phase not in course.phases[action]]
                if all(
                    any(phase in phases for _, phases in course.allowances[action])
                    for action in elsewhere
                ):
                    known.append((test, elsewhere))
        return known

    def _relaxed(self, state: State, test: Test, given: list[Any]) -> Function | None:
        """A way for which constants that other plays may change can be anything, and facts of the
        hand what new cards make them; None where these are too many.
        """
        places, more = self._what_is_relaxed(test)
        doubtful = [place for place, lasts in places if not (lasts and given[place] is True)]
        if not (doubtful or more):
            return partial(test.function, state, *given)
        if len(doubtful) > 4 or not all(isinstance(given[place], bool) for place in doubtful):
            return None

        def is_open(*numbers: int) -> bool:
            bounds = list(map(add, numbers, more)) if more else numbers
            for choice in product((True, False), repeat=len(doubtful)):
                values = list(given)
                for place, value in zip(doubtful, choice, strict=True):
                    values[place] = value
                if test.function(state, *values, *bounds):
                    return True
            return False

        return is_open

    def _what_is_relaxed(self, test: Test) -> tuple[list[tuple[int, bool]], list[int]]:
        """The places of the constants of a way that other plays may change, each with whether it
        lasts once it holds; and what new cards may add to each bound, if they may to any.
        """
        known = self.relaxed_tests.get(id(test))
        if known is None:
            places = [
                (place, number in self.lasting)
                for place, number in enumerate(test.constants)
                if number in self.doubtful
            ]
            more = [
                FAR
                if self.brings and bound in ("most", "high") and not self.facts[fact].of_melds
                else 0
                for bound, fact in test.bounds
            ]
            known = self.relaxed_tests[id(test)] = (places, more if any(more) else [])
        return known

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

    def is_closed_at_a_glance(
        self,
        look: Look,
        aim: Aim,
        leaving: frozenset[int] = frozenset(),
        lays: bool = False,
        stages: int = 2,
    ) -> bool:
        """Whether no way to an aim is open even if every card of the hand were laid that could be
        in any meld but those of very many. leaving: kinds of card that might leave the hand by
        other plays. lays: whether something is laid. stages: how many may follow. Raises NotKnown.
        """
        tests = self._open_tests(look, aim, relaxed=bool(leaving))
        layout = self._layout(aim, [test for test, _ in tests])
        asked = self._asked_at_a_glance(look, layout, leaving, lays)
        return not any(
            function(*pick(asked))
            and not (stages and self._leads_nowhere(look, test.moment, aim, leaving, lays, stages))
            for (test, function), pick in zip(tests, layout.picks, strict=True)
        )

    def _asked_at_a_glance(
        self, look: Look, layout: Layout, leaving: frozenset[int], lays: bool
    ) -> list[int]:
        """The numbers of a layout at their loosest, as far as counts tell them."""
        reading = self.readings.get(layout)
        if reading is None:
            reading = self.readings[layout] = self._reading(layout)
        key = ("at a glance", leaving)
        lists: list[Sequence[int]] | None = look.known.get(key)
        if lists is None:
            lists = look.known[key] = [
                *self._hand_at_a_glance(look, leaving),
                self._most_of_melds(look),
                self.least_of_melds,
            ]
        asked = [lists[which][fact] for which, fact in reading]
        if self.number_of_melds is not None:
            melds = len(look.state.melds[look.state.player % self.table.sides])
            for number, (which, fact) in enumerate(reading):
                if which == LEAST_OF_MELDS and fact == self.number_of_melds:
                    last = layout.components[layout.places[number]][0] == "last"
                    asked[number] = max(melds, int(lays and last))
        return asked

    def _reading(self, layout: Layout) -> list[tuple[int, int]]:
        """For each number of a layout the list of those at a glance that has it, and its fact."""
        found = []
        for place, most in zip(layout.places, layout.most, strict=True):
            sort, fact = layout.components[place]
            if self.facts[fact].of_melds:
                which = MOST_OF_MELDS if most else LEAST_OF_MELDS
            elif most:
                which = GREATEST if sort == "last" else GREATEST_EVER
            else:
                which = LEAST
            found.append((which, fact))
        return found

    def _counts(self, look: Look) -> tuple[dict[int, int], dict[int, int]]:
        """How many cards of each kind are in hand, and how many of them might be laid."""
        counts: tuple[dict[int, int], dict[int, int]] | None = look.known.get("counts")
        if counts is None:
            held: dict[int, int] = {}
            of, state = self.coarse.of, look.state
            for card in state.zones[self.table.zone_slot(self.zone, state.player)]:
                kind = of[card & FACE]
                held[kind] = held.get(kind, 0) + 1
            lie = {
                self.group_of.get((meld.kind, self._place(meld)))
                for meld in state.melds[state.player % self.table.sides]
            }
            counts = look.known["counts"] = (held, self._layable(state, held, lie))
        return counts

    def _leads_nowhere(
        self,
        look: Look,
        moment: str,
        aim: Aim,
        leaving: frozenset[int],
        lays: bool,
        stages: int,
    ) -> bool:
        """Whether a moment that begins a stage, and brings no cards, leaves all ways closed."""
        if not moment or moment not in self.goals.staged:
            return False
        key = ("leads nowhere", moment, aim, leaving, lays, stages)
        if key not in look.known:
            state, after = look.state, self._brought_about(look.state, moment)
            look.known[key] = after is not None and (
                after.memory == state.memory
                or (
                    after.zones == state.zones
                    and self.is_closed_at_a_glance(
                        self._look_after(look, after), aim, leaving, lays, stages - 1
                    )
                )
            )
        return bool(look.known[key])

    def _look_after(self, look: Look, after: State) -> Look:
        """What is known of a position in which only memories may be others."""
        found = self.looks.of(after)
        if after.melds == look.state.melds:
            for counts in ("counts", "might be laid"):
                if counts in look.known:
                    found.known.setdefault(counts, look.known[counts])
        return found

    def _brought_about(self, state: State, moment: str) -> State | None:
        """The blind state after a state moment and what hangs on it. None where that is refused, or
        not known: a moment that hangs on an action reads the names of that action.
        """
        found = self.state_moments.get(moment)
        if found is None:
            return None
        after = blinded(state)
        return after if happens(after, {x.Marker.PLAYER: state.player}, found) else None

    def _most_of_melds(self, look: Look) -> Sequence[int]:
        """The greatest value of each fact of melds, as far as counts tell it."""
        state = look.state
        layable = self._counts(look)[1]
        context = self.of_melds.number(state)
        total = fall = 0
        lying: dict[int | None, list[tuple[int, int]]] = {}
        for meld in state.melds[state.player % self.table.sides]:
            gain, loss, zeros = self._packed_meld(state, context, meld)
            total += gain
            fall += loss
            place = self.group_of.get((meld.kind, self._place(meld)))
            lying.setdefault(place, []).append((len(meld.cards), zeros))
        for kind, count in layable.items():
            total += count * self._packed_card(look, kind)[2]
        for number, own, most in self._might_be_laid(look, layable):
            total += self._may_begin(number, own, most)
            for size, zeros in lying.get(number, ()):
                total += self._may_grow(number, size + own + most, zeros)
        most_of = self.lanes.unpacked(total)
        if fall:
            most_of = tuple(map(sub, most_of, self.lanes.unpacked(fall)))
        return [number if known else FAR for number, known in zip(most_of, self.told, strict=True)]

    def _may_begin(self, group: int, own: int, most: int) -> int:
        """How many melds begun with so many naturals, and wild cards in each, may count for each
        fact; packed.
        """
        key = (group, own, most)
        if key not in self.begun:
            self.begun[key] = packed(
                own // max(1, least[group] - most) if least and fact not in self.card_worth else 0
                for fact, least in enumerate(self.least_by_group)
            )
        return self.begun[key]

    def _may_grow(self, group: int, size: int, zeros: int) -> int:
        """Whether a meld that counts nothing for some facts (`zeros`, as bits) may count for them
        once it is of a size; packed.
        """
        key = (group, size, zeros)
        if key not in self.grown:
            if len(self.grown) > CARDS_KNOWN:
                self.grown.clear()
            self.grown[key] = packed(
                int(bool(least) and zeros >> fact & 1 == 1 and size >= least[group])
                if fact not in self.card_worth
                else 0
                for fact, least in enumerate(self.least_by_group)
            )
        return self.grown[key]

    def _packed_meld(self, state: State, context: int, meld: Meld) -> tuple[int, int, int]:
        """What a meld counts for each fact, packed: what is positive, what is negative; and the
        facts for which it counts nothing, as bits.
        """
        values = self._of_meld(state, context, meld)
        found = self.packed_melds.get(values)
        if found is None:
            if len(self.packed_melds) > CARDS_KNOWN:
                self.packed_melds.clear()
            zeros = sum(1 << fact for fact, value in enumerate(values) if not value)
            found = (packed(values), packed([-(value or 0) for value in values]), zeros)
            self.packed_melds[values] = found
        return found

    def _packed_card(self, look: Look, kind: int) -> tuple[int, int, int]:
        """What a card counts for each fact of the hand, packed: what is positive, what is negative;
        and for each fact of melds that sums what cards count.
        """
        number, values = self._of_card(look, kind)
        found = self.packed_cards.get(number)
        if found is None:
            if len(self.packed_cards) > CARDS_KNOWN:
                self.packed_cards.clear()
            worth = [0] * len(values)
            for fact, same in self.card_worth.items():
                worth[fact] = values[same]
            found = (packed(values), packed([-(value or 0) for value in values]), packed(worth))
            self.packed_cards[number] = found
        return found

    def _might_be_laid(self, look: Look, layable: dict[int, int]) -> list[tuple[int, int, int]]:
        """The groups of which something might be laid: number, naturals, and the most wild cards of
        a meld.
        """
        found: list[tuple[int, int, int]] | None = look.known.get("might be laid")
        if found is None:
            found = look.known["might be laid"] = []
            for group, own_kinds, wild_kinds, limit in self.takes:
                own = sum([layable.get(kind, 0) for kind in own_kinds])
                wild = sum([layable.get(kind, 0) for kind in wild_kinds])
                if own + wild:
                    found.append((group, own, wild if limit is None else min(wild, limit)))
        return found

    def _hand_at_a_glance(self, look: Look, leaving: frozenset[int]) -> list[Sequence[int]]:
        """The least value of each fact of the hand, the greatest, and the greatest over the turn
        where it cannot grow, by a look at counts alone.
        """
        held, layable = self._counts(look)
        now = kept = now_less = kept_less = 0
        for kind, count in held.items():
            gain, loss, _ = self._packed_card(look, kind)
            left = 0 if kind in leaving else count - layable.get(kind, 0)
            now += count * gain
            kept += left * gain
            if loss:
                now_less += count * loss
                kept_less += left * loss
        unpacked = self.lanes.unpacked
        if not now_less:
            least, greatest = unpacked(kept), unpacked(now)
            return [least, greatest, greatest]
        least = tuple(map(sub, unpacked(kept), unpacked(now_less)))
        greatest = tuple(map(sub, unpacked(now), unpacked(kept_less)))
        held_now = tuple(map(sub, unpacked(now), unpacked(now_less)))
        ever = [h if low >= 0 else g for low, h, g in zip(least, held_now, greatest, strict=True)]
        return [least, greatest, ever]

    def _layable(self, state: State, held: dict[int, int], lie: set[int | None]) -> dict[int, int]:
        """How many cards of each kind in hand might be laid, by a look at counts alone."""
        in_runs = self._in_runs(state)
        return {
            kind: count if self._may_lie(kind, held, lie) else min(count, in_runs.get(kind, 0))
            for kind, count in held.items()
        }

    def _may_lie(self, kind: int, held: dict[int, int], lie: set[int | None]) -> bool:
        """Whether cards of a kind might be laid: as wild cards, on a meld of their group, or in one
        that there are naturals enough for; runs left out.
        """
        if kind in self.ever_wild:
            return True
        return any(
            number in lie
            or sum([held.get(other, 0) for other in self.own_kinds[number]]) >= self.needed[number]
            for number in self.groups_with.get(kind, ())
            if self.groups[number].shape != "run"
        )

    def _in_runs(self, state: State) -> dict[int, int]:
        """How many cards of each kind in hand lie in a row of ranks that is long enough for a run,
        with those of runs that lie.
        """
        runs = [group for group in self.groups if group.shape == "run"]
        if not runs:
            return {}
        hand = [c & FACE for c in state.zones[self.table.zone_slot(self.zone, state.player)]]
        lying = [card & FACE for meld in state.melds[state.player % self.table.sides]
                 if meld.suit is not None for card in meld.cards]  # fmt: skip
        found: dict[int, int] = {}
        for group in runs:
            own = {faces[0] for faces in group.classes[: group.wild_from]}
            held = [face for face in hand if face in own]
            ranks = {RANK_OF[face] for face in (*held, *lying) if face in own}
            ranks |= {1} if ACE in ranks else set()
            for face in held:
                rank = RANK_OF[face] or 0
                rows = [_row(ranks, one) for one in ((rank, 1) if rank == ACE else (rank,))]
                if max(rows) >= self.least[group.number]:
                    kind = self.coarse.of[face]
                    found[kind] = found.get(kind, 0) + 1
        return found

    def _of_card(self, look: Look, kind: int) -> tuple[int, Vector]:
        """What a card of a kind in hand counts for each fact, and a number for that."""
        known: dict[int, tuple[int, Vector]] = look.known.setdefault("cards", {})
        found = known.get(kind)
        if found is None:
            state = look.state
            context = look.known.get("context of cards")
            if context is None:
                context = look.known["context of cards"] = self.of_cards.number(state)
            key = (state.player if self.closures.marked else 0, context, kind)
            found = self.card_values.get(key)
            if found is None:
                if len(self.card_values) > CARDS_KNOWN:
                    self.card_values.clear()
                    self.card_numbers.clear()
                face = self.coarse.faces[kind][0]
                vector = tuple([fact(state, state.player, face) for fact in self.of_card])
                if vector not in self.card_numbers:
                    self.card_numbers[vector] = next(self.next_number)
                found = self.card_values[key] = (self.card_numbers[vector], vector)
            known[kind] = found
        return found

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

    def _place(self, meld: Meld) -> int | None:
        shape = self.table.program.kinds[meld.kind].shape
        return meld.rank if shape == "same_rank" else meld.suit if shape == "run" else None


def happens(state: State, env: Env, moment: Happening) -> bool:
    """Lets a moment happen, and what hangs on it; whether nothing of that was refused. The state is
    spoilt where something was.
    """
    try:
        moment.effect(state, env)
    except Refused:
        return False
    for further in moment.after:
        if further.when is not None and not further.when(state, env):
            continue
        if any(broken(state, env) for name, broken in further.rules if name != state.without):
            return False
        if not happens(state, env, further):
            return False
    return True


def _sort(bound: str) -> str:
    return "last" if bound in ("least", "most") else bound


def _row(ranks: set[int | None], rank: int) -> int:
    """How many ranks lie side by side about one of them."""
    low = high = rank
    while low - 1 in ranks:
        low -= 1
    while high + 1 in ranks:
        high += 1
    return high - low + 1
