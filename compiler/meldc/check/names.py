"""What a name means: fields of what is looked at, then names given here, then names of the game."""

from __future__ import annotations

from collections.abc import Iterable

from meldc.check import advice, declared, types
from meldc.check.elaborator import NOTHING, Elaborator, Signature
from meldc.check.scope import Scope, Typed
from meldc.check.types import CARD, MELD, MELDS, NUMBER, PLAYER, PLAYERS, SIDE, SIDES, YES_NO
from meldc.check.vocabulary import (
    BUILT_IN_MEMORIES,
    FUNCTIONS,
    MELD_ZONE,
)
from meldc.diagnostics import suggest
from meldc.source import Span
from meldc_runtime.cards import SUIT_WORDS
from meldc_runtime.program.expressions import (
    AllKinds,
    AllPlayers,
    AllSides,
    Apply,
    CardAttr,
    Const,
    CurrentPhase,
    DealScore,
    Expr,
    Filter,
    IsSomething,
    MeldAttr,
    MeldCards,
    MeldsOf,
    Opponents,
    Partners,
    PlayersOf,
    Remembered,
    RowAttr,
    RowsOf,
    SettingValue,
    SideOf,
    SortedAs,
    Var,
    ZoneCards,
)
from meldc_runtime.program.reserved import CARD_ATTRS, MELD_ATTRS

NUMBER_WORDS = (
    *("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"),
    *("eleven", "twelve", "thirteen", "fourteen", "fifteen"),
)
"""Numbers in words, each at its place."""


def name(el: Elaborator, word: str, span: Span, scope: Scope, expected: str = "") -> Typed:
    """The value of a name alone; reports one that has none."""
    words = el.vocabulary.words_of(expected) if expected else {}
    if word in words:
        return Typed(words[word], expected)
    if word == "it":
        return _it(el, span, scope)
    for thing in scope.looked_at:
        if (found := field(el, thing, word, span, scope)) is not None:
            return found
    if word in scope.names:
        return scope.names[word].value
    found = _built_in(el, word, span, scope) or _of_the_game(el, word, span, scope, expected)
    if found is not None:
        return found
    if word in SUIT_WORDS:
        return Typed(Const(SUIT_WORDS.index(word), types.SUIT), types.SUIT)
    return _unknown(el, word, span, scope, words, expected)


def _it(el: Elaborator, span: Span, scope: Scope) -> Typed:
    if scope.looked_at:
        return scope.looked_at[0]
    return el.error(
        "MC0454",
        "`it` stands where nothing is looked at",
        span,
        help=("`it` is the thing looked at within `where`, `are` and `by`",),
    )


# ---- fields ------------------------------------------------------------------------------------


def field(el: Elaborator, thing: Typed, word: str, span: Span, scope: Scope) -> Typed | None:
    """The field of a card, meld, row or list of melds; None where it has no such field."""
    if thing.type == CARD:
        if word in CARD_ATTRS:
            return Typed(CardAttr(thing.expr, word), CARD_ATTRS[word])
        return _applied_to(el, thing, word, span, scope)
    if thing.type == MELD:
        if word in MELD_ATTRS:
            return Typed(MeldAttr(thing.expr, word), MELD_ATTRS[word])
        if (table := el.vocabulary.sort_words.get(word)) is not None:
            return Typed(SortedAs(thing.expr, table), types.row_of(table))
        return _applied_to(el, thing, word, span, scope)
    if (table := types.table_of(thing.type)) is not None:
        return _column(el, thing, table, word)
    return None


def dotted(el: Elaborator, thing: Typed, word: str, span: Span, scope: Scope) -> Typed:
    """`thing.word`: a field, or what is kept of a player or side."""
    if thing.type == types.UNKNOWN:
        return thing
    found = field(el, thing, word, span, scope)
    if found is None and thing.type == MELDS and word == "cards":
        found = Typed(MeldCards(thing.expr), types.CARDS)
    if found is None and thing.type in (PLAYER, SIDE):
        found = _kept_of(el, thing, word, span)
    return found or _no_field(el, thing, word, span)


