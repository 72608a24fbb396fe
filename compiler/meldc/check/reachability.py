"""Whether the machine moves on: phases, actions and moments nobody comes to, deals without end."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cached_property

from meldc.check.deciding import cards_chosen, refuses
from meldc.check.inspection import Inspection, labels
from meldc.check.ownership import is_shipped, taken_away
from meldc.check.packs import span_of
from meldc.check.possible.proof import never_together
from meldc.check.unchanging import never_changed
from meldc.check.walk import actions_during, walk
from meldc.resolve.model import Cell
from meldc.source import Span
from meldc.syntax import tree
from meldc_runtime.program import expressions as x
from meldc_runtime.program.declarations import Action, Moment
from meldc_runtime.program.effects import (
    Become,
    Effect,
    EndDeal,
    EndGame,
    EndTurn,
    GoBack,
    GoTo,
    MoveCards,
    MoveCount,
    MoveUntil,
    Redeal,
)

LEAVING = (EndTurn, EndDeal, EndGame, Redeal)


def check_reachability(inspection: Inspection) -> None:
    """Reports phases never entered or left, moments that never come, deals that never end."""
    course = _Course(inspection)
    _check_moments(inspection, course)
    _check_phases(inspection, course)
    _check_ends(inspection, course)
    _check_refilled(inspection, course)
    _check_moves(inspection)
    _check_until(inspection)
    _check_at_once(inspection)


class _Course:
    """What can happen at all: actions that are not always refused, moments that may come."""

    def __init__(self, inspection: Inspection) -> None:
        self.inspection = inspection
        program = inspection.program
        refused = {
            name
            for rule in program.rules
            if not rule.soft and all(judge.truth(refuses(rule)) for judge in inspection.judges)
            for name in (*rule.actions, *rule.moments)
        }
        self.actions = [each for each in program.actions if each.name not in refused]
        self.moments = [
            each for each in program.moments if each.name not in refused and self.may_come(each)
        ]

    def may_come(self, moment: Moment) -> bool:
        if moment.when is None:
            return True
        judges = self.inspection.judges
        if all(judge.truth(moment.when) is False for judge in judges):
            return False
        entry = self.inspection.model.declarations.moments[moment.name]
        if not self.inspection.is_own(entry.steps):
            return True
        cards = cards_chosen(self.inspection, moment.trigger.targets)
        return not all(never_together(judge, (moment.when,), cards) for judge in judges)

    def following(self, action: Action) -> Iterator[Effect]:
        """The effects of an action and of the moments that hang on it."""
        names = {action.name}
        yield from _effects(action.effects)
        for moment in self.moments:
            if names & set(moment.trigger.targets):
                names.add(moment.name)
                yield from _effects(moment.effects)

    def during(self, phase: str) -> list[Action]:
        """The actions that are possible in a phase."""
        possible = {each.name for each in actions_during(self.inspection.program, phase)}
        return [each for each in self.actions if each.name in possible]

    @cached_property
    def ends_elsewhere(self) -> bool:
        """Whether something that hangs on no action can end the deal: a state, a start, an end."""
        return any(
            isinstance(node, (EndDeal, EndGame))
            for moment in self.moments
            if moment.trigger.kind in ("state", "start", "end") and moment.trigger.period != "deal"
            for node in _effects(moment.effects)
        )

    def effects(self) -> Iterator[Effect]:
        parts: list[Action | Moment] = [*self.actions, *self.moments]
        for part in parts:
            yield from _effects(part.effects)


def _effects(effects: tuple[Effect, ...]) -> Iterator[Effect]:
    for node in walk(effects):
        if isinstance(node, Effect):
            yield node


# ---- moments -----------------------------------------------------------------------------------


def _check_moments(inspection: Inspection, course: _Course) -> None:
    declared = inspection.model.declarations.moments
    for moment in inspection.program.moments:
        entry = declared[moment.name]
        if not inspection.is_own(entry.steps) or course.may_come(moment):
            continue
        condition = entry.declaration.condition
        if inspection.short_of_melds and is_shipped(span_of(moment.origin)):
            continue  # that melds cannot be formed is said: what asks for them follows from it
        if never_changed(inspection, moment.when) is not None:
            continue  # that is said at the memory
        inspection.warn(
            "MC0727",
            f"the moment `{moment.name}` never comes: its condition never holds",
            condition.span if condition is not None else span_of(moment.origin),
            "",
            help=("correct the condition, or leave the moment out",),
        )


# ---- phases ------------------------------------------------------------------------------------


def _check_phases(inspection: Inspection, course: _Course) -> None:
    program, declared = inspection.program, inspection.model.declarations
    entered = {node.phase for node in course.effects() if isinstance(node, GoTo)}
    # Where an action is never legal of which that is said, what it leads to is no news.
    never = [each for each in program.actions if each.name in inspection.refused]
    promised = {
        node.phase for each in never for node in _effects(each.effects) if isinstance(node, GoTo)
    }
    told: set[str] = set()
    for action in _out_of_reach(inspection, entered | promised):
        words = declared.actions[action.name].declaration.phases
        told |= set(action.phases)
        # A machine may be for other games, too, that do go there.
        own = inspection.is_own(declared.actions[action.name].steps)
        report = inspection.error if own else inspection.warn
        report(
            "MC0726",
            f"`{action.name}` can never be played: its phase is never entered",
            words[0].span if words else span_of(action.origin),
            "nothing goes to this phase",
            help=("name another phase behind `during`, or let an effect `go to` this one",),
        )
    for phase in program.phases:
        if phase.name in entered:
            _check_left(inspection, course, phase.name)
            continue
        known = phase.name in told | promised
        if not known and inspection.is_authored(declared.phases[phase.name].steps):
            inspection.warn(
                "MC0724",
                f"the phase `{phase.name}` is never entered",
                span_of(phase.origin),
                "nothing goes to it",
                help=(f"an effect `go to {phase.name}` enters it",),
            )


def _out_of_reach(inspection: Inspection, entered: set[str]) -> Iterator[Action]:
    """The game's own actions of which no phase is ever entered."""
    program = inspection.program
    phases = {phase.name for phase in program.phases}
    allowed = {name for each in program.allowances for name in each.actions}
    for action in program.actions:
        during = set(action.phases) & phases
        own = inspection.is_authored(inspection.model.declarations.actions[action.name].steps)
        if own and during and not during & entered and action.name not in allowed:
            yield action


