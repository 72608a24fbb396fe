"""Expressions as Python text.

`value` gives the value (None for nothing), `truth` something true or false, `parts` the conditions under which there is
a value beside the value itself, so that most questions after nothing cost one test.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from meldc_runtime.program import expressions as x
from meldc_runtime.writing.writer import bare, safe_name

if TYPE_CHECKING:
    from meldc_runtime.writing.module import Module

SIMPLE = re.compile(r"[A-Za-z_]\w*(\.\w+)*(\[\w+\])?$")
LIST_TYPES = ("cards", "melds", "players", "sides")
OPERATORS = {"=": "==", "!=": "!=", "<": "<", "<=": "<=", ">": ">", ">=": ">="}

Parts = tuple[list[str], str, bool]
"""Conditions, the value where they hold, whether it may be None all the same."""


@dataclass(frozen=True)
class Scope:
    """Names in reach: name -> Python name; those that may be nothing; cards without marks; lists. walrus: whether a
    value may be kept on the way (not in what a comprehension runs over)."""

    names: dict[str, str]
    nullable: frozenset[str] = frozenset()
    plain: frozenset[str] = frozenset()
    lists: frozenset[str] = frozenset()
    walrus: bool = True
    counter: list[int] = field(default_factory=lambda: [0])

    def fresh(self, letter: str) -> str:
        self.counter[0] += 1
        return f"{letter}{self.counter[0]}"

    def bind(self, name: str, python: str, plain: bool = False) -> Scope:
        return replace(
            self,
            names={**self.names, name: python},
            nullable=self.nullable - {name},
            plain=self.plain | {name} if plain else self.plain - {name},
            lists=self.lists - {name},
        )

    def within_source(self) -> Scope:
        return replace(self, walrus=False)


class Expressions:
    """Writes expressions for one module."""

    def __init__(self, module: Module) -> None:
        self.module = module
        self.table = module.table
        self.facts = module.facts

    # ---- the three readings

    def value(self, e: x.Expr, sc: Scope) -> str:
        guards, value, _ = self.parts(e, sc)
        return f"({value} if {' and '.join(guards)} else None)" if guards else value

    def truth(self, e: x.Expr, sc: Scope) -> str:
        table = self._face_test(e, sc)
        if table is not None:
            return table
        match e:
            case x.Not(operand):
                return self._denial(operand, sc)
            case x.And(operands):
                return f"({' and '.join(self.truth(o, sc) for o in operands)})"
            case x.Or(operands):
                return f"({' or '.join(self.truth(o, sc) for o in operands)})"
            case x.If(condition, then, otherwise):
                return f"({self.truth(then, sc)} if {self.truth(condition, sc)} else {self.truth(otherwise, sc)})"
            case x.Compare():
                return self._comparison(e, sc)
            case x.IsSomething(operand):
                guards, value, still = self.parts(operand, sc)
                tests = [*guards, *([f"{value} is not None"] if still else [])]
                return f"({' and '.join(tests)})" if tests else "True"
            case x.Exists():
                return self._existence(e, sc)
            case x.Apply() | x.CardAttr():
                guards, value, _ = self.parts(e, sc)
                return f"({' and '.join([*guards, value])})" if guards else value
        return self.value(e, sc)

    def parts(self, e: x.Expr, sc: Scope) -> Parts:
        if isinstance(e, x.Const):
            return [], repr(e.value), e.value is None
        table = self._face_value(e, sc)
        if table is not None:
            return table
        return getattr(self, "_" + type(e).__name__.lower())(e, sc)  # type: ignore[no-any-return]

    def firm(self, e: x.Expr, sc: Scope) -> tuple[list[str], str]:
        """Conditions under which there is a value, and the value."""
        guards, value, still = self.parts(e, sc)
        if not still:
            return guards, value
        if SIMPLE.match(value) or not sc.walrus:
            return [*guards, f"{value} is not None"], value
        name = sc.fresh("t")
        return [*guards, f"({name} := {value}) is not None"], name

    def yes_no(self, e: x.Expr, sc: Scope) -> str:
        """A condition as True or False, to be kept or compared."""
        text = self.truth(e, sc)
        clean = all(self.facts.exact(o) for o in e.operands) if isinstance(e, (x.And, x.Or)) else self.facts.exact(e)
        if clean and " and " not in text and not isinstance(e, x.Exists):
            return text
        return f"bool({bare(text)})"

    # ---- tables by face

    def _face_table(self, e: x.Expr, var: str) -> str | None:
        """The tuple by face of an expression about a card, where there is one."""
        memories = self.facts.by_face(e, var)
        return None if memories is None else self.module.face_table(e, var, memories)

    def _only_name(self, e: x.Expr) -> str | None:
        names = self.module.free(e)
        return next(iter(names)) if len(names) == 1 else None

    def _face_test(self, e: x.Expr, sc: Scope) -> str | None:
        if not isinstance(e, (x.Not, x.And, x.Or, x.Compare, x.Member, x.Apply)):
            return None
        name = self._only_name(e)
        if name is None or name in sc.nullable or name in sc.lists or name not in sc.names:
            return None
        if isinstance(e, x.Apply) and self.table.definitions[e.definition].type != "yes_no":
            return None
        table = self._face_table(e, name)
        return None if table is None else f"{table}[{self._face(sc.names[name], name, sc)}]"

    def _face_value(self, e: x.Expr, sc: Scope) -> Parts | None:
        """The value of `value`, a definition or a table by card for any card, by its tuple."""
        card: x.Expr
        match e:
            case x.CardAttr(card, "value"):
                template: x.Expr = x.CardAttr(x.Var("card"), "value")
            case x.Lookup(table, card) if self.table.tables[table].form == "card":
                template = x.Lookup(table, x.Var("card"))
            case x.Apply(definition, (card,)) if self.table.definitions[definition].params[0][1] == "card":
                template = x.Apply(definition, (x.Var("card"),))
            case _:
                return None
        name = self._face_table(template, "card")
        if name is None:
            return None
        guards, value = self.firm(card, sc)
        face = value if not self.facts.marked(card, sc.plain) else f"{value} & 63"
        return guards, f"{name}[{face}]", self.facts.nullable(template)

    def _face(self, python: str, name: str, sc: Scope) -> str:
        return python if name in sc.plain else f"{python} & 63"

    def _card_face(self, e: x.Expr, value: str, sc: Scope) -> str:
        return f"({value} & 63)" if self.facts.marked(e, sc.plain) else value

    # ---- plain values

    def _var(self, e: x.Var, sc: Scope) -> Parts:
        return [], sc.names[e.name], e.name in sc.nullable

    def _remembered(self, e: x.Remembered, sc: Scope) -> Parts:
        base = self.table.memory_base[e.memory]
        nullable = e.memory not in self.facts.never_nothing
        if e.owner is None:
            return [], f"s.memory[{base}]", nullable
        guards, owner = self.firm(e.owner, sc)
        return guards, f"s.memory[{_offset(base, owner)}]", nullable

    def _zonecards(self, e: x.ZoneCards, sc: Scope) -> Parts:
        base = self.table.zone_base[e.zone]
        if e.owner is None:
            return [], f"s.zones[{base}]", False
        if e.many:
            return [], f"[{self.clauses_text(e, 'o0', sc)}]", False
        guards, owner = self.firm(e.owner, sc)
        return [], _or_empty(guards, f"s.zones[{_offset(base, owner)}]"), False

    def _meldsof(self, e: x.MeldsOf, sc: Scope) -> Parts:
        if e.many:
            return [], f"[{self.clauses_text(e, 'm0', sc)}]", False
        guards, owner = self.firm(e.owner, sc)
        return [], _or_empty(guards, f"s.melds[{owner}]"), False

    def _meldcards(self, e: x.MeldCards, sc: Scope) -> Parts:
        return [], f"[{self.clauses_text(e, 'o0', sc)}]", False

    # ---- who

    def _allplayers(self, e: x.AllPlayers, sc: Scope) -> Parts:
        return [], "PLAYERS", False

    def _allsides(self, e: x.AllSides, sc: Scope) -> Parts:
        return [], "SIDES", False

    def _allkinds(self, e: x.AllKinds, sc: Scope) -> Parts:
        return [], f"range({len(self.table.program.kinds)})", False

    def _rowsof(self, e: x.RowsOf, sc: Scope) -> Parts:
        return [], f"range({len(self.table.tables[e.table].rows)})", False

    def _acting(self, e: x.Acting, sc: Scope) -> Parts:
        return [], "s.player", False

    def _sideof(self, e: x.SideOf, sc: Scope) -> Parts:
        guards, player = self.firm(e.player, sc)
        return guards, player if self.table.side_size == 1 else f"({player} % {self.table.sides})", False

    def _playersof(self, e: x.PlayersOf, sc: Scope) -> Parts:
        if e.many:
            return [], f"[{self.clauses_text(e, 'o0', sc)}]", False
        guards, side = self.firm(e.side, sc)
        return [], _or_empty(guards, f"PLAYERS_OF[{side}]"), False

    def _neighbour(self, e: x.Neighbour, sc: Scope) -> Parts:
        guards, player = self.firm(e.player, sc)
        return guards, f"(({player} + {e.step}) % {self.table.players})", False

    def _partners(self, e: x.Partners, sc: Scope) -> Parts:
        guards, player = self.firm(e.player, sc)
        return [], _or_empty(guards, f"PARTNERS[{player}]"), False

    def _opponents(self, e: x.Opponents, sc: Scope) -> Parts:
        guards, side = self.firm(e.side, sc)
        return [], _or_empty(guards, f"OPPONENTS[{side}]"), False

    def _nextof(self, e: x.NextOf, sc: Scope) -> Parts:
        players, after = self.listing(e.players, sc), self.value(e.after, sc)
        return [], f"next_of({bare(players)}, {bare(after)}, {self.table.players})", True

    def _startingat(self, e: x.StartingAt, sc: Scope) -> Parts:
        players, start = self.listing(e.players, sc), self.value(e.start, sc)
        return [], f"starting_at({bare(players)}, {bare(start)}, {self.table.players})", False

    # ---- attributes

    def _cardattr(self, e: x.CardAttr, sc: Scope) -> Parts:
        guards, card = self.firm(e.card, sc)
        face = card if not self.facts.marked(e.card, sc.plain) else f"{card} & 63"
        match e.attr:
            case "rank" | "number":
                return guards, f"RANK[{face}]", True
            case "suit":
                return guards, f"SUIT[{face}]", True
            case "red" | "black":
                return guards, f"{e.attr.upper()}[{face}]", False
            case "laid_by":
                return guards, f"laid_by({card})", True
        return guards, f"(t_values(s, {face}) or 0)", False

    def _meldattr(self, e: x.MeldAttr, sc: Scope) -> Parts:
        guards, meld = self.firm(e.meld, sc)
        match e.attr:
            case "size":
                return guards, f"len({meld}.cards)", False
            case "naturals":
                return guards, f"(len({meld}.cards) - {meld}.wilds)", False
            case "stands_for":
                return [], _or_empty(guards, f"standing_faces({meld})"), False
            case "cards":
                return [], _or_empty(guards, f"{meld}.cards"), False
        return guards, f"{meld}.{e.attr}", e.attr == "rank"

    def _sortedas(self, e: x.SortedAs, sc: Scope) -> Parts:
        guards, meld = self.firm(e.meld, sc)
        return guards, f"sort_{e.table}(s, {bare(meld)})", True

    def _rowattr(self, e: x.RowAttr, sc: Scope) -> Parts:
        guards, row = self.firm(e.row, sc)
        if e.column == "place":
            return guards, f"({row} + 1)", False
        return guards, self.module.column(e.table, e.column, row), self.facts.nullable(x.RowAttr(x.Var(""), e.table, e.column))

    def _lookup(self, e: x.Lookup, sc: Scope) -> Parts:
        guards, key = self.firm(e.key, sc)
        if self.table.tables[e.table].form == "card":
            return guards, f"t_{e.table}(s, {bare(self._card_face(e.key, key, sc))})", True
        return guards, f"t_{e.table}(s, {bare(key)})", False

    def _apply(self, e: x.Apply, sc: Scope) -> Parts:
        guards: list[str] = []
        arguments = []
        for argument in e.arguments:
            more, value = self.firm(argument, sc)
            guards += more
            arguments.append(bare(value))
        text = f"d_{e.definition}({', '.join(['s', *arguments])})"
        return guards, text, e.definition not in self.facts.certain

    # ---- queries

    def clauses(self, e: x.Expr, name: str, sc: Scope) -> list[str]:
        """The `for` and `if` of a comprehension that runs over a list, each element as `name`."""
        inner = sc.within_source()
        match e:
            case x.Filter(source, var, where):
                bound = sc.bind(var, name, plain=not self.facts.marked(source, sc.plain))
                return [*self.clauses(source, name, sc), f"if {bare(self.truth(where, bound))}"]
            case x.MeldCards(melds):
                meld = sc.fresh("m")
                return [*self.clauses(melds, meld, sc), f"for {name} in {meld}.cards"]
            case x.ZoneCards(zone, owner, True) if owner is not None:
                one = sc.fresh("o")
                base = self.table.zone_base[zone]
                return [*self.clauses(owner, one, sc), f"for {name} in s.zones[{_offset(base, one)}]"]
            case x.MeldsOf(owner, True):
                one = sc.fresh("o")
                return [*self.clauses(owner, one, sc), f"for {name} in s.melds[{one}]"]
            case x.PlayersOf(side, True):
                one = sc.fresh("o")
                return [*self.clauses(side, one, sc), f"for {name} in PLAYERS_OF[{one}]"]
        return [f"for {name} in {bare(self.listing(e, inner))}"]

    def clauses_text(self, e: x.Expr, hint: str, sc: Scope) -> str:
        name = sc.fresh(hint[0])
        return " ".join([name, *self.clauses(e, name, sc)])

    def bound(self, e: Any, sc: Scope) -> tuple[str, Scope]:
        """The Python name of the thing a query looks at, and the scope with it."""
        name = safe_name(e.var or "it", set(sc.names.values()))
        return name, sc.bind(e.var, name, plain=not self.facts.marked(e.source, sc.plain))

    def listing(self, e: x.Expr, sc: Scope) -> str:
        """A value as something to run over."""
        kind = self._number_of(e, sc)
        if kind == "list":
            return self.value(e, sc)
        if kind == "one":
            guards, value, still = self.parts(e, sc)
            tests = [*guards, *([f"{value} is not None"] if still else [])]
            return _or_empty(tests, f"({bare(value)},)")
        return f"as_list({bare(self.value(e, sc))})"

    def _number_of(self, e: x.Expr, sc: Scope) -> str:
        """Whether an expression gives a `list`, `one` thing, or it cannot be said."""
        match e:
            case (
                x.ZoneCards() | x.MeldsOf() | x.MeldCards() | x.AllPlayers() | x.AllSides() | x.AllKinds() | x.RowsOf()
                | x.PlayersOf() | x.Partners() | x.Opponents() | x.StartingAt() | x.Filter() | x.ListOf() | x.Join() | x.Range()
            ):  # fmt: skip
                return "list"
            case x.MeldAttr(_, attr):
                return "list" if attr in ("cards", "stands_for") else "one"
            case x.Var(name):
                return "list" if name in sc.lists else "?"
            case x.Apply(definition, _):
                kind = self.table.definitions[definition].type
                return "list" if kind in LIST_TYPES or kind.startswith("list:") else "?"
            case x.If() | x.Otherwise() | x.Remembered():
                return "?"
        return "one"

    def _plain_list(self, e: x.Expr, sc: Scope) -> str | None:
        """The text of a list of cards without marks that a set or a tuple can be held against as it is."""
        if self.facts.marked(e, sc.plain) or (isinstance(e, x.ZoneCards) and e.many):
            return None
        if isinstance(e, x.ZoneCards) or (isinstance(e, x.Var) and e.name in sc.lists):
            return self.value(e, sc)
        return None

    def _face_set(self, e: Any) -> str | None:
        """The name of the constant tuple of a query's condition, where it depends on the face alone."""
        return self._face_table(e.where, e.var) if self.facts.by_face(e.where, e.var) == frozenset() else None

    def _filter(self, e: x.Filter, sc: Scope) -> Parts:
        name, _ = self.bound(e, sc)
        return [], f"[{name} {' '.join(self.clauses(e, name, sc))}]", False

    def _count(self, e: x.Count, sc: Scope) -> Parts:
        if e.where is None:
            if isinstance(e.source, (x.Filter, x.MeldCards)):
                return [], f"len({self.value(e.source, sc)})", False
            return [], f"len({bare(self.listing(e.source, sc))})", False
        cards, table = self._plain_list(e.source, sc), self._face_set(e)
        if cards is not None and table is not None:
            return [], f"sum(map({self.module.getter(table)}, {bare(cards)}))", False
        name, inner = self.bound(e, sc)
        clauses = " ".join(self.clauses(e.source, name, sc))
        return [], f"len([1 {clauses} if {bare(self.truth(e.where, inner))}])", False

    def _existence(self, e: x.Exists, sc: Scope) -> str:
        if e.where is None:
            return self.listing(e.source, sc)
        cards, table = self._plain_list(e.source, sc), self._face_set(e)
        if cards is not None and table is not None:
            return f"not {self.module.face_set(table)}.isdisjoint({bare(cards)})"
        name, inner = self.bound(e, sc)
        clauses = " ".join(self.clauses(e.source, name, sc))
        return f"[1 {clauses} if {bare(self.truth(e.where, inner))}]"

    def _forall(self, e: x.ForAll, sc: Scope) -> Parts:
        cards, table = self._plain_list(e.source, sc), self._face_set(e)
        if cards is not None and table is not None:
            return [], f"{self.module.face_set(table)}.issuperset({bare(cards)})", False
        name, inner = self.bound(e, sc)
        clauses = " ".join(self.clauses(e.source, name, sc))
        return [], f"(not [1 {clauses} if {self._denial(e.where, inner)}])", False

    def _sum(self, e: x.Sum, sc: Scope) -> Parts:
        name, inner = self.bound(e, sc)
        clauses = " ".join(self.clauses(e.source, name, sc))
        guards, value, still = self.parts(e.by, inner)
        if still:
            value = f"({value} or 0)"
        if guards:
            value = f"({value} if {' and '.join(guards)} else 0)"
        return [], f"sum([{bare(value)} {clauses}])", False

    def _best(self, e: x.Best, sc: Scope) -> Parts:
        name, inner = self.bound(e, sc)
        clauses = " ".join(self.clauses(e.source, name, sc))
        pair = f"({bare(self.value(e.by, inner))}, {name})"
        return [], f"best([{pair} {clauses}], {e.tie_is_none})", True

    # ---- lists

    def _first(self, e: x.First, sc: Scope) -> Parts:
        return self._end_of(e.source, 0, sc)

    def _top(self, e: x.Top, sc: Scope) -> Parts:
        return self._end_of(e.cards, -1, sc)

    def _bottom(self, e: x.Bottom, sc: Scope) -> Parts:
        return self._end_of(e.cards, 0, sc)

    def _end_of(self, source: x.Expr, index: int, sc: Scope) -> Parts:
        cards = self.listing(source, sc)
        if SIMPLE.match(cards) or not sc.walrus:
            return [cards], f"{cards}[{index}]", False
        name = sc.fresh("t")
        return [f"({name} := {cards})"], f"{name}[{index}]", False

    def _nth(self, e: x.Nth, sc: Scope) -> Parts:
        return [], f"nth({bare(self.listing(e.cards, sc))}, {bare(self.value(e.index, sc))})", True

    def _listof(self, e: x.ListOf, sc: Scope) -> Parts:
        items = [self._item(item, sc) for item in e.items]
        return [], f"({', '.join(items)},)" if items else "()", False

    def _item(self, e: x.Expr, sc: Scope) -> str:
        """An element in a list display; one that may be nothing is left out then."""
        guards, value, still = self.parts(e, sc)
        tests = [*guards, *([f"{value} is not None"] if still else [])]
        return f"*(({bare(value)},) if {' and '.join(tests)} else ())" if tests else bare(value)

    def _join(self, e: x.Join, sc: Scope) -> Parts:
        items = []
        for side in (e.left, e.right):
            if self._number_of(side, sc) == "one":
                items.append(self._item(side, sc))
            else:
                items.append(f"*{self.listing(side, sc)}")
        return [], f"[{', '.join(items)}]", False

    def _range(self, e: x.Range, sc: Scope) -> Parts:
        low_guards, low = self.firm(e.low, sc)
        high_guards, high = self.firm(e.high, sc)
        return [], _or_empty([*low_guards, *high_guards], f"range({low}, {high} + 1)"), False

    def _member(self, e: x.Member, sc: Scope) -> Parts:
        if isinstance(e.source, x.Range):
            low, high = x.Compare("<=", e.source.low, e.element), x.Compare("<=", e.element, e.source.high)
            return [], self.yes_no(x.And((low, high)), sc), False
        element = self.value(e.element, sc)
        elements = self.listing(e.source, sc)
        if not e.cards:
            return [], f"({element} in {elements})", False
        if self.facts.marked(e.source, sc.plain):
            card = sc.fresh("o")
            elements = f"[{card} & 63 for {card} in {bare(self.listing(e.source, sc.within_source()))}]"
        guards, value = self.firm(e.element, sc)
        text = f"{self._card_face(e.element, value, sc)} in {elements}"
        return [], f"bool({' and '.join([*guards, text])})" if guards else f"({text})", False

    # ---- logic and arithmetic

    def _logic(self, e: x.Expr, sc: Scope) -> Parts:
        return [], self.yes_no(e, sc), False

    _not = _and = _or = _compare = _exists = _issomething = _logic

    def _denial(self, operand: x.Expr, sc: Scope) -> str:
        match operand:
            case x.IsSomething(inner):
                guards, value, still = self.parts(inner, sc)
                if not guards:
                    return f"({value} is None)" if still else "False"
        return f"(not {self.truth(operand, sc)})"

    def _comparison(self, e: x.Compare, sc: Scope) -> str:
        if e.op in ("=", "!="):
            return self._equal(e, sc)
        left_guards, left = self.firm(e.left, sc)
        right_guards, right = self.firm(e.right, sc)
        tests = [*left_guards, *right_guards, f"{left} {OPERATORS[e.op]} {right}"]
        return f"({' and '.join(tests)})"

    def _equal(self, e: x.Compare, sc: Scope) -> str:
        left_guards, left, left_still = self._comparable(e.left, e.cards, sc)
        right_guards, right, right_still = self._comparable(e.right, e.cards, sc)
        guards = [*left_guards, *right_guards]
        both = left_still and right_still
        if e.op == "!=" and not guards and not both:
            return f"({left} != {right})"
        test = f"{left} == {right} is not None" if both else f"{left} == {right}"
        text = f"({' and '.join([*guards, test])})"
        return text if e.op == "=" else f"(not {text})"

    def _comparable(self, e: x.Expr, cards: bool, sc: Scope) -> Parts:
        if cards:
            guards, value, still = self.parts(e, sc)
            if not self.facts.marked(e, sc.plain):
                return guards, value, still
            guards, value = self.firm(e, sc)
            return guards, f"({value} & 63)", False
        if isinstance(e, (x.And, x.Or, x.Not, x.Exists, x.Compare)):
            return [], self.yes_no(e, sc), False
        return self.parts(e, sc)

    def _arith(self, e: x.Arith, sc: Scope) -> Parts:
        left_guards, left = self.firm(e.left, sc)
        right_guards, right = self.firm(e.right, sc)
        text = f"{e.op}({left}, {right})" if e.op in ("min", "max") else f"({left} {e.op} {right})"
        return [*left_guards, *right_guards], text, False

    def _if(self, e: x.If, sc: Scope) -> Parts:
        then, otherwise = self.value(e.then, sc), self.value(e.otherwise, sc)
        text = f"({then} if {bare(self.truth(e.condition, sc))} else {otherwise})"
        return [], text, self.facts.nullable(e, sc.nullable)

    def _otherwise(self, e: x.Otherwise, sc: Scope) -> Parts:
        *first, last = e.options
        text = self.value(last, sc)
        for option in reversed(first):
            guards, value = self.firm(option, sc)
            text = f"({value} if {' and '.join(guards)} else {text})" if guards else value
        return [], text, self.facts.nullable(e, sc.nullable)

    # ---- the meld to be, the plays to come

    def _joined(self, e: x.Joined, sc: Scope) -> Parts:
        return [], f"joined_meld(s, {bare(self.listing(e.cards, sc))})", True

    def _can(self, e: x.Can, sc: Scope) -> Parts:
        guards, player = self.firm(e.player, sc)
        if e.subject == "end_of_turn":
            text = f"s.table.foresight.can_end_turn(s, {bare(player)}, {e.without!r})"
        else:
            text = f"s.table.foresight.can_{e.subject}(s, {e.name!r}, {bare(player)}, {e.without!r})"
        return [], f"bool({' and '.join([*guards, text])})" if guards else text, False

    def _only(self, e: x.Only, sc: Scope) -> Parts:
        return [], f"s.table.foresight.only(s, {e.actions!r})", False


def _offset(base: int, owner: str) -> str:
    if owner.isdecimal():
        return str(base + int(owner))
    return bare(owner) if base == 0 else f"{base} + {owner}"


def _or_empty(guards: list[str], text: str) -> str:
    return f"({text} if {' and '.join(guards)} else ())" if guards else text
