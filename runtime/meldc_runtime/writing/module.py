"""Writes the module of a Table: a function for each definition, rule, moment, effect list, score
line, kind and table.
"""

from __future__ import annotations

from copy import copy
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from meldc_runtime import oracle
from meldc_runtime.cards import FACES, UNKNOWN, card_text
from meldc_runtime.program import expressions as x
from meldc_runtime.program.declarations import Action, Definition, Moment
from meldc_runtime.writing.effects import Effects
from meldc_runtime.writing.expressions import Expressions
from meldc_runtime.writing.facts import Facts
from meldc_runtime.writing.folding import Folding, is_yes_no
from meldc_runtime.writing.functions import Functions
from meldc_runtime.writing.readings import CARD_TYPES, Scope
from meldc_runtime.writing.support import SUPPORT
from meldc_runtime.writing.writer import Writer

if TYPE_CHECKING:
    from meldc_runtime.table import Table


def write_module(table: Table) -> dict[str, Any]:
    """The text of the module of a Table, and what was found out about its functions; plain data
    for `running.code_of`.
    """
    module = Module(table)
    source = module.write()
    return {
        "source": source,
        "fixed": module.fixed,
        "never_broken": sorted(module.never_broken),
        "always_due": sorted(module.always_due),
        "never_allowed": sorted(module.never_allowed),
    }


def write_further(table: Table, definitions: tuple[Definition, ...]) -> str:
    """The text of functions for definitions beside those of the Program; they may apply those of
    the Program.
    """
    further = copy(table)
    further.program = replace(table.program, definitions=definitions)
    further.definitions = table.definitions | {each.name: each for each in definitions}
    further.folding = Folding(further, table.folding)
    return Module(further).write_definitions()


