"""What the text of a `.rules` file holds."""

from __future__ import annotations

from dataclasses import dataclass

from meldc.syntax import tree


@dataclass(frozen=True, slots=True)
class RulesText:
    """What a `.rules` file holds; the header is None in a `rules:` scalar."""

    header: tree.Header | None
    declarations: tuple[tree.Declaration, ...]
