"""Where names and paths lead, and where they may not."""

from __future__ import annotations

from pathlib import Path

import pytest

from meldc.diagnostics import CompileError, Diagnostic
from meldc.load.catalogue import Kind, Place, find, is_path, shipped_houses, shipped_variants
from meldc.source import Span

SPAN = Span("mine.yaml", 3, 10, 3, 20)


@pytest.fixture
def mine(tmp_path: Path) -> Place:
    """A file in a folder of its own, with files beside, below and above."""
    folder = tmp_path / "games"
    (folder / "below").mkdir(parents=True)
    for path in ("mine.yaml", "base.yaml", "below/deep.yaml", "below/own.rules", "../above.yaml"):
        (folder / path).write_text("x: 1\n")
    return Place("games/mine.yaml", folder / "mine.yaml")


def refused(reference: str, mine: Place, kind: Kind = Kind.VARIANT) -> Diagnostic:
    with pytest.raises(CompileError) as caught:
        find(kind, reference, named_by=mine, span=SPAN)
    (found,) = caught.value.diagnostics
    assert found.primary.span == SPAN
    assert not found.is_unreadable
    return found


def test_shipped__all_are_listed() -> None:
    assert len(shipped_variants()) >= 20
    assert len(shipped_houses()) >= 14
    assert list(shipped_variants()) == sorted(shipped_variants())


@pytest.mark.parametrize("name", shipped_variants())
def test_find__every_shipped_variant(name: str) -> None:
    place = find(Kind.VARIANT, name)
    assert place.shown == f"specs/variants/{name}.yaml"
    assert place.file.is_file()


def test_find__machines_and_parts() -> None:
    assert find(Kind.MACHINE, "melding").shown == "specs/machines/melding.rules"
    assert find(Kind.PART, "game").shown == "specs/parts/game.rules"
    assert find(Kind.PART, "melding").shown == "specs/machines/melding.rules"


def test_find__paths_start_at_the_file_that_names_them(mine: Place) -> None:
    place = find(Kind.VARIANT, "base.yaml", named_by=mine, span=SPAN)
    assert place.shown == "games/base.yaml"
    deep = find(Kind.VARIANT, "below/deep.yaml", named_by=mine, span=SPAN)
    assert deep.shown == "games/below/deep.yaml"
    assert find(Kind.PART, "own.rules", named_by=deep, span=SPAN).file.is_file()


def test_find__a_person_may_name_any_file(mine: Place, tmp_path: Path) -> None:
    path = str(tmp_path / "games" / ".." / "above.yaml")
    assert find(Kind.VARIANT, path).shown == path


@pytest.mark.parametrize(
    "reference",
    ["../above.yaml", "below/../../above.yaml", "/etc/passwd.yaml", "C:\\games\\x.yaml",
     "..\\above.yaml", "C:x.yaml", "//host/x.yaml", "below/../base.yaml"],
)  # fmt: skip
def test_find__no_path_leads_out(reference: str, mine: Place) -> None:
    assert refused(reference, mine).code == "MC0104"


def test_find__no_link_leads_out(mine: Place, tmp_path: Path) -> None:
    folder = tmp_path / "games"
    (folder / "link.yaml").symlink_to(tmp_path / "above.yaml")
    (folder / "up").symlink_to(tmp_path)
    (folder / "loop.yaml").symlink_to(folder / "loop.yaml")
    (folder / "near.yaml").symlink_to(folder / "base.yaml")
    assert refused("link.yaml", mine).code == "MC0104"
    assert refused("up/above.yaml", mine).code == "MC0104"
    assert refused("loop.yaml", mine).code in ("MC0104", "MC0101")
    assert find(Kind.VARIANT, "near.yaml", named_by=mine, span=SPAN).shown == "games/near.yaml"


def test_find__missing_file_names_the_near_one(mine: Place) -> None:
    found = refused("bass.yaml", mine)
    assert (found.code, found.help) == ("MC0101", ("did you mean `base.yaml`?",))
    assert refused("below/", mine).code == "MC0101"
    assert refused("x" * 5000 + ".yaml", mine).code in ("MC0101", "MC0104")
    assert refused("a\0b.yaml", mine).code in ("MC0101", "MC0104")


def test_find__unknown_name_names_the_near_one() -> None:
    name = shipped_variants()[0]
    with pytest.raises(CompileError) as caught:
        find(Kind.VARIANT, name[:-1] + "x")
    (found,) = caught.value.diagnostics
    assert found.code == "MC0103"
    assert found.is_unreadable
    assert f"`{name}`" in found.help[0]


def test_find__a_file_beside_is_a_path(mine: Place) -> None:
    assert refused("base", mine).help == ("for the file beside this one write `base.yaml`",)


def test_find__a_name_of_another_kind() -> None:
    with pytest.raises(CompileError) as caught:
        find(Kind.VARIANT, shipped_houses()[0])
    assert "is a house rule" in caught.value.diagnostics[0].help[0]


def test_find__few_names_are_all_told() -> None:
    with pytest.raises(CompileError) as caught:
        find(Kind.MACHINE, "zzzzzzzz")
    assert "`melding`" in caught.value.diagnostics[0].help[0]


@pytest.mark.parametrize(
    ("reference", "path"),
    [("base", False), ("base.yaml", True), ("a/b", True), ("x.rules", True), ("two-words", False)],
)
def test_is_path(reference: str, path: bool) -> None:
    assert is_path(reference) is path


def test_misspelt_name_of_a_file_beside__is_told(tmp_path: Path) -> None:
    (tmp_path / "tabby.rules").write_text('machine tabby "x"\n', encoding="utf-8")
    named_by = Place("mine.yaml", tmp_path / "mine.yaml")
    with pytest.raises(CompileError) as caught:
        find(Kind.MACHINE, "tabbi", named_by=named_by)
    (found,) = caught.value.diagnostics
    assert found.help == ("for the file beside this one write `tabby.rules`",)
