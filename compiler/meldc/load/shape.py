"""Holds a tree against a JSON Schema and says in our words what does not fit.

Assumes a tree from `read_yaml`. Establishes that it has the shape of the schema. The sentences
come from the schema's `description` and `examples`; `x-code` gives a part of a schema its own
code, `x-at` names the key to point at. Nothing the validator itself says is shown.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from itertools import islice, pairwise
from typing import TYPE_CHECKING, Any

from meldc.assets import data_root
from meldc.diagnostics import Diagnostic, did_you_mean, error
from meldc.load.accepting import Schema, accepts
from meldc.load.nodes import YamlList, YamlMap, YamlNode, YamlText, kind_of
from meldc.source import Span

if TYPE_CHECKING:
    from jsonschema import Draft202012Validator
    from jsonschema.exceptions import ValidationError

MOST_PROBLEMS = 50
_SCHEMAS = ("variant", "house-rule", "scenario")


def check_shape(root: YamlNode, schema: str) -> list[Diagnostic]:
    """What does not fit the named schema (`variant`, `house-rule`, `scenario`)."""
    plain = _plain(root)
    if accepts(plain, _absolute(schema), _meant):
        return []
    problems = _validator(schema).iter_errors(plain)
    found: dict[tuple[str, Span | None], Diagnostic] = {}
    for problem in islice(problems, MOST_PROBLEMS):
        for diagnostic in _explain(problem, _find(root, list(problem.absolute_path))):
            found.setdefault((diagnostic.code, diagnostic.primary.span), diagnostic)
    return list(found.values())


@cache
def fixed_keys(schema: str) -> tuple[str, ...]:
    """The keys at the left edge that the schema itself knows."""
    return tuple(_contents(schema)["properties"])


@cache
def _contents(schema: str) -> dict[str, Any]:
    text = (data_root("schemas") / f"{schema}.schema.json").read_text(encoding="utf-8")
    contents: dict[str, Any] = json.loads(text)
    return contents


@cache
def _meant(reference: str) -> Schema:
    """The schema that an absolute `$ref` means."""
    file, _, path = reference.partition("#")
    found: Any = _absolute(file.removesuffix(".schema.json"))
    for step in path.strip("/").split("/"):
        found = found[step] if step else found
    meant: Schema = found
    return meant


@cache
def _absolute(schema: str) -> Schema:
    """A schema in which every reference names its file."""

    def written_out(part: Any) -> Any:
        if isinstance(part, dict):
            return {
                key: f"{schema}.schema.json{value}"
                if key == "$ref" and isinstance(value, str) and value.startswith("#")
                else written_out(value)
                for key, value in part.items()
            }
        return [written_out(each) for each in part] if isinstance(part, list) else part

    whole: Schema = written_out(_contents(schema))
    return whole


@cache
def _validator(schema: str) -> Draft202012Validator:
    from jsonschema import Draft202012Validator
    from referencing import Registry, Resource

    resources = [
        (f"{name}.schema.json", Resource.from_contents(_contents(name))) for name in _SCHEMAS
    ]
    registry: Registry[Any] = Registry().with_resources(resources)
    return Draft202012Validator({"$ref": f"{schema}.schema.json"}, registry=registry)


def _plain(node: YamlNode) -> Any:
    """The tree as the validator wants it: integers are numbers, all other scalars texts."""
    match node:
        case YamlMap():
            return {entry.name: _plain(entry.value) for entry in node}
        case YamlList():
            return [_plain(item) for item in node]
        case YamlText() if node.is_missing:
            return None
        case YamlText():
            number = node.as_integer()
            return node.value if number is None else number


class _Found:
    """A node, the key it belongs to, and what to call it."""

    def __init__(self, node: YamlNode, key: YamlText | None, title: str) -> None:
        self.node = node
        self.key = key
        self.title = title

    @property
    def head(self) -> Span:
        """A short span for the whole: its key, or its first entry's key, or the node."""
        if self.key is not None:
            return self.key.span
        if isinstance(self.node, YamlMap) and self.node.entries:
            return self.node.entries[0].key.span
        return self.node.span


def _find(root: YamlNode, path: Sequence[str | int]) -> _Found:
    found = _Found(root, None, "the file")
    for step in path:
        if isinstance(step, int):
            assert isinstance(found.node, YamlList)
            owner = found.title.removeprefix("an entry of ")
            found = _Found(found.node.items[step], None, f"an entry of {owner}")
        else:
            assert isinstance(found.node, YamlMap)
            entry = found.node.entry(step)
            assert entry is not None
            found = _Found(entry.value, entry.key, f"`{entry.key.value}`")
    return found


def _explain(problem: ValidationError, found: _Found) -> Iterable[Diagnostic]:
    schema = problem.schema if isinstance(problem.schema, dict) else {}
    if "x-code" in schema:
        return _explain_own(problem, schema, found)
    if "propertyNames" in problem.absolute_schema_path:
        return _bad_key(str(problem.instance), schema, found)
    match problem.validator:
        case "required":
            return _missing_keys(problem, found)
        case "additionalProperties":
            return _unknown_keys(schema, found)
        case "uniqueItems":
            return _repeated_items(found)
        case "type" if problem.instance is None:
            return [_nothing(schema, found)]
        case "type":
            return [_misfit("MC0201", schema, found, f"this is {kind_of(found.node)}")]
        case "minItems" | "minProperties" | "minLength":
            return [_nothing(schema, found)]
        case "pattern" if not str(problem.instance).strip():
            return [_nothing(schema, found)]
        case _:  # pattern, enum, minimum, maximum, maxLength
            return [_misfit("MC0202", schema, found, "")]


