"""Specialised players: a Program lowered to straight code over vectors of numbers, for bulk play.

A kernel takes the same decisions as the machine, from lists in the same order. It knows kinds of
card only, so a position comes from a State and goes back to one with some faces of the kinds.
"""

from __future__ import annotations

from meldc_runtime.kernel.kernel import Kernel, kernel_of
from meldc_runtime.kernel.layout import NotLowered
from meldc_runtime.kernel.playing import Dealt, Player, player_of

__all__ = ["Dealt", "Kernel", "NotLowered", "Player", "kernel_of", "player_of"]
