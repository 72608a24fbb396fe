"""MC04xx: names and inheritance."""

from __future__ import annotations

from meldc.diagnostics.pages import lookup
from meldc.diagnostics.pages.page import CodePage

PAGES: tuple[CodePage, ...] = (*lookup.PAGES,)
