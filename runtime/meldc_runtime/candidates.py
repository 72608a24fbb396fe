"""The smallest plays of a position, in a fixed order.

Order: actions as the Program declares them; within an action the parameters from left to right,
each ascending (cards by face, melds by side and serial, everything else as its domain lists it; of
lists put together the first ones first); for an action that starts a meld, kinds of meld before
cards. One play for each kind of card, with the lowest face held; equal melds of a side are offered
once.

What is listed here breaks no firm rule about its action (but those that look ahead), and no pattern
or rule of the kind of meld that it makes on a trial; look-ahead and soft rules are judged in
`legality`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Any

from meldc_runtime import machine, melds
from meldc_runtime.cards import FACE, FACES, SUIT_OF, UNKNOWN
from meldc_runtime.forms import Form, forms_of, variables
from meldc_runtime.kinds import Kinds, classes_are_static
from meldc_runtime.oracle import evaluate
from meldc_runtime.program import expressions as x
from meldc_runtime.starts import EXACT, Cards, Starts
from meldc_runtime.state import Meld, Play, State
from meldc_runtime.table import Env, Table

CHOICES = 20_000
"""Bound on the choices of several cards that are looked at for one action which lays no meld."""

Domains = dict[int, list[Any]]
"""The values of parameters, by their places."""

PATTERNS = 10_000
"""Patterns kept before all are forgotten."""

PLAYER = x.Marker.PLAYER


class Candidates:
    """Lists the smallest plays at a Table."""

    def __init__(self, table: Table, kinds: Kinds) -> None:
        self.table = table
        self.kinds = kinds
        self.is_static = classes_are_static(table)
        self.starts = Starts(table, kinds, self.is_static)
        self.ordered_zones = _ordered_zones(table)
        self.forms = forms_of(table)
        shapes = [re.sub(r"\{\w+\}", "{}", form.action.text) for form in self.forms]
        self.twins = len(set(shapes)) < len(shapes)
        schedule = table.schedule
        self.judged = [
            bool(schedule.kind_rules[kind]) or schedule.kind_conditions[kind] is not None
            for kind in range(len(table.program.kinds))
        ]
        self.blanket = [self._blanket(kind.name) for kind in table.program.kinds]
        self._fitting: dict[Any, bool] = {}
        self._sharing: dict[int, frozenset[int]] = {}

    def _blanket(self, kind: str) -> frozenset[str]:
        """The rules about a kind that say the same of all melds begun."""
        about = [rule for rule in self.table.program.rules if kind in rule.kinds and not rule.soft]
        own = {x.Marker.MELD, x.Marker.NEW}
        return frozenset(
            rule.name
            for rule in about
            if not any(
                part is not None and own & variables(part)
                for part in (rule.when, rule.unless, rule.requires)
            )
        )

    # ---- plays
    def plays(self, state: State) -> Iterator[Play]:
        """The candidates of the player to act."""
        for form in self.forms:
            if machine.in_phase(state, form.index):
                yield from self.of(state, form)

    def of(self, state: State, form: Form) -> Iterator[Play]:
        """The candidates of one action, whatever the phase."""
        env: Env = {PLAYER: state.player}
        if self.broken(state, form, env, 0):
            return iter(())
        if form.starts:
            return self.start_plays(state, form, env)
        if form.adds:
            return self.add_plays(state, form, env)
        return self.bind(state, form, env, 0, {})

    def broken(self, state: State, form: Form, env: Env, known: int) -> bool:
        """Whether a rule that becomes decidable with so many parameters known is broken."""
        rules = self.table.code.rules
        return any(rules[name](state, env) and name != state.without for name in form.rules[known])

    def broken_later(self, state: State, form: Form, env: Env) -> bool:
        """Whether a rule is broken that reads parameters."""
        return any(self.broken(state, form, env, known) for known in range(1, len(form.rules)))

    def late_broken(self, state: State, play: Play) -> bool:
        """Whether a firm rule about the action that looks ahead is broken."""
        return bool(self.forms[play.action].late) and bool(self.late_names(state, play))

    def late_names(self, state: State, play: Play) -> tuple[str, ...]:
        """The broken firm rules about the action that look ahead."""
        env = machine.environment(state, play)
        names = [name for name in self.forms[play.action].late if name != state.without]
        return tuple(
            name for name in names if env is None or self.table.code.rules[name](state, env)
        )

    def marked(self, state: State, play: Play) -> bool:
        """Whether a play is an ending for want of another."""
        return self.forms[play.action].marked and bool(
            machine.soft_reasons(state, play, "otherwise")
        )

    # ---- starts and adds
    def start_plays(
        self, state: State, form: Form, env: Env, kinds: Sequence[int] | None = None
    ) -> Iterator[Play]:
        """Starts of melds, of these kinds; none where one meld is down that further cards join."""
        assert form.cards is not None and form.kind is not None
        hand = self.domain(state, form, form.cards, env)
        some_read = form.reads_arguments
        for kind in self.domain(state, form, form.kind, env) if kinds is None else kinds:
            if self.blanket[kind] and not self._may_begin(state, env, kind, hand):
                continue
            starts = self.starts.of(state, kind, hand)
            if not starts:
                continue
            joined = self._may_join(state, kind)
            for cards in starts:
                if joined and melds.joins(self.table, state, kind, cards, state.player) is not None:
                    continue
                env[form.cards], env[form.kind] = cards, kind
                if some_read and self.broken_later(state, form, env):
                    continue
                if self.judged[kind]:
                    meld = melds.would_be(self.table, state, kind, None, cards, state.player)
                    if meld is None or not self.kind_allows(state, env, meld, None, cards):
                        continue
                yield self.play(form, env)

    def _may_begin(self, state: State, env: Env, kind: int, hand: Sequence[int]) -> bool:
        """Whether rules that say the same of all melds of a kind let one begin; judged on one of
        them.
        """
        if len(hand) < self.table.program.kinds[kind].size[0]:
            return False
        cards = self.starts.some(state, kind, hand)
        if cards is None:
            return False
        meld = melds.would_be(self.table, state, kind, None, cards, state.player)
        return meld is not None and self.blanket[kind].isdisjoint(
            self.kind_reasons(state, env, meld, None, cards)
        )

    def _may_join(self, state: State, kind: int) -> bool:
        """Whether a start of a kind might have to join a meld that lies."""
        if self.table.program.kinds[kind].how_many == "many":
            return False
        return any(meld.kind == kind for meld in state.melds[state.player % self.table.sides])

    def add_plays(self, state: State, form: Form, env: Env) -> Iterator[Play]:
        assert form.cards is not None and form.onto is not None
        homes = self.homes(self.domain(state, form, form.onto, env))
        if not homes:
            return
        hand = self.kinds.lowest(
            [card for card in self.domain(state, form, form.cards, env) if card != UNKNOWN]
        )
        some_read = form.reads_arguments
        for cards, home in self._additions(state, form, hand, homes, env):
            env[form.cards], env[form.onto] = cards, home
            if some_read and self.broken_later(state, form, env):
                continue
            if self.judged[home.kind]:
                meld = melds.would_be(self.table, state, home.kind, home, cards, state.player)
                if meld is None or not self.kind_allows(state, env, meld, home, cards):
                    continue
            yield self.play(form, env)

    def _additions(
        self, state: State, form: Form, hand: list[int], homes: list[Meld], env: Env
    ) -> list[tuple[Cards, Meld]]:
        """Cards and melds that they fit by the pattern: single cards, and cards that a run takes
        only with wild cards between.
        """
        found: list[tuple[Cards, Meld]] = []
        wild = self.table.wilds(state)
        for home in homes:
            near = hand
            if home.rank is not None and self.is_static:
                place = home.rank - 2
                near = [card for card in hand if card >> 2 == place or wild[card]]
            found += [((card,), home) for card in near if self.fits(state, home, card)]
        bridged = [home for home in homes if self._takes_bridges(home)]
        if bridged:
            assert form.cards is not None
            held = self.domain(state, form, form.cards, env)
            found += [
                (cards, home) for home in bridged for cards in self.bridges(state, home, held)
            ]
        if form.names[0] == form.cards and len(homes) > 1:
            order = {id(home): place for place, home in enumerate(homes)}
            found.sort(key=lambda pair: (pair[0], order[id(pair[1])]))
        elif bridged:
            order = {id(home): place for place, home in enumerate(homes)}
            found.sort(key=lambda pair: (order[id(pair[1])], pair[0]))
        return found

    def _takes_bridges(self, home: Meld) -> bool:
        pattern = self.table.program.kinds[home.kind]
        return pattern.shape == "run" and pattern.wilds[1] != 0

    def bridges(self, state: State, home: Meld, held: Sequence[int]) -> list[Cards]:
        """Cards of a run's suit that it takes only with wild cards in the places between: each with
        the fewest.
        """
        natural, wild = self.table.naturals(state, home.kind), self.table.wilds(state)
        wilds = sorted(card for card in held if wild[card])
        found: set[Cards] = set()
        for card in sorted(
            {
                c
                for c in held
                if natural[c] and SUIT_OF[c] == home.suit and not self.fits(state, home, c)
            }
        ):
            others = list(wilds)
            if card in others:
                others.remove(card)
            for count in range(1, len(others) + 1):
                fitting = {
                    cards
                    for choice in self.starts.multisets(others, count)
                    if melds.would_be(
                        self.table,
                        state,
                        home.kind,
                        home,
                        cards := tuple(sorted((card, *choice))),
                        state.player,
                    )
                }
                if fitting:
                    found |= fitting
                    break
        return sorted(found)

    def fits(self, state: State, home: Meld, card: int) -> bool:
        """Whether a card fits a meld by the pattern."""
        pattern = self.table.program.kinds[home.kind]
        if (
            not self.is_static
            or pattern.contains
            or pattern.shape not in ("same_rank", "any", "run")
            or (pattern.shape == "run" and home.wilds)
        ):
            return (
                melds.would_be(self.table, state, home.kind, home, (card,), state.player)
                is not None
            )
        key = (home.kind, home.rank, home.suit, home.low, len(home.cards), home.wilds, card)
        known = self._fitting.get(key)
        if known is None:
            if len(self._fitting) > PATTERNS:
                self._fitting.clear()
            meld = melds.would_be(self.table, state, home.kind, home, (card,), state.player)
            known = self._fitting[key] = meld is not None
        return known

    # ---- parameters one after the other
    def bind(
        self, state: State, form: Form, env: Env, position: int, known: Domains
    ) -> Iterator[Play]:
        """The plays with the parameters before this place as they are. known: the domains that
        hang on no other parameter, as far as they were asked for.
        """
        params = form.action.params
        if position == len(params):
            if form.lay is None or self.trial(state, form, env):
                yield self.play(form, env)
            return
        param = params[position]
        if param.mode == "some":
            yield from self.bind_some(state, form, env, position, known)
            return
        last = position + 1 == len(params) and form.lay is None
        rules = form.rules[position + 1]
        if form.apart[position]:
            if position not in known:
                known[position] = self.domain(state, form, param.name, env)
            values = known[position]
        else:
            values = self.domain(state, form, param.name, env)
        for value in values:
            env[param.name] = value
            if rules and self.broken(state, form, env, position + 1):
                continue
            if last:
                yield self.play(form, env)
            else:
                yield from self.bind(state, form, env, position + 1, known)
        env.pop(param.name, None)

    def bind_some(
        self, state: State, form: Form, env: Env, position: int, known: Domains
    ) -> Iterator[Play]:
        """Choices of several cards: all of a size that a rule demands, else those from which no
        card can be spared.
        """
        name = form.names[position]
        if self._nothing_beside(state, form, env, position, known):
            return
        cards = self.domain(state, form, name, env)
        if form.exactly is not None:
            size = evaluate(self.table, state, env, form.exactly)
            choices: Iterator[Cards] = self.starts.multisets(cards, size or 0)
        elif form.lay is not None:
            fitting = self.sharing(state, self.laid(state, form, env, without=form.cards))
            choices = self.by_size(
                [card for card in cards if card in fitting], self.starts.size + 1
            )
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
            plays = list(self.bind(state, form, env, position + 1, known))
            if plays:
                least.append(choice)
                found.extend((env[name], play) for play in plays)
        env.pop(name, None)
        found.sort(key=lambda pair: pair[0])
        yield from (play for _, play in found)

    def _nothing_beside(
        self, state: State, form: Form, env: Env, position: int, known: Domains
    ) -> bool:
        """Whether a parameter behind this place, whose domain hangs on no other, can be nothing."""
        for later in range(position + 1, len(form.names)):
            if form.apart[later] and form.action.params[later].mode == "one":
                if later not in known:
                    known[later] = self.domain(state, form, form.names[later], env)
                if not known[later]:
                    return True
        return False

    def by_size(self, cards: Sequence[int], limit: int) -> Iterator[Cards]:
        for size in range(1, min(limit, len(cards)) + 1):
            yield from self.starts.multisets(cards, size)

    def sharing(self, state: State, others: Sequence[int]) -> frozenset[int]:
        """The faces that could lie in one meld with one of these cards."""
        found: frozenset[int] = frozenset()
        for other in others:
            faces = self._sharing.get(other) if self.is_static else None
            if faces is None:
                kinds = range(len(self.table.program.kinds))
                faces = frozenset(
                    face
                    for face in FACES
                    if any(self.share(state, kind, face, other) for kind in kinds)
                )
                self._sharing[other] = faces
            found |= faces
        return found

    def share(self, state: State, kind: int, card: int, other: int) -> bool:
        starts = self.starts
        if (
            self.table.program.kinds[kind].shape in EXACT
        ):  # nobody begins these with a card of the table
            return False
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
        """Whether the meld that a play makes is legal as it would lie."""
        assert form.lay is not None
        cards = tuple(self.laid(state, form, env, without=None))
        if not cards or UNKNOWN in cards:
            return False
        if form.lay.onto is not None:
            home = (
                env[form.onto]
                if form.onto is not None
                else evaluate(self.table, state, env, form.lay.onto)
            )
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
            value = self._read(part.cards, state, env)
            if isinstance(value, (list, tuple)):
                cards.extend(card & FACE for card in value)
            elif value is not None:
                cards.append(value & FACE)
        return cards

    def _read(self, expr: x.Expr, state: State, env: Env) -> Any:
        match expr:
            case x.Var(name):
                return env.get(name)
            case x.Top(x.ZoneCards(zone, None)):
                cards = state.zones[self.table.zone_slot(zone)]
                return cards[-1] if cards else None
        return evaluate(self.table, state, env, expr)

    def kind_allows(
        self, state: State, env: Env, meld: Meld, base: Meld | None, new: Cards
    ) -> bool:
        """Whether the condition and the rules of its kind let a meld lie."""
        return not (self.judged[meld.kind] and self.kind_reasons(state, env, meld, base, new))

    def kind_reasons(
        self, state: State, env: Env, meld: Meld, base: Meld | None, new: Cards
    ) -> tuple[str, ...]:
        """The rules that do not let a meld lie; tried on the state, which is left as it was."""
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
        return reasons

    # ---- domains
    def domain(self, state: State, form: Form, name: str, env: Env) -> list[Any]:
        """The values of a parameter: one card of each kind, equal melds once."""
        values = self.table.code.param_domain[form.action.name, name](state, env)
        param = form.action.params[form.names.index(name)]
        if param.mode == "some":
            return [card & FACE for card in values]
        if param.type == "card":
            if isinstance(param.domain, x.Join):
                return self._in_parts(state, param.domain, env)
            return self.kinds.lowest([card & FACE for card in values])
        if param.type == "meld":
            return self.homes(values)
        return values

    def _in_parts(self, state: State, domain: x.Expr, env: Env) -> list[int]:
        """The cards of lists put together: those of the first list first, a kind where it comes
        first.
        """
        if isinstance(domain, x.Join):
            found = self._in_parts(state, domain.left, env)
            known = {self.kinds.of[face] for face in found}
            return found + [
                face
                for face in self._in_parts(state, domain.right, env)
                if self.kinds.of[face] not in known
            ]
        value = evaluate(self.table, state, env, domain)
        cards = value if isinstance(value, (list, tuple)) else [] if value is None else [value]
        return self.kinds.lowest([card & FACE for card in cards])

    def homes(self, values: Sequence[Meld]) -> list[Meld]:
        """Melds by side and serial, equal ones of a side once."""
        if len(values) < 2:
            return list(values)
        seen: dict[Any, Meld] = {}
        kind_of = self.kinds.of
        ordered = sorted(values, key=lambda meld: (meld.owner, meld.serial))
        shapes = [
            (meld.owner, meld.kind, meld.rank, meld.suit, meld.low, len(meld.cards), meld.wilds)
            for meld in ordered
        ]
        if len(set(shapes)) == len(shapes):
            return ordered
        for meld, shape in zip(ordered, shapes, strict=True):
            cards = tuple(sorted((kind_of[card & FACE], card >> 6) for card in meld.cards))
            seen.setdefault((shape, cards), meld)
        return list(seen.values())

    def play(self, form: Form, env: Env) -> Play:
        return Play(form.index, tuple([_argument(env[name]) for name in form.names]))


def _argument(value: Any) -> Any:
    return (value.owner, value.serial) if isinstance(value, Meld) else value


def _within(part: Cards, whole: Cards) -> bool:
    left = list(whole)
    for face in part:
        if face not in left:
            return False
        left.remove(face)
    return True


def _ordered_zones(table: Table) -> list[bool]:
    """By slot, whether the order of the cards in a zone matters: not in a hand that its owner
    sees.
    """
    ordered = [True] * table.zone_slots
    for zone in table.program.zones:
        if zone.visibility == "owner":
            owners = {"player": table.players, "side": table.sides}[zone.owner]
            for owner in range(owners):
                ordered[table.zone_slot(zone.name, owner)] = False
    return ordered
