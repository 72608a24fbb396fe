"""What a name can mean at a place: the things named, those looked at, the player in question."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field, replace

from meldc.check.types import PLAYER, SIDE
from meldc_runtime.light import dataclass
from meldc_runtime.program.effects import ZoneRef
from meldc_runtime.program.expressions import Expr, SideOf, Var


@dataclass(frozen=True, slots=True)
class Typed:
    """An expression of the Program and its type."""

    expr: Expr
    type: str


@dataclass(frozen=True, slots=True)
class Binding:
    """What a parameter, a `let` or a subject stands for; source: the zone its cards lie in."""

    value: Typed
    source: ZoneRef | None = None


@dataclass(frozen=True, slots=True)
class Scope:
    """names: parameters, lets, subjects. looked_at: innermost first, their fields before names.

    player, side: in question, for things named without their owner; with a player his side is in
    question too. nobody: why nobody is in question, for a message. depth: of queries.
    """

    names: Mapping[str, Binding] = field(default_factory=dict)
    looked_at: tuple[Typed, ...] = ()
    player: Expr | None = None
    side: Expr | None = None
    nobody: str = ""
    depth: int = 0

    @property
    def side_in_question(self) -> Expr | None:
        if self.side is not None:
            return self.side
        return None if self.player is None else SideOf(self.player)

    def look_at(self, thing: Typed) -> Scope:
        """The scope in which the fields of a thing come first."""
        inner = replace(self, looked_at=(thing, *self.looked_at))
        return inner.about(thing)

    def about(self, thing: Typed) -> Scope:
        """The scope in which a player or side is in question; others change nothing."""
        if thing.type == PLAYER:
            return replace(self, player=thing.expr, side=None)
        if thing.type == SIDE:
            return replace(
                self, side=thing.expr, player=None, nobody="a side is looked at here, not a player"
            )
        return self

    def bind(self, element: str) -> tuple[str, Scope]:
        """A variable for what a query looks at (no author can write its name), and its scope."""
        variable = f"It{self.depth + 1}"
        inner = replace(self, depth=self.depth + 1).look_at(Typed(Var(variable), element))
        return variable, inner

    def naming(self, name: str, value: Typed, source: ZoneRef | None = None) -> Scope:
        return replace(self, names={**self.names, name: Binding(value, source)})


def player_scope(names: Mapping[str, Binding] | None = None) -> Scope:
    """The scope of what a player does: he is `player`, and in question."""
    player = Typed(Var("player"), PLAYER)
    return Scope({**(names or {}), "player": Binding(player)}, player=player.expr)


def side_scope() -> Scope:
    """The scope of what is kept or counted for a side."""
    side = Typed(Var("side"), SIDE)
    return Scope(
        {"side": Binding(side)}, side=side.expr, nobody="this is about a side, not about a player"
    )


def table_scope(nobody: str) -> Scope:
    """The scope of what concerns the table as a whole."""
    return Scope(nobody=nobody)
