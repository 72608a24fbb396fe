"""Diagnostics in the forms that other programs read, by name."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal, TypeAlias

from meldc.diagnostics.record import COMMAND_LINE, Diagnostic
from meldc.diagnostics.serialise import render_json, render_sarif

Format: TypeAlias = Literal["text", "json", "sarif", "github"]
FORMATS: tuple[Format, ...] = ("text", "json", "sarif", "github")


def render_github(diagnostics: Iterable[Diagnostic]) -> str:
    """Workflow commands of GitHub, a line each, that show a problem at its place."""
    return "\n".join(_command(each) for each in diagnostics)


def render_for_programs(form: Format, diagnostics: Iterable[Diagnostic], version: str) -> str:
    """The diagnostics as JSON, SARIF or GitHub's commands."""
    if form == "sarif":
        return render_sarif(diagnostics, version)
    if form == "github":
        return render_github(diagnostics)
    return render_json(diagnostics)


def _command(diagnostic: Diagnostic) -> str:
    span = diagnostic.primary.span
    properties = [f"title={_property(diagnostic.code)}"]
    if span is not None and span.file != COMMAND_LINE:
        properties = [f"file={_property(span.file)}", f"line={span.line}"]
        properties += [f"col={span.column}", f"endLine={span.end_line}"]
        if span.end_line == span.line:  # else the end would be a column of the first line
            properties.append(f"endColumn={max(span.end_column - 1, span.column)}")
        properties.append(f"title={_property(diagnostic.code)}")
    label = diagnostic.primary.text
    text = f"{diagnostic.message}: {label}" if label else diagnostic.message
    text = "\n".join([text, *(f"help: {line}" for line in diagnostic.help)])
    return f"::{diagnostic.severity} {','.join(properties)}::{_data(text)}"


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
