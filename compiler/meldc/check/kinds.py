"""Kinds of meld against the pack and the hand: what nobody can form, or never finish."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import permutations

from meldc.check.hands import largest_hand
from meldc.check.inspection import Inspection, labels, listed
from meldc.check.naming import counted
from meldc.check.ownership import is_house
from meldc.check.packs import most_together, span_of
from meldc.check.walk import walk
from meldc.diagnostics import Label
from meldc.resolve import model
from meldc.source import Span
from meldc_runtime.program.declarations import MeldKind
from meldc_runtime.program.expressions import CardAttr, Compare, Const, Expr, Var

WHOLE = ("groups", "all_different")
"""Shapes of hands that are laid whole."""

ACE = 14
NEARLY = 3
"""A kind with so many cards less than a hand may be meant for the whole hand."""


def check_kinds(inspection: Inspection) -> None:
    """Reports kinds of meld that cannot be formed, or not as large as they say."""
    whole: list[MeldKind] = []
    for place, kind in enumerate(inspection.program.kinds):
        sizes = [
            form.size for judge in inspection.judges for form in judge.forms if form.kind == place
        ]
        if not sizes or _lacks(inspection, kind) or _has_no_room(kind):
            inspection.short_of_melds = True
            _report_impossible(inspection, kind)
            continue
        _check_single(inspection, kind, min(sizes))
        _check_wilds_go(inspection, kind)
        _check_ace(inspection, kind)
        _check_groups(inspection, kind)
        _check_full(inspection, kind, max(sizes))
        if kind.shape in WHOLE:
            whole.append(kind)
    _check_hands(inspection, whole)
    for one, other in permutations(range(len(inspection.program.kinds)), 2):
        _check_within(inspection, one, other)


def _cells(row: model.MeldRow) -> Iterator[tuple[str, model.Cell[object]]]:
    yield from row.cells()


def _lacks(inspection: Inspection, kind: MeldKind) -> bool:
    """Whether a card that must be in it is not in the pack, or may not lie in it."""
    return any(
        not any(judge.fits(each, face) and judge.fits(kind.cards, face) for face in judge.pack)
        for judge in inspection.judges
        for each in kind.contains
    )


def _has_no_room(kind: MeldKind) -> bool:
    """Whether the cards that must be in it are of more ranks, or further apart, than it allows."""
    ranks = [_only_rank(each) for each in kind.contains]
    known = {rank for rank in ranks if rank is not None}
    if len(known) < 2:
        return False
    if kind.shape == "same_rank":
        return True
    if kind.shape == "groups":
        return len(known) > len(kind.groups)
    if kind.size[1] is not None and len(known) > kind.size[1]:
        return True
    if kind.shape != "run" or kind.size[1] is None:
        return False
    return all(max(places) - min(places) >= kind.size[1] for places in _places(kind, known))


def _places(kind: MeldKind, ranks: set[int]) -> Iterator[set[int]]:
    """Where ranks lie in a run, the ace at either end where it may."""
    if kind.ace in ("high", "both"):
        yield ranks
    if kind.ace in ("low", "both"):
        yield {1 if rank == ACE else rank for rank in ranks}


def _only_rank(pattern: Expr) -> int | None:
    """The rank of a pattern that asks for nothing else than one."""
    match pattern:
        case Compare("=", CardAttr(Var(), "rank"), Const(int(rank))):
            return rank
        case _:
            return None


def _check_within(inspection: Inspection, one: int, other: int) -> None:
    """A kind of which every meld is of another kind as well, with the same cards as themselves."""
    kinds, melds = inspection.program.kinds, inspection.model.melds
    small, large = kinds[one], kinds[other]
    if small.shape != large.shape or small.shape in WHOLE or small.ace != large.ace:
        return
    if large.condition is not None or large.contains or not melds[small.name].steps:
        return
    own = [kind for kind in (small, large) if inspection.is_own(melds[kind.name].steps)]
    if not own or any(not judge.own(one) <= judge.own(other) for judge in inspection.judges):
        return
    if any(judge.own(one) != judge.own(other) for judge in inspection.judges) and not (
        _counts_for_nothing(inspection, small.name, large.name)
    ):
        return  # of a few of the cards: a kind by itself for rows, or rules, of its own
    for judge in inspection.judges:
        mine, theirs = (
            {(each.rank, each.naturals, each.wilds) for each in judge.forms if each.kind == place}
            for place in (one, other)
        )
        # A form that stands for several ranks is there for each of them.
        alike = {(f.naturals, f.wilds) for f in judge.forms if f.kind == other and f.alike > 1}
        within = all(form in theirs or form[1:] in alike for form in mine)
        if not mine or not within or (mine == theirs and one < other):
            return
    inspection.warn(
        "MC0640",
        f"every meld of the kind `{small.name}` is also one of the kind `{large.name}`",
        melds[own[0].name].name.span,
        "whoever lays it may choose",
        secondary=labels(
            (melds[(large if own[0] is small else small).name].name.span, "the other kind")
        ),
        help=("let them differ in `cards`, or leave one of them out",),
    )


def _counts_for_nothing(inspection: Inspection, small: str, large: str) -> bool:
    """Whether rows sort the one kind by its name and never the other, of which nothing speaks."""
    named = {
        word.text
        for table in inspection.model.tables.values()
        for row in table.rows
        if row.melds is not None and row.melds.meld is not None
        for word in row.melds.meld.value
    }
    place = next(at for at, each in enumerate(inspection.program.kinds) if each.name == small)
    program = inspection.program
    spoken = any(small in rule.kinds for rule in program.rules) or any(
        isinstance(node, Const) and node.type == "kind" and node.value == place
        for node in walk((program.definitions, program.rules, program.scores, program.moments))
    )
    return large in named and small not in named and not spoken


# ---- kinds that cannot be formed ---------------------------------------------------------------


def _report_impossible(inspection: Inspection, kind: MeldKind) -> None:
    row = inspection.model.melds[kind.name]
    message, cells = _reason(inspection, kind, row)
    span = inspection.blame(*cells)
    inspection.error(
        "MC0606",
        f"nobody can form a meld of the kind `{kind.name}`: {message}",
        span or span_of(kind.origin),
        "",
        secondary=labels(
            (row.name.span, "the kind")
            if span != row.name.span and span is not None
            else (None, "")
        ),
        help=("compare its `cards`, `size`, `naturals` and `wilds` with the pack",),
    )


def _reason(
    inspection: Inspection, kind: MeldKind, row: model.MeldRow
) -> tuple[str, tuple[model.Cell[object] | None, ...]]:
    pack = inspection.model.pack
    least, most = kind.naturals[0] + kind.wilds[0], kind.size[1]
    if most is not None and least > most:
        return f"it needs {least} cards at least and has {most} at most", (
            *(row.naturals, row.wilds, row.size),
        )
    if kind.naturals[1] is not None and kind.wilds[1] is not None:
        together = kind.naturals[1] + kind.wilds[1]
        if together < kind.size[0]:
            return f"it needs {kind.size[0]} cards, and {together} may lie in it", (
                *(row.size, row.naturals, row.wilds),
            )
    if _lacks(inspection, kind):
        return "a card that it must contain cannot lie in it", (row.contains, row.cards)
    if _has_no_room(kind):
        return "the cards that it must contain do not go into one meld", (
            *(row.contains, row.shape, row.size),
        )
    own = max(
        (many for judge in inspection.judges for many in most_together(kind, judge.seating)),
        default=0,
    )
    wild = max(
        sum(n for face, n in judge.pack.items() if judge.is_wild(face))
        for judge in inspection.judges
    )
    if kind.wilds[1] is not None:
        wild = min(wild, kind.wilds[1])
    causes = (row.size, row.naturals, row.wilds, row.cards, row.shape, pack.packs, pack.jokers)
    if own < kind.naturals[0]:
        return (
            f"it needs {counted(kind.naturals[0], 'natural card')}, and at most {own} can lie "
            "together"
        ), (row.naturals, *causes)
    if own + wild < kind.size[0]:
        cards = f"at most {own + wild} cards can lie together"
        return f"it needs {counted(kind.size[0], 'card')}, and {cards}", causes
    if kind.condition is not None:
        return "its `if` never holds", (row.condition, *causes)
    return "too few cards of the pack may lie in it", causes


# ---- kinds that say too little, or too much ----------------------------------------------------


def _check_single(inspection: Inspection, kind: MeldKind, smallest: int) -> None:
    row = inspection.model.melds[kind.name]
    if row.size is not None or smallest > 1 or not inspection.is_own(row.steps):
        return
    inspection.warn(
        "MC0618",
        f"`{kind.name}` does not say how many cards it has: a single card can be melded",
        row.name.span,
        "no `size`",
        help=("write `size: 3..`, or `size: 1..` if single cards are meant",),
    )


def _check_wilds_go(inspection: Inspection, kind: MeldKind) -> None:
    row = inspection.model.melds[kind.name]
    if kind.wilds_go == "stay" or (kind.shape == "run" and kind.wilds[1] != 0):
        return
    if row.wilds_go is None or not inspection.is_own(row.wilds_go.steps):
        return
    why = "it takes no wild cards" if kind.shape == "run" else "it is no run"
    inspection.warn(
        "MC0619",
        f"`wilds_go` of `{kind.name}` says nothing: {why}",
        row.wilds_go.span,
        help=("it says where the wild cards of a run go when it grows",),
    )


def _check_ace(inspection: Inspection, kind: MeldKind) -> None:
    row = inspection.model.melds[kind.name]
    if kind.shape == "run" or row.ace is None or not inspection.is_own(row.ace.steps):
        return
    inspection.warn(
        "MC0619",
        f"`ace` of `{kind.name}` says nothing: it is no run",
        row.ace.span,
        help=("it says at which end of a run an ace lies",),
    )


def _check_groups(inspection: Inspection, kind: MeldKind) -> None:
    """A size beside the sizes of groups, which add up to another."""
    row, whole = inspection.model.melds[kind.name], sum(kind.groups)
    if kind.shape != "groups" or row.size is None:
        return
    low, high = row.size.value.low, row.size.value.high
    if (low is None or low <= whole) and (high is None or whole <= high):
        return
    inspection.error(
        "MC0606",
        f"the groups of `{kind.name}` make {whole} cards, and its `size` is `{row.size.text}`",
        inspection.blame(row.size, row.shape),
        "",
        help=(f"correct one of them, or leave `size` out: it is {whole} by its groups",),
    )


# ---- kinds that never become full --------------------------------------------------------------


def _check_full(inspection: Inspection, kind: MeldKind, largest: int) -> None:
    row, full = inspection.model.melds[kind.name], kind.size[1]
    if full is None or largest >= min(full, inspection.judges[0].cap):
        return
    if kind.name in inspection.never_full:
        return  # that a row asks for too many cards is said already
    pack = inspection.model.pack
    inspection.warn(
        "MC0616",
        f"a meld of the kind `{kind.name}` never has {counted(full, 'card')}: at most {largest} "
        "can lie in it",
        inspection.blame(row.size, row.cards, row.wilds, pack.packs, pack.jokers),
        "",
        secondary=labels((row.name.span, "the kind")),
        help=(f"write a size up to {largest}, or give the pack more such cards",),
    )


def _check_hands(inspection: Inspection, kinds: list[MeldKind]) -> None:
    """Kinds that are laid as a whole hand, and a hand has fewer cards, or a few more."""
    found = [largest_hand(inspection, judge) for judge in inspection.judges]
    hands = [hand for hand in found if hand is not None]
    if not hands:
        return
    hand = max(hands, key=lambda each: each.cards)
    dealt = inspection.setting(hand.setting)
    chosen = dealt is not None and is_house(dealt.steps)
    too_large: dict[Span | None, list[MeldKind]] = {}
    nearly: dict[Span | None, list[MeldKind]] = {}
    for kind in kinds:
        row = inspection.model.melds[kind.name]
        place = inspection.blame(dealt, row.size, row.shape) or row.name.span
        said = [each for each in (dealt, row.size, row.shape) if each is not None]
        if hand.cards < kind.size[0]:
            too_large.setdefault(place, []).append(kind)
        elif (
            hand.cards - NEARLY <= kind.size[0] < hand.cards
            and kind.size[1] is not None
            and not chosen
            and any(inspection.is_own(each.steps) for each in said)
        ):
            nearly.setdefault(place, []).append(kind)
    # Of a house rule that deals fewer cards it is a choice: the rest of the game is played.
    report = inspection.warn if chosen else inspection.error
    dealing = f"{hand.dealt} are dealt and {hand.drawn} drawn"
    for words, alike in too_large.items():
        report(
            "MC0617",
            f"no hand has the {_sizes(alike)} cards of {_names(alike)}: {dealing}",
            words,
            "",
            secondary=_rows(inspection, alike),
            help=(
                f"deal {max(kind.size[0] for kind in alike) - hand.drawn} cards, correct the "
                f"shape, or `remove: [{', '.join(f'melds.{kind.name}' for kind in alike)}]`",
            ),
        )
    for words, alike in nearly.items():
        inspection.warn(
            "MC0639",
            f"{_names(alike)} of {_sizes(alike)} cards {'leaves' if len(alike) == 1 else 'leave'} "
            f"some of a hand of {hand.cards}: {dealing}",
            words,
            "",
            secondary=_rows(inspection, alike),
            help=(f"a whole hand is of {hand.cards} cards; correct the shape, or the deal",),
        )


def _names(kinds: list[MeldKind]) -> str:
    return listed(f"`{kind.name}`" for kind in kinds)


def _sizes(kinds: list[MeldKind]) -> str:
    return listed(dict.fromkeys(kind.size[0] for kind in kinds))


def _rows(inspection: Inspection, kinds: list[MeldKind]) -> Iterator[Label]:
    melds = inspection.model.melds
    return labels(*((melds[kind.name].name.span, "laid as a whole hand") for kind in kinds))
