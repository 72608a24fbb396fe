"""MC07xx: rules and the machine."""

from __future__ import annotations

from meldc.diagnostics.pages.page import CodePage

PAGES: tuple[CodePage, ...] = ()
