"""A game at the terminal: people at some seats, bots at the others, every action recorded."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path

from meldc.cli.play.asking import Asking
from meldc.cli.play.moves import Moves, Turns
from meldc.cli.play.news import News, news_of
from meldc.cli.play.paint import Paint, wild_texts
from meldc.cli.play.screen import Screen
from meldc.cli.play.sheet import score_sheet
from meldc.cli.play.terminal import Terminal
from meldc_runtime import legality
from meldc_runtime.bots import Bot, choose, make_bot
from meldc_runtime.cards import FACE, UNKNOWN
from meldc_runtime.game import Action, Position
from meldc_runtime.randomness import Random
from meldc_runtime.records import Entry, Recorder, Step, Undo
from meldc_runtime.sight import Sight, blank
from meldc_runtime.state import Play

HUMAN = "human"
IDLE_DEALS = 5
"""So many deals in a row without a decision end a game: nothing would ever be asked."""


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
    moves: Moves = field(init=False)
    last_held: dict[str, list[str]] = field(default_factory=dict, init=False)
    """The own cards of each person when that person last saw them."""
    _bots: dict[str, Bot] = field(default_factory=dict, init=False)
    _back: list[Position] = field(default_factory=list, init=False)
    _acted: str = field(default="", init=False)
    _last_human: str = field(default="", init=False)
    _shown: list[list[str]] = field(default_factory=list, init=False)
    _news: News = field(default_factory=News, init=False)

    def __post_init__(self) -> None:
        self._bots = {seat: make_bot(name) for seat, name in self.seats.items() if name != HUMAN}
        self.moves = Moves(self.humans)

    @property
    def humans(self) -> list[str]:
        return [seat for seat, name in self.seats.items() if name == HUMAN]

    @property
    def paint(self) -> Paint:
        """Colours for the table as it lies: which cards are wild may change."""
        on = self.terminal.colour
        return Paint(on, self.wild if on else frozenset())

    @property
    def wild(self) -> frozenset[str]:
        """The texts of the cards that are wild as the table lies."""
        return wild_texts(self.position.state)

    def say(self, *lines: str) -> None:
        paint = self.paint
        self.terminal.say(*(paint.line(line) for line in lines))

    def page(self, lines: Sequence[str]) -> None:
        """Says many lines, a screen at a time. Raises EndOfInput."""
        paint = self.paint
        self.terminal.page([paint.line(line) for line in lines])

    def clear_table(self) -> None:
        """Leaves nobody's cards on a screen that several people share."""
        if len(self.humans) > 1:
            self.terminal.wipe()

    def play(self) -> None:
        """Plays deal after deal to the end of the game. Raises Quit, EndOfInput, RecordLostError,
        DeadEndError, NobodyDecidesError, BotError.
        """
        idle = 0
        while True:
            self._announce_deal()
            self._play_deal()
            self._finish_deal()
            idle = 0 if self.plies else idle + 1
            if self.position.game_over:
                self._announce_winners()
                return
            if idle == IDLE_DEALS:
                raise NobodyDecidesError(idle)
            if self.humans:
                self.terminal.pause("Enter for the next deal")
            self.position.next_deal()
            self.plies = 0

    def _announce_deal(self) -> None:
        view = self.position.view(self.humans[0] if self.humans else self.position.to_act)
        head = f"Deal {view['deal']}, dealer {view['dealer']}"
        self.terminal.say("", self.paint.head(head))

    def _finish_deal(self) -> None:
        if len(self.humans) > 1:
            self.terminal.wipe()
            self.say(*self.moves_lines(self.moves.end_of_deal(len(self.seats))))
        else:
            self.say(*self.moves_lines(self.moves.untold(finished=False)))
        self.moves.clear()
        self._last_human = ""
        self._back.clear()
        self.last_held.clear()
        how = ", ".join(self._news.in_full)
        self.terminal.say("", self.paint.head(f"The deal is over{': ' if how else ''}{how}."))
        self.say(*score_sheet(self.screen, self.position))

    def _announce_winners(self) -> None:
        names = [self.screen.side(side) for side in self.position.winners]
        said = f"{' and '.join(names)} won" if names else "nobody won"
        self.terminal.say("", self.paint.head(f"The game is over: {said}."))

    def _play_deal(self) -> None:
        while not self.position.is_over:
            player = self.position.to_act
            plays = legality.legal_plays(self.position.state)
            if not plays:
                raise DeadEndError(self.position)
            if player in self._bots:
                self._make(player, self._choose(player, plays))
            else:
                self._let_person_act(player, plays)

    # -- actions

    def _make(self, player: str, action: Action) -> None:
        """Makes an action that is legal, and records it."""
        entry = Entry(self.position.deal_number, player, str(action))
        before = self.position.copy()
        self.position.apply(action)
        self._write(entry)
        self.plies += 1
        self._note_for_undo(player, before)
        self._news = self._note(entry, before, self.position)
        if str(self._news) and player in self.humans:
            self.say(*self.screen.wrapped("  then: ", self.screen.text(str(self._news))))
        if len(self.humans) < 2:
            self.say(*self.moves_lines(self.moves.untold(finished=True)))

    def _note(self, entry: Entry, before: Position, after: Position) -> News:
        """Keeps an action to be told to those who did not make it, with what came of it."""
        news = news_of(self.screen, before, after, entry.action)
        more = f" ({news})" if str(news) else ""
        seen = {human: before.seen_by(human, entry.action) + more for human in self.humans}
        self.moves.note(entry.player, seen, entry.action + more)
        return news

    def recall(self, past: Sequence[tuple[Position, Entry]]) -> None:
        """Takes up the last actions of a game that is gone on with, each with the position before
        it: they are told as if they were done now.
        """
        positions = [*(position for position, _ in past), self.position]
        for (_, entry), (before, after) in zip(past, pairwise(positions), strict=True):
            self._note(entry, before, after)

    def _note_for_undo(self, player: str, before: Position) -> None:
        """Keeps what can be gone back to: nobody else has acted and the player has learned nothing
        since.
        """
        if player != self._acted:
            self._back.clear()
        self._acted = player
        if player in self._bots or _seen(self.position, player) - _seen(before, player):
            self._back.clear()
        else:
            self._back.append(before)

    def undo(self) -> bool:
        """Takes the last action back; False where that cannot be."""
        if not self._back:
            return False
        position = self._back[-1]
        self._write(Undo(1))
        self._back.pop()
        self.position = position
        self.plies -= 1
        self.moves.take_back()
        self._shown.clear()
        self.last_held.clear()
        return True

    def _write(self, step: Step) -> None:
        if self.recorder is None:
            return
        try:
            self.recorder.write(step)
        except OSError as error:
            raise RecordLostError(self.recorder.path, error) from None

    def kept(self) -> str:
        """Where the game is kept."""
        if self.recorder is None:
            return "This game is not recorded."
        return f"Every action is kept in {self.recorder.path}"

    # -- bots

    def _choose(self, player: str, plays: Sequence[Play]) -> Action:
        """A bot's choice, from numbers for this decision alone: a resumed game goes on alike."""
        random = Random.of(self.seed, "bot", player, self.position.deal_number, self.plies)
        sight = Sight(self.position.game, self.position.state, self.position.state.player, plays)
        name = self.seats[player]
        with self.terminal.waiting(f"{player} ({name}) is still thinking; Ctrl-C leaves the game"):
            place = choose(name, self._bots[player], sight, random)
        return self.position.action(plays[place])

    # -- people

    def _let_person_act(self, player: str, plays: Sequence[Play]) -> None:
        if len(self.humans) > 1 and self._last_human != player:
            self.terminal.change_places(f"{player}, it is for you to act: Enter when only you look")
        if not self._last_human == self._acted == player:
            self._shown.clear()
        self._last_human = player
        if player != self._acted:
            self._back.clear()
        moves = self.moves.take(player)
        if len(self.humans) < 2:
            moves = self.moves.untold(finished=False)
        asking = Asking(self, player, plays)
        action = asking.ask(self._shown, moves)
        if action is not None:
            self._make(player, action)

    def moves_lines(self, moves: Turns) -> list[str]:
        """Moves, a turn a line."""
        return [
            line
            for player, actions in moves
            for line in self.screen.wrapped(f"{player}: ", self.screen.text(", ".join(actions)))
        ]


def _seen(position: Position, player: str) -> Counter[int]:
    """All cards before a player's eyes."""
    state = blank(position.state, position.game.players.index(player))
    laid = (meld.cards for melds in state.melds for meld in melds)
    return Counter(
        card & FACE for cards in (*state.zones, *laid) for card in cards if card != UNKNOWN
    )


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


class NobodyDecidesError(Exception):
    """Deal after deal ends without anybody being asked: a mistake in the rules."""

    def __init__(self, deals: int) -> None:
        super().__init__(f"{deals} deals have ended and nobody had anything to decide")
