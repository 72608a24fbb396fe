"""Calls: the built-in questions, and what is kept or defined, with its owner or subject named."""

from __future__ import annotations

from collections.abc import Callable

from meldc.check import declared, expressions, names, types
from meldc.check.elaborator import BROKEN, NOTHING, Elaborator
from meldc.check.scope import Scope, Typed
from meldc.check.types import CARD, CARDS, NUMBER, PLAYER, PLAYERS, SIDE, SIDES, UNKNOWN, YES_NO
from meldc.check.vocabulary import BUILT_IN_MEMORIES, FUNCTIONS, MELD_ZONE
from meldc.diagnostics import did_you_mean
from meldc.syntax import tree
from meldc_runtime.program.expressions import (
    After,
    Arith,
    Best,
    Bottom,
    Can,
    Const,
    Count,
    DealScore,
    Exists,
    Expr,
    Filter,
    First,
    ForAll,
    Joined,
    MeldsOf,
    Neighbour,
    NextOf,
    Only,
    Opponents,
    Partners,
    PlayersOf,
    Quotient,
    Remainder,
    Remembered,
    SeatsOn,
    SideOf,
    Sum,
    Top,
    Unmelded,
    ZoneCards,
)

Question = Callable[[Elaborator, tree.Call, Scope], Typed]


def call(el: Elaborator, node: tree.Call, scope: Scope, expected: str = "") -> Typed:
    """The value of `name(arguments)`."""
    word = node.name.text
    vocabulary = el.vocabulary
    if word in _QUESTIONS:
        return _QUESTIONS[word](el, node, scope)
    if word == "deal_score":
        return Typed(DealScore(_given(el, node, scope, SIDE)), NUMBER)
    if word in vocabulary.memories or word in BUILT_IN_MEMORIES:
        return _memory(el, node, scope)
    if word in vocabulary.zones:
        return _zone(el, node, scope)
    if word in vocabulary.definitions or word in vocabulary.classes:
        return _definition(el, node, scope)
    if word in vocabulary.tables and vocabulary.tables[word].form == "sorts":
        return names.sorted_melds(word, _melds_of(el, node, scope), scope)
    return _unknown(el, node)


def misplaced(el: Elaborator, node: tree.Argument) -> Typed:
    """Reports `are`, `by`, `without` or `end of turn` where no question takes it."""
    belongs = {
        tree.Behind: ("after", "`next(x after y)`"),
        tree.Are: ("are", "`all(x are p)`"),
        tree.By: ("by", "`sum(x by y)`, `best(x by y)` or `unmelded(x by y)`"),
        tree.Without: ("without", "`can(x without rule)`"),
        tree.EndOfTurn: ("end of turn", "`can(end of turn)`"),
    }
    word, place = belongs[type(node)]
    return el.error(
        "MC0505", f"`{word}` does not belong here", node.span, help=(f"it stands in {place}",)
    )


def _unknown(el: Elaborator, node: tree.Call) -> Typed:
    word = node.name.text
    vocabulary = el.vocabulary
    if word == "chance":
        return el.error(
            "MC0512",
            "`chance(…)` stands alone as the value of a memory that is yes or no",
            node.span,
            help=("write `x becomes chance(1, 4)`, and ask for x",),
        )
    if vocabulary.is_value(word):
        return el.error("MC0457", f"`{word}` is not asked about anything", node.span)
    near = [*FUNCTIONS, *vocabulary.zones, *vocabulary.memories, *vocabulary.definitions]
    return el.error(
        "MC0457",
        f"nothing called `{word}` can be asked about something",
        node.name.span,
        help=did_you_mean(word, near),
    )


# ---- what is kept and what is defined ----------------------------------------------------------


def _one(el: Elaborator, node: tree.Call) -> tree.Argument | None:
    """The only argument; reports another number of them."""
    if len(node.arguments) == 1:
        return node.arguments[0]
    el.error(
        "MC0504",
        f"`{node.name.text}(…)` takes one thing, and {len(node.arguments)} are given",
        node.span,
    )
    return None


