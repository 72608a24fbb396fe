"""Golden files: one short deal of each game, recorded and played again."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from playthroughs.telling import changes, ending, options, seen_by, told_to
from properties.choosing import Chooser

import meldc
from meldc_runtime import legality, machine
from meldc_runtime.actions import text as action_text
from meldc_runtime.game import Game, IllegalActionError

FOLDER = Path(__file__).parent
SEEDS = 50
ACTIONS = 60
"""A deal is cut here."""

_FIELD = re.compile(r"(game|players|seed): (.+)")
_STEP = re.compile(r"\d+ P\d+ (.+)")


@dataclass(frozen=True, slots=True)
class Playthrough:
    """A deal by its seed and the texts of its actions."""

    seed: int
    texts: tuple[str, ...]


def golden_file(variant: str) -> Path:
    return FOLDER / f"{variant}.txt"


@cache
def game(variant: str) -> Game:
    return meldc.load(variant)


def record(variant: str) -> Playthrough:
    """Of the deals of the first seeds the one in which most different things happen; of several
    one that comes to its end, then the shortest.
    """
    found = [_played(game(variant), seed, ACTIONS) for seed in range(1, SEEDS + 1)]
    return max(found, key=lambda each: each[0])[1]


def told_anew(variant: str) -> str:
    """The golden file as it should be: of the deal in it while that can be played, else of
    another.
    """
    golden = golden_file(variant)
    if golden.exists():
        try:
            return tell(variant, parse(golden.read_text(encoding="utf-8")))
        except (KeyError, IllegalActionError):
            pass
    return tell(variant, record(variant))


def _played(game: Game, seed: int, most: int) -> tuple[tuple[int, bool, int], Playthrough]:
    state, chooser = game.deal(seed).state, Chooser(game, seed, laying=True)
    texts: list[str] = []
    made: set[int] = set()
    while not state.over and len(texts) < most:
        play = chooser.choose(legality.legal_plays(state))
        texts.append(action_text(state, play))
        made.add(play.action)
        machine.apply(state, play)
    return (len(made), state.over, -len(texts)), Playthrough(seed, tuple(texts))


def parse(text: str) -> Playthrough:
    """The deal in a golden file. Raises KeyError where it has no seed."""
    fields = dict(match.groups() for line in text.splitlines() if (match := _FIELD.match(line)))
    steps = [match[1] for line in text.splitlines() if (match := _STEP.fullmatch(line))]
    return Playthrough(int(fields["seed"]), tuple(steps))


def tell(variant: str, played: Playthrough) -> str:
    """The golden file of a deal. Raises IllegalActionError where the game refuses an action."""
    seated = game(variant)
    table = seated.table
    position = seated.deal(played.seed)
    lines = [
        f"# {seated.title}: a deal played at random, as every player sees it. Recorded by",
        "# `pytest tests/playthroughs --update`; the tests play it again and compare.",
        f"game: {variant}",
        f"players: {table.players}, in sides of {table.side_size}",
        f"seed: {played.seed}",
        "",
        "the deal",
    ]
    seen: dict[str, dict[str, object]] = {player: {} for player in seated.players}
    for number, text in enumerate((None, *played.texts)):
        if text is not None:
            lines += ["", f"{number} {position.to_act} {text}"]
            position.apply(text)
        now = {player: seen_by(position, player) for player in seated.players}
        lines += told_to({player: changes(seen[player], now[player]) for player in seated.players})
        seen = now
        if not position.is_over:
            lines.append(options(position))
    lines += ["", "the end", *ending(position)] if position.is_over else ["", "cut here"]
    return "\n".join(lines) + "\n"
