"""Plays as text and back, by the templates of their actions.

A template is words, `{name}` for a parameter and `( … )` for a part that is written only where it
is needed to tell plays apart. Cards are written `9C 9D`, players `P1`, a meld by its rank, or by
its kind's word and lowest card (`9`, `run 4H`, `wild`), another side's with the player before it
(`P3 run 4H`), the second of equal names with its number (`9/2`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from itertools import product
from typing import Any

from meldc_runtime import melds
from meldc_runtime.cards import (
    FACE,
    JOKER_RANK,
    RANK_WORDS,
    SUIT_LETTERS,
    SUIT_SIGNS,
    SUIT_WORDS,
    card_text,
    parse_card,
    stands_for,
)
from meldc_runtime.light import dataclass
from meldc_runtime.names import parse_player, parse_side, player_name, side_name
from meldc_runtime.program import expressions as x
from meldc_runtime.program.declarations import Action, Param
from meldc_runtime.program.reserved import UNFINISHED
from meldc_runtime.state import Meld, Play, State
from meldc_runtime.table import Table
from meldc_runtime.templates import pieces

_RANKS = {word.upper(): rank for rank, word in RANK_WORDS.items()} | {"T": 10, "JOKER": JOKER_RANK}

_NOUNS = {
    "cards": "series of cards",
    "kind": "kind of meld",
    "yes_no": "yes or no",
    **{kind: kind for kind in ("card", "meld", "player", "side", "rank", "suit", "number")},
}
"""What is wanted where a parameter of a type stands."""


# ---- to text
def text(state: State, play: Play) -> str:
    """The text of a play in a position; `parse` reads it back."""
    action = state.table.program.actions[play.action]
    values = dict(zip((param.name for param in action.params), play.args, strict=True))
    written = _written(state, action, values, optional=False)
    if any(piece.optional for piece in pieces(action.text)) and _needs_optional(
        state, action, values
    ):
        written = _written(state, action, values, optional=True)
    return written


def _written(state: State, action: Action, values: dict[str, Any], optional: bool) -> str:
    params = {param.name: param for param in action.params}
    parts = []
    for piece in pieces(action.text):
        if piece.optional and not optional:
            continue
        parts.append(
            value_text(state, params[piece.param], values[piece.param])
            if piece.param
            else piece.words
        )
    return " ".join("".join(parts).split())


def _needs_optional(state: State, action: Action, values: dict[str, Any]) -> bool:
    """Whether the kind of a meld must be said: another kind, earlier in the order, fits the same
    cards.
    """
    kind = next((values[param.name] for param in action.params if param.type == "kind"), None)
    cards = next((values[param.name] for param in action.params if param.type == "cards"), None)
    if kind is None or cards is None:
        return True
    fitting = fitting_kinds(state, cards)
    return bool(fitting) and fitting != [kind]


def fitting_kinds(state: State, cards: tuple[int, ...]) -> list[int]:
    """The kinds of meld that cards make, alone or joined to the meld that they must join."""
    table = state.table
    found = []
    for kind in range(len(table.program.kinds)):
        if melds.joined(table, state, cards, state.player, kind) is not None:
            found.append(kind)
    return found


def value_text(state: State, param: Param, value: Any) -> str:
    """An argument as people write it."""
    table = state.table
    match param.type:
        case "cards":
            return " ".join(card_text(card) for card in value)
        case "card":
            return card_text(value)
        case "meld":
            found = melds.find(state, value)
            return "?" if found is None else meld_text(state, found)
        case "kind":
            return table.program.kinds[int(value)].name
        case "player":
            return player_name(value)
        case "side":
            return side_name(value)
        case "rank":
            return RANK_WORDS[value]
        case "suit":
            return SUIT_WORDS[value]
        case "yes_no":
            return "yes" if value else "no"
        case kind if kind.startswith("row:"):
            return _row_names(table, kind[4:])[int(value)][0]
        case _:
            return str(value)


def meld_text(state: State, meld: Meld) -> str:
    """The name of a meld on the table, as the player to act writes it."""
    table = state.table
    name = meld_name(table, meld)
    alike = [other for other in state.melds[meld.owner] if meld_name(table, other) == name]
    first = _meant(state, alike)
    if first is not meld:
        name += f"/{alike.index(meld) + 1}"
    if meld.owner == table.side_of(state.player):
        return name
    owner = (
        player_name(meld.owner)
        if table.side_size == 1
        else player_name(table.players_of(meld.owner)[0])
    )
    return f"{owner} {name}"


def meld_name(table: Table, meld: Meld) -> str:
    """The rank of a meld; of other shapes the kind's word, with the lowest card of a run."""
    if meld.rank is not None and table.program.kinds[meld.kind].shape == "same_rank":
        kinds = [kind for kind in table.program.kinds if kind.shape == "same_rank"]
        word = table.program.kinds[meld.kind].called
        if word and word != table.program.kinds[meld.kind].name and len(kinds) > 1:
            return word
        return RANK_WORDS[meld.rank]
    kind = table.program.kinds[meld.kind]
    word = kind.called or kind.name
    if meld.suit is not None and meld.low is not None:
        low = 14 if meld.low == 1 else meld.low
        return f"{word} {RANK_WORDS[low]}{SUIT_LETTERS[meld.suit]}"
    return word


