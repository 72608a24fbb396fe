"""What holds after a step, in terms of what is there before it."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from typing import TypeVar

from meldc_runtime.kernel.acting import Acting, Do, Exceptions, Laid
from meldc_runtime.kernel.conditions import Names, due
from meldc_runtime.kernel.layout import NotLowered, Slot
from meldc_runtime.kernel.reading import Reader
from meldc_runtime.kernel.terms import (
    LENGTH,
    ONE,
    ZERO,
    Holds,
    Number,
    Place,
    Truth,
    all_of,
    any_of,
    assumed,
    at,
    at_least,
    choose,
    denied,
    fixed,
    minus,
    pick,
    plus,
)  # fmt: skip
from meldc_runtime.kernel.values import Player, Value
from meldc_runtime.program import expressions as x
from meldc_runtime.program.declarations import Moment

Found = TypeVar("Found")


class Impossible(Exception):  # noqa: N818
    """A path whose conditions exclude each other."""


class Script:
    """Which way to go at conditions that are not known: as given, from there on always yes."""

    def __init__(self, given: tuple[bool, ...] = ()) -> None:
        self.given = given
        self.taken: list[bool] = []

    def decide(self) -> bool:
        place = len(self.taken)
        self.taken.append(self.given[place] if place < len(self.given) else True)
        return self.taken[-1]


def paths(run: Callable[[Script], Found], most: int = 200) -> Iterator[Found]:
    """What running gives on each path. Raises NotLowered where there are too many."""
    waiting: list[tuple[bool, ...]] = [()]
    for _ in range(most):
        if not waiting:
            return
        script = Script(waiting.pop())
        with contextlib.suppress(Impossible):
            yield run(script)
        for place in range(len(script.given), len(script.taken)):
            waiting.append((*script.taken[:place], not script.taken[place]))
    raise NotLowered("too many ways that a step may go")


class Ahead:
    """Keeps what is at each place after a step, in terms of what was there before it.

    legal: whether the melds laid are such melds. blocked: whether a moment is due after the state
    moments that rules keep from happening. drawn: how many cards a draw is taken to bring. path:
    what the conditions on the way were taken to be, as the script says. given: what was known
    before; facts: what is known of melds as they lie.
    """

    def __init__(
        self, reader: Reader, script: Script, given: Truth = True, drawn: Number | None = None
    ) -> None:
        self.script = script
        self.given = given
        self.facts: Truth = True
        self.known: Truth = True
        self.path: Truth = True
        self.layout = reader.layout
        self.now: dict[Place, Number | Truth] = {}
        self.legal: Truth = True
        self.blocked: Truth = False
        self.drawn = drawn
        self.strange = 0
        self.stale = False  # everything is said in terms of what was there before
        self.plain = Reader(reader.layout, reader.folding, None, reader.tops)
        self.looking = Reader(reader.layout, reader.folding, self.look, reader.tops)

    @property
    def reader(self) -> Reader:
        """Reads what is there now."""
        return self.looking if self.now else self.plain

    def look(self, place: Place) -> Number | Truth:
        return self.now[place] if place in self.now else self._original(place)

    def unknown(self) -> Number:
        self.strange += 1
        return at(Place(f"?{self.strange}", 0))

    def number(self, place: Place) -> Number:
        found = self.look(place)
        assert isinstance(found, Number)
        return found

    def truth(self, place: Place) -> Truth:
        found = self.look(place)
        assert not isinstance(found, Number)
        return found

    def add(self, place: Place, more: Number) -> None:
        self.now[place] = plus(self.number(place), more)

    # ---- effects
    def let(self, name: str, value: Value) -> Value:
        return value

    def become(self, place: Place, value: Value) -> None:
        if isinstance(value, Player):
            value = plus(self.unknown(), ONE)
        self.now[place] = value

    def _changed_list(self, zone: str) -> None:
        self.looking.tops = {}
        for tally in self.layout.tallies.values():
            if tally.zone == zone:
                self.now[tally.place] = self.unknown()

    def _length(self, zone: str) -> Place:
        return Place(self.layout.list_text(zone), LENGTH)

    def draw(self, count: Number, source: str, but: Exceptions) -> None:
        if self.drawn is None:
            raise NotLowered("a second draw")
        for zone in (source, *(to for _, to in but)):
            self._changed_list(zone)
            self.now[self._length(zone)] = self.unknown()
        self.add(self.layout.hand_size, self.drawn)

    def put(self, kind: int, to: str) -> None:
        if kind != self.layout.unknown:
            self.add(self.layout.in_hand(kind), fixed(-1))
        self.add(self.layout.hand_size, fixed(-1))
        self._changed_list(to)
        self.add(self._length(to), ONE)

    def empty(self, source: str, to: str, but: Exceptions) -> None:
        kinds = frozenset(range(self.layout.unknown)).difference(*(some for some, _ in but))
        tally = self.layout.tallies.get((source, kinds))
        length = self.number(self._length(source))
        if but:
            length = self.unknown() if tally is None else self.number(tally.place)
        self._changed_list(source)
        self.now[self._length(source)] = ZERO
        for _, zone in but:
            self._changed_list(zone)
            self.now[self._length(zone)] = self.unknown()
        if to == self.layout.counted:
            self.add(self.layout.hand_size, length)
        else:
            self._changed_list(to)
            self.add(self._length(to), length)

    def sift(self, kinds: frozenset[int], source: str, to: str) -> None:
        for zone in (source, to):
            self._changed_list(zone)
            self.now[self._length(zone)] = self.unknown()

    def shift(self, count: Number, source: str, to: str) -> None:
        there = self.number(self._length(source))
        moved = pick(at_least(there, count), count, there)
        for zone in (source, to):
            self._changed_list(zone)
        self.add(self._length(source), negative(moved))
        self.add(self._length(to), moved)

    def lay(self, slot: Slot, cards: list[Laid]) -> None:
        used = plus(*(laid.number for laid in cards))
        natural = plus(*(laid.number for laid in cards if laid.kind in slot.naturals))
        wild = minus(used, natural)
        fits = all(laid.kind in slot.cards for laid in cards)
        named = any_of(self._exists(slot), at_least(natural, ONE))
        self._settle(slot)
        sums = [
            (s.place, self.reader.again(s.by_slot[slot.number])) for s in self.layout.sums.values()
        ]
        self.add(Place("m", slot.base), used)
        self.add(Place("m", slot.base + 1), wild)
        for laid in cards:
            if laid.kind in slot.cards:
                self.add(slot.place(laid.kind), laid.number)
                if slot.own is not None:
                    self.add(slot.own_place(laid.kind), laid.number)
            if laid.top_of is None:
                self.add(self.layout.in_hand(laid.kind), negative(laid.number))
                self.add(self.layout.hand_size, negative(laid.number))
            else:
                self._taken_from_top(laid)
        for (place, old), one in zip(sums, self.layout.sums.values(), strict=True):
            new = self.reader.again(one.by_slot[slot.number])
            self.now[place] = plus(self.number(place), minus(new, old))
        pattern = self._pattern(slot) if fits else False
        pattern = self.simple(choose(at_least(used, ONE), all_of(named, pattern), True))
        self.legal = all_of(self.legal, pattern)

    def _exists(self, slot: Slot) -> Truth:
        return at_least(self.number(Place("m", slot.base)), ONE)

    def _settle(self, slot: Slot) -> None:
        """What is known of a meld as it lies: it is such a meld, or there is none."""
        found: list[bool] = []
        self.if_else(
            self._exists(slot), lambda: found.append(True), lambda: found.append(False), True
        )
        exists = self._exists(slot)
        self.path = all_of(self.path, exists if found[0] else denied(exists))
        if found[0]:
            known = self._pattern(slot)
        else:
            places = range(slot.base, slot.base + slot.width)
            known = all_of(*(at_least(ZERO, self.number(Place("m", i))) for i in places))
        self.facts = all_of(self.facts, known)

    def _taken_from_top(self, laid: Laid) -> None:
        zone = laid.top_of
        assert zone is not None
        self.looking.tops = {}
        self.add(self._length(zone), fixed(-1))
        for tally in self.layout.tallies.values():
            if tally.zone == zone and laid.kind in tally.kinds:
                self.add(tally.place, fixed(-1))

    def _pattern(self, slot: Slot) -> Truth:
        """Whether the bounds and the condition of its kind let a meld lie as it lies now."""
        kind = self.layout.table.program.kinds[slot.kind]
        size, wild = self.number(Place("m", slot.base)), self.number(Place("m", slot.base + 1))
        tests = []
        for number, (low, high) in (
            (size, kind.size), (minus(size, wild), kind.naturals), (wild, kind.wilds)
        ):  # fmt: skip
            tests.append(at_least(number, fixed(low)))
            if high is not None:
                tests.append(at_least(fixed(high), number))
        if kind.condition is not None:
            condition = self.reader.folded(kind.condition)
            tests.append(self.reader.truth(condition, {x.Marker.MELD: slot}))
        return all_of(*tests)

    def end_deal(self) -> None:
        pass

    # ---- branches
    def if_else(self, condition: Truth, then: Do, otherwise: Do, needed: bool) -> None:
        """Follows one path; the script says which where it is not known."""
        known = self.simple(condition)
        if isinstance(known, bool):
            (then if known else otherwise)()
            return
        decision = self.script.decide()
        self.path = all_of(self.path, known if decision else denied(known))
        self.given = assumed(self.given, self.path)
        if self.path is False or self.given is False:
            raise Impossible
        (then if decision else otherwise)()

    def simple(self, truth: Truth) -> Truth:
        """A truth on this path, as far as it is not known already."""
        return assumed(assumed(assumed(truth, self.path), self.given), self.facts)

    def _original(self, place: Place) -> Number | Truth:
        return Holds(place) if place in self.layout.truths else at(place)

    def scan(self, acting: Acting, names: Names) -> None:
        """State moments: in each round the first that is due and free happens."""
        table = self.layout.table
        moments = [table.program.moments[i] for i in table.schedule.scan]
        done: set[int] = set()
        own = {"player": names["player"]}
        while not acting.flow.ended:
            place = next(
                (i for i in range(len(moments)) if self._happens(i, moments[i], done, own)), None
            )
            if place is None:
                break
            done.add(place)
            acting.effects(moments[place].effects, own)
            if not acting.flow.ended:
                self._no_followers(moments[place])
        for place, moment in enumerate(moments):
            is_due, kept = due(self.reader, moment, own)
            if place not in done and all_of(is_due, kept) is not False:
                self.blocked = any_of(self.blocked, all_of(is_due, kept))

    def _happens(self, place: int, moment: Moment, done: set[int], own: Names) -> bool:
        if place in done:
            return False
        is_due, kept = due(self.reader, moment, own)
        found: list[bool] = []
        self.if_else(
            all_of(is_due, denied(kept)),
            lambda: found.append(True),
            lambda: found.append(False),
            True,
        )
        return found[0]

    def _no_followers(self, moment: Moment) -> None:
        table = self.layout.table
        if table.schedule.after_moment[table.moments[moment.name]]:
            raise NotLowered("moments after state moments")


def negative(number: Number) -> Number:
    return minus(ZERO, number)
