"""MC03xx: syntax of the rule language."""

from __future__ import annotations

from meldc.diagnostics.pages.page import CodePage

PAGES: tuple[CodePage, ...] = ()
