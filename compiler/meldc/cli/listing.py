"""`meldc list`: what is shipped."""

from __future__ import annotations

import json

import click

from meldc.cli.games import json_option
from meldc.diagnostics import CompileError
from meldc.load.catalogue import Kind, Place, shipped
from meldc.load.nodes import YamlMap, YamlText
from meldc.load.text_reader import read_source
from meldc.load.yaml_reader import read_yaml

LISTED = ((Kind.VARIANT, "variant"), (Kind.HOUSE, "house rule"))


@click.command("list")
@json_option
def list_command(as_json: bool) -> None:
    """List the shipped variants and house rules."""
    found = [
        (word, name, _title(place))
        for kind, word in LISTED
        for name, place in shipped(kind).items()
    ]
    if as_json:
        rows = [{"kind": word, "name": name, "title": title} for word, name, title in found]
        click.echo(json.dumps(rows, ensure_ascii=False, indent=2))
        return
    width = max((len(name) for _, name, _ in found), default=0)
    for word, name, title in found:
        click.echo(f"{word:<10}  {name:<{width}}  {title}".rstrip())


def _title(place: Place) -> str:
    try:
        root = read_yaml(read_source(place.file, place.shown))
    except CompileError:
        return "(cannot be read)"
    title = root.get("title") if isinstance(root, YamlMap) else None
    return title.value if isinstance(title, YamlText) else ""
