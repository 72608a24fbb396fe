"""Specs and overlays drawn by mutation of the shipped ones, and what must hold of each of them.

An accepted one compiles and plays; a refused one has a code and a place for each error.
"""

from __future__ import annotations

import random
import re
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from types import FrameType
from typing import NoReturn

from meldc.compilation import Compilation, compile_spec
from meldc.diagnostics import CODES, render_text
from meldc.load.catalogue import Kind, shipped, shipped_houses, shipped_variants
from meldc_runtime import legality, machine
from meldc_runtime.game import Game
from meldc_runtime.program import Program, dump
from meldc_runtime.program import load as load_program
from meldc_runtime.randomness import Random

SLOW = ("american", "american-league", "rummy-5000")
CHOICES = {"deal-size": ("13", "15", "by-players"), "canasta-cards-count": ("yes", "no")}
SETTINGS = (
    *("hand_size", "draws", "out_bonus", "target", "canastas_to_go_out", "concealed_bonus"),
    *("pile_frozen", "pile_pair", "pile_onto", "pile_in_opening", "stock_used_up", "forced_take"),
    *("last_discard", "asking", "canasta_cards", "concealed_opens", "foot_size", "trumping"),
)
WORDS = (
    *("always", "by_a_wild_card", "natural", "mixed", "any_meld", "no_meld", "unfinished_meld"),
    *("counts", "after", "never", "play_goes_on", "deal_ends", "pile_turned_over", "fits_meld"),
    *("needed", "optional", "yes", "no", "one", "many", "one unfinished", "same rank", "run"),
)
MOST_DECISIONS = 3000


class DeadEndError(Exception):
    """A player has no legal action: the rules are at fault, and only play shows it."""


class TooSlowError(Exception):
    """A deal took longer than it is given."""


@dataclass(frozen=True)
class Drawn:
    """A mutated game: the text of the variant, the house rules laid over it, and other files that
    it names, with their texts.
    """

    name: str
    text: str
    houses: tuple[str, ...]
    files: tuple[tuple[str, str], ...] = ()


def draw(seed: int, *, slow: bool = False) -> Drawn:
    """The game of a seed."""
    rng = random.Random(seed)
    names = [name for name in shipped_variants() if slow or name not in SLOW]
    name = rng.choice(names)
    text = shipped(Kind.VARIANT)[name].file.read_text(encoding="utf-8")
    text = re.sub(r"(?m)^variant: .*$", "variant: mine", text)
    files: list[tuple[str, str]] = []
    machine_named = re.search(r"(?m)^machine: (\w+)", text)
    if machine_named and rng.random() < 0.5:
        rules = shipped(Kind.MACHINE)[machine_named[1]].file.read_text(encoding="utf-8")
        rules = rules.replace(f"machine {machine_named[1]}", "machine mine", 1)
        files.append(("mine.rules", _mutated(rng, rules)))
        text = text.replace(machine_named[0], "machine: mine.rules", 1)
    else:
        text = _mutated(rng, text)
    houses = [_with_choice(rng, house) for house in rng.sample(shipped_houses(), rng.choice(_LAID))]
    if rng.random() < 0.3:
        place = shipped(Kind.HOUSE)[rng.choice(shipped_houses())]
        overlay = _mutated(rng, place.file.read_text(encoding="utf-8"))
        files.append(("overlay.yaml", re.sub(r"(?m)^house: .*$", "house: overlay", overlay)))
        houses.append("overlay.yaml")
    return Drawn(name, text, tuple(houses), tuple(files))


_LAID = (0, 0, 1, 2)


def _mutated(rng: random.Random, text: str) -> str:
    for _ in range(rng.choice((0, 1, 1, 1, 2, 3))):
        text = rng.choice(MUTATIONS)(rng, text)
    return text


def _with_choice(rng: random.Random, house: str) -> str:
    return f"{house}={rng.choice(CHOICES[house])}" if house in CHOICES else house


