"""Writes the module of a Table: a function for each definition, rule, moment, effect list, score
line, kind and table.
"""

from __future__ import annotations

import linecache
from collections.abc import Callable
from copy import copy
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from meldc_runtime import cards, melds, moves, oracle, splitting
from meldc_runtime.cards import FACES, UNKNOWN, card_text, parse_card
from meldc_runtime.program import expressions as x
from meldc_runtime.program.codec import ProgramError, content_hash
from meldc_runtime.program.declarations import Action, Definition, Moment
from meldc_runtime.writing.code import Code
from meldc_runtime.writing.effects import Effects
from meldc_runtime.writing.expressions import Expressions
from meldc_runtime.writing.facts import Facts
from meldc_runtime.writing.folding import Folding, is_yes_no
from meldc_runtime.writing.functions import Functions
from meldc_runtime.writing.readings import CARD_TYPES, Scope
from meldc_runtime.writing.writer import Writer, printable

if TYPE_CHECKING:
    from meldc_runtime.table import Table


def write_code(table: Table) -> Code:
    """Writes, compiles and runs the module of a Table; its source shows in tracebacks."""
    module = Module(table)
    source = module.write()
    title = f"{table.program.name}, {table.players} players, {content_hash(table.program)[:12]}"
    namespace: dict[str, Any] = dict(SUPPORT)
    _run(source, title, namespace)
    return module.collect(source, namespace)


def write_further(
    table: Table, title: str, definitions: tuple[Definition, ...]
) -> dict[str, Callable[..., Any]]:
    """Functions for definitions beside those of the Program, by their names; they may apply those
    of the Program.
    """
    further = copy(table)
    further.program = replace(table.program, definitions=definitions)
    further.definitions = table.definitions | {each.name: each for each in definitions}
    further.folding = Folding(further, table.folding)
    source = Module(further).write_definitions()
    namespace = dict(table.code.namespace)
    _run(source, f"{table.program.name}, {title}", namespace)
    return {each.name: namespace[f"d_{each.name}"] for each in definitions}


def _run(source: str, title: str, namespace: dict[str, Any]) -> None:
    """Compiles and runs a module; its source shows in tracebacks."""
    name = f"<meldc {printable(title)}>"
    linecache.cache[name] = (len(source), None, source.splitlines(keepends=True), name)
    try:
        exec(compile(source, name, "exec"), namespace)
    except (SyntaxError, MemoryError) as error:  # CPython's bounds on nesting
        raise ProgramError(f"nested too deeply: {error}") from None


def faces_named(text: str) -> tuple[bool, ...]:
    """By face: whether a card is named in the text."""
    named = {parse_card(word) for word in text.split()}
    return (*(face in named for face in FACES), "??" in text.split())


SUPPORT: dict[str, Any] = {
    "RANK": cards.RANK_OF,
    "SUIT": cards.SUIT_OF,
    "RED": cards.RED,
    "BLACK": cards.BLACK,
    "faces_named": faces_named,
    "laid_by": cards.laid_by,
    "face": lambda card: None if card is None else card & 63,
    "standing_faces": melds.standing_faces,
    "lowest_face": melds.lowest_face,
    "highest_face": melds.highest_face,
    "unmelded": splitting.unmelded,
    **{
        name: getattr(oracle, name)
        for name in ("after", "as_list", "best", "divided", "next_of", "nth", "starting_at")
    },
    **{
        name: getattr(moves, name)
        for name in (
            "ALL", "BACK", "BELOW_TOP", "NONE", "chance", "end_game", "exchange", "joined_meld",
            "lay_meld", "move_cards", "move_count", "redeal", "shuffle",
        )
    },
}  # fmt: skip
"""What written code calls."""


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

    def collect(self, source: str, namespace: dict[str, Any]) -> Code:
        """The functions by their names."""
        get = namespace.__getitem__

        def fixed(name: str) -> Any:
            return namespace[self.fixed[name]] if name in self.fixed else None

        program = self.program
        return Code(
            source=source,
            namespace=namespace,
            rules={r.name: get(f"rule_{r.name}") for r in program.rules},
            allowances={a.name: get(f"allow_{a.name}") for a in program.allowances},
            definitions={d.name: get(f"d_{d.name}") for d in program.definitions},
            moment_when={m.name: get(f"when_{m.name}") for m in program.moments},
            effects={name: get(f"do_{name}") for name in self.effects},
            scores={line.name: get(f"score_{line.name}") for line in program.scores},
            sort={t.name: get(f"sort_{t.name}") for t in program.tables if t.form == "sorts"},
            kind_cards={k.name: get(f"cards_{k.name}") for k in program.kinds},
            kind_contains={
                k.name: tuple(get(f"contains_{k.name}_{i}") for i in range(len(k.contains)))
                for k in program.kinds
            },
            kind_condition={k.name: get(f"condition_{k.name}") for k in program.kinds},
            param_domain={
                (a.name, p.name): get(f"domain_{a.name}_{i}")
                for a in program.actions
                for i, p in enumerate(a.params)
            },
            lookups={
                t.name: get(f"t_{t.name}")
                for t in program.tables
                if t.form in ("number", "band", "card")
            },
            naturals=tuple(get(f"naturals_{k.name}") for k in program.kinds),
            wilds=get("wilds"),
            free={a.name: get(f"free_{a.name}") for a in program.actions},
            next_moment=get("next_moment"),
            memory_resets={scope: get(f"reset_{scope}") for scope in ("game", "deal", "turn")},
            never_broken=frozenset(self.never_broken),
            always_due=frozenset(self.always_due),
            never_allowed=frozenset(self.never_allowed),
            fixed_naturals=tuple(fixed(f"naturals_{k.name}") for k in program.kinds),
            fixed_wilds=fixed("wilds"),
        )


def _hint(e: x.Expr) -> str:
    match e:
        case x.Apply(definition, _):
            return definition.upper()
        case x.Lookup(table, _):
            return table.upper()
        case x.CardAttr(_, attr):
            return attr.upper()
    return "CARDS"


__all__ = ["Module", "write_code"]
