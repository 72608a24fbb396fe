"""The command group: every command of `meldc`."""

from __future__ import annotations

from importlib.metadata import PackageNotFoundError, version

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
from meldc.cli.testing import test


def _version() -> str:
    try:
        return version("meldc")
    except PackageNotFoundError:
        return "(not installed)"


@click.group(context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(_version(), prog_name="meldc")
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
