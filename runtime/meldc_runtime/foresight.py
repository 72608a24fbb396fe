"""What conditions may ask about the plays to come; the look-ahead answers it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from meldc_runtime.state import State


class Foresight(Protocol):
    """The answers to `can(…)` and `only(…)`. The state is not changed."""

    def can_action(self, state: State, action: str, player: int, without: str | None) -> bool:
        """Whether the player has a legal play of this action (asked as if the player stood in its
        phase).
        """

    def can_moment(self, state: State, moment: str, player: int, without: str | None) -> bool:
        """Whether the player could reach a moment by own plays in this turn."""

    def can_end_turn(self, state: State, player: int, without: str | None) -> bool:
        """Whether the player could reach an accepted end of the turn by own plays."""

    def only(self, state: State, actions: tuple[str, ...]) -> bool:
        """Whether the acting player has legal actions, all among these."""
