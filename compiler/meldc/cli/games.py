"""From SPEC and options to a game: the options that commands share, and what is said when there is
no game.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn, TypeVar

import click

from meldc.cli.streams import in_colour
from meldc.compilation import compile_spec
from meldc.diagnostics import Diagnostic, error, render_text
from meldc.source import Sources
from meldc_runtime.program import Program, ProgramError
from meldc_runtime.program import read as read_saved

if TYPE_CHECKING:
    from meldc_runtime.game import Game

Command = TypeVar("Command", bound=Callable[..., Any])


def house_option(command: Command) -> Command:
    return click.option(
        "--house",
        "houses",
        multiple=True,
        metavar="NAME_OR_PATH",
        help="Lay a house rule over the game (repeatable).",
    )(command)


def seating_options(command: Command) -> Command:
    for option in (
        click.option(
            "--side-size", type=click.IntRange(1, 16), metavar="N", help="Players in a side."
        ),
        click.option(
            "--players", type=click.IntRange(1, 16), metavar="N", help="Number of players."
        ),
    ):
        command = option(command)
    return command


def json_option(command: Command) -> Command:
    return click.option("--json", "as_json", is_flag=True, help="Machine-readable output.")(command)


def load_game(
    spec: str, houses: tuple[str, ...], players: int | None = None, side_size: int | None = None
) -> Game:
    """The game of a SPEC; ends the command with what is wrong where there is none."""
    # Imported here: commands that only read files do without all that plays.
    from meldc_runtime.game import Game
    from meldc_runtime.table import SeatingError

    program = read_program(spec, houses)
    try:
        return Game(program, players, side_size)
    except SeatingError as problem:
        raise click.UsageError(str(problem)) from None
    except ProgramError as problem:
        _refuse(spec, problem)


def read_program(spec: str, houses: tuple[str, ...]) -> Program:
    """The program of a SPEC, compiled where it is not yet."""
    if is_compiled(spec):
        if houses:
            raise click.UsageError(f"`{spec}` is compiled already: lay house rules over its source")
        return read_compiled(spec)
    compilation = compile_spec(spec, houses)
    if compilation.program is None:
        end_with(compilation.diagnostics, compilation.sources)
    show(compilation.diagnostics, compilation.sources)
    return compilation.program


def is_compiled(spec: str) -> bool:
    """Whether a SPEC is a compiled program: a JSON file."""
    path = Path(spec)
    if path.suffix == ".json":
        return True
    try:
        with path.open("rb") as file:
            return file.read(1) == b"{"
    except (OSError, ValueError):
        return False


def read_compiled(spec: str) -> Program:
    try:
        return read_saved(Path(spec))
    except ProgramError as problem:
        _refuse(spec, problem)
    except OSError as problem:
        raise unreadable(f"`{spec}` cannot be read: {reason(problem)}") from None


def _refuse(spec: str, problem: ProgramError) -> NoReturn:
    end_with((error("MC0814", f"`{spec}`: {problem}", None, help=["compile the game again"]),))


def end_with(diagnostics: tuple[Diagnostic, ...], sources: Sources | None = None) -> NoReturn:
    """Shows what is wrong and ends the command."""
    show(diagnostics, sources)
    raise SystemExit(exit_code(diagnostics))


def exit_code(diagnostics: tuple[Diagnostic, ...]) -> int:
    """0 without errors; 2 when an input could not be read at all, else 1."""
    errors = [each for each in diagnostics if each.is_error]
    if any(each.is_unreadable for each in errors):
        return 2
    return 1 if errors else 0


def show(diagnostics: tuple[Diagnostic, ...], sources: Sources | None = None) -> None:
    """Diagnostics on standard error."""
    text = render_text(diagnostics, sources or Sources(), colour=in_colour())
    if text:
        click.echo(text, err=True, nl=False)


class _Unreadable(click.ClickException):
    exit_code = 2


def unreadable(message: str) -> click.ClickException:
    """The error that ends a command because an input cannot be read."""
    return _Unreadable(message)


def reason(problem: OSError) -> str:
    """Why the system refused, in words."""
    return (problem.strerror or str(problem)).lower()
