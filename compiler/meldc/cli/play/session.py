"""A game at the terminal: people at some seats, bots at the others, every action recorded."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from meldc.cli.play.screen import Screen, words
from meldc.cli.play.terminal import EndOfInput, Terminal
from meldc_runtime.bots import BOTS, Bot
from meldc_runtime.game import Action, ActionError, Position
from meldc_runtime.pending import pending
from meldc_runtime.randomness import Random
from meldc_runtime.records import Entry, Recorder

HUMAN = "human"
COMMANDS = {
    "help": "what can be typed",
    "list": "all that is possible, numbered",
    "hand": "show your cards and the table again",
    "save": "where the game is kept",
    "quit": "leave; the game can be gone on with",
}


class Quit(Exception):  # noqa: N818 - leaving is no error
    """A person leaves the game."""


@dataclass
class Session:
    """One game from where it stands to its end; plies: actions made in the deal so far."""

    position: Position
    seats: Mapping[str, str]
    seed: int
    screen: Screen
    terminal: Terminal
    recorder: Recorder | None
    plies: int = 0
    _bots: dict[str, Bot] = field(default_factory=dict, init=False)
    _last_human: str = field(default="", init=False)
    _told: list[str] = field(default_factory=list, init=False)
    _shown: list[str] = field(default_factory=list, init=False)

    def __post_init__(self) -> None:
        self._bots = {seat: BOTS[name]() for seat, name in self.seats.items() if name != HUMAN}

    @property
    def humans(self) -> list[str]:
        return [seat for seat, name in self.seats.items() if name == HUMAN]

    def play(self) -> None:
        """Plays deal after deal to the end of the game. Raises Quit, EndOfInput, OSError."""
        while True:
            self._announce_deal()
            self._play_deal()
            self._tell_bots()
            self.terminal.say("", "The deal is over.", *self.screen.score_sheet(self.position))
            if self.position.game_over:
                self._announce_winners()
                return
            if self.humans:
                self.terminal.pause("Enter for the next deal")
            self.position.next_deal()
            self.plies = 0

    def _announce_deal(self) -> None:
        view = self.position.view(self.humans[0] if self.humans else self.position.to_act)
        self.terminal.say("", f"Deal {view['deal']}, dealer {view['dealer']}")

    def _announce_winners(self) -> None:
        names = [self.screen.side(side) for side in self.position.winners]
        said = f"{' and '.join(names)} won" if names else "nobody won"
        self.terminal.say("", f"The game is over: {said}.")

    def _play_deal(self) -> None:
        while not self.position.is_over:
            player = self.position.to_act
            actions = self.position.legal_actions()
            if not actions:
                raise DeadEndError(self.position)
            if player in self._bots:
                action = self._choose(player, actions)
                self._note(player, self._as_seen(action))
            else:
                self._tell_bots()
                action = self._ask(player, actions)
            self._make(player, action)

    def _make(self, player: str, action: Action) -> None:
        """Makes an action that is legal, and records it."""
        deal = self.position.deal_number
        before = self._own(player)
        self.position.apply(action)
        if self.recorder is not None:
            try:
                self.recorder.write(Entry(deal, player, str(action)))
            except OSError as error:
                raise RecordLostError(self.recorder.path, error) from None
        self.plies += 1
        if player in self.humans and not self.position.is_over:
            self._tell_new_cards(before, self._own(player))

    # -- bots

    def _choose(self, player: str, actions: Sequence[Action]) -> Action:
        """A bot's choice, from numbers for this decision alone: a resumed game goes on alike."""
        bot = self._bots[player]
        random = Random.of(self.seed, "bot", player, self.position.deal_number, self.plies)
        view = self.position.view(player) if bot.reads_view else {}
        return bot.choose(view, actions, random)

    def _as_seen(self, action: Action) -> str:
        """The action as the people at the table see it; where only bots play nothing is secret."""
        watchers = self.humans
        if not watchers:
            return str(action)
        seen = {self.position.seen_by(watcher, action) for watcher in watchers}
        return max(seen, key=lambda text: text.count("??"))

    def _note(self, player: str, action: str) -> None:
        """Keeps what a bot did, to be told a turn a line."""
        if self._told and self._told[0] != player:
            self._tell_bots()
        if not self._told:
            self._told.append(player)
        self._told.append(self.screen.text(action))

    def _tell_bots(self) -> None:
        if self._told:
            player, *actions = self._told
            self.terminal.say(f"{player}: {', '.join(actions)}")
            self._shown = []
            self._told.clear()

    # -- people

    def _ask(self, player: str, actions: Sequence[Action]) -> Action:
        self._change_places(player)
        self._show(player, actions)
        while True:
            typed = self.terminal.ask(f"{player}> ")
            action = self._understand(player, typed, actions)
            if action is not None:
                return action

    def _understand(self, player: str, typed: str, actions: Sequence[Action]) -> Action | None:
        """The action that was typed if it is legal; otherwise what there is to say is said."""
        word = typed.strip().lower()
        if not word:
            return None
        if word in COMMANDS:
            self._command(word, player, actions)
            return None
        if word.isascii() and word.isdecimal():
            if len(word) < 6 and 1 <= int(word) <= len(actions):
                return actions[int(word) - 1]
            self.terminal.say(f"There is no number {word[:20]}; there are 1 to {len(actions)}.")
            return None
        try:
            action = self.position.game.parse(typed)
            reasons = self.position.why_illegal(action)
        except ActionError:
            self.terminal.say("That is not understood; `help` shows what can be typed.")
            return None
        if reasons:
            told = [f"  - {self.screen.text(reason.text)}" for reason in reasons]
            self.terminal.say("Not possible:", *told)
            return None
        return action

    def _command(self, word: str, player: str, actions: Sequence[Action]) -> None:
        if word == "quit":
            raise Quit
        if word == "hand":
            self._shown = []
            self._show(player, actions)
        elif word == "list":
            self.terminal.say(*self.screen.suggestions(actions, None))
        elif word == "save":
            self.terminal.say(self.kept())
        else:
            self._help()

    def _help(self) -> None:
        program = self.position.game.program
        self.terminal.say("A number from the list, or (cards as KH 10S 2C Jkr):")
        texts = dict.fromkeys(action.text for action in program.actions)
        self.terminal.say(*(f"  {text}" for text in texts))
        self.terminal.say(*(f"  {word:<6} {meaning}" for word, meaning in COMMANDS.items()))

    def kept(self) -> str:
        """Where the game is kept."""
        if self.recorder is None:
            return "This game is not recorded."
        return f"Every action is kept in {self.recorder.path}"

    def _show(self, player: str, actions: Sequence[Action]) -> None:
        """What a person sees before each action; within a turn of the table only what changed."""
        view = self.position.view(player)
        phase = self.position.game.program.phases[self.position.state.phase]
        whose = "" if view["turn"] == player else f" (turn of {view['turn']})"
        lines = self.screen.table(view)
        self.terminal.say("", *(line for line in lines if line not in self._shown))
        self._shown = lines
        self.terminal.say(*self.screen.own_cards(view))
        due = pending(self.position.state)
        self.terminal.say(*(f"  still needed: {self.screen.text(reason.text)}" for reason in due))
        self.terminal.say(f"{player}{whose}: {phase.text or words(phase.name)}")
        self.terminal.say(*self.screen.suggestions(actions))

    def _change_places(self, player: str) -> None:
        """Where several people share the screen, hides what the last one saw."""
        if self._last_human != player:
            self._shown = []
        if self._last_human not in ("", player):
            self.terminal.clear(f"{player}, it is for you to act: Enter when only you look")
        self._last_human = player

    def _own(self, player: str) -> list[str]:
        view: dict[str, Any] = self.position.view(player)
        return [card for zone in self.screen.own_zones(view) for card in zone["cards"]]

    def _tell_new_cards(self, before: list[str], after: list[str]) -> None:
        new = list(after)
        for card in before:
            if card in new:
                new.remove(card)
        if new:
            self.terminal.say(f"  new: {self.screen.cards(new)}")


class RecordLostError(Exception):
    """An action could not be written to the record; those before it are there."""

    def __init__(self, path: Path, error: OSError) -> None:
        why = (error.strerror or str(error)).lower()
        super().__init__(f"`{path}` cannot be written: {why}; the game is kept up to this action")


class DeadEndError(Exception):
    """A position without a legal action: a mistake in the rules or in the program."""

    def __init__(self, position: Position) -> None:
        super().__init__(f"{position.to_act} has no legal action")
        self.position = position


__all__ = ["COMMANDS", "HUMAN", "DeadEndError", "EndOfInput", "Quit", "RecordLostError", "Session"]