def _meant(state: State, alike: list[Meld]) -> Meld:
    """Which of several melds of one name is meant without a number: the first that still takes a
    card, else the first.
    """
    return next((meld for meld in alike if _open(state, meld)), alike[0])


def _open(state: State, meld: Meld) -> bool:
    unfinished = state.table.code.definitions.get(UNFINISHED)
    if unfinished is not None:
        return bool(unfinished(state, meld))
    high = state.table.program.kinds[meld.kind].size[1]
    return high is None or len(meld.cards) < high


# ---- from text
def parse(state: State, text_: str) -> list[Play]:
    """The plays that a text may mean in a position, in the order of the actions; empty where it
    fits no action.

    They need not be legal. Cards may be written in any order, in small letters, with suit signs.
    """
    words = " ".join(text_.split())
    found: list[Play] = []
    for index, action in enumerate(state.table.program.actions):
        for values in _readings(state.table, action, words):
            for args in product(
                *(_resolve(state, param, values.get(param.name), values) for param in action.params)
            ):
                play = Play(index, tuple(args))
                if play not in found:
                    found.append(play)
    return found


def canonical(table: Table, text_: str) -> str:
    """The text in its usual form: spaces, capitals, cards. Raises ValueError, which says what in it
    is wrong, where it fits no action of the game.
    """
    words = " ".join(text_.split())
    for action in table.program.actions:
        for values in _readings(table, action, words):
            return _rewritten(action, values)
    raise ValueError(f"`{words}` is no action of this game{_what_is_wrong(table, words)}")


def _what_is_wrong(table: Table, words: str) -> str:
    """What of a text cannot be read, if it fits an action else; or how those are written that begin
    with the same word.
    """
    alike = []
    for action in table.program.actions:
        params = {param.name: param for param in action.params}
        for optional in (True, False):
            match = _pattern(action.text, optional).fullmatch(words)
            for name, value in match.groupdict().items() if match else ():
                if not _readable(table, params[name], value):
                    return f": `{value}` is no {_NOUNS.get(params[name].type, name)} here"
        if words and action.text.split()[0].lower() == words.split()[0].lower():
            alike.append(f"`{action.text}`")
    if alike:
        return f"; it is written {' or '.join(alike)}"
    return _near_word(table, words)


def _near_word(table: Table, words: str) -> str:
    """The first word of actions to which that of a text is near: it may be misspelt."""
    from difflib import get_close_matches

    first = words.split()[0].lower() if words else ""
    known = {action.text.split()[0].lower() for action in table.program.actions}
    near = get_close_matches(first, sorted(known), n=1)
    return f"; did you mean `{near[0]}{words[len(first) :]}`?" if near else ""


def is_formed(table: Table, text_: str) -> bool:
    """Whether a text has the form of an action, whatever kinds, melds and players it names."""
    words = " ".join(text_.split())
    return any(
        any(True for _ in _readings(table, action, words, unnamed=("kind", "meld", "player")))
        for action in table.program.actions
    )


