"""The parts of the schema of SARIF 2.1.0 that a log of meldc uses, after the OASIS standard."""

from __future__ import annotations

from typing import Any

MESSAGE = {
    "type": "object",
    "properties": {"text": {"type": "string", "minLength": 1}},
    "required": ["text"],
}
POSITION = {"type": "integer", "minimum": 1}
REGION = {
    "type": "object",
    "additionalProperties": False,
    "required": ["startLine"],
    "properties": dict.fromkeys(("startLine", "startColumn", "endLine", "endColumn"), POSITION),
}
ARTIFACT = {
    "type": "object",
    "required": ["uri"],
    "properties": {"uri": {"type": "string", "pattern": r"^[^\s\\]+$"}},
}
LOCATION = {
    "type": "object",
    "additionalProperties": False,
    "properties": {
        "physicalLocation": {
            "type": "object",
            "additionalProperties": False,
            "required": ["artifactLocation"],
            "properties": {"artifactLocation": ARTIFACT, "region": REGION},
        },
        "logicalLocations": {
            "type": "array",
            "items": {"type": "object", "properties": {"name": {"type": "string"}}},
        },
        "message": MESSAGE,
    },
}
FIX = {
    "type": "object",
    "additionalProperties": False,
    "required": ["artifactChanges"],
    "properties": {
        "description": MESSAGE,
        "artifactChanges": {
            "type": "array",
            "minItems": 1,
            "items": {
                "type": "object",
                "additionalProperties": False,
                "required": ["artifactLocation", "replacements"],
                "properties": {
                    "artifactLocation": ARTIFACT,
                    "replacements": {
                        "type": "array",
                        "minItems": 1,
                        "items": {
                            "type": "object",
                            "additionalProperties": False,
                            "required": ["deletedRegion"],
                            "properties": {
                                "deletedRegion": REGION,
                                "insertedContent": {
                                    "type": "object",
                                    "properties": {"text": {"type": "string"}},
                                },
                            },
                        },
                    },
                },
            },
        },
    },
}
RESULT = {
    "type": "object",
    "additionalProperties": False,
    "required": ["message"],
    "properties": {
        "ruleId": {"type": "string", "pattern": "^MC[0-9]{4}$"},
        "ruleIndex": {"type": "integer", "minimum": 0},
        "level": {"enum": ["none", "note", "warning", "error"]},
        "message": MESSAGE,
        "locations": {"type": "array", "items": LOCATION},
        "relatedLocations": {"type": "array", "items": LOCATION},
        "fixes": {"type": "array", "items": FIX},
    },
}
RULE = {
    "type": "object",
    "additionalProperties": False,
    "required": ["id"],
    "properties": {
        "id": {"type": "string"},
        "shortDescription": MESSAGE,
        "fullDescription": MESSAGE,
        "help": MESSAGE,
    },
}
LOG: dict[str, Any] = {
    "type": "object",
    "additionalProperties": False,
    "required": ["version", "runs"],
    "properties": {
        "$schema": {"type": "string", "format": "uri"},
        "version": {"const": "2.1.0"},
        "runs": {
            "type": "array",
            "items": {
                "type": "object",
                "additionalProperties": False,
                "required": ["tool"],
                "properties": {
                    "tool": {
                        "type": "object",
                        "required": ["driver"],
                        "properties": {
                            "driver": {
                                "type": "object",
                                "required": ["name"],
                                "additionalProperties": False,
                                "properties": {
                                    "name": {"type": "string"},
                                    "version": {"type": "string"},
                                    "rules": {"type": "array", "items": RULE},
                                },
                            }
                        },
                    },
                    "columnKind": {"enum": ["utf16CodeUnits", "unicodeCodePoints"]},
                    "results": {"type": "array", "items": RESULT},
                },
            },
        },
    },
}
