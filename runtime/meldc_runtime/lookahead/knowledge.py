"""What planning knows of a Table: which actions lay melds, the goals, their facts, the groups;
worked out once from the Program.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import count
from typing import TYPE_CHECKING, Any

from meldc_runtime.kinds import classes_are_static, kinds_of
from meldc_runtime.light import dataclass
from meldc_runtime.lookahead.aims import Aim
from meldc_runtime.lookahead.contexts import Numbers, reads_beyond
from meldc_runtime.lookahead.doubts import Doubts
from meldc_runtime.lookahead.facts import CARD, MELD, Fact, PlanWorld, reads
from meldc_runtime.lookahead.footprints import Moments, footprint, leaves_the_same
from meldc_runtime.lookahead.goals import Goals, Way
from meldc_runtime.lookahead.groups import Closures, Local, LocalRule, Vector, groups_of
from meldc_runtime.lookahead.join import Layout, Part
from meldc_runtime.lookahead.limits import Bound, limits_of, read_by
from meldc_runtime.lookahead.looks import Looks
from meldc_runtime.lookahead.probes import Function, Probe
from meldc_runtime.lookahead.ranges import PLAYER, SIDE
from meldc_runtime.lookahead.sizes import Sizes
from meldc_runtime.program import expressions as x
from meldc_runtime.program.binding import substituted
from meldc_runtime.program.effects import (
    EndDeal,
    EndTurn,
    Exchange,
    MoveCards,
    MoveCount,
    MoveUntil,
)
from meldc_runtime.starts import EXACT
from meldc_runtime.state import Meld, State
from meldc_runtime.writing.folding import NO, Folding
from meldc_runtime.writing.nodes import free_names, walk

if TYPE_CHECKING:
    from meldc_runtime.candidates import Candidates
    from meldc_runtime.forms import Form
    from meldc_runtime.lookahead.outlook import Outlook
    from meldc_runtime.table import Table


@dataclass(frozen=True, slots=True)
class Test:
    """A way as written. asked: the actions that must be possible in the phase. action: by which it
    ends. constants, bounds: what it reads, in the order of its parameters.
    """

    asked: tuple[int, ...]
    action: int | None
    moment: str
    function: Function
    constants: list[int]
    bounds: list[Bound]
    limits: list[tuple[Bound, int | None, list[int]]]
    """What each component of the vector is compared with: the greatest number, and places among the
    constants; None where it is not only compared.
    """


class Knowledge:
    """What plans at a Table are made of. `applies`: whether its melds can be planned at all."""

    def __init__(self, outlook: Outlook, folding: Folding, moments: Moments) -> None:
        self.outlook = outlook
        self.folding = folding
        self.table: Table = outlook.table
        self.leads_nowhere = False
        self.refused: Part | None = None
        self.trail: list[Any] = []
        self.candidates: Candidates = outlook.candidates
        self.starters = [form for form in self.candidates.forms if form.starts]
        self.adders = [form for form in self.candidates.forms if _adds_to_own(form)]
        others = [
            form
            for form in self.candidates.forms
            if form.alone and form.onto and form not in self.adders
        ]
        zones = {
            form.lay.parts[0].source.zone
            for form in (*self.starters, *self.adders)
            if form.lay is not None
        }
        bridged = any(
            kind.shape == "run" and kind.wilds[1] != 0 for kind in self.table.program.kinds
        )
        self.applies = (
            len(self.starters) == 1
            and not others
            and len(zones) == 1
            and not bridged
            and not _takes_cards_back(self.table)
            and classes_are_static(self.table)
        )
        if self.applies:
            self.zone = zones.pop()
            layers = [form.action for form in (*self.starters, *self.adders)]
            self.goals = Goals(self.table, folding, moments, layers, self.zone)
            out = [
                form
                for form in self.candidates.forms
                if form.action not in layers and form.action not in self.goals.leavers
            ]
            self.simple = [form for form in out if self._is_simple(form, folding)]
            self.others = [form for form in out if form not in self.simple]
            self._work_out(folding)

    def _work_out(self, folding: Folding) -> None:
        self.doubts = Doubts(self.goals, folding)
        exact = {kind.name for kind in self.table.program.kinds if kind.shape in EXACT}
        self.goals.asks_plainly = not exact and not self.simple
        for rule in self.table.program.rules:
            if set(rule.kinds) - exact and rule.name not in self.table.code.never_broken:
                self.doubts.of(rule)
        self.aims = {
            aim: self._distinct(self.goals.ways(aim), folding) for aim in self.goals.aims()
        }
        registry = self.goals.registry
        self.card_worth = self._card_worths()
        self.facts = list(registry.facts)
        self.constants = list(registry.constants)
        self.doubtful = self._doubtful(folding)
        self.lasting = self._lasting()
        world = self.goals.world(Aim("complete"), None, over_turn=False, one_less=False)
        self.least_sizes = [Sizes(world).least(fact) for fact in self.facts]
        self.conditions, self.rules, self.read_by_kind = self._local(world, folding)
        self.read_by_fact = [
            frozenset(reads(self.table, folding, fact.body)) for fact in self.facts
        ]
        written = {
            name
            for moment in self.goals.staged
            for name in self.goals.moments.footprints[moment].written
        }
        self.staged = [
            self.table.memory_slot(name, owner)
            for name in sorted(written)
            for owner in range(self.table.owners(self.table.memories[name].owner))
        ]
        self._find_what_commutes(folding)
        self.coarse = kinds_of(self.table, runs=False)
        self.groups = groups_of(self.table, self.coarse)
        self.special = [k for k, kind in enumerate(self.table.program.kinds) if kind.shape in EXACT]
        self.kinds = [
            tuple(self.coarse.of[faces[0]] for faces in group.classes) for group in self.groups
        ]
        self.own_kinds = [
            kinds[: group.wild_from] for kinds, group in zip(self.kinds, self.groups, strict=True)
        ]
        self.wild_kinds = [
            kinds[group.wild_from :] for kinds, group in zip(self.kinds, self.groups, strict=True)
        ]
        self.ever_wild = {kind for kinds in self.wild_kinds for kind in kinds}
        self.groups_with: dict[int, list[int]] = {}
        for group, kinds in zip(self.groups, self.own_kinds, strict=True):
            for kind in set(kinds):
                self.groups_with.setdefault(kind, []).append(group.number)
        starts = self.candidates.starts
        self.needed = [
            min(
                shape.naturals
                for kind in group.kinds
                for shape in (*starts.least[kind], *starts.extra[kind])
            )
            for group in self.groups
        ]
        self.least = [
            min(self.table.program.kinds[kind].size[0] for kind in group.kinds)
            for group in self.groups
        ]
        self.group_of = {
            (kind, group.place): group.number for group in self.groups for kind in group.kinds
        }

    def _find_what_commutes(self, folding: Folding) -> None:
        """commutes: whether the order of laid melds makes no difference. settling: the state
        moments that may follow at any time; last: those that end the deal.
        """
        program, moments, goals = self.table.program, self.goals.moments, self.goals
        forms = [*self.starters, *self.adders]
        around = {form.index: moments.around(form.action.name) for form in forms}
        plain_forms = all(
            not any(form.rules)
            and not form.late
            and not form.another
            and not form.marked
            and not self._is_allowed_elsewhere(form, folding)
            and not self.table.schedule.before[form.index]
            for form in forms
        )
        plain_moments = all(
            moment.when is None
            and moments.is_harmless(moment)
            and moment.trigger.kind == "after"
            and not moments.around(moment.name)
            and leaves_the_same(moment.effects)
            for found in around.values()
            for moment in found
        )
        same = len({self.table.schedule.after[form.index] for form in forms}) == 1
        no_kind_rules = not any(self.table.schedule.kind_rules) and all(
            kind.condition is None or not reads(self.table, folding, folding.fold(kind.condition))
            for kind in program.kinds
        )
        watched = [moment for moment in moments.state if not goals.ends_deal(moment)]
        settled = [
            moment
            for moment in watched
            if not moments.around(moment.name)
            and (moments.rules[moment.name] or goals.brings_cards(moment))
        ]
        self.last = {
            self.table.moments[moment.name]
            for moment in moments.state
            if EndDeal() in moment.effects
        }
        self.settling = {self.table.moments[moment.name] for moment in settled}
        self.state_moments = {
            program.moments[moment.index].name: moment for moment in self.table.course.scan
        }
        self.commutes = (
            plain_forms
            and plain_moments
            and same
            and no_kind_rules
            and len(settled) == len(watched)
        )

    def _is_allowed_elsewhere(self, form: Form, folding: Folding) -> bool:
        """Whether some condition lets an action be played outside of its phases."""
        return any(
            one.when is None or folding.fold(one.when) != NO
            for one in self.table.program.allowances
            if form.action.name in one.actions
        )

    def _is_simple(self, form: Form, folding: Folding) -> bool:
        """Whether an action neither hangs on what is laid nor changes how it is judged."""
        if any(
            param.type in ("meld", "kind") or param.mode == "some" for param in form.action.params
        ):
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
        changed = {"melds", f"zone {self.zone}"} | {
            f"memory {name}" for name in self.goals.marks.written
        }
        judged: set[str] = set()
        for rule in program.rules:
            if rule.kinds:
                for part in (rule.when, rule.unless, rule.requires):
                    if part is not None:
                        reads(self.table, folding, folding.fold(part), judged)
        marks = footprint(form.action.effects)
        touched = {f"memory {name}" for name in marks.written} | {
            f"zone {name}" for name in marks.zones
        }
        return not read & changed and not judged & touched

    def _card_worths(self) -> dict[int, int]:
        """By fact that sums over the cards of melds the fact of the hand that sums the same over
        its cards.
        """
        registry = self.goals.registry
        found: dict[int, int] = {}
        for fact, number in list(registry.facts.items()):
            match fact.body:
                case x.Sum(source, var, by) if fact.of_melds and source == x.MeldAttr(
                    MELD, "cards"
                ):
                    same = Fact(False, substituted(by, {var: CARD}))
                    found[number] = registry.fact(same)
        return found

    def _doubtful(self, folding: Folding) -> set[int]:
        """The constants that plays outside of plans may change."""
        touched: set[str] = set()
        for form in self.others:
            around = self.goals.moments.around(form.action.name)
            for marks in (
                footprint(form.action.effects),
                *(self.goals.moments.footprints[moment.name] for moment in around),
            ):
                touched |= {f"memory {name}" for name in marks.written} | {
                    f"zone {name}" for name in marks.zones
                }
        return {
            n
            for n, constant in enumerate(self.constants)
            if reads(self.table, folding, constant) & touched
            and not (
                isinstance(constant, x.Count)
                and isinstance(constant.source, x.ZoneCards)
                and constant.source.zone == self.zone
            )
        }

    def _lasting(self) -> set[int]:
        """Of these constants those that, once they hold, plays outside of plans leave as they are:
        a zone that only takes is not empty.
        """
        parts = [
            part for form in self.others for effect in form.action.effects for part in walk(effect)
        ]
        sources = {
            part.source.zone
            for part in parts
            if isinstance(part, (MoveCount, MoveCards, MoveUntil))
        }
        return {
            number
            for number in self.doubtful
            if isinstance(constant := self.constants[number], x.Exists)
            and constant.where is None
            and isinstance(constant.source, x.ZoneCards)
            and constant.source.zone not in sources
        }

    def _distinct(self, ways: list[Way], folding: Folding) -> list[Way]:
        folded = [replace(way, condition=folding.fold(way.condition)) for way in ways]
        return list(dict.fromkeys(way for way in folded if way.condition != NO))

    def _local(
        self, world: PlanWorld, folding: Folding
    ) -> tuple[tuple[bool, ...], tuple[tuple[LocalRule, ...], ...], list[set[str]]]:
        """By kind whether its condition, and which of its rules, can be judged within a group; and
        what these read beyond it.
        """
        conditions: list[bool] = []
        rules: list[tuple[LocalRule, ...]] = []
        by_kind: list[set[str]] = []
        program = self.table.program
        for index, kind in enumerate(program.kinds):
            read: set[str] = set()
            near: list[LocalRule] = []
            for rule in program.rules:
                if rule.name not in self.table.schedule.kind_rules[index] or kind.shape in EXACT:
                    continue
                doubts = self.doubts.of(rule)
                if doubts is None:
                    continue
                parts = [p for p in (rule.when, rule.unless, rule.requires) if p is not None]
                memories: set[str] = set()
                for part in parts:
                    self._monotone_memories(world, folding.fold(part), memories)
                    reads_beyond(world, folding.fold(part), read)
                near.append((rule.name, tuple(sorted(memories)), doubts))
            condition = None if kind.condition is None else folding.fold(kind.condition)
            judged = (
                condition is not None
                and condition != x.Const(True, "yes_no")
                and world.is_known(condition)
            )
            if judged:
                reads_beyond(world, condition, read)
            conditions.append(judged)
            rules.append(tuple(near))
            by_kind.append(read)
        return tuple(conditions), tuple(rules), by_kind

    def _monotone_memories(self, world: PlanWorld, node: x.Expr, found: set[str]) -> None:
        """The memories of the side in an expression that may only become yes."""
        match node:
            case x.Remembered(memory) if memory in world.monotone:
                found.add(memory)
            case x.And(parts) | x.Or(parts):
                for part in parts:
                    self._monotone_memories(world, part, found)
            case x.Not(operand):
                self._monotone_memories(world, operand, found)

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
        return found | self.doubts.probes()

    def _key(self, way: Way) -> str:
        return f"way {way.condition!r}"

    def take(self, functions: dict[str, Function]) -> None:
        """Takes the written functions."""
        if not self.applies:
            return
        self.doubts.take(functions)
        self.of_meld = [
            functions[f"fact {n}"] if fact.of_melds else None for n, fact in enumerate(self.facts)
        ]
        self.of_card = [
            _nothing if fact.of_melds else functions[f"fact {n}"]
            for n, fact in enumerate(self.facts)
        ]
        self.given = [functions[f"given {n}"] for n in range(len(self.constants))]
        self.tests: dict[Aim, list[Test]] = {}
        for aim, ways in self.aims.items():
            self.tests[aim] = [
                Test(
                    tuple(
                        self.table.actions[action.name]
                        for action in (way.action, way.by)
                        if action is not None
                    ),
                    None if way.action is None else self.table.actions[way.action.name],
                    way.moment,
                    functions[self._key(way)],
                    *read_by(way),
                    limits_of(way, read_by(way)[0]),
                )
                for way in ways
            ]
        local = Local(self.conditions, self.rules, tuple(self.of_meld))
        read = set().union(*self.read_by_kind, *self.read_by_fact)
        marked = "laid by" in read
        self.closures = Closures(self.table, self.candidates.starts, local, self.coarse.of, marked)
        self.looks = Looks()
        self.card_values: dict[Any, tuple[int, Vector]] = {}
        self.card_numbers: dict[Vector, int] = {}
        self.next_number = count()  # none is given again, since other things are kept by them
        self.layouts: dict[Any, Layout] = {}
        self.worths: dict[Any, list[Vector]] = {}
        self.meld_values: dict[int, tuple[Meld, Any, Vector]] = {}
        self._find_contexts()
        self._find_what_holds_up()

    def _find_what_holds_up(self) -> None:
        """Moments that, due and kept from happening, no action that only ends the turn can help;
        and these actions.
        """
        program, moments, folding = self.table.program, self.goals.moments, self.folding
        self.ending = set()
        changed: set[str] = set()
        for index, action in enumerate(program.actions):
            around = moments.around(action.name)
            if EndTurn() in action.effects and all(
                moments.is_harmless(moment) for moment in around
            ):
                self.ending.add(index)
                for marks in (
                    footprint(action.effects),
                    *(moments.footprints[moment.name] for moment in around),
                ):
                    changed |= {f"memory {name}" for name in marks.written} | {
                        f"zone {name}" for name in marks.zones
                    }
        self.blockable = []
        for moment in moments.state:
            rules = moments.rules[moment.name]
            parts = [
                moment.when,
                *(part for rule in rules for part in (rule.when, rule.unless, rule.requires)),
            ]
            read: set[str] = set()
            for part in parts:
                if part is not None:
                    reads(self.table, folding, folding.fold(part), read)
            if rules and moment.trigger.kind == "state" and not read & changed:
                code = self.table.code
                firm = [(rule.name, code.rules[rule.name]) for rule in rules if not rule.soft]
                self.blockable.append((code.moment_when[moment.name], firm))

    def _find_contexts(self) -> None:
        """What closures of each group, facts of melds and facts of cards read of a state beside the
        melds of a group and the hand.
        """
        numbers = Numbers(self.table, self.closures.signature_of)
        of_melds: set[str] = set()
        of_cards: set[str] = set()
        for fact, read in zip(self.facts, self.read_by_fact, strict=True):
            (of_melds if fact.of_melds else of_cards).update(read)
        self.of_melds = numbers.context(frozenset(of_melds))
        self.of_cards = numbers.context(frozenset(of_cards))
        self.of_groups = [
            numbers.context(
                frozenset(of_melds.union(*(self.read_by_kind[kind] for kind in group.kinds)))
            )
            for group in self.groups
        ]


def _takes_cards_back(table: Table) -> bool:
    """Whether something takes a card out of a meld: plans know melds that grow, and no others."""
    parts = (table.program.actions, table.program.moments)
    return any(isinstance(node, Exchange) for node in walk(parts))


def _adds_to_own(form: Form) -> bool:
    if form.lay is None or form.cards is None or not form.alone or form.onto is None:
        return False
    param = next(param for param in form.action.params if param.name == form.onto)
    return param.domain == x.MeldsOf(SIDE) or param.domain == x.MeldsOf(x.SideOf(PLAYER))


def _nothing(state: State, player: int, thing: Any) -> int:
    return 0
