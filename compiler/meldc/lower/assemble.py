"""The Program from its parts."""

from __future__ import annotations

from collections.abc import Iterator

from meldc.check import declared, expressions
from meldc.check.elaborator import Elaborator
from meldc.check.reserved import check_reserved
from meldc.check.types import outward
from meldc.check.vocabulary import BUILT_IN_MEMORIES
from meldc.lower import melds, rules, tables
from meldc.lower.acts import Acts
from meldc.lower.places import history, origin, tags
from meldc.syntax import tree
from meldc_runtime.program.declarations import (
    Definition,
    Memory,
    Phase,
    Program,
    Zone,
)
from meldc_runtime.program.expressions import Const, Expr

_VISIBILITY = {
    "hidden": "hidden",
    "top shown": "top",
    "shown": "shown",
    "shown to owner": "owner",
}
_FIRST_VALUES: dict[str, Expr | None] = {
    "total": Const(0, "number"),
    "dealer": None,
    "deal_number": Const(1, "number"),
}


def lower(el: Elaborator) -> Program:
    """The Program of a model. Problems are reported to the elaborator; with an error the result
    is of no use."""
    check_reserved(el)
    model, acts = el.model, Acts(el)
    return Program(
        name=model.name,
        title=model.title,
        machine=model.machine,
        house=model.house,
        players=model.players.value,
        side_sizes=model.side_sizes.value,
        pack=tables.pack(el),
        settings=tuple(tables.settings(el)),
        tables=tuple(tables.tables(el)),
        zones=tuple(_zones(el)),
        memories=tuple(_memories(el)),
        phases=tuple(_phases(el)),
        definitions=tuple(_definitions(el)),
        kinds=tuple(melds.kinds(el)),
        actions=tuple(acts.lower_actions()),
        moments=tuple(acts.lower_moments()),
        rules=tuple(rules.rules(el, acts)),
        allowances=tuple(rules.allowances(el, acts)),
        scores=tuple(rules.scores(el)),
        provenance=history((*model.provenance(), *model.taken_away())),
    )


def _zones(el: Elaborator) -> Iterator[Zone]:
    for name, entry in el.model.declarations.zones.items():
        declaration = entry.declaration
        yield Zone(
            name,
            declared.owner_of(el, declaration.owner),
            _VISIBILITY[declaration.visibility],
            declaration.holds_pack,
            declaration.about.text if declaration.about is not None else "",
            origin(declaration.name.span),
        )


def _memories(el: Elaborator) -> Iterator[Memory]:
    for name, (owner, type_) in BUILT_IN_MEMORIES.items():
        yield Memory(name, owner, type_, _FIRST_VALUES[name], "game", None)
    for name, entry in el.model.declarations.memories.items():
        declaration = entry.declaration
        type_ = declared.memory_type(el, name)
        yield Memory(
            name,
            declared.owner_of(el, declaration.owner),
            outward(type_),
            _first_value(el, declaration, type_),
            declaration.each,
            origin(declaration.name.span),
            declaration.about.text if declaration.about is not None else "",
        )


def _first_value(el: Elaborator, declaration: tree.MemoryDecl, type_: str) -> Expr | None:
    if declaration.start is None:
        return None
    scope = declared.memory_scope(el, declaration)
    return expressions.typed(el, declaration.start, scope, type_)


def _phases(el: Elaborator) -> Iterator[Phase]:
    for name, entry in el.model.declarations.phases.items():
        declaration = entry.declaration
        yield Phase(
            name, declaration.begins_turn, declaration.about.text, origin(declaration.name.span)
        )


def _definitions(el: Elaborator) -> Iterator[Definition]:
    """Classes of cards first, then definitions."""
    for name, cell in el.model.classes.items():
        found = declared.signature(el, name)
        if found is not None:
            place = origin(cell.span)
            yield Definition(name, found.params, found.body, outward(found.type), (), place)
    for name, entry in el.model.declarations.definitions.items():
        found = declared.signature(el, name)
        if found is not None:
            declaration = entry.declaration
            place = origin(declaration.name.span)
            yield Definition(
                name, found.params, found.body, outward(found.type), tags(declaration), place
            )
