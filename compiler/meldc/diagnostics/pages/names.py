"""MC04xx: names and inheritance."""

from __future__ import annotations

from meldc.diagnostics.pages.page import CodePage

PAGES: tuple[CodePage, ...] = ()
