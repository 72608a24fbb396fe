"""Things that wait for each other: what notes a memory waits for a rule that asks for it."""

from __future__ import annotations

from collections.abc import Iterator

from meldc.check.deciding import condition_span, refuses, topics
from meldc.check.inspection import Inspection, labels, listed
from meldc.check.possible.domain import ANYTHING, EITHER, Possible, exactly, union
from meldc.check.possible.judge import NOBODY, Judge
from meldc.check.possible.melds import Form
from meldc.check.possible.narrowed import Narrowed
from meldc.check.possible.readings import Env, Thing
from meldc.check.walk import walk
from meldc_runtime.light import dataclass
from meldc_runtime.program.declarations import Action, Moment, Rule, Table
from meldc_runtime.program.effects import Become, Chance, GoTo, LayMeld
from meldc_runtime.program.expressions import Expr, Remembered

Part = Action | Moment
NOTHING = exactly(None)


def check_waiting(inspection: Inspection) -> None:
    """Reports what never comes since each of two rules waits for what the other lets happen."""
    base = inspection.judges[0]
    start = _at_first(base)
    first = _knowing(base, start, melds=True)
    held = [
        rule
        for rule in inspection.program.rules
        if _is_own(inspection, rule) and rule.name not in inspection.at_odds and not rule.soft
        if (rule.actions or rule.moments) and topics(inspection, [rule]) & start.keys()
        if first.truth(refuses(rule)) is True
    ]
    if not held:
        return
    awaited = {name for rule in held for name in (*rule.actions, *rule.moments)}
    asked = _asked(inspection, held)
    start = {name: value for name, value in start.items() if name in asked}
    course = _Course(base, start, awaited)
    if awaited <= course.come:
        return  # no memory, as it is at first, holds them back for good
    never = [part for part in course.parts if part.name not in course.come]
    stuck: list[tuple[Part, Rule]] = []
    for part in never:
        for rule in _about(base, part):
            decided = base.truth(refuses(rule)) is not None
            if not decided and course.judge.truth(refuses(rule)) is True:
                stuck.append((part, rule))
    found = [(part, rule) for part, rule in stuck if _is_own(inspection, rule)]
    if not found or inspection.at_odds & {rule.name for _, rule in stuck}:
        return
    part, rule = found[0]
    others = {other.name: other for _, other in stuck if other is not rule}
    # Of these one sees those at which it hangs: without one of them the first would come.
    needed = {
        n: r for n, r in others.items() if part.name in _Course(base, start, {part.name}, n).come
    }
    others = needed or others
    names = listed(f"`{name}`" for name in (rule.name, *others))
    inspection.at_odds |= {rule.name, *others}
    inspection.refused |= {each.name for each in never if isinstance(each, Action)}
    inspection.error(
        "MC0737",
        f"`{part.name}` never {'happens' if isinstance(part, Moment) else 'becomes legal'}: "
        f"{names} {'wait for each other' if others else 'waits for what it refuses itself'}",
        condition_span(inspection, rule),
        "this comes only after what it is asked for",
        secondary=labels(
            *((condition_span(inspection, each), f"`{name}`") for name, each in others.items())
        ),
        help=("say in `unless` when the first of them may happen without the other",),
    )


def _is_own(inspection: Inspection, rule: Rule) -> bool:
    return inspection.is_own(inspection.model.declarations.rules[rule.name].steps)


def _about(judge: Judge, part: Part) -> Iterator[Rule]:
    for rule in judge.program.rules:
        names = rule.actions if isinstance(part, Action) else rule.moments
        if part.name in names and not rule.soft:
            yield rule


def _asked(inspection: Inspection, rules: list[Rule]) -> set[str]:
    """The memories on which rules hang, and those on which what writes them hangs."""
    base = inspection.judges[0]
    found, more = set[str](), topics(inspection, rules)
    while more - found:
        found |= more
        parts: list[Part] = [*base.program.actions, *base.program.moments]
        writers = [part for part in parts if _writes(part, found)]
        hooks = {
            name for each in writers if isinstance(each, Moment) for name in each.trigger.targets
        }
        writers += [part for part in parts if part.name in hooks]
        more = topics(inspection, [rule for part in writers for rule in _about(base, part)])
        more |= {
            node.memory
            for part in writers
            if isinstance(part, Moment)
            for node in walk(part.when)
            if isinstance(node, Remembered)
        }
    return found


