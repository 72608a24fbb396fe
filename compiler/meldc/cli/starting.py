"""`meldc new`: the beginning of a variant."""

from __future__ import annotations

import re
from pathlib import Path

import click

from meldc.cli.games import end_with, reason, unreadable
from meldc.compilation import compile_spec
from meldc.load.catalogue import is_path

_NAME = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*")


@click.command()
@click.argument("name")
@click.option("--from", "base", required=True, metavar="BASE", help="The game it differs from.")
def new(name: str, base: str) -> None:
    """Write NAME.yaml, a variant of BASE to be changed."""
    if not _NAME.fullmatch(name):
        raise click.UsageError(f"`{name}`: a name is small letters, digits and hyphens: `my-game`")
    reference = _reference(base)
    compilation = compile_spec(base)
    if compilation.program is None:
        end_with(compilation.diagnostics, compilation.sources)
    text = _text(name, reference, compilation.program.title)
    path = Path(f"{name}.yaml")
    try:
        with path.open("x", encoding="utf-8") as file:
            file.write(text)
    except FileExistsError:
        raise unreadable(f"`{path}` exists already") from None
    except OSError as problem:
        raise unreadable(f"`{path}` cannot be written: {reason(problem)}") from None
    click.echo(f"{path} is written; `meldc check {path}`, `meldc play {path}`")


def _reference(base: str) -> str:
    """The base as a file in this folder may name it."""
    if not is_path(base):
        return base
    folder = Path.cwd()
    path = (folder / base).resolve()
    if not path.is_relative_to(folder.resolve()):
        raise click.UsageError(f"`{base}`: a variant extends files of its own folder or below it")
    return path.relative_to(folder.resolve()).as_posix()


def _text(name: str, reference: str, title: str) -> str:
    words = name.replace("-", " ").capitalize()
    return f"""variant: {name}
title: {words}
extends: {reference}  # {title}: only what differs from it is written below

# `meldc why {reference} settings` lists the settings, with where their values come from;
# `meldc why {name}.yaml KEY` does so for this game.
"""
