"""Every house rule over every variant, taken or refused as the sheets have it."""

from __future__ import annotations

import pytest
from house.table import REFUSED, TOLD, VARIANTS, Refused, expected

from meldc.compilation import compile_spec
from meldc.diagnostics import Diagnostic
from meldc.load.catalogue import shipped_houses, shipped_variants

HOUSES = tuple(REFUSED)


def test_table__is_whole() -> None:
    assert set(VARIANTS) == set(shipped_variants())
    assert {house.partition("=")[0] for house in HOUSES} == set(shipped_houses())
    assert len(shipped_houses()) == 14
    assert {v for row in REFUSED.values() for v in row} | {v for v, _ in TOLD} <= set(VARIANTS)


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("house", HOUSES)
def test_pairing__is_as_the_sheets_have_it(variant: str, house: str) -> None:
    wanted = expected(variant, house)
    compilation = compile_spec(variant, [house])
    taken = wanted is None or (variant, house) in TOLD
    told = [(each.code, each.message) for each in compilation.diagnostics]
    assert (compilation.program is not None) is taken, told
    if wanted is None:
        assert not told
        return
    assert {each.code for each in compilation.diagnostics} == {wanted.code}, told
    for found in compilation.diagnostics:
        check_both_sides(found, wanted, house)


def check_both_sides(found: Diagnostic, wanted: Refused, house: str) -> None:
    labels = [label for label in (found.primary, *found.secondary) if label.span is not None]
    said = " ".join([found.message, *(label.text for label in labels)])
    files = {label.span.file for label in labels if label.span is not None}
    assert wanted.says in said
    assert any(file.endswith(f"{house.partition('=')[0]}.yaml") for file in files)
    if wanted.base:
        assert any(file.endswith(wanted.base) for file in files), files
    assert found.help
