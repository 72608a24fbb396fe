"""What a plan is asked for, what it is, and that it does not know."""

from __future__ import annotations

from meldc_runtime.light import dataclass
from meldc_runtime.state import Play

Path = tuple[Play, ...]


@dataclass(frozen=True, slots=True)
class Aim:
    """What is to be reached. subject: `complete` (the turn), `end_of_turn` (accepted, the deal not
    over) or `moment`, by name. last_resort: whether marked endings count. without: a rule left
    aside.
    """

    subject: str
    name: str = ""
    last_resort: bool = True
    without: str | None = None


class NotKnown(Exception):  # noqa: N818
    """The plan does not settle the question."""
