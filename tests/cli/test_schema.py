"""Schemas for editors: in one piece, with the names of a game, and true of what is shipped."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
import yaml
from cli.support import run
from jsonschema import Draft202012Validator

from meldc.compilation import compile_spec
from meldc.load.catalogue import Kind, shipped
from meldc.publishing import KINDS, bundled, with_names


def read(kind: Kind) -> dict[str, Any]:
    """The shipped files of a kind, as an editor reads them: numbers as numbers, the rest words."""
    return {
        name: _plain(yaml.load(place.file.read_text(encoding="utf-8"), yaml.BaseLoader))
        for name, place in shipped(kind).items()
    }


def _plain(part: Any) -> Any:
    match part:
        case dict():
            return {key: _plain(value) for key, value in part.items()}
        case list():
            return [_plain(each) for each in part]
    return int(part) if re.fullmatch(r"-?\d+", part) else part


@pytest.mark.parametrize("kind", KINDS)
def test_schema__refers_to_nothing_beside_it(kind: str) -> None:
    """A file that names it may lie in any folder, and the schema beside it."""
    found = bundled(kind)
    Draft202012Validator.check_schema(found)
    references = re.findall(r'"\$ref": "([^"]+)"', json.dumps(found))
    assert references
    for each in references:
        assert each.startswith("#/$defs/")
        assert each.removeprefix("#/$defs/") in found["$defs"]


@pytest.mark.parametrize(("kind", "files"), [("variant", Kind.VARIANT), ("house-rule", Kind.HOUSE)])
def test_schema__takes_what_is_shipped(kind: str, files: Kind) -> None:
    model = compile_spec("samba").model
    assert model is not None
    for schema in (bundled(kind), with_names(kind, model)):
        validator = Draft202012Validator(schema)
        wrong = {name for name, file in read(files).items() if not validator.is_valid(file)}
        assert wrong == set()


def test_names__of_a_game_are_offered_with_what_they_say() -> None:
    model = compile_spec("classic").model
    assert model is not None
    keys = with_names("house-rule", model)["properties"]
    assert keys["hand_size"]["description"] == "cards dealt to each hand"
    assert keys["pile_frozen"]["anyOf"][0] == {"enum": ["by_a_wild_card", "always"]}
    assert "3000" in keys["opening_points"]["properties"]
    assert "replace opening_points" in keys
    assert "set" in keys["melds"]["allOf"][1]["properties"]


def test_command__writes_a_file_or_prints(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    printed = run(capsys, "schema", "house-rule", "--for", "classic").out
    assert run(capsys, "schema", "house-rule", "--for", "classic", "-o", "s.json").code == 0
    assert json.loads(printed) == json.loads(Path("s.json").read_text())
    assert run(capsys, "schema", "scenario").code == 0
    assert run(capsys, "schema", "nothing").code == 2
    assert run(capsys, "schema", "variant", "--for", "nothing").code == 2
    assert run(capsys, "schema", "variant", "-o", "no/folder/s.json").code == 2
