"""Plans a turn: what to lay of each group so that a goal can be reached, tried out on the real machine.

Where no plan exists the goal cannot be reached, since groups and goals are bounds from above. A plan is made on a copy of the state; if the
machine refuses it (a rule that looks beyond groups, an order that matters), nothing is known and the search decides.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from itertools import product
from typing import TYPE_CHECKING, Any

from meldc_runtime import machine
from meldc_runtime.cards import FACE, UNKNOWN
from meldc_runtime.kinds import classes_are_static, kinds_of
from meldc_runtime.lookahead.facts import Fact, PlanWorld, reads
from meldc_runtime.lookahead.footprints import Moments, footprint
from meldc_runtime.lookahead.goals import Aim, Goals, Way
from meldc_runtime.lookahead.groups import Closure, Closures, Local, LocalRule, Vector, groups_of
from meldc_runtime.lookahead.join import Choice, Join, Level, OpenWay, Option, picker
from meldc_runtime.lookahead.probes import Function, Probe
from meldc_runtime.lookahead.ranges import FAR, PLAYER, SIDE
from meldc_runtime.lookahead.search import Goal, blinded, completed
from meldc_runtime.program import expressions as x
from meldc_runtime.program.effects import EndTurn, MoveCards, MoveCount, MoveUntil
from meldc_runtime.state import Meld, Play, Refused, State
from meldc_runtime.writing.folding import Folding
from meldc_runtime.writing.nodes import children, free_names, walk

if TYPE_CHECKING:
    from meldc_runtime.candidates import Candidates, Form
    from meldc_runtime.lookahead.outlook import Outlook
    from meldc_runtime.table import Table

TRIES = 12
"""Plans tried on the machine for one question."""

RELAXED_TRIES = 60
"""The same where plays outside of plans may follow."""

OTHERS = 15
"""Positions looked at for plays outside of plans after one plan."""

Path = tuple[Play, ...]


Bound = tuple[str, int]
"""A sort of bound and the fact it bounds."""


@dataclass(frozen=True, slots=True)
class _Test:
    """A way as written. constants, bounds: what it reads, in the order of its parameters."""

    action: int | None
    moment: str
    function: Function
    constants: list[int]
    bounds: list[Bound]
    limits: dict[Bound, list[int] | None]
    """What each bound is compared with: numbers, and constants `c` as `-1 - c`; None where it is not only compared."""


class NotKnown(Exception):  # noqa: N818
    """The plan does not settle the question."""


class Planner:
    """Plans at a Table. `applies`: whether its melds can be planned at all."""

    def __init__(self, outlook: Outlook, folding: Folding, moments: Moments) -> None:
        self.outlook = outlook
        self.table: Table = outlook.table
        self.candidates: Candidates = outlook.candidates
        self.starters = [form for form in self.candidates.forms if form.starts]
        self.adders = [form for form in self.candidates.forms if _adds_to_own(form)]
        others = [form for form in self.candidates.forms if form.alone and form.onto and form not in self.adders]
        zones = {form.lay.parts[0].source.zone for form in (*self.starters, *self.adders) if form.lay is not None}
        self.applies = len(self.starters) == 1 and not others and len(zones) == 1 and classes_are_static(self.table)
        if self.applies:
            self.zone = zones.pop()
            layers = [form.action for form in (*self.starters, *self.adders)]
            self.goals = Goals(self.table, folding, moments, layers, self.zone)
            out = [form for form in self.candidates.forms if form.action not in layers and form.action not in self.goals.leavers]
            self.simple = [form for form in out if self._is_simple(form, folding)]
            self.others = [form for form in out if form not in self.simple]
            self._work_out(folding)

    # ---- made once
    def _work_out(self, folding: Folding) -> None:
        self.aims = {aim: self._distinct(self.goals.ways(aim), folding) for aim in self.goals.aims()}
        registry = self.goals.registry
        self.facts = list(registry.facts)
        self.constants = list(registry.constants)
        self.doubtful = self._doubtful(folding)
        self.lasting = self._lasting()
        world = self.goals.world(Aim("complete"), None, over_turn=False, one_less=False)
        self.conditions, self.rules, read = self._local(world, folding)
        for fact in self.facts:
            reads(self.table, folding, fact.body, read)
        self.read = read
        written = {name for moment in self.goals.staged for name in self.goals.moments.footprints[moment].written}
        self.staged = [
            self.table.memory_slot(name, owner) for name in sorted(written)
            for owner in range(self.table.owners(self.table.memories[name].owner))
        ]  # fmt: skip
        self.coarse = kinds_of(self.table, runs=False)
        self.groups = groups_of(self.table, self.coarse)
        self.special = [k for k, kind in enumerate(self.table.program.kinds) if kind.shape in ("groups", "all_different")]
        self.kinds = [tuple(self.coarse.of[faces[0]] for faces in group.classes) for group in self.groups]
        self.least = [min(self.table.program.kinds[kind].size[0] for kind in group.kinds) for group in self.groups]
        self.group_of = {
            (kind, group.place): group.number for group in self.groups for kind in group.kinds
        }

    def _lasting(self) -> set[int]:
        """Of these constants those that, once they hold, plays outside of plans leave as they are: a zone that only takes is not empty."""
        parts = [part for form in self.others for effect in form.action.effects for part in walk(effect)]
        sources = {part.source.zone for part in parts if isinstance(part, (MoveCount, MoveCards, MoveUntil))}
        return {
            number for number in self.doubtful
            if isinstance(constant := self.constants[number], x.Exists) and constant.where is None
            and isinstance(constant.source, x.ZoneCards) and constant.source.zone not in sources
        }  # fmt: skip

    def _is_simple(self, form: Form, folding: Folding) -> bool:
        """Whether a play of an action neither hangs on what is laid nor changes how it is judged."""
        if any(param.type in ("meld", "kind") or param.mode == "some" for param in form.action.params):
            return False
        moments, program = self.goals.moments, self.table.program
        if moments.around(form.action.name):
            return False
        read: set[str] = set()
        for rule in program.rules:
            if form.action.name in rule.actions:
                for part in (rule.when, rule.unless, rule.requires):
                    if part is not None:
                        reads(self.table, folding, folding.fold(part), read)
        changed = {"melds", f"zone {self.zone}"} | {f"memory {name}" for name in self.goals.marks.written}
        judged: set[str] = set()
        for rule in program.rules:
            if rule.kinds:
                for part in (rule.when, rule.unless, rule.requires):
                    if part is not None:
                        reads(self.table, folding, folding.fold(part), judged)
        marks = footprint(form.action.effects)
        touched = {f"memory {name}" for name in marks.written} | {f"zone {name}" for name in marks.zones}
        return not read & changed and not judged & touched

    def _doubtful(self, folding: Folding) -> set[int]:
        """The constants that plays outside of plans may change."""
        touched: set[str] = set()
        for form in self.others:
            around = self.goals.moments.around(form.action.name)
            for marks in (footprint(form.action.effects), *(self.goals.moments.footprints[moment.name] for moment in around)):
                touched |= {f"memory {name}" for name in marks.written} | {f"zone {name}" for name in marks.zones}
        return {
            n for n, constant in enumerate(self.constants)
            if reads(self.table, folding, constant) & touched
            and not (isinstance(constant, x.Count) and isinstance(constant.source, x.ZoneCards) and constant.source.zone == self.zone)
        }  # fmt: skip

    def _distinct(self, ways: list[Way], folding: Folding) -> list[Way]:
        folded = [Way(way.action, folding.fold(way.condition), way.moment) for way in ways]
        return list(dict.fromkeys(folded))

    def _local(self, world: PlanWorld, folding: Folding) -> tuple[tuple[bool, ...], tuple[tuple[LocalRule, ...], ...], set[str]]:
        """By kind whether its condition, and which of its rules, can be judged within a group; and what these read."""
        read: set[str] = set()
        conditions, rules = [], []
        program = self.table.program
        for index, kind in enumerate(program.kinds):
            own = [rule for rule in program.rules if rule.name in self.table.schedule.kind_rules[index]]
            near = []
            for rule in own:
                parts = [folding.fold(part) for part in (rule.when, rule.unless, rule.requires) if part is not None]
                doubts = {node for part in parts for node in self._doubts(world, folding, part)}
                if all(isinstance(d, x.Remembered) and d.owner == SIDE and d.memory in world.monotone for d in doubts):
                    near.append((rule.name, tuple(sorted(d.memory for d in doubts if isinstance(d, x.Remembered)))))
                    for part in parts:
                        reads(self.table, folding, part, read)
            condition = None if kind.condition is None else folding.fold(kind.condition)
            judged = condition is not None and condition != x.Const(True, "yes_no") and world.is_known(condition)
            if judged:
                reads(self.table, folding, condition, read)
            conditions.append(judged)
            rules.append(tuple(near))
        return tuple(conditions), tuple(rules), read

    def _doubts(self, world: PlanWorld, folding: Folding, node: x.Expr) -> list[x.Expr]:
        """What is unknown in an expression, definitions taken apart."""
        if world.is_known(node):
            return []
        if isinstance(node, x.Apply):
            return self._doubts(world, folding, world.inlined(node))
        inner = [found for child in children(node) if isinstance(child, x.Expr) for found in self._doubts(world, folding, child)]
        return inner if inner and not world.changed(node) else [node]

    def probes(self) -> dict[str, Probe]:
        """What must be written for planning: facts, constants, ways."""
        if not self.applies:
            return {}
        found: dict[str, Probe] = {}
        player = (x.Marker.PLAYER, "player")
        for number, fact in enumerate(self.facts):
            thing = (x.Marker.MELD, "meld") if fact.of_melds else (x.Marker.CARD, "card")
            found[f"fact {number}"] = Probe((player, thing), fact.body, "number")
        for number, constant in enumerate(self.constants):
            found[f"given {number}"] = Probe((player,), constant, "number")
        for ways in self.aims.values():
            for way in ways:
                params = tuple((name, "number") for name in sorted(free_names(way.condition)))
                found.setdefault(self._key(way), Probe(params, way.condition, "yes_no"))
        return found

    def _key(self, way: Way) -> str:
        return f"way {way.condition!r}"

    def take(self, functions: dict[str, Function]) -> None:
        """Takes the written functions."""
        if not self.applies:
            return
        self.of_meld = [functions[f"fact {n}"] if fact.of_melds else _nothing for n, fact in enumerate(self.facts)]
        self.of_card = [_nothing if fact.of_melds else functions[f"fact {n}"] for n, fact in enumerate(self.facts)]
        self.given = [functions[f"given {n}"] for n in range(len(self.constants))]
        self.tests: dict[Aim, list[_Test]] = {}
        for aim, ways in self.aims.items():
            self.tests[aim] = [
                _Test(
                    None if way.action is None else self.table.actions[way.action.name], way.moment,
                    functions[self._key(way)], *_split(way), _limits(way),
                )
                for way in ways
            ]
        local = Local(self.conditions, self.rules, tuple(self.of_meld), self.context)
        marked = "laid by" in self.read
        self.closures = Closures(self.table, self.candidates.starts, local, self.coarse.of, marked)
        self.card_values: dict[Any, Vector] = {}
        self._lay_out_context()
        self._find_what_holds_up()

    def _find_what_holds_up(self) -> None:
        """Moments that, due and kept from happening, no action that only ends the turn can help; and these actions."""
        program, moments, folding = self.table.program, self.goals.moments, self.outlook.folding
        self.ending = set()
        changed: set[str] = set()
        for index, action in enumerate(program.actions):
            around = moments.around(action.name)
            if EndTurn() in action.effects and all(moments.is_harmless(moment) for moment in around):
                self.ending.add(index)
                for marks in (footprint(action.effects), *(moments.footprints[moment.name] for moment in around)):
                    changed |= {f"memory {name}" for name in marks.written} | {f"zone {name}" for name in marks.zones}
        self.blockable = []
        for moment in moments.state:
            rules = moments.rules[moment.name]
            parts = [moment.when, *(part for rule in rules for part in (rule.when, rule.unless, rule.requires))]
            read: set[str] = set()
            for part in parts:
                if part is not None:
                    reads(self.table, folding, folding.fold(part), read)
            if rules and moment.trigger.kind == "state" and not read & changed:
                self.blockable.append(self.table.code.moment_when[moment.name])

    def _lay_out_context(self) -> None:
        table = self.table
        self.memory_slots = [
            table.memory_slot(name, owner)
            for name in sorted(r.split(" ", 1)[1] for r in self.read if r.startswith("memory "))
            for owner in range(table.owners(table.memories[name].owner))
        ]
        self.zone_slots = [
            table.zone_slot(name, owner)
            for name in sorted(r.split(" ", 1)[1] for r in self.read if r.startswith("zone "))
            for owner in range(table.owners(table.zones[name].owner))
        ]

    def context(self, state: State) -> Any:
        """All that closures and facts read of a state beside the melds of a group and the hand."""
        memory = tuple([state.memory[slot] for slot in self.memory_slots])
        if not self.zone_slots and "melds" not in self.read:
            return memory
        zones = tuple([tuple(state.zones[slot]) for slot in self.zone_slots])
        side = state.player % self.table.sides
        melds = tuple(
            tuple(self.closures.signature(meld) for meld in of_side)
            for owner, of_side in enumerate(state.melds) if owner != side and "melds" in self.read
        )  # fmt: skip
        return (memory, zones, melds)

    # ---- questions
    def path(self, state: State, aim: Aim, goal: Goal, depth: int = 0) -> Path | None:
        """Plays from a blind state to the goal of an aim; None where it cannot be reached. Raises NotKnown, CutOff."""
        if not self.applies or aim not in self.tests:
            raise NotKnown
        found = self._by_special(state, aim, goal, depth)
        if found is not None:
            return found
        join = self.join(state, aim)
        ends = join.actions
        at_once = self._finished(blinded(state), (), aim, goal, depth, state, ends) if ends else None
        if at_once is not None:
            return at_once
        tries = 0
        for choice in join.choices():
            path = self.made(state, choice, aim, goal, depth, ends)
            if path is not None:
                return path
            tries += 1
            if tries >= TRIES:
                raise NotKnown
        if tries:
            raise NotKnown
        found = self._by_simple(state, aim, goal, depth) or self._by_others(state, aim, goal, depth)
        return found if found is not None else self._finished(blinded(state), (), aim, goal, depth, state, None)

    def _by_simple(self, state: State, aim: Aim, goal: Goal, depth: int) -> Path | None:
        """A path that begins with a play which has nothing to do with melds: such plays may as well come first."""
        for form in self.simple:
            if machine.in_phase(state, form.index):
                for play in self.candidates.of(state, form):
                    found = self._left(state, play, aim, goal, depth - 1, state)
                    if found is not None:
                        return found
        return None

    def _by_special(self, state: State, aim: Aim, goal: Goal, depth: int) -> Path | None:
        """A path that begins with a meld of very many cards; such melds are no part of plans."""
        for play in self._specials(state):
            found = self._left(state, play, aim, goal, depth, state)
            if found is not None:
                return found
        return None

    def _specials(self, state: State) -> list[Play]:
        form = self.starters[0]
        hand = state.zones[self.table.zone_slot(self.zone, state.player)]
        kinds = [kind for kind in self.special if self.table.program.kinds[kind].size[0] <= len(hand)]
        if not kinds or not machine.in_phase(state, form.index):
            return []
        return list(self.candidates.start_plays(state, form, {x.Marker.PLAYER: state.player}, kinds))

    def _by_others(self, state: State, aim: Aim, goal: Goal, depth: int) -> Path | None:
        """A path with plays that neither lay melds nor lead out, at its beginning or after all that is laid. Raises NotKnown where such plays
        might help otherwise."""
        if not self._has_others(state):
            return None
        join = self.join(state, aim, relaxed=True)
        if not join.ways:
            return None
        found = self._by_others_only(blinded(state), (), aim, goal, depth, state, join.actions)
        if found is not None:
            return found
        for tries, choice in enumerate(join.choices()):
            if tries > RELAXED_TRIES:
                raise NotKnown
            found = self.made(state, choice, aim, goal, depth, join.actions, with_others=True)
            if found is not None:
                return found
        return None

    def _by_others_only(
        self, now: State, path: Path, aim: Aim, goal: Goal, depth: int, start: State, ends: set[int]
    ) -> Path | None:
        """The path with plays outside of plans and an end. Raises NotKnown where there are too many of them to try."""
        if self.join(now, aim, relaxed=True, lays=False).is_closed():
            return None
        left = [OTHERS]
        found = self._with_others(now, path, aim, goal, depth, start, ends, left)
        if found is None and left[0] < 0:
            raise NotKnown
        return found

    def _with_others(
        self, now: State, path: Path, aim: Aim, goal: Goal, depth: int, start: State, ends: set[int], left: list[int]
    ) -> Path | None:
        """The path with plays that neither lay melds nor lead out, then an end."""
        left[0] -= 1
        if left[0] < 0:
            return None
        for form in self.others:
            if not machine.in_phase(now, form.index):
                continue
            for play in self.candidates.of(now, form):
                after = self.outlook.search.made(now, play, aim.last_resort)
                if after is None or self.candidates.late_broken(now, play):
                    continue
                longer = (*path, play)
                if goal(after):
                    return longer
                if completed(after, start.player, start.turn):
                    continue
                found = self._finished(after, longer, aim, goal, depth, start, ends)
                if found is None:
                    found = self._with_others(after, longer, aim, goal, depth, start, ends, left)
                if found is not None:
                    return found
        return None

    def lays(self, form: Form) -> bool:
        """Whether an action is among those that plans are made of."""
        return self.applies and (form in self.starters or form in self.adders)

    def is_hopeless(self, state: State, aim: Aim) -> bool:
        """Whether no choice of cards to lay leaves a way to an aim open. Raises NotKnown, CutOff."""
        if self._specials(state) or self._has_candidates(state, self.simple):
            return False
        if next(self.join(state, aim).choices(), None) is not None:
            return False
        return not self._has_others(state) or next(self.join(state, aim, relaxed=True).choices(), None) is None

    def is_out_of_reach(self, state: State, aim: Aim) -> bool:
        """Whether all ways to an aim are closed, at first sight. Raises NotKnown."""
        if not self.applies or aim not in self.tests or self._specials(state) or self._has_candidates(state, self.simple):
            raise NotKnown
        if aim.subject == "complete" and any(
            self.candidates.forms[self.table.actions[action.name]].late
            and machine.in_phase(state, self.table.actions[action.name]) for action in self.goals.leavers
        ):
            return False
        return self.join(state, aim, relaxed=self._has_others(state)).is_closed()

    def _has_others(self, state: State) -> bool:
        """Whether there may be plays that are neither laid melds nor lead out: they are no part of plans."""
        return any(machine.in_phase(state, form.index) for form in self.others) and bool(self._leaving(state))

    def _has_candidates(self, state: State, forms: list[Form]) -> bool:
        return any(
            machine.in_phase(state, form.index) and next(iter(self.candidates.of(state, form)), None) is not None
            for form in forms
        )

    def join(self, state: State, aim: Aim, stages: bool = True, relaxed: bool = False, lays: bool = True) -> Join:
        """The question as a search over groups. stages: whether new cards may be hoped for (else this is one about the time after they have come,
        with all that is in hand before: rules that begin to hold on the way are left out). relaxed: whether what plays outside of plans may
        change counts as unknown. lays: whether anything is laid at all."""
        strict = stages
        tests = self._open_tests(state, aim, relaxed)
        asked: dict[Bound, int] = {}
        for test, _ in tests:
            for bound in test.bounds:
                asked.setdefault(bound, len(asked))
        components: dict[Bound, int] = {}
        places: list[tuple[int, bool]] = []
        for bound, fact in asked:
            sort = "last" if bound in ("least", "most") else bound
            place = components.setdefault((sort, fact), len(components))
            places.append((place, bound in ("most", "high")))
        leaving = frozenset(self._leaving(state, lays)) if relaxed else frozenset()
        levels, shared, vector, worth, free = self._levels(state, tuple(components), strict, leaving, lays)
        join = Join(levels, shared, vector, places, {} if relaxed else self._caps(tests, components), worth, free)
        for test, function in tests:
            way = OpenWay(function, picker([asked[bound] for bound in test.bounds]))
            if join.is_open(way) and (not test.moment or self._leads_on(state, test.moment, aim, relaxed, stages)):
                join.ways.append(way)
                if test.action is not None:
                    join.actions.add(test.action)
        return join

    def _caps(self, tests: list[tuple[_Test, Function]], components: dict[Bound, int]) -> dict[int, int]:
        """Where ways only compare a number with others that are known, the value beyond which it makes no difference."""
        limits: dict[Bound, int] = {}
        endless: set[Bound] = set()
        for test, function in tests:
            given = dict(zip(test.constants, getattr(function, "args", ())[1:], strict=True))
            for bound, limit in test.limits.items():
                component = ("last" if bound[0] in ("least", "most") else bound[0], bound[1])
                numbers = [given[-1 - part] if part < 0 else part for part in limit or ()]
                if limit is None or not all(type(number) is int for number in numbers):
                    endless.add(component)
                else:
                    limits[component] = max(limits.get(component, 0), *numbers)
        return {components[c]: limit + 2 for c, limit in limits.items() if c not in endless}

    def _open_tests(self, state: State, aim: Aim, relaxed: bool) -> list[tuple[_Test, Function]]:
        """The ways that the phase leaves open, with the constants of this state."""
        values: dict[int, Any] = {}
        found: list[tuple[_Test, Function]] = []
        for test in self.tests[aim]:
            if test.action is not None and not machine.in_phase(state, test.action):
                continue
            for number in test.constants:
                if number not in values:
                    values[number] = self.given[number](state, state.player)
                    if values[number] is None:
                        raise NotKnown
            given = [values[number] for number in test.constants]
            function = self._relaxed(state, test, given) if relaxed else partial(test.function, state, *given)
            found.append((test, function))
        return found

    def _relaxed(self, state: State, test: _Test, given: list[Any]) -> Function:
        """A way for which constants that other plays may change can be anything, and facts of the hand what new cards make them."""
        doubtful = [
            place for place, number in enumerate(test.constants)
            if number in self.doubtful and not (given[place] is True and number in self.lasting)
        ]  # fmt: skip
        if len(doubtful) > 4 or not all(isinstance(given[place], bool) for place in doubtful):
            raise NotKnown
        brings = any(self._brings(form) for form in self.others)
        more = [FAR if brings and bound in ("most", "high") and not self.facts[fact].of_melds else 0 for bound, fact in test.bounds]

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

    def _leaving(self, state: State, lays: bool = True) -> set[int]:
        """The kinds of card in hand that might leave it by plays outside of plans, after plans if anything is laid."""
        hand = {self.coarse.of[card & FACE]: card & FACE for card in state.zones[self.table.zone_slot(self.zone, state.player)]}
        forms = [form for form in self.others if machine.in_phase(state, form.index)]
        return {kind for kind, face in hand.items() if any(self._may_leave(state, form, face, lays) for form in forms)}

    def _brings(self, form: Form) -> bool:
        """Whether cards may come to the hand by an action."""
        chain = [form.action.effects, *(m.effects for m in self.goals.moments.around(form.action.name))]
        moves = [part for effects in chain for effect in effects for part in walk(effect)]
        return any(isinstance(p, (MoveCount, MoveCards, MoveUntil)) and p.to.zone == self.zone for p in moves)

    def _may_leave(self, state: State, form: Form, face: int, lays: bool) -> bool:
        """Whether a card of the hand might leave it by an action, on the melds that lie or might be begun."""
        hands = [p for p in form.action.params if p.source is not None and p.source.zone == self.zone]
        homes = [p for p in form.action.params if p.type == "meld"]
        if len(hands) != 1 or len(hands) + len(homes) != len(form.action.params) or len(homes) > 1:
            return True
        env: dict[str, Any] = {x.Marker.PLAYER: state.player}
        if face not in self.candidates.domain(state, form, hands[0].name, env) and hands[0].mode == "some":
            return False
        env[hands[0].name] = face if hands[0].mode == "one" else (face,)
        if not homes:
            return not any(self.table.code.rules[name](state, env) for stage in form.rules for name in stage)
        for meld in self._homes(state, form, homes[0].name, lays):
            env[homes[0].name] = meld
            if not any(self.table.code.rules[name](state, env) for stage in form.rules for name in stage):
                return True
        return False

    def _homes(self, state: State, form: Form, name: str, lays: bool) -> list[Meld]:
        """The melds that a parameter of an action might range over after some plan."""
        domain = self.table.code.param_domain[form.action.name, name]
        after = blinded(state)
        side = self.table.side_of(state.player)
        found = [meld for meld in state.melds[side] if self._ranges_over(after, domain, side, meld)]
        for closure in self._now_closures(state) if lays else ():
            key = ("homes", form.index, state.player)
            if key not in closure.views:
                melds = {id(meld): meld for outcome in closure.outcomes for meld in outcome.melds}
                closure.views[key] = [m for m in melds.values() if self._ranges_over(after, domain, side, m)]
            found += closure.views[key]
        return found

    def _ranges_over(self, state: State, domain: Function, side: int, meld: Meld) -> bool:
        state.melds[side] = [meld]
        return meld in domain(state, {x.Marker.PLAYER: state.player})

    def _leads_on(self, state: State, moment: str, aim: Aim, relaxed: bool, stages: bool) -> bool:
        """Whether the goal might be reached after a moment has happened, with the new cards that it brings and all that is in hand now; stages:
        whether to look so far."""
        after = blinded(state)
        try:
            self.table.code.effects[moment](after, {x.Marker.PLAYER: state.player})
        except Refused:
            return True
        if after.zones == state.zones and after.memory == state.memory:
            return False
        if not stages:
            return True
        if aim.subject == "complete" and self.outlook.is_sure(after):
            return True
        join = self.join(after, aim, stages=False, relaxed=relaxed)
        return join.is_open_now() or next(join.choices(), None) is not None

    # ---- levels
    def _levels(
        self, state: State, components: tuple[Bound, ...], strict: bool, leaving: frozenset[int], lays: bool
    ) -> tuple[list[Level], Vector, Vector, list[Vector], frozenset[int]]:
        """The levels of a join; the shared cards held; the vector; what shared cards are worth to it; places of those that may leave."""
        side = self.table.side_of(state.player)
        by_kind, closures = self._held_closures(state, strict)
        closures = closures if lays else []
        context = self.context(state)
        users: dict[int, int] = {}
        for closure in closures:
            for place in closure.used:
                kind = self.kinds[closure.group.number][place]
                users[kind] = users.get(kind, 0) + 1
        shared = tuple([kind for kind in sorted(users.keys() | leaving) if users.get(kind, 0) > 1 or kind in leaving])
        levels = [self._level(state, closure, shared, components, context) for closure in closures]
        vector = self._now(state, side, by_kind, context, components)
        worth = [
            (0,) * len(shared) if self.facts[fact].of_melds
            else tuple([self._of_card(state, context, kind)[fact] for kind in shared])
            for _, fact in components
        ]  # fmt: skip
        free = frozenset([place for place, kind in enumerate(shared) if kind in leaving])
        return levels, tuple([by_kind[kind] for kind in shared]), vector, worth, free

    def _now_closures(self, state: State) -> list[Closure]:
        return self._held_closures(state, strict=True)[1]

    def _held_closures(self, state: State, strict: bool) -> tuple[list[int], list[Closure]]:
        """How many cards of each kind are in hand, and the closures of the groups."""
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
        return by_kind, self._closures(state, by_kind, by_face, melds, (self.context(state), strict))

    def _place(self, meld: Meld) -> int | None:
        shape = self.table.program.kinds[meld.kind].shape
        return meld.rank if shape == "same_rank" else meld.suit if shape == "run" else None

    def _closures(
        self, state: State, by_kind: list[int], by_face: list[int], melds: dict[int, list[Meld]], context: Any
    ) -> list[Closure]:
        """What can be laid of each group of which anything can: runs first, then where most cards can be laid."""
        begins = machine.in_phase(state, self.starters[0].index)
        adds = any(machine.in_phase(state, form.index) for form in self.adders)
        found = []
        for group in self.groups:
            own = melds.get(group.number)
            kinds = self.kinds[group.number]
            if group.shape == "run":
                held = [by_face[faces[0]] for faces in group.classes[: group.wild_from]]
            else:
                held = [by_kind[kind] for kind in kinds[: group.wild_from]]
            if own is None and not any(held):
                continue
            held += [by_kind[kind] for kind in kinds[group.wild_from :]]
            if own is None and sum(held) < self.least[group.number]:
                continue
            closure = self.closures.of(state, group, tuple(held), own or (), context, begins, adds)
            if closure is None:
                raise NotKnown
            if closure.size:
                found.append(closure)
        found.sort(key=lambda closure: (closure.group.shape != "run", -closure.size))
        return found

    def _of_card(self, state: State, context: Any, kind: int) -> Vector:
        """What a card of a kind in hand counts for each fact."""
        key = (state.player if self.closures.marked else 0, context, kind)
        if key not in self.card_values:
            if len(self.card_values) > 20_000:
                self.card_values.clear()
            face = self.coarse.faces[kind][0]
            self.card_values[key] = tuple([fact(state, state.player, face) for fact in self.of_card])
        return self.card_values[key]

    def _level(
        self, state: State, closure: Closure, shared: Vector, components: tuple[Bound, ...], context: Any
    ) -> Level:
        """A closure as a level of a join; kept with it."""
        key = (shared, components, context, state.player if self.closures.marked else 0)
        level = closure.views.get(key)
        if level is None:
            level = closure.views[key] = self._new_level(state, closure, shared, components, context)
        return level  # type: ignore[no-any-return]

    def _new_level(
        self, state: State, closure: Closure, shared: Vector, components: tuple[Bound, ...], context: Any
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
                        (-used * values[n][fact], kinds[n] in shared) for n, used in enumerate(outcome.used) if used
                    ]
                    lost = [(g, also) for g, also in lost if sort == "last" or (g < 0) == (sort == "low")]
                    gains.append(sum(g for g, _ in lost))
                    own.append(sum(g for g, also in lost if not also))
            option = Option(tuple(uses), tuple(gains), tuple(own), outcome)
            found.setdefault((option.uses, option.gains), option)
        options = sorted(found.values(), key=lambda option: -sum(option.outcome.used))
        return Level(closure.group, options)

    def _now(self, state: State, side: int, by_kind: list[int], context: Any, components: tuple[Bound, ...]) -> Vector:
        """The facts as they are."""
        known: dict[int, int] = {}
        for _, fact in components:
            if fact in known:
                continue
            if self.facts[fact].of_melds:
                known[fact] = sum([self.of_meld[fact](state, state.player, meld) for meld in state.melds[side]])
            else:
                known[fact] = sum(
                    [count * self._of_card(state, context, kind)[fact] for kind, count in enumerate(by_kind) if count]
                )
        return tuple([known[fact] for _, fact in components])

    # ---- plans made
    def made(self, state: State, choice: Choice, aim: Aim, goal: Goal, depth: int, ends: set[int], with_others: bool = False) -> Path | None:
        """The plays of a plan as the machine makes them, up to the goal; None where it does not come to it."""
        faces = self._faces(state, choice)
        now = blinded(state)
        path: list[Play] = []
        staged = False
        for (group, outcome), cards in zip(choice, faces, strict=True):
            refs = [(meld.owner, meld.serial) for meld in state.melds[self.table.side_of(state.player)] if group.holds(meld)]
            place = 0
            for step in outcome.steps:
                laid = cards[place : place + len(step.classes)]
                place += len(step.classes)
                play = self._play(step.kind, step.base, laid, refs)
                now.happened = ()
                try:
                    machine.apply(now, play)
                except Refused:
                    if with_others:
                        raise NotKnown from None
                    return None
                path.append(play)
                staged = staged or any(now.memory[slot] != state.memory[slot] for slot in self.staged)
                if goal(now):
                    return tuple(path)
                if completed(now, state.player, state.turn):
                    return None
                if step.base is None:
                    refs.append((self.table.side_of(state.player), now.serial))
                if aim.subject == "complete" and self.outlook.is_sure(now):
                    return tuple(path)
        if staged:
            further = self.outlook.further(now, aim, goal, depth + 1)
            return None if further is None else (*path, *further)
        if with_others:
            return self._by_others_only(now, tuple(path), aim, goal, depth, state, ends)
        done = self._finished(now, tuple(path), aim, goal, depth, state, ends)
        return done if done is not None else self._finished(now, tuple(path), aim, goal, depth, state, None)

    def _finished(
        self, now: State, path: Path, aim: Aim, goal: Goal, depth: int, start: State, ends: set[int] | None
    ) -> Path | None:
        """The path with the play that reaches the goal, perhaps by way of a new phase or new cards. ends: the actions that come into question;
        None for those whose rules look ahead."""
        if aim.subject == "complete" and ends is not None and self.outlook.is_sure(now):
            return path
        held_up = self._is_held_up(now)
        for action in self.goals.leavers:
            form = self.candidates.forms[self.table.actions[action.name]]
            if bool(form.late) == (ends is not None) or (held_up and form.index in self.ending):
                continue
            if (ends is not None and form.index not in ends) or not machine.in_phase(now, form.index):
                continue
            for play in self.candidates.of(now, form):
                found = self._left(now, play, aim, goal, depth, start)
                if found is not None:
                    return (*path, *found)
        if ends is not None and self._grown(start, now, path):
            further = self.outlook.further(now, aim, goal, depth + 1)
            return None if further is None else (*path, *further)
        return None

    def _left(self, now: State, play: Play, aim: Aim, goal: Goal, depth: int, start: State) -> Path | None:
        """A play that leads out, and what further leads to the goal."""
        after = self.outlook.search.made(now, play, aim.last_resort)
        if after is None:
            return None
        reached = goal(after)
        if not reached and completed(after, start.player, start.turn):
            return None
        if self.candidates.late_broken(now, play):
            return None
        if reached:
            return (play,)
        further = self.outlook.further(after, aim, goal, depth + 1)
        return None if further is None else (play, *further)

    def _is_held_up(self, state: State) -> bool:
        """Whether a state moment is due and kept from happening, so that the turn can't be ended by an action that only ends it."""
        env = {x.Marker.PLAYER: state.player}
        return any(when(state, env) for when in self.blockable)

    def _grown(self, start: State, now: State, path: Path) -> bool:
        """Whether more cards are in hand than a plan has left there."""
        slot = self.table.zone_slot(self.zone, start.player)
        forms = [self.candidates.forms[play.action] for play in path]
        laid = sum(len(play.args[form.cards_place]) for play, form in zip(path, forms, strict=True) if form.cards)
        return len(now.zones[slot]) > len(start.zones[slot]) - laid

    def _faces(self, state: State, choice: Choice) -> list[list[int]]:
        """The faces that each outcome of a choice lays, in the order of its steps; runs choose first, since they need very cards."""
        left = sorted(card & FACE for card in state.zones[self.table.zone_slot(self.zone, state.player)])
        chosen: list[list[int]] = []
        for group, outcome in choice:
            cards = []
            for step in outcome.steps:
                for number in step.classes:
                    face = next(card for card in left if card in group.classes[number])
                    left.remove(face)
                    cards.append(face)
            chosen.append(cards)
        return chosen

    def _play(self, kind: int, base: int | None, cards: list[int], refs: list[tuple[int, int]]) -> Play:
        form = self.starters[0] if base is None else self.adders[0]
        values = {form.cards: tuple(sorted(cards))}
        if base is None:
            values[form.kind] = kind  # type: ignore[assignment]
        else:
            values[form.onto] = refs[base]
        return Play(form.index, tuple(values[name] for name in form.names))


