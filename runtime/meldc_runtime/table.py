"""A Program seated: how many play, in sides of which size, and all that follows from it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from meldc_runtime.cards import ACE, JOKER, RANK_WORDS, SUIT_WORDS, UNKNOWN, face_of, parse_card
from meldc_runtime.course import Course
from meldc_runtime.foresight import Foresight
from meldc_runtime.kept import Kept
from meldc_runtime.program.codec import ProgramError
from meldc_runtime.program.declarations import Definition, Memory, Program, Zone
from meldc_runtime.program.declarations import Table as ProgramTable
from meldc_runtime.program.expressions import Const
from meldc_runtime.program.reserved import DEAL_NUMBER, DEALER, TOTAL
from meldc_runtime.schedule import Schedule
from meldc_runtime.state import State
from meldc_runtime.writing import code_of

if TYPE_CHECKING:
    from meldc_runtime.writing import Code
    from meldc_runtime.writing.folding import Folding

Env = dict[str, Any]
"""The names of a step: `player`, the parameters of the action, its `let`s; for rules about a kind
`meld` and `new`.

A parameter that is a meld is the `Meld` itself here; cards are a tuple of faces.
"""

BUILT_IN = (
    Memory(TOTAL, "side", "number", Const(0, "number"), "game", None),
    Memory(DEALER, "none", "player", None, "game", None),
    Memory(DEAL_NUMBER, "none", "number", Const(1, "number"), "game", None),
)
"""Memory that every game has, whether its Program declares it or not."""

USUAL_PLAYERS = 4
MOST_CARDS = 2000


class SeatingError(ValueError):
    """The game is not played by so many, or not in sides of this size."""


class Table:
    """A Program for a number of players and a size of sides; one Table serves all states.

    players: default 4 where allowed, else the first allowed. side_size: default the first allowed
    that makes two sides or more. Raises SeatingError, and ProgramError where the Program is none
    that can be played.

    Attributes: program, players, sides, side_size; pack (faces, sorted); settings (folded values);
    code; actions, moments, kinds, phases (name -> index); tables, definitions, zones, memories
    (name -> declaration); rows (table -> row name -> index); zone_slots, memory_slots; foresight,
    which answers `can` and `only`; splits, melds_of, answers of `unmelded` that are kept and melds
    found for them.
    """

    program: Program
    code: Code

    def __init__(
        self, program: Program, players: int | None = None, side_size: int | None = None
    ) -> None:
        try:
            self._seat(program, players, side_size)
        except RecursionError:
            raise ProgramError("nested too deeply") from None

    def _seat(self, program: Program, players: int | None, side_size: int | None) -> None:
        self.kept = Kept(program, players, side_size)
        self.kept.get("sound", lambda: _is_sound(program))
        self.program = program
        self.players: int = _number_of_players(program, players)
        self.side_size: int = _size_of_sides(program, self.players, side_size)
        self.sides: int = self.players // self.side_size
        self.schedule = Schedule(program)
        self._index(program)
        self._lay_out_slots(program)
        self._foresight: Foresight | None = None
        self.splits: dict[object, int | None] = {}
        self.melds_of: dict[object, tuple[set[tuple[int, ...]], int]] = {}
        self._folding: Folding | None = None
        self.settings: dict[str, Any] = {}
        self.settings, packs, jokers = self.kept.get("settings", self._evaluate_settings)
        self.pack = self._lay_out_pack(packs, jokers)
        self.pack_set = frozenset(self.pack)
        self.code = code_of(self)
        self.schedule.leave_out(self.code.never_broken)
        self.course = Course(self.schedule, self.code)
        self.matters_at_end = self._moments_that_matter_at_end()
        self.kept.save()

    def _evaluate_settings(self) -> tuple[dict[str, Any], int, int]:
        """The values of settings, and how many packs and jokers there are."""
        from meldc_runtime.oracle import evaluate

        for setting in self.program.settings:
            self.settings[setting.name] = evaluate(self, None, {}, setting.value)
        pack = self.program.pack
        packs, jokers = (evaluate(self, None, {}, each) for each in (pack.packs, pack.jokers))
        return self.settings, packs, jokers

    @property
    def folding(self) -> Folding:
        """What folds expressions with all that the seating settles."""
        if self._folding is None:
            from meldc_runtime.writing.folding import Folding

            self._folding = Folding(self)
        return self._folding

    @folding.setter
    def folding(self, folding: Folding) -> None:
        self._folding = folding

    def _index(self, program: Program) -> None:
        self.actions = {a.name: i for i, a in enumerate(program.actions)}
        self.moments = {m.name: i for i, m in enumerate(program.moments)}
        self.kinds = {k.name: i for i, k in enumerate(program.kinds)}
        self.phases = {p.name: i for i, p in enumerate(program.phases)}
        self.tables: dict[str, ProgramTable] = {t.name: t for t in program.tables}
        self.definitions: dict[str, Definition] = {d.name: d for d in program.definitions}
        self.zones: dict[str, Zone] = {z.name: z for z in program.zones}
        declared = {m.name for m in program.memories}
        self.memories: dict[str, Memory] = {
            m.name: m for m in (*(b for b in BUILT_IN if b.name not in declared), *program.memories)
        }
        self.rows = {
            t.name: {row.key: i for i, row in enumerate(t.rows) if isinstance(row.key, str)}
            for t in program.tables
        }

    def _lay_out_slots(self, program: Program) -> None:
        self.zone_base: dict[str, int] = {}
        self.zone_slots = 0
        for zone in program.zones:
            self.zone_base[zone.name] = self.zone_slots
            self.zone_slots += self.owners(zone.owner)
        self.memory_base: dict[str, int] = {}
        self.memory_slots = 0
        for memory in self.memories.values():
            self.memory_base[memory.name] = self.memory_slots
            self.memory_slots += self.owners(memory.owner)

    def _lay_out_pack(self, packs: int, jokers: int) -> tuple[int, ...]:
        ranks = self.program.pack.ranks
        if not ranks or not all(2 <= rank <= ACE for rank in ranks):
            raise ProgramError("the ranks of a pack are 2 to 14")
        if len(ranks) == 2:
            ranks = tuple(range(ranks[0], ranks[1] + 1))
        one = [face_of(rank, suit) for rank in ranks for suit in range(4)]
        if not 0 < packs * (len(one) + jokers) <= MOST_CARDS:
            raise ProgramError(f"a pack has 1 to {MOST_CARDS} cards")
        return tuple(sorted([*one, *[JOKER] * jokers] * packs))

    def _moments_that_matter_at_end(self) -> frozenset[int]:
        """Moments at the end of a turn that a look-ahead must not pass over: rules may keep them
        from happening, or a condition asks whether they can be reached.
        """
        from meldc_runtime.program.expressions import Can
        from meldc_runtime.writing.nodes import expressions_of, walk

        asked = {
            node.name
            for expr in expressions_of(self.program)
            for node in walk(expr)
            if isinstance(node, Can) and node.subject == "moment"
        }
        schedule = self.schedule
        return frozenset(
            index
            for index in schedule.end_turn
            if schedule.moment_rules[index]
            or self.program.moments[index].name in asked
            or any(schedule.moment_rules[after] for after in schedule.after_moment[index])
        )

    def owners(self, owner: str) -> int:
        """How many there are of something kept by `none`, `player` or `side`."""
        return {"player": self.players, "side": self.sides}.get(owner, 1)

    @property
    def foresight(self) -> Foresight:
        """What answers `can` and `only`: unless one was assigned, this package's look-ahead."""
        if self._foresight is None:
            from meldc_runtime import lookahead

            self._foresight = lookahead.foresight(self)
        return self._foresight

    @foresight.setter
    def foresight(self, foresight: Foresight) -> None:
        self._foresight = foresight

    def side_of(self, player: int) -> int:
        """The side of a player: player modulo number of sides."""
        return player % self.sides

    def players_of(self, side: int) -> tuple[int, ...]:
        """The players of a side, clockwise."""
        return tuple(range(side, self.players, self.sides))

    def partners_of(self, player: int) -> tuple[int, ...]:
        """The other players of a player's side, nearest clockwise first."""
        return tuple((player + i * self.sides) % self.players for i in range(1, self.side_size))

    def opponents_of(self, side: int) -> tuple[int, ...]:
        """The other sides, nearest clockwise first."""
        return tuple((side + i) % self.sides for i in range(1, self.sides))

    def zone_slot(self, name: str, owner: int | None = None) -> int:
        """Index into `State.zones`; owner a player or side as the zone is declared, None for an
        unowned zone.
        """
        return self.zone_base[name] + (owner or 0)

    def memory_slot(self, name: str, owner: int | None = None) -> int:
        """Index into `State.memory`. `total` (of side), `dealer`, `deal_number` always exist."""
        return self.memory_base[name] + (owner or 0)

    def naturals(self, state: State, kind: int) -> tuple[bool, ...]:
        """By face: whether a card may lie as itself in a meld of this kind."""
        fixed = self.code.fixed_naturals[kind]
        return self.code.naturals[kind](state) if fixed is None else fixed

    def wilds(self, state: State) -> tuple[bool, ...]:
        """By face: whether a card is wild (none is where the Program has no class `wild`)."""
        fixed = self.code.fixed_wilds
        return self.code.wilds(state) if fixed is None else fixed

    def can_be_wild(self, state: State, card: int) -> bool:
        """Whether a card is of the class `wild`."""
        return bool(self.code.wilds(state)[card & 63])

    def constant(self, const: Const) -> Any:
        """The value of a constant at play: names of kinds, phases and rows as indices, words of
        ranks and suits as numbers.
        """
        value, kind = const.value, const.type
        if not isinstance(value, str):
            return value
        try:
            return self._index_of(value, kind)
        except (KeyError, ValueError, StopIteration):
            raise ProgramError(f"there is no {kind} {value!r}") from None

    def _index_of(self, value: str, kind: str) -> Any:
        if kind.startswith("row:"):
            return self.rows[kind[4:]][value]
        match kind:
            case "kind":
                return self.kinds[value]
            case "phase":
                return self.phases[value]
            case "suit":
                return SUIT_WORDS.index(value)
            case "rank":
                return next(rank for rank, word in RANK_WORDS.items() if word == value)
            case "card":
                face = parse_card(value)
                return UNKNOWN if face is None else face
        return value


def _is_sound(program: Program) -> bool:
    """True. Raises ProgramError where the Program cannot be played."""
    from meldc_runtime.writing.guarding import guard

    guard(program, (memory.name for memory in BUILT_IN))
    return True


def _number_of_players(program: Program, players: int | None) -> int:
    if players is None:
        return USUAL_PLAYERS if USUAL_PLAYERS in program.players else program.players[0]
    if players not in program.players:
        raise SeatingError(
            f"{program.title} is for {_numbers(program.players)} players, not for {players}"
        )
    return players


def _size_of_sides(program: Program, players: int, size: int | None) -> int:
    fitting = [s for s in program.side_sizes if players % s == 0 and players // s >= 2]
    if size is None and fitting:
        return fitting[0]
    if size is None or size not in fitting:
        wanted = "sides" if size is None else f"sides of {size}"
        raise SeatingError(f"{players} players do not make {wanted} in {program.title}")
    return size


def _numbers(numbers: tuple[int, ...]) -> str:
    ordered = sorted(numbers)
    if len(ordered) > 2 and ordered == list(range(ordered[0], ordered[-1] + 1)):
        return f"{ordered[0]} to {ordered[-1]}"
    return " or ".join(map(str, ordered))
