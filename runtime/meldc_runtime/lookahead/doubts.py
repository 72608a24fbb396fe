"""Conditions about all melds of a side that rules about one kind of meld ask.

A closure knows the melds of its group only. A condition on the others is settled where nothing that
may be laid changes it; then the rules that ask it count in closures. Where it is not settled, they
are left out.
"""

from __future__ import annotations

from itertools import product
from math import prod
from operator import add, sub
from typing import TYPE_CHECKING

from meldc_runtime.light import dataclass
from meldc_runtime.lookahead.aims import Aim
from meldc_runtime.lookahead.goals import Goals, reads_facts
from meldc_runtime.lookahead.groups import Group
from meldc_runtime.lookahead.join import Choice, Layout, picker
from meldc_runtime.lookahead.probes import Function, Probe
from meldc_runtime.program import expressions as x
from meldc_runtime.program.declarations import Rule
from meldc_runtime.state import State
from meldc_runtime.writing.folding import Folding
from meldc_runtime.writing.nodes import free_names

if TYPE_CHECKING:
    from meldc_runtime.lookahead.facts import Fact, PlanWorld
    from meldc_runtime.lookahead.questions import Questions

Settled = tuple[tuple[int, bool], ...]
"""Conditions by number, with their values."""


MOST = 400
"""Ways to change a condition that are looked at."""


@dataclass(frozen=True, slots=True)
class _Bound:
    """A bound of a condition as written: constants, and places among all numbers asked for."""

    function: Function
    constants: list[int]
    places: list[int]


