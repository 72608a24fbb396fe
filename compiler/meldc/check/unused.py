"""What a game declares or sets, and nothing reads."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from meldc.check.inspection import Inspection
from meldc.check.unchanging import keeps_how_things_stood
from meldc.check.walk import walk
from meldc.resolve.model import Entry
from meldc.source import Span
from meldc.syntax import tree
from meldc_runtime.program import expressions as x
from meldc_runtime.program.declarations import Program
from meldc_runtime.program.effects import Become, Chance, Gain, LayMeld, ZoneRef


@dataclass
class Used:
    """Names that something in the game reads, from what happens and what is judged on."""

    definitions: set[str] = field(default_factory=set)
    settings: set[str] = field(default_factory=set)
    tables: set[str] = field(default_factory=set)
    zones: set[str] = field(default_factory=set)
    memories: set[str] = field(default_factory=set)
    written: set[str] = field(default_factory=set)


def used(program: Program) -> Used:
    """All that is read; what only unread things read is not."""
    found = Used()
    definitions = {each.name: each for each in program.definitions}
    tables = {each.name: each for each in program.tables}
    memories = {each.name: each for each in program.memories}
    settings = {each.name: each for each in program.settings}
    waiting: list[object] = [
        program.actions,
        program.moments,
        program.rules,
        program.allowances,
        program.scores,
        program.kinds,
        program.pack,
    ]
    if any(kind.wilds[1] != 0 for kind in program.kinds) and "wild" in definitions:
        waiting.append(x.Apply("wild", ()))

    def note(names: set[str], name: str, part: object) -> None:
        if name not in names:
            names.add(name)
            waiting.append(part)

    while waiting:
        for node in walk(waiting.pop()):
            match node:
                case x.Apply(name):
                    note(found.definitions, name, definitions[name].body)
                case x.SettingValue(name):
                    note(found.settings, name, settings[name].value)
                case x.Lookup(name) | x.SortedAs(_, name) | x.RowsOf(name) | x.RowAttr(_, name, _):
                    table = tables[name]
                    note(found.tables, name, (table.rows, table.each_more))
                case x.CardAttr(_, "value"):
                    note(found.tables, "values", tables["values"].rows)
                case x.Remembered(name):
                    note(found.memories, name, memories[name].initial)
                case x.ZoneCards(name) | ZoneRef(name):
                    found.zones.add(name)
                case x.MeldsOf():
                    found.zones.add("melds")
                case _:
                    pass
            if isinstance(node, Become | Gain | Chance):
                found.written.add(node.memory)
    return found


def check_unused(inspection: Inspection) -> None:
    """Warns of what the game itself, or a house rule laid on it, declares in vain."""
    found = used(inspection.program)
    for what, name, span in _declared(inspection, found):
        inspection.warn(
            "MC0730",
            f"nothing uses {what} `{name}`",
            span,
            "declared and never read",
            help=("delete it, or use it in a rule",),
        )
    _check_memories(inspection, found)
    _check_values(inspection, found)
    _check_worths(inspection, found)


def _declared(inspection: Inspection, found: Used) -> Iterator[tuple[str, str, Span | None]]:
    declared = inspection.model.declarations
    groups: tuple[tuple[str, dict[str, Entry[tree.NamedDeclaration]], set[str]], ...] = (
        ("the definition", dict(declared.definitions), found.definitions),
        ("the setting", dict(declared.settings), found.settings),
        ("the table", dict(declared.tables), found.tables),
        ("the zone", dict(declared.zones), found.zones),
    )
    for what, entries, names in groups:
        for name, entry in entries.items():
            if name not in names and inspection.is_authored(entry.steps):
                yield what, name, entry.declaration.name.span
    judge = inspection.judges[0]
    for name, cell in inspection.model.classes.items():
        if name in found.definitions or not inspection.is_own(cell.steps):
            continue
        body = judge.definitions[name].body
        if any(judge.fits(body, face) for face in judge.pack):
            yield "the class of cards", name, cell.span


def _check_memories(inspection: Inspection, found: Used) -> None:
    for name, entry in inspection.model.declarations.memories.items():
        if not inspection.is_authored(entry.steps):
            continue
        span = entry.declaration.name.span
        told = entry.declaration.about is not None  # to the players, at the table
        if name not in found.memories and not (told and name in found.written):
            inspection.warn(
                "MC0731",
                f"nothing reads what `{name}` remembers",
                span,
                "written and never read" if name in found.written else "never written or read",
                help=("delete it, or ask for it in a rule",),
            )
        elif name not in found.written and not _starts_anew(inspection, name):
            inspection.warn(
                "MC0731",
                f"`{name}` is never changed",
                span,
                "it stays what it is at the start",
                help=(f"write `{name} becomes …` where it changes, or use a definition",),
            )


def _starts_anew(inspection: Inspection, name: str) -> bool:
    memory = next(each for each in inspection.program.memories if each.name == name)
    return keeps_how_things_stood(inspection, memory)


def _check_values(inspection: Inspection, found: Used) -> None:
    """Settings and rows that the game sets and nothing reads any more."""
    declared = inspection.model.declarations
    for name, cell in inspection.model.settings.items():
        own_declaration = inspection.is_own(declared.settings[name].steps)
        if name not in found.settings and inspection.is_own(cell.steps) and not own_declaration:
            _report_unread(inspection, name, cell.span, declared.settings[name])
    for name, table in inspection.model.tables.items():
        own = [row for row in table.rows if inspection.is_own(row.steps)]
        if name not in found.tables and own and not inspection.is_own(declared.tables[name].steps):
            _report_unread(inspection, name, own[0].span, declared.tables[name])


def _check_worths(inspection: Inspection, found: Used) -> None:
    """Values of cards that nothing counts, and melds that nobody lays."""
    own = [row for row in inspection.model.values.rows if inspection.is_own(row.steps)]
    if own and "values" not in found.tables:
        inspection.warn(
            "MC0732",
            "`values` is set, and nothing in this game reads it",
            own[0].span,
            "this changes nothing",
            help=("a line of the score counts values, `gives sum(… by value)`",),
        )
    kinds = [row for row in inspection.model.melds.values() if inspection.is_own(row.steps)]
    parts = (inspection.program.actions, inspection.program.moments)
    if kinds and not any(isinstance(node, LayMeld) for node in walk(parts)):
        inspection.warn(
            "MC0732",
            "`melds` is set, and nothing in this game melds cards",
            kinds[0].name.span,
            "nobody can lay such a meld",
            help=(
                f"an action melds cards, `then meld cards`; is `{inspection.model.machine}` the "
                "machine that is meant?",
            ),
        )


def _report_unread(
    inspection: Inspection, name: str, span: Span | None, entry: Entry[tree.NamedDeclaration]
) -> None:
    inspection.warn(
        "MC0732",
        f"`{name}` is set, and nothing in this game reads it",
        span,
        "this changes nothing",
        help=("delete it; what read it has been replaced or removed",),
    )
