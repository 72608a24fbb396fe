"""`meldc test`: runs scenario files."""

from __future__ import annotations

import json
from pathlib import Path

import click

from meldc.cli.games import json_option, show, unreadable
from meldc.diagnostics import CompileError
from meldc.scenario import Outcome, run_file
from meldc.source import Sources

OTHER_FILE = "MC0207"
"""What is said of a file that is a game, a house rule or anything else but scenarios."""


@click.command()
@click.argument("paths", nargs=-1, required=True, metavar="PATH...")
@json_option
def test(paths: tuple[str, ...], as_json: bool) -> int:
    """Run scenario files; a folder stands for all of them in it, games beside them aside. Exit 1
    when a test fails.
    """
    outcomes: list[Outcome] = []
    failed_to_read = False
    files = scenario_files(paths)
    left_out = 0
    for path, is_named in files.items():
        sources = Sources()
        try:
            ran = run_file(path, sources)
        except CompileError as error:
            if not is_named and _is_another_file(path, error):
                left_out += 1
                continue
            show(error.diagnostics, sources)
            failed_to_read = True
            continue
        if not as_json:
            _tell(ran, sources)
        outcomes.extend(ran)
    if left_out == len(files):
        raise unreadable("there is no scenario file among these, only games and house rules")
    passed = sum(outcome.passed for outcome in outcomes)
    failed = len(outcomes) - passed
    if as_json:
        click.echo(json.dumps(_as_data(outcomes, passed, failed), ensure_ascii=False, indent=2))
    else:
        click.echo(f"{passed} passed, {failed} failed")
    if failed_to_read:
        return 2
    return 1 if failed else 0


def scenario_files(paths: tuple[str, ...]) -> dict[Path, bool]:
    """The files that paths stand for, and whether each was named itself and not found in a folder;
    ends the command where there is none.
    """
    files: dict[Path, bool] = {}
    for name in paths:
        path = Path(name)
        if path.is_dir():
            found = sorted(each for each in path.rglob("*.yaml") if each.is_file())
            if not found:
                raise unreadable(f"`{name}` holds no scenario file (`*.yaml`)")
            for each in found:
                files.setdefault(each, False)
        elif path.exists():
            files[path] = True
        else:
            raise unreadable(f"there is no file `{name}`")
    return files


def _is_another_file(path: Path, error: CompileError) -> bool:
    """Whether a file holds no scenarios but a game or a house rule; not one that it refers to."""
    return all(
        each.code == OTHER_FILE
        and each.primary.span is not None
        and each.primary.span.file == str(path)
        for each in error.diagnostics
    )


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
