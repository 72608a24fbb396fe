"""Lines to a person and lines from one, whatever stands at the other end."""

from __future__ import annotations

import os
import shutil
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import click

LONGEST_LINE = 1000
USUAL_WIDTH, NARROWEST = 80, 24
FEWEST_LINES = 4
PATIENCE = 8.0
"""Seconds after which a person is told what is waited for."""
WIPE = "\x1b[H\x1b[2J\x1b[3J"
"""Clears the screen and what has scrolled out of it."""

Completer = Callable[[str], Sequence[str]]
"""From the beginning of a line to the lines that it may become."""


LEAVING = ("quit", "q", "exit")
"""What a person types to leave, wherever something is asked."""


class EndOfInput(Exception):  # noqa: N818 - the end of input is no error
    """Nothing more can be read, or a person has left where only Enter was asked for."""


@dataclass(slots=True)
class Terminal:
    """Standard input and output. interactive: a person sits there, who may be waited for. wipes:
    the screen can be cleared. colour: it shows colours. width: of a line.
    """

    interactive: bool
    wipes: bool = False
    colour: bool = False
    width: int = USUAL_WIDTH
    _histories: dict[str, list[str]] = field(default_factory=dict, init=False)
    _edits: Any = field(default=None, init=False)

    @classmethod
    def standard(cls) -> Terminal:
        at_screen = sys.stdout.isatty()
        able = at_screen and os.environ.get("TERM", "dumb") != "dumb"
        terminal = cls(
            sys.stdin is not None and sys.stdin.isatty() and at_screen,
            able,
            able and not os.environ.get("NO_COLOR"),
            max(NARROWEST, min(USUAL_WIDTH, shutil.get_terminal_size().columns)),
        )
        if terminal.interactive and able:
            terminal._edits = _line_editing()
        return terminal

    def say(self, *lines: str) -> None:
        for line in lines:
            click.echo(line, color=self.colour)

    def page(self, lines: Sequence[str]) -> None:
        """Says many lines: where a person sits as many at a time as the screen holds. Raises
        EndOfInput.
        """
        height = max(FEWEST_LINES, shutil.get_terminal_size().lines - 1)
        if not self.interactive or len(lines) <= height:
            self.say(*lines)
            return
        for start in range(0, len(lines), height):
            if start and self.ask(f"Enter for more ({len(lines) - start} lines), q for enough "):
                return
            self.say(*lines[start : start + height])

    def ask(self, prompt: str, who: str = "", complete: Completer | None = None) -> str:
        """A line from the person, without its end. Raises EndOfInput.

        who: whose earlier lines can be called back, and nobody else's.
        """
        if self.interactive:
            return self._edited(prompt, who, complete)
        click.echo(prompt, nl=False)
        sys.stdout.flush()
        line = "" if sys.stdin is None else sys.stdin.readline()
        click.echo()
        if not line:
            raise EndOfInput
        return line[:LONGEST_LINE].rstrip("\n")

    def _edited(self, prompt: str, who: str, complete: Completer | None) -> str:
        """A line typed with editing, the history of this person and completion, where the system
        has them.
        """
        if self._edits is not None:
            self._edits.clear_history()
            for line in self._histories.get(who, []) if who else []:
                self._edits.add_history(line)
            self._edits.set_completer(
                _states_of(complete) if complete else lambda text, state: None
            )
        try:
            line = input(prompt)[:LONGEST_LINE]
        except EOFError:
            click.echo()
            raise EndOfInput from None
        if who and line.strip():
            self._histories.setdefault(who, []).append(line)
        return line

    @contextmanager
    def waiting(self, note: str) -> Iterator[None]:
        """Tells a person that sits there what takes so long, if it does."""
        if not self.interactive:
            yield
            return
        timer = threading.Timer(PATIENCE, self.say, (note,))
        timer.daemon = True
        timer.start()
        try:
            yield
        finally:
            timer.cancel()

    def pause(self, prompt: str) -> None:
        """Waits for Enter where a person sits. Raises EndOfInput, also where the person leaves."""
        while self.interactive and (typed := self.ask(f"{prompt} ").strip()):
            if typed.lower() in LEAVING:
                raise EndOfInput
            self.say("Enter goes on; `quit` leaves, the game is kept.")

    def change_places(self, prompt: str) -> None:
        """Makes what was shown disappear, and waits for the next person, where one sits."""
        self.wipe()
        if self.interactive:
            self.pause(prompt)
            self.wipe()

    def wipe(self) -> None:
        """Clears the screen; where that cannot be done what was shown is pushed out of sight."""
        if self.wipes:
            sys.stdout.write(WIPE)
            sys.stdout.flush()
        elif self.interactive:
            self.say(*[""] * max(50, shutil.get_terminal_size().lines))


def _line_editing() -> Any:
    try:
        import readline
    except ImportError:
        return None
    readline.set_completer_delims("")
    readline.set_auto_history(False)
    editline = "libedit" in (readline.__doc__ or "")
    readline.parse_and_bind("bind ^I rl_complete" if editline else "tab: complete")
    return readline


def _states_of(complete: Completer) -> Callable[[str, int], str | None]:
    """A completer as `readline` wants it: asked for one result after the other."""
    found: list[str] = []

    def answer(text: str, state: int) -> str | None:
        if state == 0:
            found[:] = complete(text)
        return found[state] if state < len(found) else None

    return answer
