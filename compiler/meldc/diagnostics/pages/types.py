"""MC05xx: types."""

from __future__ import annotations

from meldc.diagnostics.pages.page import CodePage

PAGES: tuple[CodePage, ...] = ()
