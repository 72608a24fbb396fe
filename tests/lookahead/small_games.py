"""Games with small packs, and exhaustive search in them: what the look-ahead is held against."""

from __future__ import annotations

import dataclasses
import random
from collections.abc import Callable, Iterator
from functools import cache
from itertools import combinations, islice
from pathlib import Path
from typing import Any

from meldc.compilation import compile_spec
from meldc_runtime import actions, legality, machine
from meldc_runtime.cards import FACE, UNKNOWN
from meldc_runtime.lookahead import Outlook, outlook_of
from meldc_runtime.lookahead.search import completed
from meldc_runtime.state import Play, Refused, State
from meldc_runtime.table import Table

HERE = Path(__file__).parent
TOTALS = (0, 0, 1500, 3000, 7000, 8000, 9000)
MOST_CARDS = 6


@cache
def table(name: str) -> Table:
    """The Table of a variant beside this file, its pack cut down to ranks 2 … 7."""
    compilation = compile_spec(HERE / f"{name}.yaml")
    assert compilation.program is not None, [d.message for d in compilation.diagnostics]
    program = compilation.program
    pack = dataclasses.replace(program.pack, ranks=(2, 7))
    return Table(dataclasses.replace(program, pack=pack))


def wrongly_judged(name: str) -> list[str]:
    """Where look-ahead and exhaustive search differ in some positions of a game, or it gives up."""
    outlook = outlook_of(table(name))
    found = [
        text
        for state in islice(positions(outlook.table, 1), 40)
        for text in differences(outlook, state)
    ]
    return [*found, *(["cut off"] * outlook.counts.cut_offs)]


def dead_ends(name: str, deals: int = 12) -> list[int]:
    """The deals of random play, of so many, in which somebody has nothing to do."""
    of = table(name)
    chance = random.Random(4)
    found = []
    for deal in range(deals):
        state = machine.start_game(of, deal, deal % of.players)
        for _ in range(200):
            if state.over:
                break
            plays = legality.legal_plays(state)
            if not plays:
                found.append(deal)
                break
            machine.apply(state, chance.choice(plays))
    return found


def all_plays(state: State) -> Iterator[Play]:
    """Every play that names cards of the hand, a kind or a meld; the machine refuses most."""
    for index, action in enumerate(state.table.program.actions):
        if "ask" not in action.name and machine.in_phase(state, index):
            yield from (Play(index, args) for args in _arguments(state, action, ()))


def _arguments(state: State, action: Any, chosen: tuple[Any, ...]) -> Iterator[tuple[Any, ...]]:
    if len(chosen) == len(action.params):
        yield chosen
        return
    param = action.params[len(chosen)]
    env = {"player": state.player} | dict(
        zip((p.name for p in action.params), chosen, strict=False)
    )
    domain = state.table.code.param_domain[action.name, param.name](state, env)
    values: list[Any] = list(domain)
    if param.mode == "some":
        cards = [card & FACE for card in domain if card != UNKNOWN]
        values = sorted(
            {tuple(sorted(c)) for n in range(1, len(cards) + 1) for c in combinations(cards, n)}
        )
    elif param.type == "card":
        values = sorted({card & FACE for card in domain})
    elif param.type == "meld":
        values = [(meld.owner, meld.serial) for meld in domain]
    for value in values:
        yield from _arguments(state, action, (*chosen, value))


class Exhaustive:
    """Whether a goal can be reached, by trying everything."""

    def __init__(self, goal: Callable[[State], bool], last_resort: bool = True) -> None:
        self.goal = goal
        self.last_resort = last_resort
        self.known: dict[Any, bool] = {}

    def reaches(self, state: State) -> bool:
        key = _key(state)
        if key not in self.known:
            self.known[key] = False
            self.known[key] = any(self._leads(state, play) for play in all_plays(state))
        return self.known[key]

    def _leads(self, state: State, play: Play) -> bool:
        after = attempt(state, play, self.last_resort)
        if after is None:
            return False
        if self.goal(after):
            return True
        ended = after.ended and not after.again
        gone = after.over or ended or after.player != state.player
        return not gone and self.reaches(after)


def attempt(state: State, play: Play, last_resort: bool = True) -> State | None:
    """The state after a play in look-ahead, or None where the machine refuses it."""
    after = state.copy()
    after.blind = True
    after.happened = ()
    after.ended = after.again = False
    try:
        machine.apply(after, play)
    except Refused:
        return None
    return after if last_resort or not after.last_resort else None


def _key(state: State) -> Any:
    zones = tuple(tuple(sorted(zone)) for zone in state.zones)
    melds = tuple(
        tuple(sorted((m.kind, tuple(sorted(m.cards))) for m in side)) for side in state.melds
    )
    return (
        state.phase,
        state.player,
        state.last_resort,
        zones,
        melds,
        tuple(map(str, state.memory)),
    )


def positions(of: Table, seed: int) -> Iterator[State]:
    """Positions of random deals in which the player to act holds few cards."""
    chance = random.Random(seed)
    for deal in range(100):
        state = machine.start_game(of, 1000 * seed + deal, deal % of.players)
        for side in range(of.sides):
            state.memory[of.memory_slot("total", side)] = chance.choice(TOTALS)
        for _ in range(400):
            if state.over:
                break
            if (
                len(state.zones[of.zone_slot("hand", state.player)]) <= MOST_CARDS
                and chance.random() < 0.4
            ):
                yield state
            plays = legality.legal_plays(state)
            if not plays:
                break
            machine.apply(state, chance.choice(plays))


def differences(outlook: Outlook, state: State) -> Iterator[str]:
    """The candidates about which look-ahead and exhaustive search do not agree."""
    player, turn = state.player, state.turn
    last_resort = outlook.needs_last_resort(state)
    search = Exhaustive(lambda after: completed(after, player, turn), last_resort)
    for form in outlook.candidates.forms:
        if form.action.name == "ask" or not machine.in_phase(state, form.index):
            continue
        legal = outlook.legal(state, form, last_resort)
        for play in outlook.candidates.of(state, form):
            after = attempt(state, play, last_resort)
            if after is not None and not last_resort and outlook.candidates.marked(state, play):
                after = None
            wanted = after is not None and (completed(after, player, turn) or search.reaches(after))
            if wanted != (play in legal):
                yield f"{actions.text(state, play)}: {wanted} wanted"