class Doubts:
    """The conditions of a Program, and which rules ask them."""

    def __init__(self, goals: Goals, folding: Folding) -> None:
        self.goals = goals
        self.folding = folding
        aim = Aim("complete")
        self.last = goals.world(aim, None, over_turn=False, one_less=False)
        self.turn = goals.world(aim, None, over_turn=True, one_less=False)
        self.conditions: list[x.Expr] = []
        self.pairs: list[tuple[x.Expr, x.Expr]] = []
        self.last_pairs: list[tuple[x.Expr, x.Expr]] = []
        self.concerned: frozenset[int] | None = None
        self.signs: list[set[int]] = []
        """By condition: 1 where rules that ask it bind while it holds, -1 while it does not."""

    def of(self, rule: Rule) -> tuple[int, ...] | None:
        """The numbers of the conditions that a rule asks; None where it asks something else that is
        not known within a group.
        """
        found: list[tuple[int, int]] = []
        for part, sign in ((rule.when, 1), (rule.unless, -1), (rule.requires, -1)):
            if part is not None and not self._collect(self.folding.fold(part), sign, found):
                return None
        for number, sign in found:
            self.signs[number].add(sign)
        return tuple(sorted({number for number, _ in found}))

    def _collect(self, node: x.Expr, sign: int, found: list[tuple[int, int]]) -> bool:
        """Notes the conditions in an expression, with whether they stand for it or against it."""
        world: PlanWorld = self.last
        if world.is_known(node):
            return True
        match node:
            case x.And(parts) | x.Or(parts):
                return all(self._collect(part, sign, found) for part in parts)
            case x.Not(operand):
                return self._collect(operand, -sign, found)
            case x.Remembered(memory) if memory in world.monotone:
                return True
            case x.Apply() if free_names(node) - {x.Marker.PLAYER}:
                return self._collect(world.inlined(node), sign, found)
        if free_names(node) - {x.Marker.PLAYER}:
            return False
        must, may = self.turn.truth(node)
        if must == may and not reads_facts(must):
            return True
        found.append((self._number(node), sign))
        return True

    def _number(self, condition: x.Expr) -> int:
        if condition not in self.conditions:
            self.conditions.append(condition)
            self.signs.append(set())
            for world, pairs in ((self.turn, self.pairs), (self.last, self.last_pairs)):
                must, may = world.truth(condition)
                pairs.append((self.folding.fold(must), self.folding.fold(may)))
        return self.conditions.index(condition)

    # ---- written
    def probes(self) -> dict[str, Probe]:
        """What must be written: whether a condition holds, and whether it must and may hold over
        the turn and at its end.
        """
        found: dict[str, Probe] = {}
        for number, condition in enumerate(self.conditions):
            now = x.Not(x.Not(condition))
            found[f"doubt {number}"] = Probe(((x.Marker.PLAYER, "player"),), now, "yes_no")
        for sort, pairs in (("turn", self.pairs), ("last", self.last_pairs)):
            for number, pair in enumerate(pairs):
                for word, bound in zip(("must", "may"), pair, strict=True):
                    params = tuple((name, "number") for name in sorted(free_names(bound)))
                    found[f"doubt {number} {sort} {word}"] = Probe(params, bound, "yes_no")
        return found

    def take(self, functions: dict[str, Function]) -> None:
        """Takes the written functions."""
        self.now = [functions[f"doubt {number}"] for number in range(len(self.conditions))]
        self.bounds, self.layout = self._bounds("turn", self.pairs, functions)
        self.last_bounds, self.last_layout = self._bounds("last", self.last_pairs, functions)

    def _bounds(
        self, sort: str, pairs: list[tuple[x.Expr, x.Expr]], functions: dict[str, Function]
    ) -> tuple[list[tuple[_Bound, _Bound]], Layout]:
        """The bounds of all conditions, and the numbers that they ask for."""
        asked: dict[tuple[str, int], int] = {}
        bounds = []
        for number, pair in enumerate(pairs):
            both = []
            for word, bound in zip(("must", "may"), pair, strict=True):
                names = sorted(free_names(bound))
                constants = [int(n.split("_")[1]) for n in names if n.startswith("given_")]
                rest = [n.split("_") for n in names if not n.startswith("given_")]
                places = [asked.setdefault((b, int(fact)), len(asked)) for b, fact in rest]
                function = functions[f"doubt {number} {sort} {word}"]
                both.append(_Bound(function, constants, places))
            bounds.append((both[0], both[1]))
        components: dict[tuple[str, int], int] = {}
        places = [components.setdefault((_sort(b), fact), len(components)) for b, fact in asked]
        most = tuple(b in ("high", "most") for b, _ in asked)
        return bounds, Layout(tuple(components), tuple(places), most, ())

    def _concerned(self, questions: Questions) -> frozenset[int]:
        """The groups that the conditions look at."""
        if self.concerned is None:
            facts = {questions.facts[fact] for _, fact in self.layout.components}
            self.concerned = frozenset(
                group.number
                for group in questions.groups
                if any(self._is_about(fact, group) for fact in facts)
            )
        return self.concerned

    def _is_about(self, fact: Fact, group: Group) -> bool:
        """Whether melds of a group may count for a fact."""
        if not fact.of_melds or not isinstance(fact.body, x.If):
            return True
        condition = fact.body.condition
        for part in condition.operands if isinstance(condition, x.And) else (condition,):
            match part:
                case x.Compare("=", x.MeldAttr(x.Var(x.Marker.MELD), "kind"), x.Const() as kind):
                    return self.goals.table.constant(kind) in group.kinds
        return True

    # ---- asked
    def settled(self, questions: Questions, state: State) -> Settled:
        """The conditions that hold, or do not, whatever is laid in the rest of the turn."""
        if not self.conditions:
            return ()
        numbers = questions.loosest(state, self.layout, self._concerned(questions))
        found = []
        for number, (must, may) in enumerate(self.bounds):
            if self._holds(questions, state, must, numbers):
                found.append((number, True))
            elif not self._holds(questions, state, may, numbers):
                found.append((number, False))
        return tuple(found)

    def _holds(self, questions: Questions, state: State, bound: _Bound, numbers: list[int]) -> bool:
        given = [questions.given[number](state, state.player) for number in bound.constants]
        return bool(bound.function(state, *given, *picker(bound.places)(numbers)))

    def as_now(self, state: State) -> Settled:
        """All conditions with the values that they have."""
        return tuple(
            (number, bool(now(state, state.player))) for number, now in enumerate(self.now)
        )

    def flips(self, questions: Questions, state: State, now: Settled) -> list[Choice] | None:
        """The least that may be laid so that a condition changes and its rules bind no more; None
        where that is not known.

        What else is laid may as well come after. A change after which rules bind needs no plan of
        its own: what they forbid may come before.
        """
        known = dict(questions.settled(state))
        open_ = [number for number, _ in now if number not in known]
        if any(len(self.signs[number]) > 1 for number in open_):
            return None
        freeing = [n for n in open_ if (dict(now)[n]) == (1 in self.signs[n])]
        if not freeing:
            return []
        join = questions.new_join(state, self.last_layout, now)
        levels = [level for level in join.levels if any(any(o.gains) for o in level.options)]
        if prod(len(level.options) for level in levels) > MOST:
            return None
        found: list[Choice] = []
        for options in product(*(level.options for level in levels)):
            vector = join.vector
            shared = join.shared
            for option in options:
                vector = tuple(map(add, vector, option.gains))
                shared = tuple(map(sub, shared, option.uses))
            if shared and min(shared) < 0:
                continue
            numbers = [vector[place] for place in self.last_layout.places]
            if any(self._has_flipped(questions, state, n, dict(now)[n], numbers) for n in freeing):
                pairs = zip(levels, options, strict=True)
                found.append(tuple((lv.group, o.outcome) for lv, o in pairs if o.outcome.steps))
        return found

    def _has_flipped(
        self, questions: Questions, state: State, number: int, held: bool, numbers: list[int]
    ) -> bool:
        must, may = self.last_bounds[number]
        if held:
            return not self._holds(questions, state, must, numbers)
        return self._holds(questions, state, may, numbers)


def _sort(bound: str) -> str:
    return "last" if bound in ("least", "most") else bound
