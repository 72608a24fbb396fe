"""Diagnostics for programs: JSON, and SARIF for code-review tools."""

from __future__ import annotations

import json
from collections.abc import Iterable
from itertools import groupby
from typing import Any
from urllib.parse import quote

from meldc.diagnostics.codes import CODES
from meldc.diagnostics.record import COMMAND_LINE, Diagnostic, Fix, Label
from meldc.source import Span


def as_data(diagnostic: Diagnostic) -> dict[str, Any]:
    """A diagnostic as plain data; `null` for places it does not have."""
    return {
        "code": diagnostic.code,
        "severity": str(diagnostic.severity),
        "title": CODES[diagnostic.code].title,
        "message": diagnostic.message,
        **_label(diagnostic.primary),
        "secondary": [_label(label) for label in diagnostic.secondary],
        "help": list(diagnostic.help),
        "notes": list(diagnostic.notes),
        "fix": _fix(diagnostic.fix) if diagnostic.fix else None,
    }


def render_json(diagnostics: Iterable[Diagnostic]) -> str:
    """A JSON list of diagnostics."""
    return json.dumps([as_data(each) for each in diagnostics], ensure_ascii=False, indent=2)


def render_sarif(diagnostics: Iterable[Diagnostic], version: str) -> str:
    """A SARIF 2.1.0 log of one run; `version` is that of meldc."""
    found = list(diagnostics)
    codes = sorted({each.code for each in found})
    driver = {
        "name": "meldc",
        "version": version,
        "rules": [
            {
                "id": code,
                "shortDescription": {"text": CODES[code].title},
                "fullDescription": {"text": CODES[code].explanation},
                "help": {"text": CODES[code].cure},
            }
            for code in codes
        ],
    }
    log = {
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [
            {
                "tool": {"driver": driver},
                "columnKind": "unicodeCodePoints",
                "results": [_sarif_result(each, codes.index(each.code)) for each in found],
            }
        ],
    }
    return json.dumps(log, ensure_ascii=False, indent=2)


def _label(label: Label) -> dict[str, Any]:
    span = label.span
    return {
        "file": span.file if span else None,
        "line": span.line if span else None,
        "column": span.column if span else None,
        "end_line": span.end_line if span else None,
        "end_column": span.end_column if span else None,
        "label": label.text,
    }


def _fix(fix: Fix) -> dict[str, Any]:
    edits = [{**_label(Label(edit.span)), "text": edit.text} for edit in fix.edits]
    for edit in edits:
        del edit["label"]
    return {"title": fix.title, "edits": edits}


def _sarif_result(diagnostic: Diagnostic, index: int) -> dict[str, Any]:
    text = ". ".join([diagnostic.message, *diagnostic.help])
    result: dict[str, Any] = {
        "ruleId": diagnostic.code,
        "ruleIndex": index,
        "level": str(diagnostic.severity),
        "message": {"text": text},
    }
    if diagnostic.primary.span:
        result["locations"] = [_sarif_location(diagnostic.primary.span, diagnostic.primary.text)]
    related = [_sarif_location(each.span, each.text) for each in diagnostic.secondary if each.span]
    if related:
        result["relatedLocations"] = related
    if diagnostic.fix:
        result["fixes"] = [_sarif_fix(diagnostic.fix)]
    return result


def _sarif_fix(fix: Fix) -> dict[str, Any]:
    edits = sorted(fix.edits, key=lambda edit: edit.span)
    changes = [
        {
            "artifactLocation": {"uri": quote(file)},
            "replacements": [
                {"deletedRegion": _region(edit.span), "insertedContent": {"text": edit.text}}
                for edit in here
            ],
        }
        for file, here in groupby(edits, key=lambda edit: edit.span.file)
    ]
    return {"description": {"text": fix.title}, "artifactChanges": changes}


def _region(span: Span) -> dict[str, int]:
    return {
        "startLine": span.line,
        "startColumn": span.column,
        "endLine": span.end_line,
        "endColumn": span.end_column,
    }


def _sarif_location(span: Span, text: str) -> dict[str, Any]:
    if span.file == COMMAND_LINE:  # no file: named, without a place in one
        return {
            "logicalLocations": [{"name": COMMAND_LINE}],
            **({"message": {"text": text}} if text else {}),
        }
    location: dict[str, Any] = {
        "physicalLocation": {
            "artifactLocation": {"uri": quote(span.file)},
            "region": _region(span),
        }
    }
    if text:
        location["message"] = {"text": text}
    return location
