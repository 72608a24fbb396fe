"""The smallest plays of a position, in a fixed order.

Order: actions as the Program declares them; within an action the parameters from left to right, each ascending (cards by face, melds by side and
serial, everything else as its domain lists it); for an action that starts a meld, kinds of meld before cards. One play for each
kind of card, with the lowest face held; equal melds of a side are offered once.

What is listed here breaks no firm rule about its action, and no pattern or rule of the kind of meld that it makes on a trial; look-ahead
and soft rules are judged in `legality`.
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any

from meldc_runtime import machine, melds
from meldc_runtime.cards import FACE, UNKNOWN
from meldc_runtime.kinds import Kinds
from meldc_runtime.oracle import evaluate
from meldc_runtime.program import expressions as x
from meldc_runtime.program.declarations import Action, Rule, Zone
from meldc_runtime.program.effects import LayMeld
from meldc_runtime.starts import Cards, Starts
from meldc_runtime.state import Meld, Play, State
from meldc_runtime.table import Env, Table

CHOICES = 20_000
"""Bound on the choices of several cards that are looked at for one action which lays no meld."""


@dataclass(frozen=True, slots=True)
class Form:
    """What the nodes of an action say about how its plays are listed.

    cards: the parameter of mode `some`. onto, kind: parameters that name the meld or kind that cards are laid in.
    alone: whether the cards laid are those of `cards` only. exactly: the number of cards that a rule demands.
    rules: firm rules about the action, those that read no parameter first; `reads` has how many parameters must be known for each.
    late: firm rules that look ahead. another: soft rules that bind while another choice will do, the weightiest first.
    marked: whether a rule allows the action only where the turn cannot end otherwise.
    """

    index: int
    action: Action
    lay: LayMeld | None
    cards: str | None
    onto: str | None
    kind: str | None
    alone: bool
    exactly: x.Expr | None
    rules: tuple[str, ...]
    reads: tuple[int, ...]
    late: tuple[str, ...]
    another: tuple[str, ...]
    marked: bool

    @property
    def names(self) -> list[str]:
        return [param.name for param in self.action.params]

    @property
    def cards_place(self) -> int:
        """The place of the parameter `cards` among the arguments."""
        return self.names.index(self.cards or "")

    @property
    def starts(self) -> bool:
        return self.lay is not None and self.cards is not None and self.alone and self.kind is not None and self.onto is None


class Candidates:
    """Lists the smallest plays at a Table."""

    def __init__(self, table: Table, kinds: Kinds) -> None:
        self.table = table
        self.kinds = kinds
        self.starts = Starts(table, kinds)
        self.looks_ahead = _looking_ahead(table)
        zones = {zone.name: zone for zone in table.program.zones}
        self.ordered_zones = _ordered_zones(table, zones)
        self.forms = [self.form(index, action) for index, action in enumerate(table.program.actions)]
        shapes = [re.sub(r"\{\w+\}", "{}", form.action.text) for form in self.forms]
        self.twins = len(set(shapes)) < len(shapes)

    # ---- what the nodes say
    def form(self, index: int, action: Action) -> Form:
        lay = next((effect for effect in action.effects if isinstance(effect, LayMeld)), None)
        cards = next((param.name for param in action.params if param.mode == "some"), None)
        names = [param.name for param in action.params]
        onto = kind = None
        alone = False
        if lay is not None:
            onto = lay.onto.name if isinstance(lay.onto, x.Var) and lay.onto.name in names else None
            kind = lay.kind.name if isinstance(lay.kind, x.Var) and lay.kind.name in names else None
            alone = len(lay.parts) == 1 and lay.parts[0].cards == x.Var(cards or "")
        about = [rule for rule in self.table.program.rules if action.name in rule.actions]
        rules = [rule for rule in about if not rule.soft and rule.name not in self.looks_ahead]
        keyed = sorted((_params_read(rule, names), position, rule.name) for position, rule in enumerate(rules))
        return Form(
            index, action, lay, cards, onto, kind, alone, _exact_count(rules, cards),
            tuple(name for _, _, name in keyed), tuple(read for read, _, _ in keyed),
            tuple(rule.name for rule in about if not rule.soft and rule.name in self.looks_ahead),
            tuple(rule.name for rule in about if rule.soft == "another"),
            any(rule.soft == "otherwise" for rule in about),
        )  # fmt: skip

    # ---- plays
    def plays(self, state: State) -> Iterator[Play]:
        """The candidates of the player to act."""
        for form in self.forms:
            if machine.in_phase(state, form.index):
                yield from self.of(state, form)

    def of(self, state: State, form: Form) -> Iterator[Play]:
        """The candidates of one action, whatever the phase."""
        env: Env = {x.Marker.PLAYER: state.player}
        if self.broken(state, form, env, 0):
            return
        if form.starts:
            yield from self.start_plays(state, form, env)
        elif form.cards is not None and form.lay is not None and form.alone and form.onto is not None:
            yield from self.add_plays(state, form, env)
        else:
            yield from self.bind(state, form, env, 0)

    def broken(self, state: State, form: Form, env: Env, known: int) -> bool:
        """Whether a rule that becomes decidable with so many parameters known is broken."""
        rules = self.table.code.rules
        for name, reads in zip(form.rules, form.reads, strict=True):
            if reads == known and name != state.without and rules[name](state, env):
                return True
        return False

    def broken_from(self, state: State, form: Form, env: Env) -> bool:
        rules = self.table.code.rules
        return any(
            reads and name != state.without and rules[name](state, env)
            for name, reads in zip(form.rules, form.reads, strict=True)
        )

    def late_broken(self, state: State, play: Play) -> bool:
        """Whether a firm rule about the action that looks ahead is broken."""
        return bool(self.forms[play.action].late) and bool(self.late_names(state, play))

    def late_names(self, state: State, play: Play) -> tuple[str, ...]:
        """The broken firm rules about the action that look ahead."""
        env = machine.environment(state, play)
        names = [name for name in self.forms[play.action].late if name != state.without]
        return tuple(name for name in names if env is None or self.table.code.rules[name](state, env))

    def marked(self, state: State, play: Play) -> bool:
        """Whether a play is an ending for want of another."""
        return self.forms[play.action].marked and bool(machine.soft_reasons(state, play, "otherwise"))

    # ---- starts and adds
    def start_plays(self, state: State, form: Form, env: Env) -> Iterator[Play]:
        assert form.cards is not None and form.kind is not None
        hand = self.domain(state, form, form.cards, env)
        for kind in self.domain(state, form, form.kind, env):
            for cards in self.starts.of(state, kind, hand):
                env[form.cards], env[form.kind] = cards, kind
                if melds.joins(self.table, state, kind, cards, state.player) is not None:
                    continue
                if self.broken_from(state, form, env):
                    continue
                meld = melds.would_be(self.table, state, kind, None, cards, state.player)
                if meld is not None and self.kind_allows(state, env, meld, None, cards):
                    yield self.play(form, env)

    def add_plays(self, state: State, form: Form, env: Env) -> Iterator[Play]:
        assert form.cards is not None and form.onto is not None
        hand = self.kinds.lowest([card for card in self.domain(state, form, form.cards, env) if card != UNKNOWN])
        homes = self.homes(self.domain(state, form, form.onto, env))
        cards_first = form.action.params[0].name == form.cards
        pairs = [(card, home) for card in hand for home in homes]
        if not cards_first:
            pairs = [(card, home) for home in homes for card in hand]
        for card, home in pairs:
            meld = melds.would_be(self.table, state, home.kind, home, (card,), state.player)
            if meld is None:
                continue
            env[form.cards], env[form.onto] = (card,), home
            if not self.broken_from(state, form, env) and self.kind_allows(state, env, meld, home, (card,)):
                yield self.play(form, env)

    # ---- parameters one after the other
    def bind(self, state: State, form: Form, env: Env, position: int) -> Iterator[Play]:
        params = form.action.params
        if position == len(params):
            if self.trial(state, form, env):
                yield self.play(form, env)
            return
        param = params[position]
        if param.mode == "some":
            yield from self.bind_some(state, form, env, position)
            return
        for value in self.domain(state, form, param.name, env):
            env[param.name] = value
            if not self.broken(state, form, env, position + 1):
                yield from self.bind(state, form, env, position + 1)
        env.pop(param.name, None)

    def bind_some(self, state: State, form: Form, env: Env, position: int) -> Iterator[Play]:
        """Choices of several cards: all of a size that a rule demands, else those from which no card can be spared."""
        name = form.action.params[position].name
        cards = self.domain(state, form, name, env)
        if form.exactly is not None:
            size = evaluate(self.table, state, env, form.exactly)
            choices: Iterator[Cards] = self.starts.multisets(cards, size or 0)
        elif form.lay is not None:
            cards = [card for card in cards if card != UNKNOWN and self.belongs(state, form, env, card)]
            choices = self.by_size(cards, self.starts.size + 1)
        else:
            choices = self.by_size(cards, 3)
        least: list[Cards] = []
        found: list[tuple[Cards, Play]] = []
        for choice in islice(choices, CHOICES):
            if form.exactly is None and any(_within(other, choice) for other in least):
                continue
            env[name] = tuple(sorted(choice))
            if self.broken(state, form, env, position + 1):
                continue
            plays = list(self.bind(state, form, env, position + 1))
            if plays:
                least.append(choice)
                found.extend((env[name], play) for play in plays)
        env.pop(name, None)
        found.sort(key=lambda pair: pair[0])
        yield from (play for _, play in found)

    def by_size(self, cards: Sequence[int], limit: int) -> Iterator[Cards]:
        for size in range(1, min(limit, len(cards)) + 1):
            yield from self.starts.multisets(cards, size)

    def belongs(self, state: State, form: Form, env: Env, card: int) -> bool:
        """Whether a card could lie in one meld with the others that the action lays."""
        others = self.laid(state, form, env, without=form.cards)
        return any(self.share(state, kind, card, other) for other in others for kind in self.table.kinds.values())

    def share(self, state: State, kind: int, card: int, other: int) -> bool:
        starts = self.starts
        if starts.wild(state, kind, card) or starts.wild(state, kind, other):
            return True
        if not (starts.natural(state, kind, card) and starts.natural(state, kind, other)):
            return False
        match self.table.program.kinds[kind].shape:
            case "same_rank":
                return card >> 2 == other >> 2
            case "run":
                return card & 3 == other & 3
            case _:
                return True

    # ---- trials
    def trial(self, state: State, form: Form, env: Env) -> bool:
        """Whether the meld that a play makes (if it makes one) is legal as it would lie."""
        if form.lay is None:
            return True
        cards = tuple(self.laid(state, form, env, without=None))
        if not cards or UNKNOWN in cards:
            return False
        if form.lay.onto is not None:
            home = env[form.onto] if form.onto is not None else evaluate(self.table, state, env, form.lay.onto)
            if home is None:
                return False
            meld = melds.would_be(self.table, state, home.kind, home, cards, state.player)
            return meld is not None and self.kind_allows(state, env, meld, home, cards)
        kind = None if form.lay.kind is None else evaluate(self.table, state, env, form.lay.kind)
        made = melds.joined(self.table, state, cards, state.player, kind)
        return made is not None and self.kind_allows(state, env, made[0], made[1], cards)

    def laid(self, state: State, form: Form, env: Env, without: str | None) -> list[int]:
        """The cards that a play lays in a meld, but those of one parameter."""
        assert form.lay is not None
        cards: list[int] = []
        for part in form.lay.parts:
            if without is not None and part.cards == x.Var(without):
                continue
            value = evaluate(self.table, state, env, part.cards)
            if isinstance(value, (list, tuple)):
                cards.extend(card & FACE for card in value)
            elif value is not None:
                cards.append(value & FACE)
        return cards

    def kind_allows(self, state: State, env: Env, meld: Meld, base: Meld | None, new: Cards) -> bool:
        """Whether the condition and the rules of its kind let a meld lie; tried on the state, which is left as it was."""
        on_table = state.melds[meld.owner]
        if base is None:
            on_table.append(meld)
        else:
            place = on_table.index(base)
            on_table[place] = meld
        reasons = machine.kind_reasons(state, env, meld, new)
        if base is None:
            on_table.pop()
        else:
            on_table[place] = base
        return not reasons

    # ---- domains
    def domain(self, state: State, form: Form, name: str, env: Env) -> list[Any]:
        """The values of a parameter: one card of each kind, equal melds once."""
        values = self.table.code.param_domain[(form.action.name, name)](state, env)
        param = next(param for param in form.action.params if param.name == name)
        if param.mode == "some":
            return [card & FACE for card in values]
        if param.type == "card":
            return self.kinds.lowest([card & FACE for card in values])
        if param.type == "meld":
            return self.homes(values)
        return list(values)

    def homes(self, values: Sequence[Meld]) -> list[Meld]:
        seen: dict[Any, Meld] = {}
        for meld in sorted(values, key=lambda meld: (meld.owner, meld.serial)):
            kind_of = self.kinds.of
            cards = tuple(sorted((kind_of[card & FACE], card >> 6) for card in meld.cards))
            seen.setdefault((meld.owner, meld.kind, meld.low, cards), meld)
        return list(seen.values())

    def play(self, form: Form, env: Env) -> Play:
        return Play(form.index, tuple(_argument(env[param.name]) for param in form.action.params))


def _argument(value: Any) -> Any:
    return (value.owner, value.serial) if isinstance(value, Meld) else value


def _within(part: Cards, whole: Cards) -> bool:
    left = list(whole)
    for face in part:
        if face not in left:
            return False
        left.remove(face)
    return True


def variables(node: Any) -> set[str]:
    """The names that a node reads (those it binds itself included)."""
    if isinstance(node, x.Var):
        return {node.name}
    found: set[str] = set()
    for child in children(node):
        found |= variables(child)
    return found


def children(node: Any) -> Iterator[Any]:
    """The nodes inside a node."""
    if isinstance(node, tuple):
        yield from node
    elif dataclasses.is_dataclass(node):
        for field in dataclasses.fields(node):
            value = getattr(node, field.name)
            if isinstance(value, tuple) or dataclasses.is_dataclass(value):
                yield value


def _params_read(rule: Rule, names: list[str]) -> int:
    """How many parameters, from the left, must be known to judge a rule."""
    read = variables((rule.requires, rule.when, rule.unless))
    return max((position + 1 for position, name in enumerate(names) if name in read), default=0)


def _exact_count(rules: list[Rule], cards: str | None) -> x.Expr | None:
    """The number of cards that an unconditional rule `requires count(CARDS) = N` demands."""
    for rule in rules:
        if rule.when is not None or rule.unless is not None:
            continue
        match rule.requires:
            case x.Compare(op="=", left=x.Count(source=x.Var(name=name), where=None), right=number) if name == cards:
                return number
            case _:
                pass
    return None


def _ordered_zones(table: Table, zones: dict[str, Zone]) -> list[bool]:
    """By slot, whether the order of the cards in a zone matters: not in a hand that its owner sees."""
    ordered = [True] * table.zone_slots
    for name, zone in zones.items():
        if zone.visibility == "owner":
            owners = {"player": table.players, "side": table.sides}[zone.owner]
            for owner in range(owners):
                ordered[table.zone_slot(name, owner)] = False
    return ordered


def _looking_ahead(table: Table) -> frozenset[str]:
    """The rules that ask about plays to come."""
    definitions = {definition.name: definition.body for definition in table.program.definitions}
    known: dict[str, bool] = {}

    def asks(node: Any) -> bool:
        if isinstance(node, (x.Can, x.Only)):
            return True
        if isinstance(node, x.Apply):
            name = node.definition
            if name not in known:
                known[name] = False
                known[name] = asks(definitions[name])
            if known[name]:
                return True
        return any(asks(child) for child in children(node))

    return frozenset(rule.name for rule in table.program.rules if asks((rule.requires, rule.when, rule.unless)))