def _memory(el: Elaborator, node: tree.Call, scope: Scope) -> Typed:
    word = node.name.text
    owner, type_ = declared.memory_owner(el, word), declared.memory_type(el, word)
    if owner == "none":
        return el.error(
            "MC0457",
            f"`{word}` is kept once for the table, not for each {PLAYER} or {SIDE}",
            node.span,
        )
    argument = _one(el, node)
    if argument is None:
        return BROKEN
    given = elaborated_owner(el, argument, scope, owner, word)
    return Typed(Remembered(word, given), type_)


def elaborated_owner(
    el: Elaborator, argument: tree.Argument, scope: Scope, owner: str, word: str
) -> Expr:
    """One owner, as named by an author."""
    found = expressions.elaborate(el, argument, scope)
    many = types.element_of(found.type)
    if many in (PLAYER, SIDE):
        el.error(
            "MC0515",
            f"`{word}(…)` is that of one {owner}, and these are {types.describe(found.type)}",
            argument.span,
            help=(f"a query goes through them: `{many}s where {word}`, `sum(… by {word})`",),
        )
        return NOTHING
    return el.coerce(found, owner, argument.span, f"the owner of `{word}`")


def _zone(el: Elaborator, node: tree.Call, scope: Scope) -> Typed:
    word = node.name.text
    if word == MELD_ZONE:
        return Typed(_melds_of(el, node, scope), types.MELDS)
    owner = declared.owner_of(el, el.vocabulary.zones[word].declaration.owner)
    if owner == "none":
        return el.error("MC0457", f"there is one `{word}` for the whole table", node.span)
    argument = _one(el, node)
    if argument is None:
        return BROKEN
    given = expressions.elaborate(el, argument, scope)
    found = _owners(given, owner)
    if found is None:
        return el.wrong_type(given.type, owner, argument.span, f"the owner of `{word}`")
    expr, many = found
    return Typed(ZoneCards(word, expr, many), CARDS)


def _owners(given: Typed, owner: str) -> tuple[Expr, bool] | None:
    """The owner or owners (then True) of zones, whether players or sides were named."""
    match given.type, owner:
        case ("player", "player") | ("side", "side") | ("unknown", _):
            return given.expr, False
        case ("players", "player") | ("sides", "side"):
            return given.expr, True
        case ("player", "side"):
            return SideOf(given.expr), False
        case ("side", "player"):
            return PlayersOf(given.expr), True
        case ("sides", "player"):
            return PlayersOf(given.expr, many=True), True
        case _:
            return None


def _melds_of(el: Elaborator, node: tree.Call, scope: Scope) -> Expr:
    argument = _one(el, node)
    if argument is None:
        return MeldsOf(NOTHING)
    given = expressions.elaborate(el, argument, scope)
    found = _owners(given, SIDE)
    if found is None:
        el.wrong_type(given.type, SIDE, argument.span, f"the owner of `{node.name.text}`")
        return MeldsOf(NOTHING)
    expr, many = found
    return MeldsOf(expr, many)


def _definition(el: Elaborator, node: tree.Call, scope: Scope) -> Typed:
    found = declared.signature(el, node.name.text)
    if found is None:
        return BROKEN
    if not found.subject:
        return el.error("MC0457", f"`{found.name}` is not about anything", node.span)
    argument = _one(el, node)
    if argument is None:
        return BROKEN
    assert not isinstance(
        argument, tree.Behind | tree.Are | tree.By | tree.Without | tree.EndOfTurn
    )
    given = expressions.typed(el, argument, scope, found.subject, f"`{found.name}` is about")
    return names.applied(el, found, (given,), node.span, scope)


# ---- the built-in questions --------------------------------------------------------------------


