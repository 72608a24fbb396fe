"""The machine that plays a Table: deals, plays, moments, turns, scores. "Meaning of a step" in
docs/language.md is its specification.
"""

from __future__ import annotations

from meldc_runtime.course import Happening, Judged
from meldc_runtime.judging import (
    environment,
    in_phase,
    kind_reasons,
    raw_reasons,
    rule_reasons,
    soft_reasons,
)
from meldc_runtime.moves import BACK, Redeal
from meldc_runtime.program.reserved import DEAL_NUMBER, DEALER, TOTAL
from meldc_runtime.randomness import Random
from meldc_runtime.reasons import reasons_for
from meldc_runtime.state import Play, Refused, State
from meldc_runtime.table import Env, Table

__all__ = [
    "apply", "environment", "in_phase", "kind_reasons", "new_state", "next_deal", "perform",
    "raw_reasons", "reasons_for", "rule_reasons", "score_deal", "soft_reasons", "start_deal",
    "start_game",
]  # fmt: skip

MOST_TURNS_BEGUN = 1000
"""Turns that may begin without anybody having a choice; then the deal ends."""


def start_game(table: Table, seed: int, dealer: int = 0) -> State:
    """A new game with its first deal dealt, up to the first decision (or the end of the deal)."""
    state = new_state(table, seed, dealer)
    start_deal(state)
    return state


def new_state(table: Table, seed: int = 0, dealer: int = 0) -> State:
    """A game before its first deal: memories of game, deal and turn at their first values, the pack
    in its zone.
    """
    s = State(table)
    s.seed = seed
    s.player = s.turn = dealer
    table.code.memory_resets["game"](s, dealer)
    s.memory[table.memory_slot(DEALER)] = dealer
    _clear_table(s)
    return s


def _clear_table(s: State) -> None:
    """All cards into the zone that holds the pack, memories of deal and turn anew, the dealer to
    act.
    """
    table = s.table
    for zone in s.zones:
        zone.clear()
    for melds in s.melds:
        melds.clear()
    holder = next((zone.name for zone in table.program.zones if zone.holds_pack), None)
    if holder is not None:
        s.zones[table.zone_slot(holder)].extend(table.pack)
    s.serial = 0
    s.over = s.ended = s.again = s.last_resort = False
    s.scores, s.sheet = (), ()
    s.back = None
    s.phase = 0
    s.player = s.turn = s.memory[table.memory_slot(DEALER)]
    s.rng = Random.of(s.seed, s.memory[table.memory_slot(DEAL_NUMBER)], "deal")
    table.code.memory_resets["deal"](s, s.player)
    table.code.memory_resets["turn"](s, s.player)


def start_deal(state: State, chance: Random | None = None) -> None:
    """Deals: memories of deal and turn anew, all cards into the zone that holds the pack, moments
    at start of deal, the first turn. The dealer is the player in question until then.

    chance: random numbers other than those of the seed; they are used up as the deal goes on.
    """
    state.redeals = 0
    _clear_table(state)
    if chance is not None:
        state.rng = chance
    _deal(state)


def _deal(s: State) -> None:
    """The moments at start of deal, again for each redeal; then the first turn."""
    while True:
        env: Env = {"player": s.player}
        try:
            for moment in s.table.course.start_deal:
                _happen_quietly(s, env, moment)
            break
        except Redeal:
            _again(s)
    if "end deal" in env or "end game" in env:
        _end_deal(s, env)
    else:
        phase, player = env.get("go to", (0, (s.player + 1) % s.table.players))
        s.back = None
        s.turn = player
        s.player = player
        _enter(s, phase, player)


def _again(s: State) -> None:
    """Clears the table for a redeal; the random numbers go on."""
    rng, redeals = s.rng, s.redeals + 1
    _clear_table(s)
    s.rng, s.redeals = rng, redeals


def next_deal(state: State) -> None:
    """The following deal, in place: after `over` and before `game_over`. Raises ValueError
    otherwise.
    """
    if not state.over or state.game_over:
        raise ValueError("the next deal begins when a deal is over and the game is not")
    state.memory[state.table.memory_slot(DEAL_NUMBER)] += 1
    start_deal(state)


