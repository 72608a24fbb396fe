"""A person is to act: what the person sees, and what can be typed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from meldc.cli.play.moves import Turns
from meldc.cli.play.options import options
from meldc.cli.play.rules_card import rules_card
from meldc.cli.play.screen import words
from meldc.typed import read
from meldc_runtime.bots.search import SearchBot
from meldc_runtime.game import Action, ActionError
from meldc_runtime.pending import pending
from meldc_runtime.randomness import Random
from meldc_runtime.sight import Sight
from meldc_runtime.standing import hindrances
from meldc_runtime.state import Play

if TYPE_CHECKING:
    from meldc.cli.play.session import Session

COMMANDS = {
    "help": "what can be typed, with examples from your cards",
    "?": "the rules on one card",
    "list": "all that is possible, numbered",
    "hand": "your cards and the table again",
    "moves": "what the others did since your last turn",
    "hint": "what a bot would do in your place",
    "why not …": "why an action is not possible: why not discard 5H",
    "undo": "take your last action back, where you have learned nothing since",
    "save": "where the game is kept",
    "quit": "leave; the game can be gone on with",
}
ALIASES = {"h": "help", "rules": "?", "table": "hand", "q": "quit", "exit": "quit", "l": "list"}
HINT_MOVES = 400


class Quit(Exception):  # noqa: N818 - leaving is no error
    """A person leaves the game."""


class Asking:
    """One decision of one person."""

    def __init__(self, session: Session, player: str, plays: Sequence[Play]) -> None:
        self.session = session
        self.screen = session.screen
        self.player = player
        self._set(plays)

    def _set(self, plays: Sequence[Play]) -> None:
        self.plays = list(plays)
        self.actions = [self.session.position.action(play) for play in plays]
        self.view: dict[str, Any] = self.session.position.view(self.player)

    def ask(self, shown: list[list[str]], moves: Turns) -> Action | None:
        """The action that the person chooses, a legal one; None where the table has changed
        (something was taken back). shown: the sides as they stand on the screen already; it becomes
        them as they stand there now.
        """
        self.session.say(*self.session.moves_lines(moves))
        self._tell_new_cards()
        self.show(shown)
        while True:
            typed = self.session.terminal.ask(f"{self.player}> ", self.player, self.complete)
            word = " ".join(typed.split())
            if not word:
                continue
            if ALIASES.get(word.lower(), word.lower()) == "undo":
                if self._undo():
                    return None
                continue
            if self._command(ALIASES.get(word.lower(), word.lower())):
                continue
            action = self._understand(word)
            if action is not None:
                return action

    # -- what is shown

    def show(self, shown: list[list[str]]) -> None:
        """What a person sees before each action; within a turn of the table only what changed."""
        sides = self.screen.sides(self.view, self.session.wild)
        changed = [side for side in sides if side not in shown]
        self.session.say("", *(line for side in changed for line in side))
        self.session.say(*self.screen.middle(self.view))
        shown[:] = sides
        self._show_own()

    def _show_own(self) -> None:
        position = self.session.position
        self.session.say(*self.screen.own_cards(self.view, self.session.wild))
        due = pending(position.state)
        needed = [reason.text for reason in due]
        told = [f"  still needed: {self.screen.text(text)}" for text in needed]
        seat = position.state.player
        notes = [r.text for r in hindrances(position.state, seat) if r.text not in needed]
        told += [f"  {self.screen.text(text)}" for text in notes]
        self.session.say(*told)
        phase = position.game.program.phases[position.state.phase]
        whose = "" if self.view["turn"] == self.player else f" (turn of {self.view['turn']})"
        head = f"{self.player}{whose}: {phase.text or words(phase.name)}"
        self.session.terminal.say(self.session.paint.head(head))
        self.session.say(*options(self.screen, self.plays, self.actions))

    def _tell_new_cards(self) -> None:
        """The cards that the person has got since the last look at them."""
        held = [card for zone in self.screen.own_zones(self.view) for card in zone["cards"]]
        before = self.session.last_held.get(self.player)
        self.session.last_held[self.player] = held
        new = [] if before is None else list((Counter(held) - Counter(before)).elements())
        if new:
            self.session.say(f"  new: {self.screen.cards(new)}")

    # -- commands

    def _command(self, word: str) -> bool:
        """Does what a command says; False where the word is none."""
        say = self.session.say
        if word == "quit":
            raise Quit
        if word == "hand":
            self.show([])
        elif word == "list":
            say(*options(self.screen, self.plays, self.actions, in_full=True))
        elif word == "save":
            say(self.session.kept())
        elif word == "?":
            say(*rules_card(self.screen))
        elif word == "help":
            say(*self._help())
        elif word == "moves":
            moves = self.session.moves.last(self.player)
            say(*self.session.moves_lines(moves) or ["Nobody has done anything yet."])
        elif word == "hint":
            say(*self._hint())
        elif word.startswith("why"):
            say(*self._why(word))
        else:
            return False
        return True

    def _undo(self) -> bool:
        if self.session.undo():
            self.session.say("Taken back.")
            return True
        self.session.say(
            "There is nothing to take back: since your last action you have seen new cards, "
            "or somebody else has acted."
        )
        return False

    def _help(self) -> list[str]:
        """Each action with an example that is possible now, and the commands."""
        program = self.session.position.game.program
        lines = ["A number from the list, or an action; possible now for example:"]
        width = max(len(action.text) for action in program.actions)
        idle = []
        examples = dict(zip(self.plays, self.actions, strict=True))
        for index, action in enumerate(program.actions):
            example = next((examples[p] for p in examples if p.action == index), None)
            if example is None:
                idle.append(action.text)
            else:
                lines.append(f"  {action.text:<{width}}  {self.screen.text(str(example))}")
        if idle:
            lines += self.screen.wrapped("  not now: ", "; ".join(dict.fromkeys(idle)))
        lines += self.screen.wrapped(
            "  ",
            "Cards are KH, 10S, 2C, Jkr; k♥, th, king of hearts or a bare 9 are read too, several "
            "at once, in any order; first words may be cut short.",
        )
        return lines + [f"  {word:<9} {meaning}" for word, meaning in COMMANDS.items()]

    def _hint(self) -> list[str]:
        position = self.session.position
        seat = position.state.player
        sight = Sight(position.game, position.state, seat, self.plays)
        random = Random.of("hint", position.deal_number, self.session.plies)
        ranked = SearchBot(moves=HINT_MOVES).ranked(sight, random)
        best, *others = [self.screen.text(str(action)) for action, _ in ranked[:3]]
        also = f" (otherwise {' or '.join(others)})" if others else ""
        return self.screen.wrapped("  ", f"{best}{also}")

    def _why(self, word: str) -> list[str]:
        asked = word.removeprefix("why").strip().removeprefix("not ").strip(" ?")
        if not asked or asked == "not":
            return ["Why not what? For example: why not discard 5H"]
        try:
            action = self._read(asked)
            possible = f"It is possible: {self.screen.text(str(action))}"
            return self._against(action) or [possible]
        except ActionError as error:
            return self.screen.wrapped("", self._not_understood(error, asked))

    # -- actions

    def _understand(self, typed: str) -> Action | None:
        """The action that was typed if it is legal; otherwise what there is to say is said."""
        if typed.isascii() and typed.isdecimal():
            return self._numbered(typed)
        try:
            action = self._read(typed)
        except ActionError as error:
            self.session.say(*self.screen.wrapped("", self._not_understood(error, typed)))
            return None
        against = self._against(action)
        if against:
            self.session.say("Not possible:", *against)
            return None
        return action

    def _numbered(self, typed: str) -> Action | None:
        if len(typed) < 6 and 1 <= int(typed) <= len(self.actions):
            return self.actions[int(typed) - 1]
        count = len(self.actions)
        self.session.say(f"There is no number {typed[:20]}; there are 1 to {count}.")
        return None

    def _read(self, typed: str) -> Action:
        hand = [card for zone in self.screen.own_zones(self.view) for card in zone["cards"]]
        return Action(read(self.session.position.game, typed, hand))

    def _against(self, action: Action) -> list[str]:
        reasons = self.session.position.why_illegal(action)
        return [
            line
            for reason in reasons
            for line in self.screen.wrapped("  - ", self.screen.text(reason.text))
        ]

    def _not_understood(self, error: ActionError, typed: str) -> str:
        """What may be wrong with what was typed: the choice that is open, the form of the action
        that it begins like.
        """
        text = str(error)
        if text.startswith("which "):
            return self.screen.text(text[0].upper() + text[1:])
        head = (typed.split() or [""])[0].lower()
        declared = self.session.position.game.program.actions
        forms = [action.text for action in declared if action.text.startswith(head)]
        if not head or not forms:
            return "That is not understood; `help` shows what can be typed."
        said = " or ".join(f"`{form}`" for form in dict.fromkeys(forms))
        example = next((a for a in map(str, self.actions) if a.lower().startswith(head)), "")
        shown = f", for example {self.screen.text(example)}" if example else ""
        return f"That is not understood. It is said so: {said}{shown}."

    def complete(self, begun: str) -> list[str]:
        """Legal actions and commands that begin so."""
        start = begun.lstrip().lower()
        prefix = "why not " if start.startswith("why not ") else ""
        words_ = [str(action) for action in self.actions]
        if not prefix:
            words_ += [word for word in COMMANDS if "…" not in word] + ["why not "]
        return [
            f"{prefix}{word}"
            for word in dict.fromkeys(words_)
            if f"{prefix}{word}".lower().startswith(start)
        ]
