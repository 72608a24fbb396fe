"""Expressions of a Program in words."""

from __future__ import annotations

import re
from typing import TypeGuard

from meldc.comparing.words import plain, setting_text, table_title, value_in_words
from meldc_runtime.cards import RANK_WORDS, SUIT_WORDS, card_text
from meldc_runtime.program import expressions as x
from meldc_runtime.program.declarations import Program
from meldc_runtime.program.effects import Let
from meldc_runtime.program.nodes import walk

_SIGNS = {"=": "is", "!=": "is not", "<": "is below", "<=": "is at most"}
_MORE_SIGNS = {">": "is above", ">=": "is at least"}
_FLAGS = ("red", "black")
_MANY = ("players", "sides", "cards", "melds")
_OF_IT = re.compile(r"\bthe ((?:(?!\bthe )[^:;,()])*?) of it\b")
"""`the kind of it`: what is said last of a thing that is looked at."""


class Phrases:
    """Words for the expressions of one Program.

    Whatever an expression is about by itself, the player who acts or the side of that player, is
    not named.
    """

    def __init__(self, program: Program) -> None:
        self.program = program
        self._definitions = {each.name: each for each in program.definitions}
        self._settings = {each.name: each.value for each in program.settings}
        done = walk((program.actions, program.moments))
        self._named = {each.name for each in done if isinstance(each, Let)}

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
        match e:
            case x.Const(value, kind):
                return self._constant(value, kind)
            case x.Var(name):
                return f"`{plain(name)}`" if name in self._named else _thing(name)
            case x.SettingValue(name):
                return value_in_words(setting_text(self.program, name))
            case x.Remembered(memory, owner):
                return _somebody(plain(memory), "the") + self._of_owner(owner)
            case x.ZoneCards(zone, owner, many):
                owners = self._of_owner(owner)
                return f"the {plain(zone)}" + (f" of each{owners}" if many and owners else owners)
            case x.MeldsOf(owner):
                return "the melds" + self._of_owner(owner)
            case x.MeldCards(melds):
                return f"the cards of {self.of(melds)}"
            case x.Filter() | x.Count() | x.Sum() | x.Best() | x.Unmelded():
                return self._query(e)
            case x.Apply(name, arguments):
                return self._definition(name, arguments)
            case x.Lookup(table, key):
                return f"{table_title(self.program, table)} ({self.of(key)})"
            case x.CardAttr(card, "laid_by"):
                return f"the player who laid {self.of(card)}"
            case x.CardAttr(card, attr):
                return f"the {plain(attr)} of {self.of(card)}"
            case x.MeldAttr(meld, attr):
                return f"the {plain(attr)} of {self.of(meld)}"
            case x.SortedAs(meld, table):
                return f"the kind of {self._word_of(table)} of {self.of(meld)}"
            case x.RowAttr(row, _, column):
                return f"the {plain(column)} of {self.of(row)}"
            case x.If(condition, then, otherwise):
                return (
                    f"{self.of(then)} where {self.condition(condition)}, else {self.of(otherwise)}"
                )
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
        return self._of_table(e)

    def _of_table(self, e: x.Expr) -> str:
        """People, places and lists."""
        match e:
            case x.AllPlayers():
                return "the players"
            case x.AllSides():
                return "the sides"
            case x.AllKinds():
                return "the kinds of meld"
            case x.RowsOf(table):
                return plain(table)
            case x.Acting():
                return "the player"
            case x.SideOf(player):
                return "the side" + ("" if _is_self(player) else f" of {self.of(player)}")
            case x.PlayersOf(side):
                return f"the players of {self.of(side)}"
            case x.Neighbour(player, step):
                where = "left" if step > 0 else "right"
                return f"the player to the {where} of {self.of(player)}"
            case x.SeatsOn(player, steps):
                return f"the player {self.of(steps)} seats to the left of {self.of(player)}"
            case x.Partners(player):
                return "the partners" + self._of_owner(player)
            case x.Opponents():
                return "the other sides"
            case x.NextOf(players, _):
                return f"the next of {self.of(players)}"
            case x.StartingAt(players, start):
                return f"{self.of(players)}, from {self.of(start)} on"
            case x.After(source, element):
                return f"the one after {self.of(element)} in {self.of(source)}"
            case x.First(source):
                return f"the first of {self.of(source)}"
            case x.Top(cards):
                return f"the top card of {self.of(cards)}"
            case x.Bottom(cards):
                return f"the bottom card of {self.of(cards)}"
            case x.Nth(cards, index):
                place = self.of(index)
                if place.isdecimal():
                    return f"card {place} of {self.of(cards)}, from the top"
                return f"the card of {self.of(cards)} whose place from the top is {place}"
            case x.ListOf(items):
                return listed([self.of(item) for item in items], "and")
            case x.Join(left, right):
                return f"{self.of(left)} and {self.of(right)}"
            case x.Range(low, high):
                return f"{self.of(low)} to {self.of(high)}"
            case x.Otherwise(options):
                return ", or else ".join(self.of(option) for option in options)
            case x.Remainder(left, right):
                return f"what is left of {self._factor(left)} divided by {self._factor(right)}"
            case x.Quotient(left, right):
                return f"{self._factor(left)} divided by {self._factor(right)}, rounded down"
            case x.CurrentPhase():
                return "the phase"
            case x.DealScore(side):
                return "the score of the deal" + self._of_owner(side)
            case x.Joined():
                return "the meld that these cards would join"
        return self.condition(e)

    def _factor(self, e: x.Expr) -> str:
        """A value that is multiplied, divided or taken away: sums stand in brackets."""
        if isinstance(e, x.Arith) and e.op in ("+", "-"):
            return f"({self.of(e)})"
        return self._operand(e)

    def _operand(self, e: x.Expr) -> str:
        """A value beside a sign: in brackets where its words would run into what follows."""
        return f"({self.of(e)})" if _runs_on(e) else self.of(e)

    def _of_owner(self, owner: x.Expr | None) -> str:
        if owner is None or _is_self(owner):
            return ""
        return f" of {self.of(owner)}"

    def _query(self, e: x.Expr) -> str:
        match e:
            case x.Filter(source, var, where):
                return f"{self.of(source)} where {self._about(where, var)}"
            case x.Count(source, var, where):
                condition = f" where {self._about(where, var)}" if where is not None else ""
                return f"the number of {self._counted(source)}{condition}"
            case x.Sum(source, var, x.CardAttr(x.Var(name), attr)) if name == var:
                return f"the {plain(attr)}s of {self.of(source)} together"
            case x.Sum(source, var, x.Apply(name, (x.Var(inner),))) if inner == var:
                return f"the {plain(name)}s of {self.of(source)} together"
            case x.Sum(source, var, by):
                return f"the sum, over {self.of(source)}, of {self._about(by, var)}"
            case x.Unmelded(source, var, by):
                worth = self._about(by, var)
                return f"the sum of {worth} over what cannot be melded of {self.of(source)}"
            case x.Best(source, var, by):
                highest = _without_the(self._about(by, var)).removeprefix("its ")
                return f"the one of {self.of(source)} with the highest {highest}"
        raise AssertionError("this is a bug in meldc")

    def _definition(self, name: str, arguments: tuple[x.Expr, ...]) -> str:
        definition = self._definitions[name]
        shown = [self.of(each) for each in arguments if not _is_self(each)]
        if definition.type == "yes_no" and len(definition.params) == 1 and shown:
            return f"{shown[0]} is {_somebody(plain(name), 'a')}"
        word = plain(name) if definition.type == "yes_no" else _somebody(plain(name), "the")
        if definition.type in _MANY and not word.endswith("s"):
            word = f"the {definition.type} {word}"
        return word + (f" of {listed(shown, 'and')}" if shown else "")

    def _counted(self, source: x.Expr) -> str:
        """What is counted, in the plural: cards, where the words name a place."""
        words = self.of(source)
        return f"cards in {words}" if isinstance(source, x.ZoneCards) else _without_the(words)

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

    def _about(self, e: x.Expr, var: str) -> str:
        """What is said of each thing of a query: it is called `it`, and what it has `its`."""
        if not var:
            return self.of(e)
        said = re.sub(rf"{re.escape(_thing(var))}\b", "it", self.of(e))
        return re.sub(r" of it\b", "", _OF_IT.sub(r"its \1", said))

    # ---- conditions ------------------------------------------------------------------------

    def condition(self, e: x.Expr) -> str:
        """A condition as a clause."""
        match e:
            case x.Not(operand):
                return self._denied(operand)
            case x.And(operands):
                return listed([self._part(each, x.Or) for each in operands], "and")
            case x.Or(operands):
                return listed([self._part(each, x.And) for each in operands], "or")
            case x.Compare(op, left, right):
                sign = _SIGNS.get(op) or _MORE_SIGNS[op]
                return f"{self._operand(left)} {sign} {self._operand(right)}"
            case x.Exists(source, _, None):
                return f"{self.of(source)} {_be(source)} not empty"
            case x.Exists(source, var, where) if where is not None:
                return f"there are {self._counted(source)} where {self._about(where, var)}"
            case x.ForAll(source, var, where):
                return f"for all of {self.of(source)}: {self._about(where, var)}"
            case x.Member(element, x.Range() as source):
                return f"{self.of(element)} is from {self.of(source)}"
            case x.Member(element, x.ListOf(items)):
                return f"{self.of(element)} is {listed([self.of(item) for item in items], 'or')}"
            case x.Member(element, source):
                return f"{self.of(element)} is among {self.of(source)}"
            case x.IsSomething(operand):
                words = self.of(operand)
                if words.startswith("the "):
                    return f"there is a {_without_the(words)}"
                return f"{words} is not nothing"
            case x.CardAttr(card, attr) if attr in _FLAGS:
                return f"{self.of(card)} is {attr}"
            case x.Can(_, name):
                return f"{plain(name) or 'an end of the turn'} is possible"
            case x.Only(actions):
                return f"nothing but {listed([plain(each) for each in actions], 'or')} is possible"
            case x.SettingValue() | x.Const() | x.Var() | x.Remembered() | x.Apply() | x.If():
                return self.of(e)
        return self.of(e) if type(e) not in _CONDITIONS else type(e).__name__.lower()

    def _part(self, e: x.Expr, other: type[x.And] | type[x.Or]) -> str:
        """A part of a condition; what is joined by the other word stands in brackets."""
        return f"({self.condition(e)})" if isinstance(e, other) else self.condition(e)

    def _denied(self, e: x.Expr) -> str:
        match e:
            case x.Exists(source, _, None):
                return f"{self.of(source)} {_be(source)} empty"
            case x.Exists(source, var, where) if where is not None:
                return f"there are no {self._counted(source)} where {self._about(where, var)}"
            case x.Remembered():
                return f"not {self.of(e)}"
            case x.Apply() | x.Compare() | x.CardAttr() | x.Can() | x.Member():
                words = self.condition(e)
                head, verb, rest = words.partition(" is ")
                if verb and " is " not in rest and not rest.startswith("not "):
                    return f"{head} is not {rest}"
                return f"it is not so that {words}" if verb else f"not {words}"
            case x.IsSomething(operand):
                words = self.of(operand)
                if words.startswith("the "):
                    return f"there is no {_without_the(words)}"
                return f"{words} is nothing"
            case x.Not(operand):
                return self.condition(operand)
        return f"not ({self.condition(e)})"


_CONDITIONS = (x.Can, x.Only)


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


def listed(words: list[str], last: str) -> str:
    """`a, b and c`."""
    if len(words) < 2:
        return "".join(words)
    return f"{', '.join(words[:-1])} {last} {words[-1]}"


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


def _somebody(words: str, article: str) -> str:
    """Words with an article where they name a person or a card: `the dealer`, `a stop card`."""
    return f"{article} {words}" if words.endswith(("er", "card")) else words


def _thing(name: str) -> str:
    return f"the {plain(name).strip()}"


def _without_the(text: str) -> str:
    return text.removeprefix("the ")


def _be(source: x.Expr) -> str:
    return "is" if isinstance(source, x.ZoneCards) else "are"
