"""`meldc replay`: a recorded game, played again and checked."""

from __future__ import annotations

import json
from typing import Any

import click

from meldc.cli.games import json_option, load_game
from meldc.cli.play.records import read_record, replay_record
from meldc.cli.play.screen import Screen
from meldc.cli.streams import shows_signs
from meldc_runtime.game import Position
from meldc_runtime.records import Entry


@click.command()
@click.argument("file")
@click.argument("spec", required=False)
@json_option
def replay(file: str, spec: str | None, as_json: bool) -> None:
    """Play a recorded game again, checking every action; SPEC stands in for its game."""
    record = read_record(file)
    header = record.header
    game = load_game(spec or header.game, header.house, header.players, header.side_size)
    screen = Screen(game, shows_signs())
    told: list[str] = []
    turn: list[str] = []

    def watch(position: Position, entry: Entry) -> None:
        if turn and (turn[0] != entry.player or position.deal_number != len(told)):
            _tell(screen, turn, as_json)
        if position.deal_number > len(told):
            told.append(entry.player)
            if not as_json:
                click.echo(f"Deal {entry.deal}")
        turn[:] = [*turn, entry.action] if turn else [entry.player, entry.action]

    position = replay_record(file, game, record, watch)
    _tell(screen, turn, as_json)
    if as_json:
        click.echo(json.dumps(_summary(position, len(record.entries)), indent=2))
        return
    totals = "   ".join(f"{screen.side(s)} {n}" for s, n in position.totals.items())
    click.echo(f"{len(record.entries)} actions, all legal; total: {totals}")


def _tell(screen: Screen, turn: list[str], quiet: bool) -> None:
    if turn and not quiet:
        player, *actions = turn
        click.echo(f"  {player}: {', '.join(screen.text(action) for action in actions)}")
    turn.clear()


def _summary(position: Position, actions: int) -> dict[str, Any]:
    return {
        "game": position.game.program.name,
        "actions": actions,
        "deal": position.deal_number,
        "totals": position.totals,
        "game_over": position.game_over,
        "winners": list(position.winners),
    }
