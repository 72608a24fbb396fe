"""The public face of the runtime: a game, its positions, its actions.

game = meldc_runtime.load("game.json") state = game.deal(seed=1) while not state.is_over:
state.apply(state.legal_actions()[0]) print(state.scores)

Players are `P1 …`, sides `A …`, actions their texts, cards `KH 10S 2C Jkr`; everything given out
is plain data.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from meldc_runtime import actions, legality, machine, view
from meldc_runtime.light import dataclass
from meldc_runtime.lookahead import outlook_of
from meldc_runtime.names import parse_player, player_name, side_name
from meldc_runtime.program import Program, dump
from meldc_runtime.program import read as read_saved
from meldc_runtime.program.reserved import DEAL_NUMBER
from meldc_runtime.state import Play, Reason, State
from meldc_runtime.table import Table

ACTIONS_TOLD = 6
"""How many legal actions are told to one whose action could not be read."""


class ActionError(ValueError):
    """A text that is no action of the game."""


class IllegalActionError(ValueError):
    """An action that is not legal in a position; `reasons` says why."""

    def __init__(self, action: Action, reasons: tuple[Reason, ...]) -> None:
        super().__init__(f"{action}: " + "; ".join(reason.text for reason in reasons))
        self.action = action
        self.reasons = reasons


@dataclass(frozen=True, slots=True)
class Action:
    """A move by its text, in the form in which `str` gives it and `Game.parse` reads it."""

    text: str

    def __str__(self) -> str:
        return self.text


def load(path: str | Path) -> Game:
    """The game in a compiled program.

    Raises OSError where the file can't be read, ProgramError where it is no program of this format.
    """
    return Game(read_saved(Path(path)))


class Game:
    """A program seated: for so many players, in sides of this size (see `Table` for what holds
    where nothing is said).
    """

    def __init__(
        self, program: Program, players: int | None = None, side_size: int | None = None
    ) -> None:
        """Raises SeatingError where the game is not played so."""
        self.program = program
        self.table = Table(program, players, side_size)
        self._seated: dict[tuple[int | None, int | None], Game] = {}

    @property
    def title(self) -> str:
        return self.program.title

    @property
    def players(self) -> tuple[str, ...]:
        return tuple(player_name(player) for player in range(self.table.players))

    @property
    def sides(self) -> dict[str, tuple[str, ...]]:
        """The players of each side."""
        table = self.table
        return {
            side_name(side): tuple(player_name(player) for player in table.players_of(side))
            for side in range(table.sides)
        }

    def seated(self, players: int | None = None, side_size: int | None = None) -> Game:
        """The same game for another number of players or size of sides. Raises SeatingError."""
        if players in (None, self.table.players) and side_size in (None, self.table.side_size):
            return self
        seat = (players, side_size)
        if seat not in self._seated:
            self._seated[seat] = Game(self.program, players, side_size)
        return self._seated[seat]

    def deal(self, seed: int, dealer: str = "P1") -> Position:
        """The first deal of a game, dealt up to the first decision."""
        return self.start(seed, dealer)

    def start(self, seed: int, dealer: str = "P1") -> Position:
        """A whole game: when a deal is over, `next_deal` deals the following one, until
        `game_over`.
        """
        return Position(self, machine.start_game(self.table, seed, self._player(dealer)))

    def position(self, given: Mapping[str, Any], *, finished: bool = False) -> Position:
        """A position from a description; see `meldc_runtime.positions`. Raises PositionError,
        SeatingError.
        """
        from meldc_runtime import positions  # only who describes positions pays for it

        game = self.seated(*positions.seating(given))
        return Position(game, positions.position(game.table, given, finished=finished))

    def dealt(self, given: Mapping[str, Any], seed: int) -> Position:
        """A deal by chance in a game that has come so far; see `meldc_runtime.positions.dealt`.
        Raises PositionError, SeatingError.
        """
        from meldc_runtime import positions  # only who describes positions pays for it

        game = self.seated(*positions.seating(given))
        return Position(game, positions.dealt(game.table, given, seed))

    def parse(self, text: str) -> Action:
        """The action that a text names, in its usual form. Raises ActionError where no action of
        the game reads so.
        """
        try:
            return Action(actions.canonical(self.table, text))
        except ValueError as error:
            raise ActionError(str(error)) from None

    def is_formed(self, text: str) -> bool:
        """Whether a text has the form of an action, though it may name a kind, a meld or a player
        that the game does not have.
        """
        return actions.is_formed(self.table, text)

    def save(self, path: str | Path) -> None:
        """Writes the compiled program. Raises OSError."""
        Path(path).write_text(dump(self.program), encoding="utf-8")

    def _player(self, name: str) -> int:
        player = parse_player(name, self.table.players)
        if player is None:
            raise ValueError(f"there is no player `{name}`")
        return player


class Position:
    """A position of a game. `apply` and `next_deal` change it; `copy` gives an independent one."""

    def __init__(self, game: Game, state: State) -> None:
        self.game = game
        self.state = state

    @property
    def to_act(self) -> str:
        """The player who must act now."""
        return player_name(self.state.player)

    @property
    def turn(self) -> str:
        """The player whose turn it is: another than `to_act` while a question is answered."""
        return player_name(self.state.turn)

    @property
    def phase(self) -> str:
        return self.game.program.phases[self.state.phase].name

    @property
    def is_over(self) -> bool:
        """Whether the deal is over."""
        return self.state.over

    @property
    def game_over(self) -> bool:
        return self.state.game_over

    @property
    def scores(self) -> dict[str, int]:
        """The scores of the deal by side; empty while it goes on."""
        return view.scores(self.state)

    @property
    def sheet(self) -> list[dict[str, Any]]:
        """The score of the deal line by line (`line`, `side`, `points`); empty while it goes on."""
        return view.sheet(self.state)

    @property
    def totals(self) -> dict[str, int]:
        """The totals by side, the deal included once it is over."""
        return view.totals(self.state)

    @property
    def winners(self) -> tuple[str, ...]:
        """The side or sides that won, once the game is over."""
        return tuple(side_name(side) for side in self.state.winners)

    @property
    def deal_number(self) -> int:
        return int(self.state.memory[self.game.table.memory_slot(DEAL_NUMBER)])

    def legal_actions(self) -> list[Action]:
        """The smallest steps that are legal, one for each kind of card; empty only when the deal
        is over.
        """
        if self.state.over:
            return []
        return [self.action(play) for play in legality.legal_plays(self.state)]

    def action(self, play: Play) -> Action:
        """The text of a play of the machine here."""
        return Action(actions.text(self.state, play))

    def seen_by(self, player: str, action: Action | str) -> str:
        """The text of a legal action as a player sees it made: secret cards are `??`."""
        plan, _ = self._find_plan(self._action(action))
        watcher = self.game._player(player)
        if plan is None or len(plan) != 1:
            return str(action)
        return view.seen_text(self.state, plan[0], watcher)

    def why_illegal(self, action: Action | str) -> tuple[Reason, ...]:
        """The reasons against an action; empty when it is legal. Raises ActionError for a text
        that is none.
        """
        return self._find_plan(self._action(action))[1]

    def is_legal(self, action: Action | str) -> bool:
        return not self.why_illegal(action)

    def apply(self, action: Action | str) -> None:
        """Makes an action, in place. A larger one than those listed is made in its smallest steps.

        Raises IllegalActionError (the position stays as it was), ActionError for a text that is
        none.
        """
        wanted = self._action(action)
        plan, reasons = self._find_plan(wanted)
        if plan is None:
            raise IllegalActionError(wanted, reasons)
        state = self.state.copy()
        for play in plan:
            machine.apply(state, play)
        self.state = state

    def next_deal(self) -> None:
        """Deals the following deal, in place. Raises ValueError before a deal is over and after
        the game is.
        """
        machine.next_deal(self.state)

    def score(self) -> None:
        """Counts the deal as it lies, in place: for a finished deal given as a position."""
        machine.score_deal(self.state)

    def compare_options(self, texts: Iterable[str]) -> tuple[list[str], list[str]]:
        """Holds texts against the legal actions, equal cards taken as equal: those not legal, and
        legal ones not named.

        Raises ActionError for a text that is no action.
        """
        legal = (
            {self._kind_of_play(play): play for play in legality.legal_plays(self.state)}
            if not self.is_over
            else {}
        )
        missing, named = [], set()
        for text in texts:
            meant = [
                self._kind_of_play(play)
                for play in actions.parse(self.state, self._action(text).text)
            ]
            found = [kind for kind in meant if kind in legal]
            named.update(found[:1])
            if not found:
                missing.append(text)
        surplus = [str(self.action(play)) for kind, play in legal.items() if kind not in named]
        return missing, surplus

    def view(self, player: str) -> dict[str, Any]:
        """What a player may see, as plain data; see `meldc_runtime.view`."""
        return view.view(self.state, self.game._player(player))

    def copy(self) -> Position:
        return Position(self.game, self.state.copy())

    def _kind_of_play(self, play: Play) -> tuple[Any, ...]:
        """The play with kinds in the place of faces: equal for plays with equal cards."""
        table = self.game.table
        of = outlook_of(table).kinds.of
        kinds: list[Any] = [play.action]
        for param, value in zip(table.program.actions[play.action].params, play.args, strict=True):
            if param.type == "card":
                kinds.append(of[value])
            elif param.type == "cards":
                kinds.append(tuple(sorted(of[face] for face in value)))
            else:
                kinds.append(value)
        return tuple(kinds)

    def _action(self, action: Action | str) -> Action:
        if isinstance(action, Action):
            return action
        try:
            return self.game.parse(action)
        except ActionError as error:
            raise ActionError(f"{error}{self._legal_now()}") from None

    def _legal_now(self) -> str:
        """A few legal actions, of every kind one before others."""
        if self.state.over:
            return "; the deal is over"
        plays = legality.legal_plays(self.state)
        firsts = {play.action: play for play in reversed(plays)}
        some = [*dict.fromkeys((*(firsts[index] for index in sorted(firsts)), *plays))]
        shown = ", ".join(f"`{self.action(play)}`" for play in some[:ACTIONS_TOLD])
        return f"; legal now {'are' if len(some) > 1 else 'is'} {shown}" + (
            ", …" if len(some) > ACTIONS_TOLD else ""
        )

    def _find_plan(self, action: Action) -> tuple[tuple[Play, ...] | None, tuple[Reason, ...]]:
        """The plays that make up an action, or the reasons against it."""
        if self.state.over:
            return None, (Reason("over", "the deal is over"),)
        return legality.plan(self.state, action.text)
