"""`meldc test`: runs scenario files."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path

import click

from meldc.cli.games import json_option, show, unreadable
from meldc.diagnostics import CompileError
from meldc.scenario import Outcome, run_file
from meldc.source import Sources


@click.command()
@click.argument("paths", nargs=-1, required=True, metavar="PATH...")
@json_option
def test(paths: tuple[str, ...], as_json: bool) -> int:
    """Run scenario files; a folder stands for all of them in it. Exit 1 when a test fails."""
    outcomes: list[Outcome] = []
    failed_to_read = False
    for path in scenario_files(paths):
        sources = Sources()
        try:
            ran = run_file(path, sources)
        except CompileError as error:
            show(error.diagnostics, sources)
            failed_to_read = True
            continue
        if not as_json:
            _tell(ran, sources)
        outcomes.extend(ran)
    passed = sum(outcome.passed for outcome in outcomes)
    failed = len(outcomes) - passed
    if as_json:
        click.echo(json.dumps(_as_data(outcomes, passed, failed), ensure_ascii=False, indent=2))
    else:
        click.echo(f"{passed} passed, {failed} failed")
    if failed_to_read:
        return 2
    return 1 if failed else 0


def scenario_files(paths: tuple[str, ...]) -> Iterable[Path]:
    """The files that paths stand for, each once; ends the command where there is none."""
    files: dict[Path, None] = {}
    for name in paths:
        path = Path(name)
        if path.is_dir():
            found = sorted(each for each in path.rglob("*.yaml") if each.is_file())
            if not found:
                raise unreadable(f"`{name}` holds no scenario file (`*.yaml`)")
            files.update(dict.fromkeys(found))
        elif path.exists():
            files[path] = None
        else:
            raise unreadable(f"there is no file `{name}`")
    return files


def _tell(outcomes: tuple[Outcome, ...], sources: Sources) -> None:
    for outcome in outcomes:
        if outcome.passed:
            continue
        clause = f" [{outcome.clause}]" if outcome.clause else ""
        click.echo(f"FAILED {outcome.file}: {outcome.name}{clause}")
        for line in outcome.reason.split("\n"):
            click.echo(f"    {line}")
        show(outcome.diagnostics, sources)


def _as_data(outcomes: list[Outcome], passed: int, failed: int) -> dict[str, object]:
    tests = [
        {
            "file": outcome.file,
            "name": outcome.name,
            "clause": outcome.clause,
            "passed": outcome.passed,
            "reason": outcome.reason,
        }
        for outcome in outcomes
    ]
    return {"tests": tests, "passed": passed, "failed": failed}