def _check_left(inspection: Inspection, course: _Course, phase: str) -> None:
    actions = course.during(phase)
    if not actions:
        return  # that nothing can be done there is said already
    if _leads_on(course, phase):
        return
    if any(isinstance(node, GoBack) for each in actions for node in course.following(each)):
        return  # it leads back to a phase of which that is said
    entry = inspection.model.declarations.phases[phase]
    given = entry.declaration.name.span
    state = [
        moment
        for moment in course.moments
        if moment.trigger.kind == "state"
        and any(isinstance(node, (*LEAVING, GoTo)) for node in _effects(moment.effects))
    ]
    if any(
        phase in each.phases and each.name in inspection.refused
        for each in inspection.program.actions
    ):
        return  # that an action which leads out of it is always refused is said already
    own = _last_own_action(inspection, phase)
    if own is None:
        own = _removed(inspection) or (
            None if inspection.is_own(entry.steps) else inspection.variant_span
        )
    names = ", ".join(f"`{each.name}`" for each in actions)
    if state:
        inspection.warn(
            "MC0725",
            f"no action leads out of the phase `{phase}`",
            own or given,
            f"only {names} can be done there; it is left when `{state[0].name}` happens",
            secondary=labels((given if own else None, "the phase")),
            help=("let one of its actions `end turn` or `go to` another phase",),
        )
        return
    inspection.error(
        "MC0725",
        f"the phase `{phase}` is never left",
        own or given,
        f"only {names} can be done there, and nothing leads on from it",
        secondary=labels((given if own else None, "the phase")),
        help=("let one of its actions `end turn` or `go to` another phase",),
    )


def _leads_on(course: _Course, phase: str) -> bool:
    """Whether the turn can come to an end from a phase, by way of other phases perhaps."""
    begins = {each.name for each in course.inspection.program.phases if each.begins_turn}
    seen, waiting = {phase}, [phase]
    while waiting:
        here = waiting.pop()
        for action in course.during(here):
            for node in course.following(action):
                after: set[str] = set()
                if isinstance(node, LEAVING):
                    return True
                if isinstance(node, GoTo):
                    if node.phase in begins and node.phase != here:
                        return True
                    if node.phase in begins and node.player is not None and course.ends_elsewhere:
                        return True
                    after = {node.phase}
                elif isinstance(node, GoBack):
                    after = _going_to(course, here)
                waiting.extend(after - seen)
                seen |= after
    return False


