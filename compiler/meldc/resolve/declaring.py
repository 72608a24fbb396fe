"""Lays the declarations of a layer on what is there: adds, replaces, removes, by name."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from meldc.diagnostics import Label, did_you_mean, error
from meldc.resolve.compare import meaning, put, same
from meldc.resolve.draft import CATEGORY_WORDS, GONE, Draft, Repeat
from meldc.resolve.layer import Layer
from meldc.resolve.model import Cell, Entry, Step
from meldc.resolve.reading import Reader
from meldc.source import Span
from meldc.syntax import tree

CATEGORIES: dict[type, str] = {
    tree.SettingDecl: "setting",
    tree.TableDecl: "table",
    tree.ZoneDecl: "zone",
    tree.PhaseDecl: "phase",
    tree.MemoryDecl: "remember",
    tree.Definition: "define",
    tree.ActionDecl: "action",
    tree.MomentDecl: "moment",
    tree.RuleDecl: "rule",
    tree.ScoreDecl: "score",
}

_SPACES: dict[str, tuple[str, ...]] = {
    **dict.fromkeys(
        ("setting", "table", "zone", "remember", "define"),
        ("setting", "table", "zone", "remember", "define"),
    ),
    **dict.fromkeys(("action", "moment"), ("action", "moment")),
    **{name: (name,) for name in ("phase", "rule", "score")},
}
"""For each category those it shares its names with."""


def lay_declarations(draft: Draft, layer: Layer, reader: Reader) -> None:
    """Apply the declarations of a layer in the order written."""
    choice = reader.choice_value()
    for declaration in layer.declarations:
        if choice is not None:
            declaration = put(declaration, "choice", choice)
        match declaration:
            case tree.Use():
                pass  # followed when the layers were gathered
            case tree.Removal():
                remove_declaration(draft, layer, declaration.category, declaration.name)
            case _:
                _declare(draft, layer, declaration)


def named(draft: Draft, category: str, name: str) -> Entry[Any] | None:
    """What has this name in the name space of a category."""
    for neighbour in _SPACES[category]:
        entry = draft.category(neighbour).get(name)
        if entry is not None:
            return entry
    return None


def category_of(entry: Entry[Any]) -> str:
    """The category of a declaration: `rule`, `define` …"""
    return CATEGORIES[type(entry.declaration)]


# ---- adding and replacing ------------------------------------------------------------


def _declare(draft: Draft, layer: Layer, declaration: tree.NamedDeclaration) -> None:
    category, name = CATEGORIES[type(declaration)], declaration.name.text
    before = named(draft, category, name)
    step = draft.step(layer, declaration)
    if not declaration.replace:
        if before is not None:
            _report_second(draft, declaration, before)
            return
        if _is_about_removed(draft, layer, declaration, step):
            return
        draft.is_contradicted(layer, (category, name), meaning(declaration), step)
        draft.changed.add(layer.title)
        _put(draft, Entry(declaration, (step,)), None)
        return
    if draft.is_contradicted(layer, (category, name), meaning(declaration), step):
        return
    if before is None or category_of(before) != category:
        _report_absent(draft, "MC0405", "replace", category, declaration.name, before)
        return
    if same(before.declaration, declaration):
        repeat = Repeat((category, name), step, before.steps[-1])
        draft.repeats.setdefault(layer.title, []).append(repeat)
    else:
        draft.changed.add(layer.title)
    _put(draft, Entry(declaration, (*before.steps, step)), before)


def _put(draft: Draft, entry: Entry[Any], before: Entry[Any] | None) -> None:
    draft.category(category_of(entry))[entry.name] = entry
    if isinstance(entry.declaration, tree.SettingDecl):
        _set_default(draft, entry, before)
    elif isinstance(entry.declaration, tree.TableDecl):
        if before is not None:
            _keep_what_fits(draft, entry.name, before.declaration.form, entry.declaration.form)
        draft.rows.setdefault(entry.name, {})


def _keep_what_fits(
    draft: Draft,
    table: str,
    before: tree.Keyed | tree.Sorts | tree.Lists,
    now: tree.Keyed | tree.Sorts | tree.Lists,
) -> None:
    """A table that is declared anew keeps its rows where they have the new form."""
    if isinstance(now, tree.Keyed) or isinstance(before, tree.Keyed):
        if not same(before, now):
            draft.drop_table(table)
    elif type(before) is not type(now):
        draft.drop_table(table)
    else:
        lost = {column.name.text for column in before.columns}
        draft.drop_columns(table, lost - {column.name.text for column in now.columns})


def _set_default(draft: Draft, entry: Entry[Any], before: Entry[Any] | None) -> None:
    """The value a setting has by itself; what a variant has set stays."""
    path = ("settings", entry.name)
    cell = draft.cells.get(path)
    if cell is not None and before is not None and cell.value != default_of(before.declaration):
        return
    default = default_of(entry.declaration)
    step = entry.steps[-1]
    step = Step(step.source, draft.text(default.span), default.span)
    steps = (*(cell.steps if cell else ()), step)
    draft.cells[path] = Cell(default, step.text, step.span, steps)


def default_of(declaration: tree.SettingDecl) -> tree.Expression:
    """The value of a setting that nobody sets."""
    if declaration.value is not None:
        return declaration.value
    first = declaration.choices[0]
    return tree.Name(first.span, first.text)


# ---- removing ------------------------------------------------------------


def remove_declaration(draft: Draft, layer: Layer, category: str, name: tree.Word) -> None:
    """Take away a declaration and what is only about it."""
    path = (category, name.text)
    step = Step(layer.title, f"{GONE} {category} {name.text}", name.span)
    entry = draft.category(category).get(name.text)
    if entry is None:
        fallen = draft.has_fallen(layer, f"{category} {name.text}")
        if not fallen and not draft.was_dropped_by_another(layer, path):
            other = named(draft, category, name.text)
            _report_absent(draft, "MC0406", "remove", category, name, other)
        return
    if draft.is_contradicted(layer, path, GONE, step):
        return
    draft.changed.add(layer.title)
    del draft.category(category)[name.text]
    draft.removed[f"{category} {name.text}"] = (*entry.steps, step)
    if category == "setting":
        draft.cells.pop(("settings", name.text), None)
    elif category == "table":
        draft.drop_table(name.text)
    elif category in ("action", "moment"):
        take_along(draft, layer, name.text, step)


def take_along(draft: Draft, layer: Layer, name: str, step: Step) -> None:
    """Drop what was about an action, moment or kind alone; else it is no longer about it."""
    for rule in list(draft.category("rule").values()):
        subjects = rule.declaration.subjects
        left = tuple(each for each in subjects if not _is_word(each, name))
        if len(left) != len(subjects):
            narrowed = replace(rule.declaration, subjects=left) if left else None
            _narrow(draft, layer, rule, narrowed, step)
    for moment in list(draft.category("moment").values()):
        trigger = moment.declaration.trigger
        if not isinstance(trigger, (tree.After, tree.Before)):
            continue
        names = tuple(each for each in trigger.names if each.text != name)
        if len(names) != len(trigger.names):
            narrower = replace(trigger, names=names)
            narrowed = replace(moment.declaration, trigger=narrower) if names else None
            _narrow(draft, layer, moment, narrowed, step)


def _narrow(
    draft: Draft,
    layer: Layer,
    entry: Entry[Any],
    narrowed: tree.NamedDeclaration | None,
    step: Step,
) -> None:
    category = category_of(entry)
    if narrowed is not None:
        draft.category(category)[entry.name] = Entry(narrowed, (*entry.steps, step))
        return
    if draft.is_contradicted(layer, (category, entry.name), GONE, step):
        return
    del draft.category(category)[entry.name]
    draft.removed[f"{category} {entry.name}"] = (*entry.steps, step)
    if category == "moment":
        take_along(draft, layer, entry.name, step)


def _is_word(subject: tree.Word | tree.EndOfTurn, name: str) -> bool:
    return isinstance(subject, tree.Word) and subject.text == name


def _is_about_removed(
    draft: Draft, layer: Layer, declaration: tree.NamedDeclaration, step: Step
) -> bool:
    """Whether another house rule has removed what this one speaks about."""
    for word in _spoken_of(declaration):
        for path in (("action", word.text), ("moment", word.text), ("melds", word.text)):
            if draft.was_dropped_by_another(layer, path):
                about = Step(layer.title, step.text, word.span)
                return draft.is_contradicted(layer, path, declaration.name.text, about)
    return False


def _spoken_of(declaration: tree.NamedDeclaration) -> tuple[tree.Word, ...]:
    if isinstance(declaration, tree.RuleDecl):
        return tuple(each for each in declaration.subjects if isinstance(each, tree.Word))
    if isinstance(declaration, tree.MomentDecl) and isinstance(
        declaration.trigger, (tree.After, tree.Before)
    ):
        return declaration.trigger.names
    return ()


# ---- what goes wrong ------------------------------------------------------------


def _report_second(draft: Draft, declaration: tree.NamedDeclaration, before: Entry[Any]) -> None:
    category, name = CATEGORIES[type(declaration)], declaration.name.text
    other = category_of(before)
    cure = f"write `replace {category} {name}` to put this in its place, or choose another name"
    if other != category:
        cure = "choose another name; these share their names: settings, tables, zones, " + (
            "memories and definitions" if "define" in _SPACES[category] else ""
        )
        if category in ("action", "moment"):
            cure = "choose another name; actions and moments share their names"
    elif same(before.declaration, declaration):
        cure = "both say the same: delete this one"
    draft.found.add(
        error(
            "MC0404",
            f"{CATEGORY_WORDS[category]} `{name}` is declared a second time",
            declaration.name.span,
            "again here",
            secondary=[
                Label(
                    before.declaration.name.span,
                    f"{CATEGORY_WORDS[other]} `{name}` of {before.steps[-1].source}",
                )
            ],
            help=[cure],
        )
    )


def _report_absent(
    draft: Draft,
    code: str,
    verb: str,
    category: str,
    name: tree.Word,
    namesake: Entry[Any] | None,
) -> None:
    """`replace` or `remove` of what is not there, or is something else."""
    namesake = namesake or _of_any_category(draft, name.text)
    secondary: list[Label] = []
    help_: tuple[str, ...] = did_you_mean(name.text, draft.category(category))
    gone = draft.removed.get(f"{category} {name.text}")
    if gone is not None:
        secondary = [Label(gone[-1].span, f"{gone[-1].source} has removed it already")]
        help_ = ("leave it out",) if verb == "remove" else ("write it without `replace`",)
    elif namesake is not None:
        what = category_of(namesake)
        secondary = [Label(_place(namesake), f"here {CATEGORY_WORDS[what]} `{name.text}`")]
        help_ = (f"write `{verb} {what} {name.text}`",)
    elif verb == "replace" and not help_:
        help_ = (f"without `replace` it is a new {category}",)
    draft.found.add(
        error(
            code,
            f"there is no {_noun(category)} `{name.text}` to {verb}",
            name.span,
            "nothing has this name here",
            secondary=secondary,
            help=help_,
        )
    )


def _of_any_category(draft: Draft, name: str) -> Entry[Any] | None:
    for category in CATEGORY_WORDS:
        entry = draft.category(category).get(name)
        if entry is not None:
            return entry
    return None


def _place(entry: Entry[Any]) -> Span:
    span: Span = entry.declaration.name.span
    return span


def _noun(category: str) -> str:
    return CATEGORY_WORDS[category].removeprefix("the ")
