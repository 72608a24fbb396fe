"""The command `meldc`: parses arguments, calls compiler and runtime, prints."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence

import click

from meldc.cli.checking import check, compile_command
from meldc.cli.comparing import diff
from meldc.cli.explaining import explain, why
from meldc.cli.listing import list_command
from meldc.cli.play import play
from meldc.cli.replaying import replay
from meldc.cli.rulebook import rulebook
from meldc.cli.simulating import simulate
from meldc.cli.starting import new
from meldc.cli.streams import Stopped, drop_output, prepare_streams, stoppable
from meldc.cli.testing import test

INTERRUPTED = 130
PIPE_CLOSED = 141
MISTAKE = 70


@click.group(context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(package_name="meldc", prog_name="meldc")
def commands() -> None:
    """Compile, check, play, test and simulate card games whose rules are data."""


for command in (
    check,
    compile_command,
    diff,
    explain,
    list_command,
    new,
    play,
    replay,
    rulebook,
    simulate,
    test,
    why,
):
    commands.add_command(command)


def main(arguments: Sequence[str] | None = None) -> None:
    """Runs the command line and ends the process.

    Exit codes: 0 done, 1 problems found, 2 wrong usage or unreadable input; 130, 141 and 128 + n
    for an interrupt, a closed pipe, a signal.
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
        # Not `commands.main`: it answers a closed pipe in its own way.
        with stoppable(), commands.make_context("meldc", arguments) as context:
            result = commands.invoke(context)
    except click.exceptions.Exit as end:
        return end.exit_code
    except click.ClickException as error:
        error.show()
        return error.exit_code
    except (KeyboardInterrupt, click.Abort):
        click.echo("stopped", err=True)
        return INTERRUPTED
    except Stopped as end:
        return end.exit_code
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