def _column(el: Elaborator, row: Typed, table: str, word: str) -> Typed | None:
    if word == "place":
        return Typed(RowAttr(row.expr, table, word), types.NUMBER)
    for column, type_ in declared.columns(el, table):
        if column == word and column:
            return Typed(RowAttr(row.expr, table, word), type_)
    return None


def _applied_to(el: Elaborator, thing: Typed, word: str, span: Span, scope: Scope) -> Typed | None:
    """A definition (or class) about such a thing, applied to it."""
    vocabulary = el.vocabulary
    entry = vocabulary.definitions.get(word)
    if entry is not None:
        owner = entry.declaration.owner
        if owner is None or owner.text != thing.type:
            return None
    elif not (word in vocabulary.classes and thing.type == CARD):
        return None
    found = declared.signature(el, word)
    return _broken() if found is None else applied(el, found, (thing.expr,), span, scope)


def _broken() -> Typed:
    return Typed(NOTHING, types.UNKNOWN)


def applied(
    el: Elaborator, definition: Signature, given: tuple[Expr, ...], span: Span, scope: Scope
) -> Typed:
    """A definition with its subject given; whose it is besides is taken from the place."""
    arguments = given
    if definition.extra:
        owner = whose(el, definition.extra, definition.name, span, scope)
        arguments = (*given, owner if owner is not None else NOTHING)
    return Typed(Apply(definition.name, arguments), definition.type)


def _kept_of(el: Elaborator, thing: Typed, word: str, span: Span) -> Typed | None:
    if thing.type == PLAYER and word == SIDE:
        return Typed(SideOf(thing.expr), SIDE)
    if thing.type == SIDE and word == PLAYERS:
        return Typed(PlayersOf(thing.expr), PLAYERS)
    inner = Scope().about(thing)
    vocabulary = el.vocabulary
    if word in vocabulary.about(PLAYER) and thing.type == SIDE:
        return None
    if word in (*vocabulary.about(PLAYER), *vocabulary.about(SIDE), *vocabulary.tables):
        return _built_in(el, word, span, inner) or _of_the_game(el, word, span, inner)
    return None


def _no_field(el: Elaborator, thing: Typed, word: str, span: Span) -> Typed:
    fields = list(_fields_of(el, thing.type))
    one = types.element_of(thing.type)
    help_: tuple[str, ...] = _did_you_mean(word, fields)
    if not help_ and one is not None and word in _fields_of(el, one):
        help_ = (f"of many, ask with `any(… where {word})`, `sum(… by {word})` or `best(…)`",)
    elif not help_ and fields:
        help_ = (f"there are {', '.join(fields)}",)
    message = f"{types.describe(thing.type)} has no `{word}`"
    return el.error("MC0456", message, span, help=help_)


def _fields_of(el: Elaborator, type_: str) -> Iterable[str]:
    if type_ in (CARD, MELD, PLAYER, SIDE):
        return list(el.vocabulary.about(type_))
    if type_ == MELDS:
        return ["cards"]
    if (table := types.table_of(type_)) is not None:
        return ["place", *(column for column, _ in declared.columns(el, table) if column)]
    return []


# ---- whose -------------------------------------------------------------------------------------


def whose(el: Elaborator, owner: str, word: str, span: Span, scope: Scope) -> Expr | None:
    """The player or side in question, as owner of what is named without one."""
    found = scope.player if owner == PLAYER else scope.side_in_question
    if found is not None:
        return found
    example = f"`{word}(dealer)`"
    if owner == PLAYER and scope.side_in_question is not None and word in el.vocabulary.zones:
        example = f"`{word}(players(side))` for all of the side's"
    reason = scope.nobody or "no player is in question here"
    el.error(
        "MC0455",
        f"whose `{word}` is meant?",
        span,
        reason,
        help=(f"`{word}` is kept for each {owner}; name the owner, as {example}",),
    )
    return None


