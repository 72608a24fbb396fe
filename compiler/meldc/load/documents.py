"""Loads the files that people write in YAML: variants, house rules, scenarios."""

from __future__ import annotations

from pathlib import Path

from meldc.diagnostics import CompileError, Diagnostic, error
from meldc.load.catalogue import Place
from meldc.load.nodes import YamlMap, YamlNode
from meldc.load.shape import check_shape, fixed_keys
from meldc.load.text_reader import read_source
from meldc.load.yaml_reader import read_yaml
from meldc.source import SourceFile, Sources

__all__ = [
    "HOUSE_KEYS",
    "VARIANT_KEYS",
    "load_house",
    "load_scenario",
    "load_variant",
    "read_house",
    "read_scenario",
    "read_variant",
]

VARIANT_KEYS = fixed_keys("variant")
"""The keys of a variant that are no setting and no table."""

HOUSE_KEYS = fixed_keys("house-rule")
"""The keys of a house rule that are no setting and no table."""

# What marks each kind of file, and what it is called.
_MARKS = {
    "variant": ("variant", "a variant"),
    "house-rule": ("house", "a house rule"),
    "scenario": ("tests", "a scenario file"),
}


def load_variant(place: Place | Path | str, sources: Sources | None = None) -> YamlMap:
    """The tree of a variant's file, of the right shape; `CompileError` with all that is wrong.

    The text is added to `sources`, also when it is wrong, so that diagnostics can show it.
    """
    return read_variant(_read(place, sources))


def load_house(place: Place | Path | str, sources: Sources | None = None) -> YamlMap:
    """The same for the file of a house rule."""
    return read_house(_read(place, sources))


def load_scenario(place: Place | Path | str, sources: Sources | None = None) -> YamlMap:
    """The same for a file of scenarios."""
    return read_scenario(_read(place, sources))


def read_variant(source: SourceFile) -> YamlMap:
    """The tree of a variant's text, of the right shape; `CompileError` with all that is wrong."""
    return _tree(source, "variant")


def read_house(source: SourceFile) -> YamlMap:
    """The same for the text of a house rule."""
    return _tree(source, "house-rule")


def read_scenario(source: SourceFile) -> YamlMap:
    """The same for a text of scenarios."""
    return _tree(source, "scenario")


def _read(place: Place | Path | str, sources: Sources | None) -> SourceFile:
    if not isinstance(place, Place):
        place = Place(str(place), Path(place))
    return read_source(place.file, place.shown, sources)


def _tree(source: SourceFile, schema: str) -> YamlMap:
    root = read_yaml(source)
    other = _other_kind(root, schema)
    if other is not None:
        raise CompileError([other])
    found = check_shape(root, schema)
    if found:
        raise CompileError(sorted(found, key=lambda each: each.primary.span or source.end))
    assert isinstance(root, YamlMap)
    return root


def _other_kind(root: YamlNode, schema: str) -> Diagnostic | None:
    """A file of another kind: its many strange keys need not be told one by one."""
    mark, noun = _MARKS[schema]
    if not isinstance(root, YamlMap) or mark in root:
        return None
    for other, (other_mark, other_noun) in _MARKS.items():
        entry = root.entry(other_mark)
        if other != schema and entry is not None:
            message = f"this is {other_noun}, and {noun} is needed"
            label = f"{noun} has `{mark}:`"
            return error("MC0207", message, entry.key.span, label)
    return None