def apply(state: State, play: Play) -> None:
    """Makes a play, in place, with all that follows from it, up to the next decision or the end of
    the deal.

    Raises Refused (names for `reasons_for`); the state is spoilt then. Soft rules and look-ahead
    are not judged here.
    """
    reasons = raw_reasons(state, play)
    if reasons:
        raise Refused(reasons)
    perform(state, play)


def perform(state: State, play: Play, env: Env | None = None) -> None:
    """`apply` without judging phase, domains and rules about the action: for plays that
    `raw_reasons` has passed.
    """
    s, course, action = state, state.table.course, play.action
    if env is None:
        env = environment(s, play)
        if env is None:
            raise Refused(("no such meld",))
    if course.last_resorts[action] and _broken(s, env, course.last_resorts[action]):
        s.last_resort = True
    try:
        for moment in course.before[action]:
            _happen(s, env, moment)
        course.effects[action](s, env)
        for moment in course.after[action]:
            _happen(s, env, moment)
        _finish(s, env)
    except Redeal:
        if s.blind:
            s.over = True
            return
        _again(s)
        _deal(s)


# ---- moments


def _happen(s: State, env: Env, moment: Happening) -> None:
    """A moment that hangs on something else: happens if it is due. Raises Refused where rules keep
    it from happening.
    """
    if moment.when is None or moment.when(s, env):
        if moment.rules and (broken := _broken(s, env, moment.rules)):
            raise Refused(broken)
        _run(s, env, moment)


def _happen_quietly(s: State, env: Env, moment: Happening) -> None:
    """A moment at the start of something: does not happen where rules keep it from happening."""
    if (moment.when is None or moment.when(s, env)) and not _broken(s, env, moment.rules):
        _run(s, env, moment)


def _broken(s: State, env: Env, rules: Judged) -> tuple[str, ...]:
    return tuple([name for name, broken in rules if name != s.without and broken(s, env)])


def _run(s: State, env: Env, moment: Happening) -> None:
    """What a moment does, and the moments after it."""
    if s.blind:
        s.happened = (*s.happened, moment.index)
    if moment.soft and _broken(s, env, moment.soft):
        s.last_resort = True
    moment.effect(s, env)
    for follower in moment.after:
        _happen(s, env, follower)


def _look(s: State, env: Env) -> int:
    """Lets state moments happen, from the first again after each; the set of those that have, as
    bits.
    """
    scan, next_moment = s.table.course.scan, s.table.code.next_moment
    done = 0
    while "end deal" not in env:
        place = next_moment(s, env, done) if s.without is None else _next_without(s, env, done)
        if place < 0:
            break
        done |= 1 << place
        _run(s, env, scan[place])
    return done


def _next_without(s: State, env: Env, done: int) -> int:
    for place, moment in enumerate(s.table.course.scan):
        if done & 1 << place or not (moment.when is None or moment.when(s, env)):
            continue
        if not _broken(s, env, moment.rules):
            return place
    return -1


# ---- the end of a step


def _finish(s: State, env: Env) -> None:
    """Looks at the state moments, ends the turn or the deal, and goes where the step has led."""
    done = _look(s, env)
    if "end deal" in env or "end game" in env:
        _end_deal(s, env)
        return
    if "end turn" in env:
        _end_turn(s, env, done)
        if "end deal" in env or "end game" in env:
            _end_deal(s, env)
            return
        if s.blind:
            s.ended = True
            if not _is_asked_again(s, env):
                return
            s.again = True
    target = env.get("go to")
    if target == BACK:
        if s.back is not None:
            s.phase, s.player = s.back
            s.back = None
    elif target is not None:
        _enter(s, *target)


def _is_asked_again(s: State, env: Env) -> bool:
    """Whether the player who has ended the turn is the one to act next."""
    if s.table.course.hands_over:
        return False
    target = env.get("go to")
    if target == BACK:
        target = s.back
    return target is None or bool(target[1] == s.player)


def _end_turn(s: State, env: Env, done: int) -> None:
    """Judges the end of the turn. Raises Refused with what keeps due moments, or the end itself,
    from happening.
    """
    course = s.table.course
    broken: list[str] = []
    for place, moment in enumerate(course.scan):
        if moment.rules and not done & 1 << place and (moment.when is None or moment.when(s, env)):
            broken += _broken(s, env, moment.rules)
    broken += _broken(s, env, course.end_rules)
    if broken:
        raise Refused(tuple(dict.fromkeys(broken)))
    if course.soft_end_rules and _broken(s, env, course.soft_end_rules):
        s.last_resort = True
    for moment in course.end_turn:
        if not (s.blind and course.hands_over) or moment.index in s.table.matters_at_end:
            _happen(s, env, moment)