# ---- names with a meaning of their own ---------------------------------------------------------


def _built_in(el: Elaborator, word: str, span: Span, scope: Scope) -> Typed | None:
    if word == "players":
        return Typed(AllPlayers(), PLAYERS)
    if word == "sides":
        return Typed(AllSides(), SIDES)
    if word == "kinds":
        return Typed(AllKinds(), types.list_of(types.KIND))
    if word == SIDE:
        owner = scope.side_in_question if "player" not in scope.names else None
        player = scope.names.get("player")
        if player is not None:
            return Typed(SideOf(player.value.expr), SIDE)
        return None if owner is None else Typed(owner, SIDE)
    if word == PLAYER and scope.player is not None:
        return Typed(scope.player, PLAYER)
    if word == "partners":
        owner = whose(el, PLAYER, word, span, scope)
        return Typed(Partners(owner or NOTHING), PLAYERS)
    if word == "opponents":
        owner = whose(el, SIDE, word, span, scope)
        return Typed(Opponents(owner or NOTHING), SIDES)
    if word == "phase":
        return Typed(CurrentPhase(), types.PHASE)
    if word == "deal_score":
        return Typed(DealScore(whose(el, SIDE, word, span, scope) or NOTHING), types.NUMBER)
    return None


def _of_the_game(
    el: Elaborator, word: str, span: Span, scope: Scope, expected: str = ""
) -> Typed | None:
    vocabulary = el.vocabulary
    if word in vocabulary.memories or word in BUILT_IN_MEMORIES:
        return _memory(el, word, span, scope)
    if word in vocabulary.zones:
        return _zone(el, word, span, scope)
    if word in vocabulary.settings:
        return Typed(SettingValue(word), declared.setting_type(el, word))
    if word in vocabulary.tables:
        return _table(el, word, span, scope)
    if word in vocabulary.definitions or word in vocabulary.classes:
        return _definition(el, word, span, scope, expected)
    return None


def _memory(el: Elaborator, word: str, span: Span, scope: Scope) -> Typed:
    owner, type_ = declared.memory_owner(el, word), declared.memory_type(el, word)
    if owner == "none":
        return Typed(Remembered(word, None), type_)
    found = whose(el, owner, word, span, scope)
    return Typed(Remembered(word, found or NOTHING), type_)


def _zone(el: Elaborator, word: str, span: Span, scope: Scope) -> Typed:
    if word == MELD_ZONE:
        return Typed(MeldsOf(whose(el, SIDE, word, span, scope) or NOTHING), MELDS)
    owner = declared.owner_of(el, el.vocabulary.zones[word].declaration.owner)
    if owner == "none":
        return Typed(ZoneCards(word, None), types.CARDS)
    found = whose(el, owner, word, span, scope) or NOTHING
    return Typed(ZoneCards(word, found), types.CARDS)


def _table(el: Elaborator, word: str, span: Span, scope: Scope) -> Typed:
    form = el.vocabulary.tables[word].form
    if form == "lists":
        return Typed(RowsOf(word), types.list_of(types.row_of(word)))
    if form == "sorts":
        side = whose(el, SIDE, word, span, scope) or NOTHING
        return sorted_melds(word, MeldsOf(side), scope)
    return el.error(
        "MC0513",
        f"`{word}` is a table: which row?",
        span,
        help=(f"name the row in brackets, as `{word}[…]`",),
    )


def sorted_melds(table: str, melds: Expr, scope: Scope) -> Typed:
    """Those melds that a sorting table has a row for."""
    variable, _ = scope.bind(MELD)
    return Typed(Filter(melds, variable, IsSomething(SortedAs(Var(variable), table))), MELDS)


