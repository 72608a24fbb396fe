"""Reasons in players' words: the sentences of rules with their values filled in."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

from meldc_runtime.cards import FACE, RANK_WORDS, SUIT_WORDS, card_text
from meldc_runtime.faults import kind_text, pattern_fault
from meldc_runtime.judging import THE_ACTION
from meldc_runtime.melds import joins
from meldc_runtime.names import player_name, side_name
from meldc_runtime.oracle import as_list, evaluate
from meldc_runtime.program.declarations import Origin, Sentence
from meldc_runtime.program.effects import LayMeld
from meldc_runtime.program.expressions import ZoneCards
from meldc_runtime.state import Meld, Reason, State
from meldc_runtime.writing.nodes import walk

if TYPE_CHECKING:
    from meldc_runtime.table import Env, Table


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
        return Reason(rest, _fault(state, env, table.kinds[rest]), place_text(kind.origin))
    if subject == "domain":
        return Reason(rest, _outside(state, env, rest))
    if name == "not now":
        phase = table.program.phases[state.phase]
        return Reason("phase", f"now it is time to: {phase.text}", place_text(phase.origin))
    if name.startswith("no wild card "):
        card = card_text(int(name.removeprefix("no wild card ")))
        return Reason("meld", f"no wild card of the meld stands for {card}")
    if name == "no such meld":
        return Reason("meld", "there is no such meld")
    return Reason("meld", "these cards make no meld")


def _fault(state: State, env: Env, kind: int) -> str:
    """What is wrong with the cards that a play would lay as a kind of meld."""
    table = state.table
    effect = next((e for e in _effects(table, env) if isinstance(e, LayMeld)), None)
    if effect is None:
        return f"these cards make no {kind_text(table.program.kinds[kind])}"
    cards = [
        card & FACE
        for part in effect.parts
        for card in as_list(evaluate(table, state, env, part.cards))
    ]
    base = None if effect.onto is None else evaluate(table, state, env, effect.onto)
    if base is None:
        base = joins(table, state, kind, cards, state.player)
    return pattern_fault(table, state, kind, base, cards, state.player)


def _effects(table: Table, env: Env) -> Iterator[Any]:
    if THE_ACTION in env:
        for effect in table.program.actions[env[THE_ACTION]].effects:
            yield from walk(effect)


def _outside(state: State, env: Env, name: str) -> str:
    """Why an argument is none: cards that are not where they would come from, or another slip."""
    table = state.table
    value = env.get(name)
    action = table.program.actions[env[THE_ACTION]] if THE_ACTION in env else None
    param = next((p for p in action.params if p.name == name), None) if action else None
    if param is None or param.type not in ("card", "cards", "list:card"):
        return "this cannot be chosen here"
    cards = [card & FACE for card in as_list(value)]
    if param.source is None:
        return f"{value_text(table, cards, 'cards')} cannot be chosen here"
    zone = ZoneCards(param.source.zone, param.source.owner)
    there = Counter(card & FACE for card in as_list(evaluate(table, state, env, zone)))
    missing = list((Counter(cards) - there).elements())
    where = param.source.zone.replace("_", " ")
    if missing:
        return f"not in the {where}: {value_text(table, missing, 'cards')}"
    chosen = value_text(table, cards, "cards") if cards else "no card"
    return f"not to be chosen from the {where}: {chosen}"


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
            return player_name(value)
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
    return player_name(side) if table.side_size == 1 else side_name(side)


def place_text(origin: Origin | None) -> str:
    """Where something was written, as `file:line`."""
    return "" if origin is None else f"{origin.file}:{origin.line}"
