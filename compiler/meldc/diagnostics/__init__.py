"""Problems as data: records, their collection, and their look as text, JSON and SARIF."""

from meldc.diagnostics.codes import CODES, CodePage
from meldc.diagnostics.collector import Collector
from meldc.diagnostics.formats import FORMATS, Format, render_for_programs, render_github
from meldc.diagnostics.record import (
    COMMAND_LINE,
    CompileError,
    Diagnostic,
    Edit,
    Fix,
    Label,
    Severity,
    error,
    warning,
)
from meldc.diagnostics.render import render_text
from meldc.diagnostics.serialise import as_data, render_json, render_sarif
from meldc.diagnostics.suggest import did_you_mean, suggest

__all__ = [
    "CODES",
    "COMMAND_LINE",
    "FORMATS",
    "CodePage",
    "Collector",
    "CompileError",
    "Diagnostic",
    "Edit",
    "Fix",
    "Format",
    "Label",
    "Severity",
    "as_data",
    "did_you_mean",
    "error",
    "render_for_programs",
    "render_github",
    "render_json",
    "render_sarif",
    "render_text",
    "suggest",
    "warning",
]
