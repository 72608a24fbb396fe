"""What may still come to hold in a turn, written as tests on bounds: where such a test fails, no
look-ahead is needed to say no.

In reach of the text are `low` and `high` (how few and how many of its cards the hand can come to
have by laying melds), `up` and `down` (how high and how low each sum over melds can go, packed into
one number). Of what else changes within a turn nothing is known.
"""

from __future__ import annotations

from meldc_runtime.kernel.conditions import Names, broken, due
from meldc_runtime.kernel.judging import Judge
from meldc_runtime.kernel.layout import SIDE
from meldc_runtime.kernel.outcomes import NOTHING, SUM, SUM_BITS
from meldc_runtime.kernel.terms import (
    LENGTH,
    NAMED,
    All,
    AtLeastZero,
    Holds,
    IsZero,
    Not,
    Number,
    Place,
    Some,
    Truth,
    all_of,
    any_of,
    denied,
)  # fmt: skip
from meldc_runtime.kernel.text import place_text, truth_text
from meldc_runtime.kernel.values import Player
from meldc_runtime.program import effects as f
from meldc_runtime.program import expressions as x
from meldc_runtime.program.declarations import Moment

YES, NO = "True", "False"


class Possible:
    """Writes such tests for one layout. changing: the places that plays within a turn change.
    spare: the number of cards that an end of the turn takes from the hand, if it is known. coming:
    the lists whose cards may come to the hand (None: others may come, too). filled: the lists that
    may get cards.
    """

    def __init__(
        self,
        judge: Judge,
        changing: set[Place],
        spare: int | None,
        coming: list[str] | None,
        filled: set[str],
    ) -> None:
        self.filled = {
            judge.layout.list_text(zone) for zone in filled if zone in judge.layout.lists
        }
        self.spare = spare
        self.coming = coming
        self.ending = False
        self.judge = judge
        self.layout = judge.layout
        self.changing = changing
        self.sums = {one.place: i for i, one in enumerate(self.layout.sums.values())}
        self.names: Names = {x.Marker.PLAYER: Player(0)}
        self.becoming: dict[Place, list[Moment]] = {}
        self.asked: list[Place] = []
        for index in judge.table.schedule.scan:
            moment = judge.program.moments[index]
            for effect in map(judge.reader.folded, moment.effects):
                place = self.layout.memory.get(getattr(effect, "memory", ""))
                if place is not None:
                    only_yes = isinstance(effect, f.Become) and effect.value == x.Const(
                        True, "yes_no"
                    )
                    self.becoming.setdefault(place, []).append(moment)
                    if not only_yes:
                        self.becoming[place] = []

    # ---- tests
    def completed(self) -> str:
        """Whether the turn may be completed."""
        judge, program = self.judge, self.judge.program
        kept = [
            denied(broken(judge.reader, judge.rules[name], self.names))
            for name in judge.table.schedule.end_rules
        ]
        ends = []
        for index in judge.table.schedule.scan:
            moment = program.moments[index]
            is_due, is_kept = due(judge.reader, moment, self.names)
            kept.append(any_of(denied(is_due), denied(is_kept)))
            if any(isinstance(e, f.EndDeal) for e in moment.effects):
                ends.append(all_of(is_due, denied(is_kept)))
        over = self.truth(any_of(*ends))
        self.ending = True
        ended = self.truth(all_of(*kept))
        self.ending = False
        return _either([over, ended])

    def moment(self, name: str) -> str:
        """Whether a state moment may happen."""
        judge = self.judge
        index = judge.table.moments[name]
        if index not in judge.table.schedule.scan:
            return YES
        is_due, is_kept = due(judge.reader, judge.program.moments[index], self.names)
        return self.truth(all_of(is_due, denied(is_kept)))

    # ---- terms
    def truth(self, truth: Truth) -> str:
        match truth:
            case bool():
                return repr(truth)
            case All(parts):
                return _both([self.truth(part) for part in parts])
            case Some(parts):
                return _either([self.truth(part) for part in parts])
            case AtLeastZero(number):
                high = self.highest(number)
                return YES if high is None else f"{high} >= 0"
            case IsZero(number):
                high, other = self.highest(number), self.highest(_negative(number))
                return _both([YES if each is None else f"{each} >= 0" for each in (high, other)])
            case Not(IsZero(number)):
                steady = all(
                    isinstance(term, Place) and term.index >= 0 and term not in self.changing
                    for term, _ in number.terms
                )
                return truth_text(truth) if steady else YES
            case Holds(place):
                return self.becomes(place)
            case Not(Holds(place)):
                steady = place not in self.changing or bool(self.becoming.get(place))
                return f"not {place_text(place)}" if steady else YES
        return YES

    def becomes(self, place: Place) -> str:
        """Whether a truth that is kept holds or may come to hold."""
        if place.index == NAMED:
            return YES
        if place not in self.changing:
            return place_text(place)
        moments = self.becoming.get(place)
        if not moments or place in self.asked:
            return place_text(place) if place in self.asked else YES
        self.asked.append(place)
        ways = [self.moment(moment.name) for moment in moments]
        self.asked.pop()
        return _either([place_text(place), *ways])

    def highest(self, number: Number) -> str | None:
        """How high a number may come; None where nothing is known."""
        parts = []
        for term, factor in number.terms:
            if not isinstance(term, Place):
                return None
            bound = self.bound(term, factor > 0)
            if bound is None:
                return None
            if bound != "0":
                sign = "-" if factor < 0 else "+"
                parts.append(
                    f"{sign} {bound}" if abs(factor) == 1 else f"{sign} {abs(factor)} * {bound}"
                )
        if number.constant or not parts:
            parts.append(f"{'-' if number.constant < 0 else '+'} {abs(number.constant)}")
        return " ".join(parts).removeprefix("+ ")

    def bound(self, place: Place, high: bool) -> str | None:
        if place in self.sums:
            return _unpacked("up" if high else "down", self.sums[place])
        if place.vector == SIDE and place.index < self.layout.melds_width:
            return _unpacked("up" if high else "down", len(self.sums) + self.layout.watch(place))
        if place == self.layout.hand_size:
            if not high:
                return "low" if self.spare == 0 else f"(low - {self.spare or 1})"
            if self.coming is None or (self.ending and self.spare is None):
                return None
            more = "".join(f" + len({self.layout.list_text(zone)})" for zone in self.coming)
            return f"(high - {self.spare}{more})" if self.ending else f"(high{more})"
        if place.index == LENGTH and (
            place not in self.changing or (high and place.vector not in self.filled)
        ):
            return place_text(place)
        if place.index < 0:
            if not high and place.vector in {self.layout.list_text(z) for z in self.coming or ()}:
                return f"max(0, {place_text(place)} - {self.spare or 1})"  # the rest is in the hand
            return None if high else "0"
        return place_text(place) if place not in self.changing else None if high else "0"


def _unpacked(packed: str, number: int) -> str:
    """A sum of a packed number."""
    shifted = f"{packed} >> {SUM_BITS * number}" if number else packed
    return f"(({shifted} & {SUM:#x}) - {NOTHING:#x})"


def _negative(number: Number) -> Number:
    return Number(-number.constant, tuple((term, -factor) for term, factor in number.terms))


def _both(parts: list[str]) -> str:
    if NO in parts:
        return NO
    some = list(dict.fromkeys(part for part in parts if part != YES))
    return YES if not some else some[0] if len(some) == 1 else f"({' and '.join(some)})"


def _either(parts: list[str]) -> str:
    if YES in parts:
        return YES
    some = list(dict.fromkeys(part for part in parts if part != NO))
    return NO if not some else some[0] if len(some) == 1 else f"({' or '.join(some)})"
