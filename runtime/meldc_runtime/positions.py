"""A state from a description: cards and memories by the names of the game's own zones and
memories.

Keys: `players`, `side_size` (read by the caller, who chooses the Table), `scores` (totals before
the deal), `deal`, `dealer`, `turn`, `to_act`, `phase`, `melds`; any other key is a zone or a
memory, by its name or the plural of it (`hands`). What has an owner is a map by player or side.
Cards are texts, bottom first; of the zone that holds the pack: next to be drawn first. A number
stands for so many unused cards.

What is not said:

- dealer P1, deal 1, totals 0; in turn the player on the dealer's left; the phase in which a deal
  begins.
- A zone holds as many cards as after a plain deal, taken from the unused cards in a fixed order:
  only faces which such a deal puts there. What lies open for all has ranks that are not given, if
  it can; the stock gives first what a hand keeps. In a finished deal a zone that is not named is
  empty.
- A memory has its first value, as if deal and turn had begun in this position.
- A meld given for a side of several players was laid by a partner of the player in turn, one given
  for a player by that player.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from functools import lru_cache
from statistics import median_low
from typing import Any, TypeAlias

from meldc_runtime import machine, melds
from meldc_runtime.cards import FACE, RANK_OF, card_text, mark
from meldc_runtime.light import dataclass
from meldc_runtime.names import parse_player, parse_seat, parse_side
from meldc_runtime.oracle import evaluate
from meldc_runtime.program.declarations import Memory, Zone
from meldc_runtime.randomness import Random
from meldc_runtime.state import Meld, State
from meldc_runtime.table import Table
from meldc_runtime.values import owners, read_cards, read_value

Path: TypeAlias = tuple[str, ...]
"""Where something stands in a description: keys from the outermost."""

SEATING_KEYS = ("players", "side_size")
OWN_KEYS = ("scores", "deal", "dealer", "turn", "to_act", "phase", "melds")
DEALS_LOOKED_AT = 20


@dataclass(frozen=True, slots=True)
class Problem:
    """Something wrong in a description: where (keys from the outermost), and what."""

    path: tuple[str, ...]
    text: str


class PositionError(ValueError):
    """A description that is no position of the game; `problems` holds all that was found."""

    def __init__(self, problems: list[Problem]) -> None:
        super().__init__("; ".join(f"{'.'.join(p.path)}: {p.text}" for p in problems))
        self.problems = tuple(problems)


def position(table: Table, given: Mapping[str, Any], *, finished: bool = False) -> State:
    """The state that a description gives; `finished`: a deal that is over but for its score.

    Raises PositionError.
    """
    return _Builder(table, given, finished).build()


def singulars(word: str) -> Iterator[str]:
    """What a word may be the plural of, itself included (`hands`: hand, `feet`: foot)."""
    yield word
    if word.endswith("ies"):
        yield word[:-3] + "y"
    if word.endswith("es"):
        yield word[:-2]
    if word.endswith("s"):
        yield word[:-1]
    if "ee" in word:
        yield word.replace("ee", "oo")


class _Builder:
    def __init__(self, table: Table, given: Mapping[str, Any], finished: bool) -> None:
        self.table = table
        self.given = given
        self.finished = finished
        self.problems: list[Problem] = []
        self.named_memories: set[int] = set()
        self.cards: dict[int, list[int]] = {}
        self.numbers: dict[int, int] = {}
        self.state = machine.new_state(table, 0, 0)

    def build(self) -> State:
        for zone in self.state.zones:
            zone.clear()
        self._whose_turn()
        named = [
            (key, value)
            for key, value in self.given.items()
            if key not in (*SEATING_KEYS, *OWN_KEYS)
        ]
        for key, value in named:
            self._named(key, value)
        self._lay_melds()
        self._stop_on_problems()
        self._check_pack()
        self._stop_on_problems()
        self._fill()
        self._first_values()
        return self.state

    # -- whose turn, which deal

    def _whose_turn(self) -> None:
        table, state = self.table, self.state
        self._totals()
        if "deal" in self.given:
            self._remember(self.table.memories["deal_number"], None, self.given["deal"], ("deal",))
        if "dealer" in self.given:
            self._remember(self.table.memories["dealer"], None, self.given["dealer"], ("dealer",))
        dealer = state.memory[table.memory_slot("dealer")] or 0
        state.turn = self._value("player", "turn", (dealer + 1) % table.players)
        state.player = self._value("player", "to_act", state.turn)
        state.phase = self._value("phase", "phase", None if self.finished else -1) or 0
        if state.phase < 0:
            state.phase = _usual(table).phase
        state.back = None

    def _totals(self) -> None:
        scores = self.given.get("scores", {})
        if not isinstance(scores, Mapping):
            self._problem(("scores",), "a number for each side is needed")
            return
        for key, value in scores.items():
            side = parse_side(str(key), self.table.sides, self.table.players)
            if side is None:
                self._problem(("scores", key), f"there is no side `{key}`")
            else:
                self._remember(self.table.memories["total"], side, value, ("scores", key))

    def _value(self, kind: str, key: str, default: Any) -> Any:
        if key not in self.given:
            return default
        try:
            return read_value(self.table, kind, self.given[key])
        except ValueError as error:
            self._problem((key,), str(error))
            return default

    # -- zones and memories by their names

    def _named(self, key: str, value: Any) -> None:
        for name in singulars(key):
            if (zone := self.table.zones.get(name)) is not None:
                for owner, part, path in self._by_owner(zone.owner, key, value):
                    self._put(zone, owner, part, path)
                return
            if (memory := self.table.memories.get(name)) is not None:
                for owner, part, path in self._by_owner(memory.owner, key, value):
                    self._remember(memory, owner, part, path)
                return
        self._problem((key,), "the game has no zone and no memory of this name")

    def _by_owner(self, kind: str, key: str, value: Any) -> Iterator[tuple[int | None, Any, Path]]:
        """What is given for each owner, and where it stands."""
        if kind == "none":
            yield None, value, (key,)
            return
        if not isinstance(value, Mapping):
            self._problem((key,), f"it is kept for each {kind}: say whose")
            return
        for name, part in value.items():
            owner = self._owner(kind, str(name))
            if owner is None:
                self._problem((key, name), f"there is no {kind} `{name}`")
            else:
                yield owner, part, (key, name)

    def _owner(self, kind: str, name: str) -> int | None:
        table = self.table
        parse = parse_side if kind == "side" else parse_seat
        return parse(name, table.sides, table.players)

    def _put(self, zone: Zone, owner: int | None, value: Any, path: Path) -> None:
        slot = self.table.zone_slot(zone.name, owner)
        if type(value) is int:
            self.numbers[slot] = max(0, value)
        elif isinstance(value, Mapping) and owner is None:
            self.cards[slot] = list(self._cards_laid_by(value, path))
        else:
            cards = self._cards(value, path)
            self.cards[slot] = cards[::-1] if zone.holds_pack else cards

    def _cards_laid_by(self, value: Mapping[str, Any], path: Path) -> Iterator[int]:
        for name, part in value.items():
            player = parse_seat(str(name), self.table.sides, self.table.players)
            if player is None:
                self._problem((*path, name), f"there is no player `{name}`")
            else:
                yield from (mark(face, player) for face in self._cards(part, (*path, name)))

    def _remember(self, memory: Memory, owner: int | None, value: Any, path: Path) -> None:
        slot = self.table.memory_slot(memory.name, owner)
        try:
            self.state.memory[slot] = read_value(self.table, memory.type, value)
        except ValueError as error:
            self._problem(path, str(error))
        self.named_memories.add(slot)

    # -- melds

    def _lay_melds(self) -> None:
        given = self.given.get("melds", {})
        if not isinstance(given, Mapping):
            self._problem(("melds",), "a list of melds for each side is needed")
            return
        for name, listed in given.items():
            path = ("melds", name)
            owner = self._layer(str(name))
            if owner is None:
                self._problem(path, f"there is no side or player `{name}`")
                continue
            for text in listed if isinstance(listed, list) else [listed] if listed != "" else []:
                self._lay_meld(str(text), owner, path)

    def _layer(self, name: str) -> int | None:
        """The player who laid the melds given under a name."""
        player = parse_player(name, self.table.players)
        side = parse_side(name, self.table.sides, self.table.players)
        if player is not None or side is None:
            return player
        players = self.table.players_of(side)
        turn = self.state.turn
        return min(players, key=lambda p: (p - turn - 1) % self.table.players)

    def _lay_meld(self, text: str, player: int, path: Path) -> None:
        words, _, kind_word = text.partition(" as ")
        cards = self._cards(words, path)
        if not cards:
            return
        meld = self._pattern(cards, kind_word.strip(), player)
        if meld is None:
            self._problem(path, f"`{text}` is no meld of this game")
        else:
            melds.lay(self.state, meld, None)

    def _pattern(self, cards: list[int], kind_word: str, player: int) -> Meld | None:
        for index, kind in enumerate(self.table.program.kinds):
            if kind_word in ("", kind.name, kind.called):
                meld = melds.would_be(self.table, self.state, index, None, cards, player)
                if meld is not None:
                    return meld
        return None

    # -- the pack

    def _check_pack(self) -> None:
        pack = Counter(self.table.pack)
        for face, number in self._used().items():
            if number > pack[face]:
                has = f"has {pack[face]}" if pack[face] else "has none"
                self._problem((), f"{number} of {card_text(face)} are given, the pack {has}")

    def _used(self) -> Counter[int]:
        used = Counter(card & FACE for cards in self.cards.values() for card in cards)
        used.update(
            card & FACE for side in self.state.melds for meld in side for card in meld.cards
        )
        return used

    def _fill(self) -> None:
        unused = list((Counter(self.table.pack) - self._used()).elements())
        unused.sort()
        Random.of("position").shuffle(unused)
        given = {RANK_OF[face] for face in self._used()}
        zones = sorted(self.table.program.zones, key=lambda zone: zone.holds_pack)
        for zone in zones:
            for slot in self._slots(zone):
                if slot in self.cards:
                    self.state.zones[slot] = self.cards[slot]
                    continue
                self._fill_zone(slot, zone, unused, given)

    def _fill_zone(self, slot: int, zone: Zone, unused: list[int], given: set[int | None]) -> None:
        """Moves as many unused cards to a zone as are said, or as usually lie there."""
        number = self.numbers.get(slot, 0)
        fitting = unused
        if not self.finished:
            usual = _usual(self.table)
            number = self.numbers.get(slot, usual.numbers[slot])
            faces = usual.faces[zone.name]
            fitting = [face for face in unused if not faces or face in faces]
            if zone.holds_pack:
                fitting.sort(key=lambda face: face not in usual.held)
            elif zone.owner == "none":
                fitting.sort(key=lambda face: RANK_OF[face] in given)
        fitting = fitting[:number]
        for face in fitting:
            unused.remove(face)
        self.state.zones[slot] = fitting[::-1] if zone.holds_pack else fitting

    def _slots(self, zone: Zone) -> Iterator[int]:
        for owner in owners(self.table, zone.owner):
            yield self.table.zone_slot(zone.name, owner)

    # -- memories that are not named

    def _first_values(self) -> None:
        for scope in ("deal", "turn"):
            for memory in self.table.program.memories:
                if memory.scope == scope:
                    self._first_value(memory)

    def _first_value(self, memory: Memory) -> None:
        table, state = self.table, self.state
        for owner in owners(table, memory.owner):
            slot = table.memory_slot(memory.name, owner)
            if slot in self.named_memories:
                continue
            names = {"player": state.turn} | ({} if owner is None else {memory.owner: owner})
            initial = memory.initial
            state.memory[slot] = None if initial is None else evaluate(table, state, names, initial)

    # -- problems

    def _cards(self, value: Any, path: Path) -> list[int]:
        if isinstance(value, Mapping):
            self._problem(path, "cards are needed, like KH 10S 2C Jkr")
            return []
        try:
            return read_cards(value)
        except ValueError as error:
            self._problem(path, str(error))
            return []

    def _problem(self, path: Path, text: str) -> None:
        self.problems.append(Problem(tuple(str(part) for part in path), text))

    def _stop_on_problems(self) -> None:
        if self.problems:
            raise PositionError(self.problems)


@dataclass(frozen=True, slots=True)
class _Usual:
    """What a plain deal leaves: the phase, the number of cards by slot, the faces seen in each
    zone, the faces seen in hands.
    """

    phase: int
    numbers: tuple[int, ...]
    faces: dict[str, frozenset[int]]
    held: frozenset[int]


@lru_cache(maxsize=64)
def _usual(table: Table) -> _Usual:
    dealt = [machine.start_game(table, seed) for seed in range(DEALS_LOOKED_AT)]
    deals = [state for state in dealt if _is_plain(state)] or dealt
    numbers: dict[int, int] = {}
    faces: dict[str, frozenset[int]] = {}
    held: set[int] = set()
    for zone in table.program.zones:
        slots = [table.zone_slot(zone.name, owner) for owner in owners(table, zone.owner)]
        faces[zone.name] = frozenset(
            card & FACE for state in deals for slot in slots for card in state.zones[slot]
        )
        in_hand = zone.visibility == "owner"
        if in_hand:
            held |= faces[zone.name]
        # the least number elsewhere: what chance alone laid out is not usual
        usual = median_low if in_hand or zone.holds_pack else min
        for slot in slots:
            numbers[slot] = usual([len(state.zones[slot]) for state in deals])
    by_slot = tuple(numbers[slot] for slot in sorted(numbers))
    return _Usual(dealt[0].phase, by_slot, faces, frozenset(held))


def _is_plain(state: State) -> bool:
    """Whether a deal has set no yes or no, and left cards to draw."""
    table = state.table
    first = machine.new_state(table).memory
    switches = [memory for memory in table.program.memories if memory.type == "yes_no"]
    return all(
        state.zones[table.zone_slot(zone.name)] for zone in table.program.zones if zone.holds_pack
    ) and all(
        state.memory[slot] == first[slot]
        for switch in switches
        for slot in (table.memory_slot(switch.name, owner) for owner in owners(table, switch.owner))
    )
