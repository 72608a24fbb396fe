"""Reads all files a game is made of and puts them into the order in which they are laid.

Parts and the machine, then the variants from the root to the leaf, each after the parts it uses,
then house rules in the order of their names, then the command line.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from pathlib import PurePosixPath
from typing import Literal

from meldc.diagnostics import (
    COMMAND_LINE,
    Collector,
    CompileError,
    Label,
    did_you_mean,
    error,
    warning,
)
from meldc.load import catalogue
from meldc.load.blocks import runs_together
from meldc.load.catalogue import Place, is_path
from meldc.load.documents import load_house, load_variant
from meldc.load.nodes import YamlList, YamlMap, YamlText, key_name
from meldc.load.text_reader import read_source
from meldc.resolve.layer import Choice, Kind, Layer
from meldc.resolve.reading import words_in
from meldc.resolve.requests import HouseRequest, Requests
from meldc.source import Rebase, Sources, Span
from meldc.syntax import tree
from meldc.syntax.kept import parse_file, parse_rules
from meldc_runtime.light import dataclass


@dataclass(frozen=True)
class Gathered:
    """The layers in order. machines: names of the family, the nearest last."""

    layers: tuple[Layer, ...]
    machines: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Visit:
    """A file on the way from the leaf, and where it was named."""

    place: Place
    span: Span | None


class Gatherer:
    """Follows `extends` and `use` from a variant on. What is amiss goes to `found`."""

    def __init__(self, found: Collector, sources: Sources) -> None:
        self._found = found
        self._sources = sources
        self._layers: list[Layer] = []
        self._used: set[str] = set()
        self._machines: list[str] = []
        self._files_of_machines: set[str] = set()
        """By the name of the file, where that is another."""

    def gather(self, spec: str, requests: Requests) -> Gathered | None:
        """All layers of a game; None where one cannot be had."""
        try:
            place = catalogue.find(catalogue.Kind.VARIANT, spec)
        except CompileError as problem:
            self._found.extend(problem.diagnostics)
            return None
        if not self._variant(_Visit(place, None), ()):
            return None
        for layer in self._houses(requests):
            self._layers.append(layer)
        for values in requests.values:
            layer = Layer(Kind.COMMAND_LINE, COMMAND_LINE, values.span, values, ())
            self._layers.append(layer)
        return Gathered(tuple(self._layers), tuple(self._machines))

    # ---- variants ------------------------------------------------------------

    def _variant(self, visit: _Visit, trail: tuple[_Visit, ...]) -> bool:
        if self._is_circle(visit, trail, "extends"):
            return False
        try:
            body = load_variant(visit.place, self._sources)
        except CompileError as problem:
            self._found.extend(problem.diagnostics)
            return False
        base = self._follow(body, visit, (*trail, visit))
        layer = self._yaml_layer(Kind.VARIANT, body, "variant")
        parts = self._use_parts(body, layer.declarations, visit.place)
        self._check_namesake(layer)
        self._layers.append(layer)
        return base and parts

    def _check_namesake(self, layer: Layer) -> None:
        """A game with the name of one that it extends: what is told of values mixes them up."""
        for below in self._layers:
            if (below.kind, below.name) == (layer.kind, layer.name) and layer.span is not None:
                self._found.add(
                    warning(
                        "MC0434",
                        f"`{layer.name}` extends a game of the same name",
                        layer.span,
                        secondary=[Label(below.span, "its name")] if below.span else [],
                        help=["give it a name of its own"],
                    )
                )
                return

    def _follow(self, body: YamlMap, visit: _Visit, trail: tuple[_Visit, ...]) -> bool:
        """What a variant stands on: another one, or a machine."""
        machine = body.get("machine")
        if isinstance(machine, YamlText):
            word = tree.Word(machine.value, machine.span)
            return self._rules_file("machine", word, visit.place, ())
        base = body.get("extends")
        assert isinstance(base, YamlText), "this is a bug in meldc: the shape was not checked"
        place = self._find(catalogue.Kind.VARIANT, base.value, visit.place, base.span)
        return place is not None and self._variant(_Visit(place, base.span), trail)

    def _yaml_layer(
        self, kind: Kind, body: YamlMap, key: str, choice: Choice | None = None
    ) -> Layer:
        name = body.get(key)
        assert isinstance(name, YamlText), "this is a bug in meldc: the shape was not checked"
        declarations: tuple[tree.Declaration, ...] = ()
        rules = body.get("rules")
        if isinstance(rules, YamlText):
            declarations, problems = parse_rules(rules.value, rules.rebase)
            together = runs_together(rules) if problems else None
            self._found.extend(problems if together is None else (together,))
        return Layer(kind, name.value, name.span, body, declarations, choice)

    # ---- machines and parts ------------------------------------------------------------

    def _use_parts(
        self, body: YamlMap, declarations: tuple[tree.Declaration, ...], place: Place
    ) -> bool:
        words = [*_listed(body.get("use")), *_used_in(declarations)]
        read = [self._rules_file("part", word, place, ()) for word in words]
        return all(read)

    def _rules_file(
        self,
        wanted: Literal["machine", "part"],
        word: tree.Word,
        named_by: Place,
        trail: tuple[_Visit, ...],
    ) -> bool:
        kind = catalogue.Kind.MACHINE if wanted == "machine" else catalogue.Kind.PART
        place = self._find_rules(kind, word, named_by)
        if place is None:
            return False
        visit = _Visit(place, word.span)
        if self._is_circle(visit, trail, "use"):
            return False
        if place.shown in self._used:
            return True
        self._used.add(place.shown)
        try:
            source = read_source(place.file, place.shown, self._sources)
        except CompileError as problem:
            self._found.extend(problem.diagnostics)
            return False
        rules, problems = parse_file(source.text, Rebase.whole(source))
        self._found.extend(problems)
        header = rules.header
        if header is None:
            return False
        if wanted == "machine" and header.kind == "part":
            self._report_no_machine(header, word)
            return False
        used = [
            self._rules_file("part", part, place, (*trail, visit))
            for part in _used_in(rules.declarations)
        ]
        kind_of_layer = Kind.MACHINE if header.kind == "machine" else Kind.PART
        if header.kind == "machine":
            self._machines.append(header.name.text)
            self._files_of_machines.add(PurePosixPath(place.shown).stem)
        name = header.name
        self._layers.append(Layer(kind_of_layer, name.text, name.span, None, rules.declarations))
        return all(used)

    # ---- house rules ------------------------------------------------------------

    def _houses(self, requests: Requests) -> Iterator[Layer]:
        """The house rules by name, each after the parts it uses."""
        loaded = [each for each in map(self._house, requests.houses) if each is not None]
        given: dict[str, tuple[Layer, Place]] = {}
        for layer, place in sorted(loaded, key=lambda each: (each[0].label, each[1].shown)):
            if layer.name in given:
                self._check_twin(given[layer.name], (layer, place))
                continue
            given[layer.name] = layer, place
            if layer.body is not None and self._fits_machine(layer):
                self._use_parts(layer.body, layer.declarations, place)
                yield layer

    def _house(self, request: HouseRequest) -> tuple[Layer, Place] | None:
        reference = request.reference
        try:
            place = catalogue.find(catalogue.Kind.HOUSE, reference.value, span=reference.span)
            body = load_house(place, self._sources)
        except CompileError as problem:
            self._found.extend(problem.diagnostics)
            return None
        try:
            choice = self._choice(body, request)
        except CompileError as problem:
            self._found.extend(problem.diagnostics)
            return None
        return self._yaml_layer(Kind.HOUSE, body, "house", choice), place

    def _choice(self, body: YamlMap, request: HouseRequest) -> Choice | None:
        """The choice that was made, the first where none was."""
        choices = body.get("choices")
        asked = request.choice
        if not isinstance(choices, YamlMap):
            if asked is not None:
                message = f"the house rule `{request.reference.value}` has no choices"
                help_ = (f"write `{request.reference.value}` alone",)
                raise CompileError(
                    [error("MC0412", message, asked.span, "nothing to choose", help=help_)]
                )
            return None
        wanted = key_name(asked.value) if asked is not None else choices.entries[0].name
        for entry in choices:
            if entry.name == wanted and isinstance(entry.value, YamlText):
                return Choice(entry.key.value, entry.value)
        names = [entry.key.value for entry in choices]
        assert asked is not None
        known = ", ".join(f"`{request.reference.value}={name}`" for name in names)
        raise CompileError(
            [
                error(
                    "MC0412",
                    f"`{asked.value}` is no choice of the house rule `{request.reference.value}`",
                    asked.span,
                    "not one of its choices",
                    secondary=[Label(choices.entries[0].key.span, "its choices stand here")],
                    help=(*did_you_mean(asked.value, names), f"there are {known}"),
                )
            ]
        )

    def _fits_machine(self, layer: Layer) -> bool:
        machine = layer.body.get("machine") if layer.body else None
        if not isinstance(machine, YamlText):
            return True
        name = PurePosixPath(machine.value).stem if is_path(machine.value) else machine.value
        if name in self._machines or name in self._files_of_machines:
            return True
        family = self._machines[-1] if self._machines else ""
        self._found.add(
            error(
                "MC0407",
                f"the house rule `{layer.name}` is for another kind of game",
                machine.span,
                f"it is for games of the machine `{machine.value}`; this one is of `{family}`",
                help=["leave it out"],
            )
        )
        return False

    # ---- what goes wrong ------------------------------------------------------------

    def _find(
        self, kind: catalogue.Kind, reference: str, named_by: Place, span: Span
    ) -> Place | None:
        try:
            return catalogue.find(kind, reference, named_by=named_by, span=span)
        except CompileError as problem:
            self._found.extend(problem.diagnostics)
            return None

    def _find_rules(self, kind: catalogue.Kind, word: tree.Word, named_by: Place) -> Place | None:
        """A shipped file, or else the one of this name beside: `use` writes no paths."""
        try:
            return catalogue.find(kind, word.text, named_by=named_by, span=word.span)
        except CompileError as problem:
            if not is_path(word.text):
                with suppress(CompileError):
                    return catalogue.find(kind, f"{word.text}.rules", named_by=named_by)
            self._found.extend(problem.diagnostics)
            return None

    def _is_circle(self, visit: _Visit, trail: tuple[_Visit, ...], word: str) -> bool:
        places = [each.place.shown for each in trail]
        if visit.place.shown not in places:
            return False
        # The first step is in the file that is read first: that is where its author looks.
        first, *further = (*trail[places.index(visit.place.shown) + 1 :], visit)
        leads = "this leads back to" if first is visit else "this leads to"
        self._found.add(
            error(
                "MC0403",
                f"`{word}` goes in a circle",
                first.span,
                f"{leads} {first.place.shown}",
                secondary=[Label(each.span, f"leads to {each.place.shown}") for each in further],
                help=["let one of them stand on something else"],
            )
        )
        return True

    def _report_no_machine(self, header: tree.Header, word: tree.Word) -> None:
        self._found.add(
            error(
                "MC0416",
                f"`{word.text}` is a part, and a machine is needed",
                word.span,
                "a variant stands on a machine",
                secondary=[Label(header.name.span, "it calls itself a part")],
                help=[f"name a machine, and add the part with `use: {word.text}`"],
            )
        )

    def _check_twin(self, first: tuple[Layer, Place], second: tuple[Layer, Place]) -> None:
        """The same house rule twice is laid once; two of the same name do not go together."""
        if first[0].label == second[0].label and first[1].shown == second[1].shown:
            return
        name = first[0].name
        described = [
            f"`{layer.label}`" if first[1].shown == second[1].shown else place.shown
            for layer, place in (first, second)
        ]
        places = [
            layer.choice.value.span if layer.choice else layer.span for layer, _ in (first, second)
        ]
        self._found.add(
            error(
                "MC0410",
                f"the house rule `{name}` is laid twice: as {described[0]} and as {described[1]}",
                places[1],
                "only one of them can hold",
                secondary=[Label(places[0], "the other")],
                help=[f"give `{name}` once"],
            )
        )


def _listed(node: object) -> list[tree.Word]:
    """The names in `use:`, a text with commas or a list."""
    if isinstance(node, YamlList):
        return [word for item in node for word in _listed(item)]
    if isinstance(node, YamlText):
        return list(words_in(node.value, node.rebase))
    return []


def _used_in(declarations: tuple[tree.Declaration, ...]) -> list[tree.Word]:
    return [
        word
        for declaration in declarations
        if isinstance(declaration, tree.Use)
        for word in declaration.parts
    ]
