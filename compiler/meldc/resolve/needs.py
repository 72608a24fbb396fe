"""Judges `needs:`: what must be so in a game before a layer is laid on it.

Conditions here are about settings and fixed keys, so that they can be judged before any card is
dealt: `pile_onto = any_meld`, `draws >= 2 and asking != needed`.
"""

from __future__ import annotations

from typing import TypeAlias

from meldc.diagnostics import Diagnostic, Label, did_you_mean, error
from meldc.load.nodes import YamlMap, YamlText
from meldc.resolve.compare import walk
from meldc.resolve.draft import Draft
from meldc.resolve.layer import Layer
from meldc.resolve.model import Cell, Need, Step
from meldc.resolve.reading import Reader
from meldc.syntax import tree

_Value: TypeAlias = int | bool | str
_FIXED = {
    "players": ("players",),
    "side_size": ("side_size",),
    "packs": ("pack", "packs"),
    "jokers": ("pack", "jokers"),
}


class _UnjudgedError(Exception):
    """A condition that cannot be judged; the diagnostic says why, None: it depends on the game."""

    def __init__(self, diagnostic: Diagnostic | None) -> None:
        super().__init__()
        self.diagnostic = diagnostic


def judge_needs(draft: Draft, layer: Layer, reader: Reader) -> list[Need]:
    """The needs of a layer that hold; those that do not are reported with their own sentence."""
    needs = layer.body.get("needs") if layer.body else None
    held: list[Need] = []
    for entry in needs if isinstance(needs, YamlMap) else ():
        condition = reader.expression(entry.key)
        refusal = entry.value.value if isinstance(entry.value, YamlText) else ""
        if condition is None:
            continue
        if _holds(draft, condition):
            step = Step(layer.title, entry.key.value, entry.key.span)
            cell = Cell(condition, entry.key.value, entry.key.span, (step,))
            held.append(Need(layer.title, cell, refusal))
        else:
            draft.found.add(_refused(draft, layer, entry.key, condition, refusal))
    return held


def _holds(draft: Draft, condition: tree.Expression) -> bool:
    """Whether a condition holds, or cannot be said before the game."""
    try:
        return _Judge(draft).value(condition) is not False
    except _UnjudgedError as unjudged:
        if unjudged.diagnostic is not None:
            draft.found.add(unjudged.diagnostic)
        return True


def _refused(
    draft: Draft, layer: Layer, key: YamlText, condition: tree.Expression, refusal: str
) -> Diagnostic:
    labels = [
        Label(cell.span, f"`{name}` is `{cell.text}`, set by {cell.steps[-1].source}")
        for name, cell in _looked_at(draft, condition)
        if cell.steps
    ]
    return error(
        "MC0408",
        f"{layer.title} does not fit here: {refusal}",
        key.span,
        "this does not hold here",
        secondary=labels,
        help=[f"leave {layer.title} out"] if layer.is_house else [],
    )


def _looked_at(draft: Draft, condition: tree.Expression) -> list[tuple[str, Cell[object]]]:
    names = [node.name for node in walk(condition) if isinstance(node, tree.Name)]
    cells = ((name, draft.cells.get(_path(name))) for name in dict.fromkeys(names))
    return [(name, cell) for name, cell in cells if cell is not None]


def _path(name: str) -> tuple[str, ...]:
    return _FIXED.get(name, ("settings", name))


class _Judge:
    """Works out conditions over the values set so far."""

    def __init__(self, draft: Draft) -> None:
        self._draft = draft

    def value(self, node: tree.Expression) -> _Value:
        match node:
            case tree.Number(value=number):
                return number
            case tree.Truth(value=truth):
                return truth
            case tree.Negative(operand=operand):
                return -self._number(operand)
            case tree.Name(name=name):
                return self._of_setting(node, name)
            case tree.Not(operand=operand):
                return not self._truth(operand)
            case tree.And(parts=parts):
                return False not in [self._truth(part) for part in parts]
            case tree.Or(parts=parts):
                return True in [self._truth(part) for part in parts]
            case tree.Comparison():
                return self._compare(node)
            case _:
                raise _UnjudgedError(_too_much(node))

    def _of_setting(self, node: tree.Name, name: str) -> _Value:
        cell = self._draft.cells.get(_path(name))
        if cell is None:
            known = [*self._draft.category("setting"), *_FIXED]
            raise _UnjudgedError(
                error(
                    "MC0401",
                    f"this game has no setting `{name}`",
                    node.span,
                    "nothing has this name here",
                    help=did_you_mean(name, known),
                )
            )
        if isinstance(cell.value, tuple):
            if len(cell.value) != 1:
                raise _UnjudgedError(None)
            number: int = cell.value[0]
            return number
        if isinstance(cell.value, tree.Name):
            return cell.value.name
        if isinstance(cell.value, (tree.Number, tree.Truth)):
            return cell.value.value
        raise _UnjudgedError(None)

    def _compare(self, node: tree.Comparison) -> bool:
        if node.sign in ("=", "!="):
            left = self.value(node.left)
            right = self._beside(node.left, node.right)
            return (left == right) == (node.sign == "=")
        left, right = self._number(node.left), self._number(node.right)
        return {
            "<": left < right,
            "<=": left <= right,
            ">": left > right,
            ">=": left >= right,
        }[node.sign]

    def _beside(self, subject: tree.Expression, node: tree.Expression) -> _Value:
        """The right side: a word is a choice of the setting on the left."""
        if not (isinstance(subject, tree.Name) and isinstance(node, tree.Name)):
            return self.value(node)
        entry = self._draft.category("setting").get(subject.name)
        choices = [word.text for word in entry.declaration.choices] if entry else []
        if not choices:
            return self.value(node)
        if node.name not in choices:
            raise _UnjudgedError(
                error(
                    "MC0402",
                    f"`{node.name}` is no choice of `{subject.name}`",
                    node.span,
                    "not one of its choices",
                    help=(
                        *did_you_mean(node.name, choices),
                        f"the choices are {', '.join(f'`{choice}`' for choice in choices)}",
                    ),
                )
            )
        return node.name

    def _number(self, node: tree.Expression) -> int:
        value = self.value(node)
        if isinstance(value, bool) or not isinstance(value, int):
            raise _UnjudgedError(_too_much(node))
        return value

    def _truth(self, node: tree.Expression) -> bool:
        value = self.value(node)
        if not isinstance(value, bool):
            raise _UnjudgedError(_too_much(node))
        return value


def _too_much(node: tree.Expression) -> Diagnostic:
    return error(
        "MC0419",
        "what a file `needs` must be plain before the game begins",
        node.span,
        "this is no comparison of a setting with a value",
        help=["compare settings with values: `draws = 1 and asking != needed`"],
    )
