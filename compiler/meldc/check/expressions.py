"""Elaboration: from an expression as written to a typed node of the Program."""

from __future__ import annotations

from meldc.check import names, patterns, queries, types
from meldc.check.elaborator import BROKEN, NOTHING, Elaborator
from meldc.check.scope import Scope, Typed
from meldc.check.types import NUMBER, RANK, RANK_NUMBERS, UNKNOWN, YES_NO
from meldc.syntax import tree
from meldc_runtime.cards import RANK_WORDS
from meldc_runtime.program.expressions import (
    Arith,
    Compare,
    Const,
    Exists,
    Expr,
    Filter,
    If,
    IsSomething,
    Join,
    ListOf,
    Lookup,
    Member,
    Nth,
    Otherwise,
    PlayersOf,
    Range,
)


def elaborate(el: Elaborator, node: tree.Argument, scope: Scope, expected: str = "") -> Typed:
    """The typed node for what an author wrote; mistakes are reported and give `BROKEN`.

    expected: the type the place asks for. It explains words that only a type explains; whether
    the result is of that type is for the caller to see to.
    """
    match node:
        case tree.Number(_, value):
            return _number(el, node, value, expected)
        case tree.Truth(_, value):
            return Typed(Const(value, YES_NO), YES_NO)
        case tree.Nothing():
            return Typed(NOTHING, types.NOTHING)
        case tree.RankLiteral(_, rank):
            _warn_of_rank(el, node, RANK_NUMBERS[rank])
            return Typed(Const(RANK_NUMBERS[rank], RANK), RANK)
        case tree.CardLiteral():
            _warn_of_rank(el, node, RANK_NUMBERS[node.rank])
            return Typed(Const(patterns.face(node), types.CARD), types.CARD)
        case tree.Name(span, word):
            return names.name(el, word, span, scope, expected)
        case tree.Call():
            return queries.call(el, node, scope, expected)
        case tree.Field(_, of, word):
            return names.dotted(el, elaborate(el, of, scope), word.text, word.span, scope)
        case tree.Lookup():
            return _lookup(el, node, scope)
        case tree.Listing():
            return _listing(el, node, scope, expected)
        case tree.Range():
            return _range(el, node, scope, expected)
        case tree.Negative(_, operand):
            return _negative(el, operand, scope)
        case tree.Arithmetic():
            return _arithmetic(el, node, scope)
        case tree.Where():
            return _where(el, node, scope)
        case tree.Otherwise():
            return _otherwise(el, node, scope, expected)
        case tree.Choice():
            return _choice(el, node, scope, expected)
        case tree.Behind() | tree.Are() | tree.By() | tree.Without() | tree.EndOfTurn():
            return queries.misplaced(el, node)
        case _:
            return Typed(_truth(el, node, scope), YES_NO)


def _truth(el: Elaborator, node: tree.Expression, scope: Scope) -> Expr:
    match node:
        case tree.Comparison():
            return _comparison(el, node, scope)
        case tree.Within():
            return _within(el, node, scope)
        case tree.Exists(_, operand):
            return IsSomething(elaborate(el, operand, scope).expr)
        case tree.Is():
            found = _is(el, node, scope)
            return patterns.negated(found) if node.negated else found
        case tree.Not(_, operand):
            return patterns.negated(condition(el, operand, scope))
        case tree.And(_, parts):
            return patterns.all_of(tuple(condition(el, each, scope) for each in parts))
        case tree.Or(_, parts):
            return patterns.any_of(tuple(condition(el, each, scope) for each in parts))
        case _:
            raise AssertionError(f"this is a bug in meldc: no expression is {node!r}")


def condition(el: Elaborator, node: tree.Expression, scope: Scope) -> Expr:
    """The node for something that must be yes or no."""
    return typed(el, node, scope, YES_NO)


def typed(el: Elaborator, node: tree.Expression, scope: Scope, wanted: str, role: str = "") -> Expr:
    """The node for something that must be of a type (a player counts as his side)."""
    return el.coerce(elaborate(el, node, scope, wanted), wanted, node.span, role)


# ---- numbers, ranks, lists ---------------------------------------------------------------------


def _number(el: Elaborator, node: tree.Expression, value: int, expected: str) -> Typed:
    if expected != RANK:
        return Typed(Const(value, NUMBER), NUMBER)
    if types.LOWEST_RANK <= value <= 10:
        _warn_of_rank(el, node, value)
        return Typed(Const(value, RANK), RANK)
    return el.error(
        "MC0602",
        f"there is no rank {value}",
        node.span,
        help=("ranks are 2 … 10, J, Q, K, A, Jkr",),
    )


