"""Types and bodies of what is declared, worked out on demand and once."""

from __future__ import annotations

from dataclasses import replace

from meldc.check import expressions, patterns
from meldc.check.elaborator import Elaborator, Signature
from meldc.check.scope import Binding, Scope, Typed, player_scope, side_scope, table_scope
from meldc.check.types import CARD, MELD, NUMBER, PLAYER, SIDE, UNKNOWN, YES_NO
from meldc.check.vocabulary import BUILT_IN_MEMORIES
from meldc.check.walk import reads, reads_only_side
from meldc.diagnostics import Label, did_you_mean
from meldc.source import Span
from meldc.syntax import tree
from meldc_runtime.program.expressions import Var

OWNERS = (PLAYER, SIDE)
SUBJECTS = (PLAYER, SIDE, CARD, MELD)


def signature(el: Elaborator, name: str) -> Signature | None:
    """The definition or class of cards of this name; None where there is none, or a mistake."""
    if name in el.signatures:
        return el.signatures[name]
    if name in el.being_defined:
        _report_circle(el, name)
        return None
    el.being_defined.append(name)
    try:
        found = _work_out(el, name)
    finally:
        el.being_defined.pop()
    return el.signatures.setdefault(name, found)


def _work_out(el: Elaborator, name: str) -> Signature | None:
    if (entry := el.vocabulary.definitions.get(name)) is not None:
        return _definition(el, entry.declaration)
    if (cell := el.vocabulary.classes.get(name)) is not None:
        body = patterns.condition(el, cell.value)
        return Signature(name, ((CARD, CARD),), body, YES_NO)
    return None


def _definition(el: Elaborator, declaration: tree.Definition) -> Signature | None:
    name, subject = declaration.name.text, _subject(el, declaration)
    if subject is None:
        return None
    scope = definition_scope(subject)
    body = expressions.elaborate(el, declaration.value, scope)
    params: tuple[tuple[str, str], ...] = ((subject, subject),) if subject else ()
    if subject in OWNERS or not reads(body.expr, PLAYER):
        return Signature(name, params, body.expr, body.type)
    if reads_only_side(body.expr, PLAYER):
        about_side = replace(scope, player=None, side=Var(SIDE))
        again = el.attempt(lambda: expressions.elaborate(el, declaration.value, about_side))
        if again is not None:
            return Signature(name, (*params, (SIDE, SIDE)), again.expr, again.type, SIDE)
    return Signature(name, (*params, (PLAYER, PLAYER)), body.expr, body.type, PLAYER)


def definition_scope(subject: str) -> Scope:
    """The scope of a definition's body."""
    if subject == SIDE:
        return side_scope()
    if subject == PLAYER:
        return player_scope()
    scope = Scope(player=Var(PLAYER))
    if not subject:
        return scope
    thing = Typed(Var(subject), subject)
    return replace(scope, names={subject: Binding(thing)}, looked_at=(thing,))


def _subject(el: Elaborator, declaration: tree.Definition) -> str | None:
    owner = declaration.owner
    if owner is None:
        return ""
    if owner.text in SUBJECTS:
        return owner.text
    el.error(
        "MC0458",
        f"a definition cannot be of `{owner.text}`",
        owner.span,
        help=("a definition is of a player, side, card or meld, or of nothing",),
    )
    return None


def _report_circle(el: Elaborator, name: str) -> None:
    circle = [*el.being_defined[el.being_defined.index(name) :], name]
    spans = [_place(el, each) for each in circle[:-1]]
    el.error(
        "MC0460",
        f"`{name}` is defined by itself",
        spans[0],
        " by ".join(f"`{each}`" for each in circle),
        secondary=[Label(span, "and here") for span in spans[1:]],
        help=("a definition cannot use itself, directly or through others",),
    )


def _place(el: Elaborator, name: str) -> Span | None:
    if (entry := el.vocabulary.definitions.get(name)) is not None:
        return entry.declaration.name.span
    return el.vocabulary.classes[name].span


# ---- types of what is declared -----------------------------------------------------------------


def memory_owner(el: Elaborator, name: str) -> str:
    """`none`, `player` or `side`."""
    if name in BUILT_IN_MEMORIES:
        return BUILT_IN_MEMORIES[name][0]
    return owner_of(el, el.vocabulary.memories[name].declaration.owner)


