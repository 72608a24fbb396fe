"""What was worked out from a Program is kept between runs, in the user's cache folder.

It is plain data, and follows from the Program, how it is seated and the files of this package: a
file has its name from all three. One that is not whole is passed over; where nothing can be kept,
all is worked out anew.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from meldc_runtime.folder import keep, kept_file, recall
from meldc_runtime.program.codec import content_hash
from meldc_runtime.program.declarations import Program

RUNTIME = Path(__file__).parent


class Kept:
    """What is known of a Program for these seats."""

    def __init__(self, program: Program, players: int | None, side_size: int | None) -> None:
        self.file = kept_file("tables", RUNTIME, content_hash(program), players, side_size)
        content = recall(self.file)
        self.known: dict[str, Any] = {} if content is None else json.loads(content)
        self.is_new = False

    def get(self, name: str, work_out: Callable[[], Any]) -> Any:
        """What is kept by a name, as JSON gives it back; worked out the first time."""
        if name not in self.known:
            self.known[name] = work_out()
            self.is_new = True
        return self.known[name]

    def save(self) -> None:
        """Writes what is new."""
        if self.is_new:
            keep(self.file, json.dumps(self.known).encode())
        self.is_new = False
