"""How far a player is: what a meld still lacks to count as something better, and what still keeps
things from happening that happen by themselves.
"""

from __future__ import annotations

from meldc_runtime import machine
from meldc_runtime.cards import ACE, FACE, face_of, mark
from meldc_runtime.light import dataclass
from meldc_runtime.program.declarations import Moment, Value
from meldc_runtime.program.effects import Become
from meldc_runtime.program.nodes import walk
from meldc_runtime.state import Meld, Reason, State

MOST_MISSING = 14


@dataclass(frozen=True, slots=True)
class Missing:
    """What a meld would be with so many more natural cards. word: of the sorting table; row: the
    row's key; meld: as it would lie then.
    """

    cards: int
    word: str
    row: str
    meld: Meld


def missing(state: State, meld: Meld) -> Missing | None:
    """The next row of a sorting table that a meld comes to by natural cards alone, None where it is
    in one already or comes to none.
    """
    tables = [table for table in state.table.program.tables if table.form == "sorts"]
    sort = state.table.code.sort
    if any(sort[table.name](state, meld) is not None for table in tables):
        return None
    high = state.table.program.kinds[meld.kind].size[1]
    grown: Meld | None = meld
    for count in range(1, MOST_MISSING):
        grown = _grown(grown) if grown is not None else None
        if grown is None or (high is not None and len(grown.cards) > high):
            return None
        for table in tables:
            row = sort[table.name](state, grown)
            if row is not None:
                return Missing(count, table.word, str(table.rows[row].key), grown)
    return None


def _grown(meld: Meld) -> Meld | None:
    """The meld with one more card that lies as itself."""
    natural = next((card for card in meld.cards if card >> 11 == 0), meld.cards[0])
    player = (natural >> 6) & 31
    layer = player - 1 if player else None
    if meld.low is None or meld.suit is None:
        cards, low = (*meld.cards, mark(natural & FACE, layer)), meld.low
    elif (above := meld.low + len(meld.cards)) <= ACE:
        cards, low = (*meld.cards, mark(face_of(above, meld.suit), layer)), meld.low
    elif meld.low > 2:
        low = meld.low - 1
        cards = (mark(face_of(low, meld.suit), layer), *meld.cards)
    else:
        return None
    return Meld(meld.kind, meld.owner, cards, meld.rank, meld.suit, low, meld.wilds, meld.serial)


def hindrances(state: State, player: int) -> tuple[Reason, ...]:
    """What with numbers in it keeps moments from happening to this player that have not happened
    in the deal yet: the reasons as they stand now.
    """
    if state.over:
        return ()
    table = state.table
    env = {"player": player}
    names: list[str] = []
    for moment in table.program.moments:
        if moment.trigger.kind != "state" or _has_happened(state, moment, player):
            continue
        names += [
            rule.name
            for rule in table.program.rules
            if moment.name in rule.moments
            and any(isinstance(part, Value) for part in rule.sentence)
            and table.code.rules[rule.name](state, env)
        ]
    reasons = machine.reasons_for(state, env, dict.fromkeys(names))
    return tuple({reason.text: reason for reason in reversed(reasons)}.values())[::-1]


def _has_happened(state: State, moment: Moment, player: int) -> bool:
    """Whether a moment has set what it sets once a deal."""
    table = state.table
    for effect in walk(moment.effects):
        if isinstance(effect, Become):
            memory = table.memories[effect.memory]
            owner = {"player": player, "side": table.side_of(player)}.get(memory.owner)
            value = state.memory[table.memory_slot(memory.name, owner)]
            if memory.scope == "deal" and value not in (None, False, 0):
                return True
    return False