def _enter(s: State, phase: int, player: int) -> None:
    """Goes to a phase; one that begins a turn begins it."""
    table = s.table
    if not table.course.begins_turn[phase]:
        _keep_turn(s, phase, player)
        return
    is_own = player == s.player
    s.phase, s.player, s.turn, s.back = phase, player, player, None
    if s.blind:
        s.ended = True
        if is_own:
            _begin_again(s)
        return
    for _ in range(MOST_TURNS_BEGUN):
        if not _begin_turn(s):
            return
    _end_deal(s, {"player": s.player})


def _begin_again(s: State) -> None:
    """Begins, in a look-ahead, the turn of the player whose turn it was: the player must be able to
    act in it, too.
    """
    player, last_resort = s.player, s.last_resort
    for _ in range(MOST_TURNS_BEGUN):
        if not _begin_turn(s) or s.player != player:
            break
    s.last_resort = s.last_resort or last_resort
    s.again = s.player == player


def _keep_turn(s: State, phase: int, player: int) -> None:
    """Goes to a phase within the turn; from one of another player the play may come back."""
    if player != s.player:
        s.back = (s.phase, s.player)
    s.phase, s.player = phase, player
    if not s.table.schedule.has_turns:
        s.turn = player


def _begin_turn(s: State) -> bool:
    """What happens by itself at the start of a turn; whether another turn begins at once."""
    table = s.table
    s.last_resort = False
    table.code.memory_resets["turn"](s, s.player)
    env: Env = {"player": s.player}
    for moment in table.course.start_turn:
        if "end deal" not in env:
            _happen_quietly(s, env, moment)
    _look(s, env)
    if "end turn" in env and "end deal" not in env:
        for moment in table.course.end_turn:
            _happen_quietly(s, env, moment)
    if "end deal" in env or "end game" in env:
        _end_deal(s, env)
        return False
    target = env.get("go to")
    if target is None or target == BACK:
        return False
    phase, player = target
    if not table.course.begins_turn[phase]:
        _keep_turn(s, phase, player)
        return False
    s.phase, s.player, s.turn, s.back = phase, player, player, None
    return True


# ---- the end of a deal


def _end_deal(s: State, env: Env) -> None:
    if s.blind:
        s.over = True
        return
    score_deal(s, env)


def score_deal(state: State, env: Env | None = None) -> None:
    """Counts the deal as it lies: `sheet` and `scores`, totals updated, moments at end of deal,
    `over` (and `game_over`).
    """
    s, table = state, state.table
    s.sheet = tuple(line for side in range(table.sides) for line in _lines(s, side))
    s.scores = tuple(
        sum(points for _, owner, points in s.sheet if owner == side) for side in range(table.sides)
    )
    total = table.memory_slot(TOTAL, 0)
    for side, points in enumerate(s.scores):
        s.memory[total + side] += points
    s.over = True
    after: Env = {"player": s.player}
    if env is not None and "end game" in env:
        after["end game"] = env["end game"]
    for moment in table.course.end_deal:
        _happen_quietly(s, after, moment)
    if "end game" in after:
        s.game_over = True
        s.winners = after["end game"] if after["end game"] is not None else _leaders(s)


def _lines(s: State, side: int) -> list[tuple[str, int, int]]:
    """The lines of a side; of lines that are its whole score the last that applies stands alone."""
    table = s.table
    found: list[tuple[str, int, int]] = []
    alone: tuple[str, int, int] | None = None
    for line in table.program.scores:
        owners = table.players_of(side) if line.owner == "player" else (side,)
        points = [
            p for owner in owners if (p := table.code.scores[line.name](s, owner)) is not None
        ]
        if not points:
            continue
        entry = (line.name, side, sum(points))
        if line.only:
            alone = entry
        found.append(entry)
    return found if alone is None else [alone]


def _leaders(s: State) -> tuple[int, ...]:
    base = s.table.memory_slot(TOTAL, 0)
    totals = s.memory[base : base + s.table.sides]
    return tuple(side for side, total in enumerate(totals) if total == max(totals))
