"""What the text of a `.rules` file holds."""

from __future__ import annotations

from meldc.syntax import tree
from meldc_runtime.light import dataclass


@dataclass(frozen=True, slots=True)
class RulesText:
    """What a `.rules` file holds; the header is None in a `rules:` scalar."""

    header: tree.Header | None
    declarations: tuple[tree.Declaration, ...]
