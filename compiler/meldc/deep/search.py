"""Plays deals, each from its own seed, with every mixture of bots at every size of table."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from meldc.deep.adversaries import CHOOSERS, Chooser
from meldc.deep.findings import Budget, Finding, Move, Sort, Tried
from meldc.deep.probing import probe
from meldc.deep.watching import watch
from meldc_runtime import actions, legality, machine
from meldc_runtime.game import Game
from meldc_runtime.lookahead import outlook_of
from meldc_runtime.names import player_name
from meldc_runtime.program import Program
from meldc_runtime.program.reserved import TOTAL
from meldc_runtime.randomness import Random
from meldc_runtime.state import State

DEALS_OF_GAMES = (2, 2, 12)
"""How many deals of a game are played, in turn: rules that read totals need some before them."""
MOST_OF_A_SORT = 3
"""Findings of one sort that are kept."""
PROBES_OF_A_DEAD_END = 24
PROBED = 8
"""Every so many decisions a play is asked for that may well be illegal."""
MIXTURES: tuple[tuple[str, ...], ...] = (
    ("random",),
    ("building",),
    ("stripping",),
    ("lingering",),
    ("building", "random"),
    ("stripping", "lingering"),
    ("random", "building", "stripping", "lingering"),
)


def search(
    program: Program, budget: Budget, progress: Callable[[Tried], None] | None = None
) -> Tried:
    """Plays until the budget is spent. With the same budget and enough time, the same result."""
    tried = Tried()
    games = list(_tables(program, tried, every=budget.every_table))
    started = budget.clock()
    index = 0
    until = started + budget.seconds
    while tried.total < budget.deals and tried.complete:
        game = games[index % len(games)]
        bots = MIXTURES[(index // len(games)) % len(MIXTURES)]
        seed = Random.of(budget.seed, "deep", index).next() >> 16
        deals = DEALS_OF_GAMES[index % len(DEALS_OF_GAMES)]
        _Game(game, bots, seed, budget, until, tried, deals).play()
        index += 1
        if progress:
            progress(tried)
    if tried.total and not tried.decisions and not tried.findings:
        _Game(games[0], MIXTURES[0], budget.seed, budget, until, tried).found(Sort.NOBODY)
    tried.seconds = budget.clock() - started
    return tried


def _tables(program: Program, tried: Tried, *, every: bool) -> Iterator[Game]:
    """The game at its usual table; with `every` at its smallest and largest, too."""
    usual = Game(program).table.players
    further = (min(program.players), max(program.players)) if every else ()
    sizes = dict.fromkeys((usual, *further))
    for players in sizes:
        game = Game(program, players)
        watch(game.table, tried)
        yield game


@dataclass
class _Game:
    """A game of a few deals from one seed."""

    game: Game
    bots: tuple[str, ...]
    seed: int
    budget: Budget
    until: float
    tried: Tried
    deals: int = 1
    moves: list[Move] = field(default_factory=list)
    cut_offs: int = 0

    def play(self) -> None:
        table = self.game.table
        random = Random.of(self.seed, "bots")
        counts = outlook_of(table).counts
        self.cut_offs = counts.cut_offs
        state: State | None = None
        try:
            state = machine.start_game(table, self.seed)
            for deal in range(1, self.deals + 1):
                if not self._play_deal(state, deal, random) or state.game_over:
                    break
                if self.tried.total >= self.budget.deals or deal == self.deals:
                    break
                self._go_on(state)
        except (KeyboardInterrupt, SystemExit):
            raise
        except Exception as fault:  # whatever it is, the deal that shows it is kept
            self.found(Sort.FAULT, f"{type(fault).__name__}: {fault}".split("\n")[0])
        if counts.cut_offs > self.cut_offs:
            self.found(Sort.CUT_OFF)

    def _go_on(self, state: State) -> None:
        """Begins the next deal with the totals of those before."""
        machine.next_deal(state)
        table, tried = state.table, self.tried
        base = table.memory_slot(TOTAL, 0)
        totals = state.memory[base : base + table.sides]
        tried.later += 1
        tried.lowest, tried.highest = min(tried.lowest, *totals), max(tried.highest, *totals)

    def _play_deal(self, state: State, deal: int, random: Random) -> bool:
        """Plays a deal; False where it could not be ended."""
        tried, table = self.tried, state.table
        choosers = [self._bot(player) for player in range(table.players)]
        seen: set[object] = set()
        for number in range(self.budget.decisions):
            if state.over:
                self._count(state, number)
                return True
            if self.budget.clock() > self.until:  # one decision alone may take long
                tried.complete = False
                return False
            position = _position(state)
            if position in seen:
                self.found(Sort.NO_END, "the same position comes again")
                return False
            seen.add(position)
            plays = legality.legal_plays(state)
            if not plays:
                self._found_dead_end(state, random)
                return False
            if number % PROBED == 0:
                probe(state, random)
            name, choose = choosers[state.player]
            play = choose(state, plays, random)
            tried.decisions += 1
            tried.bots[name] += 1
            declared = table.program.actions[play.action].name
            tried.actions[declared] += 1
            text = actions.text(state, play)
            self.moves.append(Move(deal, player_name(state.player), text, declared))
            machine.apply(state, play)
        self.found(Sort.NO_END, f"it goes on after {self.budget.decisions} decisions")
        return False

    def _bot(self, player: int) -> tuple[str, Chooser]:
        name = self.bots[player % len(self.bots)]
        return name, CHOOSERS[name]

    def _count(self, state: State, decisions: int) -> None:
        tried = self.tried
        tried.deals[state.table.players] += 1
        tried.longest = max(tried.longest, decisions)
        tried.counted.update({line for line, _, _ in state.sheet})
        if state.scores:
            best = max(state.scores)
            tried.best = best if tried.best is None else max(tried.best, best)

    def _refusing(self, state: State, random: Random) -> tuple[str, ...]:
        """The rules that refuse what may be asked for in a position, the most frequent first."""
        before = self.tried.broken.copy()
        for _ in range(PROBES_OF_A_DEAD_END):
            probe(state, random)
        return tuple(name for name, _ in (self.tried.broken - before).most_common())

    def _found_dead_end(self, state: State, random: Random) -> None:
        phase = _phase(state)
        refusing = self._refusing(state, random)
        self.found(Sort.DEAD_END, f"in the phase `{phase}`", refusing, phase)

    def found(
        self, sort: Sort, detail: str = "", refusing: tuple[str, ...] = (), phase: str = ""
    ) -> None:
        """Keeps what was found in the deal that is played."""
        if sort not in (Sort.CUT_OFF, Sort.NOBODY):
            self.tried.deals[self.game.table.players] += 1
        if sum(each.sort is sort for each in self.tried.findings) >= MOST_OF_A_SORT:
            return
        table = self.game.table
        bots = tuple(self._bot(player)[0] for player in range(table.players))
        self.tried.findings.append(
            Finding(
                sort,
                self.seed,
                table.players,
                table.side_size,
                bots,
                tuple(self.moves),
                detail,
                refusing,
                phase,
            )
        )


def _phase(state: State) -> str:
    return state.table.program.phases[state.phase].name


def _position(state: State) -> object:
    """All that what comes next depends on, but for chance."""
    return hash(
        (
            state.phase,
            state.player,
            state.turn,
            state.back,
            tuple(map(_plain, state.memory)),
            tuple(map(tuple, state.zones)),
            tuple((meld.kind, meld.owner, meld.cards) for side in state.melds for meld in side),
            None if state.rng is None else state.rng.state,
        )
    )


def _plain(value: object) -> object:
    return tuple(value) if isinstance(value, list) else value
