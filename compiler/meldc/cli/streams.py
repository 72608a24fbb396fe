"""Standard streams that never fail on a character, and ways to end that leave no traceback."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import NoReturn

STOPPING = tuple(getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name))


class Stopped(KeyboardInterrupt):
    """A signal asked the program to end: an interrupt that does not come from the keyboard."""

    def __init__(self, number: int) -> None:
        super().__init__(number)
        self.exit_code = 128 + number


def prepare_streams() -> None:
    """Characters that a stream's encoding lacks become `?` instead of errors; rubbish input is
    read as such.
    """
    for stream, errors in (
        (sys.stdin, "replace"),
        (sys.stdout, "replace"),
        (sys.stderr, "replace"),
    ):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors=errors)


def drop_output() -> None:
    """Points standard output away, so that nothing more is written when the program ends."""
    try:
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, sys.stdout.fileno())
    except (OSError, ValueError):
        pass


@contextmanager
def stoppable() -> Iterator[None]:
    """Within, a signal to end raises `Stopped`, so that what is open gets closed."""

    def stop(number: int, frame: FrameType | None) -> NoReturn:
        raise Stopped(number)

    try:
        before = {number: signal.signal(number, stop) for number in STOPPING}
    except ValueError:  # not the main thread
        before = {}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def shows_signs() -> bool:
    """Whether suit signs can be shown: at a terminal, in UTF-8."""
    locale = next((v for k in ("LC_ALL", "LC_CTYPE", "LANG") if (v := os.environ.get(k))), "")
    encoding = (sys.stdout.encoding or "").lower().replace("-", "")
    return sys.stdout.isatty() and encoding == "utf8" and "utf" in locale.lower()


def in_colour() -> bool:
    """Whether standard error is a terminal that may be coloured."""
    return sys.stderr.isatty() and "NO_COLOR" not in os.environ and os.environ.get("TERM") != "dumb"
