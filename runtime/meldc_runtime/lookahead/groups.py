"""Groups of cards that can share a meld, and all that can be laid of a group (its closure).

A rank for melds of one rank, a suit for runs, a kind for the other shapes. A closure is found with
the game's own smallest steps on the melds of the group alone; rules that look beyond the group are
left out, so that it holds too much rather than too little.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Sequence
from operator import add, sub
from typing import Any

from meldc_runtime import melds as patterns
from meldc_runtime.cards import FACE, FACES, RANK_OF, SUIT_OF
from meldc_runtime.kinds import Kinds
from meldc_runtime.light import dataclass
from meldc_runtime.starts import Starts
from meldc_runtime.state import Meld, State
from meldc_runtime.table import Table

NODES = 4_000
"""Sets of melds looked at for one group before it is given up."""

KEPT = 15_000
"""Outcomes, and what users of closures work out of them, kept before all are forgotten: some five
megabytes.
"""

MELDS_KNOWN = 5_000
"""Melds that lie whose signatures are kept."""

Vector = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Step:
    """One smallest step within a group. base: place of the meld that is added to (the melds of the
    group as they lie first, then those begun in the order begun); None for a start of `kind`.
    classes: local classes of the cards laid.
    """

    kind: int
    base: int | None
    classes: Vector


@dataclass(frozen=True, slots=True)
class Outcome:
    """Something that can be laid of a group: how many cards of each local class, what each fact
    over melds gains by it, and how.

    lows, highs: the least and the most that each fact has gained on the way. melds: of the group,
    as they then lie.
    """

    used: Vector
    gains: Vector
    lows: Vector
    highs: Vector
    steps: tuple[Step, ...]
    melds: tuple[Meld, ...]


def _shape(outcome: Outcome) -> tuple[Vector, ...]:
    """What users of outcomes see of one, but for its steps."""
    return (outcome.used, outcome.gains, outcome.lows, outcome.highs)


@dataclass(frozen=True, slots=True)
class Group:
    """Cards that can share a meld. classes: faces that are one within the group, low first;
    wild_from: the first class that is only wild.

    place: what the melds of the group have in common: a rank, a suit or nothing.
    """

    number: int
    shape: str
    place: int | None
    kinds: tuple[int, ...]
    classes: tuple[tuple[int, ...], ...]
    wild_from: int

    def holds(self, meld: Meld) -> bool:
        """Whether a meld is of the group."""
        if meld.kind not in self.kinds:
            return False
        if self.shape == "same_rank":
            return meld.rank == self.place
        return self.shape != "run" or meld.suit == self.place


def groups_of(table: Table, coarse: Kinds) -> list[Group]:
    """The groups of a Table: runs first, then ranks, then classes; melds of an exact shape belong
    to none. coarse: kinds of card where places in a run don't count.
    """
    blank = State(table)
    found: list[Group] = []
    kinds = list(enumerate(table.program.kinds))

    def add(shape: str, place: int | None, members: list[int], own: list[int]) -> None:
        takes_wild = any(table.program.kinds[kind].wilds[1] != 0 for kind in members)
        wild = [
            face
            for face in FACES
            if takes_wild and table.can_be_wild(blank, face) and face not in own
        ]
        if own:
            classes = [(face,) for face in own] if shape == "run" else _by_kind(own, coarse)
            found.append(
                Group(
                    len(found),
                    shape,
                    place,
                    tuple(members),
                    (*classes, *_by_kind(wild, coarse)),
                    len(classes),
                )
            )

    def of_some(members: list[int]) -> list[int]:
        return [
            face for face in FACES if any(table.naturals(blank, kind)[face] for kind in members)
        ]

    runs = [index for index, kind in kinds if kind.shape == "run"]
    for suit in range(4):
        add(
            "run",
            suit,
            runs,
            [face for face in of_some(runs) if SUIT_OF[face] == suit],
        )
    sets = [index for index, kind in kinds if kind.shape == "same_rank"]
    for rank in range(2, 16):
        members = [kind for kind in sets if any(RANK_OF[face] == rank for face in of_some([kind]))]
        add(
            "same_rank",
            rank,
            members,
            [face for face in of_some(members) if RANK_OF[face] == rank],
        )
    for index, kind in kinds:
        if kind.shape == "any":
            add(kind.shape, None, [index], of_some([index]))
    return found


def _by_kind(faces: Iterable[int], kinds: Kinds) -> list[tuple[int, ...]]:
    classes: dict[int, list[int]] = {}
    for face in faces:
        classes.setdefault(kinds.of[face], []).append(face)
    return [tuple(members) for members in classes.values()]


LocalRule = tuple[str, tuple[str, ...], tuple[int, ...]]
"""A rule, the memories of the side that must be yes, and the conditions on other melds that must be
settled, for it to be judged within a group.
"""

Judging = tuple[int, bool, tuple[tuple[int, bool], ...]]
"""What is read beyond a group, by number; whether rules count that read memories which have become
yes; the conditions on other melds that are settled.
"""


def are_settled(doubts: tuple[int, ...], settled: tuple[tuple[int, bool], ...]) -> bool:
    """Whether all of some conditions are settled."""
    return all(any(number == known for known, _ in settled) for number in doubts)


@dataclass(frozen=True, slots=True)
class Local:
    """What is judged within a group: by kind whether its condition, and which of its rules, look at
    nothing beyond; the values of facts of a meld, None for those of the hand.
    """

    conditions: tuple[bool, ...]
    rules: tuple[tuple[LocalRule, ...], ...]
    facts: tuple[Callable[[State, int, Meld], int] | None, ...]


class Closure:
    """All that can be laid of a group from certain cards on certain melds. used: places of the
    classes that some outcome uses; size: the most cards that one does. first_steps: the bit of each
    step that comes first; firsts: by outcome the bits of those with which it can begin, in some
    order of steps. views: what users of closures have worked out from it.
    """

    __slots__ = ("first_steps", "firsts", "group", "outcomes", "size", "used", "views")

    def __init__(
        self,
        group: Group,
        outcomes: list[Outcome],
        first_steps: dict[Step, int],
        firsts: list[int],
    ) -> None:
        self.group = group
        self.outcomes = outcomes
        self.first_steps = first_steps
        self.firsts = firsts
        self.used = [
            place for place in range(len(group.classes)) if any(o.used[place] for o in outcomes)
        ]
        self.size = max(sum(outcome.used) for outcome in outcomes)
        self.views: dict[Any, Any] = {}


class Closures:
    """Finds and keeps closures."""

    def __init__(
        self, table: Table, starts: Starts, local: Local, kind_of: Vector, marked: bool
    ) -> None:
        """kind_of: kinds of card by face where places in a run don't count. marked: whether it
        matters who laid a card.
        """
        self.table = table
        self.marked = marked
        self.starts = starts
        self.local = local
        self.kind_of = kind_of
        self.kept: dict[Any, Closure | None] = {}
        self.signatures: dict[int, tuple[Meld, int]] = {}
        self.numbers: dict[Any, int] = {}
        self.next_number = itertools.count()
        self.asked = [{n for rule in rules for n in rule[2]} for rules in local.rules]
        self.weight = 0  # of what is kept: see KEPT

    def of(
        self,
        state: State,
        group: Group,
        held: Vector,
        melds: Sequence[Meld],
        context: Judging,
        begins: bool,
        adds: bool,
    ) -> Closure | None:
        """All that can be laid of a group by the player to act; None where that is too much to
        find.

        context: what is read beyond, and whether rules count that look at memories which have
        become yes. begins, adds: whether melds can be begun, and added to.
        """
        signature = tuple([self.signature_of(meld) for meld in melds])
        if context[2]:
            asked = set().union(*(self.asked[kind] for kind in group.kinds))
            context = (*context[:2], tuple([one for one in context[2] if one[0] in asked]))
        key = (
            group.number,
            state.player if self.marked else 0,
            held,
            signature,
            context,
            begins,
            adds,
        )
        try:
            return self.kept[key]
        except KeyError:
            if self.weight > KEPT:
                self.forget()
            closing = _Closing(self, state, group, held, melds, begins, adds, context)
            outcomes = closing.outcomes()
            closure = None
            if outcomes is not None:
                firsts = [closing.firsts[_shape(outcome)] for outcome in outcomes]
                closure = Closure(group, outcomes, closing.first_steps, firsts)
            self.kept[key] = closure
            self.weight += 1 + (0 if outcomes is None else len(outcomes))
            return closure

    def forget(self) -> None:
        """Drops what is kept. Numbers of signatures are not given again: others may know them."""
        self.kept.clear()
        self.signatures.clear()
        self.numbers.clear()
        self.weight = 0

    def signature_of(self, meld: Meld) -> int:
        """A number for the signature of a meld that lies."""
        known = self.signatures.get(id(meld))
        if known is not None and known[0] is meld:
            return known[1]
        if len(self.signatures) > MELDS_KNOWN:
            self.signatures.clear()
        signature = self.signature(meld)
        if signature not in self.numbers:
            self.numbers[signature] = next(self.next_number)
        found = self.numbers[signature]
        self.signatures[id(meld)] = (meld, found)
        return found

    def signature(self, meld: Meld) -> Any:
        kind_of = self.kind_of
        if self.marked:
            return (
                meld.kind,
                meld.low,
                tuple(sorted([(kind_of[card & FACE], card >> 6) for card in meld.cards])),
            )
        return (meld.kind, meld.low, tuple(sorted([kind_of[card & FACE] for card in meld.cards])))

    def values(self, state: State, player: int, meld: Meld) -> Vector:
        """The facts of one meld; 0 for those of the hand."""
        return tuple(
            [0 if fact is None else fact(state, player, meld) for fact in self.local.facts]
        )


class _Closing:
    """The search for one closure, on a state where the side has the melds of the group only."""

    def __init__(
        self,
        closures: Closures,
        state: State,
        group: Group,
        held: Vector,
        melds: Sequence[Meld],
        begins: bool,
        adds: bool,
        context: Judging,
    ) -> None:
        self.closures = closures
        self.table = closures.table
        self.group = group
        self.held = held
        self.first = tuple(melds)
        self.begins = begins
        self.adds = adds
        self.state = state.copy()
        self.player = state.player
        self.side = self.table.side_of(self.player)
        self.class_of = {
            face: number for number, faces in enumerate(group.classes) for face in faces
        }
        self.values: dict[int, Vector] = {}
        self.rules = {
            kind: [rule[0] for rule in closures.local.rules[kind] if self._counts(rule, context)]
            for kind in group.kinds
        }
        self.others = [meld for meld in self.state.melds[self.side] if not group.holds(meld)]
        self.first_steps: dict[Step, int] = {}
        self.firsts: dict[tuple[Vector, ...], int] = {}
        self.numbers: dict[int, int] = {}
        self.signatures: dict[Any, int] = {}
        self.alive: list[Meld] = []  # keeps ids from being used again

    def _counts(self, rule: LocalRule, context: Judging) -> bool:
        """Whether a rule can be judged within the group."""
        _, memories, doubts = rule
        if memories and not (context[1] and self._all_yes(memories)):
            return False
        return are_settled(doubts, context[2])

    def _all_yes(self, memories: Sequence[str]) -> bool:
        return all(self.state.memory[self.table.memory_slot(name, self.side)] for name in memories)

    def outcomes(self) -> list[Outcome] | None:
        """All that can be laid, by the fewest steps; None where that is too much to find.

        `first_steps` and `firsts` then say with which steps each of them can begin.
        """
        nothing = (0,) * len(self.held)
        base = self._total(self.first)
        flat = (0,) * len(base)
        first = Outcome(nothing, flat, flat, flat, (), self.first)
        numbers = {self._key(first, self.first): 0}
        nodes = [first]
        after: list[list[int]] = []
        found: dict[tuple[Vector, ...], Outcome] = {}
        for outcome in nodes:  # grows on the way
            found.setdefault(_shape(outcome), outcome)
            reached: list[int] = []
            for step, melds in self._steps(outcome.used, outcome.melds):
                longer = self._longer(outcome, step, melds, base)
                key = self._key(longer, melds)
                number = numbers.get(key)
                if number is None:
                    if len(nodes) >= NODES:
                        return None
                    number = numbers[key] = len(nodes)
                    nodes.append(longer)
                reached.append(number)
                if not outcome.steps:
                    self.first_steps.setdefault(step, number)
            after.append(reached)
        self._follow_first_steps(nodes, after)
        return list(found.values())

    def _follow_first_steps(self, nodes: list[Outcome], after: list[list[int]]) -> None:
        """Finds with which first steps all can begin. after: what single steps lead to."""
        firsts = [0] * len(nodes)
        for bit, number in enumerate(self.first_steps.values()):
            firsts[number] |= 1 << bit
        for number in sorted(range(1, len(nodes)), key=lambda n: sum(nodes[n].used)):
            for further in after[number]:
                firsts[further] |= firsts[number]
        for node, bits in zip(nodes, firsts, strict=True):
            shape = _shape(node)
            self.firsts[shape] = self.firsts.get(shape, 0) | bits
        self.first_steps = {step: 1 << bit for bit, step in enumerate(self.first_steps)}

    def _longer(
        self, outcome: Outcome, step: Step, melds: tuple[Meld, ...], base: Vector
    ) -> Outcome:
        used = list(outcome.used)
        for each in step.classes:
            used[each] += 1
        gains = tuple(map(sub, self._total(melds), base))
        return Outcome(
            tuple(used),
            gains,
            tuple(map(min, outcome.lows, gains)),
            tuple(map(max, outcome.highs, gains)),
            (*outcome.steps, step),
            melds,
        )

    def _key(self, outcome: Outcome, melds: tuple[Meld, ...]) -> Any:
        lie = sorted([self._signature(meld) for meld in melds])
        return (outcome.used, outcome.lows, outcome.highs, tuple(lie))

    def _signature(self, meld: Meld) -> int:
        """A number for what a meld is, in this search."""
        known = self.numbers.get(id(meld))
        if known is None:
            signature = self.closures.signature(meld)
            known = self.signatures.setdefault(signature, len(self.signatures))
            self.numbers[id(meld)] = known
            self.alive.append(meld)
        return known

    def _total(self, melds: tuple[Meld, ...]) -> Vector:
        total: Vector = (0,) * len(self.closures.local.facts)
        for meld in melds:
            values = self.values.get(id(meld))
            if values is None:
                values = self.closures.values(self.state, self.player, meld)
                self.values[id(meld)] = values
                self.alive.append(meld)
            total = tuple(map(add, total, values))
        return total

    def _steps(
        self, used: Vector, melds: tuple[Meld, ...]
    ) -> Iterable[tuple[Step, tuple[Meld, ...]]]:
        self.state.melds[self.side] = list(melds)
        left = [held - spent for held, spent in zip(self.held, used, strict=True)]
        if self.begins:
            yield from self._begun(left, melds)
        if self.adds:
            yield from self._added(left, melds)

    def _begun(
        self, left: list[int], melds: tuple[Meld, ...]
    ) -> Iterable[tuple[Step, tuple[Meld, ...]]]:
        faces = [
            self.group.classes[number][0] for number, count in enumerate(left) for _ in range(count)
        ]
        for kind in self.group.kinds:
            for cards in self.closures.starts.of(self.state, kind, faces):
                if patterns.joins(self.table, self.state, kind, cards, self.player) is not None:
                    continue
                meld = patterns.would_be(self.table, self.state, kind, None, cards, self.player)
                if (
                    meld is not None
                    and self.group.holds(meld)
                    and self._allowed((*melds, meld), meld, cards)
                ):
                    yield (
                        Step(kind, None, tuple(sorted([self.class_of[card] for card in cards]))),
                        (*melds, meld),
                    )

    def _added(
        self, left: list[int], melds: tuple[Meld, ...]
    ) -> Iterable[tuple[Step, tuple[Meld, ...]]]:
        for place, base in enumerate(melds):
            for number, count in enumerate(left):
                if not count:
                    continue
                cards = (self.group.classes[number][0],)
                meld = patterns.would_be(
                    self.table, self.state, base.kind, base, cards, self.player
                )
                if meld is None:
                    continue
                after = (*melds[:place], meld, *melds[place + 1 :])
                if self._allowed(after, meld, cards):
                    yield Step(base.kind, place, (number,)), after

    def _allowed(self, melds: tuple[Meld, ...], meld: Meld, cards: Vector) -> bool:
        """Whether the condition and the local rules of its kind let a meld lie."""
        local = self.closures.local
        condition, rules = local.conditions[meld.kind], self.rules[meld.kind]
        if not (condition or rules):
            return True
        state, code = self.state, self.table.code
        before = state.melds[self.side]
        state.melds[self.side] = [*self.others, *melds]
        env = {"player": self.player, "meld": meld, "new": cards}
        name = self.table.program.kinds[meld.kind].name
        allowed = (not condition or code.kind_condition[name](state, meld)) and not any(
            rule != state.without and code.rules[rule](state, env) for rule in rules
        )
        state.melds[self.side] = before
        return bool(allowed)