def _warn_of_rank(el: Elaborator, node: tree.Expression, rank: int) -> None:
    """A rank that the pack does not have makes a condition that never holds."""
    low, high = el.vocabulary.ranks
    known = el.vocabulary.has_jokers if rank == RANK_NUMBERS["Jkr"] else low <= rank <= high
    if not known and rank not in el.ranks_told:
        el.ranks_told.add(rank)
        word = next(word for word, number in RANK_NUMBERS.items() if number == rank)
        el.warn("MC0602", f"the pack has no {word}", node.span)


def _negative(el: Elaborator, operand: tree.Expression, scope: Scope) -> Typed:
    value = typed(el, operand, scope, NUMBER)
    if isinstance(value, Const) and isinstance(value.value, int):
        return Typed(Const(-value.value, NUMBER), NUMBER)
    return Typed(Arith("-", Const(0, NUMBER), value), NUMBER)


def _listing(el: Elaborator, node: tree.Listing, scope: Scope, expected: str) -> Typed:
    wanted = types.element_of(expected) or ""
    if not wanted and any(isinstance(item, tree.RankLiteral) for item in node.items):
        wanted = RANK
    items: list[Typed] = []
    for item in node.items:
        found = elaborate(el, item, scope, wanted)
        wanted = wanted or found.type
        items.append(Typed(el.coerce(found, wanted, item.span, "in a list"), wanted))
    return Typed(ListOf(tuple(item.expr for item in items)), types.list_of(wanted))


def _range(el: Elaborator, node: tree.Range, scope: Scope, expected: str) -> Typed:
    ranks = types.element_of(expected) == RANK or isinstance(node.high, tree.RankLiteral)
    wanted = RANK if ranks or isinstance(node.low, tree.RankLiteral) else NUMBER
    low = typed(el, node.low, scope, wanted, "in a range")
    high = typed(el, node.high, scope, wanted, "in a range")
    if isinstance(low, Const) and isinstance(high, Const):
        _check_order(el, node, wanted, low.value, high.value)
    return Typed(Range(low, high), types.list_of(wanted))


def _check_order(el: Elaborator, node: tree.Range, what: str, low: object, high: object) -> None:
    """A range that ends before it begins holds nothing, and nobody writes that on purpose."""
    if isinstance(low, int) and isinstance(high, int) and high < low:
        first, last = (RANK_WORDS[end] if what == RANK else str(end) for end in (low, high))
        el.error(
            "MC0605",
            f"no {what} lies between {first} and {last}",
            node.span,
            help=(f"write `{last}..{first}`",),
        )


def _arithmetic(el: Elaborator, node: tree.Arithmetic, scope: Scope) -> Typed:
    left = elaborate(el, node.left, scope)
    right = elaborate(el, node.right, scope)
    if node.sign == "+" and NUMBER not in (left.type, right.type):
        many = next(
            (
                each.type if types.element_of(each.type) else types.list_of(each.type)
                for each in (left, right)
                if each.type not in (UNKNOWN, types.NOTHING)
            ),
            "",
        )
        if many in (types.CARDS, types.PLAYERS, types.MELDS, types.SIDES):
            el.coerce(left, many, node.left.span, "put together")
            el.coerce(right, many, node.right.span, "put together")
            return Typed(Join(left.expr, right.expr), many)
    first = el.coerce(left, NUMBER, node.left.span, f"`{node.sign}`")
    second = el.coerce(right, NUMBER, node.right.span, f"`{node.sign}`")
    return Typed(reckon(node.sign, first, second), NUMBER)


def reckon(sign: str, left: Expr, right: Expr) -> Expr:
    """The result, worked out where both numbers are known."""
    match left, right:
        case Const(int(first)), Const(int(second)):
            value = {"+": first + second, "-": first - second, "*": first * second}[sign]
            return Const(value, NUMBER)
        case _:
            return Arith(sign, left, right)


# ---- comparisons -------------------------------------------------------------------------------

_BARE = (tree.Name, tree.Number, tree.Listing, tree.Range)
"""What may be a word, or a rank, that only the other side explains."""


def _comparison(el: Elaborator, node: tree.Comparison, scope: Scope) -> Expr:
    left, right = _pair(el, node.left, node.right, scope)
    joined = el.join_types(left, right)
    if joined is None or not _comparable(el, node, left, right):
        if joined is None:
            _different(el, node, left, right)
        return NOTHING
    first, second = joined
    cards = types.CARD in (left.type, right.type) or types.CARDS in (left.type, right.type)
    return Compare(node.sign, first.expr, second.expr, cards)


