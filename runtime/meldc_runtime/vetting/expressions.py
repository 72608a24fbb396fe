"""The type of every expression, from the types of its parts."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from typing import Any

from meldc_runtime.cards import RANK_WORDS, SUIT_WORDS, parse_card
from meldc_runtime.program import expressions as x
from meldc_runtime.program.declarations import Memory, Program, Table, Zone
from meldc_runtime.program.reserved import ARITHMETIC, CARD_ATTRS, COMPARISONS, MELD_ATTRS
from meldc_runtime.vetting.types import (
    NOTHING,
    ORDERED,
    UnsoundError,
    either,
    element_of,
    elements_of,
    fits,
    fits_list,
    is_type,
    list_of,
)

Names = Mapping[str, str]
"""The names that an expression may read, and their types."""

LARGEST = 10**9
MOST_SEATS_ON = 100


class Typing:
    """Types of expressions in a Program.

    Raises UnsoundError for what has none, or stands where another is wanted.
    """

    def __init__(self, program: Program, built_in: tuple[Memory, ...]) -> None:
        self.program = program
        self.memories = {m.name: m for m in (*built_in, *program.memories)}
        self.zones: dict[str, Zone] = {z.name: z for z in program.zones}
        self.tables: dict[str, Table] = {t.name: t for t in program.tables}
        self.columns = {t.name: dict(t.columns) for t in program.tables}
        self.definitions = {d.name: d for d in program.definitions}
        self.settings = {s.name: s for s in program.settings}
        self.kinds = {k.name for k in program.kinds}
        self.phases = {p.name for p in program.phases}
        self.actions = {a.name for a in program.actions}
        self.moments = {m.name for m in program.moments}
        self.rules = {r.name for r in program.rules}

    def of(self, node: Any, names: Names) -> str:
        """The type of an expression."""
        rule = RULES.get(node.__class__)
        if rule is None:
            raise UnsoundError(node, f"`{type(node).__name__}` is no expression")
        return rule(self, node, names)

    def want(self, node: Any, names: Names, wanted: str) -> str:
        """The type of an expression that stands where one of a type is wanted."""
        found = self.of(node, names)
        if not fits(found, wanted):
            raise UnsoundError(node, f"a {wanted} is needed here, found a {found}")
        return found

    def want_list(self, node: Any, names: Names, element: str) -> str:
        """As `want`, where a list of such elements, or one alone, is wanted."""
        found = self.of(node, names)
        if not fits_list(found, element):
            raise UnsoundError(node, f"a list of {element}s is needed here, found a {found}")
        return found

    def want_declared(self, node: Any, names: Names, kind: str) -> None:
        """Checks an expression for what is declared with a type: a thing, or a list of such."""
        if element_of(kind) is None:
            self.want(node, names, kind)
        else:
            self.want_list(node, names, elements_of(kind))

    def known(self, node: Any, word: str, words: Any, what: str) -> Any:
        """What a word stands for among others."""
        if word not in words:
            raise UnsoundError(node, f"there is no {what} `{word[:80]}`")
        return words[word] if isinstance(words, dict) else word

    def owner(self, node: Any, kind: str, owner: Any, names: Names, many: bool = False) -> None:
        """Checks the owner of a zone or memory that such owners keep."""
        if kind == "none":
            if owner is not None:
                raise UnsoundError(node, "it is kept by nobody, so it has no owner")
        elif owner is None:
            raise UnsoundError(node, f"it is kept by each {kind}: an owner is missing")
        elif many:
            self.want_list(owner, names, kind)
        else:
            self.want(owner, names, kind)

    # ---- plain values

    def const(self, node: x.Const, names: Names) -> str:
        if not is_type(node.type, self.tables):
            raise UnsoundError(node, f"there is no type `{node.type[:80]}`")
        if node.value is not None and not self._is_of(node.value, node.type):
            raise UnsoundError(node, f"`{str(node.value)[:80]}` is no {node.type}")
        return NOTHING if node.value is None else node.type

    def _is_of(self, value: Any, kind: str) -> bool:
        if kind.startswith("row:"):
            return self._is_named(value, [row.key for row in self.tables[kind[4:]].rows])
        match kind:
            case "number":
                return type(value) is int and abs(value) <= LARGEST
            case "yes_no":
                return type(value) is bool
            case "rank":
                ranks = RANK_WORDS.values() if isinstance(value, str) else RANK_WORDS
                return type(value) is not bool and value in ranks
            case "suit":
                return value in SUIT_WORDS or (type(value) is int and 0 <= value < 4)
            case "card":
                if isinstance(value, str):
                    return parse_card(value) is not None
                return type(value) is int and 0 <= value <= 52
            case "kind":
                return self._is_named(value, self.kinds)
            case "phase":
                return self._is_named(value, self.phases)
            case "player" | "side":
                return type(value) is int and 0 <= value < min(self.program.players, default=0)
            case "word":
                return isinstance(value, str)
        return False

    def _is_named(self, value: Any, names: Collection[Any]) -> bool:
        """Whether a value is one of some names, or the number of one."""
        if type(value) is int:
            return 0 <= value < len(names)
        return isinstance(value, str) and value in names

    def var(self, node: x.Var, names: Names) -> str:
        found = names.get(node.name)
        if found is None:
            raise UnsoundError(node, f"`{node.name[:80]}` is no name here")
        return found

    def remembered(self, node: x.Remembered, names: Names) -> str:
        memory: Memory = self.known(node, node.memory, self.memories, "memory")
        self.owner(node, memory.owner, node.owner, names)
        return memory.type

    def zone_cards(self, node: x.ZoneCards, names: Names) -> str:
        zone: Zone = self.known(node, node.zone, self.zones, "zone")
        self.owner(node, zone.owner, node.owner, names, node.many)
        return "cards"

    def melds_of(self, node: x.MeldsOf, names: Names) -> str:
        self.owner(node, "side", node.owner, names, node.many)
        return "melds"

    def meld_cards(self, node: x.MeldCards, names: Names) -> str:
        self.want_list(node.melds, names, "meld")
        return "cards"

    # ---- who

    def players_of(self, node: x.PlayersOf, names: Names) -> str:
        self.owner(node, "side", node.side, names, node.many)
        return "players"

    def neighbour(self, node: x.Neighbour, names: Names) -> str:
        if abs(node.step) > MOST_SEATS_ON:
            raise UnsoundError(node, f"{node.step} seats on is too far")
        return self.want(node.player, names, "player") and "player"

    def next_of(self, node: x.NextOf, names: Names) -> str:
        self.want_list(node.players, names, "player")
        self.want(node.after, names, "player")
        return "player"

    def starting_at(self, node: x.StartingAt, names: Names) -> str:
        self.want_list(node.players, names, "player")
        self.want(node.start, names, "player")
        return "players"

    # ---- attributes

    def card_attr(self, node: x.CardAttr, names: Names) -> str:
        self.want(node.card, names, "card")
        return str(self.known(node, node.attr, CARD_ATTRS, "attribute of a card"))

    def meld_attr(self, node: x.MeldAttr, names: Names) -> str:
        self.want(node.meld, names, "meld")
        return str(self.known(node, node.attr, MELD_ATTRS, "attribute of a meld"))

    def sorted_as(self, node: x.SortedAs, names: Names) -> str:
        self.want(node.meld, names, "meld")
        self.table(node, node.table, ("sorts",))
        return f"row:{node.table}"

    def row_attr(self, node: x.RowAttr, names: Names) -> str:
        self.known(node, node.table, self.tables, "table")
        self.want(node.row, names, f"row:{node.table}")
        if node.column == "place":
            return "number"
        return str(self.known(node, node.column, self.columns[node.table], "column"))

    def lookup(self, node: x.Lookup, names: Names) -> str:
        table = self.table(node, node.table, ("number", "band", "card"))
        self.want(node.key, names, "card" if table.form == "card" else "number")
        return str(self.known(node, "", self.columns[node.table], "column"))

    def table(self, node: Any, name: str, forms: tuple[str, ...]) -> Table:
        table: Table = self.known(node, name, self.tables, "table")
        if table.form not in forms:
            raise UnsoundError(node, f"the table {name} is not to be read so")
        return table

    def apply(self, node: x.Apply, names: Names) -> str:
        definition = self.known(node, node.definition, self.definitions, "definition")
        if len(node.arguments) != len(definition.params):
            raise UnsoundError(
                node, f"`{definition.name}` is about {len(definition.params)} things"
            )
        for argument, (_, kind) in zip(node.arguments, definition.params, strict=True):
            self.want_declared(argument, names, kind)
        return str(definition.type)

    # ---- queries

    def inside(self, node: Any, names: Names) -> tuple[str, Names]:
        """The type of the elements that a query looks at, and the names inside of it."""
        element = elements_of(self.of(node.source, names))
        return element, {**names, node.var: element} if node.var else names

    def filter(self, node: x.Filter, names: Names) -> str:
        element, inner = self.inside(node, names)
        self.want(node.where, inner, "yes_no")
        return list_of(element)

    def _count(self, node: Any, names: Names) -> None:
        _, inner = self.inside(node, names)
        if node.where is not None:
            self.want(node.where, inner, "yes_no")

    def count(self, node: x.Count, names: Names) -> str:
        self._count(node, names)
        return "number"

    def holds(self, node: x.Exists | x.ForAll, names: Names) -> str:
        self._count(node, names)
        return "yes_no"

    def sum(self, node: x.Sum, names: Names) -> str:
        _, inner = self.inside(node, names)
        self.want(node.by, inner, "number")
        return "number"

    def best(self, node: x.Best, names: Names) -> str:
        element, inner = self.inside(node, names)
        if (by := self.of(node.by, inner)) not in (*ORDERED, NOTHING):
            raise UnsoundError(node.by, f"a number is needed here, found a {by}")
        return element

    def unmelded(self, node: x.Unmelded, names: Names) -> str:
        self.want_list(node.source, names, "card")
        return self.sum(node, names)  # type: ignore[arg-type]

    # ---- lists

    def first(self, node: x.First, names: Names) -> str:
        return elements_of(self.of(node.source, names))

    def after(self, node: x.After, names: Names) -> str:
        element = elements_of(self.of(node.source, names))
        self.want(node.element, names, element)
        self.only_cards(node, element)
        return element

    def only_cards(self, node: Any, found: str) -> None:
        """Checks what is said to be a comparison of cards by their faces."""
        if node.cards and found not in ("card", NOTHING):
            raise UnsoundError(node, f"a {found} is no card")

    def end(self, node: x.Top | x.Bottom | x.Nth, names: Names) -> str:
        self.want_list(node.cards, names, "card")
        if isinstance(node, x.Nth):
            self.want(node.index, names, "number")
        return "card"

    def listing(self, node: x.ListOf, names: Names) -> str:
        found = NOTHING
        for item in node.items:
            kind = self.of(item, names)
            if element_of(kind) is not None:
                raise UnsoundError(item, "a list of lists is none")
            found = either(item, found, kind)
        return list_of(elements_of(found))

    def join(self, node: x.Join, names: Names) -> str:
        left, right = self.of(node.left, names), self.of(node.right, names)
        return list_of(
            elements_of(either(node, list_of(elements_of(left)), list_of(elements_of(right))))
        )

    def range(self, node: x.Range, names: Names) -> str:
        found = either(node, self.of(node.low, names), self.of(node.high, names))
        if found not in (*ORDERED, NOTHING):
            raise UnsoundError(node, f"there is no range of {found}s")
        return list_of(found)

    def member(self, node: x.Member, names: Names) -> str:
        element = self.of(node.element, names)
        within = elements_of(self.of(node.source, names))
        if element_of(element) is not None or NOTHING not in (
            element,
            within,
            *((NOTHING,) if element == within else ()),
        ):
            raise UnsoundError(node, f"a {element} is never among {within}s")
        self.only_cards(node, element)
        return "yes_no"

    # ---- logic and arithmetic

    def logic(self, node: x.And | x.Or | x.Not, names: Names) -> str:
        for operand in (node.operand,) if isinstance(node, x.Not) else node.operands:
            self.want(operand, names, "yes_no")
        return "yes_no"

    def compare(self, node: x.Compare, names: Names) -> str:
        self.known(node, node.op, COMPARISONS, "comparison")
        found = either(node, self.of(node.left, names), self.of(node.right, names))
        if node.op not in ("=", "!=") and found not in (*ORDERED, NOTHING):
            raise UnsoundError(node, f"{found}s have no order")
        self.only_cards(node, found)
        return "yes_no"

    def arith(self, node: x.Arith, names: Names) -> str:
        self.known(node, node.op, ARITHMETIC, "arithmetic")
        found = either(node, self.of(node.left, names), self.of(node.right, names))
        if found not in (ORDERED if node.op in ("min", "max") else ("number",)) + (NOTHING,):
            raise UnsoundError(node, f"there is no `{node.op}` of {found}s")
        return found

    def division(self, node: x.Remainder | x.Quotient, names: Names) -> str:
        self.want(node.left, names, "number")
        self.want(node.right, names, "number")
        return "number"

    def choice(self, node: x.If, names: Names) -> str:
        self.want(node.condition, names, "yes_no")
        return either(node, self.of(node.then, names), self.of(node.otherwise, names))

    def otherwise(self, node: x.Otherwise, names: Names) -> str:
        found = NOTHING
        for option in node.options:
            found = either(option, found, self.of(option, names))
        return found

    def something(self, node: x.IsSomething, names: Names) -> str:
        self.of(node.operand, names)
        return "yes_no"

    # ---- what is to come

    def joined(self, node: x.Joined, names: Names) -> str:
        self.want_list(node.cards, names, "card")
        return "meld"

    def can(self, node: x.Can, names: Names) -> str:
        subjects = {"action": self.actions, "moment": self.moments, "end_of_turn": {node.name}}
        among = self.known(node, node.subject, subjects, "subject of look-ahead")
        self.known(node, node.name, among, node.subject)
        if node.without is not None:
            self.known(node, node.without, self.rules, "rule")
        self.want(node.player, names, "player")
        return "yes_no"

    def only(self, node: x.Only, names: Names) -> str:
        for action in node.actions:
            self.known(node, action, self.actions, "action")
        return "yes_no"


Rule = Callable[[Typing, Any, Names], str]


def _plain(found: str) -> Rule:
    """The rule of a node without parts."""
    return lambda typing, node, names: found


def _about(part: str, wanted: str, found: str) -> Rule:
    """The rule of a node with one part."""

    def rule(typing: Typing, node: Any, names: Names) -> str:
        typing.want(getattr(node, part), names, wanted)
        return found

    return rule


def _seats_on(typing: Typing, node: x.SeatsOn, names: Names) -> str:
    typing.want(node.steps, names, "number")
    return typing.want(node.player, names, "player") and "player"


def _rows_of(typing: Typing, node: x.RowsOf, names: Names) -> str:
    typing.known(node, node.table, typing.tables, "table")
    return f"list:row:{node.table}"


RULES: dict[type[x.Expr], Rule] = {
    x.Const: Typing.const,
    x.Var: Typing.var,
    x.SettingValue: lambda t, n, _: str(t.known(n, n.name, t.settings, "setting").type),
    x.Remembered: Typing.remembered,
    x.ZoneCards: Typing.zone_cards,
    x.MeldsOf: Typing.melds_of,
    x.MeldCards: Typing.meld_cards,
    x.AllPlayers: _plain("players"),
    x.AllSides: _plain("sides"),
    x.AllKinds: _plain("list:kind"),
    x.RowsOf: _rows_of,
    x.Acting: _plain("player"),
    x.SideOf: _about("player", "player", "side"),
    x.PlayersOf: Typing.players_of,
    x.Neighbour: Typing.neighbour,
    x.SeatsOn: _seats_on,
    x.Partners: _about("player", "player", "players"),
    x.Opponents: _about("side", "side", "sides"),
    x.NextOf: Typing.next_of,
    x.StartingAt: Typing.starting_at,
    x.CardAttr: Typing.card_attr,
    x.MeldAttr: Typing.meld_attr,
    x.SortedAs: Typing.sorted_as,
    x.RowAttr: Typing.row_attr,
    x.Lookup: Typing.lookup,
    x.Apply: Typing.apply,
    x.Filter: Typing.filter,
    x.Count: Typing.count,
    x.Exists: Typing.holds,
    x.ForAll: Typing.holds,
    x.Sum: Typing.sum,
    x.Best: Typing.best,
    x.Unmelded: Typing.unmelded,
    x.After: Typing.after,
    x.First: Typing.first,
    x.Top: Typing.end,
    x.Bottom: Typing.end,
    x.Nth: Typing.end,
    x.ListOf: Typing.listing,
    x.Join: Typing.join,
    x.Range: Typing.range,
    x.Member: Typing.member,
    x.Not: Typing.logic,
    x.And: Typing.logic,
    x.Or: Typing.logic,
    x.Compare: Typing.compare,
    x.Arith: Typing.arith,
    x.Remainder: Typing.division,
    x.Quotient: Typing.division,
    x.If: Typing.choice,
    x.Otherwise: Typing.otherwise,
    x.IsSomething: Typing.something,
    x.CurrentPhase: _plain("phase"),
    x.DealScore: _about("side", "side", "number"),
    x.Joined: Typing.joined,
    x.Can: Typing.can,
    x.Only: Typing.only,
}
