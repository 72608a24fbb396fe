"""What a person may have meant with a text that is no action as it stands."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from itertools import islice, product

from meldc.typed import AmbiguityError, lacking, read, ways
from meldc_runtime.game import Action, ActionError, Position
from meldc_runtime.program import declarations

MOST_TRIED = 30
"""So many readings are held against the rules."""
_OPTIONAL = re.compile(r" *\([^)]*\)")


def meant(
    position: Position, typed: str, hand: Sequence[str], legal: Sequence[Action]
) -> Action | None:
    """The only legal action that a text can stand for, if there is one: the only one that begins
    so, or the only choice of equal ranks that is legal. hand: the cards of the player.
    """
    begun = _beginning(typed, legal)
    if len(begun) == 1:
        return begun[0]
    try:
        read(position.game, typed, hand)
    except AmbiguityError:
        return _only_legal(position, typed, hand)
    except ActionError:
        pass
    return None


def not_held(typed: str, hand: Sequence[str]) -> list[str]:
    """Each rank that is named more often than it is held, with how often that is."""
    _, _, named = typed.partition(" ")
    return [
        f"not in the hand: {rank}" if not held else f"not in the hand: so many {rank}, only {held}"
        for rank, held in lacking(named, hand).items()
    ]


def always_against(
    position: Position,
    typed: str,
    hand: Sequence[str],
    melds: Sequence[str],
    legal: Sequence[Action],
) -> list[str]:
    """What stands against an action of which only the beginning is typed: the reasons that hold
    whatever cards and melds (by their names) are tried. Nothing where one that begins so is legal.
    """
    if _beginning(typed, legal):
        return []
    start = f"{' '.join(typed.lower().split())} "
    told: dict[str, None] = {}
    for action in position.game.program.actions:
        if action.text.startswith(start):
            told |= dict.fromkeys(_in_common(position, _samples(action, hand, melds)))
    return list(told)


def _in_common(position: Position, samples: Iterator[str]) -> list[str]:
    """The reasons against all of some actions."""
    common: list[str] | None = None
    for text in islice(samples, MOST_TRIED):
        with suppress(ActionError):
            reasons = [reason.text for reason in position.why_illegal(text)]
            common = reasons if common is None else [each for each in common if each in reasons]
            if not common:
                break
    return common or []


def _samples(
    action: declarations.Action, hand: Sequence[str], melds: Sequence[str]
) -> Iterator[str]:
    """Texts of an action with cards of the hand and melds; none where it needs anything else."""
    text = _OPTIONAL.sub("", action.text)
    held = sorted(hand)
    some = [" ".join(held[at : at + size]) for at in range(len(held) - 1) for size in (2, 3)]
    choices = {"card": list(dict.fromkeys(held)), "cards": some, "meld": list(melds)}
    needed = [param for param in action.params if f"{{{param.name}}}" in text]
    for chosen in product(*(choices.get(param.type, []) for param in needed)):
        filled = text
        for param, choice in zip(needed, chosen, strict=True):
            filled = filled.replace(f"{{{param.name}}}", choice)
        yield filled


def _beginning(typed: str, legal: Sequence[Action]) -> list[Action]:
    """The actions that begin with whole words of the text; one word alone may be cut short."""
    start = " ".join(typed.lower().split())
    found = [action for action in legal if f"{action} ".lower().startswith(f"{start} ")]
    return found or [
        action for action in legal if " " not in str(action) and str(action).startswith(start)
    ]


def _only_legal(position: Position, typed: str, hand: Sequence[str]) -> Action | None:
    tried: dict[str, bool] = {}
    for reading in ways(typed, hand):
        with suppress(ActionError):
            action = Action(read(position.game, reading, hand))
            if action.text not in tried:
                tried[action.text] = not position.why_illegal(action)
        if len(tried) > MOST_TRIED or sum(tried.values()) > 1:
            return None
    return next((Action(text) for text, legal in tried.items() if legal), None)