def _comparable(el: Elaborator, node: tree.Comparison, left: Typed, right: Typed) -> bool:
    many = [
        side.type for side in (left, right) if types.element_of(side.type) not in (None, UNKNOWN)
    ]
    if many:
        el.error(
            "MC0502",
            f"`{node.sign}` compares single things, not {types.describe(many[0])}",
            node.span,
            help=("`x in …` asks whether a thing is among others, `count(…)` how many there are",),
        )
        return False
    if types.NOTHING in (left.type, right.type):
        el.error(
            "MC0502",
            f"`{node.sign} none` is always {'yes' if node.sign == '!=' else 'no'}",
            node.span,
            help=("`x is none` and `x exists` ask whether there is something",),
        )
        return False
    ordered = (NUMBER, RANK, UNKNOWN)
    if node.sign in ("=", "!=") or (left.type in ordered and right.type in ordered):
        return True
    kind = types.describe(left.type if left.type not in ordered else right.type)
    help_ = ("rows have a `place`",) if types.table_of(left.type) else ()
    el.error(
        "MC0502", f"`{node.sign}` compares numbers or ranks, not {kind}", node.span, help=help_
    )
    return False


def _different(el: Elaborator, node: tree.Comparison, left: Typed, right: Typed) -> None:
    first, second = types.describe(left.type), types.describe(right.type)
    help_: tuple[str, ...] = ()
    if {left.type, right.type} == {types.CARD, RANK}:
        help_ = ("a card's `rank` can be compared with a rank",)
    elif {left.type, right.type} == {NUMBER, RANK}:
        help_ = ("the `number` of a card is its rank as a number",)
    elif {left.type, right.type} == {types.SUIT, RANK}:
        help_ = ("a card has both: its `rank` is compared with a rank, its `suit` with a suit",)
    elif {left.type, right.type} == {types.PLAYER, types.SIDE}:
        help_ = ("`x in players(side)` asks whether a player is of a side",)
    elif NUMBER in (left.type, right.type) and types.MELDS in (left.type, right.type):
        help_ = ("`count(…)` is how many melds there are, `sum(… by size)` how many cards",)
    elif NUMBER in (left.type, right.type) and _is_many(left.type, right.type):
        help_ = ("`count(…)` is how many there are",)
    elif types.element_of(left.type) == right.type or types.element_of(right.type) == left.type:
        help_ = ("`in` asks whether a thing is among others",)
    el.error("MC0502", f"{first} is never {second}", node.span, help=help_)


def _is_many(*found: str) -> bool:
    return any(types.element_of(each) not in (None, NUMBER, UNKNOWN) for each in found)


def _pair(
    el: Elaborator, first: tree.Expression, second: tree.Expression, scope: Scope
) -> tuple[Typed, Typed]:
    """Both sides of a comparison, each word explained by the other side where it needs to be."""
    if isinstance(first, _BARE) and not isinstance(second, _BARE):
        right = elaborate(el, second, scope)
        return elaborate(el, first, scope, right.type), right
    if isinstance(first, _BARE):
        alone = el.attempt(lambda: elaborate(el, first, scope))
        if alone is None or not _agree(el, alone, second, scope):
            other = el.attempt(lambda: elaborate(el, second, scope))
            if other is not None:
                return elaborate(el, first, scope, other.type), other
    left = elaborate(el, first, scope)
    return left, elaborate(el, second, scope, left.type)


def _agree(el: Elaborator, left: Typed, second: tree.Expression, scope: Scope) -> bool:
    right = el.attempt(lambda: elaborate(el, second, scope, left.type))
    return right is not None and el.join_types(left, right) is not None


def _within(el: Elaborator, node: tree.Within, scope: Scope) -> Expr:
    item = el.attempt(lambda: elaborate(el, node.item, scope))
    if item is None and isinstance(node.item, _BARE):
        whole = elaborate(el, node.whole, scope)
        item = elaborate(el, node.item, scope, types.element_of(whole.type) or "")
    else:
        item = elaborate(el, node.item, scope)
        whole = elaborate(el, node.whole, scope, types.list_of(item.type))
    if whole.type == types.SIDE and item.type == types.PLAYER:
        whole = Typed(PlayersOf(whole.expr), types.PLAYERS)
    element = types.element_of(whole.type)
    if element is None:
        el.wrong_type(whole.type, types.list_of(item.type), node.whole.span, "after `in`")
        return NOTHING
    if element == NUMBER and item.type == RANK:
        whole = elaborate(el, node.whole, scope, types.list_of(RANK))
        element = RANK
    cards = types.CARD in (item.type, element)
    return Member(el.coerce(item, element, node.item.span, "before `in`"), whole.expr, cards)


