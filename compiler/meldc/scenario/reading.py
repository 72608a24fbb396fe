"""From the tree of a scenario file, whose shape is checked already, to its tests."""

from __future__ import annotations

from collections.abc import Iterator

from meldc.load.nodes import YamlList, YamlMap, YamlNode, YamlText
from meldc.scenario.model import Case, Plain, Step, Suite, Text
from meldc.source import Span

_SEATING = ("players", "side_size", "seed")


def read_suite(root: YamlMap, file: str) -> Suite:
    """The tests of a file in their order."""
    variant = _text(root, "variant")
    house = tuple(_texts(root.get("house")))
    common = {key: plain(value) for key in _SEATING if (value := root.get(key)) is not None}
    tests = root.get("tests")
    assert isinstance(tests, YamlList)
    cases = tuple(_case(test, common) for test in tests if isinstance(test, YamlMap))
    return Suite(file, variant.value, variant.span, house, cases)


def plain(node: YamlNode) -> Plain:
    """The value without places: maps by key, lists, whole numbers, texts; nothing is empty."""
    match node:
        case YamlMap():
            return {entry.name: plain(entry.value) for entry in node}
        case YamlList():
            return [plain(item) for item in node]
        case _:
            number = node.as_integer()
            return node.value if number is None else number


def _case(test: YamlMap, common: dict[str, Plain]) -> Case:
    score, steps = test.get("score"), test.get("steps")
    position = test.get("given") if score is None else score
    given = dict(common)
    given |= {key: plain(value) for key in _SEATING if (value := test.get(key)) is not None}
    places: dict[tuple[str, ...], Span] = {
        (key,): value.span for key in _SEATING if (value := test.get(key)) is not None
    }
    scores: dict[str, int] = {}
    if isinstance(position, YamlMap):
        given |= plain(position)
        places |= _places(position, ())
    if score is not None:
        scores = given.pop("expect")
    return Case(
        _text(test, "name").value,
        " ".join(text.value for text in _texts(test.get("clause"))),
        given,
        places,
        given.pop("seed", None),
        None if steps is None else tuple(_steps(steps)),
        scores,
        test.span,
    )


def _steps(node: YamlNode) -> Iterator[Step]:
    assert isinstance(node, YamlList)
    for item in node:
        assert isinstance(item, YamlMap)
        because = item.get("because")
        reason = because.value if isinstance(because, YamlText) else None
        for entry in item:
            if entry.name != "because":
                value = entry.value
                texts = () if isinstance(value, YamlMap) else tuple(_texts(value))
                yield Step(entry.name, plain(value), texts, reason, value.span)


def _places(
    node: YamlMap | YamlList, path: tuple[str, ...]
) -> Iterator[tuple[tuple[str, ...], Span]]:
    if isinstance(node, YamlMap):
        parts = [(entry.name, entry.value) for entry in node]
    else:
        parts = [(str(index), item) for index, item in enumerate(node)]
    for name, part in parts:
        here = (*path, name)
        yield here, part.span
        if isinstance(part, (YamlMap, YamlList)):
            yield from _places(part, here)


def _text(node: YamlMap, key: str) -> Text:
    (text,) = _texts(node.get(key))
    return text


def _texts(node: YamlNode | None) -> Iterator[Text]:
    if isinstance(node, YamlText):
        yield Text(node.value, node.span, node.rebase)
    elif isinstance(node, YamlList):
        for item in node:
            yield from _texts(item)
