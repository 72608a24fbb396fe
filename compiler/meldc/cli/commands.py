"""The command group: every command of `meldc`, imported when it is asked for."""

from __future__ import annotations

from importlib import import_module
from importlib.metadata import PackageNotFoundError, version

import click

COMMANDS = {
    "check": ("checking", "check"),
    "compile": ("checking", "compile_command"),
    "diff": ("comparing", "diff"),
    "explain": ("explaining", "explain"),
    "list": ("listing", "list_command"),
    "new": ("starting", "new"),
    "play": ("play", "play"),
    "replay": ("replaying", "replay"),
    "rulebook": ("rulebook", "rulebook"),
    "schema": ("schema", "schema"),
    "simulate": ("simulating", "simulate"),
    "test": ("testing", "test"),
    "why": ("explaining", "why"),
}
"""Each command: the module that it stands in, and its name there."""


class _Commands(click.Group):
    """Commands that are imported one by one: one that checks a file needs nothing that plays."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return sorted(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        module, name = COMMANDS[cmd_name]
        command: click.Command = getattr(import_module(f"meldc.cli.{module}"), name)
        return command


def _version() -> str:
    try:
        return version("meldc")
    except PackageNotFoundError:
        return "(not installed)"


@click.group(
    cls=_Commands,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
@click.version_option(_version(), prog_name="meldc")
def commands() -> None:
    """Compile, check, play, test and simulate card games whose rules are data."""