def _is(el: Elaborator, node: tree.Is, scope: Scope) -> Expr:
    subject = elaborate(el, node.subject, scope)
    if subject.type == UNKNOWN:
        return NOTHING
    if isinstance(node.property, tree.Nothing):
        return patterns.negated(IsSomething(subject.expr))
    many = types.element_of(subject.type)
    if isinstance(node.property, tree.Name) and node.property.name == "empty":
        if many is None:
            el.error(
                "MC0503",
                f"{types.describe(subject.type)} is never empty",
                node.subject.span,
                help=("only zones and other collections can be empty",),
            )
        return patterns.negated(Exists(subject.expr))
    if many is not None and subject.type != UNKNOWN:
        el.error(
            "MC0514",
            f"`is` asks about one thing, and this is {types.describe(subject.type)}",
            node.subject.span,
            help=("`all(x are p)` asks whether all are so, `any(x where p)` whether one is",),
        )
        return NOTHING
    return said_of(el, node.property, subject, scope)


def said_of(el: Elaborator, said: tree.Expression, thing: Typed, scope: Scope) -> Expr:
    """Whether a property holds of a thing."""
    words = el.vocabulary.words_of(thing.type)
    if isinstance(said, tree.Name) and said.name in words:
        return Compare("=", thing.expr, words[said.name])
    return condition(el, said, scope.look_at(thing))


# ---- the rest ----------------------------------------------------------------------------------


def _lookup(el: Elaborator, node: tree.Lookup, scope: Scope) -> Typed:
    if isinstance(node.of, tree.Name) and node.of.name in el.vocabulary.tables:
        return _cell(el, node, node.of.name, scope)
    cards = elaborate(el, node.of, scope)
    if cards.type == UNKNOWN:
        return BROKEN
    if cards.type != types.CARDS:
        return el.error(
            "MC0513",
            f"only tables and cards have places in brackets, not {types.describe(cards.type)}",
            node.of.span,
        )
    place = typed(el, node.key, scope, NUMBER, "the place, counted from the top")
    return Typed(Nth(cards.expr, place), types.CARD)


def _cell(el: Elaborator, node: tree.Lookup, table: str, scope: Scope) -> Typed:
    form = el.vocabulary.tables[table].form
    if form in ("sorts", "lists"):
        return el.error(
            "MC0513",
            f"the rows of `{table}` are named, not numbered",
            node.span,
            help=("write the column behind a row: `x.column`",),
        )
    wanted = types.CARD if form == "card" else NUMBER
    key = typed(el, node.key, scope, wanted, f"the row of `{table}`")
    return Typed(Lookup(table, key), NUMBER)


def _where(el: Elaborator, node: tree.Where, scope: Scope) -> Typed:
    source, variable, holds = filtered(el, node, scope)
    return Typed(Filter(source.expr, variable, holds), source.type)


def filtered(el: Elaborator, node: tree.Where, scope: Scope) -> tuple[Typed, str, Expr]:
    """The source of a `where`, the variable for what is looked at, the condition."""
    source, element = collection(el, node.source, scope)
    variable, inner = scope.bind(element)
    return merged(source, variable, condition(el, node.condition, inner))


def merged(source: Typed, variable: str, holds: Expr) -> tuple[Typed, str, Expr]:
    """The same, where the source is filtered already: one filter with both conditions."""
    match source.expr:
        case Filter(inner, also, first) if also == variable:
            return Typed(inner, source.type), variable, patterns.all_of((first, holds))
        case _:
            return source, variable, holds


def collection(el: Elaborator, node: tree.Argument, scope: Scope) -> tuple[Typed, str]:
    """A collection and the type of what is in it."""
    found = elaborate(el, node, scope)
    element = types.element_of(found.type)
    if element is not None:
        return found, element
    help_ = ("`player`, `side` and the like are one; `players` and `sides` are many",)
    el.error(
        "MC0503",
        f"a collection belongs here, and this is {types.describe(found.type)}",
        node.span,
        help=help_ if found.type in (types.PLAYER, types.SIDE) else (),
    )
    return BROKEN, UNKNOWN


def _otherwise(el: Elaborator, node: tree.Otherwise, scope: Scope, expected: str) -> Typed:
    first = elaborate(el, node.choices[0], scope, expected)
    options = [first.expr]
    for choice in node.choices[1:]:
        found = elaborate(el, choice, scope, first.type)
        options.append(el.coerce(found, first.type, choice.span, "after `otherwise`"))
    return Typed(Otherwise(tuple(options)), first.type)


def _choice(el: Elaborator, node: tree.Choice, scope: Scope, expected: str) -> Typed:
    holds = condition(el, node.condition, scope)
    then = elaborate(el, node.then, scope, expected)
    other = elaborate(el, node.otherwise, scope, expected or then.type)
    joined = el.join_types(then, other)
    if joined is None:
        return el.wrong_type(other.type, then.type, node.otherwise.span, "after `else`")
    left, right = joined
    if isinstance(holds, Const):
        return left if holds.value else right
    kind = right.type if left.type in (UNKNOWN, types.NOTHING) else left.type
    return Typed(If(holds, left.expr, right.expr), kind)
