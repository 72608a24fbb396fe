"""Whether a text is an action of some game, though not of the one that is tested: that such an
action is illegal may be said in a scenario.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

from meldc.load.catalogue import Kind, shipped
from meldc_runtime.program import Program
from meldc_runtime.templates import pieces

_DECLARED = re.compile(r'^\s*(?:replace )?action [a-z][^"\n]*"([^"\n]+)"', re.MULTILINE)


def is_action_elsewhere(text: str, program: Program) -> bool:
    """Whether a text has the form of an action of any game that comes with the compiler, and this
    one has no action of that form.
    """
    words = " ".join(text.split())
    own = {action.text for action in program.actions}
    return any(form.fullmatch(words) for template, form in _forms().items() if template not in own)


@cache
def _forms() -> dict[str, re.Pattern[str]]:
    templates = {template for source in _sources() for template in _DECLARED.findall(source)}
    return {template: _form(template) for template in sorted(templates)}


def _sources() -> Iterator[str]:
    for kind in (Kind.PART, Kind.VARIANT, Kind.HOUSE):
        for place in shipped(kind).values():
            yield place.file.read_text(encoding="utf-8")


def _form(template: str) -> re.Pattern[str]:
    """The template with any text in the place of each parameter; without its optional part."""
    parts = [
        r"\S.*" if piece.param else re.escape(piece.words)
        for piece in pieces(template)
        if not piece.optional
    ]
    return re.compile("".join(parts).rstrip("\\ "), re.IGNORECASE)