def _explain_own(
    problem: ValidationError, schema: dict[str, Any], found: _Found
) -> Iterator[Diagnostic]:
    """A condition on the keys of a map that the schema gives a code and a sentence."""
    node = found.node
    if not isinstance(node, YamlMap):
        return  # that it is no map is said already
    has = [name for name in _names_in(schema) if name in node]
    at = schema.get("x-at") or (has[0] if has else "")
    entry = node.entry(at)
    named = " and ".join(f"`{name}`" for name in has)
    label = f"here {named} stand together" if len(has) > 1 else ""
    if not has and problem.validator == "oneOf":
        label = "here is none of them"
    span = entry.key.span if entry else found.head
    yield error(str(schema["x-code"]), str(schema["description"]), span, label)


def _names_in(schema: dict[str, Any]) -> list[str]:
    """The keys that a condition speaks of."""
    branches = [*schema.get("oneOf", ()), *schema.get("anyOf", ()), schema.get("not", {})]
    return [name for branch in branches for name in branch.get("required", ())]


def _keys(found: _Found) -> tuple[str, ...]:
    return found.node.names if isinstance(found.node, YamlMap) else ()


def _expected(schema: dict[str, Any]) -> str:
    return str(schema.get("description", "of another form"))


def _example(schema: dict[str, Any], found: _Found) -> list[str]:
    examples = schema.get("examples")
    if not examples or found.key is None:
        return []
    return [f"for example `{found.key.value}: {examples[0]}`"]


def _misfit(code: str, schema: dict[str, Any], found: _Found, label: str) -> Diagnostic:
    message = f"{found.title} must be {_expected(schema)}"
    node = found.node
    span = node.span if isinstance(node, YamlText) or found.key is None else found.key.span
    return error(code, message, span, label, help=_as_written(schema, found))


def _as_written(schema: dict[str, Any], found: _Found) -> list[str]:
    """What was probably meant, in the way it is written; else an example."""
    if isinstance(found.node, YamlText) and found.key is not None and "pattern" in schema:
        for meant in _readings(found.node.value):
            if re.search(schema["pattern"], meant):
                return [f"write `{found.key.value}: {meant}`"]
    return _example(schema, found)


def _readings(written: str) -> Iterator[str]:
    """A stretch of numbers, or several of them, after other manners: `2-4`, `2 to 4`, `2, 4`."""
    if stretch := re.fullmatch(r"(\d+)\s*(?:-|\.{3}|to)\s*(\d+)", written.strip()):
        yield f"{stretch[1]}..{stretch[2]}"
    numbers = re.findall(r"\d+", written)
    if len(numbers) > 1 and not re.sub(r"\d|\s|,|;|/|\||and|or", "", written):
        steps = {int(two) - int(one) for one, two in pairwise(numbers)}
        if steps == {1} and len(numbers) > 2:
            yield f"{numbers[0]}..{numbers[-1]}"
        yield " or ".join(numbers)


def _nothing(schema: dict[str, Any], found: _Found) -> Diagnostic:
    message = f"{found.title} is empty"
    label = f"{_expected(schema)} belongs here"
    help_ = _example(schema, found)
    if isinstance(found.node, YamlMap) and "x-empty" in schema:
        help_ = [str(schema["x-empty"])]
    return error("MC0206", message, found.head, label, help=help_)


def _bad_key(name: str, schema: dict[str, Any], found: _Found) -> Iterator[Diagnostic]:
    entry = found.node.entry(name) if isinstance(found.node, YamlMap) else None
    written = entry.key.value if entry else name
    word = "_".join(re.findall(r"[a-z0-9]+", written.casefold()))
    fits = bool(word) and re.search(str(schema.get("pattern", "^$")), word) is not None
    yield error(
        "MC0205",
        f"`{written}` cannot be a key here",
        entry.key.span if entry else found.head,
        f"{_expected(schema)} belongs here",
        help=[f"write `{word}`"] if fits else [],
    )


def _missing_keys(problem: ValidationError, found: _Found) -> Iterator[Diagnostic]:
    assert isinstance(problem.schema, dict)
    known = problem.schema.get("properties", {})
    present = _keys(found)
    for name in problem.schema["required"]:
        if name in present:
            continue
        strangers = [key for key in present if key not in known]
        near = [key for key in strangers if did_you_mean(key, [name])]
        cure = [f"is `{near[0]}` meant to be `{name}`?"] if near else []
        yield error(
            "MC0204",
            f"{found.title} has no `{name}`",
            found.head,
            f"`{name}: …` is missing",
            help=cure or _example_of(known.get(name, {}), name),
        )


def _example_of(schema: dict[str, Any], name: str) -> list[str]:
    return [f"for example `{name}: {schema['examples'][0]}`"] if schema.get("examples") else []


def _unknown_keys(schema: dict[str, Any], found: _Found) -> Iterator[Diagnostic]:
    known = list(schema.get("properties", ()))
    if not isinstance(found.node, YamlMap):
        return
    for entry in found.node:
        if entry.name in known:
            continue
        free = [name for name in known if name not in found.node]
        help_ = did_you_mean(entry.key.value, free)
        yield error(
            "MC0203",
            f"unknown key `{entry.key.value}` in {found.title}",
            entry.key.span,
            "nothing reads this key",
            help=help_ or [f"the keys here are {', '.join(f'`{name}`' for name in known)}"],
        )


def _repeated_items(found: _Found) -> Iterator[Diagnostic]:
    seen: list[Any] = []
    items = found.node.items if isinstance(found.node, YamlList) else ()
    for item in items:
        plain = _plain(item)
        if plain in seen:
            message = f"an entry of {found.title} is given twice"
            yield error("MC0210", message, item.span, "again here", help=["delete one of them"])
        seen.append(plain)
