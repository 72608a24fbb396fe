"""Tables by card: cards that are looked up and stand in no row."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TypeAlias

from meldc.check.deciding import refuses
from meldc.check.inspection import Inspection, labels
from meldc.check.naming import cards_named
from meldc.check.ownership import taken_away
from meldc.check.packs import span_of
from meldc.check.possible.domain import CARDS
from meldc.check.possible.judge import Judge
from meldc.check.walk import walk
from meldc.resolve import model
from meldc.source import Span
from meldc_runtime.light import dataclass
from meldc_runtime.program import expressions as x
from meldc_runtime.program.declarations import (
    Action,
    Moment,
    Origin,
    Rule,
    ScoreLine,
    Table,
)
from meldc_runtime.program.effects import Become, Branch, ForEach, Let
from meldc_runtime.program.nodes import Node, children

Cards: TypeAlias = Mapping[str, set[int]]
"""The faces that variables can be, as far as it is known."""


@dataclass(frozen=True, slots=True)
class Asked:
    """A table asked for some cards. firm: without an answer more is nothing than the answer."""

    table: str
    faces: frozenset[int]
    firm: bool
    origin: Origin | None


def check_uncovered(inspection: Inspection) -> None:
    """Warns of cards that a table by card says nothing of, and is asked for.

    Where what is nothing counts 0, or does nothing, a table may well name a few cards only: it is
    told when more than half of the cards asked for have a row, as where one was forgotten.
    """
    tables = {each.name: each for each in inspection.program.tables if each.form == "card"}
    tables.pop("values", None)
    for name in sorted(_asked_openly(inspection.nodes) & tables.keys()) if tables else ():
        missing: set[int] = set()
        places: list[Origin | None] = []
        for judge in inspection.judges:
            for asked in _Looking(judge, name).asked():
                faces = _without_row(judge, judge.tables[name], asked)
                if faces:
                    missing |= faces
                    places.append(asked.origin)
        if missing:
            _report(inspection, name, missing, places)


def _asked_openly(nodes: tuple[object, ...]) -> set[str]:
    """Tables that are asked somewhere without a word, right behind it, for what is not there."""
    spared = {
        id(option)
        for node in nodes
        if isinstance(node, x.Otherwise)
        for option in node.options[:-1]
    }
    return {node.table for node in nodes if isinstance(node, x.Lookup) and id(node) not in spared}


def _without_row(judge: Judge, table: Table, asked: Asked) -> set[int]:
    faces = asked.faces & set(judge.pack)
    missing = {face for face in faces if judge.of_card(table, face).few == frozenset((None,))}
    if not asked.firm and 2 * len(missing) >= len(faces):
        return set()
    return missing


def _report(
    inspection: Inspection, name: str, missing: set[int], places: list[Origin | None]
) -> None:
    given = inspection.model.tables[name]
    asking = span_of(places[0])
    place = _place(inspection, given)
    if place is None and asking is not None and _is_authors(inspection, places[0]):
        place = asking
    if place is None:
        return
    cards = cards_named(missing, inspection.judges[0].pack)
    words = f"`{name}` has no row for {cards}" if given.rows else f"`{name}` has no rows"
    inspection.warn(
        "MC0627",
        words,
        place,
        "its last row" if given.rows and place == _last_own(inspection, given) else "",
        secondary=labels((asking if asking != place else None, "asked for them here")),
        help=(f"add rows for them, or say what holds without one: `{name}[…] otherwise 0`",),
    )


def _place(inspection: Inspection, given: model.Table) -> Span | None:
    """What the game itself said of the table or the pack, or took away."""
    pack = inspection.model.pack
    causes = [c for c in (pack.jokers, pack.ranks) if c is not None and inspection.is_own(c.steps)]
    declared = given.entry
    return next(
        (
            span
            for span in (
                _last_own(inspection, given),
                *taken_away(inspection.model, f"{given.name}."),
                *(cell.span for cell in causes),
                declared.declaration.name.span
                if declared is not None and inspection.is_authored(declared.steps)
                else None,
            )
            if span is not None
        ),
        None,
    )


def _last_own(inspection: Inspection, given: model.Table) -> Span | None:
    own = [row.span for row in given.rows if inspection.is_own(row.steps)]
    return own[-1] if own else None


def _is_authors(inspection: Inspection, origin: Origin | None) -> bool:
    """Whether a declaration is the game's own, or stands in a machine of the author's."""
    declared = inspection.model.declarations
    groups = (declared.actions, declared.moments, declared.rules, declared.scores)
    return any(
        inspection.is_authored(entry.steps)
        for group in groups
        for entry in group.values()
        if origin is not None
        and (span := entry.declaration.span).file == origin.file
        and span.line == origin.line
    )


# ---- what a table is asked for -----------------------------------------------------------------


class _Looking:
    """Goes through a Program and finds where a table is asked for cards, and for which."""

    def __init__(self, judge: Judge, table: str) -> None:
        self._judge = judge
        self._table = table
        self._seen: set[object] = set()
        self._tested: set[x.Expr] = set()
        self._memories: dict[str, set[int] | None] = {}
        self._origin: Origin | None = None

    def asked(self) -> Iterator[Asked]:
        program = self._judge.program
        self._tested = {node.operand for node in walk(program) if isinstance(node, x.IsSomething)}
        parts: tuple[Action | Moment | Rule | ScoreLine, ...] = (
            *program.actions,
            *program.moments,
            *program.rules,
            *program.scores,
        )
        for part in parts:
            self._origin = part.origin
            cards = _chosen(self._judge, part) if isinstance(part, Action) else {}
            yield from self._all(tuple(children(part)), cards)

    def _look(self, node: Node, cards: Cards, *, firm: bool) -> Iterator[Asked]:
        """firm: whether more becomes nothing with this."""
        if self._tested and node in self._tested:
            return
        match node:
            case x.Lookup(name, key) if name == self._table:
                faces = self._faces(key, cards)
                if faces:
                    yield Asked(self._table, frozenset(faces), firm, self._origin)
            case x.Otherwise(options):
                yield from self._look(options[-1], cards, firm=firm)
            case x.Arith() | Become():
                yield from self._below(node, cards, firm=True)
            case (
                x.Filter(source, var)
                | x.Count(source, var)
                | x.Exists(source, var)
                | x.ForAll(source, var)
                | x.Sum(source, var)
                | x.Best(source, var)
                | x.Unmelded(source, var)
            ):
                yield from self._query(node, source, var, cards)
            case x.And(operands) | x.Or(operands):
                for each in operands:
                    others = [other for other in operands if other is not each]
                    holding = isinstance(node, x.And)
                    yield from self._look(each, self._given(cards, others, holding), firm=False)
            case x.If(condition, then, other):
                yield from self._look(condition, cards, firm=False)
                yield from self._look(then, self._given(cards, [condition], True), firm=firm)
                yield from self._look(other, self._given(cards, [condition], False), firm=firm)
            case x.Apply(name, arguments):
                yield from self._apply(name, arguments, cards, firm=firm)
            case ForEach(var, source, body):
                inner = self._with(cards, var, source)
                yield from self._look(source, cards, firm=False)
                yield from self._all(body, inner)
            case Branch(condition, then_, other_):
                yield from self._look(condition, cards, firm=False)
                yield from self._all(then_, self._given(cards, [condition], True))
                yield from self._all(other_, self._given(cards, [condition], False))
            case x.Compare():
                yield from self._below(node, cards, firm=False)
            case _:
                yield from self._below(node, cards, firm=firm)

    def _below(self, node: Node, cards: Cards, *, firm: bool) -> Iterator[Asked]:
        for each in children(node):
            yield from self._look(each, cards, firm=firm)

    def _all(self, parts: tuple[Node, ...], cards: Cards) -> Iterator[Asked]:
        """One after the other; what a `let` names is known to those behind it."""
        for each in parts:
            yield from self._look(each, cards, firm=False)
            if isinstance(each, Let):
                faces = self._faces(each.value, cards)
                cards = cards if faces is None else {**cards, each.name: faces}

    def _query(self, node: Node, source: x.Expr, var: str, cards: Cards) -> Iterator[Asked]:
        yield from self._look(source, cards, firm=False)
        inner = self._with(cards, var, source)
        for each in children(node):
            if each is not source:
                yield from self._look(each, inner, firm=False)

    def _apply(
        self, name: str, arguments: tuple[x.Expr, ...], cards: Cards, *, firm: bool
    ) -> Iterator[Asked]:
        definition = self._judge.definitions[name]
        inner: dict[str, set[int]] = {}
        for (param, _), argument in zip(definition.params, arguments, strict=True):
            yield from self._look(argument, cards, firm=firm)
            faces = self._faces(argument, cards)
            if faces is not None:
                inner[param] = faces
        known = (name, firm, *((param, frozenset(faces)) for param, faces in inner.items()))
        if known not in self._seen:
            self._seen.add(known)
            yield from self._look(definition.body, inner, firm=firm)

    # ---- the cards that something can be

    def _faces(self, card: x.Expr, cards: Cards) -> set[int] | None:
        match card:
            case x.Var(name):
                return cards.get(name)
            case x.Top(source) | x.Bottom(source) | x.Nth(source) | x.First(source):
                return self._judge.faces(source)
            case x.Best(source):
                return self._judge.faces(source)
            case x.Remembered(memory):
                return self._remembered(memory)
            case _:
                return None

    def _remembered(self, memory: str) -> set[int] | None:
        """The cards that a memory can hold, by all that is written into it."""
        if memory not in self._memories:
            self._memories[memory] = None  # unknown, where one is written into the other
            written = [
                self._faces(node.value, {})
                for node in walk((self._judge.program.actions, self._judge.program.moments))
                if isinstance(node, Become) and node.memory == memory
            ]
            known = [faces for faces in written if faces is not None]
            if known and len(known) == len(written):
                self._memories[memory] = set().union(*known)
        return self._memories[memory]

    def _with(self, cards: Cards, var: str, source: x.Expr) -> Cards:
        faces = cards.get(source.name) if isinstance(source, x.Var) else self._judge.faces(source)
        others = {name: each for name, each in cards.items() if name != var}
        return others if faces is None else {**others, var: faces}

    def _given(self, cards: Cards, conditions: list[x.Expr], holding: bool) -> Cards:
        """The cards where conditions hold, or none of them does."""
        refuted = not holding
        return {
            name: {
                face
                for face in faces
                if all(
                    self._judge.truth(each, {name: CARDS[face]}) is not refuted
                    for each in conditions
                )
            }
            for name, faces in cards.items()
        }


def _chosen(judge: Judge, action: Action) -> dict[str, set[int]]:
    """The cards that can be chosen in an action: those that no firm rule always refuses."""
    found: dict[str, set[int]] = {}
    for param in action.params:
        faces = judge.faces(param.domain)
        if faces is not None:
            found[param.name] = {
                face
                for face in faces
                if not any(
                    judge.truth(refuses(rule), {param.name: CARDS[face]}) is True
                    for rule in judge.program.rules
                    if action.name in rule.actions and not rule.soft
                )
            }
    return found
