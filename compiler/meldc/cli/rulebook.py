"""`meldc rulebook`: the rules of a game as text, from the compiled program and nothing else."""

from __future__ import annotations

import json
from collections.abc import Iterator

import click

from meldc.cli.games import house_option, json_option, load_game, seating_options
from meldc.comparing import house_lines
from meldc.rulebook import Line, Section, write_rulebook
from meldc_runtime.game import Game


@click.command()
@click.argument("spec")
@seating_options
@house_option
@json_option
def rulebook(
    spec: str,
    players: int | None,
    side_size: int | None,
    houses: tuple[str, ...],
    as_json: bool,
) -> None:
    """Print the rules of a game, as they are in force, in Markdown."""
    game = load_game(spec, houses, players, side_size)
    sections = write_rulebook(game)
    if as_json:
        click.echo(json.dumps(_as_data(game, sections), ensure_ascii=False, indent=2))
    else:
        click.echo("\n".join(_markdown(game, sections)))


def _markdown(game: Game, sections: list[Section]) -> Iterator[str]:
    yield f"# {game.title}"
    if game.program.house:
        yield from ("", f"House rules: {', '.join(game.program.house)}.", "")
        yield from (f"- {line}" for line in house_lines(game.program))
    for section in sections:
        yield from ("", f"## {section.title}", "")
        yield from map(_line, section.lines)


def _line(line: Line) -> str:
    tags = f" [{', '.join(line.tags)}]" if line.tags else ""
    return f"{'  ' * line.level}- {line.text}{tags}"


def _as_data(game: Game, sections: list[Section]) -> dict[str, object]:
    return {
        "game": game.program.name,
        "title": game.title,
        "house": list(game.program.house),
        "changes": house_lines(game.program),
        "players": game.table.players,
        "sections": [
            {
                "title": section.title,
                "lines": [
                    {
                        "text": line.text,
                        "tags": list(line.tags),
                        "key": line.key,
                        "level": line.level,
                    }
                    for line in section.lines
                ],
            }
            for section in sections
        ],
    }
