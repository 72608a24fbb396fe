"""Expressions of a Program in words."""

from __future__ import annotations

import copy
from typing import TypeGuard

from meldc.comparing.words import listed, plain, setting_text, table_title, value_in_words
from meldc.rulebook.grammar import Clause, Noun, named
from meldc_runtime.cards import RANK_WORDS, SUIT_WORDS, card_text
from meldc_runtime.program import expressions as x
from meldc_runtime.program.declarations import Program
from meldc_runtime.program.effects import Let
from meldc_runtime.program.nodes import walk

_SIGNS = {"<": "below", "<=": "at most", ">": "above", ">=": "at least"}
_FLAGS = ("red", "black")
_MANY = ("players", "sides", "cards", "melds")


class Phrases:
    """Words for the expressions of one Program.

    Whatever an expression is about by itself, the player who acts or the side of that player, is
    not named. The thing that a query looks at is called `it`, and what it has `its`.
    """

    def __init__(self, program: Program) -> None:
        self.program = program
        self._definitions = {each.name: each for each in program.definitions}
        self._settings = {each.name: each.value for each in program.settings}
        done = walk((program.actions, program.moments))
        self._named = {each.name for each in done if isinstance(each, Let)}
        self._topics: frozenset[str] = frozenset()

    # ---- what the settings decide ------------------------------------------------------------

    def folded(self, e: x.Expr) -> x.Expr:
        """The expression without what the settings decide."""
        match e:
            case x.SettingValue(name) if isinstance(self._settings[name], x.Const):
                return self._settings[name]
            case x.Not(operand):
                inner = self.folded(operand)
                return x.Const(not inner.value, "yes_no") if _is_truth(inner) else x.Not(inner)
            case x.And(operands):
                return _joined([self.folded(each) for each in operands], True, x.And)
            case x.Or(operands):
                return _joined([self.folded(each) for each in operands], False, x.Or)
            case x.Compare("=" | "!=" as op, left, right):
                one, other = self.folded(left), self.folded(right)
                if isinstance(one, x.Const) and isinstance(other, x.Const):
                    return x.Const((one.value == other.value) == (op == "="), "yes_no")
            case x.If(condition, then, otherwise):
                decided = self.folded(condition)
                if isinstance(decided, x.Const):
                    return self.folded(then if decided.value else otherwise)
            case x.Filter(source, var, where):
                kept = self.folded(where)
                return source if kept == x.Const(True, "yes_no") else x.Filter(source, var, kept)
            case x.MeldCards(melds):
                return x.MeldCards(self.folded(melds))
            case x.Sum(source, var, by):
                return x.Sum(self.folded(source), var, by)
            case x.Apply(name, _):
                body = self._definitions[name].body
                decided = self.folded(body) if isinstance(body, (x.And, x.Or, x.Compare)) else e
                return decided if _is_truth(decided) else e
        return e

    # ---- values ----------------------------------------------------------------------------

    def of(self, e: x.Expr) -> str:
        """A value, or a condition, as a part of a sentence."""
        return str(self._noun(e))

    def about(self, e: x.Expr, var: str) -> str:
        """What is said of each thing of a query, whose name in the query is var."""
        return str(self._speaking_of(var)._noun(e))

    def _speaking_of(self, var: str) -> Phrases:
        """The same words, but for the thing of that name, which is `it`."""
        inner = copy.copy(self)
        inner._topics = self._topics | {var}
        return inner

    def _noun(self, e: x.Expr) -> Noun:
        for kind in (self._simple, self._possession, self._query, self._person, self._place):
            noun = kind(e)
            if noun is not None:
                return noun
        return Noun(self._reckoning(e) or self._listing(e) or self._told(e))

    def _simple(self, e: x.Expr) -> Noun | None:
        """What has a name of its own."""
        match e:
            case x.Const(value, kind):
                return Noun(self._constant(value, kind))
            case x.Var(name) if name in self._topics:
                return Noun("it")
            case x.Var(name):
                return Noun(f"`{plain(name)}`") if name in self._named else _the(plain(name))
            case x.SettingValue(name):
                return Noun(value_in_words(setting_text(self.program, name)))
            case x.Lookup(table, key):
                return Noun(f"{table_title(self.program, table)} ({self.of(key)})")
            case x.RowsOf(table):
                return Noun(plain(table))
            case x.AllKinds():
                return _the("kinds of meld")
            case x.CurrentPhase():
                return _the("phase")
            case x.Joined():
                return _the("meld that these cards would join")
        return None

    def _possession(self, e: x.Expr) -> Noun | None:
        """What somebody or something has."""
        match e:
            case x.Remembered(memory, owner):
                return self._had(named(plain(memory), "the"), owner)
            case x.ZoneCards(zone, owner, many):
                each = many and owner is not None and not _is_self(owner)
                return self._had(_the(f"{plain(zone)} of each" if each else plain(zone)), owner)
            case x.MeldsOf(owner):
                return self._had(_the("melds"), owner)
            case x.DealScore(side):
                return self._had(_the("score of the deal"), side)
            case x.MeldCards(melds):
                return self._had(_the("cards"), melds)
            case x.CardAttr(card, "laid_by"):
                return _the(f"player who laid {self.of(card)}")
            case x.CardAttr(card, attr) if attr not in _FLAGS:
                return self._had(_the(plain(attr)), card)
            case x.MeldAttr(meld, attr):
                return self._had(_the(plain(attr)), meld)
            case x.SortedAs(meld, table):
                return self._had(_the(f"kind of {self._word_of(table)}"), meld)
            case x.RowAttr(row, _, column):
                return self._had(_the(plain(column)), row)
            case x.Apply(name, arguments) if self._said_of(e) is None:
                return self._definition(name, arguments)
        return None

    def _had(self, thing: Noun, owner: x.Expr | None) -> Noun:
        """The thing with its owner, who is left out where the text is about him anyway."""
        if owner is None or _is_self(owner):
            return thing
        return thing.of_it() if self._is_it(owner) else thing.of(self.of(owner))

    def _is_it(self, e: x.Expr) -> bool:
        return isinstance(e, x.Var) and e.name in self._topics

    def _definition(self, name: str, arguments: tuple[x.Expr, ...]) -> Noun:
        definition = self._definitions[name]
        noun = Noun(plain(name)) if definition.type == "yes_no" else named(plain(name), "the")
        if definition.type in _MANY and not noun.words.endswith("s"):
            noun = _the(f"{definition.type} {noun}")
        told = [each for each in arguments if not _is_self(each)]
        if len(told) == 1:
            return self._had(noun, told[0])
        return noun.of(listed([self.of(each) for each in told], "and")) if told else noun

    def _person(self, e: x.Expr) -> Noun | None:
        """Players and sides."""
        match e:
            case x.AllPlayers():
                return _the("players")
            case x.AllSides():
                return _the("sides")
            case x.Acting():
                return _the("player")
            case x.Opponents():
                return _the("other sides")
            case x.SideOf(player):
                return self._had(_the("side"), player)
            case x.PlayersOf(side):
                return _the("players").of(self.of(side))
            case x.Partners(player):
                return self._had(_the("partners"), player)
            case x.Neighbour(player, step):
                where = "left" if step > 0 else "right"
                return _the(f"player to the {where} of {self.of(player)}")
            case x.SeatsOn(player, steps):
                return _the(f"player {self.of(steps)} seats to the left of {self.of(player)}")
            case x.NextOf(players, _):
                return _the("next").of(self.of(players))
        return None

    def _place(self, e: x.Expr) -> Noun | None:
        """What is found by its place among others."""
        match e:
            case x.After(source, element):
                return _the(f"one after {self.of(element)} in {self.of(source)}")
            case x.First(source):
                return _the("first").of(self.of(source))
            case x.Top(cards):
                return self._had(_the("top card"), cards)
            case x.Bottom(cards):
                return self._had(_the("bottom card"), cards)
            case x.Nth(cards, index):
                place = self.of(index)
                if place.isdecimal():
                    return Noun(f"card {place} of {self.of(cards)}, from the top")
                return _the(f"card of {self.of(cards)} whose place from the top is {place}")
        return None

    def _listing(self, e: x.Expr) -> str:
        """Several values, or one of several; empty for all else."""
        match e:
            case x.StartingAt(players, start):
                return f"{self.of(players)}, from {self.of(start)} on"
            case x.ListOf(items):
                return listed([self.of(item) for item in items], "and")
            case x.Join(left, right):
                return f"{self.of(left)} and {self.of(right)}"
            case x.Range(low, high):
                return f"{self.of(low)} to {self.of(high)}"
            case x.Otherwise(options):
                return ", or else ".join(self.of(option) for option in options)
            case x.If(condition, then, otherwise):
                chosen, other = self.of(then), self.of(otherwise)
                return f"{chosen} where {self.condition(condition)}, else {other}"
        return ""

    # ---- reckoning -------------------------------------------------------------------------

    def _reckoning(self, e: x.Expr) -> str:
        """Arithmetic; empty for all else."""
        match e:
            case x.Arith("-", x.Const(0), right):
                return f"minus {self._factor(right)}"
            case x.Arith("*", left, right):
                return f"{self._factor(left)} times {self._factor(right)}"
            case x.Arith("-", left, right):
                return f"{self._operand(left)} less {self._factor(right)}"
            case x.Arith("+", left, right):
                return f"{self._operand(left)} plus {self._operand(right)}"
            case x.Arith(op, left, right):
                word = "larger" if op == "max" else "smaller"
                return f"the {word} of {self.of(left)} and {self.of(right)}"
            case x.Remainder(left, right):
                return f"what is left of {self._factor(left)} divided by {self._factor(right)}"
            case x.Quotient(left, right):
                return f"{self._factor(left)} divided by {self._factor(right)}, rounded down"
        return ""

    def _factor(self, e: x.Expr) -> str:
        """A value that is multiplied, divided or taken away: sums stand in brackets."""
        if isinstance(e, x.Arith) and e.op in ("+", "-"):
            return f"({self.of(e)})"
        return self._operand(e)

    def _operand(self, e: x.Expr) -> str:
        """A value beside a sign: in brackets where its words would run into what follows."""
        return f"({self.of(e)})" if _runs_on(e) else self.of(e)

    def _query(self, e: x.Expr) -> Noun | None:
        """What is found, counted or added up among many."""
        match e:
            case x.Filter(source, var, where):
                found = self._noun(source)
                return Noun(f"{found.words} where {self.about(where, var)}", found.article)
            case x.Count(source, var, where):
                condition = f" where {self.about(where, var)}" if where is not None else ""
                return _the(f"number of {self._counted(source)}{condition}")
            case x.Sum(source, var, x.CardAttr(x.Var(name), attr)) if name == var:
                return _the(f"{plain(attr)}s of {self.of(source)} together")
            case x.Sum(source, var, x.Apply(name, (x.Var(inner),))) if inner == var:
                return _the(f"{plain(name)}s of {self.of(source)} together")
            case x.Sum(source, var, by):
                return _the(f"sum, over {self.of(source)}, of {self.about(by, var)}")
            case x.Unmelded(source, var, by):
                worth = self.about(by, var)
                return _the(f"sum of {worth} over what cannot be melded of {self.of(source)}")
            case x.Best(source, var, by):
                highest = self._speaking_of(var)._noun(by).words
                return _the(f"one of {self.of(source)} with the highest {highest}")
        return None

    def _counted(self, source: x.Expr) -> str:
        """What is counted, in the plural: cards, where the words name a place."""
        noun = self._noun(source)
        return f"cards in {noun}" if isinstance(source, x.ZoneCards) else noun.indefinite

    def _constant(self, value: int | bool | str | None, kind: str) -> str:
        if value is None:
            return "nothing"
        if isinstance(value, bool):
            return "yes" if value else "no"
        if isinstance(value, int):
            match kind:
                case "rank":
                    return RANK_WORDS[value]
                case "suit":
                    return SUIT_WORDS[value]
                case "card":
                    return card_text(value)
        if kind.startswith("row:"):
            return self._row(kind.removeprefix("row:"), value)
        return plain(str(value))

    def _row(self, table: str, value: int | str) -> str:
        rows = next((each.rows for each in self.program.tables if each.name == table), ())
        found = [row for index, row in enumerate(rows) if value in (index, row.key)]
        return found[0].title or plain(str(found[0].key)) if found else plain(str(value))

    def _word_of(self, table: str) -> str:
        return next((t.word for t in self.program.tables if t.name == table), plain(table))

    # ---- conditions ------------------------------------------------------------------------

    def condition(self, e: x.Expr) -> str:
        """A condition as a clause."""
        match e:
            case x.Not() | x.And() | x.Or() | x.Exists() | x.ForAll() | x.IsSomething() | x.Only():
                return self._told(e)
        return self.of(e)

    def _told(self, e: x.Expr) -> str:
        """What is so, or not, in words that name nothing."""
        clause = self._said_of(e)
        if clause is not None:
            return str(clause)
        match e:
            case x.Not(operand):
                return self._denied(operand)
            case x.And(operands):
                return listed([self._part(each, x.Or) for each in operands], "and")
            case x.Or(operands):
                return listed([self._part(each, x.And) for each in operands], "or")
            case x.Exists(source, _, None):
                return f"{self.of(source)} {_be(source)} not empty"
            case x.Exists(source, var, where) if where is not None:
                return f"{self._there_are(source)} where {self.about(where, var)}"
            case x.ForAll(source, var, where):
                return f"for all of {self.of(source)}: {self.about(where, var)}"
            case x.IsSomething(operand):
                return self._there_is(operand, "a") or f"{self.of(operand)} is not nothing"
            case x.Only(actions):
                return f"nothing but {listed([plain(each) for each in actions], 'or')} is possible"
        return plain(type(e).__name__.lower())

    def _said_of(self, e: x.Expr) -> Clause | None:
        """A condition that says of one thing what it is."""
        match e:
            case x.Compare("=" | "!=" as op, left, right):
                return Clause(self._operand(left), self._operand(right), op == "!=")
            case x.Compare(op, left, right):
                return Clause(self._operand(left), f"{_SIGNS[op]} {self._operand(right)}")
            case x.Member(element, x.Range() as source):
                return Clause(self.of(element), f"from {self.of(source)}")
            case x.Member(element, x.ListOf(items)):
                return Clause(self.of(element), listed([self.of(item) for item in items], "or"))
            case x.Member(element, source):
                return Clause(self.of(element), f"among {self.of(source)}")
            case x.CardAttr(card, attr) if attr in _FLAGS:
                return Clause(self.of(card), attr)
            case x.Can(_, name):
                return Clause(plain(name) or "an end of the turn", "possible")
            case x.Apply(name, (argument,)) if not _is_self(argument):
                if self._definitions[name].type == "yes_no":
                    return Clause(self.of(argument), str(named(plain(name), "a")))
        return None

    def _there_is(self, e: x.Expr, article: str) -> str:
        """That there is a thing with an article, or that `it` has one; empty without a noun."""
        noun = self._noun(e)
        head = {"the": "there is", "its": "it has"}.get(noun.article)
        return f"{head} {article} {noun.words}" if head else ""

    def _there_are(self, source: x.Expr, no: str = "") -> str:
        """That there are things of a list, or that `it` has some; no: `no ` for the contrary."""
        noun = self._noun(source)
        if noun.article == "its" and not isinstance(source, x.ZoneCards):
            return f"it has {no}{noun.words}"
        return f"there are {no}{self._counted(source)}"

    def _part(self, e: x.Expr, other: type[x.And] | type[x.Or]) -> str:
        """A part of a condition; what is joined by the other word stands in brackets."""
        return f"({self.condition(e)})" if isinstance(e, other) else self.condition(e)

    def _denied(self, e: x.Expr) -> str:
        clause = self._said_of(e)
        if clause is not None:
            return str(clause.denial())
        match e:
            case x.Exists(source, _, None):
                return f"{self.of(source)} {_be(source)} empty"
            case x.Exists(source, var, where) if where is not None:
                return f"{self._there_are(source, 'no ')} where {self.about(where, var)}"
            case x.Remembered() | x.Apply() | x.CardAttr():
                return f"not {self.of(e)}"
            case x.IsSomething(operand):
                return self._there_is(operand, "no") or f"{self.of(operand)} is nothing"
            case x.Not(operand):
                return self.condition(operand)
        return f"not ({self.condition(e)})"


