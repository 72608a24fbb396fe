"""Effects as Python statements over the vectors of a kernel."""

from __future__ import annotations

from contextlib import nullcontext

from meldc_runtime.kernel.acting import Acting, Do, Exceptions, Laid
from meldc_runtime.kernel.conditions import Names, due
from meldc_runtime.kernel.layout import NotLowered, Slot
from meldc_runtime.kernel.reading import Reader
from meldc_runtime.kernel.terms import (
    LENGTH,
    NAMED,
    ZERO,
    Number,
    Place,
    Truth,
    all_of,
    any_of,
    assumed,
    assumed_number,
    at,
    at_least,
    denied,
    fixed,
    minus,
    places,
    plus,
    substituted,
)  # fmt: skip
from meldc_runtime.kernel.text import number_text, place_text, truth_text
from meldc_runtime.kernel.values import Player, Value
from meldc_runtime.writing.writer import Writer


class Code:
    """Writes the statements of a step. In reach are `s` (the position), `p`, `q` (who acts, its
    side), `h`, `m`, `g` (vectors of the hand, the side, the table).
    """

    def __init__(self, reader: Reader, writer: Writer, settled: bool = True) -> None:
        """settled: whether no state moment is due and free to happen before the step."""
        self.layout = reader.layout
        self.writer = writer
        self.reader = Reader(reader.layout, reader.folding, None, reader.tops)
        self.touched: set[Place] = set()
        self.settled = settled
        self.known: Truth = True
        self.names = 0
        self.may_end = False

    @property
    def stale(self) -> bool:
        return bool(self.touched)

    def _change(self, *places: Place) -> None:
        self.touched.update(places)

    def _change_list(self, *zones: str) -> None:
        for zone in zones:
            self._change(Place(self.layout.list_text(zone), LENGTH))
            self._change(*(t.place for t in self.layout.tallies.values() if t.zone == zone))

    def _name(self, hint: str) -> str:
        self.names += 1
        return f"{hint}_{self.names}"

    def _add(self, place: Place, number: Number) -> None:
        if number == ZERO:
            return
        if all(factor < 0 for _, factor in number.terms) and number.constant <= 0:
            self.writer.line(f"{place_text(place)} -= {number_text(minus(ZERO, number))}")
        else:
            self.writer.line(f"{place_text(place)} += {number_text(number)}")
        self._change(place)

    # ---- names and memory
    def let(self, name: str, value: Value) -> Value:
        if not isinstance(value, Number):
            return value
        self.writer.line(f"let_{name} = {number_text(value)}")
        return at(Place(f"let_{name}", NAMED))

    def become(self, place: Place, value: Value) -> None:
        if isinstance(value, Number):
            text = number_text(value)
        elif isinstance(value, Player):
            step, players = value.step, self.layout.table.players
            text = f"(p + {step}) % {players} + 1" if step else "p + 1"
        else:
            text = truth_text(value)
            if not isinstance(value, bool):
                text = f"bool({text})"
        self.writer.line(f"{place_text(place)} = {text}")
        self._change(place)

    # ---- cards
    def _tally(self, zone: str, card: str, sign: str) -> None:
        for tally in self.layout.tallies.values():
            if tally.zone == zone:
                members = tuple(int(k in tally.kinds) for k in range(self.layout.unknown))
                self.writer.line(f"{place_text(tally.place)} {sign}= {members}[{card}]")

    def _tally_known(self, zone: str, kind: int, sign: str) -> None:
        for tally in self.layout.tallies.values():
            if tally.zone == zone and kind in tally.kinds:
                self.writer.line(f"{place_text(tally.place)} {sign}= 1")

    def _elsewhere(self, but: Exceptions, then: str) -> None:
        """Sends a card of an exception where it goes."""
        for kinds, zone in but:
            if not kinds:
                continue
            test = " or ".join(f"card == {kind}" for kind in sorted(kinds))
            with self.writer.block(f"if {test}:"):
                self.writer.line(f"{self.layout.list_text(zone)}.append(card)")
                self._tally(zone, "card", "+")
                self.writer.line(then)

    def _to_hand(self, source: str) -> None:
        """A card for the hand: in a look-ahead one that comes from a hidden list is not known."""
        if self.layout.zone(source).visibility == "hidden":
            with self.writer.block("if not s.blind:"):
                self.writer.line("h[card] += 1")
        else:
            self.writer.line("h[card] += 1")

    def draw(self, count: Number, source: str, but: Exceptions) -> None:
        cards = self.layout.list_text(source)
        once = count == fixed(1)
        if not once:
            self.writer.line(f"left = {number_text(count)}")
        with self.writer.block(f"while {cards}:" if once else f"while left > 0 and {cards}:"):
            self.writer.line(f"card = {cards}.pop()")
            self._tally(source, "card", "-")
            self._elsewhere(but, "continue")
            self._to_hand(source)
            self.writer.line(f"{place_text(self.layout.hand_size)} += 1")
            self.writer.line("break" if once else "left -= 1")
        self._change(self.layout.hand_size, *map(self.layout.in_hand, range(self.layout.unknown)))
        self._change_list(source, *(zone for _, zone in but))

    def put(self, kind: int, to: str) -> None:
        self._add(self.layout.in_hand(kind), fixed(-1))
        self._add(self.layout.hand_size, fixed(-1))
        self.writer.line(f"{self.layout.list_text(to)}.append({kind})")
        self._tally_known(to, kind, "+")
        self._change_list(to)

    def empty(self, source: str, to: str, but: Exceptions) -> None:
        cards = self.layout.list_text(source)
        with self.writer.block(f"for card in {cards}:"):
            self._elsewhere(but, "continue")
            if to == self.layout.counted:
                self._to_hand(source)
                self.writer.line(f"{place_text(self.layout.hand_size)} += 1")
            else:
                self.writer.line(f"{self.layout.list_text(to)}.append(card)")
                self._tally(to, "card", "+")
        self.writer.line(f"{cards}.clear()")
        for tally in self.layout.tallies.values():
            if tally.zone == source:
                self.writer.line(f"{place_text(tally.place)} = 0")
        self._change_list(source, *(zone for _, zone in but))
        if to == self.layout.counted:
            self._change(
                self.layout.hand_size, *map(self.layout.in_hand, range(self.layout.unknown))
            )
        else:
            self._change_list(to)

    def sift(self, kinds: frozenset[int], source: str, to: str) -> None:
        cards, there = self.layout.list_text(source), self.layout.list_text(to)
        members = tuple(int(kind in kinds) for kind in range(self.layout.unknown))
        self.writer.line(f"some = [card for card in {cards} if {members}[card]]")
        with self.writer.block("if some:"):
            self.writer.line(f"{cards}[:] = [card for card in {cards} if not {members}[card]]")
            self.writer.line(f"{there} += some")
            for zone, sign in ((source, "-"), (to, "+")):
                for tally in self.layout.tallies.values():
                    if tally.zone == zone:
                        number = f"sum(card in {tuple(sorted(tally.kinds))} for card in some)"
                        self.writer.line(f"{place_text(tally.place)} {sign}= {number}")
        self._change_list(source, to)

    def shift(self, count: Number, source: str, to: str) -> None:
        cards = self.layout.list_text(source)
        self.writer.line(f"left = {number_text(count)}")
        with self.writer.block(f"while left > 0 and {cards}:"):
            self.writer.line(f"card = {cards}.pop()")
            self._tally(source, "card", "-")
            self.writer.line(f"{self.layout.list_text(to)}.append(card)")
            self._tally(to, "card", "+")
            self.writer.line("left -= 1")
        self._change_list(source, to)

    # ---- melds
    def lay(self, slot: Slot, cards: list[Laid]) -> None:
        known = True if self.touched else self.known
        kept = [self._kept(laid) for laid in cards]
        used = plus(*(laid.number for laid in kept))
        wild = plus(*(laid.number for laid in kept if laid.kind not in slot.naturals))
        changes = {Place("m", slot.base): used, Place("m", slot.base + 1): wild}
        for laid in kept:
            if laid.kind not in slot.cards:
                raise NotLowered("cards that no such meld takes")
            by_player = [] if slot.own is None else [slot.own_place(laid.kind)]
            for place in (slot.place(laid.kind), *by_player):
                changes[place] = plus(changes.get(place, ZERO), laid.number)
        for one in self.layout.sums.values():
            before = one.by_slot[slot.number]
            after = substituted(before, lambda place: plus(at(place), changes.get(place, ZERO)))
            self._add(one.place, assumed_number(minus(after, before), known))
        self._number_if_new(slot)
        for place, more in changes.items():
            self._add(place, more)
        for laid in kept:
            if laid.top_of is None:
                self._add(self.layout.in_hand(laid.kind), minus(ZERO, laid.number))
            else:
                self.writer.line(f"{self.layout.list_text(laid.top_of)}.pop()")
                self._tally_known(laid.top_of, laid.kind, "-")
                self._change_list(laid.top_of)
                self.reader.tops = {}
        own = plus(*(laid.number for laid in kept if laid.top_of is None))
        self._add(self.layout.hand_size, minus(ZERO, own))

    def _number_if_new(self, slot: Slot) -> None:
        """A meld that is begun gets the next number."""
        new = assumed(at_least(ZERO, slot.size), True if self.touched else self.known)
        if new is False:
            return
        lines = ["s.serial += 1", f"{place_text(slot.serial)} = s.serial"]
        with self.writer.block(f"if {truth_text(new)}:") if new is not True else nullcontext():
            for line in lines:
                self.writer.line(line)

    def _kept(self, laid: Laid) -> Laid:
        """Cards whose number is kept, since what it is read from changes."""
        if not laid.number.terms:
            return laid
        name = self._name("n")
        self.writer.line(f"{name} = {number_text(laid.number)}")
        return Laid(laid.kind, at(Place(name, NAMED)), laid.top_of)

    def end_deal(self) -> None:
        self.writer.line("s.over = True")
        self.may_end = True

    # ---- branches
    def if_else(self, condition: Truth, then: Do, otherwise: Do, needed: bool) -> None:
        before, tops = set(self.touched), self.reader.tops
        with self.writer.block(f"if {truth_text(condition)}:"):
            then()
        one = (self.touched, self.reader.tops)
        self.touched, self.reader.tops = before, tops
        if needed:
            with self.writer.block("else:"):
                otherwise()
        else:
            otherwise()
        self.touched = self.touched | one[0]
        self.reader.tops = {} if one[1] != self.reader.tops else self.reader.tops

    def scan(self, acting: Acting, names: Names) -> None:
        """State moments, if one that may have become due by the step is due and free."""
        table = self.layout.table
        own = {"player": names["player"]}
        due_now: list[Truth] = []
        for index in table.schedule.scan:
            is_due, kept = due(self.reader, table.program.moments[index], own)
            test = all_of(is_due, denied(kept))
            if not self.settled or self.touched.intersection(places(test)):
                due_now.append(test)
        whole = any_of(*due_now)
        if whole is False or acting.flow.ended is True:
            return
        with self.writer.block(f"if {truth_text(whole)}:"):
            self.writer.line("scan(s)")
        self.may_end = True
