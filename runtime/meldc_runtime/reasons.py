"""Reasons in players' words: the sentences of rules with their values filled in."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from meldc_runtime.cards import RANK_WORDS, SUIT_WORDS, card_text
from meldc_runtime.oracle import evaluate
from meldc_runtime.program.declarations import Origin, Sentence
from meldc_runtime.state import Meld, Reason, State

if TYPE_CHECKING:
    from meldc_runtime.table import Env, Table

SIDE_LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"


def reasons_for(state: State, env: Env, names: Iterable[str]) -> tuple[Reason, ...]:
    """The reasons that names stand for, sentences with their values on this state."""
    return tuple(_reason(state, env, name) for name in names)


def _reason(state: State, env: Env, name: str) -> Reason:
    table = state.table
    for rule in table.program.rules:
        if rule.name == name:
            return Reason(name, sentence_text(state, env, rule.sentence), place_text(rule.origin))
    subject, _, rest = name.partition(" ")
    if subject == "pattern":
        kind = table.program.kinds[table.kinds[rest]]
        return Reason(
            rest, f"these cards make no {kind.called.replace('_', ' ')}", place_text(kind.origin)
        )
    if subject == "domain":
        return Reason(rest, f"{_shown(table, env.get(rest))} is not to be had for it")
    if name == "not now":
        phase = table.program.phases[state.phase]
        return Reason("phase", f"now it is time to: {phase.text}", place_text(phase.origin))
    if name == "no such meld":
        return Reason("meld", "there is no such meld")
    return Reason("meld", "these cards make no meld")


def sentence_text(state: State, env: Env, sentence: Sentence) -> str:
    """A sentence with its values filled in."""
    words = []
    for part in sentence:
        if isinstance(part, str):
            words.append(part)
        else:
            words.append(
                value_text(state.table, evaluate(state.table, state, env, part.expr), part.type)
            )
    return "".join(words)


def value_text(table: Table, value: Any, kind: str) -> str:
    """A value in players' words: cards as text, players P1 …, sides A …, ranks, yes and no; a list
    with commas.
    """
    if value is None:
        return "nobody" if kind in ("player", "side") else "none"
    if isinstance(value, (list, tuple, range)):
        one = {"cards": "card", "melds": "meld", "players": "player", "sides": "side"}.get(
            kind, kind.removeprefix("list:")
        )
        return ", ".join(value_text(table, element, one) for element in value) or "none"
    if isinstance(value, Meld):
        return " ".join(card_text(card) for card in value.cards)
    if isinstance(value, bool):
        return "yes" if value else "no"
    if kind.startswith("row:"):
        row = table.tables[kind[4:]].rows[value]
        return row.title or str(row.key).replace("_", " ")
    match kind:
        case "card" | "cards":
            return card_text(value)
        case "player":
            return f"P{value + 1}"
        case "side":
            return side_text(table, value)
        case "rank":
            return str(RANK_WORDS[value])
        case "suit":
            return str(SUIT_WORDS[value])
        case "kind":
            return table.program.kinds[int(value)].name.replace("_", " ")
        case "phase":
            return table.program.phases[int(value)].name.replace("_", " ")
    return str(value)


def side_text(table: Table, side: int) -> str:
    """The letter of a side; where everyone plays alone, the name of the player."""
    return f"P{side + 1}" if table.side_size == 1 else SIDE_LETTERS[side]


def place_text(origin: Origin | None) -> str:
    """Where something was written, as `file:line`."""
    return "" if origin is None else f"{origin.file}:{origin.line}"


def _shown(table: Table, value: Any) -> str:
    if isinstance(value, (tuple, list)) and all(isinstance(card, int) for card in value):
        return " ".join(card_text(card) for card in value)
    return (
        card_text(value)
        if isinstance(value, int) and not isinstance(value, bool) and 0 <= value < 54
        else "this"
    )
