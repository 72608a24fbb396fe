"""The start of a deal: what happens there; where it is said how many cards are dealt, to how many
players, and of how many.
"""

from __future__ import annotations

from collections.abc import Iterator

from meldc.check.ownership import is_shipped, of_the_author
from meldc.check.walk import walk
from meldc.diagnostics import Label
from meldc.resolve.model import Cell, Resolved
from meldc.source import Span
from meldc.syntax import tree
from meldc_runtime.light import dataclass
from meldc_runtime.program.declarations import Moment, Program
from meldc_runtime.program.effects import ForEach
from meldc_runtime.program.expressions import AllPlayers, Lookup, SettingValue


def starts_of_deal(program: Program) -> Iterator[Moment]:
    """Moments at the start of a deal, with those that hang on them."""
    names: set[str] = set()
    for moment in program.moments:
        trigger = moment.trigger
        if (trigger.kind, trigger.period) == ("start", "deal") or names & set(trigger.targets):
            names.add(moment.name)
            yield moment


def starts_deal(moment: tree.MomentDecl) -> bool:
    """Whether a moment, as it is written, comes `at start of deal`."""
    match moment.trigger:
        case tree.AtBoundary(boundary="start", period="deal"):
            return True
        case _:
            return False


@dataclass(frozen=True, slots=True)
class Cause:
    """A value that makes a deal as large as it is; what: how people call it. always: it is shown
    whoever said it.
    """

    what: str
    cell: Cell[object]
    always: bool = False


def causes_of_deal(model: Resolved, starts: list[Moment], *, some_fit: bool) -> list[Cause]:
    """What says how many cards are dealt, the likeliest to be at fault first.

    What a file of the author says comes before a shipped house rule, and that before what the
    game builds on. some_fit: with fewer players there are cards enough; then it is their number
    that is at fault before all, else the cards for each.
    """
    players = [Cause("`players`", model.players)] if _goes_by_players(starts) else []
    dealt = [*_settings(model, starts), *_rows(model, starts)]
    ordered = [*players, *dealt] if some_fit else [*dealt, *players]
    return sorted((*ordered, *_pack(model)), key=lambda cause: _distance(model, cause))


def labels_of_deal(model: Resolved, causes: list[Cause], place: Span | None) -> list[Label]:
    """The further values: what the author says, and packs and settings in any case."""
    return [
        Label(cause.cell.span, f"{cause.what} is `{cause.cell.text}`")
        for cause in causes
        if cause.cell.span not in (None, place)
        and (cause.always or of_the_author(model, cause.cell.steps))
    ]


def _distance(model: Resolved, cause: Cause) -> int:
    if not of_the_author(model, cause.cell.steps):
        return 2
    return int(is_shipped(cause.cell.span))


def _goes_by_players(starts: list[Moment]) -> bool:
    return any(
        isinstance(node, ForEach)
        and any(isinstance(each, AllPlayers) for each in walk(node.source))
        for moment in starts
        for node in walk(moment.effects)
    )


def _settings(model: Resolved, starts: list[Moment]) -> Iterator[Cause]:
    names = dict.fromkeys(
        node.name
        for moment in starts
        for node in walk(moment.effects)
        if isinstance(node, SettingValue)
    )
    for name in names:
        yield Cause(f"`{name}`", model.settings[name], always=True)


def _rows(model: Resolved, starts: list[Moment]) -> Iterator[Cause]:
    names = dict.fromkeys(
        node.table for moment in starts for node in walk(moment.effects) if isinstance(node, Lookup)
    )
    for table in names:
        for row in model.tables[table].rows if table in model.tables else ():
            for cell in row.cells.values():
                yield Cause(f"`{row.key}` of `{table}`", cell)


def _pack(model: Resolved) -> Iterator[Cause]:
    pack = model.pack
    for name, cell in (("packs", pack.packs), ("ranks", pack.ranks), ("jokers", pack.jokers)):
        if cell is not None:
            yield Cause(f"`{name}`", cell, always=name == "packs")
