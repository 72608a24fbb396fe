"""What the nodes of an action say about how its plays are listed."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from meldc_runtime.light import dataclass
from meldc_runtime.program import expressions as x
from meldc_runtime.program.applied import walk_through
from meldc_runtime.program.declarations import Action, Program, Rule
from meldc_runtime.program.effects import LayMeld
from meldc_runtime.table import Table
from meldc_runtime.writing.nodes import walk


@dataclass(frozen=True, slots=True, eq=False)
class Form:
    """What the nodes of an action say about how its plays are listed.

    cards: the parameter of mode `some`. onto, kind: parameters that name the meld or kind that
    cards are laid in. alone: whether the cards laid are those of `cards` only. exactly: the number
    of cards that a rule demands. rules: firm rules about the action, by how many parameters must be
    known to judge them. late: firm rules that look ahead. another: soft rules that bind while
    another choice will do, the weightiest first. marked: whether a rule allows the action only
    where the turn cannot end otherwise. reads_arguments: whether a firm rule that does not look
    ahead reads parameters. apart: by parameter, whether its domain hangs on no other.
    """

    index: int
    action: Action
    lay: LayMeld | None
    cards: str | None
    onto: str | None
    kind: str | None
    alone: bool
    exactly: x.Expr | None
    rules: tuple[tuple[str, ...], ...]
    late: tuple[str, ...]
    another: tuple[str, ...]
    marked: bool
    names: tuple[str, ...]
    reads_arguments: bool
    apart: tuple[bool, ...]

    @property
    def cards_place(self) -> int:
        """The place of the parameter `cards` among the arguments."""
        return self.names.index(self.cards or "")

    @property
    def adds(self) -> bool:
        return (
            self.lay is not None and self.cards is not None and self.alone and self.onto is not None
        )

    @property
    def starts(self) -> bool:
        return (
            self.lay is not None
            and self.cards is not None
            and self.alone
            and self.kind is not None
            and self.onto is None
        )


def forms_of(table: Table) -> list[Form]:
    """The forms of all actions of a Table."""
    late = looking_ahead(table.program)
    return [_form(table, index, action, late) for index, action in enumerate(table.program.actions)]


def _form(table: Table, index: int, action: Action, late: frozenset[str]) -> Form:
    lay = next((effect for effect in action.effects if isinstance(effect, LayMeld)), None)
    names = tuple(param.name for param in action.params)
    cards = next((param.name for param in action.params if param.mode == "some"), None)
    onto = kind = None
    alone = False
    if lay is not None:
        onto = lay.onto.name if isinstance(lay.onto, x.Var) and lay.onto.name in names else None
        kind = lay.kind.name if isinstance(lay.kind, x.Var) and lay.kind.name in names else None
        alone = len(lay.parts) == 1 and lay.parts[0].cards == x.Var(cards or "")
    about = [
        rule
        for rule in table.program.rules
        if action.name in rule.actions and rule.name not in table.code.never_broken
    ]
    firm = [rule for rule in about if not rule.soft]
    stages: list[list[str]] = [[] for _ in range(len(names) + 1)]
    for rule in firm:
        if rule.name not in late:
            stages[_params_read(rule, names)].append(rule.name)
    return Form(
        index,
        action,
        lay,
        cards,
        onto,
        kind,
        alone,
        _exact_count(firm, cards),
        tuple(map(tuple, stages)),
        tuple(rule.name for rule in firm if rule.name in late),
        tuple(rule.name for rule in about if rule.soft == "another"),
        any(rule.soft == "otherwise" for rule in about),
        names,
        any(stages[1:]),
        tuple(variables(param.domain).isdisjoint(names) for param in action.params),
    )


def _params_read(rule: Rule, names: tuple[str, ...]) -> int:
    """How many parameters, from the left, must be known to judge a rule."""
    read = {name for part in _parts(rule) for name in variables(part)}
    return max((position + 1 for position, name in enumerate(names) if name in read), default=0)


def _parts(rule: Rule) -> Iterator[x.Expr]:
    yield from (part for part in (rule.requires, rule.when, rule.unless) if part is not None)


def _exact_count(rules: list[Rule], cards: str | None) -> x.Expr | None:
    """The number of cards that an unconditional rule `requires count(CARDS) = N` demands."""
    for rule in rules:
        if rule.when is not None or rule.unless is not None:
            continue
        match rule.requires:
            case x.Compare(
                op="=", left=x.Count(source=x.Var(name=name), where=None), right=number
            ) if name == cards:
                return number
            case _:
                pass
    return None


def looking_ahead(program: Program) -> frozenset[str]:
    """The rules that ask about plays to come."""
    return frozenset(
        rule.name
        for rule in program.rules
        if any(
            isinstance(node, (x.Can, x.Only)) for node in walk_through(program, tuple(_parts(rule)))
        )
    )


def variables(node: Any) -> set[str]:
    """The names that a node reads (those it binds itself included)."""
    return {part.name for part in walk(node) if isinstance(part, x.Var)}