def owner_of(el: Elaborator, owner: tree.Word | None) -> str:
    """Whose a zone or memory is; reports an owner there is not."""
    if owner is None:
        return "none"
    if owner.text in OWNERS:
        return owner.text
    el.error(
        "MC0458",
        f"nothing is kept of `{owner.text}`",
        owner.span,
        help=("write `of player` or `of side`, or nothing for the whole table",),
    )
    return "none"


def memory_type(el: Elaborator, name: str) -> str:
    """The type of what is remembered, as declared or as of its start."""
    if name in BUILT_IN_MEMORIES:
        return BUILT_IN_MEMORIES[name][1]
    key = f"memory {name}"
    if key not in el.known_types:
        el.known_types[key] = UNKNOWN  # a memory that starts as itself has no type
        el.known_types[key] = _memory_type(el, el.vocabulary.memories[name].declaration)
    return el.known_types[key]


def _memory_type(el: Elaborator, declaration: tree.MemoryDecl) -> str:
    if declaration.type_name is not None:
        return named_type(el, declaration.type_name)
    assert declaration.start is not None
    start = el.attempt(lambda: memory_start(el, declaration))
    if start is None:
        return UNKNOWN  # the start itself is reported where it is lowered
    if start.type == "none":
        el.error(
            "MC0507",
            f"nothing says what `{declaration.name.text}` remembers",
            declaration.start.span,
            help=(f"write its type: `remember {declaration.name.text}: player`, for instance",),
        )
        return UNKNOWN
    return start.type


def memory_start(el: Elaborator, declaration: tree.MemoryDecl) -> Typed:
    """The value that a memory starts with."""
    assert declaration.start is not None
    return expressions.elaborate(el, declaration.start, memory_scope(el, declaration))


def memory_scope(el: Elaborator, declaration: tree.MemoryDecl) -> Scope:
    owner = declaration.owner.text if declaration.owner is not None else ""
    if owner == SIDE:
        return side_scope()
    if owner == PLAYER or declaration.each == "turn":
        return player_scope()
    return table_scope(f"nobody acts when a {declaration.each} begins")


def named_type(el: Elaborator, word: tree.Word) -> str:
    """The type an author named."""
    found = el.vocabulary.type_named(word.text)
    if found is not None:
        return found
    names = el.vocabulary.type_names()
    el.error(
        "MC0458",
        f"there is no type `{word.text}`",
        word.span,
        help=did_you_mean(word.text, names) or (f"types are {', '.join(names)}",),
    )
    return UNKNOWN


def setting_type(el: Elaborator, name: str) -> str:
    """`choice:NAME` for words, else the type of its first value."""
    key = f"setting {name}"
    if key not in el.known_types:
        el.known_types[key] = UNKNOWN
        el.known_types[key] = _setting_type(el, name)
    return el.known_types[key]


def _setting_type(el: Elaborator, name: str) -> str:
    if el.vocabulary.choices(name):
        return f"choice:{name}"
    declaration = el.vocabulary.settings[name].declaration
    assert declaration.value is not None
    return expressions.elaborate(el, declaration.value, setting_scope()).type


def setting_scope() -> Scope:
    return table_scope("a setting holds for the whole table")


def columns(el: Elaborator, table: str) -> tuple[tuple[str, str], ...]:
    """The columns of a table with their types; a table with one column calls it ``."""
    key = f"table {table}"
    if key not in el.known_types:
        el.known_types[key] = ""
        found = _columns(el, table)
        el.known_types[key] = ",".join(f"{name}/{type_}" for name, type_ in found)
    written = el.known_types[key]
    return tuple((each.split("/")[0], each.split("/")[1]) for each in written.split(",") if written)


def _columns(el: Elaborator, table: str) -> tuple[tuple[str, str], ...]:
    model = el.vocabulary.tables[table]
    if model.entry is not None:
        form = model.entry.declaration.form
        if isinstance(form, tree.Sorts | tree.Lists):
            return tuple((each.name.text, _column_type(el, each)) for each in form.columns)
    return (("", NUMBER),)


def _column_type(el: Elaborator, column: tree.Column) -> str:
    if column.type_name is not None:
        return named_type(el, column.type_name)
    assert column.default is not None
    return expressions.elaborate(el, column.default, setting_scope()).type


def column_default(el: Elaborator, table: str, column: str) -> Typed | None:
    """What a cell is where a row does not say it."""
    entry = el.vocabulary.tables[table].entry
    assert entry is not None
    form = entry.declaration.form
    assert isinstance(form, tree.Sorts | tree.Lists)
    for each in form.columns:
        if each.name.text == column and each.default is not None:
            return expressions.elaborate(el, each.default, setting_scope())
    return None
