"""A judge of positions of which more is known than that they can come up."""

from __future__ import annotations

from collections.abc import Mapping

from meldc.check.possible.domain import Possible
from meldc.check.possible.judge import Judge


class Narrowed(Judge):
    """What expressions can be where some zones hold certain faces only, and no meld lies.

    holding: the faces by zone; memories: what some memories hold; bare: no meld lies.
    """

    def __init__(
        self,
        base: Judge,
        *,
        holding: Mapping[str, set[int]] | None = None,
        memories: Mapping[str, Possible] | None = None,
        bare: bool = False,
    ) -> None:
        super().__init__(base.program, base.seating)
        self._zones = {**base.zones, **(holding or {})}
        self._known.update({("memory", name): value for name, value in (memories or {}).items()})
        if bare:
            self.__dict__["forms"] = ()
