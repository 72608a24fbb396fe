"""`meldc check` and `meldc compile`."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

import click

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
from meldc.compilation import compile_spec
from meldc.diagnostics import Diagnostic, render_json
from meldc_runtime.program import dump


@click.command()
@click.argument("specs", nargs=-1, required=True, metavar="SPEC...")
@house_option
@json_option
def check(specs: tuple[str, ...], houses: tuple[str, ...], as_json: bool) -> int:
    """Check games and report every problem. Exit 1 with errors."""
    found: list[Diagnostic] = []
    for spec in specs:
        if is_compiled(spec):
            read_compiled(spec)
            continue
        compilation = compile_spec(spec, houses)
        found.extend(compilation.diagnostics)
        if not as_json:
            show(compilation.diagnostics, compilation.sources)
    if as_json:
        click.echo(render_json(found))
    else:
        click.echo(_summary(len(specs), found), err=True)
    return exit_code(tuple(found))


def _summary(games: int, found: list[Diagnostic]) -> str:
    errors = sum(each.is_error for each in found)
    counts = [(errors, "error"), (len(found) - errors, "warning")]
    said = [f"{number} {word}{'s' * (number != 1)}" for number, word in counts if number]
    checked = f"{games} game{'s' * (games != 1)} checked"
    return f"{checked}: {', '.join(said) or 'no problems'}"


@click.command("compile")
@click.argument("spec")
@click.option(
    "-o", "--output", metavar="FILE", help="Write the program there (default: standard output)."
)
@house_option
def compile_command(spec: str, output: str | None, houses: tuple[str, ...]) -> None:
    """Compile a game into a program that plays without the compiler."""
    text = dump(read_program(spec, houses))
    if output is None or output == "-":
        click.echo(text, nl=False)
        return
    try:
        write_whole(Path(output), text)
    except OSError as error:
        raise unreadable(f"`{output}` cannot be written: {reason(error)}") from None


def write_whole(path: Path, text: str) -> None:
    """Writes a file so that it is there whole or not at all. Raises OSError."""
    if path.exists() and not path.is_file():
        path.write_text(text, encoding="utf-8")
        return
    descriptor, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with os.fdopen(descriptor, "w", encoding="utf-8") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        mask = os.umask(0)
        os.umask(mask)
        os.chmod(name, 0o666 & ~mask)
        os.replace(name, path)
    except BaseException:
        os.unlink(name)
        raise
