"""A recorded deal of every game comes out as it was recorded."""

from __future__ import annotations

import pytest
from playthroughs.recording import FOLDER, golden_file, parse, tell, told_anew

from meldc.load.catalogue import shipped_variants
from meldc_runtime.game import IllegalActionError


@pytest.mark.parametrize("variant", shipped_variants())
def test_deal__comes_out_as_recorded(variant: str, update: bool) -> None:
    golden = golden_file(variant)
    if update:
        golden.write_text(told_anew(variant), encoding="utf-8")
    assert golden.exists(), f"{variant} has no recorded deal: pytest tests/playthroughs --update"
    recorded = golden.read_text(encoding="utf-8")
    try:
        told = tell(variant, parse(recorded))
    except IllegalActionError as refused:
        pytest.fail(f"an action of the recorded deal is refused now: {refused}")
    assert told == recorded


def test_recorded_deals__are_of_shipped_games(update: bool) -> None:
    others = [path for path in FOLDER.glob("*.txt") if path.stem not in shipped_variants()]
    if update:
        for path in others:
            path.unlink()
    else:
        assert not others