def _another_number(rng: random.Random, text: str) -> str:
    found = list(re.finditer(r"(?<![\w-])\d+(?![\w-])", text))
    if not found:
        return text
    at = rng.choice(found)
    old = int(at.group())
    new = rng.choice((0, 1, old + 1, old - 1, old * 2, old // 2, rng.randint(0, 20), -old, 10**6))
    return text[: at.start()] + str(new) + text[at.end() :]


def _drop_line(rng: random.Random, text: str) -> str:
    lines = text.split("\n")
    del lines[rng.randrange(len(lines))]
    return "\n".join(lines)


def _drop_cell(rng: random.Random, text: str) -> str:
    found = list(re.finditer(r"\w+: [^,{}\n]+, ", text))
    if not found:
        return text
    at = rng.choice(found)
    return text[: at.start()] + text[at.end() :]


def _swap_name(rng: random.Random, text: str) -> str:
    found = list(re.finditer(r"\b[a-z_]{3,}\b", text))
    at, other = rng.choice(found), rng.choice(found)
    return text[: at.start()] + other.group() + text[at.end() :]


def _another_range(rng: random.Random, text: str) -> str:
    found = list(re.finditer(r"\d*\.\.\d*", text))
    if not found:
        return text
    at = rng.choice(found)
    low = rng.choice(("", str(rng.randint(0, 9))))
    high = rng.choice(("", str(rng.randint(1, 14))))
    return text[: at.start()] + f"{low}..{high}" + text[at.end() :]


def _add_setting(rng: random.Random, text: str) -> str:
    value = rng.choice((str(rng.randint(0, 20)), rng.choice(WORDS)))
    lines = text.split("\n")
    lines.insert(2, f"{rng.choice(SETTINGS)}: {value}")
    return "\n".join(lines)


def _another_word(rng: random.Random, text: str) -> str:
    found = [at for word in WORDS for at in re.finditer(rf"\b{re.escape(word)}\b", text)]
    if not found:
        return text
    at = rng.choice(found)
    return text[: at.start()] + rng.choice(WORDS) + text[at.end() :]


MUTATIONS = (
    *(_another_number, _another_number, _drop_line, _drop_cell, _swap_name, _another_range),
    *(_add_setting, _another_word),
)


# ---- what must hold ----------------------------------------------------------------------------


def check(drawn: Drawn, folder: Path, deals: int, seconds: float = 20.0) -> str:
    """What became of a game: `refused`, `plays`, `slow` or `dead end`.

    Raises AssertionError where it is not as it must be, and whatever playing raises.
    """
    path = folder / "mine.yaml"
    path.write_text(drawn.text, encoding="utf-8")
    for name, text in drawn.files:
        (folder / name).write_text(text, encoding="utf-8")
    houses = [str(folder / each) if each == "overlay.yaml" else each for each in drawn.houses]
    compilation = compile_spec(path, houses)
    render_text(compilation.diagnostics, compilation.sources)
    for found in compilation.diagnostics:
        assert found.code in CODES
        assert found.primary.span is not None, f"{found.code} has no place: {found.message}"
    if compilation.program is None:
        assert any(each.is_error for each in compilation.diagnostics)
        return "refused"
    return _plays(compilation, deals, seconds)


def _plays(compilation: Compilation, deals: int, seconds: float) -> str:
    assert compilation.program is not None
    program = load_program(dump(compilation.program))
    assert program == compilation.program
    try:
        with at_most(seconds):
            for number in range(deals):
                _play(program, number)
    except TooSlowError:
        return "slow"
    except DeadEndError:
        return "dead end"
    return "plays"


def _play(program: Program, number: int) -> None:
    players = (min(program.players), max(program.players))[number % 2]
    game = Game(program, players)
    choice = Random.of(number, "mutation")
    state = machine.start_game(game.table, number)
    for _ in range(MOST_DECISIONS):
        if state.over:
            return
        plays = legality.legal_plays(state)
        if not plays:
            raise DeadEndError(f"deal {number}")
        machine.apply(state, plays[choice.below(len(plays))])
    raise AssertionError(f"a deal goes on after {MOST_DECISIONS} decisions")


@contextmanager
def at_most(seconds: float) -> Iterator[None]:
    """Within, `TooSlowError` is raised after so many seconds of the processor."""

    def stop(number: int, frame: FrameType | None) -> NoReturn:
        raise TooSlowError

    before = signal.signal(signal.SIGVTALRM, stop)
    signal.setitimer(signal.ITIMER_VIRTUAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)
