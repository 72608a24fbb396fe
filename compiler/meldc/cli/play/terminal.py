"""Lines to a person and lines from one, whatever stands at the other end."""

from __future__ import annotations

import importlib
import sys
from contextlib import suppress
from dataclasses import dataclass

import click

LONGEST_LINE = 1000


class EndOfInput(Exception):  # noqa: N818 - the end of input is no error
    """Nothing more can be read."""


@dataclass(frozen=True, slots=True)
class Terminal:
    """Standard input and output. interactive: a person sits there, who may be waited for."""

    interactive: bool

    @classmethod
    def standard(cls) -> Terminal:
        return cls(sys.stdin is not None and sys.stdin.isatty() and sys.stdout.isatty())

    def say(self, *lines: str) -> None:
        for line in lines:
            click.echo(line)

    def ask(self, prompt: str) -> str:
        """A line from the person, without its end. Raises EndOfInput."""
        if self.interactive:
            return self._edited(prompt)
        click.echo(prompt, nl=False)
        sys.stdout.flush()
        line = "" if sys.stdin is None else sys.stdin.readline()
        if not line:
            click.echo()
            raise EndOfInput
        click.echo()
        return line[:LONGEST_LINE].rstrip("\n")

    def _edited(self, prompt: str) -> str:
        """A line typed with the editing and the history of `readline`, where the system has it."""
        with suppress(ImportError):
            importlib.import_module("readline")
        try:
            return input(prompt)[:LONGEST_LINE]
        except EOFError:
            click.echo()
            raise EndOfInput from None

    def pause(self, prompt: str) -> None:
        """Waits for Enter where a person sits. Raises EndOfInput."""
        if self.interactive:
            self.ask(f"{prompt} ")

    def clear(self, prompt: str) -> None:
        """Makes what was shown scroll away, and waits, where a person sits."""
        if self.interactive:
            click.clear()
            self.pause(prompt)