def _count(el: Elaborator, node: tree.Call, scope: Scope) -> Typed:
    argument = _one(el, node)
    if argument is None:
        return BROKEN
    if isinstance(argument, tree.Where):
        source, variable, holds = expressions.filtered(el, argument, scope)
        return Typed(Count(source.expr, variable, holds), NUMBER)
    match expressions.collection(el, argument, scope)[0].expr:
        case Filter(inner, variable, holds):
            return Typed(Count(inner, variable, holds), NUMBER)
        case whole:
            return Typed(Count(whole), NUMBER)


def _any(el: Elaborator, node: tree.Call, scope: Scope) -> Typed:
    argument = _one(el, node)
    if argument is None:
        return BROKEN
    if isinstance(argument, tree.Where):
        source, variable, holds = expressions.filtered(el, argument, scope)
        return Typed(Exists(source.expr, variable, holds), YES_NO)
    match expressions.collection(el, argument, scope)[0].expr:
        case Filter(inner, variable, holds):
            return Typed(Exists(inner, variable, holds), YES_NO)
        case whole:
            return Typed(Exists(whole), YES_NO)


def _all(el: Elaborator, node: tree.Call, scope: Scope) -> Typed:
    argument = _one(el, node)
    if argument is None:
        return BROKEN
    if not isinstance(argument, tree.Are):
        return _wants(el, node, "`all(x are p)`")
    source, element = expressions.collection(el, argument.source, scope)
    variable, inner = scope.bind(element)
    thing = inner.looked_at[0]
    holds = expressions.said_of(el, argument.property, thing, inner)
    return Typed(ForAll(source.expr, variable, holds), YES_NO)


def _wants(el: Elaborator, node: tree.Call, form: str) -> Typed:
    return el.error("MC0505", f"`{node.name.text}` is asked as {form}", node.span)


def _sum(el: Elaborator, node: tree.Call, scope: Scope) -> Typed:
    argument = _one(el, node)
    if argument is None:
        return BROKEN
    if not isinstance(argument, tree.By):
        return _wants(el, node, "`sum(x by y)`")
    source, element = expressions.collection(el, argument.source, scope)
    variable, inner = scope.bind(element)
    worth = expressions.typed(el, argument.key, inner, NUMBER, "what is summed up")
    return Typed(Sum(source.expr, variable, worth), NUMBER)


def _best(el: Elaborator, node: tree.Call, scope: Scope) -> Typed:
    argument = _one(el, node)
    if argument is None:
        return BROKEN
    if not isinstance(argument, tree.By):
        return _wants(el, node, "`best(x by y)`")
    source, element = expressions.collection(el, argument.source, scope)
    variable, inner = scope.bind(element)
    key = expressions.elaborate(el, argument.key, inner)
    if key.type not in (NUMBER, types.RANK, UNKNOWN):
        el.wrong_type(key.type, NUMBER, argument.key.span, "what is compared")
    return Typed(Best(source.expr, variable, key.expr), element)


def _first(el: Elaborator, node: tree.Call, scope: Scope) -> Typed:
    argument = _one(el, node)
    if argument is None:
        return BROKEN
    source, element = expressions.collection(el, argument, scope)
    return Typed(First(source.expr), element)


def _unmelded(el: Elaborator, node: tree.Call, scope: Scope) -> Typed:
    argument = _one(el, node)
    if argument is None:
        return BROKEN
    if not isinstance(argument, tree.By):
        return _wants(el, node, "`unmelded(cards by y)`")
    found = expressions.elaborate(el, argument.source, scope)
    cards = el.coerce(found, CARDS, argument.source.span, "what could be melded")
    variable, inner = scope.bind(CARD)
    worth = expressions.typed(el, argument.key, inner, NUMBER, "what is summed up")
    return Typed(Unmelded(cards, variable, worth), NUMBER)


