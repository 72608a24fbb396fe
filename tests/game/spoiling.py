"""Saved programs spoilt at random: numbers, words, nodes."""

from __future__ import annotations

import copy
from collections.abc import Iterator
from random import Random
from typing import Any

NUMBERS = (0, 1, -1, 2, 5, 100, 10**6, 10**9, -(10**9), 10**30, True)
WORDS = (
    "",
    "number",
    "card",
    "cards",
    "player",
    "side",
    "yes_no",
    "meld",
    "rank",
    "list:list:card",
)
DEEP = (1, 5, 60, 300)

Place = tuple[Any, Any]
"""A map or list, and the key or number of something in it."""


def spoilt(plain: dict[str, Any], random: Random) -> dict[str, Any]:
    """A copy of a saved program in which one to three things are others."""
    data = copy.deepcopy(plain)
    for _ in range(random.choice((1, 1, 1, 2, 3))):
        places = list(_places(data))
        _spoil(random.choice(places), places, random)
    return data


def _places(value: Any) -> Iterator[Place]:
    pairs: Any = ()
    if isinstance(value, dict):
        pairs = [(k, v) for k, v in value.items() if k not in ("node", "origin", "provenance")]
    elif isinstance(value, list):
        pairs = list(enumerate(value))
    for key, held in pairs:
        yield value, key
        yield from _places(held)


def _spoil(place: Place, places: list[Place], random: Random) -> None:
    holder, key = place
    value = holder[key]
    alike = [h[k] for h, k in places if k == key and type(h[k]) is type(value)]
    if isinstance(value, bool):
        holder[key] = not value
    elif isinstance(value, int):
        holder[key] = random.choice((*NUMBERS, value + 1, value - 1))
    elif isinstance(value, str):
        holder[key] = random.choice((*WORDS, random.choice(alike), random.choice(alike)))
    elif isinstance(value, list):
        _spoil_list(value, random)
    elif isinstance(value, dict):
        _spoil_node(place, places, random)
    else:
        others = [h[k] for h, k in places if k == key and h[k] is not None]
        holder[key] = copy.deepcopy(random.choice(others)) if others else 3


def _spoil_list(value: list[Any], random: Random) -> None:
    match random.randrange(4 if value else 1):
        case 0:
            value.clear()
        case 1:
            value.pop(random.randrange(len(value)))
        case 2:
            value.append(copy.deepcopy(random.choice(value)))
        case _:
            random.shuffle(value)


def _spoil_node(place: Place, places: list[Place], random: Random) -> None:
    holder, key = place
    nodes = [h[k] for h, k in places if isinstance(h[k], dict)]
    match random.randrange(6):
        case 0:
            holder[key] = None
        case 1 if isinstance(holder, dict):
            del holder[key]
        case 2:
            for _ in range(random.choice(DEEP)):
                holder[key] = {"node": "Not", "operand": holder[key]}
        case _:
            holder[key] = copy.deepcopy(random.choice(nodes))
