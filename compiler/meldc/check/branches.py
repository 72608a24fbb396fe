"""Branches of effects, `if … else …`, of which one is never taken."""

from __future__ import annotations

from collections.abc import Iterator

from meldc.check.inspection import Inspection
from meldc.check.ownership import is_house
from meldc.check.walk import walk, walk_through
from meldc.resolve.model import Steps
from meldc.syntax import tree
from meldc_runtime.program import effects as fx
from meldc_runtime.program.declarations import Action, Moment
from meldc_runtime.program.expressions import Expr, If, SettingValue

Pair = tuple[fx.Branch, tree.If]


def check_branches(inspection: Inspection) -> None:
    """Warns of conditions that never hold, or always; what asks for a setting is left aside."""
    declared = inspection.model.declarations
    program = inspection.program
    parts: list[Action | Moment] = [*program.actions, *program.moments]
    lowered = {each.name: each.effects for each in parts}
    for entries in (declared.actions, declared.moments):
        for name, entry in entries.items():
            if name in lowered and _is_for_one_game(inspection, entry.steps):
                for pair in _pairs(lowered[name], entry.declaration.effects):
                    _check(inspection, *pair)
    _check_settings(inspection)


def _is_for_one_game(inspection: Inspection, steps: Steps) -> bool:
    """Whether the game itself says it: a house rule is for others, too, where it is otherwise."""
    return inspection.is_own(steps) and not is_house(steps)


def _check_settings(inspection: Inspection) -> None:
    """Values of settings that hang on what is the same at every table of the game."""
    for setting in inspection.program.settings:
        cell = inspection.model.settings[setting.name]
        if not isinstance(setting.value, If) or not _is_for_one_game(inspection, cell.steps):
            continue
        truth = _decided(inspection, setting.value.condition)
        if truth is not None:
            inspection.warn(
                "MC0738",
                f"the condition of `{setting.name}` is {'always' if truth else 'never'} so",
                cell.span,
                "the other value never counts",
                help=("correct the condition, or write the value alone",),
            )


def _decided(inspection: Inspection, condition: Expr) -> bool | None:
    """Whether a condition holds always, or never; None where that is not so, or a setting's."""
    truths = {judge.truth(condition) for judge in inspection.judges}
    asked = walk_through(inspection.program, condition)
    if len(truths) > 1 or any(isinstance(node, SettingValue) for node in asked):
        return None
    return truths.pop()


def _pairs(lowered: tuple[fx.Effect, ...], written: tuple[tree.Effect, ...]) -> Iterator[Pair]:
    """Each branch with the words it stands in; none where the two do not go together."""
    nested = [each for each in lowered if isinstance(each, fx.Branch | fx.ForEach)]
    words = [each for each in written if isinstance(each, tree.If | tree.ForEach)]
    if len(nested) != len(words):
        return
    for one, other in zip(nested, words, strict=True):
        match one, other:
            case fx.Branch(), tree.If():
                yield one, other
                yield from _pairs(one.then, other.then)
                yield from _pairs(one.otherwise, other.otherwise)
            case fx.ForEach(), tree.ForEach():
                yield from _pairs(one.body, other.body)


def _check(inspection: Inspection, branch: fx.Branch, written: tree.If) -> None:
    holds = _decided(inspection, branch.condition)
    if holds is None:
        return
    if holds and not any(True for _ in walk(branch.otherwise)):
        what = "this is always so, so that `if` says nothing"
    elif holds:
        what = "this is always so, and `else` is never done"
    else:
        what = "this is never so, and what depends on it is never done"
    inspection.warn(
        "MC0738",
        what,
        written.condition.span,
        help=("correct the condition, or leave the branch out",),
    )
