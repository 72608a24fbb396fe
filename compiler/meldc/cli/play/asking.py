"""A person is to act: what the person sees, and what can be typed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from meldc.cli.play.forms import form, takes_cards
from meldc.cli.play.meant import always_against, meant, not_held
from meldc.cli.play.moves import Turns
from meldc.cli.play.options import options
from meldc.cli.play.ranges import has_range, in_full
from meldc.cli.play.rules_card import rules_card
from meldc.cli.play.screen import words
from meldc.cli.play.terminal import LEAVING
from meldc.typed import AmbiguityError, read
from meldc_runtime.bots.search import SearchBot
from meldc_runtime.game import Action, ActionError
from meldc_runtime.pending import pending
from meldc_runtime.randomness import Random
from meldc_runtime.sight import Sight
from meldc_runtime.standing import hindrances
from meldc_runtime.state import Play

if TYPE_CHECKING:
    from meldc.cli.play.session import Session
    from meldc_runtime.program import declarations

COMMANDS = {
    "help": "what can be typed, with examples from your cards",
    "?": "the rules on one card",
    "list": "all that is possible, numbered",
    "hand": "your cards and the table again",
    "moves": "what the others did since your last turn",
    "hint": "what a bot would do in your place",
    "why not ...": "why an action is not possible: why not discard 5H",
    "undo": "take your last action back, where you have learned nothing since",
    "save": "where the game is kept",
    "quit": "leave; the game can be gone on with",
}
ALIASES = {
    "h": "help",
    "rules": "?",
    "table": "hand",
    "l": "list",
    **dict.fromkeys(LEAVING, "quit"),
}
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
            command = ALIASES.get(word.lower(), word.lower())
            if command == "undo":
                if self._undo():
                    return None
                continue
            if self._command(command):
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
        told = [("  still needed: ", text) for text in needed]
        seat = position.state.player
        notes = [r.text for r in hindrances(position.state, seat) if r.text not in needed]
        told += [("  ", text) for text in notes]
        for indent, text in told:
            self.session.say(*self.screen.wrapped(indent, self.screen.text(text)))
        phase = position.game.program.phases[position.state.phase]
        whose = "" if self.view["turn"] == self.player else f" (turn of {self.view['turn']})"
        asked = self.screen.wrapped(f"{self.player}{whose}: ", phase.text or words(phase.name))
        self.session.terminal.say(*map(self.session.paint.head, asked))
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
        elif word.split()[0] == "save":
            say(self.session.kept())
        elif word == "?":
            self.session.page(rules_card(self.screen))
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
        why = "since your last action you have seen new cards, or somebody else has acted."
        self.session.say(*self.screen.wrapped("", f"There is nothing to take back: {why}"))
        return False

    def _help(self) -> list[str]:
        """Each action with an example that is possible now, and the commands."""
        program = self.session.position.game.program
        lines = ["A number from the list, or an action; possible now for example:"]
        width = max(len(form(action)) for action in program.actions)
        idle = []
        examples = dict(zip(self.plays, self.actions, strict=True))
        for index, action in enumerate(program.actions):
            example = next((examples[p] for p in examples if p.action == index), None)
            if example is None:
                idle.append(form(action))
            else:
                shown = "" if str(example) == action.text else self.screen.text(str(example))
                lines.append(f"  {form(action):<{width}}  {shown}".rstrip())
        if idle:
            lines += self.screen.wrapped("  not now: ", "; ".join(dict.fromkeys(idle)))
        lines += self.screen.wrapped(
            "  ",
            f"Cards are KH, 10S, 2C, Jkr; {self.screen.text('KH').lower()}, th, king of hearts or "
            "a bare 9 are read too, several at once, in any order; first words may be cut short.",
        )
        width = max(map(len, COMMANDS))
        for word, meaning in COMMANDS.items():
            lines += self.screen.wrapped(f"  {word:<{width}} ", meaning)
        return lines

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
        action = self._by_number(asked)
        if action is None:
            try:
                action = self._read(asked)
            except ActionError as error:
                return self._not_understood(error, asked)
        possible = f"It is possible: {self.screen.text(str(action))}"
        return self._against(action) or [possible]

    # -- actions

    def _understand(self, typed: str) -> Action | None:
        """The action that was typed if it is legal; otherwise what there is to say is said."""
        action = self._by_number(typed)
        if action is not None:
            return action
        try:
            action = self._read(typed)
        except ActionError as error:
            self.session.say(*self._not_understood(error, typed))
            return None
        against = self._against(action)
        if against:
            self.session.say("Not possible:", *against)
            return None
        return action

    def _by_number(self, typed: str) -> Action | None:
        """The action of a number from the list."""
        if typed.isascii() and typed.isdecimal() and len(typed) < 6:
            return dict(enumerate(self.actions, 1)).get(int(typed))
        return None

    def _read(self, typed: str) -> Action:
        """The action that was typed; where several cards were named at once, as one by one, unless
        the text can be read as it stands and only so is legal. Raises ActionError.
        """
        full = in_full(typed)
        if full == typed:
            return self._read_plain(typed)
        if has_range(typed):
            return self._read_plain(full)
        readings = []
        for text in (full, typed):
            with suppress(ActionError):
                readings.append(self._read_plain(text))
        legal = [each for each in readings if not self.session.position.why_illegal(each)]
        found = legal or readings
        return found[0] if found else self._read_plain(typed)

    def _read_plain(self, typed: str) -> Action:
        position, hand = self.session.position, self._hand()
        try:
            return Action(read(position.game, typed, hand))
        except ActionError:
            action = meant(position, typed, hand, self.actions)
            if action is None:
                raise
            return action

    def _hand(self) -> list[str]:
        return [card for zone in self.screen.own_zones(self.view) for card in zone["cards"]]

    def _against(self, action: Action) -> list[str]:
        return self._listed([r.text for r in self.session.position.why_illegal(action)])

    def _listed(self, reasons: Sequence[str]) -> list[str]:
        return [
            line
            for reason in reasons
            for line in self.screen.wrapped("  - ", self.screen.text(reason))
        ]

    def _not_understood(self, error: ActionError, typed: str) -> list[str]:
        """What may be wrong with what was typed: the number, the choice that is open, cards that
        are not held, the form of the action that it begins like.
        """
        if typed.isascii() and typed.isdecimal():
            return [_no_number(typed, len(self.actions))]
        if isinstance(error, AmbiguityError):
            asked = str(error)
            return self.screen.wrapped("", self.screen.text(asked[0].upper() + asked[1:]))
        head = typed.split()[0].lower()
        meant = self._begun(head)
        if not meant:
            return ["That is not understood; `help` shows what can be typed."]
        hand = self._hand()
        melds = [meld["name"] for laid in self.view["melds"].values() for meld in laid]
        against = not_held(typed, hand) if any(map(takes_cards, meant)) else []
        against = against or always_against(self.session.position, typed, hand, melds, self.actions)
        if against:
            return ["Not possible:", *self._listed(against)]
        forms = dict.fromkeys(map(form, meant))
        said = " or ".join(f"`{each}`" for each in forms)
        example = next((a for a in map(str, self.actions) if a.lower().startswith(head)), "")
        told = example and example not in forms
        shown = f", for example {self.screen.text(example)}" if told else ""
        return self.screen.wrapped("", f"That is not understood. It is said so: {said}{shown}.")

    def _begun(self, head: str) -> list[declarations.Action]:
        """The actions that begin so: of those that are possible now, if there are."""
        declared = self.session.position.game.program.actions
        fitting = [at for at, action in enumerate(declared) if action.text.startswith(head)]
        possible = {play.action for play in self.plays}
        now = [at for at in fitting if at in possible]
        return [declared[at] for at in now or fitting]

    def complete(self, begun: str) -> list[str]:
        """Legal actions and commands that begin so."""
        start = begun.lstrip().lower()
        prefix = "why not " if start.startswith("why not ") else ""
        words_ = [str(action) for action in self.actions]
        if not prefix:
            words_ += [word for word in COMMANDS if "..." not in word] + ["why not "]
        return [
            f"{prefix}{word}"
            for word in dict.fromkeys(words_)
            if f"{prefix}{word}".lower().startswith(start)
        ]


def _no_number(typed: str, count: int) -> str:
    there = "there is only 1" if count == 1 else f"there are 1 to {count}"
    return f"There is no number {typed[:20]}; {there}."
