"""The pass as a whole: from the names of a variant and its house rules to the effective model."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from meldc.diagnostics import Collector, Diagnostic, Label, error
from meldc.load.catalogue import is_path
from meldc.load.nodes import YamlMap, YamlText
from meldc.resolve.declaring import lay_declarations
from meldc.resolve.draft import Draft
from meldc.resolve.effects import check_effects
from meldc.resolve.finishing import finish
from meldc.resolve.gathering import Gathered, Gatherer
from meldc.resolve.layer import Kind, Layer
from meldc.resolve.laying import lay_cells
from meldc.resolve.model import Allowed, Need, Resolved
from meldc.resolve.needs import judge_needs, judge_together
from meldc.resolve.reading import Reader
from meldc.resolve.removing import lay_removals
from meldc.resolve.requests import Requests, read_requests
from meldc.source import Sources

_ABSENCES = frozenset({"MC0401", "MC0405", "MC0406", "MC0409", "MC0413", "MC0414", "MC0417"})
"""Codes of what refers to something that is not there."""


def resolve(
    spec: str | Path, houses: Sequence[str] = ()
) -> tuple[Resolved | None, list[Diagnostic], Sources]:
    """The effective model of a variant with house rules laid over it.

    Assumes    spec: the name of a shipped variant or a path; houses: as after `--house`, that is
               `NAME`, `NAME=CHOICE`, a path, or `KEY=VALUE` for a setting or fixed key.
    Establishes every key known, every name declared once, every cell with its history; the same
               result in whatever order the house rules are given.
    Rejects    what does not go together, all of it in one run (MC04xx), and what the files
               themselves have wrong.

    The model is None where a file is missing, rules could not be parsed, or the game lacks
    something it cannot do without; otherwise it is there even if there are errors, without what
    they are about. The sources hold all texts that were read, to show lines from.
    """
    found, sources = Collector(), Sources()
    requests = read_requests(houses)
    if houses:
        sources.add(requests.source)
    gathered = Gatherer(found, sources).gather(_reference(spec), requests)
    model = _merge(gathered, requests, found, sources) if gathered else None
    return model, list(found.result()), sources


def _reference(spec: str | Path) -> str:
    reference = str(spec)
    return reference if isinstance(spec, str) or is_path(reference) else f"./{reference}"


def _merge(
    gathered: Gathered, requests: Requests, found: Collector, sources: Sources
) -> Resolved | None:
    draft = Draft(Collector(), sources, decided=frozenset(_decided(requests)))
    _check_values(requests, found)
    model = _merge_layers(gathered, requests, draft)
    if any(each.code.startswith("MC03") for each in found.result()):
        # What could not be parsed is missing: that names are not there says nothing.
        found.extend(each for each in draft.found.result() if each.code not in _ABSENCES)
        return None
    found.extend(draft.found.result())
    return model


def _merge_layers(gathered: Gathered, requests: Requests, draft: Draft) -> Resolved | None:
    layers = gathered.layers
    last = max(index for index, layer in enumerate(layers) if layer.kind is Kind.VARIANT)
    needs: list[Need] = []
    for layer in layers[: last + 1]:
        needs += judge_needs(draft, layer, Reader(draft.found))
        _lay(draft, layer)
    without_house = dict(draft.cells)
    laid = [layer for layer in layers[last + 1 :] if _is_welcome(draft, layer, needs)]
    for layer in laid:
        _lay(draft, layer)
    judge_together(draft, [layer for layer in laid if layer.is_house], without_house)
    check_effects(draft, [layers[last], *laid])
    variant = layers[last]
    names = tuple(layer.label for layer in laid if layer.is_house)
    values = tuple(sorted(requests.spoken_values()))
    machine = gathered.machines[-1]
    allowed = tuple(each for layer in (*layers[: last + 1], *laid) for each in _allowed(layer))
    return finish(
        draft, variant, _title(variant), machine, (*names, *values), tuple(needs), allowed
    )


def _allowed(layer: Layer) -> Iterator[Allowed]:
    """The warnings that a file silences."""
    given = layer.body.get("allow") if layer.body else None
    for entry in given if isinstance(given, YamlMap) else ():
        reason = entry.value.value if isinstance(entry.value, YamlText) else ""
        yield Allowed(entry.key.value.strip().upper(), reason, entry.key.span, layer.title)


def _lay(draft: Draft, layer: Layer) -> None:
    """One layer over the others: first what it removes, then its rules, then its tables."""
    before = len(draft.found)
    reader = Reader(draft.found, layer.choice)
    lay_removals(draft, layer)
    lay_declarations(draft, layer, reader)
    lay_cells(draft, layer, reader)
    if len(draft.found) > before:
        draft.refused.add(layer.title)


def _is_welcome(draft: Draft, layer: Layer, needs: list[Need]) -> bool:
    """Whether what a house rule needs is so in the game without house rules."""
    before = len(draft.found)
    needs += judge_needs(draft, layer, Reader(draft.found, layer.choice))
    return len(draft.found) == before


def _title(variant: Layer) -> str:
    title = variant.body.get("title") if variant.body else None
    return title.value if isinstance(title, YamlText) else variant.name


# ---- the command line ------------------------------------------------------------


def _decided(requests: Requests) -> Iterator[tuple[str, ...]]:
    """The paths of cells that the command line sets."""
    for values in requests.values:
        for path, _ in _leaves(values):
            yield path
            yield ("settings", *path)
            yield (*path, "")


def _leaves(values: YamlMap, path: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], str]]:
    for entry in values:
        here = (*path, entry.name)
        if isinstance(entry.value, YamlMap):
            yield from _leaves(entry.value, here)
        elif isinstance(entry.value, YamlText):
            yield here, entry.value.value


def _check_values(requests: Requests, found: Collector) -> None:
    """A value that is given twice on the command line is given the same."""
    given: dict[tuple[str, ...], tuple[str, YamlMap]] = {}
    for values in requests.values:
        for path, text in _leaves(values):
            before, place = given.setdefault(path, (text, values))
            if before != text:
                name = ".".join(path)
                found.add(
                    error(
                        "MC0410",
                        f"`{name}` is given twice: as `{before}` and as `{text}`",
                        values.span,
                        "again here",
                        secondary=[Label(place.span, "first here")],
                        help=["give it once"],
                    )
                )
