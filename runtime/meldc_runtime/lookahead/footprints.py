"""What actions and moments may change: read from their effects."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import field
from typing import Any

from meldc_runtime.light import dataclass
from meldc_runtime.program import effects as e
from meldc_runtime.program import expressions as x
from meldc_runtime.program.declarations import Action, Moment, Program, Rule
from meldc_runtime.writing.nodes import walk

FLOW = (e.GoTo, e.GoBack, e.EndTurn, e.EndDeal, e.EndGame, e.Redeal)
ENDS = (e.EndDeal, e.EndGame, e.Redeal)
MOVES = (e.MoveCount, e.MoveCards, e.MoveUntil, e.Shuffle, e.Exchange)


@dataclass(slots=True)
class Footprint:
    """written: memories that may be changed, with the value where it is certain. zones: zones that
    cards may leave or come to. flow: whether the step may end something or go elsewhere;
    flow_to_end: whether it may end the deal.
    """

    written: dict[str, x.Expr | None] = field(default_factory=dict)
    zones: set[str] = field(default_factory=set)
    moves: bool = False
    lays: bool = False
    flow: bool = False
    flow_to_end: bool = False

    def add(self, other: Footprint, certain: bool = False) -> None:
        """Joins another: what may be written by both, or only perhaps, is not certain."""
        for name, value in other.written.items():
            self.written[name] = value if certain and name not in self.written else None
        self.zones |= other.zones
        self.moves |= other.moves
        self.lays |= other.lays
        self.flow |= other.flow
        self.flow_to_end |= other.flow_to_end

    @property
    def remembers_only(self) -> bool:
        """Whether nothing but memories is changed."""
        return not (self.moves or self.lays or self.flow)


def footprint(effects: Iterable[Any]) -> Footprint:
    """The footprint of effects that are done in any case, one after the other."""
    found = Footprint()
    for effect in effects:
        if (
            isinstance(effect, e.Become)
            and effect.owner is None
            and effect.memory not in found.written
        ):
            certain = isinstance(effect.value, x.Const)
            found.written[effect.memory] = effect.value if certain else None
            continue
        for part in walk(effect):
            match part:
                case e.Become() | e.Gain() | e.Chance():
                    found.written[part.memory] = None
                case e.LayMeld():
                    found.lays = True
                    found.zones |= {piece.source.zone for piece in part.parts}
                case e.Exchange():
                    found.lays = True
                case e.ZoneRef():
                    found.zones.add(part.zone)
            found.moves = found.moves or isinstance(part, MOVES)
            found.flow = found.flow or isinstance(part, FLOW)
            found.flow_to_end = found.flow_to_end or isinstance(part, ENDS)
    return found


def leaves_the_same(effects: Iterable[Any]) -> bool:
    """Whether effects leave the same, however often they are done and whenever: memories become
    what is known beforehand. They read nothing of the state, nor the names of an action.
    """
    return all(
        isinstance(effect, e.Become)
        and isinstance(effect.value, x.Const)
        and (effect.owner is None or not _reads_anything(effect.owner))
        for effect in effects
    )


def is_last(action: Action) -> bool:
    """Whether the player who makes an action surely does nothing more in this turn: it ends the
    deal, or another player is to act.
    """
    return any(
        isinstance(effect, ENDS)
        or (isinstance(effect, e.GoTo) and _is_anothers(action, effect.player))
        for effect in action.effects
    )


def _is_anothers(action: Action, player: x.Expr | None) -> bool:
    """Whether a player named by an action is surely not the one who makes it."""
    match player:
        case x.Var(name):
            domain = next((param.domain for param in action.params if param.name == name), None)
            return domain is not None and _is_anothers(action, domain)
        case x.Neighbour(of, 1 | -1) | x.Partners(of):
            return of in (x.Var(x.Marker.PLAYER), x.Acting())
    return False


def _reads_anything(owner: x.Expr) -> bool:
    """Whether whose memory it is depends on more than who acts."""
    return any(
        not isinstance(node, (x.Acting, x.SideOf)) and node != x.Var(x.Marker.PLAYER)
        for node in walk(owner)
    )


class Moments:
    """The moments of a Program by when they are looked at."""

    def __init__(self, program: Program) -> None:
        names = {moment.name for moment in program.moments}
        self.rules: dict[str, list[Rule]] = {moment.name: [] for moment in program.moments}
        for rule in program.rules:
            for name in rule.moments:
                if name in self.rules:
                    self.rules[name].append(rule)
        self.footprints = {moment.name: footprint(moment.effects) for moment in program.moments}
        self.following: dict[str, list[Moment]] = {}
        """Moments after (or before) each action or moment, by its name."""
        for moment in program.moments:
            if moment.trigger.kind in ("before", "after"):
                for target in moment.trigger.targets:
                    self.following.setdefault(target, []).append(moment)
        self.state = [moment for moment in program.moments if moment.trigger.kind == "state"]
        self.state += [
            moment
            for moment in program.moments
            if moment.trigger.kind == "before"
            and any(self._is_state(program, t, names) for t in moment.trigger.targets)
        ]

    def _is_state(self, program: Program, name: str, names: set[str]) -> bool:
        return name in names and any(
            m.name == name and m.trigger.kind == "state" for m in program.moments
        )

    def around(self, action: str) -> list[Moment]:
        """Moments before or after an action, and those after these."""
        found: list[Moment] = []
        waiting = list(self.following.get(action, ()))
        while waiting:
            moment = waiting.pop(0)
            if moment not in found:
                found.append(moment)
                waiting.extend(self.following.get(moment.name, ()))
        return found

    def is_harmless(self, moment: Moment) -> bool:
        """Whether a moment changes memories only, and no rule holds it back."""
        return not self.rules[moment.name] and all(
            self.footprints[other.name].remembers_only and not self.rules[other.name]
            for other in (moment, *self.around(moment.name))
        )
