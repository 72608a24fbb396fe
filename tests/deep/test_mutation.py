"""What `check` accepts runs; what it refuses has a code and a place; no bytes make it raise."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from deep.mutation import check, draw

from meldc.compilation import compile_spec
from meldc.diagnostics import render_text
from meldc.load.catalogue import Kind, shipped

SEEDS = range(36)
"""A few games of the many that `python3 tests/deep/long.py` draws."""


@pytest.mark.parametrize("seed", SEEDS)
def test_mutated_game__plays_or_is_refused(seed: int, tmp_path: Path) -> None:
    assert check(draw(seed), tmp_path, deals=1, seconds=10) in ("refused", "plays", "slow")


def test_seed__decides_the_game() -> None:
    assert draw(7) == draw(7)
    assert len({draw(seed).text for seed in range(40)}) > 20


def spoilt(seed: int, data: bytes) -> bytes:
    """Bytes exchanged, dropped, doubled, or cut off."""
    rng = random.Random(seed)
    changed = bytearray(data)
    for _ in range(rng.choice((1, 1, 2, 5, 40))):
        at = rng.randrange(max(1, len(changed)))
        match rng.randrange(5):
            case 0:
                changed[at : at + 1] = bytes([rng.randrange(256)])
            case 1:
                del changed[at : at + rng.randrange(1, 30)]
            case 2:
                changed[at:at] = changed[at : at + rng.randrange(1, 60)]
            case 3:
                changed[at:at] = rng.choice(
                    (b"\n", b"  ", b'"', b"{", b"[", b": ", b"|\n", b"\xff")
                )
            case _:
                del changed[at:]
    return bytes(changed)


@pytest.mark.parametrize("seed", range(60))
def test_spoilt_bytes__give_diagnostics(seed: int, tmp_path: Path) -> None:
    """Of a variant, a house rule and a machine, through the whole compiler."""
    variant = shipped(Kind.VARIANT)["classic"].file.read_bytes()
    house = shipped(Kind.HOUSE)["one-freeze"].file.read_bytes()
    machine = shipped(Kind.MACHINE)["canasta"].file.read_bytes()
    own = variant.replace(b"machine: canasta", b"machine: canasta.rules")
    texts = {"classic.yaml": own, "one-freeze.yaml": house, "canasta.rules": machine}
    victim = list(texts)[seed % 3]
    for name, data in texts.items():
        (tmp_path / name).write_bytes(spoilt(seed, data) if name == victim else data)
    compilation = compile_spec(tmp_path / "classic.yaml", [str(tmp_path / "one-freeze.yaml")])
    render_text(compilation.diagnostics, compilation.sources)
    assert compilation.program is not None or any(e.is_error for e in compilation.diagnostics)
