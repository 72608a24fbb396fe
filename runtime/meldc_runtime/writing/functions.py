"""The functions of a written module, one kind of declaration after the other."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from meldc_runtime.cards import UNKNOWN
from meldc_runtime.oracle import is_class
from meldc_runtime.program import expressions as x
from meldc_runtime.program.declarations import Action, Memory, Moment, Origin, Rule
from meldc_runtime.program.declarations import Table as ProgramTable
from meldc_runtime.program.effects import Let
from meldc_runtime.program.reserved import WILD
from meldc_runtime.writing.folding import NO, YES
from meldc_runtime.writing.nodes import free_names, walk
from meldc_runtime.writing.readings import CARD_TYPES, Scope
from meldc_runtime.writing.support import printable
from meldc_runtime.writing.writer import bare, safe_name

if TYPE_CHECKING:
    from meldc_runtime.writing.module import Module

PLAYER, MELD, CARD, SIDE = x.Marker.PLAYER, x.Marker.MELD, x.Marker.CARD, x.Marker.SIDE


class Functions:
    """Writes every function of a module in the order of the Program."""

    def __init__(self, module: Module) -> None:
        self.module = module
        self.table = module.table
        self.program = module.program
        self.writer = module.writer
        self.text = module.expressions
        self.lets = frozenset(
            node.name
            for effects in module.effects.values()
            for e in effects
            for node in walk(e)
            if isinstance(node, Let)
        )

    def write_all(self) -> None:
        self.write_definitions()
        self._tables()
        self._kinds()
        self._rules()
        self._moments()
        self._effects()
        self._domains()
        self._scores()
        for scope in ("game", "deal", "turn"):
            self._reset(scope)

    # ---- parts of functions

    def _fixed(self, *names: str, plain: bool = False) -> Scope:
        """The scope of a function whose parameters are these."""
        taken: set[str] = set()
        python = {}
        for name in names:
            python[name] = safe_name(name, taken)
            taken.add(python[name])
        return Scope(python, plain=frozenset(names) if plain else frozenset())

    def _open(self, nodes: Iterable[Any], more: Iterable[str] = ()) -> Scope:
        """Reads from `env` the names that nodes need, and gives the scope with them."""
        names = sorted(frozenset(more).union(*map(self.module.folding.free_names, nodes)))
        sc = self._fixed(*names)
        for name in names:
            given = (
                f'env["{name}"]' if name in (PLAYER, MELD, x.Marker.NEW) else f'env.get("{name}")'
            )
            self.writer.line(f"{sc.names[name]} = {given}")
        module = self.module
        return Scope(
            sc.names,
            nullable=self.lets.intersection(names),
            plain=module.plain_params.intersection(names),
            lists=module.list_params.intersection(names),
        )

    def _condition(self, name: str, e: x.Expr, origin: Origin | None) -> None:
        """A function of `env` that gives yes or no."""
        with self.writer.function(f"{name}(s, env)", _place(origin)):
            sc = self._open([e])
            self.writer.line(f"return {bare(self.text.yes_no(e, sc))}")

    # ---- definitions and tables

    def write_definitions(self) -> None:
        for d in self.program.definitions:
            body = self.module.folding.body(d.name)
            names = [name for name, _ in d.params]
            sc = self._fixed(*names)
            with self.writer.function(
                f"d_{d.name}({', '.join(['s', *(sc.names[n] for n in names)])})", _place(d.origin)
            ):
                if is_class(d.params, d.type):
                    self._class_body(d.name, names[0], body, sc)
                elif d.type == "yes_no" and not self.module.facts.nullable(body):
                    self.writer.line(f"return {bare(self.text.yes_no(body, sc))}")
                else:
                    self.writer.line(f"return {bare(self.text.value(body, sc))}")

    def _class_body(self, name: str, param: str, body: x.Expr, sc: Scope) -> None:
        card = sc.names[param]
        applied = x.Apply(name, (x.Var(param),))
        if self.module.facts.by_face(applied, param) == frozenset():
            table = self.module.face_table(applied, param, frozenset())
            self.writer.line(f"return {table}[{card} & 63]")
            return
        self.module.raw = True
        self.writer.line(f"return {card} & 63 != {UNKNOWN} and {self.text.yes_no(body, sc)}")
        self.module.raw = False

    def _tables(self) -> None:
        for table in self.program.tables:
            match table.form:
                case "sorts":
                    self._sorting(table)
                case "number":
                    self._by_number(table)
                case "band":
                    self._by_band(table)
                case "card":
                    self._by_card(table)
            if table.form in ("sorts", "lists"):
                self._columns(table)

    def _cells(self, table: ProgramTable) -> list[str]:
        sc = self._fixed(CARD, plain=True) if table.form == "card" else self._fixed()
        return [
            bare(self.text.value(self.module.fold(dict(row.cells)[""]), sc)) for row in table.rows
        ]

    def _sorting(self, table: ProgramTable) -> None:
        with self.writer.function(f"sort_{table.name}(s, meld)", _place(table.origin)):
            for index in range(len(table.rows) - 1, -1, -1):
                row = table.rows[index]
                condition = YES if row.condition is None else self.module.fold(row.condition)
                if condition == YES:
                    self.writer.line(f"return {index}  # {_shown(row.key)}")
                    return
                test = bare(self.text.truth(condition, self._fixed(MELD)))
                with self.writer.block(f"if {test}:"):
                    self.writer.line(f"return {index}  # {_shown(row.key)}")
            self.writer.line("return None")

    def _columns(self, table: ProgramTable) -> None:
        for number, (column, _) in enumerate(table.columns):
            cells = [dict(row.cells).get(column, x.Const(None, "none")) for row in table.rows]
            folded = [self.module.fold(cell) for cell in cells]
            if all(isinstance(cell, x.Const) for cell in folded):
                continue
            with self.writer.function(f"col_{table.name}_{number}(s, row)", _place(table.origin)):
                for index, cell in enumerate(folded):
                    with self.writer.block(f"if row == {index}:"):
                        self.writer.line(f"return {bare(self.text.value(cell, self._fixed()))}")
                self.writer.line("return None")

    def _by_number(self, table: ProgramTable) -> None:
        cells = self._cells(table)
        with self.writer.function(f"t_{table.name}(s, key)", _place(table.origin)):
            for row, cell in zip(table.rows, cells, strict=True):
                with self.writer.block(f"if key == {row.key}:"):
                    self.writer.line(f"return {cell}")
            keys = [row.key for row in table.rows if isinstance(row.key, int)]
            if table.each_more is not None and keys:
                last = max(keys)
                cell = next(c for row, c in zip(table.rows, cells, strict=True) if row.key == last)
                more = self.text.value(self.module.fold(table.each_more), self._fixed())
                with self.writer.block(f"if key > {last}:"):
                    self.writer.line(f"return {cell} + (key - {last}) * {more}")
            self.writer.line("return 0")

    def _by_band(self, table: ProgramTable) -> None:
        def bound(index: int) -> tuple[int, int, int]:
            key = table.rows[index].key
            return (1, key, index) if isinstance(key, int) else (0, 0, index)

        cells = self._cells(table)
        with self.writer.function(f"t_{table.name}(s, key)", _place(table.origin)):
            for index in sorted(range(len(table.rows)), key=bound, reverse=True):
                key = table.rows[index].key
                if not isinstance(key, int):
                    self.writer.line(f"return {cells[index]}")
                    return
                with self.writer.block(f"if key >= {key}:"):
                    self.writer.line(f"return {cells[index]}")
            self.writer.line("return 0")

    def _by_card(self, table: ProgramTable) -> None:
        self.module.raw = True
        cells = self._cells(table)
        sc = self._fixed(CARD, plain=True)
        with self.writer.function(f"t_{table.name}(s, {sc.names[CARD]})", _place(table.origin)):
            with self.writer.block(f"if {sc.names[CARD]} == {UNKNOWN}:"):
                self.writer.line("return None")
            for row, cell in reversed(list(zip(table.rows, cells, strict=True))):
                condition = YES if row.condition is None else self.module.fold(row.condition)
                with self.writer.block(f"if {bare(self.text.truth(condition, sc))}:"):
                    self.writer.line(f"return {cell}")
            self.writer.line("return None")
        self.module.raw = False

    # ---- kinds of meld

    def _kinds(self) -> None:
        for kind in self.program.kinds:
            self._class(f"cards_{kind.name}", kind.cards, kind.origin)
            self._class_table(
                f"naturals_{kind.name}", f"cards_{kind.name}", self.module.fold(kind.cards)
            )
            for i, condition in enumerate(kind.contains):
                self._class(f"contains_{kind.name}_{i}", condition, kind.origin)
            condition = YES if kind.condition is None else self.module.fold(kind.condition)
            with self.writer.function(f"condition_{kind.name}(s, meld)", _place(kind.origin)):
                self.writer.line(f"return {bare(self.text.yes_no(condition, self._fixed(MELD)))}")
        wild = self.table.definitions.get(WILD)
        if wild is not None and is_class(wild.params, wild.type):
            self._class_table("wilds", f"d_{WILD}", x.Apply(WILD, (x.Var(CARD),)))
        else:
            self._class_table("wilds", "", NO)

    def _class(self, name: str, e: x.Expr, origin: Origin | None) -> None:
        with self.writer.function(f"{name}(s, card)", _place(origin)):
            folded = self.module.fold(e)
            test = bare(self.text.yes_no(folded, self._fixed(CARD)))
            self.writer.line(
                f"return card & 63 != {UNKNOWN} and {test}" if folded != NO else "return False"
            )

    def _class_table(self, name: str, function: str, e: x.Expr) -> None:
        """A function that gives the cards of a class by face, kept where it changes with memories
        only.
        """
        module = self.module
        with self.writer.function(f"{name}(s)"):
            memories = module.facts.by_face(e, CARD)
            if isinstance(e, x.Const):
                content = (*[bool(e.value)] * UNKNOWN, False)
                text = f"(*[{bool(e.value)}] * {UNKNOWN}, False)"
                table: str | None = module.constant(
                    "IS_ANY" if e.value else "IS_NONE", content, text
                )
            elif memories is not None:
                table = module.face_table(e, CARD, memories, known=True)
            else:
                table = f"(*[{function}(s, card) for card in range({UNKNOWN})], False)"
            if table is not None and table.isidentifier():
                module.fixed[name] = table
            self.writer.line(f"return {table}")

    # ---- rules, moments, effects

    def broken(self, rule: Rule) -> x.Expr:
        """When a rule is broken: `when` holds, `unless` does not, `requires` does not."""
        parts: list[x.Expr] = [YES if rule.when is None else rule.when]
        parts += [x.Not(e) for e in (rule.unless, rule.requires) if e is not None]
        return self.module.fold(x.And(tuple(parts)))  # type: ignore[no-any-return]

    def _rules(self) -> None:
        self.broken_when = {rule.name: self.broken(rule) for rule in self.program.rules}
        for rule in self.program.rules:
            e = self.broken_when[rule.name]
            if e == NO:
                self.module.never_broken.add(rule.name)
            self._condition(f"rule_{rule.name}", e, rule.origin)
        for one in self.program.allowances:
            parts = [YES if one.when is None else one.when]
            parts += [] if one.unless is None else [x.Not(one.unless)]
            allowed = self.module.fold(x.And(tuple(parts)))
            self._condition(f"allow_{one.name}", allowed, one.origin)
            if allowed == NO:
                self.module.never_allowed.add(one.name)
        for action in self.program.actions:
            rules = [r for r in self.program.rules if not r.soft and action.name in r.actions]
            self._free(f"free_{action.name}", rules)

    def _free(self, name: str, rules: list[Rule]) -> None:
        broken = [(rule.name, self.broken_when[rule.name]) for rule in rules]
        broken = [(rule, e) for rule, e in broken if e != NO]
        with self.writer.function(
            f"{name}(s, env)", "Whether no firm rule about the action is broken."
        ):
            sc = self._open(e for _, e in broken)
            for rule, e in broken:
                with self.writer.block(f"if {bare(self.text.truth(e, sc))}:  # {rule}"):
                    self.writer.line("return False")
            self.writer.line("return True")

    def _due(self, moment: Moment) -> x.Expr:
        return YES if moment.when is None else self.module.fold(moment.when)

    def _moments(self) -> None:
        for moment in self.program.moments:
            due = self._due(moment)
            self._condition(f"when_{moment.name}", due, moment.origin)
            if due == YES:
                self.module.always_due.add(moment.name)
        scan = [self.program.moments[index] for index in self.table.schedule.scan]
        conditions = [self._due_and_free(moment) for moment in scan]
        with self.writer.function(
            "next_moment(s, env, done)", "The first state moment that happens now, or -1."
        ):
            sc = self._open(conditions)
            for place, (moment, e) in enumerate(zip(scan, conditions, strict=True)):
                if e != NO:
                    test = self.text.truth(e, sc)
                    with self.writer.block(
                        f"if not done & {1 << place} and {test}:  # {moment.name}"
                    ):
                        self.writer.line(f"return {place}")
            self.writer.line("return -1")

    def _due_and_free(self, moment: Moment) -> x.Expr:
        rules = [r for r in self.program.rules if not r.soft and moment.name in r.moments]
        parts = [self._due(moment), *(x.Not(self.broken_when[rule.name]) for rule in rules)]
        return self.module.fold(x.And(tuple(parts)))  # type: ignore[no-any-return]

    def _effects(self) -> None:
        both: tuple[Action | Moment, ...] = (*self.program.actions, *self.program.moments)
        for declared in both:
            effects = self.module.effects[declared.name]
            lets = {n.name for e in effects for n in walk(e) if isinstance(n, Let)}
            self.module.loop_names = set()
            with self.writer.function(f"do_{declared.name}(s, env)", _place(declared.origin)):
                sc = self._open(effects, lets)
                self.module.statements.write(effects, sc)

    def _domains(self) -> None:
        for action in self.program.actions:
            for number, param in enumerate(action.params):
                domain = self.module.fold(param.domain)
                with self.writer.function(
                    f"domain_{action.name}_{number}(s, env)", _place(action.origin)
                ):
                    sc = self._open([domain])
                    text = bare(self.text.listing(domain, sc))
                    if param.type in CARD_TYPES and self.module.facts.marked(domain, sc.plain):
                        self.writer.line(f"return [o0 & 63 for o0 in {text}]")
                    else:
                        self.writer.line(f"return list({text})")

    # ---- scores and memory

    def _scores(self) -> None:
        for line in self.program.scores:
            owner = PLAYER if line.owner == "player" else SIDE
            parts = [YES if line.when is None else line.when]
            parts += [] if line.unless is None else [x.Not(line.unless)]
            applies = self.module.fold(x.And(tuple(parts)))
            sc = self._fixed(owner)
            with self.writer.function(
                f"score_{line.name}(s, {sc.names[owner]})", _place(line.origin)
            ):
                if applies != YES:
                    with self.writer.block(f"if not {self.text.truth(applies, sc)}:"):
                        self.writer.line("return None")
                self.writer.line(
                    f"return {bare(self.text.value(self.module.fold(line.gives), sc))}"
                )

    def _reset(self, scope: str) -> None:
        memories = [m for m in self.table.memories.values() if m.scope == scope]
        # What starts from an expression may ask about what starts plainly, wherever that stands.
        memories.sort(key=lambda m: not (m.initial is None or isinstance(m.initial, x.Const)))
        with self.writer.function(f"reset_{scope}(s, player)", "Sets memory to its first values."):
            if any(
                SIDE in free_names(m.initial)
                for m in memories
                if m.owner == "none" and m.initial is not None
            ):
                self.writer.line(f"side = player % {self.table.sides}")
            for memory in memories:
                self._reset_one(memory)

    def _reset_one(self, memory: Memory) -> None:
        name = memory.name
        initial = x.Const(None, "none") if memory.initial is None else memory.initial
        initial = self.module.fold(initial)
        base = self.table.memory_base[name]
        if memory.owner == "none":
            value = self._first_value(initial, self._fixed(PLAYER, SIDE))
            self.writer.line(f"s.memory[{base}] = {value}  # {name}")
            return
        number = self.table.owners(memory.owner)
        if isinstance(initial, x.Const):
            values = f"[{initial.value!r}] * {number}"
            self.writer.line(f"s.memory[{base}:{base + number}] = {values}  # {name}")
            return
        sc = Scope({PLAYER: "player", SIDE: "side"}).bind(memory.owner, "o0")
        with self.writer.block(f"for o0 in range({number}):  # {name}"):
            if memory.owner == "player":
                self.writer.line(f"side = o0 % {self.table.sides}")
            self.writer.line(f"s.memory[{base} + o0] = {self._first_value(initial, sc)}")

    def _first_value(self, initial: x.Expr, sc: Scope) -> str:
        if isinstance(initial, (x.And, x.Or, x.Not, x.Exists, x.Compare)):
            return self.text.yes_no(initial, sc)
        return bare(self.text.value(initial, sc))


def _place(origin: Origin | None) -> str:
    return "" if origin is None else f"{printable(origin.file)}:{origin.line}"


def _shown(key: int | str | None) -> str:
    """A row's name in a comment."""
    return printable(str(key))
