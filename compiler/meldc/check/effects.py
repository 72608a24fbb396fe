"""Elaboration of effects: what an action or moment does, step by step."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from meldc.check import declared, expressions, names, queries, types
from meldc.check.elaborator import NOTHING, Elaborator
from meldc.check.scope import Binding, Scope, Typed
from meldc.check.types import CARD, CARDS, NUMBER, PLAYER, PLAYERS, SIDE, UNKNOWN, YES_NO
from meldc.check.vocabulary import BUILT_IN_MEMORIES, MELD_ZONE
from meldc.check.walk import zone_of
from meldc.diagnostics import Label, did_you_mean
from meldc.source import Span
from meldc.syntax import tree
from meldc_runtime.light import dataclass
from meldc_runtime.program import effects
from meldc_runtime.program.effects import Effect, ZoneRef
from meldc_runtime.program.expressions import (
    AllPlayers,
    AllSides,
    Expr,
    Join,
    MeldAttr,
    MeldCards,
    MeldsOf,
    StartingAt,
    Var,
)
from meldc_runtime.program.nodes import walk

NO_ZONE = ZoneRef("", None)
"""Stands where an author named no zone; the mistake is reported."""


@dataclass(frozen=True, slots=True)
class Done:
    """Effects, and the scope behind them (with what `let` named)."""

    effects: tuple[Effect, ...]
    scope: Scope


def elaborate(el: Elaborator, body: Iterable[tree.Effect], scope: Scope) -> Done:
    """The effects of a body in order; each sees what was named before it."""
    found: list[Effect] = []
    for effect in body:
        if isinstance(effect, tree.Let):
            node, scope = _let(el, effect, scope)
            found.append(node)
        else:
            found.extend(_effect(el, effect, scope))
    return Done(tuple(found), scope)


def _let(el: Elaborator, effect: tree.Let, scope: Scope) -> tuple[Effect, Scope]:
    value = expressions.elaborate(el, effect.value, scope)
    name = effect.name.text
    refuse_hidden_name(el, effect.name, scope)
    named = Typed(Var(name), value.type)
    inner = scope.naming(name, named, zone_of(value.expr, sources(scope)))
    return effects.Let(name, value.expr), inner


def refuse_hidden_name(el: Elaborator, word: tree.Word, scope: Scope) -> None:
    """Reports a parameter or `let` that has the name of something else."""
    if el.vocabulary.is_value(word.text) or word.text in scope.names:
        el.error(
            "MC0453",
            f"`{word.text}` is the name of something else already",
            word.span,
            "nothing may hide it",
            secondary=tuple(_declared_at(el, word.text)),
            help=("choose another name",),
        )


def _declared_at(el: Elaborator, name: str) -> Iterable[Label]:
    for group in el.model.declarations.read_by_name:
        if (entry := group.get(name)) is not None:
            yield Label(entry.declaration.name.span, "declared here")


def _effect(el: Elaborator, effect: tree.Effect, scope: Scope) -> Iterable[Effect]:
    match effect:
        case tree.Move():
            yield _move(el, effect, scope)
        case tree.MoveUnder(_, what, source, target):
            yield _move(el, tree.Move(effect.span, what, source, target, ()), scope, under=True)
        case tree.MoveUntil():
            yield _move_until(el, effect, scope)
        case tree.LayMeld():
            yield _lay(el, effect, scope)
        case tree.Exchange():
            yield _exchange(el, effect, scope)
        case tree.Becomes():
            yield _becomes(el, effect, scope)
        case tree.Gains():
            yield _gains(el, effect, scope)
        case tree.GoTo(_, word, player):
            yield effects.GoTo(phase(el, word), _player(el, player, scope))
        case tree.GoBack():
            yield effects.GoBack()
        case tree.EndTurn():
            yield effects.EndTurn()
        case tree.EndDeal():
            yield effects.EndDeal()
        case tree.EndGame(_, winner):
            yield effects.EndGame(_winner(el, winner, scope))
        case tree.Shuffle(_, place):
            yield effects.Shuffle(zone(el, place, scope))
        case tree.Redeal():
            yield effects.Redeal()
        case tree.If(_, holds, then, otherwise):
            yield effects.Branch(
                expressions.condition(el, holds, scope),
                elaborate(el, then, scope).effects,
                elaborate(el, otherwise, scope).effects,
            )
        case tree.ForEach():
            yield _for_each(el, effect, scope)
        case _:
            raise AssertionError(f"this is a bug in meldc: no effect is {effect!r}")


# ---- cards -------------------------------------------------------------------------------------


def sources(scope: Scope) -> dict[str, ZoneRef]:
    """The zones in which the cards lie that names stand for."""
    return {
        name: binding.source for name, binding in scope.names.items() if binding.source is not None
    }


def zone(el: Elaborator, node: tree.Expression, scope: Scope) -> ZoneRef:
    """The one zone that an author named."""
    found = expressions.elaborate(el, node, scope)
    place = None
    if found.type == CARDS and isinstance(node, tree.Name | tree.Call | tree.Field):
        place = zone_of(found.expr, {})
    if place is not None:
        return place
    if found.type != UNKNOWN:
        many = getattr(found.expr, "many", False)
        zones = ", ".join(name for name in el.vocabulary.zones if name != MELD_ZONE)
        help_ = (_NO_MOVING_MELDS,) if _is_of_melds(found) else (f"zones are {zones}",)
        el.error(
            "MC0515" if many else "MC0509",
            "these are several zones, one is needed" if many else "a zone belongs here",
            node.span,
            help=() if many else help_,
        )
    return NO_ZONE


_NO_MOVING_MELDS = (
    "cards come to melds by `meld CARDS onto MELD`, and leave them only by "
    "`exchange CARD with MELD to ZONE`"
)


def _is_of_melds(found: Typed) -> bool:
    """Whether something is a meld, melds or cards of melds."""
    return found.type in (types.MELD, types.MELDS) or any(
        isinstance(node, MeldCards | MeldsOf)
        or (isinstance(node, MeldAttr) and node.attr == "cards")
        for node in walk(found.expr)
    )


def _move(el: Elaborator, effect: tree.Move, scope: Scope, under: bool = False) -> Effect:
    wanted = "" if effect.source is None else NUMBER
    what = expressions.elaborate(el, effect.what, scope, wanted)
    target = zone(el, effect.target, scope)
    exceptions = _exceptions(el, effect.diversions, scope)
    if effect.source is not None:
        source = zone(el, effect.source, scope)
        if what.type in (CARD, CARDS):
            return effects.MoveCards(what.expr, source, target, under, exceptions)
        count = el.coerce(what, NUMBER, effect.what.span, "how many cards move")
        return effects.MoveCount(count, source, target, under, exceptions)
    if what.type not in (CARD, CARDS, UNKNOWN):
        help_ = ("say where from: `move 2 from stock to hand`",) if what.type == NUMBER else ()
        help_ = (_NO_MOVING_MELDS,) if _is_of_melds(what) else help_
        el.error(
            "MC0501",
            f"only cards move, not {types.describe(what.type)}",
            effect.what.span,
            help=help_,
        )
        return effects.MoveCards(what.expr, NO_ZONE, target, under, exceptions)
    source = _lying_in(el, what, effect.what.span, scope)
    return effects.MoveCards(what.expr, source, target, under, exceptions)


def _lying_in(el: Elaborator, cards: Typed, span: Span, scope: Scope) -> ZoneRef:
    found = zone_of(cards.expr, sources(scope))
    if found is not None:
        return found
    if cards.type != UNKNOWN:
        el.error(
            "MC0510",
            "it cannot be seen which zone these cards lie in",
            span,
            help=(
                _NO_MOVING_MELDS
                if _is_of_melds(cards)
                else "say where from: `move … from ZONE to ZONE`",
            ),
        )
    return NO_ZONE


def _exceptions(
    el: Elaborator, diversions: tuple[tree.Diversion, ...], scope: Scope
) -> tuple[effects.Exception_, ...]:
    found = []
    for each in diversions:
        variable, inner = scope.bind(CARD)
        said = tree.Name(each.card_class.span, each.card_class.text)
        holds = expressions.condition(el, said, inner)
        found.append(effects.Exception_(variable, holds, zone(el, each.target, scope)))
    return tuple(found)


def _move_until(el: Elaborator, effect: tree.MoveUntil, scope: Scope) -> Effect:
    if effect.diversions:
        el.error(
            "MC0505",
            "`but … to …` does not go with `until`",
            effect.diversions[0].span,
        )
    return effects.MoveUntil(
        zone(el, effect.source, scope),
        zone(el, effect.target, scope),
        expressions.condition(el, effect.condition, scope),
    )


def _lay(el: Elaborator, effect: tree.LayMeld, scope: Scope) -> Effect:
    cards = expressions.elaborate(el, effect.cards, scope)
    el.coerce(cards, CARDS, effect.cards.span, "what is melded")
    parts = tuple(
        effects.MeldPart(part, _lying_in(el, Typed(part, cards.type), effect.cards.span, scope))
        for part in _parts(cards.expr)
    )
    kind = onto = None
    if effect.kind is not None:
        kind = expressions.typed(el, effect.kind, scope, types.KIND, "`as`")
    if effect.onto is not None:
        onto = expressions.typed(el, effect.onto, scope, types.MELD, "`onto`")
    return effects.LayMeld(parts, kind, onto)


def _parts(cards: Expr) -> Iterable[Expr]:
    if isinstance(cards, Join):
        yield from _parts(cards.left)
        yield from _parts(cards.right)
    else:
        yield cards


def _exchange(el: Elaborator, effect: tree.Exchange, scope: Scope) -> Effect:
    card = expressions.elaborate(el, effect.card, scope)
    el.coerce(card, CARD, effect.card.span, "what is exchanged")
    source = _lying_in(el, card, effect.card.span, scope) if card.type == CARD else NO_ZONE
    meld = expressions.typed(el, effect.meld, scope, types.MELD, "`with`")
    return effects.Exchange(card.expr, source, meld, zone(el, effect.target, scope))


# ---- what is remembered ------------------------------------------------------------------------


def _target(el: Elaborator, target: tree.Target, scope: Scope) -> tuple[str, Expr | None, str]:
    """The memory that changes: name, owner, type."""
    name = target.name.text
    vocabulary = el.vocabulary
    if name not in vocabulary.memories and name not in BUILT_IN_MEMORIES:
        return _no_memory(el, target)
    owner, type_ = declared.memory_owner(el, name), declared.memory_type(el, name)
    if target.owner is not None:
        if owner == "none":
            el.error("MC0457", f"`{name}` is kept once for the table", target.owner.span)
            return name, None, type_
        return name, queries.elaborated_owner(el, target.owner, scope, owner, name), type_
    if owner == "none":
        return name, None, type_
    found = names.whose(el, owner, name, target.name.span, scope)
    return name, found or NOTHING, type_


def _no_memory(el: Elaborator, target: tree.Target) -> tuple[str, Expr | None, str]:
    name, vocabulary = target.name.text, el.vocabulary
    if vocabulary.is_value(name):
        help_ = ("only what is declared with `remember` changes",)
        el.error("MC0450", f"`{name}` cannot change", target.span, help=help_)
    else:
        near = [*vocabulary.memories, *BUILT_IN_MEMORIES]
        el.error(
            "MC0450",
            f"nothing called `{name}` is remembered",
            target.name.span,
            help=did_you_mean(name, near),
        )
    return name, None, UNKNOWN


def _becomes(el: Elaborator, effect: tree.Becomes, scope: Scope) -> Effect:
    name, owner, type_ = _target(el, effect.target, scope)
    value = effect.value
    if isinstance(value, tree.Call) and value.name.text == "chance":
        return _chance(el, value, name, owner, type_, scope)
    found = expressions.elaborate(el, value, scope, type_)
    return effects.Become(name, owner, _stored(el, name, found, type_, value.span))


def _stored(el: Elaborator, name: str, value: Typed, type_: str, span: Span) -> Expr:
    if types.fits(value.type, type_):
        return value.expr
    if value.type == PLAYER and type_ == SIDE:
        return el.coerce(value, type_, span)
    entry = el.vocabulary.memories.get(name)
    place = [Label(entry.declaration.name.span, "declared here")] if entry is not None else []
    return el.error(
        "MC0508",
        f"`{name}` remembers {types.describe(type_)}, not {types.describe(value.type)}",
        span,
        f"this is {types.describe(value.type)}",
        secondary=place,
    ).expr


def _chance(
    el: Elaborator, value: tree.Call, name: str, owner: Expr | None, type_: str, scope: Scope
) -> Effect:
    if type_ not in (YES_NO, UNKNOWN):
        el.error(
            "MC0512", f"chance says yes or no; `{name}` is {types.describe(type_)}", value.span
        )
    if len(value.arguments) != 2:
        el.error(
            "MC0504",
            "`chance(…)` takes two numbers",
            value.span,
            help=("`chance(1, 4)` is yes once in four times",),
        )
        return effects.Chance(name, owner, NOTHING, NOTHING)
    first, second = (
        el.coerce(expressions.elaborate(el, each, scope), NUMBER, each.span, "`chance(…)`")
        for each in value.arguments
    )
    return effects.Chance(name, owner, first, second)


def _gains(el: Elaborator, effect: tree.Gains, scope: Scope) -> Effect:
    name, owner, type_ = _target(el, effect.target, scope)
    if type_ not in (NUMBER, UNKNOWN):
        el.error(
            "MC0508",
            f"only a number gains, and `{name}` is {types.describe(type_)}",
            effect.target.span,
        )
    return effects.Gain(name, owner, expressions.typed(el, effect.value, scope, NUMBER, "`gains`"))


# ---- what comes next ---------------------------------------------------------------------------


def phase(el: Elaborator, word: tree.Word) -> str:
    if word.text not in el.vocabulary.phases:
        el.error(
            "MC0452",
            f"there is no phase `{word.text}`",
            word.span,
            help=did_you_mean(word.text, el.vocabulary.phases)
            or (f"phases are {', '.join(el.vocabulary.phases)}",),
        )
    return word.text


def _player(el: Elaborator, player: tree.Expression | None, scope: Scope) -> Expr | None:
    return None if player is None else expressions.typed(el, player, scope, PLAYER, "`for`")


def _winner(el: Elaborator, winner: tree.Expression | None, scope: Scope) -> Expr | None:
    return None if winner is None else expressions.typed(el, winner, scope, SIDE, "`for`")


_EACH = {PLAYER: Typed(AllPlayers(), PLAYERS), SIDE: Typed(AllSides(), types.SIDES)}


def _for_each(el: Elaborator, effect: tree.ForEach, scope: Scope) -> Effect:
    name = effect.name.text
    if effect.over is not None:
        source, element = expressions.collection(el, effect.over, scope)
    elif name in _EACH:
        source, element = _EACH[name], name
    else:
        source, element = Typed(NOTHING, UNKNOWN), UNKNOWN
        el.error(
            "MC0450",
            f"for each `{name}`: of what?",
            effect.name.span,
            help=(f"say `for each {name} in …`; `for each player` and `side` need no more",),
        )
    over = source.expr
    if effect.start is not None:
        if element not in (PLAYER, UNKNOWN):
            el.wrong_type(source.type, PLAYERS, effect.span, "`from` goes round players")
        over = StartingAt(over, expressions.typed(el, effect.start, scope, PLAYER, "`from`"))
    if name not in _EACH:
        refuse_hidden_name(el, effect.name, scope)
    thing = Typed(Var(name), element)
    named = {**scope.names, name: Binding(thing)}
    inner = replace(scope, names=named).about(thing)
    return effects.ForEach(name, over, elaborate(el, effect.body, inner).effects)
