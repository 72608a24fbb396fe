"""The quick answer to the shape of a file never differs from the validator's."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator
from referencing import Registry, Resource

from meldc.load import shape
from meldc.load.accepting import accepts
from meldc.load.shape import _absolute, _meant, _plain
from meldc.load.yaml_reader import read_yaml
from meldc.source import SourceFile

ROOT = Path(__file__).parents[2]
NAMES = ("variant", "house-rule", "scenario")
FILES = {
    "variant": sorted((ROOT / "specs" / "variants").glob("*.yaml")),
    "house-rule": sorted((ROOT / "specs" / "house-rules").glob("*.yaml")),
}
SCHEMAS = {
    name: json.loads((ROOT / "schemas" / f"{name}.schema.json").read_text()) for name in NAMES
}
REGISTRY: Registry[Any] = Registry().with_resources(
    [(f"{name}.schema.json", Resource.from_contents(text)) for name, text in SCHEMAS.items()]
)
VALIDATORS = {
    name: Draft202012Validator({"$ref": f"{name}.schema.json"}, registry=REGISTRY) for name in NAMES
}


def quick(value: Any, name: str) -> bool:
    return accepts(value, _absolute(name), _meant)


def plain(path: Path) -> Any:
    return _plain(read_yaml(SourceFile(path.name, path.read_text(encoding="utf-8"))))


@pytest.mark.parametrize("name", FILES)
def test_shipped__is_accepted_without_the_validator(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(_: str) -> None:
        raise AssertionError("the validator was asked")

    monkeypatch.setattr(shape, "_validator", refuse)
    for path in FILES[name]:
        root = read_yaml(SourceFile(path.name, path.read_text(encoding="utf-8")))
        assert shape.check_shape(root, name) == []


WORDS = """variant title extends machine players side_size pack packs jokers ranks melds set size
cards rules remove needs allow MC0622 choices house hand_size odd tests name steps"""
KEYS = st.sampled_from(WORDS.split())
VALUES = st.recursive(
    st.one_of(
        st.integers(-2, 30),
        st.sampled_from(["", "classic", "2..8", "no one", "x" * 130, "2 or 1", "3..7", "4..A"]),
        st.none(),
    ),
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(KEYS, inner, max_size=4)),
    max_leaves=8,
)


@settings(max_examples=300)
@given(st.sampled_from(NAMES), st.dictionaries(KEYS, VALUES, max_size=6))
def test_answers__are_those_of_the_validator(name: str, value: Any) -> None:
    assert quick(value, name) == VALIDATORS[name].is_valid(value)


@settings(max_examples=200)
@given(st.data())
def test_answers__about_changed_files_are_those_of_the_validator(data: st.DataObject) -> None:
    name = data.draw(st.sampled_from(sorted(FILES)))
    value = plain(data.draw(st.sampled_from(FILES[name])))
    key = data.draw(KEYS)
    value[key] = data.draw(VALUES)
    dropped = data.draw(st.sampled_from(sorted(value)))
    if data.draw(st.booleans()):
        del value[dropped]
    assert quick(value, name) == VALIDATORS[name].is_valid(value)
