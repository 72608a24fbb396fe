"""A compiler of card games: from rules as data to a program that plays."""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from meldc_runtime.game import Game

__all__ = ["load"]

# The package `meldc.load` (the first pass) would take the function's name when it is first
# imported; imported here, before the function is defined, it never does.
import_module("meldc.load")


def load(
    spec: str | Path,
    house: Sequence[str] = (),
    *,
    players: int | None = None,
    side_size: int | None = None,
) -> Game:
    """The game of a variant (a shipped name or a path) with house rules laid over it.

    Raises `meldc.diagnostics.CompileError`, whose `diagnostics` say what is wrong, and
    `meldc_runtime.table.SeatingError` where the game is not played by so many.
    """
    from meldc.compilation import compile_spec
    from meldc.diagnostics import CompileError
    from meldc_runtime.game import Game

    compilation = compile_spec(spec, house)
    if compilation.program is None:
        raise CompileError(compilation.diagnostics)
    return Game(compilation.program, players, side_size)
