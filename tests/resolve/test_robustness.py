"""No text and no argument makes the pass raise, and its result never depends on chance."""

from __future__ import annotations

import re
from pathlib import Path

from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from meldc.diagnostics import Diagnostic, render_text
from meldc.resolve import resolve

from .conftest import BASE, MACHINE, PIECE

HOUSE = """\
house: mine
title: Mine
machine: sets
needs: {last = free: "no"}
choices: {few: 3, many: 5}
hand_size: choice
melds: {set: {size: choice..9}}
remove: [melds.run, rule few]
rules: |
  replace define big of card = rank = Q
"""
WORDS = sorted(set(re.findall(r"[a-z_]+|\d+|[^\sa-z0-9_]", BASE + MACHINE + HOUSE)))
LINES = [*BASE.splitlines(), *(f"  {line}" for line in MACHINE.splitlines()), *HOUSE.splitlines()]


@st.composite
def mangled(draw: st.DrawFn, text: str) -> str:
    """A text with words exchanged and lines added, dropped or moved."""
    for _ in range(draw(st.integers(1, 3))):
        parts = re.split(r"(\s+)", text)
        at = draw(st.integers(0, len(parts) - 1))
        if draw(st.booleans()) and parts[at].strip():
            parts[at] = draw(st.sampled_from(WORDS))
            text = "".join(parts)
        else:
            lines = text.splitlines()
            line = draw(st.integers(0, len(lines) - 1))
            lines[line : line + draw(st.integers(0, 2))] = [draw(st.sampled_from(LINES))]
            text = "\n".join(lines) + "\n"
    return text


def found_in(folder: Path, base: str, house: str, *houses: str) -> list[Diagnostic]:
    (folder / "sets.rules").write_text(MACHINE)
    (folder / "piece.rules").write_text(PIECE)
    (folder / "base.yaml").write_text(base)
    (folder / "house.yaml").write_text(house)
    model, found, sources = resolve(folder / "base.yaml", [str(folder / "house.yaml"), *houses])
    render_text(found, sources)
    if model is not None:
        model.provenance()
    assert found == resolve(folder / "base.yaml", [str(folder / "house.yaml"), *houses])[1]
    return found


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(base=mangled(BASE), house=mangled(HOUSE))
def test_mangled_files__never_raise(tmp_path: Path, base: str, house: str) -> None:
    found_in(tmp_path, base, house)


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(argument=st.text(st.sampled_from("abdst_-.=/ 1,[]{}\n\tQ"), max_size=12))
@example("=")
@example("a..b=3")
@example("pack=3")
@example("melds.set=3")
@example("melds.set.size.x=3")
@example("replace tiers=3")
@example("rules=x")
@example("variant=3")
@example("values.2, A=3")
def test_arguments__never_raise(tmp_path: Path, argument: str) -> None:
    found_in(tmp_path, BASE, HOUSE, argument)
