"""A deal told as every player sees it: short enough to be read, whole enough to be compared."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

from meldc_runtime.game import Position

Seen = dict[str, Any]
"""What one player sees, by what it is: a text, or the cards of a zone (a tuple of texts)."""

MOST_CHANGED = 6
"""Cards that come and go are told one by one up to so many, else what lies there then."""


def seen_by(position: Position, player: str) -> Seen:
    """A view, a line for each thing; what the table remembers only where it is something."""
    view = position.view(player)
    seen: Seen = {}
    zones, memories = position.game.table.zones, position.game.table.memories
    for zone in view["zones"]:
        if zones[zone["name"]].visibility != "owner":
            seen[_label(zone)] = _zone(zone)
            continue
        seen[_label(zone)] = str(zone["count"])
        if "cards" in zone:
            seen[f"own {zone['name']}"] = _zone(zone)
    for side, melds in view["melds"].items():
        seen[f"melds of {side}"] = "  ".join(map(_meld, melds)) or "none"
    for memory in view["memory"]:
        told = _remembered(memory["value"], memories[memory["name"]].initial is not None)
        if told:
            seen[_label(memory)] = told
    return seen


def _remembered(value: Any, has_first: bool) -> str:
    """A memory told; empty for nothing, and for no and 0 where it begins with a value."""
    if value is None or (has_first and value in (False, 0)):
        return ""
    return {True: "yes", False: "no"}.get(value, "") if isinstance(value, bool) else str(value)


def _label(thing: Mapping[str, Any]) -> str:
    name = thing["name"].replace("_", " ")
    return name if thing["owner"] is None else f"{name} of {thing['owner']}"


def _zone(zone: Mapping[str, Any]) -> str | tuple[str, ...]:
    if "cards" in zone:
        layers = zone.get("laid_by", [None] * len(zone["cards"]))
        return tuple(
            card if layer is None else f"{card} ({layer})"
            for card, layer in zip(zone["cards"], layers, strict=True)
        )
    if zone.get("top"):
        return f"{zone['top']} on top, {zone['count']}"
    return str(zone["count"])


def _meld(meld: Mapping[str, Any]) -> str:
    rows = "".join(f" {row}" for row in meld["rows"].values() if row is not None)
    return f"{meld['name']}: {' '.join(meld['cards'])}{rows}"


def changes(before: Seen, after: Seen) -> list[str]:
    """What has become different in a view."""
    told = [
        f"{label} {_change(before.get(label), value)}"
        for label, value in after.items()
        if before.get(label) != value
    ]
    return told + [f"{label} no more" for label in before if label not in after]


def _change(before: Any, after: Any) -> str:
    if not isinstance(after, tuple):
        return str(after)
    if isinstance(before, tuple):
        gone, come = Counter(before) - Counter(after), Counter(after) - Counter(before)
        told = [f"-{card}" for card in gone.elements()] + [f"+{card}" for card in come.elements()]
        if 0 < len(told) <= MOST_CHANGED:
            return " ".join(told)
    return " ".join(after) or "empty"


def told_to(told: Mapping[str, list[str]]) -> list[str]:
    """Lines for the players by what they are told: what is told to the same players stands in one
    line.
    """
    watchers: dict[str, list[str]] = {}
    for player, items in told.items():
        for item in items:
            watchers.setdefault(item, []).append(player)
    lines: dict[str, list[str]] = {}
    for item, players in watchers.items():
        who = "all" if len(players) == len(told) else " ".join(players)
        lines.setdefault(who, []).append(item)
    ordered = sorted(lines, key=lambda who: (who != "all", who.count(" ") == 0, who))
    return [f"   {who} {_verb(who)}: {'; '.join(lines[who])}" for who in ordered]


def _verb(who: str) -> str:
    return "see" if who == "all" or " " in who else "sees"


def options(position: Position) -> str:
    """The legal actions, those of one word together."""
    by_word: dict[str, list[str]] = {}
    for action in position.legal_actions():
        word, _, rest = str(action).partition(" ")
        by_word.setdefault(word, []).append(rest)
    told = "; ".join(f"{word} {', '.join(rest)}".strip() for word, rest in by_word.items())
    return f"   {position.to_act}, {position.phase}: {told}"


def ending(position: Position) -> list[str]:
    """The scores of a deal, line by line."""
    lines: dict[str, list[str]] = {}
    for entry in position.sheet:
        lines.setdefault(entry["line"], []).append(f"{entry['side']} {entry['points']}")
    told = [f"   {line.replace('_', ' ')}: {', '.join(points)}" for line, points in lines.items()]
    for title, points in (("scores", position.scores), ("totals", position.totals)):
        told.append(f"{title}: {', '.join(f'{side} {n}' for side, n in points.items())}")
    return told
