"""The parser made from `grammar.lark`, one for the process, made when first needed.

Making it takes a third of a second, so the tables are kept between runs in the user's cache
folder: `meldc` in `$XDG_CACHE_HOME` or `~/.cache`. `MELDC_CACHE_DIR` names another folder; set to
nothing it turns the keeping off. Without a folder that can be written all works, only slower.
"""

from __future__ import annotations

import os
from functools import cache
from importlib.resources import files
from pathlib import Path

from lark import Lark
from lark.lexer import PatternStr

from meldc.syntax.layout import Layout

ENTRY_POINTS = ("header", "declaration", "cell", "cards")


@cache
def parser() -> Lark:
    """The parser; start it at one of `ENTRY_POINTS`. It holds no state between texts."""
    folder = _cache_folder()
    return Lark(
        read_grammar(),
        start=list(ENTRY_POINTS),
        parser="lalr",
        postlex=Layout(),
        propagate_positions=True,
        maybe_placeholders=True,
        # Lark checks that a file was made from this grammar, by this Lark and Python.
        cache=str(folder / "grammar") if folder else False,
    )


def read_grammar() -> str:
    """The text of the grammar."""
    return files(__package__).joinpath("grammar.lark").read_text(encoding="utf-8")


@cache
def keywords() -> dict[str, str]:
    """From the parser's names of fixed words and signs to what an author writes."""
    return {
        terminal.name: terminal.pattern.value
        for terminal in parser().terminals
        if isinstance(terminal.pattern, PatternStr)
    }


def _cache_folder() -> Path | None:
    try:
        folder = _named_folder()
        if folder:
            folder.mkdir(parents=True, exist_ok=True)
        return folder if folder and os.access(folder, os.W_OK) else None
    except (OSError, RuntimeError):  # no home, or nothing can be written there
        return None


def _named_folder() -> Path | None:
    named = os.environ.get("MELDC_CACHE_DIR")
    if named is not None:
        return Path(named) if named else None
    base = os.environ.get("XDG_CACHE_HOME")
    return (Path(base) if base else Path.home() / ".cache") / "meldc"
