"""The legal actions as a numbered list that fits the screen."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from itertools import groupby

from meldc.cli.play.screen import Screen
from meldc_runtime.game import Action
from meldc_runtime.program.declarations import Action as Declared
from meldc_runtime.state import Play

MOST_LINES = 10
FEW = 8
"""So many ways to do a thing are always listed one by one."""
_OPTIONAL = re.compile(r" *\([^)]*\)")
_CHOICE = re.compile(r"\{\w+\}")


def options(
    screen: Screen, plays: Sequence[Play], actions: Sequence[Action], in_full: bool = False
) -> list[str]:
    """The actions with their numbers, in columns; where they are too many, those with most ways to
    do them in one line each, with an example.
    """
    entries = [f"{number} {screen.text(str(action))}" for number, action in enumerate(actions, 1)]
    groups = [list(group) for _, group in groupby(range(len(plays)), lambda at: plays[at].action)]
    told = set() if in_full else {place for place, group in enumerate(groups) if len(group) > FEW}
    summed: set[int] = set()
    while True:
        lines = _lines(screen, plays, entries, groups, summed)
        left = told - summed
        if len(lines) <= MOST_LINES or not left:
            break
        summed.add(max(left, key=lambda place: len(groups[place])))
    return [*lines, f"  `list` shows all {len(entries)}"] if summed else lines


def _lines(
    screen: Screen,
    plays: Sequence[Play],
    entries: Sequence[str],
    groups: Sequence[Sequence[int]],
    summed: Collection[int],
) -> list[str]:
    """The groups in their order: those to be summed up in a line each, others in columns."""
    lines: list[str] = []
    for short, several in groupby(enumerate(groups), lambda each: each[0] in summed):
        if short:
            for _, group in several:
                lines += _sum(screen, plays, entries, group)
        else:
            lines += _columns(screen, [entries[at] for _, group in several for at in group])
    return lines


def _sum(
    screen: Screen, plays: Sequence[Play], entries: Sequence[str], group: Sequence[int]
) -> list[str]:
    action = screen.game.program.actions[plays[group[0]].action]
    said = _with_sizes(action, [plays[place] for place in group])
    example = entries[group[0]].partition(" ")[2]
    text = f"{said}: {len(group)} ways, for example {example}"
    return screen.wrapped(f"  {group[0] + 1} to {group[-1] + 1} ", text)


def _with_sizes(action: Declared, plays: Sequence[Play]) -> str:
    """The text of an action with how many cards there are to be chosen."""
    text = _OPTIONAL.sub("", action.text)
    for place, param in enumerate(action.params):
        if param.type == "card":
            text = text.replace(f"{{{param.name}}}", "1 card")
        elif param.type == "cards":
            sizes = {len(play.args[place]) for play in plays}
            fewest, most = min(sizes), max(sizes)
            count = f"{fewest}" if fewest == most else f"{fewest} to {most}"
            text = text.replace(f"{{{param.name}}}", f"{count} card{'s' * (most != 1)}")
    return _CHOICE.sub("...", text)


def _columns(screen: Screen, entries: Sequence[str]) -> list[str]:
    """Entries side by side, counted down the columns."""
    if not entries:
        return []
    width = max(map(len, entries)) + 2
    columns = max(1, (screen.width - 2) // width)
    rows = -(-len(entries) // columns)
    lines = []
    for row in range(rows):
        cells = [entries[place] for place in range(row, len(entries), rows)]
        lines += screen.wrapped("  ", "".join(cell.ljust(width) for cell in cells))
    return lines
