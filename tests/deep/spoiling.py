"""Files spoilt in many ways: bytes, lines, words of the rule language, nesting, odd characters."""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from pathlib import Path

from meldc.compilation import compile_spec
from meldc.diagnostics import CODES, render_for_programs, render_text
from meldc.load.catalogue import Kind, shipped, shipped_variants

Spoiler = Callable[[random.Random, bytes], bytes]

ODD = (
    *(b"\n", b"  ", b'"', b"'", b"{", b"[", b": ", b"|\n", b"\xff", b"\x00", b"\t", b"- ", b"#"),
    *(b"&a ", b"*a", b"!!python/object", b"<<: ", b"%YAML 1.1\n---\n", b"...\n", b"\xef\xbb\xbf"),
    *("é".encode(), "\u2028".encode(), "\U0001f0a1".encode(), b"\r\n", b"\r", b"\x0c", b"~", b"? "),
)
WORDS = tuple(
    b"rule define remember moment action score zone phase setting table requires forbidden when "
    b"unless because then if else for each from to until of in is are and or not where by count "
    b"any all sum best first next can only hand stock pile melds players side player card meld "
    b"kind new ( ) [ ] , = != < <= > >= + - * .. . 0 1 7 99999999999 none yes no QS red becomes "
    b"gains move let go end turn deal game replace remove use otherwise exists while".split()
)
"""Words of the rule language, to be put where they do not belong."""


def spoilt(seed: int, data: bytes) -> bytes:
    """A file after one or more accidents."""
    rng = random.Random(seed)
    for _ in range(rng.choice((1, 1, 2, 4, 12))):
        data = rng.choice(SPOILERS)(rng, data)
    return data[:MOST_BYTES]


MOST_BYTES = 200_000


def _another_byte(rng: random.Random, data: bytes) -> bytes:
    at = rng.randrange(max(1, len(data)))
    return data[:at] + bytes([rng.randrange(256)]) + data[at + 1 :]


def _drop(rng: random.Random, data: bytes) -> bytes:
    at = rng.randrange(max(1, len(data)))
    return data[:at] + data[at + rng.randrange(1, 30) :]


def _double(rng: random.Random, data: bytes) -> bytes:
    at = rng.randrange(max(1, len(data)))
    return data[:at] + data[at : at + rng.randrange(1, 200)] + data[at:]


def _odd(rng: random.Random, data: bytes) -> bytes:
    at = rng.randrange(max(1, len(data)))
    return data[:at] + rng.choice(ODD) + data[at:]


def _cut_off(rng: random.Random, data: bytes) -> bytes:
    return data[: rng.randrange(max(1, len(data)))]


def _word(rng: random.Random, data: bytes) -> bytes:
    found = list(re.finditer(rb"[A-Za-z_]+|\S", data))
    if not found:
        return data
    at = rng.choice(found)
    word = rng.choice((rng.choice(WORDS), rng.choice(found).group()))
    return data[: at.start()] + word + data[at.end() :]


def _more_words(rng: random.Random, data: bytes) -> bytes:
    at = rng.randrange(max(1, len(data)))
    words = b" ".join(rng.choice(WORDS) for _ in range(rng.randrange(1, 12)))
    return data[:at] + b" " + words + b" " + data[at:]


def _line_elsewhere(rng: random.Random, data: bytes) -> bytes:
    lines = data.split(b"\n")
    line = lines.pop(rng.randrange(len(lines)))
    lines.insert(rng.randrange(len(lines) + 1), line)
    return b"\n".join(lines)


def _indented(rng: random.Random, data: bytes) -> bytes:
    lines = data.split(b"\n")
    at = rng.randrange(len(lines))
    lines[at] = rng.choice(
        (b" " + lines[at], lines[at][1:], b"    " + lines[at], lines[at].lstrip())
    )
    return b"\n".join(lines)


def _nested(rng: random.Random, data: bytes) -> bytes:
    at = rng.randrange(max(1, len(data)))
    deep = rng.choice((b"(", b"[", b"{", b"not ", b"- ", b"count(", b"if yes then ", b"{a: "))
    return data[:at] + deep * rng.choice((3, 40, 2000)) + data[at:]


SPOILERS: tuple[Spoiler, ...] = (
    *(_another_byte, _drop, _double, _odd, _cut_off, _word, _word, _more_words),
    *(_line_elsewhere, _indented, _nested),
)


def check_spoilt(seed: int, folder: Path) -> bool:
    """Compiles a game of which one file is spoilt, and renders what is found in every form.

    Whether it was refused. Raises AssertionError where a refusal has no code or no place.
    """
    rng = random.Random(seed)
    name = rng.choice(shipped_variants())
    texts = {"game.yaml": shipped(Kind.VARIANT)[name].file.read_bytes()}
    machine = re.search(rb"(?m)^machine: (\w+)", texts["game.yaml"])
    if machine:
        rules = shipped(Kind.MACHINE)[machine[1].decode()].file.read_bytes()
        texts["own.rules"] = rules
        texts["game.yaml"] = texts["game.yaml"].replace(machine[0], b"machine: own.rules")
    texts["overlay.yaml"] = shipped(Kind.HOUSE)["one-freeze"].file.read_bytes()
    victim = rng.choice(list(texts))
    for each, data in texts.items():
        (folder / each).write_bytes(spoilt(seed, data) if each == victim else data)
    houses = [str(folder / "overlay.yaml")] if victim == "overlay.yaml" else []
    compilation = compile_spec(folder / "game.yaml", houses)
    render_text(compilation.diagnostics, compilation.sources)
    for form in ("json", "sarif", "github"):
        render_for_programs(form, compilation.diagnostics, "0")
    for found in compilation.diagnostics:
        assert found.code in CODES
        assert found.primary.span is not None or not found.is_error, found.message
    errors = any(each.is_error for each in compilation.diagnostics)
    assert errors == (compilation.program is None)
    return errors