def _definition(el: Elaborator, word: str, span: Span, scope: Scope, expected: str) -> Typed:
    found = declared.signature(el, word)
    if found is None:
        return _broken()
    subject = found.subject
    if any(thing.type == types.UNKNOWN for thing in scope.looked_at):
        return _broken()
    if not subject:
        return applied(el, found, (), span, scope)
    if subject in (PLAYER, SIDE):
        owner = whose(el, subject, word, span, scope)
        return applied(el, found, (owner or NOTHING,), span, scope)
    return el.error(
        "MC0454",
        f"`{word}` is said of a {subject}: which one?",
        span,
        f"no {subject} is looked at here",
        help=advice.said_of_another(el, word, subject, scope, expected),
    )


# ---- names with none ---------------------------------------------------------------------------


def _unknown(
    el: Elaborator, word: str, span: Span, scope: Scope, words: Iterable[str], expected: str
) -> Typed:
    if any(thing.type == types.UNKNOWN for thing in scope.looked_at):
        return _broken()  # it may well be a field of what was not understood
    if word == PLAYER:
        whose(el, PLAYER, word, span, scope)
        return _broken()
    words = list(words)
    if expected == types.RANK and (rank := advice.of_rank(word)):
        return el.error("MC0450", f"nothing is called `{word}`", span, "not known here", help=rank)
    near = [*words, *_in_reach(el, scope)]
    help_ = tuple(_where_the_word_is(el, word)) or _did_you_mean(word, near)
    if not help_ and words:
        help_ = (f"{types.describe(expected)} is one of {', '.join(words)}",)
    if not help_ and word in FUNCTIONS:
        help_ = (f"`{word}` is asked about something: `{word}(…)`",)
    if not help_:
        help_ = _what_belongs(word, expected)
    return el.error("MC0450", f"nothing is called `{word}`", span, "not known here", help=help_)


def _what_belongs(word: str, expected: str) -> tuple[str, ...]:
    """What is written where a value of a type belongs, for a word that is near to nothing."""
    if word in NUMBER_WORDS:
        return (f"write `{NUMBER_WORDS.index(word)}`: numbers are written in figures",)
    if expected == NUMBER:
        return ("a number belongs here: write it in figures",)
    if expected == YES_NO:
        return ("write `yes` or `no`, or a condition",)
    return ()


def _in_reach(el: Elaborator, scope: Scope) -> Iterable[str]:
    for thing in scope.looked_at:
        yield from _fields_of(el, thing.type)
    yield from scope.names
    yield from el.vocabulary.values()
    yield from SUIT_WORDS


def _where_the_word_is(el: Elaborator, word: str) -> Iterable[str]:
    vocabulary = el.vocabulary
    actions = [
        name
        for name, entry in el.model.declarations.actions.items()
        if any(parameter.name.text == word for parameter in entry.declaration.parameters)
    ]
    if actions:
        of = ", ".join(f"`{name}`" for name in actions)
        yield f"`{word}` is a parameter of {of}: only what speaks of nothing else knows it"
    if word in vocabulary.kinds:
        yield f"`{word}` is a kind of meld: compare with it, as in `kind = {word}`"
    if word in vocabulary.phases:
        yield f"`{word}` is a phase"
    for owner, fields in ((CARD, CARD_ATTRS), (MELD, MELD_ATTRS)):
        if word in fields:
            yield f"`{word}` is a field of a {owner}: `x.{word}`, where x is the {owner}"
    for table, rows in vocabulary.rows.items():
        if word in rows:
            yield f"`{word}` is a row of `{table}`: compare a row with it"
    for setting in vocabulary.settings:
        if word in vocabulary.choices(setting):
            yield f"`{word}` is a choice of `{setting}`: compare with it, as `{setting} = {word}`"


def _did_you_mean(word: str, candidates: Iterable[str]) -> tuple[str, ...]:
    found = suggest(word, candidates)
    if not found:
        return ()
    return (f"did you mean {' or '.join(f'`{each}`' for each in found)}?",)
