"""Rules below a key without the `|` that keeps their lines apart."""

from __future__ import annotations

import re

from meldc.diagnostics import Diagnostic, Edit, Fix, error
from meldc.load.nodes import Style, YamlText
from meldc.source import SourceFile, Span

_BARE_KEY = re.compile(r"(?P<indent> *)(?P<key>rules:)\s*(?:#.*)?")


def bare_rules_above(source: SourceFile, line: int) -> Diagnostic | None:
    """What is wrong where a line belongs to a `rules:` that has no `|`; None where it does not."""
    indent = _indent(source.line(line))
    for number in range(line - 1, 0, -1):
        text = source.line(number)
        if not text.strip() or _indent(text) >= indent:
            continue
        indent = _indent(text)
        if (bare := _BARE_KEY.fullmatch(text)) is not None:
            return _without_bar(source, number, bare)
    return None


def runs_together(rules: YamlText) -> Diagnostic | None:
    """The same for a text of several lines that YAML has made one line of."""
    if rules.style is not Style.PLAIN or rules.span.line == rules.span.end_line:
        return None
    return bare_rules_above(rules.source, rules.span.line) or error(
        "MC0128",
        "the lines of these rules run together",
        Span(rules.span.file, rules.span.line, rules.span.column, rules.span.line,
             rules.span.column + 1),
        "the rules begin here",
        help=["begin them behind `rules: |`, which keeps every line a line of its own"],
    )  # fmt: skip


def _without_bar(source: SourceFile, line: int, bare: re.Match[str]) -> Diagnostic:
    start, end = bare.start("key") + 1, bare.end("key") + 1
    behind = Span(source.name, line, end, line, end)
    return error(
        "MC0128",
        "`|` is missing behind `rules:`",
        Span(source.name, line, start, line, end),
        "without it the lines below run together",
        help=["write `rules: |`, and the rules in the lines below it"],
        fix=Fix("write `rules: |`", (Edit(behind, " |"),)),
    )


def _indent(text: str) -> int:
    return len(text) - len(text.lstrip(" "))