def _removed(inspection: Inspection) -> Span | None:
    """What the game itself removes of what happens: of actions before moments."""
    model = inspection.model
    return next(iter([*taken_away(model, "action "), *taken_away(model, "moment ")]), None)


def _going_to(course: _Course, phase: str) -> set[str]:
    """The phases from which one is entered, and to which `go back` leads."""
    return {
        name
        for action in course.actions
        if any(isinstance(node, GoTo) and node.phase == phase for node in course.following(action))
        for name in action.phases
    }


def _last_own_action(inspection: Inspection, phase: str) -> Span | None:
    spans = [
        entry.declaration.name.span
        for entry in inspection.model.declarations.actions.values()
        if inspection.is_own(entry.steps)
        and any(word.text == phase for word in entry.declaration.phases)
    ]
    return spans[-1] if spans else None


# ---- ends --------------------------------------------------------------------------------------


def _check_ends(inspection: Inspection, course: _Course) -> None:
    found = list(course.effects())
    if not any(isinstance(node, EndDeal) for node in found):
        inspection.error(
            "MC0728",
            "no deal ever ends: nothing that can happen does `end deal`",
            _place_of_end(inspection, EndDeal),
            "",
            help=("a moment such as `when hand is empty` can `end deal`, or an action",),
        )
    elif not inspection.without_score and not any(isinstance(node, EndGame) for node in found):
        inspection.error(
            "MC0728",
            "the game never ends: nothing that can happen does `end game`",
            _place_of_end(inspection, EndGame),
            "",
            help=("a moment `at end of deal` can `end game`, when a side has enough points",),
        )


def _place_of_end(inspection: Inspection, effect: type) -> Span | None:
    """What is removed that did it, a moment of the game itself that could have done it, a setting
    it asks for, or the game.
    """
    words = {EndDeal: "end deal", EndGame: "end game"}[effect]
    removed = taken_away(inspection.model, "moment ", "action ", that=words)
    if removed:
        return removed[0]
    declared = inspection.model.declarations.moments
    for moment in inspection.program.moments:
        if any(isinstance(node, effect) for node in _effects(moment.effects)):
            condition = declared[moment.name].declaration.condition
            if inspection.is_own(declared[moment.name].steps) and condition is not None:
                return condition.span
            for node in walk(moment.when):
                if isinstance(node, x.SettingValue):
                    cell = inspection.setting(node.name)
                    if cell is not None and inspection.is_own(cell.steps):
                        return cell.span
    own = [entry for entry in declared.values() if inspection.is_own(entry.steps)]
    return own[-1].declaration.name.span if own else inspection.variant_span


def _check_refilled(inspection: Inspection, course: _Course) -> None:
    """The pack filled again without end: what fills it must be noted, and not happen again."""
    pack = {zone.name for zone in inspection.program.zones if zone.holds_pack}
    start = {each.name for each in inspection.program.moments if each.trigger.period == "deal"}
    told: set[str] = set()
    for moment in course.moments:
        if moment.name in start or set(moment.trigger.targets) & start:
            continue
        fills = [
            node
            for node in _effects(moment.effects)
            if isinstance(node, MoveCards | MoveCount | MoveUntil)
            and node.to.zone in pack
            and node.source.zone not in pack
        ]
        entry = inspection.model.declarations.moments[moment.name]
        hooked = set(moment.trigger.targets)
        if not fills or _is_guarded(inspection, moment) or told & hooked:
            continue
        told |= {moment.name, *hooked}
        condition = entry.declaration.condition
        inspection.warn(
            "MC0728",
            f"a deal need never end: `{moment.name}` fills `{fills[0].to.zone}` again and again",
            _guard_span(inspection, moment)
            or (condition.span if condition is not None else span_of(moment.origin)),
            "nothing keeps it from happening once more",
            secondary=labels((span_of(moment.origin), "it happens here")),
            help=("remember that it has happened (`remember … = no each deal`), and ask for that",),
        )


