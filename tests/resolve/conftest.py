"""A small family of games in a folder of its own, and a way to resolve what lies there."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from meldc.diagnostics import Diagnostic
from meldc.resolve import Resolved, resolve

MACHINE = """\
machine sets "Sets are laid from the hand"
use piece

setting hand_size = 7                 "cards dealt to each hand"
setting last = free | needed          "the last discard"
setting doubled = no                  "whether all counts twice"

table tiers by band                   "points that are needed"
table steps by number                 "worth of so many"
table sorted sorts melds as sort with bonus = 0, malus = 0

zone stock hidden, holds the pack
zone hand of player shown to owner
zone melds of side shown
phase play begins turn "play"
remember out: player each deal
define big of card = rank = K

action lay(cards from hand, kind in kinds) "lay {cards}"
  during play
  then meld cards as kind

action leave(card in hand) "leave {card}"
  during play
  then end turn

moment going_out
  when hand is empty
  then end deal

moment noted after lay, leave
  then out becomes player

moment lay_noted after lay
  then out becomes player

rule few
  lay requires count(cards) > 1
  because "one is not enough"

rule all_at_once
  lay, leave forbidden when doubled
  because "not now"

score laid
  gives sum(melds.cards by value)
  because "cards laid"
"""

PIECE = """\
part piece "deals follow each other"
setting target = 500 "points that end the game"
rule end_in_sight
  end of turn forbidden when target = 0
  because "there is no end"
"""

BASE = """\
variant: base
title: Base
machine: sets.rules
players: 2..4
side_size: 1
pack: {packs: 1, jokers: 2}
cards:
  wild: 2, Jkr
  plain: 3..A
values:
  Jkr: 50
  2, A: 20
  3..K: 5
melds:
  set: {shape: same rank, cards: plain, size: 3.., wilds: ..2}
  run: {shape: run, cards: plain, size: 3..}
sorted:
  clean: {meld: set, wilds: 0, bonus: 100}
  long: {meld: run, size: 7.., bonus: 200}
  any_big: {meld: [set, run], size: 7.., bonus: 50}
tiers: {below 0: 15, 0: 50, 500: 90}
steps: {1: 10, 2: 30, each more: 5}
"""

Lay = Callable[..., tuple[Resolved | None, list[Diagnostic]]]


@pytest.fixture
def lay(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Lay:
    """Resolve `mine.yaml` with this text (or base.yaml) with house rules and other files."""
    monkeypatch.chdir(tmp_path)

    def write(name: str, text: str) -> None:
        (tmp_path / name).write_text(text, encoding="utf-8")

    def lay_them(
        mine: str | None = None, houses: Sequence[str] = (), **files: str
    ) -> tuple[Resolved | None, list[Diagnostic]]:
        for name, text in (("sets.rules", MACHINE), ("piece.rules", PIECE), ("base.yaml", BASE)):
            write(name, text)
        for name, text in files.items():
            write(f"{name}.yaml", f"house: {name}\ntitle: A house rule\nmachine: sets\n{text}")
        if mine is not None:
            head = "variant: mine\ntitle: Mine\n"
            write("mine.yaml", mine if mine.startswith("variant:") else head + mine)
        model, found, _ = resolve("mine.yaml" if mine is not None else "base.yaml", houses)
        return model, found

    return lay_them


@pytest.fixture
def accepted(lay: Lay) -> Callable[..., Resolved]:
    """The same where nothing at all may be found."""

    def lay_them(*arguments: object, **files: str) -> Resolved:
        model, found = lay(*arguments, **files)
        assert not found, [each.message for each in found]
        assert model is not None
        return model

    return lay_them


@pytest.fixture
def refused(lay: Lay) -> Callable[..., Diagnostic]:
    """The same where exactly one error must be found."""

    def lay_them(*arguments: object, **files: str) -> Diagnostic:
        _, found = lay(*arguments, **files)
        assert len(found) == 1, [(each.code, each.message) for each in found]
        return found[0]

    return lay_them
