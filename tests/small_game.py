"""A small game for tests of the compiler, and its nodes in a short form that can be compared."""

from __future__ import annotations

from dataclasses import dataclass, fields, is_dataclass
from pathlib import Path
from typing import Any

from meldc.compilation import Compilation, compile_spec
from meldc_runtime.program import Program
from meldc_runtime.program import expressions as x

MACHINE = """\
machine small "Cards are drawn, melded and left"

setting pace = slow | quick            "how it is played"
setting hand_size = 5                  "cards dealt to each hand"
setting open = no                      "whether hands lie open"

table tiers by band                    "points that are needed"
table steps by number                  "worth of so many"
table costs by card                    "what a card costs"
table sets sorts melds as sort with bonus = 0, good = yes
table bids lists bid with suit: suit, times = 1

zone stock            hidden, holds the pack
zone pile             top shown
zone hand of player   shown to owner
zone melds of side    shown
zone bonus of side    shown

phase draw begins turn                 "draw"
phase play                             "play"

remember opened of side = no each deal
remember turns of player = 0 each deal
remember out: player each deal
remember standing: bid each deal
remember led: suit each deal
remember winner: side each deal
remember noted = no each turn

define same of card = rank = top(pile).rank
define held of player = count(hand)
define points of side = sum(melds.cards by value)
define complete of meld = sort exists

moment dealt at start of deal
  then
    shuffle stock
    for each player from left(dealer)
      move hand_size from stock to hand
    go to draw for left(dealer)

action take "take"
  during draw
  then
    let before = count(hand)
    move 1 from stock to hand, but threes to bonus
    go to play

action lay(cards from hand, kind in kinds) "lay {cards} (as {kind})"
  during play
  then
    meld cards as kind
    opened becomes yes

action put(cards from hand, home in melds) "put {cards} on {home}"
  during play
  then meld cards onto home

action leave(card in hand) "leave {card}"
  during play
  then
    move card to pile
    end turn

moment turn_passes at end of turn
  then go to draw for left(player)

moment won at end of deal
  when any(sides where total >= 500)
  then end game

moment going_out
  when hand is empty
  then
    out becomes player
    end deal

score sets
  gives sum(sets by sort.bonus)
  because "sets"

score laid
  gives points
  because "cards laid"
"""

TABLES = """\
variant: mine
title: Mine
machine: ./small.rules
allow: {MC0732: much is set to be asked about}
players: 4
side_size: 2
pack: {packs: 2, jokers: 1}
cards: {wild: "2, Jkr", natural: 4..A, threes: 3}
values: {Jkr: 50, "2, A": 20, 3..K: 10}
tiers: {below 0: 15, 0: 50, 1500: 90}
steps: {1: 100, 2: 300, each more: 50}
costs: {A: 20, 2..10: number, wild: 50}
melds:
  set: {shape: same rank, cards: natural, size: 3.., naturals: 2.., wilds: ..3, how_many: one}
  run: {shape: run, cards: natural, size: 3..7, called: row}
sets:
  pure: {meld: set, size: 7.., wilds: 0, bonus: 500}
  mixed: {meld: set, size: 7.., wilds: 1.., bonus: 300, good: no}
  long: {meld: run, size: 7, bonus: 200}
bids:
  low: {suit: clubs}
  high: {suit: spades, times: 3, title: Highest}
"""


@dataclass(frozen=True)
class Small:
    """What became of the small game with further rules."""

    compilation: Compilation
    machine: str

    @property
    def codes(self) -> list[str]:
        """What was found in the variant; of the machine it lies on only the errors, since no test
        uses all that the machine declares.
        """
        return [
            each.code
            for each in self.compilation.diagnostics
            if each.is_error or each.primary.span is None or each.primary.span.file != self.machine
        ]

    @property
    def program(self) -> Program:
        found = self.compilation.program
        assert found is not None, self.compilation.diagnostics
        return found

    def named(self, group: str, name: str) -> Any:
        """A declaration of the Program."""
        return next(each for each in getattr(self.program, group) if each.name == name)

    def underlined(self) -> list[tuple[str, str]]:
        """The code of each problem, and the text that it underlines."""
        found = []
        for each in self.compilation.diagnostics:
            span = each.primary.span
            assert span is not None
            source = self.compilation.sources.get(span.file)
            assert source is not None
            end = span.end_column if span.line == span.end_line else None
            found.append((each.code, source.line(span.line)[span.column - 1 : end and end - 1]))
        return found


def compile_small(folder: Path, rules: str = "", tables: str = "") -> Small:
    """The small game with further rules and tables (which replace keys of the same name)."""
    machine = folder / "small.rules"
    machine.write_text(MACHINE, encoding="utf-8")
    given = {line.split(":")[0] for line in tables.splitlines() if line[:1].isalpha()}
    kept, skipping = [], False
    for line in TABLES.splitlines():
        if line[:1].isalpha():
            skipping = line.split(":")[0] in given
        if not skipping:
            kept.append(line)
    text = "\n".join(kept) + "\n" + tables
    if rules:
        text += "\nrules: |\n" + "".join(f"  {line}\n" for line in rules.strip("\n").split("\n"))
    (folder / "mine.yaml").write_text(text, encoding="utf-8")
    return Small(compile_spec(folder / "mine.yaml"), str(machine))


def show(node: Any) -> str:
    """A node in short."""
    match node:
        case None:
            return "-"
        case tuple():
            return "[" + ", ".join(map(show, node)) + "]"
        case x.Const(value, kind):
            return str(value) if kind in ("number", "none") else f"{value}:{kind}"
        case x.Var(name):
            return name
        case x.SettingValue(name):
            return f"@{name}"
        case x.Compare(sign, left, right, cards):
            return f"({show(left)} {sign} {show(right)}{' of cards' if cards else ''})"
        case x.Arith(sign, left, right):
            return f"({show(left)} {sign} {show(right)})"
        case x.And(operands):
            return "(" + " and ".join(map(show, operands)) + ")"
        case x.Or(operands):
            return "(" + " or ".join(map(show, operands)) + ")"
        case x.Not(operand):
            return f"not {show(operand)}"
        case x.Apply(name, arguments):
            return f"{name}({', '.join(map(show, arguments))})"
        case x.CardAttr(of, attr) | x.MeldAttr(of, attr):
            return f"{show(of)}.{attr}"
        case x.ZoneCards(zone, owner, many):
            return f"{zone}{'*' if many else ''}" + ("" if owner is None else f"({show(owner)})")
        case x.Remembered(memory, owner):
            return memory + ("" if owner is None else f"({show(owner)})")
        case _ if is_dataclass(node):
            parts = [getattr(node, each.name) for each in fields(node)]
            shown = [show(part) for part in parts if part not in (None, "", False, ())]
            return f"{type(node).__name__}({', '.join(shown)})"
        case _:
            return str(node)
