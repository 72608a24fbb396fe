"""`meldc list`: what is shipped."""

from __future__ import annotations

import json

import click

from meldc.assets import data_root
from meldc.cli.games import json_option
from meldc.diagnostics import CompileError
from meldc.load.nodes import YamlMap, YamlText
from meldc.load.text_reader import read_source
from meldc.load.yaml_reader import read_yaml

FOLDERS = (("variants", "variant"), ("house-rules", "house rule"))


@click.command("list")
@json_option
def list_command(as_json: bool) -> None:
    """List the shipped variants and house rules."""
    found = [(kind, name, title) for folder, kind in FOLDERS for name, title in shipped(folder)]
    if as_json:
        rows = [{"kind": kind, "name": name, "title": title} for kind, name, title in found]
        click.echo(json.dumps(rows, ensure_ascii=False, indent=2))
        return
    width = max((len(name) for _, name, _ in found), default=0)
    for kind, name, title in found:
        click.echo(f"{kind:<10}  {name:<{width}}  {title}".rstrip())


def shipped(folder: str) -> list[tuple[str, str]]:
    """Names and titles of the files in a folder of the shipped specs, in the order of the names."""
    files = (
        file for file in (data_root("specs") / folder).iterdir() if file.name.endswith(".yaml")
    )
    return [(file.name[:-5], _title(file)) for file in sorted(files, key=lambda file: file.name)]


def _title(file: object) -> str:
    try:
        root = read_yaml(read_source(file, getattr(file, "name", "")))  # type: ignore[arg-type]
    except CompileError:
        return "(cannot be read)"
    title = root.get("title") if isinstance(root, YamlMap) else None
    return title.value if isinstance(title, YamlText) else ""
