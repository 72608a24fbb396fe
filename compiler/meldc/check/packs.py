"""The cards of a game: whether they suffice, and whether what is said of them can be so."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from meldc.check.dealing import causes_of_deal, labels_of_deal, starts_of_deal
from meldc.check.elaborator import Elaborator
from meldc.check.estimate import Estimator, Interval, Unknown
from meldc.check.ownership import blame, repeats
from meldc.check.patterns import NO
from meldc.check.walk import walk
from meldc.diagnostics import Label, error, warning
from meldc.source import Span
from meldc_runtime.cards import JOKER, RANK_OF, SUIT_OF, face_of
from meldc_runtime.light import dataclass
from meldc_runtime.program.declarations import MeldKind, Moment, Origin, Program
from meldc_runtime.program.effects import (
    Branch,
    Effect,
    ForEach,
    MoveCount,
    MoveUntil,
    Redeal,
)
from meldc_runtime.program.expressions import (
    AllPlayers,
    AllSides,
    Const,
    Expr,
    Lookup,
    Range,
    StartingAt,
)

BOUNDS = {"packs": (1, 20), "jokers": (0, 20)}
"""The least and the most that a key of the pack may come to, as the schema of a variant has it."""


@dataclass(frozen=True, slots=True)
class Seating:
    """A number of players, how they divide, and the cards at such a table."""

    players: int
    sides: int
    estimator: Estimator
    cards: Counter[int]


def span_of(origin: Origin | None) -> Span | None:
    """The place of a declaration."""
    if origin is None:
        return None
    return Span(origin.file, origin.line, origin.column, origin.end_line, origin.end_column)


def seatings(program: Program) -> Iterator[Seating]:
    """Every allowed number of players that can be seated."""
    for players in program.players:
        sides = sides_for(players, program.side_sizes)
        if sides:
            estimator = Estimator(program, players, sides)
            yield Seating(players, sides, estimator, _cards(program, estimator))


def sides_for(players: int, sizes: tuple[int, ...]) -> int:
    """The number of sides, by the first size that fits; 0 where none does."""
    for size in sizes:
        if size > 0 and players % size == 0 and players // size >= 2:
            return players // size
    return 0


def check_packs(el: Elaborator, program: Program) -> None:
    """Reports what the cards of a game do not allow."""
    _check_seats(el, program)
    tables = list(seatings(program))
    if not tables:
        return
    if not _check_pack(el, program, tables):
        return
    _check_classes(el, program, tables)
    _check_deal(el, program, tables)


def _cards(program: Program, estimator: Estimator) -> Counter[int]:
    low, high = program.pack.ranks[0], program.pack.ranks[-1]
    packs, jokers = _number(estimator, program.pack.packs), _number(estimator, program.pack.jokers)
    cards = Counter(
        {face_of(rank, suit): packs for rank in range(low, high + 1) for suit in range(4)}
    )
    if jokers > 0:
        cards[JOKER] = packs * jokers
    return cards


def _number(estimator: Estimator, expr: Expr, unknown: int = 0) -> int:
    try:
        value = estimator.value(expr)
    except Unknown:
        return unknown
    return value if isinstance(value, int) else unknown


def _check_seats(el: Elaborator, program: Program) -> None:
    wrong = [n for n in program.players if not sides_for(n, program.side_sizes)]
    if wrong:
        numbers = ", ".join(map(str, wrong))
        sizes = " or ".join(map(str, program.side_sizes))
        said = {"players": el.model.players, "side_size": el.model.side_sizes}
        # One of them may only repeat what the game builds on.
        place = blame(el.model, *sorted(said.values(), key=lambda cell: repeats(cell.steps)))
        el.error(
            "MC0610",
            f"{numbers} player{'s' * (wrong != [1])} cannot be seated in sides of {sizes}",
            place,
            secondary=[
                Label(cell.span, f"`{name}` is `{cell.text}`")
                for name, cell in said.items()
                if cell.span not in (None, place)
            ],
            help=_cures_of_seats(program, wrong),
        )


def _cures_of_seats(program: Program, wrong: list[int]) -> Iterator[str]:
    """What sizes of a side would do, where one does for all."""
    fitting = [
        size
        for size in range(1, max(wrong))
        if size not in program.side_sizes and all(sides_for(players, (size,)) for players in wrong)
    ]
    if fitting:
        used = [
            size
            for size in program.side_sizes
            if any(sides_for(players, (size,)) for players in program.players)
        ]
        sizes = " or ".join(map(str, (*used, fitting[-1])))
        yield f"write `side_size: {sizes}`; there must be two sides or more, all of one size"
    else:
        yield "there must be two sides or more, all of one size"


def _check_pack(el: Elaborator, program: Program, tables: list[Seating]) -> bool:
    """Whether packs and jokers keep their bounds: of a number the schema sees to that, of what is
    worked out, and of a single value laid over a game, nobody else does. Reported where not.
    """
    model, sound = el.model.pack, True
    for name, expr, cell in (
        ("packs", program.pack.packs, model.packs),
        ("jokers", program.pack.jokers, model.jokers),
    ):
        low, high = BOUNDS[name]
        for table in tables:
            number = _number(table.estimator, expr, unknown=low)
            if not low <= number <= high:
                of = f" with {table.players} players" * (not isinstance(expr, Const))
                el.error(
                    "MC0202",
                    f"`{name}` comes to {number}{of}",
                    cell.span if cell else None,
                    help=(f"`{name}` may be {low} to {high}",),
                )
                sound = False
                break
    return sound


def _check_classes(el: Elaborator, program: Program, tables: list[Seating]) -> None:
    definitions = {each.name: each for each in program.definitions}
    for name, cell in el.model.classes.items():
        found = definitions.get(name)
        if found is None or found.body == NO:
            continue
        if not any(
            table.estimator.fits(found.body, face) is not False
            for table in tables
            for face in table.cards
        ):
            el.warn(
                "MC0601",
                f"no card of the pack is `{name}`",
                cell.span,
                help=("write `none` where that is meant",),
            )


# ---- melds -------------------------------------------------------------------------------------


def most_together(kind: MeldKind, seating: Seating) -> Iterator[int]:
    """How many cards may lie together as themselves in a meld of a kind, group by group."""
    naturals = Counter(
        {
            face: number
            for face, number in seating.cards.items()
            if seating.estimator.fits(kind.cards, face) is not False
        }
    )
    return _most(kind, naturals)


def _most(kind: MeldKind, naturals: Counter[int]) -> Iterator[int]:
    """How many naturals can lie together, group by group."""
    by_rank: Counter[int | None] = Counter()
    runs: dict[int | None, set[int | None]] = {}
    for face, number in naturals.items():
        by_rank[RANK_OF[face]] += number
        if SUIT_OF[face] is not None:
            runs.setdefault(SUIT_OF[face], set()).add(RANK_OF[face])
    match kind.shape:
        case "same_rank":
            yield from by_rank.values()
        case "run":
            yield from (len(ranks) + (kind.ace == "both") for ranks in runs.values())
        case "all_different":
            yield len(by_rank)
        case "groups":
            sizes = sorted(kind.groups, reverse=True)
            held = sorted(by_rank.values(), reverse=True)
            fits = len(held) >= len(sizes)
            yield sum(sizes) if fits and all(map(int.__ge__, held, sizes)) else 0
        case _:
            yield naturals.total()
    if not naturals:
        yield 0


# ---- the deal ----------------------------------------------------------------------------------


def _check_deal(el: Elaborator, program: Program, tables: list[Seating]) -> None:
    pack_zone = next((zone.name for zone in program.zones if zone.holds_pack), None)
    starts = [moment for moment in starts_of_deal(program) if moment.when is None]
    some_fit = False
    for seating in tables:
        dealt = Interval(0, 0)
        cards = seating.cards.total()
        for moment in starts:
            dealt = _sum(dealt, _taken(moment.effects, seating, pack_zone, cards))
        if dealt.high <= cards:
            some_fit = True
        elif dealt.low > cards or dealt.high < 2 * cards:
            _report_deal(el, starts, seating, dealt, some_fit=some_fit)
            return


def _report_deal(
    el: Elaborator, starts: list[Moment], seating: Seating, dealt: Interval, *, some_fit: bool
) -> None:
    """A deal for which the cards do not suffice, or may not."""
    causes = causes_of_deal(el.model, starts, some_fit=some_fit)
    place = next((cause.cell.span for cause in causes if cause.cell.span is not None), None)
    cards = seating.cards.total()
    surely = dealt.low > cards
    # As many as a table says for some card: such a deal will come, and cannot be made.
    report = error if surely or not _may_differ(starts) else warning
    number = f"are dealt {dealt.low}" if surely else f"may be dealt {dealt.high}"
    el.found.add(
        report(
            "MC0603",
            f"{seating.players} players {number} cards of {cards}",
            place or (span_of(starts[0].origin) if starts else None),
            secondary=labels_of_deal(el.model, causes, place),
            help=("deal fewer cards, add packs, or allow fewer players",),
        )
    )


def _may_differ(starts: list[Moment]) -> bool:
    """Whether what is dealt hangs on conditions, not all of which need hold in one deal."""
    return any(isinstance(node, Branch) for moment in starts for node in walk(moment.effects))


def _sum(first: Interval, second: Interval) -> Interval:
    return Interval(first.low + second.low, first.high + second.high)


def _taken(effects: tuple[Effect, ...], seating: Seating, zone: str | None, cards: int) -> Interval:
    """How many cards these effects take from the pack."""
    total = Interval(0, 0)
    for effect in effects:
        match effect:
            case MoveCount(count, source) if source.zone == zone:
                total = _sum(total, seating.estimator.number(count, 0))
            case MoveUntil(source) if source.zone == zone:
                total = _sum(total, Interval(1, 1))
            case ForEach(_, source_, body):
                times = _times(source_, seating)
                once = _taken(body, seating, zone, cards)
                high = once.high * times - _too_many(body, seating, zone, times)
                total = _sum(total, Interval(once.low * times, high))
            case Branch(_, then, otherwise) if not any(isinstance(e, Redeal) for e in then):
                one = _taken(then, seating, zone, cards)
                two = _taken(otherwise, seating, zone, cards)
                total = _sum(total, Interval(min(one.low, two.low), max(one.high, two.high)))
            case _:
                pass
    return total


def _too_many(body: tuple[Effect, ...], seating: Seating, zone: str | None, times: int) -> int:
    """What is counted too much where each takes as many as a table says for a card: not all of
    them can have the card for which that is most.
    """
    more = 0
    for effect in body:
        match effect:
            case MoveCount(Lookup(table), source) if source.zone == zone:
                numbers = sorted(seating.estimator.by_card(table, seating.cards), reverse=True)
                if numbers:
                    more += numbers[0] * times - sum(numbers[:times])
    return more


def _times(source: Expr, seating: Seating) -> int:
    match source:
        case StartingAt(players):
            return _times(players, seating)
        case AllPlayers():
            return seating.players
        case AllSides():
            return seating.sides
        case Range(Const(int(low)), Const(int(high))):
            return max(0, high - low + 1)
        case _:
            return 0
