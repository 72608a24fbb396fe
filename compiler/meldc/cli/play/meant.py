"""What a person may have meant with a text that is no action as it stands."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress

from meldc.typed import AmbiguityError, lacking, read, ways
from meldc_runtime.game import Action, ActionError, Position

MOST_TRIED = 30
"""So many readings are held against the rules."""


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