def _adds_to_own(form: Form) -> bool:
    if form.lay is None or form.cards is None or not form.alone or form.onto is None:
        return False
    param = next(param for param in form.action.params if param.name == form.onto)
    return param.domain == x.MeldsOf(SIDE) or param.domain == x.MeldsOf(x.SideOf(PLAYER))


def _split(way: Way) -> tuple[list[int], list[tuple[str, int]]]:
    """The constants and the bounds that a way reads, in the order of its parameters."""
    names = sorted(free_names(way.condition))
    given = [int(name.split("_")[1]) for name in names if name.startswith("given_")]
    bounds = [(name.split("_")[0], int(name.split("_")[1])) for name in names if not name.startswith("given_")]
    return given, bounds


def _limits(way: Way) -> dict[Bound, list[int] | None]:
    """What each bound of a way is compared with."""
    found: dict[Bound, list[int] | None] = {}

    def bound_of(node: x.Expr) -> tuple[Bound, int] | None:
        """A bound, and what is taken from it."""
        match node:
            case x.Arith("-", inner, x.Const(int() as less)):
                within = bound_of(inner)
                return None if within is None else (within[0], within[1] + less)
            case x.Var(name) if not name.startswith("given_") and "_" in name:
                sort, number = name.split("_")
                return (sort, int(number)), 0
        return None

    def look(node: Any) -> None:
        match node:
            case x.Compare(_, left, right):
                for one, other in ((left, right), (right, left)):
                    bound = bound_of(one)
                    if bound is None:
                        continue
                    limits = found.setdefault(bound[0], [])
                    match other:
                        case x.Const(int() as value) if limits is not None:
                            limits.append(value + bound[1])
                        case x.Var(name) if name.startswith("given_") and limits is not None and not bound[1]:
                            limits.append(-1 - int(name.split("_")[1]))
                        case _:
                            found[bound[0]] = None
                if bound_of(left) is None:
                    look(left)
                if bound_of(right) is None:
                    look(right)
            case x.Var():
                bound = bound_of(node)
                if bound is not None:
                    found[bound[0]] = None
            case _:
                for child in children(node):
                    look(child)

    look(way.condition)
    return found


def _nothing(state: State, player: int, thing: Any) -> int:
    return 0


__all__ = ["Aim", "Fact", "NotKnown", "Path", "Planner"]
