"""Which faces can lie where: what a zone may ever hold, what a list of cards may hold.

Worked out from all effects of a Program: a zone holds what is moved to it, a parameter what its
domain holds. What can't be told holds every face.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from meldc_runtime.cards import FACES
from meldc_runtime.program import effects as e
from meldc_runtime.program import expressions as x
from meldc_runtime.program.declarations import Program
from meldc_runtime.writing.nodes import walk

ALL = frozenset(FACES)
Faces = frozenset[int]
Column = Callable[[x.Var, x.Expr], "tuple[Any, ...] | None"]
"""The value of a condition for each face, None where it depends on more."""


class FaceSets:
    """The faces of the zones of a Program and of expressions over them."""

    def __init__(self, program: Program, column: Column) -> None:
        self.program = program
        self.column = column
        self.definitions = {d.name: d for d in program.definitions}
        self.zones: dict[str, Faces] = {
            zone.name: ALL if zone.holds_pack else frozenset() for zone in program.zones
        }
        moves = list(self._moves())
        while True:
            before = dict(self.zones)
            for effect, names in moves:
                self._apply(effect, names)
            if before == self.zones:
                return

    def _moves(self) -> Iterator[tuple[e.Effect, dict[str, x.Expr]]]:
        for action in self.program.actions:
            names = {param.name: param.domain for param in action.params}
            for effect in action.effects:
                yield from ((part, names) for part in walk(effect) if isinstance(part, e.Effect))
        for moment in self.program.moments:
            for effect in moment.effects:
                yield from ((part, {}) for part in walk(effect) if isinstance(part, e.Effect))

    def _apply(self, effect: e.Effect, names: dict[str, x.Expr]) -> None:
        match effect:
            case e.MoveCount(_, source, to, _, exceptions):
                self._come(self.zones[source.zone], to, exceptions)
            case e.MoveCards(cards, _, to, _, exceptions):
                self._come(self.of(cards, names), to, exceptions)
            case e.MoveUntil(source, to):
                self._come(self.zones[source.zone], to, ())
            case e.Exchange(_, _, _, to):
                self._come(ALL, to, ())
            case e.Redeal():
                pass

    def _come(self, faces: Faces, to: e.ZoneRef, exceptions: tuple[e.Exception_, ...]) -> None:
        for exception in exceptions:
            fitting = self.satisfying(exception.var, exception.cards)
            self.zones[exception.to.zone] |= faces & fitting
        self.zones[to.zone] |= faces

    def satisfying(self, var: str, condition: x.Expr) -> Faces:
        """The faces of which a condition may hold."""
        column = self.column(x.Var(var), condition)
        return ALL if column is None else frozenset(face for face in FACES if column[face])

    def of(self, cards: x.Expr, names: dict[str, x.Expr] | None = None) -> Faces:
        """The faces that a card or list of cards may have; names: domains of parameters."""
        names = names or {}
        match cards:
            case x.ZoneCards(zone):
                return self.zones[zone]
            case x.Filter(source, var, where):
                return self.of(source, names) & self.satisfying(var, where)
            case x.Join(left, right) | x.If(_, left, right):
                return self.of(left, names) | self.of(right, names)
            case x.ListOf(items) | x.Otherwise(items):
                return frozenset[int]().union(*(self.of(item, names) for item in items))
            case x.Top(inner) | x.Bottom(inner) | x.Nth(inner, _) | x.First(inner) | x.Best(inner):
                return self.of(inner, names)
            case x.Var(name) if name in names:
                return self.of(names[name], {})
            case x.Apply(definition, _):
                return self.of(self.definitions[definition].body, {})
        return ALL