class Module:
    """The module in the making: knowledge of the Program, constants by content, functions one after
    the other.
    """

    def __init__(self, table: Table) -> None:
        self.table = table
        self.program = table.program
        self.folding = table.folding
        declared: tuple[Action | Moment, ...] = (*self.program.actions, *self.program.moments)
        self.effects = {d.name: tuple(self.folding.fold(e) for e in d.effects) for d in declared}
        self.facts = Facts(
            table, self.folding, [e for effects in self.effects.values() for e in effects]
        )
        self.writer = Writer()
        self.seating = {
            "PLAYERS": tuple(range(table.players)),
            "SIDES": tuple(range(table.sides)),
            "PLAYERS_OF": tuple(table.players_of(side) for side in range(table.sides)),
            "PARTNERS": tuple(table.partners_of(player) for player in range(table.players)),
            "OPPONENTS": tuple(table.opponents_of(side) for side in range(table.sides)),
        }
        self.constants: dict[Any, str] = {}  # content -> name
        self.taken = {*SUPPORT, *self.seating}
        self.definitions_of_constants: list[str] = []
        self.by_face: dict[tuple[x.Expr, str, bool], str] = {}
        self.contents: dict[str, tuple[Any, ...]] = {}
        self.raw = False
        self.names_by_face: set[str] = set()
        self.waiting: list[tuple[str, x.Expr, str, tuple[int, ...], bool]] = []
        self.loop_names: set[str] = set()
        self.expressions = Expressions(self)
        self.statements = Effects(self, self.writer, self.expressions)
        self.never_broken: set[str] = set()
        self.always_due: set[str] = set()
        self.never_allowed: set[str] = set()
        self.fixed: dict[str, str] = {}  # functions that give a class, and the constant they give
        self._name_params()

    def _name_params(self) -> None:
        """Parameters that are always lists, and cards that never carry marks."""
        params = [p for action in self.program.actions for p in action.params]
        some = {p.name for p in params if p.mode == "some"}
        both = some.intersection(p.name for p in params if p.mode != "some")
        no_cards = {p.name for p in params if p.type not in CARD_TYPES}
        self.list_params = frozenset(some - both) | {x.Marker.NEW}
        self.plain_params = frozenset({p.name for p in params} - no_cards - both) | {x.Marker.NEW}

    def fold(self, e: Any) -> Any:
        return self.folding.fold(e)

    # ---- constants

    def constant(self, hint: str, content: Any, text: str) -> str:
        """The name of a constant with this content; equal ones are kept once."""
        key = repr(content)
        if key not in self.constants:
            name = hint
            number = 1
            while name in self.taken:
                number += 1
                name = f"{hint}_{number}"
            self.taken.add(name)
            self.constants[key] = name
            self.definitions_of_constants.append(f"{name} = {text}")
        return self.constants[key]

    def face_table(
        self, e: x.Expr, var: str, memories: frozenset[str], known: bool = False
    ) -> str | None:
        """What gives the tuple by face of an expression about a card: a constant, or a call for the
        present memories.

        known: the expression is a class of cards, and a card whose face is not known is of none.
        """
        if memories and self.raw:
            return None
        known = known or self._is_class(e)
        key = (e, var, known)
        if key not in self.by_face:
            self.by_face[key] = (
                self._changing(e, var, memories, known)
                if memories
                else self._constant(e, var, known)
            )
        return self.by_face[key]

    def _is_class(self, e: x.Expr) -> bool:
        if not isinstance(e, x.Apply):
            return False
        definition = self.table.definitions[e.definition]
        return oracle.is_class(definition.params, definition.type)

    def _constant(self, e: x.Expr, var: str, known: bool) -> str:
        values = [oracle.evaluate(self.table, None, {var: face}, e) for face in FACES]
        last = oracle.evaluate(self.table, None, {var: UNKNOWN}, e)
        content = (*values, False if known else last)
        if all(isinstance(value, bool) for value in content):
            words = " ".join(card_text(face) for face in (*FACES, UNKNOWN) if content[face])
            name = self.constant(f"IS_{_hint(e)}", content, f'faces_named("{words}")')
        else:
            name = self.constant(f"OF_{_hint(e)}", content, repr(content))
        self.contents[name] = content
        return name

    def _changing(self, e: x.Expr, var: str, memories: frozenset[str], known: bool) -> str:
        name = f"by_{_hint(e).lower()}"
        while name in self.names_by_face:
            name += "_"
        self.names_by_face.add(name)
        slots = tuple(sorted(self.table.memory_base[memory] for memory in memories))
        self.waiting.append((name, e, var, slots, known))
        return f"{name}(s)"

    def getter(self, table: str) -> str:
        """The function from a face to its value in a table by face."""
        if table.endswith("(s)"):
            return f"{table}.__getitem__"
        return self.constant(f"GET_{table}", ("get", table), f"{table}.__getitem__")

    def face_set(self, table: str) -> str:
        """The set of faces for which a table says yes."""
        faces = frozenset(face for face, value in enumerate(self.contents[table]) if value)
        text = f"frozenset([face for face, named in enumerate({table}) if named])"
        return self.constant(f"SET_{table.removeprefix('IS_')}", ("set", sorted(faces)), text)

    def column(self, table: str, column: str, row: str) -> str:
        """The text of a cell: of a constant column, or of a function."""
        cells = [dict(r.cells).get(column) for r in self.table.tables[table].rows]
        folded = [x.Const(None, "none") if cell is None else self.fold(cell) for cell in cells]
        if all(isinstance(cell, x.Const) for cell in folded):
            content = tuple(cell.value for cell in folded)
            return f"{self.constant(f'{table}_{column}'.upper(), content, repr(content))}[{row}]"
        names = [name for name, _ in self.table.tables[table].columns]
        return f"col_{table}_{names.index(column)}(s, {row})"

    # ---- the whole

    def write(self) -> str:
        """The text of the whole module."""
        Functions(self).write_all()
        return self._finished()

    def write_definitions(self) -> str:
        """The text of a module with nothing but the definitions."""
        Functions(self).write_definitions()
        return self._finished()

    def _finished(self) -> str:
        """What is written, with the constants and tables by face that it reads."""
        while self.waiting:
            waiting, self.waiting = self.waiting, []
            for one in waiting:
                self._write_changing(*one)
        head = Writer()
        head.line(
            repr(f"{self.program.title}: written by meldc from a compiled game. Do not edit.")
        )
        head.line()
        for name, values in self.seating.items():
            head.line(f"{name} = {values!r}")
        for definition in self.definitions_of_constants:
            head.line(definition)
        return head.text() + self.writer.text()

    def _write_changing(
        self, name: str, e: x.Expr, var: str, slots: tuple[int, ...], known: bool
    ) -> None:
        writer = self.writer
        memories = ", ".join(f"s.memory[{slot}]" for slot in slots)
        writer.line()
        writer.line()
        writer.line(f"_{name} = {{}}")
        with writer.function(f"raw_{name}(s, card)"):
            self.raw = True
            scope = Scope({var: "card"}, plain=frozenset((var,)))
            if isinstance(e, x.Apply):
                writer.line(f"return d_{e.definition}(s, card)")
            elif is_yes_no(e):
                writer.line(f"return {self.expressions.yes_no(e, scope)}")
            else:
                writer.line(f"return {self.expressions.value(e, scope)}")
            self.raw = False
        with writer.function(
            f"{name}(s)", "By face, as long as the memories it reads stay as they are."
        ):
            writer.line(f"key = {memories}")
            with writer.block(f"if key not in _{name}:"):
                last = "False" if known else f"raw_{name}(s, {UNKNOWN})"
                values = f"*[raw_{name}(s, card) for card in range({UNKNOWN})]"
                writer.line(f"_{name}[key] = ({values}, {last})")
            writer.line(f"return _{name}[key]")


def _hint(e: x.Expr) -> str:
    match e:
        case x.Apply(definition, _):
            return definition.upper()
        case x.Lookup(table, _):
            return table.upper()
        case x.CardAttr(_, attr):
            return attr.upper()
    return "CARDS"


__all__ = ["Module", "write_further", "write_module"]
