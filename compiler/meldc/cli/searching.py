"""`--deep`: its options, and what is printed about the search."""

from __future__ import annotations

import functools
import re
import sys
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from meldc.cli.games import reason, unreadable
from meldc.diagnostics import COMMAND_LINE, Diagnostic
from meldc.source import SourceFile, Sources, Span, is_shipped_file
from meldc_runtime.program import Program, content_hash

if TYPE_CHECKING:
    from meldc.deep import Budget, Tried
    from meldc.deep.findings import Finding

# What plays is imported where it is asked for: a check without `--deep` is quick without it.

Command = TypeVar("Command", bound=Callable[..., Any])


@dataclass(frozen=True)
class Search:
    """What was asked for: how much to try, and where records go."""

    budget: Budget
    folder: Path | None

    def run(
        self,
        spec: str,
        houses: tuple[str, ...],
        program: Program,
        place: Span | None,
        *,
        tells: bool,
    ) -> tuple[Diagnostic, ...]:
        """Plays, keeps records, tells how much was tried; gives what was found."""
        from meldc.deep import confidence, diagnose, search

        tried = search(program, self.budget, _progress(self.budget) if tells else None)
        records = self._keep(spec, houses, program, tried)
        if tells:
            click.echo(f"{program.title}, seed {self.budget.seed}", err=True)
            click.echo("\n".join(f"  {line}" for line in confidence(tried)), err=True)
        return tuple(diagnose(program, tried, place, records))

    def _keep(
        self, spec: str, houses: tuple[str, ...], program: Program, tried: Tried
    ) -> dict[int, str]:
        kept: dict[int, str] = {}
        if self.folder is None or not tried.findings:
            return kept
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            for number, finding in enumerate(tried.findings):
                sort = str(finding.sort).replace(" ", "-")
                path = self.folder / f"{program.name}-{sort}-{finding.seed}.jsonl"
                if not path.exists():
                    _write(path, spec, houses, program, finding)
                kept[number] = str(path)
        except OSError as problem:
            raise unreadable(f"`{self.folder}` cannot be written: {reason(problem)}") from None
        return kept


def _write(
    path: Path, spec: str, houses: tuple[str, ...], program: Program, finding: Finding
) -> None:
    from meldc_runtime.records import Entry, Header, Recorder

    seats = tuple((f"P{number}", bot) for number, bot in enumerate(finding.bots, 1))
    header = Header(
        spec,
        program.title,
        content_hash(program),
        houses,
        finding.players,
        finding.side_size,
        finding.seed,
        seats,
    )
    with Recorder.create(path, header) as recorder:
        for move in finding.moves:
            recorder.write(Entry(move.deal, move.player, move.action))


FORESEEN = frozenset({"MC0733"})
"""Warnings of what a trial has shown to happen."""

_TAKES_AWAY = re.compile(r"^((remove|use)\s*:|\s*remove\s+[a-z]+\s+[a-z])", re.MULTILINE)
"""A key of a file that takes something away, or adds a part; the same in rules."""


def tried_out(program: Program, sources: Sources, place: Span | None) -> tuple[Diagnostic, ...]:
    """What a few deals show of a game whose rules of play are in part a user's own.

    Shipped ones are proved, and numbers alone seldom leave a player without a play.
    """
    origins = (
        *(each.origin for each in program.rules),
        *(each.origin for each in program.allowances),
        *(each.origin for each in program.moments),
        *(each.origin for each in program.actions),
    )
    own = any(each and not is_shipped_file(each.file) for each in origins)
    if not own and not any(_takes_away(source) for source in sources):
        return ()
    from meldc.deep.trial import trial

    return tuple(trial(program, place))


def with_trial(
    diagnostics: tuple[Diagnostic, ...], program: Program, sources: Sources, place: Span | None
) -> tuple[Diagnostic, ...]:
    """The diagnostics with those of a trial, which take the place of warnings of the same."""
    shown = tried_out(program, sources, place)
    if not shown:
        return diagnostics
    at = {each.primary.span for each in shown}
    warned = [
        each
        for each in diagnostics
        if each.code not in FORESEEN and (each.is_error or each.primary.span not in at)
    ]
    return (*(_with_what_was_foreseen(each, diagnostics) for each in shown), *warned)


def _with_what_was_foreseen(shown: Diagnostic, told: tuple[Diagnostic, ...]) -> Diagnostic:
    """What play has shown, with the warnings of the very same words as notes."""
    same = (
        each.message
        for each in told
        if each.primary.span == shown.primary.span and each.code not in FORESEEN
    )
    return replace(shown, notes=(*same, *shown.notes))


def _takes_away(source: SourceFile) -> bool:
    """Whether a file of a user's own removes something, or uses a part."""
    own = source.name != COMMAND_LINE and not is_shipped_file(source.name)
    return own and bool(_TAKES_AWAY.search(source.text))


def search_options(command: Command) -> Command:
    """The options of `--deep`, handed on as `search`: None without it."""

    @functools.wraps(command)
    def with_search(
        *arguments: Any,
        deep: bool,
        deals: int | None,
        seconds: float | None,
        seed: int | None,
        records: str | None,
        **others: Any,
    ) -> Any:
        given = (deals, seconds, seed, records)
        if not deep and any(each is not None for each in given):
            raise click.UsageError(
                "`--deals`, `--seconds`, `--seed` and `--records` go with `--deep`"
            )
        folder = Path(records) if records else None
        others["search"] = Search(_budget(deals, seconds, seed), folder) if deep else None
        return command(*arguments, **others)

    result: Any = with_search
    for option in (
        click.option("--records", metavar="FOLDER", help="Keep the record of each finding."),
        click.option("--seed", type=click.IntRange(0, 2**63 - 1), metavar="N", help="First seed."),
        click.option("--seconds", type=click.FloatRange(0.1, 86_400), metavar="S", help="Time."),
        click.option("--deals", type=click.IntRange(1, 10_000_000), metavar="N", help="Deals."),
        click.option("--deep", is_flag=True, help="Also play, in search of what goes wrong."),
    ):
        result = option(result)
    return result  # type: ignore[no-any-return]


def _budget(deals: int | None, seconds: float | None, seed: int | None) -> Budget:
    from meldc.deep import Budget

    usual = Budget()
    return Budget(
        usual.deals if deals is None else deals,
        usual.seconds if seconds is None else seconds,
        usual.seed if seed is None else seed,
    )


def _progress(budget: Budget) -> Callable[[Tried], None] | None:
    if not sys.stderr.isatty():
        return None

    def tell(tried: Tried) -> None:
        end = "\r" + " " * 40 + "\r" if tried.total >= budget.deals else ""
        click.echo(f"\r{tried.total} of {budget.deals} deals{end}", err=True, nl=False)

    return tell
