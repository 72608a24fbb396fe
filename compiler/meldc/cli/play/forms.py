"""How an action is typed, as people read it: `meld CARDS (as KIND)`."""

from __future__ import annotations

import re

from meldc_runtime.program.declarations import Action

_BLANK = re.compile(r"\{(\w+)\}")
_BY_TYPE = {"meld": "MELD", "player": "PLAYER", "yes_no": "yes/no"}
"""What stands in a blank where the name of the parameter says less to a player."""


def form(action: Action) -> str:
    """The text of an action with words in capitals for what is chosen."""
    words = {each.name: _BY_TYPE.get(each.type, each.name.upper()) for each in action.params}
    return _BLANK.sub(lambda blank: words[blank.group(1)].replace("_", " "), action.text)


def takes_cards(action: Action) -> bool:
    """Whether cards are named in the text of an action."""
    return any(each.type in ("card", "cards") for each in action.params)
