"""Goes through a step of the machine on a kernel: once writing code, once working out what holds
after it.

`Acting` knows the order of things (effects, moments after the action, state moments); what an
effect does is said to a `Ground`: `Code` writes statements, `Ahead` keeps what would be at each
place, in terms of what is there before the step.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Protocol

from meldc_runtime.kernel.conditions import Names
from meldc_runtime.kernel.layout import Layout, NotLowered, Slot
from meldc_runtime.kernel.reading import Reader
from meldc_runtime.kernel.terms import (
    NAMED,
    ONE,
    ZERO,
    Number,
    Place,
    Truth,
    all_of,
    assumed,
    assumed_number,
    at,
    denied,
    fixed,
    pick,
    plus,
)  # fmt: skip
from meldc_runtime.kernel.values import (
    HOME,
    Card,
    Cards,
    Code,
    NeedsTop,
    One,
    OwnSide,
    Player,
    Value,
)
from meldc_runtime.program import effects as f
from meldc_runtime.program import expressions as x
from meldc_runtime.program.declarations import Moment

BACK = (-1, 0)
"""Stands for the phase and player to go back to."""

Do = Callable[[], None]
Part = Callable[["Acting"], None]
Exceptions = list[tuple[frozenset[int], str]]


@dataclass(frozen=True, slots=True)
class Laid:
    """Cards for a meld: a kind, how many, and the list whose top card it is (None: of the hand)."""

    kind: int
    number: Number
    top_of: str | None


@dataclass(slots=True)
class Flow:
    """Where a step leads. target: phase, and how many seats on; BACK. ended: whether the deal is
    surely ended.
    """

    target: tuple[int, int] | None = None
    ends_turn: bool = False
    ended: bool = False


class Ground(Protocol):
    """What effects are said to. stale: whether places no longer hold what they held before;
    known: what is known where cards are laid, as long as they do.
    """

    known: Truth

    @property
    def reader(self) -> Reader: ...
    @property
    def stale(self) -> bool: ...

    def let(self, name: str, value: Value) -> Value: ...
    def become(self, place: Place, value: Value) -> None: ...
    def draw(self, count: Number, source: str, but: Exceptions) -> None: ...
    def put(self, kind: int, to: str) -> None: ...
    def empty(self, source: str, to: str, but: Exceptions) -> None: ...
    def sift(self, kinds: frozenset[int], source: str, to: str) -> None: ...
    def shift(self, count: Number, source: str, to: str) -> None: ...
    def lay(self, slot: Slot, cards: list[Laid]) -> None: ...
    def if_else(self, condition: Truth, then: Do, otherwise: Do, needed: bool) -> None: ...
    def end_deal(self) -> None: ...
    def scan(self, acting: Acting, names: Names) -> None: ...


@dataclass
class Acting:
    """One step. given: what is known before it."""

    layout: Layout
    ground: Ground
    given: Truth = True
    flow: Flow = field(default_factory=Flow)

    # ---- the step
    def step(self, action: int, names: Names, scans: bool = True) -> None:
        """The effects of an action, the moments that hang on it, the state moments."""
        course, program = self.layout.table.schedule, self.layout.table.program
        for moment in course.before[action]:
            self.moment(program.moments[moment], names)
        self.effects(program.actions[action].effects, names)
        for moment in course.after[action]:
            self.moment(program.moments[moment], names)
        if scans:
            self.ground.scan(self, names)

    def moment(self, moment: Moment, names: Names) -> None:
        """A moment that hangs on something else, and those after it."""
        schedule = self.layout.table.schedule
        index = self.layout.table.moments[moment.name]
        if schedule.moment_rules[index]:
            raise NotLowered("rules about a moment that hangs on an action")
        condition = self.truth(moment.when, names)
        after = [self.layout.table.program.moments[i] for i in schedule.after_moment[index]]

        def happen(acting: Acting) -> None:
            acting.effects(moment.effects, names)
            for follower in after:
                acting.moment(follower, names)

        self.branch(condition, happen, None)

    def truth(self, e: x.Expr | None, names: Names) -> Truth:
        folded = self.ground.reader.folded(e)
        try:
            return assumed(self.ground.reader.truth(folded, names), self.known)
        except NeedsTop as top:
            raise NotLowered(f"the top of `{top.zone}` after it has changed") from None

    @property
    def known(self) -> Truth:
        """What was known before the step, as long as it can be said of what is there now."""
        return True if self.ground.stale else self.given

    def branch(self, condition: Truth, then: Part | None, otherwise: Part | None) -> None:
        """Does one part or the other."""
        if isinstance(condition, bool):
            chosen = then if condition else otherwise
            if chosen is not None:
                chosen(self)
            return
        before = Flow(self.flow.target, self.flow.ends_turn, self.flow.ended)
        given, flows = self.given, list[Flow]()

        def run(known: Truth, part: Part | None) -> None:
            self.flow = Flow(before.target, before.ends_turn, before.ended)
            self.given = all_of(given, known)
            if part is not None:
                part(self)
            self.given = given
            flows.append(self.flow)

        self.ground.if_else(
            condition,
            lambda: run(condition, then),
            lambda: run(denied(condition), otherwise),
            otherwise is not None,
        )
        if len(flows) > 1:
            one, other = flows
            kept = other if one.ended else one
            last = one if other.ended else other
            if (kept.target, kept.ends_turn) != (last.target, last.ends_turn):
                raise NotLowered("going on in different ways")
            self.flow = Flow(kept.target, kept.ends_turn, one.ended and other.ended)

    # ---- effects
    def effects(self, effects: tuple[f.Effect, ...], names: Names) -> None:
        for effect in effects:
            folded = self.ground.reader.folded(effect)
            handler = getattr(self, "_" + type(folded).__name__.lower(), None)
            if handler is None:
                raise NotLowered(type(folded).__name__)
            handler(folded, names)

    def _let(self, e: f.Let, names: Names) -> None:
        names[e.name] = self.ground.let(e.name, self.ground.reader.value(e.value, names))

    def _become(self, e: f.Become, names: Names) -> None:
        place = self._memory(e.memory, e.owner, names)
        self.ground.become(place, self.kept(e.memory, place, e.value, names))

    def kept(self, name: str, place: Place, e: x.Expr, names: Names) -> Value:
        """A value as a memory keeps it."""
        reader = self.ground.reader
        if place in self.layout.truths:
            return reader.truth(e, names)
        value = reader.value(e, names)
        if value is None:
            return ZERO
        match self.layout.table.memories[name].type:
            case "yes_no":
                truth = reader.truth(e, names)
                return pick(truth, fixed(2), fixed(1))
            case "player" if isinstance(value, (Player, Code)):
                return value.number if isinstance(value, Code) else value
            case "side" if isinstance(value, (OwnSide, Code)):
                side = plus(at(Place("q", NAMED)), ONE)
                return value.number if isinstance(value, Code) else side
            case "number" if isinstance(value, Number):
                return value
        raise NotLowered("a value of this type in memory")

    def _gain(self, e: f.Gain, names: Names) -> None:
        place = self._memory(e.memory, e.owner, names)
        reader = self.ground.reader
        self.ground.become(place, plus(reader.number_at(place), reader.number(e.value, names)))

    def _memory(self, memory: str, owner: x.Expr | None, names: Names) -> Place:
        if owner is not None:
            self.ground.reader._remembered(x.Remembered(memory, owner), names)
        if memory not in self.layout.memory:
            raise NotLowered(f"memory `{memory}`")
        return self.layout.memory[memory]

    def _branch(self, e: f.Branch, names: Names) -> None:
        condition = self.truth(e.condition, names)
        self.branch(
            condition,
            lambda acting: acting.effects(e.then, names),
            (lambda acting: acting.effects(e.otherwise, names)) if e.otherwise else None,
        )

    def _movecount(self, e: f.MoveCount, names: Names) -> None:
        if e.under or self._owner(e.to, names) not in (None, OwnSide(), Player(0)):
            raise NotLowered("cards under others, or for others")
        count = self.ground.reader.number(e.count, names)
        if e.to.zone != self.layout.counted:
            if e.exceptions or self.layout.counted in (e.source.zone, e.to.zone):
                raise NotLowered("moving cards of which some go elsewhere")
            self.ground.shift(count, e.source.zone, e.to.zone)
            return
        self.ground.draw(count, e.source.zone, self._exceptions(e, names))

    def _movecards(self, e: f.MoveCards, names: Names) -> None:
        if e.under:
            raise NotLowered("cards under others")
        if self._owner(e.to, names) not in (None, OwnSide(), Player(0)):
            raise NotLowered("cards for others")
        if isinstance(e.cards, x.ZoneCards):
            if e.cards.zone == self.layout.counted or e.cards.zone != e.source.zone:
                raise NotLowered("moving a hand")
            self.ground.empty(e.source.zone, e.to.zone, self._exceptions(e, names))
            return
        card = self.ground.reader.value(e.cards, names)
        if isinstance(card, Cards) and card.zone == e.source.zone and not e.exceptions:
            self._sift(card, e.to.zone)
            return
        if not isinstance(card, Card) or e.source.zone != self.layout.counted or e.exceptions:
            raise NotLowered("moving chosen cards")
        self.ground.put(card.kind, e.to.zone)

    def _sift(self, cards: Cards, to: str) -> None:
        """Moves the cards of a class from one list to another."""
        source = cards.zone
        in_list = {at(Place(f"?{source}", kind)) for kind, _ in cards.by_kind}
        if source not in self.layout.lists or to not in self.layout.lists:
            raise NotLowered("moving some cards of a hand")
        if not in_list.issuperset(number for _, number in cards.by_kind if number != ZERO):
            raise NotLowered("a class that changes, of a list")
        self.ground.sift(frozenset(k for k, n in cards.by_kind if n != ZERO), source, to)

    def _exceptions(self, e: f.MoveCount | f.MoveCards, names: Names) -> Exceptions:
        found = []
        for one in e.exceptions:
            kinds = set()
            for kind in range(self.layout.unknown):
                truth = self.ground.reader.truth(one.cards, {**names, one.var: Card(kind)})
                if not isinstance(truth, bool):
                    raise NotLowered("a class that changes")
                kinds |= {kind} if truth else set()
            found.append((frozenset(kinds), one.to.zone))
        return found

    def _owner(self, zone: f.ZoneRef, names: Names) -> Value:
        return None if zone.owner is None else self.ground.reader.value(zone.owner, names)

    # ---- melds
    def _laymeld(self, e: f.LayMeld, names: Names) -> None:
        cards = [laid for part in e.parts for laid in self._part(part, names)]
        self.ground.known = self.known
        if e.onto is None:
            kind = None if e.kind is None else self.ground.reader.number(e.kind, names)
            self.ground.lay(names.get(HOME) or self._slot(cards, kind), cards)
            return
        home = self.ground.reader.value(e.onto, names)
        if isinstance(home, Slot):
            home = One(home, True)
        if not isinstance(home, One):
            raise NotLowered("a meld that is not known")
        present = assumed(home.present, self.known)

        def lay(acting: Acting) -> None:
            acting.ground.known = acting.known
            acting.ground.lay(home.value, cards)

        self.branch(present, lay, None)

    def _slot(self, cards: list[Laid], kind: Number | None) -> Slot:
        kinds = frozenset(laid.kind for laid in cards)
        homes = self.layout.homes(kinds, None if kind is None else kind.constant)
        if len(homes) != 1:
            raise NotLowered("melds that cannot be told beforehand")
        return homes[0]

    def _part(self, part: f.MeldPart, names: Names) -> list[Laid]:
        value = self.ground.reader.value(part.cards, names)
        zone = part.source.zone
        if value is None:
            return []
        if isinstance(part.cards, x.Top) and isinstance(value, Card):
            return [Laid(value.kind, ONE, zone)]
        if zone != self.layout.counted:
            raise NotLowered("cards of lists in melds")
        if isinstance(value, Card):
            return [Laid(value.kind, ONE, None)]
        if isinstance(value, One):
            number = pick(assumed(value.present, self.known), ONE, ZERO)
            return [Laid(value.value.kind, number, None)]
        if isinstance(value, Cards):
            numbers = [(kind, assumed_number(n, self.known)) for kind, n in value.by_kind]
            return [Laid(kind, n, None) for kind, n in numbers if n != ZERO]
        raise NotLowered("other cards in melds")

    # ---- where it goes
    def _goto(self, e: f.GoTo, names: Names) -> None:
        player = Player(0) if e.player is None else self.ground.reader.value(e.player, names)
        if not isinstance(player, Player):
            raise NotLowered("going to a player who is not known")
        self.flow.target = (self.layout.table.phases[e.phase], player.step)

    def _goback(self, e: f.GoBack, names: Names) -> None:
        self.flow.target = BACK

    def _endturn(self, e: f.EndTurn, names: Names) -> None:
        self.flow.ends_turn = True

    def _enddeal(self, e: f.EndDeal, names: Names) -> None:
        self.ground.end_deal()
        self.flow.ended = True
