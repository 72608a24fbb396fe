"""Expressions as Python text.

`value` gives the value (None for nothing), `truth` something true or false, `parts` the conditions
under which there is a value beside the value itself, so that most questions after nothing cost one
test.
"""

from __future__ import annotations

import re
from dataclasses import field, replace
from typing import TYPE_CHECKING

from meldc_runtime.light import dataclass
from meldc_runtime.program import expressions as x
from meldc_runtime.writing.writer import bare

if TYPE_CHECKING:
    from meldc_runtime.writing.module import Module

SIMPLE = re.compile(r"[A-Za-z_]\w*(\.\w+)*(\[\w+\])?$")
CARD_TYPES = ("card", "cards", "list:card")
OPERATORS = {"=": "==", "!=": "!=", "<": "<", "<=": "<=", ">": ">", ">=": ">="}

Parts = tuple[list[str], str, bool]
"""Conditions, the value where they hold, whether it may be None all the same."""


@dataclass(frozen=True)
class Scope:
    """Names in reach: name -> Python name; those that may be nothing; cards without marks; lists.
    walrus: whether a value may be kept on the way (not in what a comprehension runs over).
    """

    names: dict[str, str]
    nullable: frozenset[str] = frozenset()
    plain: frozenset[str] = frozenset()
    lists: frozenset[str] = frozenset()
    walrus: bool = True
    counter: list[int] = field(default_factory=lambda: [0])

    def fresh(self, letter: str) -> str:
        self.counter[0] += 1
        return f"{letter}{self.counter[0]}"

    def bind(self, name: str, python: str, plain: bool = False) -> Scope:
        return replace(
            self,
            names={**self.names, name: python},
            nullable=self.nullable - {name},
            plain=self.plain | {name} if plain else self.plain - {name},
            lists=self.lists - {name},
        )

    def within_source(self) -> Scope:
        return replace(self, walrus=False)


