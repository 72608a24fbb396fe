"""What a person asks for with `--house`: house rules by name or path, and single values."""

from __future__ import annotations

from collections.abc import Sequence

from meldc.diagnostics import COMMAND_LINE
from meldc.load.catalogue import Kind, is_path, shipped
from meldc.load.nodes import Entry, Style, YamlMap, YamlNode, YamlText
from meldc.source import SourceFile, Span
from meldc_runtime.light import dataclass

_SHORT = {"packs": ("pack", "packs"), "jokers": ("pack", "jokers"), "ranks": ("pack", "ranks")}


@dataclass(frozen=True)
class HouseRequest:
    """A house rule to lay: name or path, and the choice where one was made; each with its place."""

    reference: YamlText
    choice: YamlText | None


@dataclass(frozen=True)
class Requests:
    """All that was asked for. source: the arguments as a text, a line each; values: a map."""

    houses: tuple[HouseRequest, ...]
    values: tuple[YamlMap, ...]
    source: SourceFile

    def spoken_values(self) -> list[str]:
        """The values as they were given: `hand_size=13`."""
        return [self.source.line(values.span.line) for values in self.values]


def read_requests(arguments: Sequence[str]) -> Requests:
    """Tell house rules (`NAME`, `NAME=CHOICE`, a path) from values (`KEY=VALUE`)."""
    lines = [" ".join(argument.split()) for argument in arguments]
    source = SourceFile(COMMAND_LINE, "\n".join(lines))
    known = shipped(Kind.HOUSE)
    houses: list[HouseRequest] = []
    values: list[YamlMap] = []
    for number, line in enumerate(lines, 1):
        left, sign, right = line.partition("=")
        name = left.strip().replace("_", "-")
        key = _text(source, number, 1, left.rstrip())
        value = _text(source, number, len(left) + 2, right) if sign else None
        if is_path(left):
            houses.append(HouseRequest(key, value))
        elif name in known:
            houses.append(HouseRequest(YamlText(name, key.span, Style.PLAIN, source), value))
        elif value is None:
            houses.append(HouseRequest(key, None))
        else:
            values.append(_nested(key, value, source))
    return Requests(tuple(houses), tuple(values), source)


def _text(source: SourceFile, line: int, column: int, text: str) -> YamlText:
    stripped = text.lstrip()
    column += len(text) - len(stripped)
    end = column + len(stripped.rstrip())
    span = Span(source.name, line, column, line, end)
    return YamlText(stripped.rstrip(), span, Style.PLAIN, source)


def _nested(key: YamlText, value: YamlText, source: SourceFile) -> YamlMap:
    """`melds.set.size=4..7` or `values.8..K=20` as the maps they stand for in a file."""
    table, dot, rest = key.value.replace("-", "_").partition(".")
    row = (rest,) if ".." in rest else tuple(rest.split("."))
    path = (table, *row) if dot else _SHORT.get(table, (table,))
    node: YamlNode = value
    for word in reversed(path):
        step = YamlText(word, key.span, Style.PLAIN, source)
        node = YamlMap((Entry(step, node),), key.span)
    assert isinstance(node, YamlMap)
    return node
