"""Players made of code. A bot gets what it sees of the table and its legal actions, never what is
hidden from it.

Names of bots: those of `BOTS`, some with what they may spend (`search:800`, `search:2s`); what is
installed under the entry point `meldc.bots`; a class by its path, `package.module:Class`.
"""

from __future__ import annotations

import importlib
import traceback
from collections.abc import Callable
from importlib.metadata import entry_points
from pathlib import Path
from typing import Protocol

from meldc_runtime.bots.greedy import GreedyBot
from meldc_runtime.bots.search import SearchBot
from meldc_runtime.game import Action
from meldc_runtime.randomness import Random
from meldc_runtime.sight import Sight

ENTRY_POINTS = "meldc.bots"
ANY_FAILURE = (Exception, SystemExit)
"""What code of somebody else may do wrong: end the whole program, too."""


class Bot(Protocol):
    """Chooses among legal actions."""

    def choose(self, sight: Sight, random: Random) -> Action:
        """One of `sight.actions` (there is at least one, in the order of `legal_actions`).

        The same sight and random numbers should give the same choice: then games can be repeated.
        """
        ...


class RandomBot:
    """Takes any legal action, each as likely as the others."""

    def choose(self, sight: Sight, random: Random) -> Action:
        return sight.actions[random.below(len(sight.actions))]


class BotError(ValueError):
    """A name that stands for no bot, or a bot that does not do what one must."""


BOTS: dict[str, Callable[[], Bot]] = {
    "random": RandomBot,
    "greedy": GreedyBot,
    "search": SearchBot,
}
"""The bots by the names that seats and simulations know them by."""


def make_bot(name: str) -> Bot:
    """The bot of a name. Raises BotError saying what is wrong with it."""
    if name in BOTS:
        return BOTS[name]()
    head, _, tail = name.partition(":")
    if head == "search":
        try:
            return SearchBot.within(tail)
        except ValueError as error:
            raise BotError(f"`{name}`: {error}") from None
    made_by = _found(name) if ":" in name else _installed(name)
    try:
        bot = made_by()
    except ANY_FAILURE as error:
        raise BotError(f"`{name}` cannot be made: {_told(error)}") from error
    if not callable(getattr(bot, "choose", None)):
        raise BotError(f"`{name}` has no method `choose`, so it is no bot")
    return bot


def choose(name: str, bot: Bot, sight: Sight, random: Random) -> int:
    """The place among `sight.actions` of the one that a bot chooses, by its text at the least.
    Raises BotError where a bot from outside fails, or any chooses something else.
    """
    try:
        chosen = bot.choose(sight, random)
    except ANY_FAILURE as error:
        if type(bot).__module__.startswith(__name__):
            raise
        raise BotError(f"the bot `{name}` failed: {_told(error)}") from error
    try:
        return sight.actions.place_of(Action(chosen) if isinstance(chosen, str) else chosen)
    except ValueError:
        raise BotError(f"the bot `{name}` chose `{chosen}`, which is not legal") from None


def _installed(name: str) -> Callable[[], Bot]:
    for entry in entry_points(group=ENTRY_POINTS):
        if entry.name == name:
            return _found(entry.value)
    known = ", ".join(sorted(BOTS))
    raise BotError(f"there is no bot `{name}`; known: {known}, or `package:Class`")


def _found(path: str) -> Callable[[], Bot]:
    module, _, name = path.partition(":")
    try:
        found = importlib.import_module(module)
        for part in name.split("."):
            found = getattr(found, part)
    except ANY_FAILURE as error:
        raise BotError(f"`{path}` cannot be loaded: {_told(error)}") from error
    if not callable(found):
        raise BotError(f"`{path}` is no class")
    return found


def _told(error: BaseException) -> str:
    """What went wrong, and where in the code of the bot."""
    said = f"{type(error).__name__}: {error}"
    frames = traceback.extract_tb(error.__traceback__)
    outside = [frame for frame in frames if Path(frame.filename).is_file()]
    if not outside or outside[-1].filename == __file__:
        return said
    return f"{said} ({Path(outside[-1].filename).name}, line {outside[-1].lineno})"
