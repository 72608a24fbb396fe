"""`meldc play`: a game at the terminal."""

from __future__ import annotations

import secrets
import shlex
import sys
from collections import deque
from collections.abc import Collection, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path

import click

from meldc.cli.games import house_option, load_game, reason, seating_options, unreadable
from meldc.cli.play.asking import Quit
from meldc.cli.play.files import from_here, lasting, new_record_path
from meldc.cli.play.records import load_recorded, read_record, refuse, replay_record
from meldc.cli.play.screen import Screen
from meldc.cli.play.session import (
    HUMAN,
    DeadEndError,
    NobodyDecidesError,
    RecordLostError,
    Session,
)
from meldc.cli.play.sheet import score_sheet
from meldc.cli.play.terminal import EndOfInput, Terminal
from meldc.cli.streams import shows_signs
from meldc.comparing import house_lines
from meldc.load.catalogue import is_path
from meldc_runtime.bots import BOTS, BotError, make_bot
from meldc_runtime.game import Game, Position
from meldc_runtime.program import content_hash
from meldc_runtime.records import BusyRecordError, Entry, Header, Recorder, RecordError


@click.command()
@click.argument("spec", required=False)
@click.option(
    "--seat",
    "seats",
    multiple=True,
    metavar="P1=human",
    help=f"Who sits where: human, or a bot: {', '.join(sorted(BOTS))}, package:Class.",
)
@click.option("--bot", metavar="NAME", help="Who sits at all other seats (usually: greedy).")
@click.option("--seed", type=click.IntRange(0, 2**63 - 1), metavar="N", help="Seed of the game.")
@click.option("--record", "record_path", metavar="FILE", help="Keep the game there.")
@click.option("--resume", "resume_path", metavar="FILE", help="Go on with a recorded game.")
@seating_options
@house_option
def play(
    spec: str | None,
    seats: tuple[str, ...],
    bot: str | None,
    seed: int | None,
    record_path: str | None,
    resume_path: str | None,
    players: int | None,
    side_size: int | None,
    houses: tuple[str, ...],
) -> int:
    """Play a game at the terminal. Every action is kept on the disk as it is made."""
    if resume_path is not None:
        if seed is not None or record_path or houses or players or side_size or bot:
            raise click.UsageError("a resumed game has its seed, file, seats and house rules")
        return _go_on(resume_path, spec, seats)
    if spec is None:
        raise click.UsageError("which game? `meldc list` shows those that are shipped")
    game = load_game(spec, houses, players, side_size)
    chosen = _seats(seats, game, _usual_seats(game, bool(seats), bot or USUAL_BOT))
    seed = secrets.randbits(32) if seed is None else seed
    header = _header(spec, houses, game, seed, chosen)
    recorder = _new_recorder(record_path, header)
    return _run(Start(game, game.start(seed), header, recorder))


@dataclass(frozen=True, slots=True)
class Start:
    """A game about to be played or gone on with. plies: actions made in the deal so far; past: the
    last of them, each with the position before it. finished: the end of the deal before, where
    nobody has acted in this one.
    """

    game: Game
    position: Position
    header: Header
    recorder: Recorder | None
    plies: int = 0
    past: tuple[tuple[Position, Entry], ...] = ()
    finished: Position | None = None


def _run(start: Start) -> int:
    terminal = Terminal.standard()
    screen = Screen(start.game, shows_signs(), terminal.width, _spec(start.header))
    seats = dict(start.header.seats)
    seed = start.header.seed or 0
    session = Session(start.position, seats, seed, screen, terminal, start.recorder, start.plies)
    terminal.say(session.paint.head(start.game.title), *_about(start, session))
    if start.finished is not None:
        number = start.position.deal_number - 1
        session.say("", f"Deal {number} is over.", *score_sheet(screen, start.finished))
    session.recall(start.past)
    try:
        session.play()
    except (Quit, EndOfInput):
        session.clear_table()
        terminal.say(_farewell(start.recorder))
        return 0
    except (DeadEndError, NobodyDecidesError) as error:
        click.echo(f"Error: {error}; {_mistake(start.header)}", err=True)
        return 1
    except RecordLostError as error:
        click.echo(f"Error: {error}", err=True)
        click.echo(_farewell(start.recorder), err=True)
        return 1
    except BotError as error:
        click.echo(f"Error: {error}", err=True)
        other = f" --seat {session.position.to_act}={USUAL_BOT}"
        click.echo(_farewell(start.recorder, f"{other} (another bot)"), err=True)
        return 1
    except (KeyboardInterrupt, OSError):  # OSError: nothing more can be shown
        with suppress(OSError):
            session.clear_table()
        click.echo(f"\n{_farewell(start.recorder)}", err=True)
        raise
    finally:
        if start.recorder is not None:
            start.recorder.close()
    return 0


def _about(start: Start, session: Session) -> list[str]:
    seats = ", ".join(f"{seat} {who}" for seat, who in start.header.seats)
    laid = ", ".join(map(from_here, start.header.house))
    house = [f"House rules: {laid}"] if laid else []
    house += [f"  {line}" for line in house_lines(start.game.program)]
    seated = session.screen.wrapped("Seats: ", f"{seats}. Seed {start.header.seed}.")
    told = [*house, *seated, *_without_people(session), session.kept()]
    return (
        [*told, "`help`: what can be typed; `?`: the rules on one card."]
        if session.humans
        else told
    )


def _spec(header: Header) -> str:
    """What a command needs to find the game again: its name or path, with its house rules."""
    houses = [part for each in header.house for part in ("--house", from_here(each))]
    return shlex.join((from_here(header.game), *houses))