def _writes(part: Part, names: set[str]) -> bool:
    return any(
        isinstance(node, Become | Chance) and node.memory in names for node in walk(part.effects)
    )


def _at_first(base: Judge) -> dict[str, Possible]:
    """What is noted, yes or no, before anything has come."""
    bare = Narrowed(base, bare=True)
    return {
        each.name: NOTHING if each.initial is None else bare.of(each.initial)
        for each in base.program.memories
        if each.type == "yes_no" and each.name in base.written.effects
    }


class _Blurred(Narrowed):
    """A judge of positions with melds, that does not look at what they can be."""

    def melds(self, expr: Expr, env: Env = NOBODY) -> tuple[Form, ...] | None:
        return None

    def sorted_rows(self, table: Table, form: Thing | None) -> Possible:
        return ANYTHING


def _knowing(base: Judge, memories: dict[str, Possible], melds: bool) -> Judge:
    """A judge of positions with these memories, and with melds or none."""
    if melds:
        return _Blurred(base, memories=memories)
    return Narrowed(base, memories=memories, bare=True)


@dataclass(frozen=True, slots=True)
class _State:
    """What has come so far: actions and moments, phases, what memories hold, whether melds lie."""

    come: frozenset[str]
    phases: frozenset[str]
    memories: tuple[tuple[str, Possible], ...]
    melds: bool


class _Course:
    """What comes, one after the other, from how a deal begins, until all awaited has come.

    without: the name of a rule that is left aside.
    """

    def __init__(
        self, base: Judge, start: dict[str, Possible], awaited: set[str], without: str = ""
    ) -> None:
        self.base, self.without = base, without
        self.parts: list[Part] = [*base.program.moments, *base.program.actions]
        self.awaited = awaited
        self.judge: Judge = base
        state, last = _State(frozenset(), frozenset(), tuple(start.items()), False), None
        while state != last and not awaited <= state.come:
            last, state = state, self._further(state)
        self.come = state.come

    def _further(self, state: _State) -> _State:
        self.judge = _knowing(self.base, dict(state.memories), state.melds)
        come, phases, melds = set(state.come), set(state.phases), state.melds
        memories = dict(state.memories)
        for part in self.parts:
            if part.name in come or not self._brings(part, state):
                continue
            if not self._can_come(part, come, phases):
                continue
            come.add(part.name)
            for node in walk(part.effects):
                if isinstance(node, LayMeld):
                    melds = True
                elif isinstance(node, GoTo):
                    phases.add(node.phase)
                elif isinstance(node, Become | Chance) and node.memory in memories:
                    value = self.judge.of(node.value) if isinstance(node, Become) else EITHER
                    memories[node.memory] = union((memories[node.memory], value))
        return _State(frozenset(come), frozenset(phases), tuple(memories.items()), melds)

    def _brings(self, part: Part, state: _State) -> bool:
        """Whether something new comes with it, or it is awaited."""
        open_ = {name for name, value in state.memories if value.known}
        return (
            part.name in self.awaited
            or any(
                (isinstance(node, LayMeld) and not state.melds)
                or (isinstance(node, GoTo) and node.phase not in state.phases)
                or (isinstance(node, Become | Chance) and node.memory in open_)
                for node in walk(part.effects)
            )
            or any(
                part.name in each.trigger.targets and self._brings(each, state)
                for each in self.base.program.moments
                if each.trigger.kind == "after"
            )
        )

    def _can_come(self, part: Part, come: set[str], phases: set[str]) -> bool:
        if isinstance(part, Moment):
            hooks = part.trigger.targets if part.trigger.kind == "after" else ()
            if (hooks and not come & set(hooks)) or self.judge.truth(part.when) is False:
                return False
        elif not phases & self._phases(part) or any(
            self.judge.elements(param.domain, {}) == [] for param in part.params
        ):
            return False
        return not any(
            rule.name != self.without and self.judge.truth(refuses(rule)) is True
            for rule in _about(self.base, part)
        )

    def _phases(self, action: Action) -> set[str]:
        further = (
            each.phases
            for each in self.base.program.allowances
            if action.name in each.actions and self.judge.truth(each.when) is not False
        )
        return set(action.phases).union(*further)
