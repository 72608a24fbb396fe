"""Whether the declarations of a Program are sound: their words, numbers and expressions."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Any

from meldc_runtime.program import declarations as d
from meldc_runtime.program.expressions import Expr, Marker
from meldc_runtime.program.reserved import WILD
from meldc_runtime.templates import pieces
from meldc_runtime.vetting.effects import Effects
from meldc_runtime.vetting.expressions import LARGEST, Names, Typing
from meldc_runtime.vetting.types import UnsoundError, elements_of, fits, is_type

MOST_DECLARED = 2000
"""Declarations of a sort, rows of a table."""
LONGEST_TEXT = 2000
MOST_IN_A_MELD = 200

WORDS = {
    (d.Table, "form"): ("number", "band", "card", "sorts", "lists"),
    (d.Zone, "owner"): ("none", "player", "side"),
    (d.Zone, "visibility"): ("hidden", "top", "shown", "owner"),
    (d.Memory, "owner"): ("none", "player", "side"),
    (d.Memory, "scope"): ("turn", "deal", "game"),
    (d.MeldKind, "shape"): ("same_rank", "run", "any", "all_different", "groups"),
    (d.MeldKind, "ace"): ("high", "low", "both"),
    (d.MeldKind, "how_many"): ("many", "one", "one_unfinished"),
    (d.MeldKind, "wilds_go"): ("stay", "high", "low"),
    (d.Param, "mode"): ("one", "some"),
    (d.Trigger, "kind"): ("state", "start", "end", "before", "after"),
    (d.Rule, "soft"): ("", "another", "otherwise"),
    (d.ScoreLine, "owner"): ("player", "side"),
}
"""The words that a field of a declaration may hold."""


class Vetting:
    """The checks of one Program. Raises UnsoundError."""

    def __init__(self, program: d.Program) -> None:
        from meldc_runtime.table import BUILT_IN

        declared = {memory.name for memory in program.memories}
        self.program = program
        self.built_in = {memory.name: memory for memory in BUILT_IN}
        self.typing = Typing(program, tuple(m for m in BUILT_IN if m.name not in declared))
        self.effects = Effects(self.typing)
        self.player: Names = {Marker.PLAYER: "player"}
        self.params = {a.name: {p.name: p.type for p in a.params} for a in program.actions}
        self.moments = {moment.name: moment for moment in program.moments}
        self.within: dict[str, Names] = {}
        self.behind: dict[str, Names] = {}

    def check(self) -> None:
        self._words()
        self._sizes()
        p = self.program
        self._pack(p.pack)
        for setting in p.settings:
            self._type(setting, setting.type)
            self.typing.want(setting.value, {}, setting.type)
        for table in p.tables:
            self._table(table)
        for memory in p.memories:
            self._memory(memory)
        for definition in p.definitions:
            for _, kind in definition.params:
                self._type(definition, kind)
            self._of_type(definition.body, dict(definition.params), definition.type)
        for meld_kind in p.kinds:
            self._kind(meld_kind)
        self._steps()

    # ---- words and numbers

    def _words(self) -> None:
        by_class: dict[type, list[tuple[str, tuple[str, ...]]]] = {}
        for (cls, field), words in WORDS.items():
            by_class.setdefault(cls, []).append((field, words))
        for group in _groups(self.program):
            for declared in group:
                for field, words in by_class.get(type(declared), ()):
                    self.typing.known(declared, getattr(declared, field), words, field)

    def _sizes(self) -> None:
        for group in _groups(self.program):
            if len(group) > MOST_DECLARED:
                raise UnsoundError(
                    self.program, f"{len(group)} declarations of a sort are too many"
                )
        p = self.program
        if len(set(p.players)) < len(p.players) or not all(1 <= s <= 30 for s in p.side_sizes):
            raise UnsoundError(
                p, "the numbers of players and the sizes of sides are small, each once"
            )
        for texts in ([p.title], *([a.name, a.text] for a in p.actions)):
            if max(map(len, texts)) > LONGEST_TEXT:
                raise UnsoundError(p, f"a text is longer than {LONGEST_TEXT} characters")
        for action in p.actions:
            named = {piece.param for piece in pieces(action.text)}
            if not action.text.strip() or any(
                param.mode == "some" and param.name not in named for param in action.params
            ):
                raise UnsoundError(action, "the text of an action names the cards that it takes")

    def _type(self, node: Any, kind: str) -> None:
        if not is_type(kind, self.typing.tables):
            raise UnsoundError(node, f"there is no type `{kind[:80]}`")

    def _of_type(self, node: Expr, names: Names, kind: str) -> None:
        """Checks an expression that gives what is declared: a thing, or a list of such things."""
        self._type(node, kind)
        self.typing.want_declared(node, names, kind)

    # ---- declarations

    def _pack(self, pack: d.Pack) -> None:
        self.typing.want(pack.packs, {}, "number")
        self.typing.want(pack.jokers, {}, "number")
        if not 1 <= len(pack.ranks) <= 13:
            raise UnsoundError(
                pack, "the ranks of a pack are its lowest and its highest, or a list"
            )

    def _table(self, table: d.Table) -> None:
        columns = dict(table.columns)
        for kind in columns.values():
            self._type(table, kind)
        if len(columns) < len(table.columns):
            raise UnsoundError(table, "a column is named twice")
        names: Names = {Marker.CARD: "card"} if table.form == "card" else {}
        looked_at: Names = {Marker.MELD: "meld"} if table.form == "sorts" else names
        for row in table.rows:
            if isinstance(row.key, int) and abs(row.key) > LARGEST:
                raise UnsoundError(row, f"{row.key} is too large")
            if row.condition is not None:
                self.typing.want(row.condition, looked_at, "yes_no")
            for column, cell in row.cells:
                self.typing.want(cell, names, self.typing.known(row, column, columns, "column"))
            wanted = {"number": int, "band": int, "sorts": str, "lists": str}.get(table.form)
            if wanted is not None and row.key is not None and type(row.key) is not wanted:
                raise UnsoundError(row, f"`{row.key}` is no key of such a table")
            if row.key is None and table.form in ("number", "sorts", "lists"):
                raise UnsoundError(row, "a row has a key")
        if table.form in ("number", "band", "card") and list(columns) != [""]:
            raise UnsoundError(table, "such a table has one column without a name")
        if table.each_more is not None:
            self.typing.want(table.each_more, {}, "number")
        keys = [row.key for row in table.rows]
        if table.form in ("sorts", "lists") and len(set(keys)) < len(keys):
            raise UnsoundError(table, "a row is named twice")

    def _memory(self, memory: d.Memory) -> None:
        own = self.built_in.get(memory.name, memory)
        if replace(memory, origin=None) != replace(own, origin=None):
            raise UnsoundError(memory, f"`{memory.name}` is kept otherwise in every game")
        self._type(memory, memory.type)
        if memory.initial is not None:
            names = dict(self.player)
            if memory.owner != "none":
                names[memory.owner] = memory.owner
            self._of_type(memory.initial, names, memory.type)

    def _kind(self, kind: d.MeldKind) -> None:
        for low, high in (kind.naturals, kind.wilds, kind.size):
            if not 0 <= low <= MOST_IN_A_MELD or (high is not None and not low <= high):
                raise UnsoundError(kind, f"{low}..{high} is no range of numbers of cards")
        if not all(1 <= size <= MOST_IN_A_MELD for size in kind.groups):
            raise UnsoundError(kind, "a group has 1 card at least")
        if (kind.shape == "groups") != bool(kind.groups) or len(kind.groups) > 13:
            raise UnsoundError(kind, "sizes of groups are given for groups, and for no other shape")
        for condition in (kind.cards, *kind.contains):
            self.typing.want(condition, {Marker.CARD: "card"}, "yes_no")
        if kind.condition is not None:
            self.typing.want(kind.condition, {Marker.MELD: "meld"}, "yes_no")
        wild = self.typing.definitions.get(WILD)
        if wild is not None and ([t for _, t in wild.params], wild.type) != (["card"], "yes_no"):
            raise UnsoundError(wild, "`wild` is a class of cards")

    # ---- what happens in a step

    def _steps(self) -> None:
        p = self.program
        for action in p.actions:
            for param in action.params:
                self._param(param)
            self._each_known(action, action.phases, self.typing.phases, "phase")
            after = self.effects.check(action.effects, self._in_action(action.name))
            self.behind[action.name] = after
        for moment in p.moments:
            self._behind(moment.name)
        for rule in p.rules:
            self._rule(rule)
        for allowance in p.allowances:
            self._each_known(allowance, allowance.actions, self.typing.actions, "action")
            self._each_known(allowance, allowance.phases, self.typing.phases, "phase")
            names = _common([self._in_action(name) for name in allowance.actions])
            self._conditions(names, allowance.when, allowance.unless)
            self._sentence(allowance.sentence, names)
        for line in p.scores:
            names = {line.owner: line.owner}
            self.typing.want(line.gives, names, "number")
            self._conditions(names, line.when, line.unless)
            self._sentence(line.sentence, names)

    def _param(self, param: d.Param) -> None:
        self._type(param, param.type)
        element = elements_of(self.typing.of(param.domain, self.player))
        if not fits(element, elements_of(param.type)):
            raise UnsoundError(param, f"{param.type} cannot be chosen among {element}s")
        if (param.mode == "some") != (elements_of(param.type) != param.type):
            raise UnsoundError(param, f"`{param.mode}` does not go with the type {param.type}")
        if param.source is not None:
            self.effects.zone(param.source, self.player)

    def _in_action(self, name: str) -> Names:
        return {**self.player, **self.params[name]}

    def _behind(self, name: str) -> Names:
        """The names of a step after an action or moment has happened; checks the moment."""
        if name not in self.behind:
            moment = self.moments[name]
            self.behind[name] = self.player  # where moments hang on each other
            self.within[name] = names = self._in_moment(moment)
            self._conditions(names, moment.when)
            self.behind[name] = self.effects.check(moment.effects, names)
        return self.behind[name]

    def _in_moment(self, moment: d.Moment) -> Names:
        """The names that a moment may read: those of all that it hangs on."""
        trigger, typing = moment.trigger, self.typing
        if trigger.kind in ("start", "end"):
            typing.known(moment, trigger.period, ("turn", "deal"), "period")
        self._each_known(
            moment, trigger.targets, typing.actions | typing.moments, "action or moment"
        )
        if trigger.kind == "after":
            return _common([self._behind(target) for target in trigger.targets]) or self.player
        if trigger.kind == "before":
            return _common(
                [
                    self._in_action(target) if target in self.params else self.player
                    for target in trigger.targets
                ]
            )
        return self.player

    def _rule(self, rule: d.Rule) -> None:
        self._each_known(rule, rule.actions, self.typing.actions, "action")
        self._each_known(rule, rule.moments, self.typing.moments, "moment")
        self._each_known(rule, rule.kinds, self.typing.kinds, "kind of meld")
        places = [self._in_action(name) for name in rule.actions]
        places += [self.within[name] for name in rule.moments]
        if rule.end_of_turn:
            places.append(self.player)
        if rule.kinds:
            places.append({**self.player, Marker.MELD: "meld", Marker.NEW: "cards"})
        names = _common(places)
        self._conditions(names, rule.requires, rule.when, rule.unless)
        self._sentence(rule.sentence, names)

    def _conditions(self, names: Names, *conditions: Expr | None) -> None:
        for condition in conditions:
            if condition is not None:
                self.typing.want(condition, names, "yes_no")

    def _sentence(self, sentence: d.Sentence, names: Names) -> None:
        for piece in sentence:
            if isinstance(piece, d.Value):
                self._of_type(piece.expr, names, piece.type)

    def _each_known(self, node: Any, words: Iterable[str], among: Any, what: str) -> None:
        for word in words:
            self.typing.known(node, word, among, what)


def _groups(program: d.Program) -> Iterator[tuple[Any, ...]]:
    """All declarations that have words or could be too many, by their sort."""
    p = program
    yield from (p.settings, p.tables, p.zones, p.memories, p.phases, p.definitions, p.kinds)
    yield from (p.actions, p.moments, p.rules, p.allowances, p.scores)
    yield from (table.rows for table in p.tables)
    yield from (action.params for action in p.actions)
    yield tuple(moment.trigger for moment in p.moments)


def _common(scopes: list[Names]) -> Names:
    """The names that stand for the same in all of some scopes."""
    first, *others = scopes or [{}]
    return {
        name: kind
        for name, kind in first.items()
        if all(other.get(name) == kind for other in others)
    }
