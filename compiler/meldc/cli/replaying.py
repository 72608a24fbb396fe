"""`meldc replay`: a recorded game, played again and checked."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import click

from meldc.cli.games import json_option, reason, unreadable
from meldc.cli.play.paint import Paint, wild_texts
from meldc.cli.play.records import (
    load_recorded,
    read_record,
    redact_record,
    replay_record,
    write_record,
)
from meldc.cli.play.screen import Screen
from meldc.cli.play.sheet import score_sheet
from meldc.cli.play.terminal import Terminal
from meldc.cli.streams import shows_signs
from meldc_runtime.game import Game, Position
from meldc_runtime.names import parse_player, player_name
from meldc_runtime.records import Entry, Record


@click.command()
@click.argument("file")
@click.argument("spec", required=False)
@click.option("--at", type=click.IntRange(0), metavar="N", help="Show the table after N actions.")
@click.option("--player", metavar="P", help="As which player sees it (usually who is to act).")
@click.option(
    "--redact", nargs=2, metavar="P FILE", help="Write a record of what player P saw, no more."
)
@json_option
def replay(
    file: str,
    spec: str | None,
    at: int | None,
    player: str | None,
    redact: tuple[str, str] | None,
    as_json: bool,
) -> None:
    """Play a recorded game again, checking every action; SPEC stands in for its game."""
    record = read_record(file)
    header = record.header
    game = load_recorded(file, header, spec)
    watcher = None if player is None else _player(game, record, "--player", player)
    if redact is not None:
        _redact(file, game, record, *redact)
    elif at is not None or player is not None:
        _show(file, game, record, at, watcher, as_json)
    else:
        _check(file, game, record, as_json)


# -- all of it


def _check(file: str, game: Game, record: Record, as_json: bool) -> None:
    telling = _Telling(Screen(game, shows_signs()), as_json)
    position = replay_record(file, game, record, telling.watch)
    telling.end_turn()
    if as_json:
        click.echo(json.dumps(_summary(position, record), indent=2))
        return
    totals = "   ".join(f"{telling.screen.side(s)} {n}" for s, n in position.totals.items())
    count = len(record.entries)
    if record.header.seen_by is not None:
        seen = f"{record.header.seen_by} saw them; that player's own are legal"
        click.echo(f"{count} actions as {seen}; total: {totals}")
    else:
        click.echo(f"{count} actions, all legal; total: {totals}")
    if record.cut:
        click.echo("The last line of the file was cut short while it was written; it is left out.")


class _Telling:
    """Tells a game, a turn a line, with the number of its last action."""

    def __init__(self, screen: Screen, quiet: bool) -> None:
        self.screen = screen
        self.quiet = quiet
        self._deal = 0
        self._made = 0
        self._player = ""
        self._actions: list[str] = []

    def watch(self, position: Position, entry: Entry) -> None:
        if entry.player != self._player or entry.deal != self._deal:
            self.end_turn()
        if entry.deal != self._deal and not self.quiet:
            click.echo(f"Deal {entry.deal}")
        self._deal, self._player = entry.deal, entry.player
        self._actions.append(entry.action)
        self._made += 1

    def end_turn(self) -> None:
        if self._actions and not self.quiet:
            actions = self.screen.text(", ".join(self._actions))
            click.echo(f"{self._made:>6}  {self._player}: {actions}")
        self._actions.clear()


def _summary(position: Position, record: Record) -> dict[str, Any]:
    return {
        "game": position.game.program.name,
        "actions": len(record.entries),
        "deal": position.deal_number,
        "totals": position.totals,
        "game_over": position.game_over,
        "winners": list(position.winners),
        "seen_by": record.header.seen_by,
        "cut_short": record.cut,
    }


# -- one point of it


def _show(
    file: str, game: Game, record: Record, at: int | None, watcher: str | None, as_json: bool
) -> None:
    count = len(record.entries)
    if at is not None and at > count:
        raise click.UsageError(f"`--at {at}`: `{file}` has {count} actions")
    position = replay_record(file, game, record, None, count if at is None else at)
    player = watcher or record.header.seen_by or position.to_act
    view = position.view(player)
    if as_json:
        click.echo(json.dumps(view, ensure_ascii=False, indent=2))
        return
    terminal = Terminal.standard()
    wild = wild_texts(position.state)
    paint = Paint(terminal.colour, wild)
    screen = Screen(game, shows_signs(), terminal.width)
    to_act = "the deal is over" if position.is_over else f"{position.to_act} to act"
    head = f"Deal {view['deal']}, after {count if at is None else at} actions, {to_act}"
    terminal.say(paint.head(f"{head}; as {player} sees it"))
    lines = [*screen.table(view, wild), *screen.own_cards(view, wild)]
    if position.is_over:
        lines += score_sheet(screen, position)
    terminal.say(*(paint.line(line) for line in lines))


def _player(game: Game, record: Record, option: str, name: str) -> str:
    number = parse_player(name, game.table.players)
    if number is None:
        known = f"{game.players[0]} to {game.players[-1]}"
        raise click.UsageError(f"`{option} {name}`: players are {known}")
    seen_by = record.header.seen_by
    if seen_by is not None and player_name(number) != seen_by:
        raise click.UsageError(
            f"`{option} {name}`: the record was made for the eyes of {seen_by} alone"
        )
    return player_name(number)


def _redact(file: str, game: Game, record: Record, name: str, path: str) -> None:
    player = _player(game, record, "--redact", name)
    if record.header.seen_by is not None:
        raise click.UsageError(f"`{file}` shows no more than {player} saw already")
    header, steps = redact_record(file, game, record, player)
    try:
        write_record(Path(path), header, steps)
    except FileExistsError:
        raise unreadable(f"`{path}` exists already; nothing is written over it") from None
    except OSError as problem:
        raise unreadable(f"`{path}` cannot be written: {reason(problem)}") from None
    click.echo(f"{path}: {len(record.entries)} actions as {player} saw them")