def _rewritten(action: Action, values: dict[str, str]) -> str:
    params = {param.name: param for param in action.params}
    optional = any(piece.optional and piece.param in values for piece in pieces(action.text))
    parts = []
    for piece in pieces(action.text):
        if piece.optional and not optional:
            continue
        parts.append(
            _tidy(params[piece.param], values[piece.param]) if piece.param else piece.words
        )
    return " ".join("".join(parts).split())


def _tidy(param: Param, written: str) -> str:
    if param.type in ("cards", "card"):
        faces = [parse_card(word) for word in written.split()]
        return " ".join(card_text(face) for face in faces if face is not None)
    if param.type == "meld":
        words = [word.upper() if _is_name(word) else word.lower() for word in written.split()]
        return " ".join(words).replace("JKR", "Jkr")
    return written.upper() if param.type in ("player", "side") else written.lower()


def _is_name(word: str) -> bool:
    return (
        len(word) == 1
        or parse_card(word.split("/")[0]) is not None
        or word.split("/")[0].upper() in _RANKS
        or parse_player(word, 99) is not None
    )


@lru_cache(maxsize=512)
def _pattern(template: str, optional: bool) -> re.Pattern[str]:
    parts = []
    for piece in pieces(template):
        if piece.optional and not optional:
            continue
        if piece.param:
            parts.append(f"(?P<{piece.param}>\\S(?:.*\\S)?)")
        else:
            parts.append(
                r"\s+".join(re.escape(word) for word in piece.words.split(" "))
                if piece.words.strip()
                else r"\s+"
            )
    return re.compile(re.sub(r"(\\s\+)+$", "", "".join(parts)), re.IGNORECASE)


def _readings(
    table: Table, action: Action, words: str, unnamed: tuple[str, ...] = ()
) -> Iterator[dict[str, str]]:
    """The texts of the parameters, where a text fits an action and each could be read as its type.

    unnamed: types of which any text will do.
    """
    params = {param.name: param for param in action.params}
    tried = [True, False] if any(piece.optional for piece in pieces(action.text)) else [False]
    for optional in tried:
        match = _pattern(action.text, optional).fullmatch(words)
        if match and all(
            params[name].type in unnamed or _readable(table, params[name], value)
            for name, value in match.groupdict().items()
        ):
            yield match.groupdict()


def _readable(table: Table, param: Param, written: str) -> bool:
    match param.type:
        case "cards":
            return all(parse_card(word) is not None for word in written.split())
        case "card":
            return parse_card(written) is not None
        case "meld":
            return _split_meld(table, written) is not None
        case "kind":
            return _kind_named(table, written) != []
        case "player":
            return parse_player(written, table.players) is not None
        case "side":
            return parse_side(written, table.sides, table.players) is not None
        case "rank":
            return written.upper() in _RANKS
        case "suit":
            return _suit_named(written) is not None
        case "yes_no":
            return written.lower() in ("yes", "no")
        case kind if kind.startswith("row:"):
            return _row_named(table, kind[4:], written) is not None
        case "number":
            return written.isascii() and written.isdecimal() and len(written) < 6
        case _:
            return True


def _resolve(state: State, param: Param, written: str | None, values: dict[str, str]) -> list[Any]:
    """The arguments that a text may stand for in a position."""
    table = state.table
    if written is None:
        if param.type == "kind":
            cards = next((v for k, v in values.items() if _is_cards(v)), "")
            return list(fitting_kinds(state, _faces(cards))) or list(
                range(len(table.program.kinds))
            )
        return list(
            table.code.param_domain[_domain_key(table, param)](
                state, {x.Marker.PLAYER: state.player}
            )
        )
    match param.type:
        case "cards":
            return [_faces(written)]
        case "card":
            return [parse_card(written)]
        case "meld":
            return melds_named(state, written)
        case "kind":
            return list(_kind_named(table, written))
        case "player":
            return [parse_player(written, table.players)]
        case "side":
            return [parse_side(written, table.sides, table.players)]
        case "rank":
            return [_RANKS[written.upper()]]
        case "suit":
            return [_suit_named(written)]
        case "yes_no":
            return [written.lower() == "yes"]
        case kind if kind.startswith("row:"):
            return [_row_named(table, kind[4:], written)]
        case "number":
            return [int(written)]
        case _:
            return [written]


