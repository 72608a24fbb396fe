"""Judges `needs:`: what must be so in a game before a layer is laid on it.

Conditions here are about settings and fixed keys, so that they can be judged before any card is
dealt: `pile_onto = any_meld`, `draws >= 2 and asking != needed`. `largest(KIND)` is the upper end
of the size of a kind of meld; without an end it is above every number, without the kind it is 0.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, TypeAlias

from meldc.diagnostics import Collector, Diagnostic, Label, did_you_mean, error
from meldc.load.nodes import YamlMap, YamlText
from meldc.resolve.compare import walk
from meldc.resolve.draft import GONE, Draft, Laid, Path
from meldc.resolve.layer import Layer
from meldc.resolve.model import Bounds, Cell, Need, Step
from meldc.resolve.reading import Reader
from meldc.syntax import tree

_Value: TypeAlias = int | bool | str
_FIXED = {
    "players": ("players",),
    "side_size": ("side_size",),
    "packs": ("pack", "packs"),
    "jokers": ("pack", "jokers"),
}
_LARGEST = "largest"
_WITHOUT_END = 1_000_000
_Cells: TypeAlias = Mapping[Path, Cell[Any]]


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
        if _holds(draft, condition, draft.cells):
            step = Step(layer.title, entry.key.value, entry.key.span)
            cell = Cell(condition, entry.key.value, entry.key.span, (step,))
            held.append(Need(layer.title, cell, refusal))
        else:
            draft.found.add(_refused(draft, layer, entry.key, condition, refusal))
    return held


def judge_together(draft: Draft, houses: Iterable[Layer], before: _Cells) -> None:
    """Report house rules that take away what another one of them needs.

    before: the values without any house rule.
    """
    for layer in houses:
        needs = layer.body.get("needs") if layer.body else None
        others = {
            path: laid
            for path, laid in draft.laid.items()
            if laid.layer is not layer and laid.value != GONE and path not in draft.contested
        }
        for entry in needs if isinstance(needs, YamlMap) and others else ():
            condition = Reader(Collector(), layer.choice).expression(entry.key)
            if condition is None:
                continue
            cells = dict(before)
            cells |= {
                path: Cell(laid.value, laid.step.text, laid.step.span, (laid.step,))
                for path, laid in others.items()
            }
            if not _holds(draft, condition, cells):
                guilty = [others[p] for p in map(_path_of, _terms(condition)) if p in others]
                refusal = entry.value.value if isinstance(entry.value, YamlText) else ""
                _report_taken_away(draft, layer, entry.key, refusal, guilty)


def _report_taken_away(
    draft: Draft, layer: Layer, key: YamlText, refusal: str, guilty: list[Laid]
) -> None:
    theirs = " and ".join(dict.fromkeys(f"`{laid.layer.label}`" for laid in guilty))
    draft.refused.add(layer.title)
    draft.found.add(
        error(
            "MC0410",
            f"the house rules `{layer.label}` and {theirs} do not go together: {refusal}",
            key.span,
            f"`{layer.label}` needs this",
            secondary=[
                Label(laid.step.span, f"`{laid.layer.label}` says `{laid.step.text}`")
                for laid in guilty
            ],
            help=["lay only one of the two over a game"],
        )
    )


def _holds(draft: Draft, condition: tree.Expression, cells: _Cells) -> bool:
    """Whether a condition holds, or cannot be said before the game."""
    try:
        return _Judge(draft, cells).value(condition) is not False
    except _UnjudgedError as unjudged:
        if unjudged.diagnostic is not None:
            draft.found.add(unjudged.diagnostic)
        return True


def _refused(
    draft: Draft, layer: Layer, key: YamlText, condition: tree.Expression, refusal: str
) -> Diagnostic:
    failing = [part for part in _parts(condition) if not _holds(draft, part, draft.cells)]
    labels = [
        Label(cell.span, f"`{name}` is `{cell.text}`, set by {cell.steps[-1].source}")
        for name, cell in _looked_at(draft, tree.And(condition.span, tuple(failing)))
        if cell.steps
    ]
    named = f"the house rule `{layer.label}`" if layer.is_house else layer.title
    wanted = " and ".join(f"`{_written(draft, part, key)}`" for part in failing)
    cure = f"it fits a game where {wanted}; leave it out here" if layer.is_house else ""
    return error(
        "MC0408",
        f"{named} does not fit here: {refusal}",
        key.span,
        "this does not hold here",
        secondary=labels,
        help=[cure] if cure else [],
    )


def _parts(condition: tree.Expression) -> Iterator[tree.Expression]:
    if isinstance(condition, tree.And):
        for part in condition.parts:
            yield from _parts(part)
    else:
        yield condition


def _written(draft: Draft, part: tree.Expression, key: YamlText) -> str:
    return draft.text(part.span) or key.value


def _looked_at(draft: Draft, condition: tree.Expression) -> list[tuple[str, Cell[object]]]:
    cells = (
        (_name_of(term), draft.cells.get(_path_of(term)))
        for term in dict.fromkeys(_terms(condition))
    )
    return [(name, cell) for name, cell in cells if cell is not None]


def _terms(condition: tree.Expression) -> Iterator[tuple[str, str]]:
    """What a condition looks at: names, and kinds of meld with `largest` before them."""
    inner = [
        argument.name
        for node in walk(condition)
        if isinstance(node, tree.Call)
        for argument in node.arguments
        if isinstance(argument, tree.Name)
    ]
    yield from ((_LARGEST, name) for name in inner)
    for node in walk(condition):
        if isinstance(node, tree.Name) and node.name not in inner:
            yield "", node.name


def _name_of(term: tuple[str, str]) -> str:
    what, name = term
    return f"size of {name}" if what else name


def _path_of(term: tuple[str, str]) -> Path:
    what, name = term
    return ("melds", name, "size") if what else _path(name)


def _path(name: str) -> Path:
    return _FIXED.get(name, ("settings", name))


class _Judge:
    """Works out conditions over the values set so far."""

    def __init__(self, draft: Draft, cells: _Cells) -> None:
        self._draft = draft
        self._cells = cells

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
            case tree.Call(name=tree.Word(text=word), arguments=(tree.Name(name=kind),)) if (
                word == _LARGEST
            ):
                return self._largest(kind)
            case _:
                raise _UnjudgedError(_too_much(node))

    def _of_setting(self, node: tree.Name, name: str) -> _Value:
        cell = self._cells.get(_path(name))
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

    def _largest(self, kind: str) -> int:
        if kind not in self._draft.rows.get("melds", {}):
            return 0
        size = self._cells.get(("melds", kind, "size"))
        high = size.value.high if size is not None and isinstance(size.value, Bounds) else None
        return _WITHOUT_END if high is None else high

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
