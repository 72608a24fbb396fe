"""Every clause of the rules is named by a test; no spec names one that there is not.

`clauses.txt` lists the clauses, one a line.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

TESTS = Path(__file__).parents[1]
SPECS = TESTS.parent / "specs"
CLAUSES = (TESTS / "rules" / "clauses.txt").read_text(encoding="utf-8").split()

_CLAUSE = re.compile(r"\b(?:[A-Z]{2}|C[0-9]+)-[0-9]+[a-z]?\b")
_PROVES = re.compile(r"^ +(?:- )?clause: (.+)", re.MULTILINE)
_CITED = re.compile(r"\[((?:[A-Z0-9]+-[0-9]+[a-z]? ?)+)\]")


def of_scenarios() -> Iterator[str]:
    """The clauses that positions prove."""
    for path in sorted((SPECS / "tests").glob("*.yaml")):
        for line in _PROVES.findall(path.read_text(encoding="utf-8")):
            yield from _CLAUSE.findall(line)


def of_functions() -> Iterator[str]:
    """The clauses that functions of this folder prove, by their docstrings."""
    for path in sorted((TESTS / "rules").glob("test_*.py")):
        for node in ast.parse(path.read_text(encoding="utf-8")).body:
            if isinstance(node, ast.FunctionDef) and node.name.startswith("test_"):
                yield from _CLAUSE.findall(ast.get_docstring(node) or "")


def test_every_clause__is_proved() -> None:
    assert sorted(set(CLAUSES) - {*of_scenarios(), *of_functions()}) == []


def test_proofs__are_of_clauses_that_there_are() -> None:
    assert sorted({*of_scenarios(), *of_functions()} - set(CLAUSES)) == []


def test_specs__cite_clauses_that_there_are() -> None:
    cited: set[str] = set()
    for folder in ("machines", "parts", "variants", "house-rules"):
        for path in (SPECS / folder).iterdir():
            text = path.read_text(encoding="utf-8")
            cited.update(name for group in _CITED.findall(text) for name in group.split())
    assert cited
    assert sorted(cited - set(CLAUSES)) == []


def test_list__names_each_once() -> None:
    assert len(CLAUSES) == len(set(CLAUSES))
