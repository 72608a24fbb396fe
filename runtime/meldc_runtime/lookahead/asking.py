"""What the rules about an action ask of the turn to come."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from meldc_runtime.lookahead.ranges import PLAYER
from meldc_runtime.program import expressions as x
from meldc_runtime.program.declarations import Rule
from meldc_runtime.program.nodes import rebuild
from meldc_runtime.writing.folding import NO
from meldc_runtime.writing.nodes import walk

SELF = (PLAYER, x.Acting())


def asked_in(rule: Rule) -> list[x.Can]:
    """The questions of a rule whether the acting player could reach an end of the turn or a
    moment.
    """
    found = [
        node
        for part in (rule.when, rule.unless, rule.requires)
        if part is not None
        for node in walk(part)
        if isinstance(node, x.Can) and _is_about_the_turn(node)
    ]
    return list(dict.fromkeys(found))


def all_denied(rule: Rule) -> Rule:
    """The rule where the answer to each of these questions is no."""
    return replace(
        rule, when=_denied(rule.when), unless=_denied(rule.unless), requires=_denied(rule.requires)
    )


def _is_about_the_turn(question: x.Can) -> bool:
    return question.subject in ("moment", "end_of_turn") and question.player in SELF


def _denied(node: Any) -> Any:
    if isinstance(node, x.Can) and _is_about_the_turn(node):
        return NO
    return None if node is None else rebuild(node, _denied)