def _runs_on(e: x.Expr) -> bool:
    """Whether the words of a value have an open end."""
    match e:
        case x.If() | x.Otherwise() | x.Quotient() | x.Remainder() | x.Arith("max" | "min"):
            return True
        case x.Count(_, _, where):
            return where is not None
        case x.Sum(_, _, by):
            return not isinstance(by, x.CardAttr | x.Apply)
    return False


def _is_truth(e: x.Expr) -> TypeGuard[x.Const]:
    return isinstance(e, x.Const) and isinstance(e.value, bool)


def _joined(parts: list[x.Expr], neutral: bool, join: type[x.And] | type[x.Or]) -> x.Expr:
    """Conditions without those that the settings decide; one of these may settle all."""
    left = []
    for part in parts:
        if not _is_truth(part):
            left.append(part)
        elif part.value is not neutral:
            return part
    if not left:
        return x.Const(neutral, "yes_no")
    return left[0] if len(left) == 1 else join(tuple(left))


def _is_self(e: x.Expr) -> bool:
    """Whether an expression is what the text is about anyway."""
    match e:
        case x.Acting():
            return True
        case x.Var(name):
            return name in (x.Marker.PLAYER, "side")
        case x.SideOf(player):
            return _is_self(player)
    return False


def _the(words: str) -> Noun:
    return Noun(words.strip(), "the")


def _be(source: x.Expr) -> str:
    return "is" if isinstance(source, x.ZoneCards) else "are"