def _is_guarded(inspection: Inspection, moment: Moment) -> bool:
    """Whether a memory that its effects change stands in its condition."""
    changed = {node.memory for node in _effects(moment.effects) if isinstance(node, Become)}
    changed |= {
        node.memory
        for each in inspection.program.moments
        if moment.name in each.trigger.targets
        for node in _effects(each.effects)
        if isinstance(node, Become)
    }
    return any(
        isinstance(node, x.Remembered) and node.memory in changed
        for part in _written_out(inspection, moment.when)
        for node in walk(part)
    )


def _written_out(inspection: Inspection, condition: x.Expr | None) -> Iterator[object]:
    judge, seen = inspection.judges[0], set[str]()
    waiting: list[object] = [condition]
    while waiting:
        part = waiting.pop()
        yield part
        for node in walk(part):
            if isinstance(node, x.Apply) and node.definition not in seen:
                seen.add(node.definition)
                waiting.append(judge.definitions[node.definition].body)


def _guard_span(inspection: Inspection, moment: Moment) -> Span | None:
    """A definition of the game's own on which the condition hangs."""
    declared = inspection.model.declarations.definitions
    for part in _written_out(inspection, moment.when):
        for node in walk(part):
            if isinstance(node, x.Apply) and node.definition in declared:
                entry = declared[node.definition]
                if inspection.is_own(entry.steps):
                    return entry.declaration.value.span
    return None


# ---- moves of no card --------------------------------------------------------------------------


def _check_moves(inspection: Inspection) -> None:
    """Numbers of cards that are never above 0."""
    told: set[Span | None] = set()
    parts: list[Action | Moment] = [*inspection.program.actions, *inspection.program.moments]
    for part in parts:
        for node in _effects(part.effects):
            if not isinstance(node, MoveCount):
                continue
            most = [judge.of(node.count).most for judge in inspection.judges]
            if any(each is None or each > 0 for each in most):
                continue
            cell = _setting_of(inspection, node.count)
            if cell is None or cell.span in told or not inspection.is_own(cell.steps):
                continue
            told.add(cell.span)
            number = max(each for each in most if each is not None)
            report = inspection.error if number < 0 else inspection.warn
            report(
                "MC0729",
                f"`{part.name}` moves no card from `{node.source.zone}`",
                cell.span,
                f"this is {number}",
                help=("write a number from 1 on",),
            )


def _setting_of(inspection: Inspection, count: x.Expr) -> Cell[tree.Expression] | None:
    names: Iterable[str] = (node.name for node in walk(count) if isinstance(node, x.SettingValue))
    return next((inspection.model.settings[name] for name in names), None)


def _check_until(inspection: Inspection) -> None:
    """Cards moved until one fits, and none ever does: all of them are moved."""
    for moment in inspection.program.moments:
        for node in _effects(moment.effects):
            if not isinstance(node, MoveUntil):
                continue
            if any(judge.truth(node.until) is not False for judge in inspection.judges):
                continue
            names = [each.definition for each in walk(node.until) if isinstance(each, x.Apply)]
            classes = [inspection.model.classes.get(name) for name in names]
            inspection.error(
                "MC0736",
                f"`{moment.name}` moves all cards of `{node.source.zone}`: none ever fits",
                inspection.blame(*classes) or span_of(moment.origin),
                "no card of the pack is one",
                secondary=labels((span_of(moment.origin), "moved here")),
                help=("name cards that there are; `any` where every card will do",),
            )


def _check_at_once(inspection: Inspection) -> None:
    """The game's own moment that ends every deal, or every turn, before anybody can act."""
    for moment in inspection.program.moments:
        entry = inspection.model.declarations.moments[moment.name]
        always = moment.when is None or all(
            judge.truth(moment.when) is True for judge in inspection.judges
        )
        ends = any(isinstance(effect, EndDeal | EndGame) for effect in moment.effects)
        starts = moment.trigger.kind == "start" and moment.trigger.period in ("turn", "deal")
        if always and ends and starts and inspection.is_own(entry.steps):
            inspection.error(
                "MC0726",
                f"nobody ever acts: `{moment.name}` ends the deal at the start of every "
                f"{moment.trigger.period}",
                entry.declaration.name.span,
                "",
                help=("say in `when` when it ends",),
            )
