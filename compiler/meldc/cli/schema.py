"""`meldc schema`: what an editor needs to complete and check a file as it is written."""

from __future__ import annotations

import json

import click

from meldc.cli.games import end_with
from meldc.cli.writing import write_out
from meldc.compilation import compile_spec
from meldc.publishing import KINDS, bundled, with_names


@click.command()
@click.argument("kind", type=click.Choice(KINDS))
@click.option("--for", "game", metavar="SPEC", help="With the settings and tables of a game.")
@click.option("-o", "--output", metavar="FILE", help="Write to a file.")
def schema(kind: str, game: str | None, output: str | None) -> None:
    """Print the JSON Schema of a kind of file, for completion in an editor.

    It is in one piece and may lie anywhere. A file names it in its first line:
    `# yaml-language-server: $schema=FILE`.
    """
    if game is None or kind == "scenario":
        found = bundled(kind)
    else:
        compilation = compile_spec(game)
        if compilation.model is None:
            end_with(compilation.diagnostics, compilation.sources)
        found = with_names(kind, compilation.model)
    write_out(output, json.dumps(found, indent=2, ensure_ascii=False) + "\n")
