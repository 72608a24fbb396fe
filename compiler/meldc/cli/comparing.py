"""`meldc diff`: what rules differ between two games, in words."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence

import click

from meldc.cli.games import house_option, json_option, read_program
from meldc.comparing import Change, Class, differences, join_rows
from meldc_runtime.program.declarations import Program

TITLES = {
    Class.SETUP: "setup (players, cards, the deal)",
    Class.LEGALITY: "what is legal",
    Class.SCORING: "score",
}


@click.command()
@click.argument("first", metavar="A")
@click.argument("second", metavar="B")
@house_option
@click.option("--deal", "shows_deal", is_flag=True, help="Also show a deal in which they part.")
@json_option
def diff(first: str, second: str, houses: tuple[str, ...], shows_deal: bool, as_json: bool) -> None:
    """Show what rules differ between two games; house rules are laid over B."""
    if shows_deal and as_json:
        raise click.UsageError("`--deal` tells of a deal in words; it does not go with `--json`")
    one, other = read_program(first, ()), read_program(second, houses)
    found = list(differences(one, other))
    if as_json:
        click.echo(json.dumps([_as_data(each) for each in found], ensure_ascii=False, indent=2))
        return
    click.echo(f"{one.title} -> {called(other)}")
    click.echo("\n".join(_told(found)) or "no rule differs")
    if shows_deal:
        click.echo("\n".join(_shown(one, other)))


def _shown(one: Program, other: Program) -> Iterator[str]:
    """A deal in which the games part, in words."""
    from meldc.comparing.witness import witness  # what plays is loaded only here

    found = witness(one, other)
    if found is None:
        yield "a deal that shows it: none was found among a few"
        return
    yield "a deal that shows it:"
    yield from (f"  {line}" for line in found.in_words())


def called(program: Program) -> str:
    """The title, with the house rules laid over the game."""
    return f"{program.title} with {', '.join(program.house)}" if program.house else program.title


def _told(found: Sequence[Change]) -> Iterator[str]:
    for class_ in Class:
        here = [each for each in join_rows(found) if each.class_ is class_]
        if here:
            yield f"{TITLES[class_]}:"
            yield from (f"  {each.in_words()}" for each in here)


def _as_data(change: Change) -> dict[str, object]:
    step = change.steps[-1] if change.steps else None
    origin = step.origin if step else None
    return {
        "key": change.key,
        "class": str(change.class_),
        "text": change.text,
        "a": change.before,
        "b": change.after,
        "source": change.source,
        "file": origin.file if origin else None,
        "line": origin.line if origin else None,
    }
