"""`meldc diff`: what rules differ between two games, in words."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import click

from meldc.cli.games import house_option, json_option, read_program
from meldc_runtime.program.codec import to_plain
from meldc_runtime.program.declarations import Program, Sentence

DECLARED = ("zones", "memories", "phases", "definitions", "actions", "moments", "rules", "scores")
"""What is declared rather than set; compared by its nodes, since a first line says little."""
SAYING = ("rules", "scores", "allowances")


@dataclass(frozen=True, slots=True)
class Difference:
    """A key whose value differs; None where a game does not have it. text: what it is about."""

    key: str
    text: str
    first: str | None
    second: str | None


@click.command()
@click.argument("first", metavar="A")
@click.argument("second", metavar="B")
@house_option
@json_option
def diff(first: str, second: str, houses: tuple[str, ...], as_json: bool) -> None:
    """Show what rules differ between two games; house rules are laid over B."""
    one, other = read_program(first, ()), read_program(second, houses)
    found = list(differences(one, other))
    if as_json:
        data = [{"key": d.key, "text": d.text, "a": d.first, "b": d.second} for d in found]
        click.echo(json.dumps(data, ensure_ascii=False, indent=2))
        return
    click.echo(f"{one.title} -> {_called(other)}")
    click.echo("\n".join(_told(found)) or "no rule differs")


def _called(program: Program) -> str:
    return f"{program.title} with {', '.join(program.house)}" if program.house else program.title


def differences(one: Program, other: Program) -> Iterator[Difference]:
    """All keys whose values differ, those of the first game in its order, then new ones."""
    left, right = _values(one), _values(other)
    for key in dict.fromkeys([*left, *right]):
        a, b = left.get(key), right.get(key)
        if a is None or b is None or a.content != b.content:
            about = next(value.about for value in (b, a) if value is not None)
            yield Difference(key, about, a.text if a else None, b.text if b else None)


@dataclass(frozen=True, slots=True)
class _Value:
    about: str
    text: str
    content: Any


def _values(program: Program) -> dict[str, _Value]:
    texts = {f"settings.{setting.name}": setting.text for setting in program.settings}
    values = {
        key: _Value(texts.get(key, ""), steps[-1].text, steps[-1].text)
        for key, steps in program.provenance
        if steps and key.partition(".")[0] not in DECLARED and steps[-1].text != "{…}"
    }
    lines = {key: steps[-1].text for key, steps in program.provenance if steps}
    for group in DECLARED:
        for node in getattr(program, group):
            key = f"{group}.{node.name}"
            said = _sentence(node.sentence) if group in SAYING else lines.get(key, "")
            values[key] = _Value("", said, to_plain(node, places=False))
    return values


def _sentence(sentence: Sentence) -> str:
    return "".join(part if isinstance(part, str) else "…" for part in sentence)


def _told(found: Sequence[Difference]) -> Iterator[str]:
    heads = list(dict.fromkeys(difference.key.partition(".")[0] for difference in found))
    group = ""
    for difference in sorted(found, key=lambda each: heads.index(each.key.partition(".")[0])):
        head = difference.key.partition(".")[0]
        if head != group:
            group = head
            yield f"{group.replace('_', ' ')}:"
        name = difference.key.partition(".")[2] or difference.key
        label = f"  {difference.text or name.replace('_', ' ')}"
        match difference.first, difference.second:
            case None, text:
                yield f"{label}: new: {text}"
            case text, None:
                yield f"{label}: gone: {text}"
            case one, other if one == other:
                yield f"{label}: otherwise: {other}"
            case one, other:
                yield f"{label}: {one} -> {other}"