def _domain_key(table: Table, param: Param) -> tuple[str, str]:
    return next(
        (action.name, param.name) for action in table.program.actions if param in action.params
    )


def _is_cards(written: str) -> bool:
    return all(parse_card(word) is not None for word in written.split())


def _faces(written: str) -> tuple[int, ...]:
    faces = [parse_card(word) for word in written.split()]
    return tuple(sorted(face for face in faces if face is not None))


# ---- names
@dataclass(frozen=True, slots=True)
class MeldName:
    """The parts of a meld's name: owner, kind's word, rank, lowest card, number among equals."""

    owner: int | None
    word: str
    rank: int | None
    card: int | None
    number: int | None


def _split_meld(table: Table, written: str) -> MeldName | None:
    words = written.split()
    number: int | None = None
    if words and "/" in words[-1]:
        words[-1], _, counted = words[-1].partition("/")
        if not (counted.isascii() and counted.isdecimal()):
            return None
        number = int(counted)
    owner: int | None = None
    if len(words) > 1:
        side = parse_side(words[0], table.sides, 0)
        player = parse_player(words[0], table.players)
        if player is not None:
            owner = table.side_of(player)
        elif side is not None:
            owner = side
        if owner is not None:
            words = words[1:]
    if len(words) == 1:
        if words[0].upper() in _RANKS:
            return MeldName(owner, "", _RANKS[words[0].upper()], None, number)
        return (
            MeldName(owner, words[0].lower(), None, None, number)
            if _kind_named(table, words[0])
            else None
        )
    if len(words) == 2 and _kind_named(table, words[0]):
        card = parse_card(words[1])
        rank = _RANKS.get(words[1].upper())
        return (
            None
            if card is None and rank is None
            else MeldName(owner, words[0].lower(), rank, card, number)
        )
    return None


def melds_named(state: State, written: str) -> list[tuple[int, int]]:
    """The melds on the table that a text names, the one that is meant first."""
    table = state.table
    name = _split_meld(table, written)
    if name is None:
        return []
    owner = table.side_of(state.player) if name.owner is None else name.owner
    fitting = [meld for meld in state.melds[owner] if _bears(table, meld, name)]
    if not fitting:
        return []
    if name.number is not None:
        return (
            [(owner, fitting[name.number - 1].serial)] if 1 <= name.number <= len(fitting) else []
        )
    first = _meant(state, fitting)
    return [(owner, meld.serial) for meld in (first, *(m for m in fitting if m is not first))]


def _bears(table: Table, meld: Meld, name: MeldName) -> bool:
    if name.word and meld.kind not in _kind_named(table, name.word):
        return False
    if name.rank is not None:
        return meld.rank == name.rank
    if name.card is not None:
        if meld.low is None:
            return name.card in [card & FACE for card in meld.cards]
        lowest = stands_for(meld.cards[0]) or meld.low
        return (14 if lowest == 1 else lowest, meld.suit) == ((name.card >> 2) + 2, name.card & 3)
    return True


def _kind_named(table: Table, written: str) -> list[int]:
    word = written.strip().lower().replace("_", " ")
    kinds = table.program.kinds
    called = [
        index for index, kind in enumerate(kinds) if kind.called.lower().replace("_", " ") == word
    ]
    named = [
        index for index, kind in enumerate(kinds) if kind.name.lower().replace("_", " ") == word
    ]
    return called + [index for index in named if index not in called]


def _suit_named(written: str) -> int | None:
    word = written.strip().lower()
    for index, name in enumerate(("clubs", "diamonds", "hearts", "spades")):
        if word in (name, name[:-1], name[0], SUIT_SIGNS[index]):
            return index
    return None


def _row_names(table: Table, rows: str) -> list[tuple[str, str]]:
    declared = next(t for t in table.program.tables if t.name == rows)
    return [(str(row.key).replace("_", " "), row.title) for row in declared.rows]


def _row_named(table: Table, rows: str, written: str) -> int | None:
    word = " ".join(written.replace("_", " ").lower().split())
    for index, names in enumerate(_row_names(table, rows)):
        if word in [name.replace("_", " ").lower() for name in names if name]:
            return index
    return None
