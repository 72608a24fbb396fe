"""Where the data shipped with the compiler lives."""

from __future__ import annotations

from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path


def data_root(kind: str) -> Traversable:
    """Where `specs` or `schemas` lives: inside the wheel, or at the root of the checkout."""
    packaged = files("meldc") / "_data" / kind
    return packaged if packaged.is_dir() else Path(__file__).parents[2] / kind
