"""MC09xx: what playing a game shows: a few deals of every check, many of `--deep`."""

from __future__ import annotations

from meldc.diagnostics.pages.page import CodePage, Example

_COMMAND = "meldc check mine.yaml --deep"

PAGES: tuple[CodePage, ...] = (
    CodePage(
        "MC0901",
        "a dead end",
        "Legal play led to a position in which the player to act has no legal action, and the "
        "deal is not over. The seed and the actions show how.",
        _COMMAND,
        "Look at the rules that refuse there, or let a moment end the deal.",
        kind=Example.COMMAND,
    ),
    CodePage(
        "MC0902",
        "a deal that need never end",
        "The players can bring about the same position again and again, or a deal went on for "
        "longer than any deal should. Nothing in the rules keeps it from going on so for ever.",
        _COMMAND,
        "Let something that can happen only so often stand in the way: a stock that is used up, "
        "a count that ends the deal.",
        kind=Example.COMMAND,
    ),
    CodePage(
        "MC0903",
        "a rule that never decided",
        "In all deals that were played the rule was looked at often and never refused anything. "
        "It may be weaker than another, or about what hardly ever happens.",
        _COMMAND,
        "Write a scenario that it decides; where there is none, leave it out.",
        kind=Example.COMMAND,
    ),
    CodePage(
        "MC0904",
        "a score never reached",
        "In all deals that were played the line of the score never counted for anybody.",
        _COMMAND,
        "Write a scenario in which it counts; where there is none, leave it out.",
        kind=Example.COMMAND,
    ),
    CodePage(
        "MC0905",
        "the look-ahead gave up",
        "Whether a turn can be completed is worked out before an action is legal. Here the work "
        "was given up after a bound, and the answer taken as no: an action may have been refused "
        "that is legal.",
        _COMMAND,
        "Rules that ask for less, or of fewer cards, are worked out faster.",
        kind=Example.COMMAND,
    ),
    CodePage(
        "MC0906",
        "the game cannot go on",
        "Playing stopped at a mistake of meldc itself. The seed and the actions show where.",
        _COMMAND,
        "Report it with the record that `--records` keeps.",
        kind=Example.COMMAND,
    ),
    CodePage(
        "MC0907",
        "a game in which nobody decides",
        "In no deal that was played anybody was ever asked: each ended by itself, as where every "
        "turn leads to the next one before the player can act.",
        _COMMAND,
        "Let the moment that leads on happen only on a condition, or once.",
        kind=Example.COMMAND,
    ),
    CodePage(
        "MC0908",
        "something that never came",
        "In all deals that were played the action was never played, or the moment never happened. "
        "It is of this file, or rules of this file refused it.",
        _COMMAND,
        "Write a scenario in which it comes; where there is none, look at the rules about it.",
        kind=Example.COMMAND,
    ),
)
