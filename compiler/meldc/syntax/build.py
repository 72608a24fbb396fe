"""From Lark's parse tree to the surface tree, rule by rule of the grammar."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, cast

from lark import v_args
from lark.tree import Meta

from meldc.diagnostics import Label, error
from meldc.source import Span
from meldc.syntax import tree
from meldc.syntax.build_expressions import Children, ExpressionBuilder
from meldc_runtime.light import dataclass

# What begins an effect could not be changed by one.
EFFECT_WORDS = frozenset(("let", "move", "meld", "go", "shuffle", "redeal", "for"))


@dataclass(frozen=True, slots=True)
class _When:
    span: Span
    condition: tree.Expression


@dataclass(frozen=True, slots=True)
class _Unless:
    span: Span
    condition: tree.Expression


@v_args(meta=True)
class Builder(ExpressionBuilder):
    """Builds the nodes of declarations; those of expressions are inherited."""

    # ---- top level

    def header(self, meta: Meta, children: Children) -> tree.Header:
        word, name, title = children
        return tree.Header(self._span(meta), word, self._word(name), self._text(title))

    def _keyword(self, _meta: Meta, children: Children) -> str:
        return " ".join(children)

    head_word = category = table_key = visibility = begins = period = boundary = _keyword
    only = holds = _keyword

    def names(self, _meta: Meta, children: Children) -> tuple[tree.Word, ...]:
        return tuple(self._word(token) for token in children)

    tags = choices = names

    def use(self, meta: Meta, children: Children) -> tree.Use:
        return tree.Use(self._span(meta), children[0])

    def removals(self, _meta: Meta, children: Children) -> tuple[tree.Removal, ...]:
        return tuple(children)

    def removal(self, meta: Meta, children: Children) -> tree.Removal:
        category, name = children
        return tree.Removal(self._span(meta), category, self._word(name))

    def replaced(self, meta: Meta, children: Children) -> tree.NamedDeclaration:
        named = cast(tree.NamedDeclaration, children[0])
        return replace(named, replace=True, span=self._span(meta))

    # ---- what a variant sets, what the game keeps

    def setting(self, meta: Meta, children: Children) -> tree.SettingDecl:
        name, tags, value, about = children
        is_choice = isinstance(value, tuple)
        return tree.SettingDecl(
            self._span(meta),
            False,
            self._new_word(name),
            tags or (),
            choices=value if is_choice else (),
            value=None if is_choice else value,
            about=self._text(about),
        )

    def table(self, meta: Meta, children: Children) -> tree.TableDecl:
        name, tags, form, about = children
        text = about and self._text(about)
        return tree.TableDecl(self._span(meta), False, self._new_word(name), tags or (), form, text)

    def keyed(self, meta: Meta, children: Children) -> tree.Keyed:
        return tree.Keyed(self._span(meta), children[0])

    def sorts(self, meta: Meta, children: Children) -> tree.Sorts:
        word, columns = children
        return tree.Sorts(self._span(meta), self._word(word), columns or ())

    def lists(self, meta: Meta, children: Children) -> tree.Lists:
        word, columns = children
        return tree.Lists(self._span(meta), self._word(word), columns or ())

    def _all(self, _meta: Meta, children: Children) -> tuple[Any, ...]:
        return tuple(children)

    columns = parameters = arguments = subjects = effects = _all

    def column(self, meta: Meta, children: Children) -> tree.Column:
        name, default = children
        return tree.Column(self._span(meta), self._new_word(name), default, None)

    def typed_column(self, meta: Meta, children: Children) -> tree.Column:
        name, type_name = children
        return tree.Column(self._span(meta), self._new_word(name), None, self._word(type_name))

    def zone(self, meta: Meta, children: Children) -> tree.ZoneDecl:
        name, owner, tags, visibility, holds, about = children
        return tree.ZoneDecl(
            self._span(meta),
            False,
            self._new_word(name),
            tags or (),
            owner,
            visibility,
            holds is not None,
            about and self._text(about),
        )

    def phase(self, meta: Meta, children: Children) -> tree.PhaseDecl:
        name, tags, begins, about = children
        return tree.PhaseDecl(
            self._span(meta),
            False,
            self._new_word(name),
            tags or (),
            begins is not None,
            self._text(about),
        )

    def memory(self, meta: Meta, children: Children) -> tree.MemoryDecl:
        name, owner, tags, start, period, about = children
        self._unless_reserved(self._word(name), EFFECT_WORDS)
        is_type = isinstance(start, tree.Word)
        return tree.MemoryDecl(
            self._span(meta),
            False,
            self._new_word(name),
            tags or (),
            owner,
            type_name=start if is_type else None,
            start=None if is_type else start,
            each=period,
            about=about and self._text(about),
        )

    def starts_as_nothing(self, _meta: Meta, children: Children) -> tree.Word:
        return self._word(children[0])

    owner = starts_as_nothing

    def definition(self, meta: Meta, children: Children) -> tree.Definition:
        name, owner, tags, value = children
        return tree.Definition(
            self._span(meta), False, self._new_word(name), tags or (), owner, value
        )

    # ---- what happens

    def action(self, meta: Meta, children: Children) -> tree.ActionDecl:
        name, parameters, text, tags, phases, effects = children
        return tree.ActionDecl(
            self._span(meta),
            False,
            self._new_word(name),
            tags or (),
            parameters or (),
            self._sentence(text),
            phases,
            effects,
        )

    def one_of(self, meta: Meta, children: Children) -> tree.Parameter:
        name, domain = children
        return tree.Parameter(self._span(meta), self._new_word(name), "one", domain)

    def some_of(self, meta: Meta, children: Children) -> tree.Parameter:
        name, domain = children
        return tree.Parameter(self._span(meta), self._new_word(name), "some", domain)

    def moment(self, meta: Meta, children: Children) -> tree.MomentDecl:
        name, tags, trigger, condition, effects = children
        return tree.MomentDecl(
            self._span(meta), False, self._new_word(name), tags or (), trigger, condition, effects
        )

    def at(self, meta: Meta, children: Children) -> tree.AtBoundary:
        return tree.AtBoundary(self._span(meta), *children)

    def after(self, meta: Meta, children: Children) -> tree.After:
        return tree.After(self._span(meta), *children)

    def before(self, meta: Meta, children: Children) -> tree.Before:
        return tree.Before(self._span(meta), *children)

    def let(self, meta: Meta, children: Children) -> tree.Let:
        name, value = children
        return tree.Let(self._span(meta), self._new_word(name), value)

    def move(self, meta: Meta, children: Children) -> tree.Move:
        what, source, target, *diversions = children
        return tree.Move(self._span(meta), what, source, target, tuple(diversions))

    def move_until(self, meta: Meta, children: Children) -> tree.MoveUntil:
        source, target, condition, *diversions = children
        return tree.MoveUntil(self._span(meta), source, target, condition, tuple(diversions))

    def move_under(self, meta: Meta, children: Children) -> tree.MoveUnder:
        return tree.MoveUnder(self._span(meta), *children)

    def diversion(self, meta: Meta, children: Children) -> tree.Diversion:
        card_class, target = children
        return tree.Diversion(self._span(meta), self._word(card_class), target)

    def lay_meld(self, meta: Meta, children: Children) -> tree.LayMeld:
        return tree.LayMeld(self._span(meta), *children)

    def exchange(self, meta: Meta, children: Children) -> tree.Exchange:
        return tree.Exchange(self._span(meta), *children)

    def target(self, meta: Meta, children: Children) -> tree.Target:
        name, owner = children
        return tree.Target(self._span(meta), self._word(name), owner)

    def becomes(self, meta: Meta, children: Children) -> tree.Becomes:
        return tree.Becomes(self._span(meta), *children)

    def gains(self, meta: Meta, children: Children) -> tree.Gains:
        return tree.Gains(self._span(meta), *children)

    def go_to(self, meta: Meta, children: Children) -> tree.GoTo:
        phase, player = children
        return tree.GoTo(self._span(meta), self._word(phase), player)

    def go_back(self, meta: Meta, _children: Children) -> tree.GoBack:
        return tree.GoBack(self._span(meta))

    def end_turn(self, meta: Meta, _children: Children) -> tree.EndTurn:
        return tree.EndTurn(self._span(meta))

    def end_deal(self, meta: Meta, _children: Children) -> tree.EndDeal:
        return tree.EndDeal(self._span(meta))

    def end_game(self, meta: Meta, children: Children) -> tree.EndGame:
        return tree.EndGame(self._span(meta), *children)

    def shuffle(self, meta: Meta, children: Children) -> tree.Shuffle:
        return tree.Shuffle(self._span(meta), *children)

    def redeal(self, meta: Meta, _children: Children) -> tree.Redeal:
        return tree.Redeal(self._span(meta))

    def if_else(self, meta: Meta, children: Children) -> tree.If:
        condition, then, otherwise = children
        return tree.If(self._span(meta), condition, then, otherwise or ())

    def for_each(self, meta: Meta, children: Children) -> tree.ForEach:
        name, over, start, body = children
        return tree.ForEach(self._span(meta), self._new_word(name), over, start, body)

    # ---- what is legal, what it is worth

    def rule(self, meta: Meta, children: Children) -> tree.RuleDecl:
        name, tags, subjects, verdict, *clauses, because = children
        return tree.RuleDecl(
            self._span(meta),
            False,
            self._new_word(name),
            tags or (),
            subjects,
            verdict,
            self._condition(clauses, _When, "when"),
            self._condition(clauses, _Unless, "unless"),
            self._only_one(clauses, tree.Soft, "while"),
            because,
        )

    def score(self, meta: Meta, children: Children) -> tree.ScoreDecl:
        only, name, owner, tags, value, *clauses, because = children
        return tree.ScoreDecl(
            self._span(meta),
            False,
            self._new_word(name),
            tags or (),
            only is not None,
            owner,
            value,
            self._condition(clauses, _When, "when"),
            self._condition(clauses, _Unless, "unless"),
            because,
        )

    def _condition(
        self, clauses: Children, kind: type[_When | _Unless], word: str
    ) -> tree.Expression | None:
        clause = self._only_one(clauses, kind, word)
        return clause.condition if clause else None

    def _only_one(self, clauses: Children, kind: type[Any], word: str) -> Any:
        first, *others = [clause for clause in clauses if isinstance(clause, kind)] or [None]
        for other in others:
            self._problems.append(
                error(
                    "MC0312",
                    f"`{word}` is said twice",
                    other.span,
                    secondary=(Label(first.span, "said here first"),),
                    help=("put the two together with `and` or `or`",),
                )
            )
        return first

    def subject(self, _meta: Meta, children: Children) -> tree.Word:
        return self._word(children[0])

    def end_of_turn(self, meta: Meta, _children: Children) -> tree.EndOfTurn:
        return tree.EndOfTurn(self._span(meta))

    def requires(self, meta: Meta, children: Children) -> tree.Requires:
        return tree.Requires(self._span(meta), *children)

    def forbidden(self, meta: Meta, _children: Children) -> tree.Forbidden:
        return tree.Forbidden(self._span(meta))

    def allowed_during(self, meta: Meta, children: Children) -> tree.AllowedDuring:
        return tree.AllowedDuring(self._span(meta), *children)

    def when(self, meta: Meta, children: Children) -> _When:
        return _When(self._span(meta), *children)

    def unless(self, meta: Meta, children: Children) -> _Unless:
        return _Unless(self._span(meta), *children)

    def while_another(self, meta: Meta, _children: Children) -> tree.Soft:
        return tree.Soft(self._span(meta), "another")

    def while_otherwise(self, meta: Meta, _children: Children) -> tree.Soft:
        return tree.Soft(self._span(meta), "otherwise")

    def because(self, _meta: Meta, children: Children) -> tree.Sentence:
        return self._sentence(children[0])
