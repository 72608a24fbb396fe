"""Expressions in scenarios: the rule language, with the players and sides of the table as names,
`phase` for the phase that the game is in, `turn` for the player whose turn it is and `to_act` for
the one who must act.

In the language a name is written small. So `P1` and `B` are read as `p1` and `b`, which mean this
player and this side here; places stay as they are. `A` is a side where it alone is what is asked
of (`total(A)`), and wherever it makes no sense as the rank.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

from meldc.check.elaborator import Elaborator
from meldc.check.expressions import elaborate
from meldc.check.scope import Binding, Scope, Typed, player_scope
from meldc.check.types import PHASE, PLAYER, SIDE, YES_NO, describe
from meldc.diagnostics import Collector, CompileError, Diagnostic, error
from meldc.scenario.model import Text
from meldc.source import Span
from meldc.syntax import tree
from meldc.syntax.kept import parse_cell
from meldc_runtime.light import dataclass
from meldc_runtime.names import player_name, side_name
from meldc_runtime.oracle import evaluate
from meldc_runtime.program.expressions import Const, Var
from meldc_runtime.state import State
from meldc_runtime.table import Table
from meldc_runtime.values import plain_value

MOST_PLAYERS = 20
SIDES = "ABCDEFGHI"
_PLAYER = re.compile(r"\bP(?=[0-9]+\b)")
_NAMED = re.compile(r"\b(?:P(?P<player>[0-9]+)|(?P<side>[B-I]))\b")
_SIDE = re.compile(r"\b[B-I]\b")
_TRUTHS = {"true": "yes", "false": "no"}
_TRUTH = re.compile(r"\b(?:true|false)\b")
_ASKED_OF_A = re.compile(r"(?<=\()(\s*)A(\s*)(?=\))")
_A = re.compile(r"\bA\b")


@dataclass(frozen=True, slots=True)
class Expression:
    """A checked expression; compared: what a comparison is about, for telling.

    parts: what must all hold, each with its words, where it is joined by `and`.
    """

    whole: Typed
    compared: tuple[Typed, ...]
    parts: tuple[tuple[str, Expression], ...] = ()

    def value(self, state: State) -> Any:
        """The value in a position; the player in question is the one who must act."""
        return _value(self.whole, state)

    def explain(self, state: State) -> str:
        """What was found, for one who expected a yes: of several parts, for those without one."""
        if failed := [each for each in self.parts if each[1].value(state) is not True]:
            return "; ".join(f"`{words}`: {part.explain(state)}" for words, part in failed)
        if not self.compared:
            return _shown(self.whole, state)
        return " and ".join(_shown(typed, state) for typed in self.compared)


class ExpressionChecker:
    """Checks expressions against the names and types of a game."""

    def __init__(self, elaborator: Elaborator) -> None:
        self._elaborator = elaborator
        self._scope = _scope()
        self._known: dict[Text, Expression] = {}

    def check(self, text: Text, table: Table) -> Expression:
        """The expression in a text, to be looked at on this table. Raises CompileError with what
        is wrong with it.
        """
        _check_names(text, table)
        if text not in self._known:
            self._known[text] = self._check(text)
        return self._known[text]

    def _check(self, text: Text) -> Expression:
        problems: tuple[Diagnostic, ...] = ()
        for written in dict.fromkeys(_readings(text.value)):
            found = Collector()
            node, mistakes = parse_cell(written, text.rebase)
            found.extend(mistakes)
            if node is not None and not found.has_errors:
                expression = self._elaborate(node, found, text)
                if not found.has_errors:
                    return expression
            problems = problems or found.result()
        raise CompileError(problems)

    def _elaborate(self, node: tree.Expression, found: Collector, text: Text) -> Expression:
        self._elaborator.found = found
        whole = elaborate(self._elaborator, node, self._scope)
        if whole.type != YES_NO and not found.has_errors:
            found.add(
                error(
                    "MC0804",
                    f"{describe(whole.type)} is expected to be true",
                    node.span,
                    help=["what is expected is a condition, as in `count(hand(P1)) = 3`"],
                )
            )
        compared: tuple[Typed, ...] = ()
        if isinstance(node, tree.Comparison) and not found.has_errors:
            sides = [self._alone(side) for side in (node.left, node.right)]
            compared = tuple(side for side in sides if side and not isinstance(side.expr, Const))
        parts: tuple[tuple[str, Expression], ...] = ()
        if isinstance(node, tree.And) and not found.has_errors:
            parts = tuple(
                (_words(text, part.span), self._elaborate(part, found, text)) for part in node.parts
            )
        return Expression(whole, compared, parts)

    def _alone(self, node: tree.Expression) -> Typed | None:
        """A side of a comparison by itself; None where only the other side explains it."""
        return self._elaborator.attempt(lambda: elaborate(self._elaborator, node, self._scope))


def _words(text: Text, span: Span) -> str:
    """What stands at a place in a text of one line; the whole of one with several."""
    start = text.rebase.span(1, 1, 1, 1)
    if not start.line == span.line == span.end_line:
        return text.value
    return text.value[span.column - start.column : span.end_column - start.column] or text.value


def _check_names(text: Text, table: Table) -> None:
    """That the players and sides which are named sit at the table."""
    for match in _NAMED.finditer(text.value):
        if player := match["player"]:
            known = 1 <= int(player[:4]) <= table.players
            who, last = "player", player_name(table.players - 1)
        else:
            known = SIDES.index(match["side"]) < table.sides
            who, last = "side", side_name(table.sides - 1)
        if not known:
            line = text.value.count("\n", 0, match.start()) + 1
            column = match.start() - text.value.rfind("\n", 0, match.start())
            span = text.rebase.span(line, column, line, column + len(match[0]))
            first = "P1" if player else "A"
            message = f"there is no {who} `{match[0]}`"
            raise CompileError(
                [error("MC0805", message, span, help=[f"there are {first} to {last}"])]
            )


def _readings(text: str) -> Iterable[str]:
    """The text as the rule language has it; every place stays where it is."""
    small = _TRUTH.sub(lambda match: _TRUTHS[match[0]].ljust(len(match[0])), text)
    small = _PLAYER.sub("p", small)
    small = _SIDE.sub(lambda match: match[0].lower(), small)
    yield _ASKED_OF_A.sub(r"\1a\2", small)
    yield _A.sub("a", small)


def _scope() -> Scope:
    names = {
        f"p{number + 1}": Binding(Typed(Const(number, PLAYER), PLAYER))
        for number in range(MOST_PLAYERS)
    }
    names |= {
        letter.lower(): Binding(Typed(Const(number, SIDE), SIDE))
        for number, letter in enumerate(SIDES)
    }
    names["phase"] = Binding(Typed(Var("phase"), PHASE))
    names["turn"] = Binding(Typed(Var("turn"), PLAYER))
    names["to_act"] = Binding(Typed(Var("to_act"), PLAYER))
    return player_scope(names)


def _value(typed: Typed, state: State) -> Any:
    names = {
        "player": state.player,
        "phase": state.phase,
        "turn": state.turn,
        "to_act": state.player,
    }
    return evaluate(state.table, state, names, typed.expr)


def _shown(typed: Typed, state: State) -> str:
    value = plain_value(state.table, typed.type, _value(typed, state))
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list):
        return " ".join(str(item) for item in value) or "none"
    return "nothing" if value is None else str(value)
