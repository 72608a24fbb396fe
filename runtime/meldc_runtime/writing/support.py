"""What written code calls, and how texts of people stand in it."""

from __future__ import annotations

from typing import Any

from meldc_runtime import cards, melds, moves, oracle, splitting
from meldc_runtime.cards import FACES, parse_card


def printable(text: str) -> str:
    """A text of people, as it can stand in a comment or a name of code: on one line, and nothing
    in it that Python's reader stumbles over.
    """
    return "".join(letter if letter.isprintable() else " " for letter in text)


def faces_named(text: str) -> tuple[bool, ...]:
    """By face: whether a card is named in the text."""
    named = {parse_card(word) for word in text.split()}
    return (*(face in named for face in FACES), "??" in text.split())


SUPPORT: dict[str, Any] = {
    "RANK": cards.RANK_OF,
    "SUIT": cards.SUIT_OF,
    "RED": cards.RED,
    "BLACK": cards.BLACK,
    "faces_named": faces_named,
    "laid_by": cards.laid_by,
    "face": lambda card: None if card is None else card & 63,
    "standing_faces": melds.standing_faces,
    "lowest_face": melds.lowest_face,
    "highest_face": melds.highest_face,
    "unmelded": splitting.unmelded,
    **{
        name: getattr(oracle, name)
        for name in ("after", "as_list", "best", "divided", "next_of", "nth", "starting_at")
    },
    **{
        name: getattr(moves, name)
        for name in (
            "ALL", "BACK", "BELOW_TOP", "NONE", "chance", "end_game", "exchange", "joined_meld",
            "lay_meld", "move_cards", "move_count", "redeal", "shuffle",
        )
    },
}  # fmt: skip