def _next(el: Elaborator, node: tree.Call, scope: Scope) -> Typed:
    if len(node.arguments) == 1 and isinstance(node.arguments[0], tree.Behind):
        return _after(el, node.arguments[0], scope)
    players = _given(el, node, scope, PLAYERS)
    after = names.whose(el, PLAYER, "next", node.name.span, scope)
    return Typed(NextOf(players, after or NOTHING), PLAYER)


def _after(el: Elaborator, argument: tree.Behind, scope: Scope) -> Typed:
    """The next of some players after one, round the table; of other things the next in the list."""
    source = el.attempt(lambda: expressions.elaborate(el, argument.source, scope))
    if source is None:  # words that the one thing explains
        one = expressions.elaborate(el, argument.element, scope)
        source = expressions.elaborate(el, argument.source, scope, types.list_of(one.type))
    element = types.element_of(source.type)
    if element == NUMBER:  # numbers may be meant as ranks
        one = expressions.elaborate(el, argument.element, scope)
        if one.type == types.RANK:
            source = expressions.elaborate(el, argument.source, scope, types.list_of(one.type))
            element = types.RANK
    if element is None:
        expressions.collection(el, argument.source, scope)
        return BROKEN
    given = expressions.typed(el, argument.element, scope, element, "after `after`")
    if element == PLAYER:
        return Typed(NextOf(source.expr, given), PLAYER)
    return Typed(After(source.expr, given, cards=element == CARD), element)


def _given(el: Elaborator, node: tree.Call, scope: Scope, wanted: str) -> Expr:
    """The only argument, of a type."""
    argument = _one(el, node)
    if argument is None:
        return NOTHING
    found = expressions.elaborate(el, argument, scope, wanted)
    return el.coerce(found, wanted, argument.span, f"`{node.name.text}(…)`")


def _top(el: Elaborator, node: tree.Call, scope: Scope) -> Typed:
    return Typed(Top(_given(el, node, scope, CARDS)), CARD)


def _bottom(el: Elaborator, node: tree.Call, scope: Scope) -> Typed:
    return Typed(Bottom(_given(el, node, scope, CARDS)), CARD)


def _left(el: Elaborator, node: tree.Call, scope: Scope) -> Typed:
    return _neighbour(el, node, scope, 1)


def _right(el: Elaborator, node: tree.Call, scope: Scope) -> Typed:
    return _neighbour(el, node, scope, -1)


def _neighbour(el: Elaborator, node: tree.Call, scope: Scope, way: int) -> Typed:
    """`left(P)`, the neighbour, or `left(P, N)`, the player N seats on; `right` the other way."""
    if len(node.arguments) != 2:
        return Typed(Neighbour(_given(el, node, scope, PLAYER), way), PLAYER)
    player, seats = (
        el.coerce(expressions.elaborate(el, argument, scope), wanted, argument.span, "a seat")
        for argument, wanted in zip(node.arguments, (PLAYER, NUMBER), strict=True)
    )
    steps = seats if way > 0 else expressions.reckon("-", Const(0, NUMBER), seats)
    return Typed(SeatsOn(player, steps), PLAYER)


def _players(el: Elaborator, node: tree.Call, scope: Scope) -> Typed:
    argument = _one(el, node)
    if argument is None:
        return BROKEN
    given = expressions.elaborate(el, argument, scope)
    if given.type == SIDES:
        return Typed(PlayersOf(given.expr, many=True), PLAYERS)
    return Typed(PlayersOf(el.coerce(given, SIDE, argument.span, "`players(…)`")), PLAYERS)


def _partners(el: Elaborator, node: tree.Call, scope: Scope) -> Typed:
    return Typed(Partners(_given(el, node, scope, PLAYER)), PLAYERS)


def _opponents(el: Elaborator, node: tree.Call, scope: Scope) -> Typed:
    return Typed(Opponents(_given(el, node, scope, SIDE)), SIDES)


def _joined(el: Elaborator, node: tree.Call, scope: Scope) -> Typed:
    return Typed(Joined(_given(el, node, scope, CARDS)), types.MELD)