class Readings:
    """The three readings of an expression, and logic; the subclasses write what stands below."""

    def __init__(self, module: Module) -> None:
        self.module = module
        self.table = module.table
        self.facts = module.facts

    # ---- the three readings

    def value(self, e: x.Expr, sc: Scope) -> str:
        guards, value, _ = self.parts(e, sc)
        return f"({value} if {' and '.join(guards)} else None)" if guards else value

    def truth(self, e: x.Expr, sc: Scope) -> str:
        table = self._face_test(e, sc)
        if table is not None:
            return table
        match e:
            case x.Not(operand):
                return self._denial(operand, sc)
            case x.And(operands):
                return f"({' and '.join(self.truth(o, sc) for o in operands)})"
            case x.Or(operands):
                return f"({' or '.join(self.truth(o, sc) for o in operands)})"
            case x.If(condition, then, otherwise):
                either = [self.truth(one, sc) for one in (then, condition, otherwise)]
                return f"({either[0]} if {either[1]} else {either[2]})"
            case x.Compare():
                return self._comparison(e, sc)
            case x.IsSomething(operand):
                guards, value, still = self.parts(operand, sc)
                tests = [*guards, *([f"{value} is not None"] if still else [])]
                return f"({' and '.join(tests)})" if tests else "True"
            case x.Exists():
                return self._existence(e, sc)
            case x.Apply() | x.CardAttr():
                guards, value, _ = self.parts(e, sc)
                return f"({' and '.join([*guards, value])})" if guards else value
        return self.value(e, sc)

    def parts(self, e: x.Expr, sc: Scope) -> Parts:
        if isinstance(e, x.Const):
            return [], repr(e.value), e.value is None
        table = self._face_value(e, sc)
        if table is not None:
            return table
        return getattr(self, "_" + type(e).__name__.lower())(e, sc)  # type: ignore[no-any-return]

    def firm(self, e: x.Expr, sc: Scope) -> tuple[list[str], str]:
        """Conditions under which there is a value, and the value."""
        guards, value, still = self.parts(e, sc)
        if not still:
            return guards, value
        if SIMPLE.match(value) or not sc.walrus:
            return [*guards, f"{value} is not None"], value
        name = sc.fresh("t")
        return [*guards, f"({name} := {value}) is not None"], name

    def yes_no(self, e: x.Expr, sc: Scope) -> str:
        """A condition as True or False, to be kept or compared."""
        text = self.truth(e, sc)
        clean = self._clean(e) or (isinstance(e, x.IsSomething) and text.endswith("is not None)"))
        return text if clean and " and " not in text else f"bool({bare(text)})"

    def _clean(self, e: x.Expr) -> bool:
        """Whether the truth of an expression is written as True or False, and nothing else."""
        if isinstance(e, (x.And, x.Or)):
            return all(self._clean(operand) for operand in e.operands)
        return self.facts.exact(e) and not isinstance(e, (x.Exists, x.IsSomething))

    def listing(self, e: x.Expr, sc: Scope) -> str:
        """A value as something to run over."""
        raise NotImplementedError

    def _existence(self, e: x.Exists, sc: Scope) -> str:
        raise NotImplementedError

    # ---- tables by face

    def _face_table(self, e: x.Expr, var: str) -> str | None:
        """The tuple by face of an expression about a card, where there is one."""
        memories = self.facts.by_face(e, var)
        return None if memories is None else self.module.face_table(e, var, memories)

    def _only_name(self, e: x.Expr) -> str | None:
        names = self.module.folding.free_names(e)
        return next(iter(names)) if len(names) == 1 else None

    def _face_test(self, e: x.Expr, sc: Scope) -> str | None:
        if not isinstance(e, (x.Not, x.And, x.Or, x.Compare, x.Member, x.Apply)):
            return None
        name = self._only_name(e)
        if name is None or name in sc.nullable or name in sc.lists or name not in sc.names:
            return None
        if isinstance(e, x.Apply) and self.table.definitions[e.definition].type != "yes_no":
            return None
        table = self._face_table(e, name)
        return None if table is None else f"{table}[{self._face(sc.names[name], name, sc)}]"

    def _face_value(self, e: x.Expr, sc: Scope) -> Parts | None:
        """The value of `value`, a definition or a table by card for any card, by its tuple."""
        card: x.Expr
        match e:
            case x.CardAttr(card, "value"):
                template: x.Expr = x.CardAttr(x.Var("card"), "value")
            case x.Lookup(table, card) if self.table.tables[table].form == "card":
                template = x.Lookup(table, x.Var("card"))
            case x.Apply(definition, (card,)) if (
                self.table.definitions[definition].params[0][1] == "card"
            ):
                template = x.Apply(definition, (x.Var("card"),))
            case _:
                return None
        name = self._face_table(template, "card")
        if name is None:
            return None
        guards, value = self.firm(card, sc)
        face = value if not self.facts.marked(card, sc.plain) else f"{value} & 63"
        return guards, f"{name}[{face}]", self.facts.nullable(template)

    def _face(self, python: str, name: str, sc: Scope) -> str:
        return python if name in sc.plain else f"{python} & 63"

    def _card_face(self, e: x.Expr, value: str, sc: Scope) -> str:
        return f"({value} & 63)" if self.facts.marked(e, sc.plain) else value

    # ---- logic and arithmetic

    def _logic(self, e: x.Expr, sc: Scope) -> Parts:
        return [], self.yes_no(e, sc), False

    _not = _and = _or = _compare = _exists = _issomething = _logic

    def _denial(self, operand: x.Expr, sc: Scope) -> str:
        match operand:
            case x.IsSomething(inner):
                guards, value, still = self.parts(inner, sc)
                if not guards:
                    return f"({value} is None)" if still else "False"
        return f"(not {self.truth(operand, sc)})"

    def _comparison(self, e: x.Compare, sc: Scope) -> str:
        if e.op in ("=", "!="):
            return self._equal(e, sc)
        left_guards, left = self.firm(e.left, sc)
        right_guards, right = self.firm(e.right, sc)
        tests = [*left_guards, *right_guards, f"{left} {OPERATORS[e.op]} {right}"]
        return f"({' and '.join(tests)})"

    def _equal(self, e: x.Compare, sc: Scope) -> str:
        left_guards, left, left_still = self._comparable(e.left, e.cards, sc)
        right_guards, right, right_still = self._comparable(e.right, e.cards, sc)
        guards = [*left_guards, *right_guards]
        both = left_still and right_still
        if e.op == "!=" and not guards and not both:
            return f"({left} != {right})"
        test = f"{left} == {right} is not None" if both else f"{left} == {right}"
        text = f"({' and '.join([*guards, test])})"
        return text if e.op == "=" else f"(not {text})"

    def _comparable(self, e: x.Expr, cards: bool, sc: Scope) -> Parts:
        if cards:
            guards, value, still = self.parts(e, sc)
            if not self.facts.marked(e, sc.plain):
                return guards, value, still
            guards, value = self.firm(e, sc)
            return guards, f"({value} & 63)", False
        if isinstance(e, (x.And, x.Or, x.Not, x.Exists, x.Compare)):
            return [], self.yes_no(e, sc), False
        return self.parts(e, sc)

    def _arith(self, e: x.Arith, sc: Scope) -> Parts:
        left_guards, left = self.firm(e.left, sc)
        right_guards, right = self.firm(e.right, sc)
        text = f"{e.op}({left}, {right})" if e.op in ("min", "max") else f"({left} {e.op} {right})"
        return [*left_guards, *right_guards], text, False

    def _remainder(self, e: x.Remainder, sc: Scope) -> Parts:
        return [], f"{self._divided(e, sc)}[1]", True

    def _quotient(self, e: x.Quotient, sc: Scope) -> Parts:
        return [], f"{self._divided(e, sc)}[0]", True

    def _divided(self, e: x.Remainder | x.Quotient, sc: Scope) -> str:
        return f"divided({bare(self.value(e.left, sc))}, {bare(self.value(e.right, sc))})"

    def _if(self, e: x.If, sc: Scope) -> Parts:
        then, otherwise = self.value(e.then, sc), self.value(e.otherwise, sc)
        text = f"({then} if {bare(self.truth(e.condition, sc))} else {otherwise})"
        return [], text, self.facts.nullable(e, sc.nullable)

    def _otherwise(self, e: x.Otherwise, sc: Scope) -> Parts:
        *first, last = e.options
        text = self.value(last, sc)
        for option in reversed(first):
            guards, value = self.firm(option, sc)
            text = f"({value} if {' and '.join(guards)} else {text})" if guards else value
        return [], text, self.facts.nullable(e, sc.nullable)


def offset(base: int, owner: str) -> str:
    if owner.isdecimal():
        return str(base + int(owner))
    return bare(owner) if base == 0 else f"{base} + {owner}"


def or_empty(guards: list[str], text: str) -> str:
    return f"({text} if {' and '.join(guards)} else ())" if guards else text
