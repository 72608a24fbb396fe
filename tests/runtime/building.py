"""Short ways to write the nodes of a Program."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from meldc_runtime.program import declarations as d
from meldc_runtime.program import effects as f
from meldc_runtime.program import expressions as x

PLAYER, CARD, MELD, SIDE = x.Var("player"), x.Var("card"), x.Var("meld"), x.Var("side")
MY_SIDE = x.SideOf(PLAYER)
YES, NO, NONE = x.Const(True, "yes_no"), x.Const(False, "yes_no"), x.Const(None, "none")


def num(value: int) -> x.Const:
    return x.Const(value, "number")


def eq(left: x.Expr, right: x.Expr, cards: bool = False) -> x.Expr:
    return x.Compare("=", left, right, cards)


def rank(card: x.Expr) -> x.Expr:
    return x.CardAttr(card, "rank")


def rank_is(card: x.Expr, value: int) -> x.Expr:
    return eq(rank(card), x.Const(value, "rank"))


def zone(name: str, owner: x.Expr | None = None) -> x.ZoneCards:
    return x.ZoneCards(name, owner)


def ref(name: str, owner: x.Expr | None = None) -> f.ZoneRef:
    return f.ZoneRef(name, owner)


def memory(name: str, owner: x.Expr | None = None) -> x.Remembered:
    return x.Remembered(name, owner)


def become(name: str, value: x.Expr, owner: x.Expr | None = None) -> f.Become:
    return f.Become(name, owner, value)


def left(player: x.Expr) -> x.Expr:
    return x.Neighbour(player, 1)


def apply(name: str, *arguments: x.Expr) -> x.Apply:
    return x.Apply(name, arguments)


def define(name: str, body: x.Expr, kind: str, *params: tuple[str, str]) -> d.Definition:
    return d.Definition(name, params, body, kind, (), None)


def remember(
    name: str, kind: str, initial: x.Expr | None, scope: str = "deal", owner: str = "none"
) -> d.Memory:
    return d.Memory(name, owner, kind, initial, scope, None)


def action(
    name: str, params: tuple[d.Param, ...], phases: tuple[str, ...], *effects: f.Effect
) -> d.Action:
    return d.Action(name, params, name, phases, effects, (), None)


def moment(name: str, trigger: d.Trigger, when: x.Expr | None, *effects: f.Effect) -> d.Moment:
    return d.Moment(name, trigger, when, effects, (), None)


def rule(
    name: str,
    *,
    actions: tuple[str, ...] = (),
    moments: tuple[str, ...] = (),
    kinds: tuple[str, ...] = (),
    end_of_turn: bool = False,
    requires: x.Expr | None = None,
    when: x.Expr | None = None,
    unless: x.Expr | None = None,
    soft: str = "",
    sentence: d.Sentence = ("no",),
) -> d.Rule:
    return d.Rule(
        name, actions, moments, kinds, end_of_turn, requires, when, unless, soft, sentence, (), None
    )


def score(
    name: str, owner: str, gives: x.Expr, when: x.Expr | None = None, only: bool = False
) -> d.ScoreLine:
    return d.ScoreLine(name, owner, gives, when, None, only, (name,), (), None)


def kind(name: str, shape: str, cards: x.Expr, **more: Any) -> d.MeldKind:
    plain = d.MeldKind(
        name, shape, (), cards, (0, None), (0, 0), (3, None), (), "high", None, "many", name, None
    )
    return replace(plain, **more)


def table(name: str, form: str, rows: list[tuple[Any, x.Expr | None, Any]], **more: Any) -> d.Table:
    """Rows: key, condition, and the cell or the cells by column."""
    made = []
    for key, condition, cell in rows:
        cells = tuple(cell.items()) if isinstance(cell, dict) else (("", cell),)
        made.append(d.Row(key, condition, cells, "", None))
    columns = tuple((column, "number") for column, _ in made[0].cells)
    word = more.pop("word", "")
    return d.Table(name, form, word, columns, tuple(made), more.pop("each_more", None), "", None)


AT_START = d.Trigger("start", "deal")
STATE = d.Trigger("state")


def hook(when: str, *targets: str) -> d.Trigger:
    return d.Trigger(when, "", targets)