def _extreme(el: Elaborator, node: tree.Call, scope: Scope) -> Typed:
    if len(node.arguments) < 2:
        form = "`best(x by y)`" if node.name.text == "max" else "`best(x by - y)`"
        return el.error(
            "MC0504",
            f"`{node.name.text}(…)` compares two numbers or more",
            node.span,
            help=(f"the best of a collection is {form}",),
        )
    found: Expr | None = None
    for argument in node.arguments:
        value = expressions.elaborate(el, argument, scope)
        number = el.coerce(value, NUMBER, argument.span, f"`{node.name.text}(…)`")
        found = number if found is None else Arith(node.name.text, found, number)
    assert found is not None
    return Typed(found, NUMBER)


def _divided(el: Elaborator, node: tree.Call, scope: Scope) -> Typed:
    if len(node.arguments) != 2:
        return el.error(
            "MC0504", f"`{node.name.text}(…)` takes two numbers, as `(7, 4)`", node.span
        )
    left, right = (
        el.coerce(expressions.elaborate(el, each, scope), NUMBER, each.span, "a number")
        for each in node.arguments
    )
    divided = Remainder if node.name.text == "remainder" else Quotient
    return Typed(divided(left, right), NUMBER)


# ---- looking ahead -----------------------------------------------------------------------------


def _can(el: Elaborator, node: tree.Call, scope: Scope) -> Typed:
    goal = _one(el, node)
    if goal is None:
        return BROKEN
    without: str | None = None
    if isinstance(goal, tree.Without):
        without = _rule_left_aside(el, goal.rule)
        goal = goal.goal
    player = names.whose(el, PLAYER, "can", node.name.span, scope) or NOTHING
    if isinstance(goal, tree.EndOfTurn):
        return Typed(Can("end_of_turn", "", player, without), YES_NO)
    if isinstance(goal, tree.Name):
        subject = _goal(el, goal)
        return Typed(Can(subject, goal.name, player, without), YES_NO) if subject else BROKEN
    return _wants(el, node, "`can(action)`, `can(moment)` or `can(end of turn)`")


def _goal(el: Elaborator, goal: tree.Name) -> str:
    declarations = el.model.declarations
    if goal.name in declarations.actions:
        return "action"
    if goal.name in declarations.moments:
        return "moment"
    near = [*declarations.actions, *declarations.moments]
    el.error(
        "MC0451",
        f"there is no action and no moment `{goal.name}`",
        goal.span,
        help=did_you_mean(goal.name, near),
    )
    return ""


def _rule_left_aside(el: Elaborator, rule: tree.Word) -> str:
    if rule.text not in el.model.declarations.rules:
        el.error(
            "MC0459",
            f"there is no rule `{rule.text}`",
            rule.span,
            help=did_you_mean(rule.text, el.model.declarations.rules),
        )
    return rule.text


def _only(el: Elaborator, node: tree.Call, scope: Scope) -> Typed:
    actions = el.model.declarations.actions
    found: list[str] = []
    for argument in node.arguments:
        if not isinstance(argument, tree.Name):
            return _wants(el, node, "`only(action, …)`")
        if argument.name not in actions:
            el.error(
                "MC0451",
                f"there is no action `{argument.name}`",
                argument.span,
                help=did_you_mean(argument.name, actions),
            )
        found.append(argument.name)
    return Typed(Only(tuple(found)), YES_NO)


_QUESTIONS: dict[str, Question] = {
    "all": _all,
    "any": _any,
    "best": _best,
    "bottom": _bottom,
    "can": _can,
    "count": _count,
    "first": _first,
    "joined": _joined,
    "left": _left,
    "max": _extreme,
    "min": _extreme,
    "next": _next,
    "only": _only,
    "opponents": _opponents,
    "partners": _partners,
    "players": _players,
    "quotient": _divided,
    "remainder": _divided,
    "right": _right,
    "sum": _sum,
    "top": _top,
    "unmelded": _unmelded,
}
