"""Which cards can come to which zone: moves by class keep cards apart."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, TypeAlias

from meldc.check.vocabulary import MELD_ZONE
from meldc.check.walk import walk
from meldc_runtime.program import expressions as x
from meldc_runtime.program.declarations import Action, Moment, Program
from meldc_runtime.program.effects import Exchange, MoveCards, MoveCount, MoveUntil

if TYPE_CHECKING:
    from meldc.check.possible.judge import Judge

Move: TypeAlias = MoveCards | MoveCount | MoveUntil | Exchange


def contents(judge: Judge) -> dict[str, set[int]]:
    """For each zone the faces that can ever lie in it."""
    program = judge.program
    found: dict[str, set[int]] = {zone.name: set() for zone in program.zones}
    for zone in program.zones:
        if zone.holds_pack or zone.name == MELD_ZONE:
            found[zone.name] = set(judge.pack)
    moves = list(_moves(program))
    settled = False
    while not settled:
        before = sum(map(len, found.values()))
        for move, params in moves:
            _move(judge, move, found, params)
        settled = sum(map(len, found.values())) == before
    return found


def _moves(program: Program) -> Iterator[tuple[Move, dict[str, x.Expr]]]:
    """Every move of cards, with what can be chosen where it belongs to an action."""
    parts: tuple[Action | Moment, ...] = (*program.actions, *program.moments)
    for part in parts:
        params = part.params if isinstance(part, Action) else ()
        for node in walk(part.effects):
            if isinstance(node, MoveCards | MoveCount | MoveUntil | Exchange):
                yield node, {param.name: param.domain for param in params}


def _move(
    judge: Judge,
    move: Move,
    found: dict[str, set[int]],
    params: dict[str, x.Expr],
) -> None:
    if isinstance(move, Exchange):  # any card may lie in the meld, wild where it does
        found.setdefault(move.to.zone, set()).update(judge.pack)
        return
    moving = set(found.get(move.source.zone, judge.pack))
    if isinstance(move, MoveCards):
        moving &= _moved(judge, move.cards, moving, params)
    if not isinstance(move, MoveUntil):
        for each in move.exceptions:
            found.setdefault(each.to.zone, set()).update(
                judge.passing(moving, each.var, each.cards, {})
            )
            moving -= judge.those(each.cards, each.var)[1]
    found.setdefault(move.to.zone, set()).update(moving)


def _moved(judge: Judge, cards: x.Expr, lying: set[int], params: dict[str, x.Expr]) -> set[int]:
    """Those of the cards lying in a zone that a move can take."""
    match cards:
        case x.Filter(_, var, where):
            return judge.passing(lying, var, where, {})
        case x.Var(name) if name in params and isinstance(params[name], x.Filter):
            return _moved(judge, params[name], lying, {})
        case _:
            return lying
