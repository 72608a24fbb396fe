"""Queries and lists as Python text: comprehensions, or sets and tuples held against a zone."""

from __future__ import annotations

from typing import Any

from meldc_runtime.program import expressions as x
from meldc_runtime.writing.readings import SIMPLE, Parts, Readings, Scope, offset, or_empty
from meldc_runtime.writing.writer import bare, safe_name

LIST_TYPES = ("cards", "melds", "players", "sides")
LISTS = (
    x.ZoneCards, x.MeldsOf, x.MeldCards, x.AllPlayers, x.AllSides, x.AllKinds, x.RowsOf,
    x.PlayersOf, x.Partners, x.Opponents, x.StartingAt, x.Filter, x.ListOf, x.Join, x.Range,
)  # fmt: skip
"""Nodes that give a list."""


class Queries(Readings):
    """Writes what runs over lists."""

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
                return [
                    *self.clauses(owner, one, sc),
                    f"for {name} in s.zones[{offset(base, one)}]",
                ]
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
            return or_empty(tests, f"({bare(value)},)")
        return f"as_list({bare(self.value(e, sc))})"

    def _number_of(self, e: x.Expr, sc: Scope) -> str:
        """Whether an expression gives a `list`, `one` thing, or it cannot be said."""
        if isinstance(e, LISTS):
            return "list"
        match e:
            case x.MeldAttr(_, attr):
                return "list" if attr in ("cards", "stands_for") else "one"
            case x.Var(name):
                return "list" if name in sc.lists else "one" if name in sc.plain else "?"
            case x.Apply(definition, _):
                kind = self.table.definitions[definition].type
                return "list" if kind in LIST_TYPES or kind.startswith("list:") else "?"
            case x.If() | x.Otherwise() | x.Remembered():
                return "?"
        return "one"

    def _plain_list(self, e: x.Expr, sc: Scope) -> str | None:
        """The text of a list of cards without marks that a set or a tuple can be held against as it
        is.
        """
        if self.facts.marked(e, sc.plain) or (isinstance(e, x.ZoneCards) and e.many):
            return None
        if isinstance(e, x.ZoneCards) or (isinstance(e, x.Var) and e.name in sc.lists):
            return self.value(e, sc)
        return None

    def _face_set(self, e: Any) -> str | None:
        """The name of the constant tuple of a query's condition, where it depends on the face
        alone.
        """
        return (
            self._face_table(e.where, e.var)
            if self.facts.by_face(e.where, e.var) == frozenset()
            else None
        )

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

    def _unmelded(self, e: x.Unmelded, sc: Scope) -> Parts:
        name, inner = self.bound(e, sc)
        clauses = " ".join(self.clauses(e.source, name, sc))
        return [], f"unmelded(s, [({name}, {bare(self.value(e.by, inner))}) {clauses}])", True

    # ---- lists

    def _after(self, e: x.After, sc: Scope) -> Parts:
        source, element = bare(self.listing(e.source, sc)), bare(self.value(e.element, sc))
        return [], f"after({source}, {element}, {e.cards})", True

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
        return [], or_empty([*low_guards, *high_guards], f"range({low}, {high} + 1)"), False

    def _member(self, e: x.Member, sc: Scope) -> Parts:
        if isinstance(e.source, x.Range):
            low, high = (
                x.Compare("<=", e.source.low, e.element),
                x.Compare("<=", e.element, e.source.high),
            )
            return [], self.yes_no(x.And((low, high)), sc), False
        element = self.value(e.element, sc)
        elements = self.listing(e.source, sc)
        if not e.cards:
            return [], f"({element} in {elements})", False
        if self.facts.marked(e.source, sc.plain):
            card = sc.fresh("o")
            elements = (
                f"[{card} & 63 for {card} in {bare(self.listing(e.source, sc.within_source()))}]"
            )
        guards, value = self.firm(e.element, sc)
        text = f"{self._card_face(e.element, value, sc)} in {elements}"
        return [], f"bool({' and '.join([*guards, text])})" if guards else f"({text})", False
