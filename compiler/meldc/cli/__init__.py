"""The command `meldc`: parses arguments, calls compiler and runtime, prints."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence

import click

from meldc.cli.streams import Stopped, drop_output, prepare_streams, stoppable

INTERRUPTED = 130
PIPE_CLOSED = 141
MISTAKE = 70


def main(arguments: Sequence[str] | None = None) -> None:
    """Runs the command line and ends the process.

    Exit codes: 0 done, 1 problems found, 2 wrong usage or unreadable input; 70 a mistake of the
    program itself; 130, 141 and 128 + n for an interrupt, a closed pipe, a signal.
    """
    prepare_streams()
    code = _run(list(sys.argv[1:] if arguments is None else arguments))
    try:
        sys.stdout.flush()
    except BrokenPipeError:
        code = PIPE_CLOSED
        drop_output()
    except OSError as error:
        code = _cannot_write(error)
    sys.exit(code)


def _run(arguments: list[str]) -> int:
    try:
        with stoppable():
            # Imported here, where an interrupt of the long import is answered.
            from meldc.cli.commands import commands

            # Not `commands.main`: it answers a closed pipe in its own way.
            with commands.make_context("meldc", arguments) as context:
                result = commands.invoke(context)
    except click.exceptions.Exit as end:
        return end.exit_code
    except click.ClickException as error:
        error.show()
        return error.exit_code
    except Stopped as end:
        return end.exit_code
    except (KeyboardInterrupt, click.Abort):
        click.echo("stopped", err=True)
        return INTERRUPTED
    except BrokenPipeError:
        drop_output()
        return PIPE_CLOSED
    except SystemExit as end:
        return end.code if isinstance(end.code, int) else 1
    except OSError as error:
        return _cannot_write(error)
    except Exception as error:
        if "MELDC_TRACEBACK" in os.environ:
            raise
        return _mistake(error)
    return result if isinstance(result, int) else 0


def _mistake(error: Exception) -> int:
    what = f"{type(error).__name__}: {error}".split("\n")[0]
    click.echo(f"Error: this is a mistake in meldc, please report it ({what})", err=True)
    click.echo("  with MELDC_TRACEBACK=1 in the environment its place is shown", err=True)
    return MISTAKE


def _cannot_write(error: OSError) -> int:
    drop_output()
    where = f" `{error.filename}`" if error.filename else ""
    click.echo(
        f"Error: the system refuses{where}: {(error.strerror or str(error)).lower()}", err=True
    )
    return 1