def _mistake(header: Header) -> str:
    """Whose mistake rules are that lead nowhere, and what can be done about it."""
    if any(is_path(each.partition("=")[0]) for each in (header.game, *header.house)):
        search = f"meldc check {_spec(header)} --deep"
        return f"this is a mistake in its rules; `{search}` looks for more"
    return "this is a mistake in the rules, please report it"


def _without_people(session: Session) -> list[str]:
    """How to take part, where nobody was asked who sits where and no terminal is there."""
    if session.humans or (sys.stdin is not None and sys.stdin.isatty()):
        return []
    seat = session.position.game.players[0]
    return [f"No terminal: bots play all seats; `--seat {seat}={HUMAN}` to play from a pipe."]


def _farewell(recorder: Recorder | None, with_options: str = "") -> str:
    if recorder is None:
        return "The game was not recorded."
    kept = shlex.quote(str(recorder.path))
    return f"The game is kept; go on with: meldc play --resume {kept}{with_options}"


# -- seats


USUAL_BOT = "greedy"
RECALLED = 200
"""Actions that are looked through for what a person has not seen yet."""


def _usual_seats(game: Game, given: bool, bot: str) -> dict[str, str]:
    """Bots everywhere; the first player is human where a person sits and nobody says otherwise."""
    seats = dict.fromkeys(game.players, bot)
    if not given and sys.stdin is not None and sys.stdin.isatty():
        seats[game.players[0]] = HUMAN
    return seats


def _seats(given: tuple[str, ...], game: Game, usual: dict[str, str]) -> dict[str, str]:
    seats = dict(usual)
    for entry in given:
        name, equals, who = entry.partition("=")
        seat = name.strip().upper()
        if not equals or seat not in seats:
            known = f"{game.players[0]} to {game.players[-1]}"
            raise click.UsageError(f"`--seat {entry}`: a seat is {known}, as in `P1=human`")
        seats[seat] = who.strip()
    for seat, who in seats.items():
        try:
            _ = who == HUMAN or make_bot(who)
        except BotError as problem:
            raise click.UsageError(f"seat {seat}: {problem}; or `{HUMAN}`") from None
    return seats


# -- records


def _header(
    spec: str, houses: tuple[str, ...], game: Game, seed: int, seats: dict[str, str]
) -> Header:
    table = game.table
    return Header(
        lasting(spec),
        game.title,
        content_hash(game.program),
        tuple(map(lasting, houses)),
        table.players,
        table.side_size,
        seed,
        tuple(seats.items()),
    )


def _new_recorder(given: str | None, header: Header) -> Recorder | None:
    """The record of a new game; without `--record` a game goes on even where none can be kept."""
    try:
        path = (
            new_record_path(Path(header.game).stem, header.seed or 0)
            if given is None
            else Path(given)
        )
        return Recorder.create(path, header)
    except FileExistsError:
        hint = f"`--resume {given}` goes on with it"
        raise unreadable(f"`{given}` exists already; {hint}") from None
    except (OSError, RuntimeError) as error:
        why = reason(error) if isinstance(error, OSError) else str(error)
        if given is not None:
            raise unreadable(f"`{given}` cannot be written: {why}") from None
        click.echo(f"Warning: this game is not recorded: {why}", err=True)
        return None


def _go_on(path: str, spec: str | None, seats: tuple[str, ...]) -> int:
    record = read_record(path)
    header = record.header
    game = load_recorded(path, header, spec)
    if header.seen_by is not None:
        raise click.UsageError(
            f"`{path}` was made for the eyes of {header.seen_by}: `meldc replay` shows it, but "
            "what others hold is left out, so it cannot be gone on with"
        )
    past: deque[tuple[Position, Entry]] = deque(maxlen=RECALLED)
    position = replay_record(path, game, record, lambda at, entry: past.append((at.copy(), entry)))
    if position.game_over:
        click.echo(f"The game in {path} is over: {', '.join(position.winners)} won.")
        return 0
    chosen = _seats(seats, game, {**dict.fromkeys(game.players, USUAL_BOT), **dict(header.seats)})
    try:
        recorder = Recorder.resume(Path(path), record)
    except BusyRecordError as problem:
        raise unreadable(f"`{path}` cannot be gone on with: {problem.message}") from None
    except RecordError as problem:
        refuse(path, problem)
    except OSError as error:
        raise unreadable(f"`{path}` cannot be written: {reason(error)}") from None
    plies = sum(entry.deal == position.deal_number for entry in record.entries)
    header = replace(header, seats=tuple(chosen.items()))
    own = {seat for seat, who in chosen.items() if who == HUMAN}
    since = _since(past, position, own)
    return _run(Start(game, position, header, recorder, plies, since, _finished(past, position)))


def _finished(past: Sequence[tuple[Position, Entry]], position: Position) -> Position | None:
    """The end of the deal before, where nobody has acted in the one that is on."""
    if not past or past[-1][1].deal == position.deal_number:
        return None
    last, entry = past[-1]
    last.apply(entry.action)
    return last


def _since(
    past: Iterable[tuple[Position, Entry]], position: Position, people: Collection[str]
) -> tuple[tuple[Position, Entry], ...]:
    """Of the last actions those of this deal that follow the last one of a person."""
    found: list[tuple[Position, Entry]] = []
    for before, entry in past:
        if entry.player in people or entry.deal != position.deal_number:
            found.clear()
        else:
            found.append((before, entry))
    return tuple(found)
