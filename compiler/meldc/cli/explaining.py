"""`meldc explain` and `meldc why`: what a code means, where a value comes from."""

from __future__ import annotations

import json
import textwrap
from collections.abc import Sequence

import click

from meldc.cli.comparing import called
from meldc.cli.games import house_option, json_option, read_program
from meldc.comparing import house_changes, house_lines
from meldc.diagnostics import CODES, CodePage, suggest
from meldc_runtime.program.declarations import Program, Step

WIDTH = 80


@click.command()
@click.argument("code")
def explain(code: str) -> None:
    """Print the page of a diagnostic's code."""
    page = CODES.get(code.strip().upper())
    if page is None:
        near = suggest(code.upper(), CODES)
        hint = f"; did you mean {near[0]}?" if near else ""
        raise click.UsageError(f"there is no code `{code}`{hint}")
    click.echo("\n".join(_page(page)))


def _page(page: CodePage) -> list[str]:
    example = [f"    {line}".rstrip() for line in page.example.rstrip("\n").split("\n")]
    return [
        f"{page.code}: {page.title}",
        "",
        *textwrap.wrap(page.explanation, WIDTH, break_long_words=False, break_on_hyphens=False),
        "",
        "For example:",
        "",
        *example,
        "",
        *textwrap.wrap(page.cure, WIDTH, break_long_words=False, break_on_hyphens=False),
    ]


@click.command()
@click.argument("spec")
@click.argument("key")
@house_option
@json_option
def why(spec: str, key: str, houses: tuple[str, ...], as_json: bool) -> int:
    """Show where an effective value comes from, step by step.

    KEY is the key of a value (`settings.hand_size`, `melds.set.size`, `rules.NAME`), or its end
    (`hand_size`); `melds` shows all values below it; `house` what house rules changed.
    """
    program = read_program(spec, houses)
    if key.strip() == "house":
        found = [(change.key, change.steps) for change in house_changes(program)]
        if not as_json:
            click.echo(
                "\n".join([called(program), *(f"  {line}" for line in house_lines(program))])
            )
            return 0
        click.echo(json.dumps([_as_data(*each) for each in found], ensure_ascii=False, indent=2))
        return 0
    found = _matching(program, key)
    if not found:
        keys = [each for each, _ in program.provenance]
        near = suggest(key, [*keys, *(each.rpartition(".")[2] for each in keys)])
        hint = f"; did you mean {', '.join(f'`{each}`' for each in near)}?" if near else ""
        click.echo(f"Error: {program.title} has no value `{key}`{hint}", err=True)
        return 1
    if as_json:
        click.echo(json.dumps([_as_data(*each) for each in found], ensure_ascii=False, indent=2))
    else:
        click.echo("\n".join(line for each in found for line in _chain(*each)))
    return 0


def _matching(program: Program, key: str) -> list[tuple[str, tuple[Step, ...]]]:
    """The value of this key; else those below it; else those whose keys end in it."""
    wanted = key.strip().replace("-", "_")
    known = [(name, steps) for name, steps in program.provenance if steps]
    exact = [(name, steps) for name, steps in known if name == wanted]
    below = [(name, steps) for name, steps in known if name.startswith(f"{wanted}.")]
    ending = [(name, steps) for name, steps in known if name.endswith(f".{wanted}")]
    return exact + below or ending


def _chain(key: str, steps: Sequence[Step]) -> list[str]:
    lines = [f"{key}: {steps[-1].text}"]
    for step in steps:
        place = f"  ({_place(step)})" if step.origin else ""
        lines.append(f"  {step.source}: {step.text}{place}")
    return lines


def _place(step: Step) -> str:
    assert step.origin is not None
    return f"{step.origin.file}:{step.origin.line}:{step.origin.column}"


def _as_data(key: str, steps: Sequence[Step]) -> dict[str, object]:
    return {
        "key": key,
        "value": steps[-1].text,
        "steps": [
            {
                "source": step.source,
                "value": step.text,
                "file": step.origin.file if step.origin else None,
                "line": step.origin.line if step.origin else None,
                "column": step.origin.column if step.origin else None,
            }
            for step in steps
        ],
    }
