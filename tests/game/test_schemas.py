"""The published schemas are those of the code, and what the code writes fits them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from meldc.compilation import compile_spec
from meldc.load.catalogue import shipped_variants
from meldc_runtime.program import dump
from meldc_runtime.program.schema import schema_text
from meldc_runtime.records import Entry, Header, Recorder

SCHEMAS = Path(__file__).parents[2] / "schemas"


def schema(name: str) -> Any:
    return json.loads((SCHEMAS / f"{name}.schema.json").read_text(encoding="utf-8"))


def test_program_schema__is_that_of_the_nodes() -> None:
    assert (SCHEMAS / "program.schema.json").read_text(encoding="utf-8") == schema_text()


@pytest.mark.parametrize("name", ["program", "record"])
def test_schema__is_a_schema(name: str) -> None:
    Draft202012Validator.check_schema(schema(name))


@pytest.mark.parametrize("variant", ["classic", "paston"])
def test_compiled_program__fits_its_schema(variant: str) -> None:
    assert variant in shipped_variants()
    program = compile_spec(variant).program
    assert program is not None
    Draft202012Validator(schema("program")).validate(json.loads(dump(program)))


def test_program_schema__refuses_an_unknown_node() -> None:
    program = compile_spec("classic").program
    assert program is not None
    data = json.loads(dump(program))
    data["zones"][0]["node"] = "Setting"
    assert not Draft202012Validator(schema("program")).is_valid(data)


def test_record__fits_its_schema(tmp_path: Path) -> None:
    header = Header(
        "mine", "Mine", "0" * 64, ("one",), 2, 1, 7, (("P1", "human"), ("P2", "random"))
    )
    with Recorder.create(tmp_path / "game.jsonl", header) as recorder:
        recorder.write(Entry(1, "P2", "draw"))
    lines = (tmp_path / "game.jsonl").read_text(encoding="utf-8").splitlines()
    assert len(lines) == 2
    for line in lines:
        Draft202012Validator(schema("record")).validate(json.loads(line))
