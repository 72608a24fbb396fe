"""A state from a description: cards and memories by the names of the game's own zones and
memories.

Keys: `players`, `side_size` (read by the caller, who chooses the Table), `scores` (totals before
the deal), `deal`, `dealer`, `turn`, `to_act`, `phase`, `melds`; any other key is a zone or a
memory, by its name or the plural of it (`hands`). What has an owner is a map by player or side.
Cards are texts, bottom first; of the zone that holds the pack: next to be drawn first. A number
stands for so many unused cards. A meld is a text (`KH KD 2S`, `4H 5H 6H as sequence`), a list of
cards, or a map: `cards`, the kind `as` and the player it was laid `by`.

What is not said:

- deal 1, totals 0; P1 dealt the first deal, each player in turn the next ones; in turn the player
  on the dealer's left; the phase in which a deal begins.
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
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from statistics import median_low
from typing import Any, TypeAlias

from meldc_runtime import machine, melds
from meldc_runtime.cards import FACE, RANK_OF, card_text, mark
from meldc_runtime.light import dataclass
from meldc_runtime.names import parse_player, parse_seat, parse_side, player_name, side_name
from meldc_runtime.oracle import evaluate
from meldc_runtime.program.declarations import Memory, Zone
from meldc_runtime.program.reserved import DEAL_NUMBER, DEALER, TOTAL
from meldc_runtime.randomness import Random
from meldc_runtime.state import Meld, State
from meldc_runtime.table import Table
from meldc_runtime.values import expected, owners, read_cards, read_value

Path: TypeAlias = tuple[str, ...]
"""Where something stands in a description: keys from the outermost."""

SEATING_KEYS = ("players", "side_size")
OWN_KEYS = ("scores", "deal", "dealer", "turn", "to_act", "phase", "melds")
BEFORE_A_DEAL = ("scores", "deal", "dealer")
"""Keys that say what was so before the deal, and may stand beside a seed."""
MELD_KEYS = ("cards", "as", "by")
DEALS_LOOKED_AT = 20


@dataclass(frozen=True, slots=True)
class Problem:
    """Something wrong in a description: where (keys from the outermost), what, what would do."""

    path: tuple[str, ...]
    text: str
    help: str = ""


class PositionError(ValueError):
    """A description that is no position of the game; `problems` holds all that was found."""

    def __init__(self, problems: list[Problem]) -> None:
        super().__init__("; ".join(f"{'.'.join(p.path)}: {p.text}" for p in problems))
        self.problems = tuple(problems)


def seating(given: Mapping[str, Any]) -> tuple[int | None, int | None]:
    """The number of players and the size of sides that a description gives, None for what it does
    not. Raises PositionError.
    """
    players, side_size = (given.get(key) for key in SEATING_KEYS)
    for key, number in zip(SEATING_KEYS, (players, side_size), strict=True):
        if number is not None and type(number) is not int:
            raise PositionError([Problem((key,), "a whole number is needed")])
    return players, side_size


def position(table: Table, given: Mapping[str, Any], *, finished: bool = False) -> State:
    """The state that a description gives; `finished`: a deal that is over but for its score.

    Raises PositionError.
    """
    return _Builder(table, given, finished).build()


def dealt(table: Table, given: Mapping[str, Any], seed: int) -> State:
    """A deal by chance, in a game that has come as far as a description says (`scores`, `deal`,
    `dealer`, memories by name).

    Memories of a deal or turn take their values after the cards are dealt. Raises PositionError,
    for what a deal settles by itself (zones, melds, whose turn it is) too.
    """
    return _Builder(table, given, finished=False).deal(seed)


def is_settled_by_a_deal(table: Table, key: str) -> bool:
    """Whether a key speaks of what the cards dealt decide, so that no description may."""
    if key in (*SEATING_KEYS, *BEFORE_A_DEAL):
        return False
    return key in OWN_KEYS or any(name in table.zones for name in singulars(key))


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
        self.keys = {TOTAL: "scores", DEAL_NUMBER: "deal"}
        self.uses: list[tuple[int, Path]] = []
        self.cards: dict[int, list[int]] = {}
        self.numbers: dict[int, int] = {}
        self.state = machine.new_state(table, 0, 0)

    def build(self) -> State:
        for zone in self.state.zones:
            zone.clear()
        self._which_deal()
        self._whose_turn()
        self._all_named()
        self._lay_melds()
        self._stop_on_problems()
        self._check_pack()
        self._stop_on_problems()
        self._fill()
        self._stop_on_problems()
        self._first_values()
        return self.state

    def deal(self, seed: int) -> State:
        self.state.seed = seed
        self._which_deal()
        for key in self.given:
            if is_settled_by_a_deal(self.table, key):
                self._problem((key,), "the cards are dealt with the seed")
        self._stop_on_problems()
        self._all_named()
        self._stop_on_problems()
        said = {slot: self.state.memory[slot] for slot in self.named_memories}
        machine.start_deal(self.state)
        for memory in self.table.program.memories:
            for owner in owners(self.table, memory.owner):
                slot = self.table.memory_slot(memory.name, owner)
                if slot in said and memory.scope != "game":
                    self.state.memory[slot] = said[slot]
        return self.state

    # -- whose turn, which deal

    def _which_deal(self) -> None:
        memory, slot = self.table.memories, self.table.memory_slot
        self._totals()
        if "deal" in self.given:
            self._remember(memory[DEAL_NUMBER], None, self.given["deal"], ("deal",))
        if "dealer" in self.given:
            self._remember(memory[DEALER], None, self.given["dealer"], ("dealer",))
        else:
            deal = self.state.memory[slot(DEAL_NUMBER)] or 1
            self.state.memory[slot(DEALER)] = (deal - 1) % self.table.players

    def _whose_turn(self) -> None:
        table, state = self.table, self.state
        dealer = state.memory[table.memory_slot(DEALER)] or 0
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
        for side, value, path in self._by_owner("side", "scores", scores):
            self._remember(self.table.memories[TOTAL], side, value, path)

    def _value(self, kind: str, key: str, default: Any) -> Any:
        if key not in self.given:
            return default
        try:
            value = read_value(self.table, kind, self.given[key])
        except ValueError as error:
            self._problem((key,), str(error))
            return default
        if value is None:
            self._problem((key,), expected(self.table, kind))
        return value

    # -- zones and memories by their names

    def _all_named(self) -> None:
        for key, value in self.given.items():
            if key not in (*SEATING_KEYS, *OWN_KEYS):
                self._named(key, value)

    def _named(self, key: str, value: Any) -> None:
        table = self.table
        names = [name for name in singulars(key) if name in table.zones or name in table.memories]
        if not names:
            there_are = _listed([*OWN_KEYS, *table.zones, *table.memories])
            text = f"the game has no zone and no memory `{key}`"
            self._problem((key,), text, f"what can be given is {there_are}")
            return
        name = names[0]
        before = self.keys.setdefault(name, key)
        if before != key and before in self.given:
            self._problem((key,), f"`{before}` says this already")
        elif (zone := table.zones.get(name)) is not None:
            for owner, part, path in self._by_owner(zone.owner, key, value):
                self._put(zone, owner, part, path)
        else:
            memory = table.memories[name]
            for owner, part, path in self._by_owner(memory.owner, key, value):
                self._remember(memory, owner, part, path)

    def _by_owner(self, kind: str, key: str, value: Any) -> Iterator[tuple[int | None, Any, Path]]:
        """What is given for each owner, and where it stands."""
        if kind == "none":
            yield None, value, (key,)
            return
        if not isinstance(value, Mapping):
            whose = f"`{key}: {{{'A' if kind == 'side' else 'P1'}: …}}`"
            self._problem((key,), f"it is kept for each {kind}: say whose, as in {whose}")
            return
        said: dict[int, str] = {}
        for name, part in value.items():
            owner = self._owner(kind, str(name))
            if owner is None:
                self._problem((key, name), f"there is no {kind} `{name}`; {self._there_are(kind)}")
            elif owner in said:
                self._problem((key, name), f"`{said[owner]}` is of the same {kind} and given too")
            else:
                said[owner] = str(name)
                yield owner, part, (key, name)

    def _owner(self, kind: str, name: str) -> int | None:
        """Who is meant; a player's name stands for the side where sides are asked for."""
        table = self.table
        if kind != "side":
            return parse_seat(name, table.sides, table.players)
        player = parse_player(name, table.players)
        side = None if player is None else table.side_of(player)
        return parse_side(name, table.sides, table.players) if side is None else side

    def _there_are(self, *kinds: str) -> str:
        last = {
            "player": f"players are P1 to {player_name(self.table.players - 1)}",
            "side": f"sides are A to {side_name(self.table.sides - 1)}",
        }
        return ", ".join(last[kind] for kind in kinds)

    def _put(self, zone: Zone, owner: int | None, value: Any, path: Path) -> None:
        slot = self.table.zone_slot(zone.name, owner)
        if type(value) is int:
            if value < 0:
                self._problem(path, "a number of cards is not below 0")
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
                there_are = self._there_are("player")
                self._problem((*path, name), f"there is no player `{name}`; {there_are}")
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
            path = ("melds", str(name))
            player = self._layer(str(name))
            if player is None:
                there_are = self._there_are("side", "player")
                self._problem(path, f"there is no side or player `{name}`; {there_are}")
            elif isinstance(listed, list):
                for number, meld in enumerate(listed):
                    self._lay_meld(meld, player, (*path, str(number)))
            elif listed != "":
                self._lay_meld(listed, player, path)

    def _layer(self, name: str) -> int | None:
        """The player who laid the melds given under a name."""
        player = parse_player(name, self.table.players)
        side = parse_side(name, self.table.sides, self.table.players)
        if player is not None or side is None:
            return player
        players = self.table.players_of(side)
        turn = self.state.turn
        return min(players, key=lambda p: (p - turn - 1) % self.table.players)

    def _lay_meld(self, given: Any, player: int, path: Path) -> None:
        words, kind_word, laid_by = self._meld_said(given, path)
        if laid_by is not None:
            said = parse_player(laid_by, self.table.players)
            if said is None or self.table.side_of(said) != self.table.side_of(player):
                self._problem(path, f"`{laid_by}` is no player of that side")
                return
            player = said
        cards = self._cards(words, path)
        if not cards:
            return
        meld = self._pattern(cards, kind_word, player)
        if meld is None:
            self._problem(path, self._no_meld(cards, kind_word))
        else:
            melds.lay(self.state, meld, None)

    def _meld_said(self, given: Any, path: Path) -> tuple[Any, str, str | None]:
        """The cards of a meld, its kind and who laid it, as far as they are said."""
        if isinstance(given, list):
            return given, "", None
        if not isinstance(given, Mapping):
            words, _, kind_word = str(given).partition(" as ")
            return words, kind_word.strip(), None
        unknown = [key for key in given if key not in MELD_KEYS]
        if unknown or "cards" not in given:
            wrong = f"`{unknown[0]}` is no key of a meld" if unknown else "its cards are missing"
            self._problem(path, f"{wrong}: write `KH KD KS`, or {{cards: …, as: KIND, by: P1}}")
            return "", "", None
        by = given.get("by")
        return given["cards"], str(given.get("as", "")), None if by is None else str(by)

    def _no_meld(self, cards: list[int], kind_word: str) -> str:
        kinds = self.table.program.kinds
        text = " ".join(card_text(card) for card in cards)
        names = ", ".join(kind.called or kind.name for kind in kinds)
        if kind_word and all(kind_word not in (kind.name, kind.called) for kind in kinds):
            return f"there is no kind of meld `{kind_word}`; the kinds are {names}"
        wanted = f" of the kind `{kind_word}`" if kind_word else f"; the kinds are {names}"
        return f"`{text}` is no meld of this game{wanted}"

    def _pattern(self, cards: list[int], kind_word: str, player: int) -> Meld | None:
        for index, kind in enumerate(self.table.program.kinds):
            if kind_word in ("", kind.name, kind.called):
                meld = melds.would_be(self.table, self.state, index, None, cards, player)
                if meld is not None:
                    return meld
        return None

    # -- the pack

    def _check_pack(self) -> None:
        pack, given = Counter(self.table.pack), self._used()
        used: Counter[int] = Counter()
        for face, path in self.uses:
            used[face] += 1
            if used[face] == pack[face] + 1:
                has = f"has {pack[face]}" if pack[face] else "has none"
                text = f"{given[face]} of {card_text(face)} are given, the pack {has}"
                self._problem(path, text)

    def _used(self) -> Counter[int]:
        return Counter(face for face, _ in self.uses)

    def _fill(self) -> None:
        unused = list((Counter(self.table.pack) - self._used()).elements())
        unused.sort()
        Random.of("position").shuffle(unused)
        given = {RANK_OF[face] for face in self._used()}
        zones = sorted(self.table.program.zones, key=lambda zone: zone.holds_pack)
        asked = sum(self.numbers.values())
        for zone in zones:
            for slot in self._slots(zone):
                if slot in self.cards:
                    self.state.zones[slot] = self.cards[slot]
                elif slot in self.numbers:
                    asked -= self.numbers[slot]
                    self._fill_zone(slot, zone, self.numbers[slot], unused, given)
                elif not self.finished:
                    usual = min(_usual(self.table).numbers[slot], max(0, len(unused) - asked))
                    self._fill_zone(slot, zone, usual, unused, given)

    def _fill_zone(
        self, slot: int, zone: Zone, number: int, unused: list[int], given: set[int | None]
    ) -> None:
        """Moves so many unused cards to a zone, such as a plain deal puts there."""
        asked = slot in self.numbers
        fitting = unused[:]
        if not self.finished:
            usual = _usual(self.table)
            faces = usual.faces[zone.name]
            fitting = [face for face in unused if not faces or face in faces]
            if asked and len(fitting) < number:
                fitting = sorted(unused, key=lambda face: face not in faces)
            if zone.holds_pack:
                fitting.sort(key=lambda face: face not in usual.held)
            elif zone.owner == "none":
                fitting.sort(key=lambda face: RANK_OF[face] in given)
        if asked and len(fitting) < number:
            text = f"{number} cards are too many: {len(fitting)} are left for it"
            self._problem((self.keys[zone.name],), text)
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
            faces = [] if value == "none" else read_cards(value)
        except ValueError as error:
            self._problem(path, str(error))
            return []
        self.uses += ((face, path) for face in faces)
        return faces

    def _problem(self, path: Path, text: str, cure: str = "") -> None:
        self.problems.append(Problem(tuple(str(part) for part in path), text, cure))

    def _stop_on_problems(self) -> None:
        if self.problems:
            raise PositionError(self.problems)


def _listed(names: Iterable[str]) -> str:
    return ", ".join(f"`{name}`" for name in dict.fromkeys(names))


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
