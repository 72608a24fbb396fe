"""`meldc check` and `meldc compile`."""

from __future__ import annotations

import difflib
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

import click

from meldc.check.silencing import in_order
from meldc.cli.games import (
    exit_code,
    house_option,
    is_compiled,
    json_option,
    read_compiled,
    read_program,
    reason,
    show,
    unreadable,
)
from meldc.cli.searching import Search, search_options, with_trial
from meldc.cli.writing import write_back, write_out
from meldc.compilation import Compilation, compile_spec
from meldc.diagnostics import FORMATS, Diagnostic, Format, render_for_programs
from meldc.fixing import Repair, fixable, repair
from meldc.resolve.model import Resolved
from meldc.source import Sources, Span, is_shipped_file
from meldc_runtime.program import Program, dump


@click.command()
@click.argument("specs", nargs=-1, required=True, metavar="SPEC...")
@house_option
@click.option("--fix", "fixes", is_flag=True, help="Apply the fixes that are certain.")
@click.option("--diff", "differs", is_flag=True, help="Show what --fix changes (alone: only show).")
@click.option("--format", "form", type=click.Choice(FORMATS), help="Form of the output.")
@json_option
@search_options
def check(
    specs: tuple[str, ...],
    houses: tuple[str, ...],
    fixes: bool,
    differs: bool,
    form: Format | None,
    as_json: bool,
    search: Search | None,
) -> int:
    """Check games and report every problem. Exit 1 with errors."""
    form = _form(form, as_json, differs)
    found: list[Diagnostic] = []
    for spec in specs:
        checked = _checked(spec, houses, fixes or differs)
        diagnostics = checked.diagnostics
        if checked.repair is not None:
            _tell_repair(checked.repair, write=fixes, differs=differs)
        if search is not None and checked.program is not None:
            tells = form == "text"
            shown = search.run(spec, houses, checked.program, checked.place, tells=tells)
            diagnostics = in_order((*diagnostics, *shown))
        elif checked.program is not None:
            diagnostics = with_trial(diagnostics, checked.program, checked.sources, checked.place)
        found.extend(diagnostics)
        if form == "text":
            show(diagnostics, checked.sources)
    if form != "text":
        click.echo(render_for_programs(form, found, _version()))
    else:
        click.echo(_summary(len(specs), found), err=True)
    return exit_code(tuple(found))


def _form(form: Format | None, as_json: bool, differs: bool) -> Format:
    if as_json and form not in (None, "json"):
        raise click.UsageError(f"`--json` and `--format {form}` do not go together")
    form = "json" if as_json else form or "text"
    if differs and form != "text":
        raise click.UsageError(f"`--diff` shows text, and not {form}")
    return form


@dataclass(frozen=True)
class _Checked:
    diagnostics: tuple[Diagnostic, ...]
    sources: Sources
    program: Program | None
    place: Span | None = None
    repair: Repair | None = None


def _checked(spec: str, houses: tuple[str, ...], mend: bool) -> _Checked:
    if is_compiled(spec):
        return _Checked((), Sources(), read_compiled(spec))
    mended = repair(spec, houses) if mend else None
    compilation: Compilation = mended.left if mended else compile_spec(spec, houses)
    place = _place(compilation.model) if compilation.model else None
    found = mended.found() if mended else fixable(compilation)
    return _Checked(found, compilation.sources, compilation.program, place, mended)


def _place(model: Resolved) -> Span | None:
    """Where to point when play goes wrong and no declaration is to blame: at what a user's file
    takes away of what can be done or happens, if that is one thing, else at the game's name.
    """
    taken = {
        steps[-1].span
        for what, steps in model.removed.items()
        if what.startswith(("action ", "moment "))
    }
    own = [span for span in taken if span is not None and not is_shipped_file(span.file)]
    return own[0] if len(own) == 1 else model.span


def _tell_repair(mended: Repair, *, write: bool, differs: bool) -> None:
    for name, after in mended.after.items():
        before = mended.before[name]
        if differs:
            click.echo("\n".join(_difference(name, before, after)))
        if write:
            try:
                if not write_back(Path(name), before, after):
                    raise unreadable(f"`{name}` has changed while it was checked; nothing is fixed")
            except OSError as problem:
                raise unreadable(f"`{name}` cannot be written: {reason(problem)}") from None
    number = len(mended.done)
    if number:
        verb = ("are" if number > 1 else "is") if write else "can be"
        click.echo(f"{number} problem{'s' * (number != 1)} {verb} fixed", err=True)


def _difference(name: str, before: str, after: str) -> Iterator[str]:
    yield from difflib.unified_diff(
        before.splitlines(), after.splitlines(), name, name, lineterm=""
    )


def _version() -> str:
    try:
        return version("meldc")
    except PackageNotFoundError:
        return "0"


def _summary(games: int, found: list[Diagnostic]) -> str:
    errors = sum(each.is_error for each in found)
    fixes = sum(each.fix is not None for each in found)
    counts = [(errors, "error"), (len(found) - errors, "warning")]
    said = [f"{number} {word}{'s' * (number != 1)}" for number, word in counts if number]
    checked = f"{games} game{'s' * (games != 1)} checked"
    hint = f"; {fixes} can be fixed with `--fix`" if fixes else ""
    return f"{checked}: {', '.join(said) or 'no problems'}{hint}"


@click.command("compile")
@click.argument("spec")
@click.option(
    "-o", "--output", metavar="FILE", help="Write the program there (default: standard output)."
)
@house_option
def compile_command(spec: str, output: str | None, houses: tuple[str, ...]) -> None:
    """Compile a game into a program that plays without the compiler."""
    write_out(output, dump(read_program(spec, houses)))
