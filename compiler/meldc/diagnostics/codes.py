"""The table of all codes. A code is never given a second meaning.

The pages stand in `pages/`, a module for each range; a new code is one entry there:

    MC01xx  files and YAML                    MC05xx  types
    MC02xx  the shape of a file               MC06xx  cards, deck arithmetic, tables
    MC03xx  syntax of the rule language       MC07xx  rules and the machine
    MC04xx  names and inheritance             MC08xx  scenarios and records
                                              MC09xx  what playing shows
"""

from __future__ import annotations

from meldc.diagnostics.pages import (
    cards,
    deep,
    files,
    names,
    rules,
    scenarios,
    shape,
    syntax,
    types,
)
from meldc.diagnostics.pages.page import CodePage

__all__ = ["CODES", "CodePage"]

CODES: dict[str, CodePage] = {
    page.code: page
    for module in (files, shape, syntax, names, types, cards, rules, scenarios, deep)
    for page in module.PAGES
}
