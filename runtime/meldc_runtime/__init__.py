"""Plays compiled card games: a Program in, states, legal actions, views and scores out.

The package needs nothing but the standard library and never imports the compiler.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from meldc_runtime.game import Game

__all__ = ["load"]


def load(path: str | Path) -> Game:
    """The game in a compiled program; see `meldc_runtime.game.load`."""
    from meldc_runtime.game import load as load_game

    return load_game(path)
