"""Players made of code. A bot gets its view of the table and its legal actions, never the state."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Protocol, TypeVar

from meldc_runtime.randomness import Random

Choice = TypeVar("Choice")


class Bot(Protocol):
    """Chooses among legal actions. `reads_view`: whether it looks at its view; where not, none is
    made for it.
    """

    reads_view: bool

    def choose(self, view: dict[str, Any], actions: Sequence[Choice], random: Random) -> Choice:
        """One of the actions (at least one, in the order of `legal_actions`), for a view as
        `Position.view` gives it.

        The same view, actions and random numbers must give the same choice.
        """
        ...


class RandomBot:
    """Takes any legal action, each as likely as the others."""

    reads_view = False

    def choose(self, view: dict[str, Any], actions: Sequence[Choice], random: Random) -> Choice:
        return actions[random.below(len(actions))]


BOTS: dict[str, Callable[[], Bot]] = {"random": RandomBot}
"""The bots by the names that seats and simulations know them by."""
