"""Fixes that are certain are applied and hold; what is uncertain is left alone."""

from __future__ import annotations

from pathlib import Path

import pytest

from meldc.fixing import repair

HEAD = "variant: mine\ntitle: Mine\nextends: classic\n"
RULE = 'rules: |\n  rule odd\n    {}\n    because "odd"\n'

CERTAIN = [  # (faulty, mended)
    ("hand_sise: 13\n", "hand_size: 13\n"),
    ("hand-sise: 13\n", "hand_size: 13\n"),
    ("pile_frozen: alwais\n", "pile_frozen: always\n"),
    ("melds:\n  sett: {size: 3..8}\n", "melds:\n  set: {size: 3..8}\n"),
    ("melds:\n  set: {sise: 3..8}\n", "melds:\n  set: {size: 3..8}\n"),
    ("canastas:\n  natural: {bonsu: 600}\n", "canastas:\n  natural: {bonus: 600}\n"),
    ("target: 5000\n", ""),
    ("hand_size: 13\nhand_size: 13\n", "hand_size: 13\n"),
    ("concealed_bonus: 200\nremove: [score for_concealment]\n",
     "remove: [score for_concealment]\n"),
    ("opening_points:\n  4000: 130\n  4500: 130\n  4900: 150\n",
     "opening_points:\n  4000: 130\n  4900: 150\n"),
    ("remove: [rule natural_neded]\n", "remove: [rule natural_needed]\n"),
    (RULE.format("discard forbids card is wild"),
     RULE.format("discard forbidden when card is wild")),
    (RULE.format("discard require card is wild"), RULE.format("discard requires card is wild")),
    (RULE.format("discard forbidden if card is wild"),
     RULE.format("discard forbidden when card is wild")),
    (RULE.format("discard forbidden when count(hand) == 7"),
     RULE.format("discard forbidden when count(hand) = 7")),
    (RULE.format("discard forbidden when card is wild && count(hand) >= 3"),
     RULE.format("discard forbidden when card is wild and count(hand) >= 3")),
    (RULE.format("discrd forbidden when card is wild"),
     RULE.format("discard forbidden when card is wild")),
    (RULE.format("discard forbidden when card is wildd"),
     RULE.format("discard forbidden when card is wild")),
    (RULE.format("discard forbidden when count(hnd) = 3"),
     RULE.format("discard forbidden when count(hand) = 3")),
]  # fmt: skip

UNCERTAIN = [
    "hand_sise: 13\nxyzzy: 3\nqwerty: 4\n",  # only the first has a near name
    "hand_size: 13\nhand_size: 15\n",
    "melds:\n  quite_new: {size: 3..8}\n",
    RULE.format("discard forbidden when zzzzzz"),
    RULE.format("discard forbids\n    when card is wild"),
]


def mended(tmp_path: Path, text: str) -> tuple[str, list[str]]:
    path = tmp_path / "mine.yaml"
    path.write_text(HEAD + text, encoding="utf-8")
    result = repair(str(path), ())
    left = [each.code for each in result.left.diagnostics if each.is_error]
    assert path.read_text(encoding="utf-8") == HEAD + text  # nothing is written here
    return result.after.get(str(path), HEAD + text).removeprefix(HEAD), left


@pytest.mark.parametrize(("faulty", "wanted"), CERTAIN)
def test_certain__is_mended(tmp_path: Path, faulty: str, wanted: str) -> None:
    text, left = mended(tmp_path, faulty)
    assert text == wanted
    assert not left


@pytest.mark.parametrize("faulty", UNCERTAIN)
def test_uncertain__stays(tmp_path: Path, faulty: str) -> None:
    text, left = mended(tmp_path, faulty)
    assert text == faulty.replace("hand_sise", "hand_size")
    assert left


def test_base_that_is_misspelt__is_mended_first(tmp_path: Path) -> None:
    path = tmp_path / "mine.yaml"
    path.write_text("variant: mine\ntitle: Mine\nextends: clasic\nhand_sise: 13\n", "utf-8")
    result = repair(str(path), ())
    assert result.left.program is not None
    assert result.after[str(path)].endswith("extends: classic\nhand_size: 13\n")
    assert [each.code for each in result.done] == ["MC0103", "MC0401"]


def test_shipped_files__are_never_touched(tmp_path: Path) -> None:
    result = repair("classic", ["three-wilds-any"])
    assert not result.after


@pytest.mark.parametrize(("faulty", "wanted"), CERTAIN)
def test_mended__once_and_for_all_around_comments(tmp_path: Path, faulty: str, wanted: str) -> None:
    noted = f"# our club's game\n\n{faulty}# that is all\n"
    once, _ = mended(tmp_path, noted)
    assert once == f"# our club's game\n\n{wanted}# that is all\n"
    twice, _ = mended(tmp_path, once)
    assert twice == once
