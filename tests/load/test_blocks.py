"""Rules below a key without a bar: the bar is what is told, not what YAML makes of them."""

from __future__ import annotations

from pathlib import Path

import pytest

from meldc.compilation import compile_spec

HEAD = "variant: mine\ntitle: Mine\nextends: classic\n"
RULE = '  rule a\n    discard forbidden when card = QS\n    because "queen{} stays"\n'


@pytest.mark.parametrize("colon", ["", ":"])
@pytest.mark.parametrize("key", ["rules:", "rules:  # of our own"])
def test_rules_without_a_bar__are_told_so(tmp_path: Path, key: str, colon: str) -> None:
    path = tmp_path / "mine.yaml"
    path.write_text(f"{HEAD}{key}\n{RULE.format(colon)}", encoding="utf-8")
    (found,) = compile_spec(path).diagnostics
    assert (found.code, found.primary.span and found.primary.span.line) == ("MC0128", 4)
    assert "`rules: |`" in found.help[0]
    assert found.fix is not None
    assert found.fix.edits[0].text == " |"


def test_rules_that_run_together__are_told_where_they_begin(tmp_path: Path) -> None:
    path = tmp_path / "mine.yaml"
    path.write_text(f"{HEAD}rules: {RULE.format('').lstrip()}", encoding="utf-8")
    (found,) = compile_spec(path).diagnostics
    assert found.code == "MC0128"
    assert "`rules: |`" in found.help[0]


def test_rules_of_one_declaration__need_no_bar(tmp_path: Path) -> None:
    path = tmp_path / "mine.yaml"
    path.write_text(f"{HEAD}rules:\n  remember a = 0\n  each deal\n", encoding="utf-8")
    assert "MC0128" not in [each.code for each in compile_spec(path).diagnostics]
