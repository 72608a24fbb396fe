"""MC06xx: cards, deck arithmetic, tables."""

from __future__ import annotations

from meldc.diagnostics.pages.page import CodePage

PAGES: tuple[CodePage, ...] = ()
