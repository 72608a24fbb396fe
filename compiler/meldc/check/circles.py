"""Looking ahead must come to an end: what `can(…)` asks must not depend on the rule that asks."""

from __future__ import annotations

from collections.abc import Iterator

from meldc.check.elaborator import Elaborator
from meldc.check.packs import span_of
from meldc.check.walk import walk
from meldc.diagnostics import Label
from meldc_runtime.program.declarations import (
    Action,
    Allowance,
    Definition,
    Moment,
    Origin,
    Program,
    Rule,
)
from meldc_runtime.program.expressions import Apply, Can, Only

Part = Rule | Allowance | Definition | Moment | Action
Key = tuple[str, str]


def check_circles(el: Elaborator, program: Program) -> None:
    """Reports every rule whose look ahead leads back to itself, once for each circle."""
    graph = _Graph(program)
    reported: set[frozenset[Key]] = set()
    for rule in program.rules:
        circle = graph.circle_from(("rule", rule.name))
        if circle is None or frozenset(circle) in reported:
            continue
        reported.add(frozenset(circle))
        others = [graph.parts[key] for key in circle[1:]]
        names = " → ".join(f"`{name}`" for _, name in (*circle, circle[0]))
        el.error(
            "MC0703",
            f"`{rule.name}` looks ahead in a circle",
            span_of(rule.origin),
            names,
            secondary=[Label(span_of(_origin(part)), "through this") for part in others],
            help=("leave a rule aside, `can(… without RULE)`, or say it without looking ahead",),
        )


def _origin(part: Part) -> Origin | None:
    return part.origin


class _Graph:
    """What each part of a Program depends on when it is judged."""

    def __init__(self, program: Program) -> None:
        self.program = program
        groups: tuple[tuple[str, tuple[Part, ...]], ...] = (
            ("rule", program.rules),
            ("allowance", program.allowances),
            ("definition", program.definitions),
            ("moment", program.moments),
            ("action", program.actions),
        )
        self.parts: dict[Key, Part] = {
            (category, part.name): part for category, group in groups for part in group
        }
        self.edges = {key: tuple(self._needs(part)) for key, part in self.parts.items()}

    def circle_from(self, start: Key) -> list[Key] | None:
        """A way from a part back to itself."""
        trail: list[Key] = []
        seen: set[Key] = set()

        def search(key: Key) -> bool:
            trail.append(key)
            for after in self.edges[key]:
                if after == start:
                    return True
                if after not in seen:
                    seen.add(after)
                    if search(after):
                        return True
            trail.pop()
            return False

        return trail if search(start) else None

    def _needs(self, part: Part) -> Iterator[Key]:
        for node in walk(_judged(part)):
            match node:
                case Apply(name):
                    yield "definition", name
                case Only():
                    yield from self._about_actions(tuple(a.name for a in self.program.actions))
                case Can("action", name, _, without):
                    yield from self._but(self._about_actions((name,)), without)
                case Can("moment", name, _, without):
                    yield from self._but(self._about_moment(name), without)
                case Can("end_of_turn", _, _, without):
                    yield from self._but(self._about_end(), without)
                case _:
                    pass

    def _but(self, keys: Iterator[Key], without: str | None) -> Iterator[Key]:
        return (key for key in keys if key != ("rule", without))

    def _about_actions(self, names: tuple[str, ...]) -> Iterator[Key]:
        for name in names:
            yield "action", name
            for rule in self.program.rules:
                if name in rule.actions:
                    yield "rule", rule.name
            for allowance in self.program.allowances:
                if name in allowance.actions:
                    yield "allowance", allowance.name

    def _about_moment(self, name: str) -> Iterator[Key]:
        yield "moment", name
        for rule in self.program.rules:
            if name in rule.moments:
                yield "rule", rule.name

    def _about_end(self) -> Iterator[Key]:
        for moment in self.program.moments:
            if moment.trigger.kind == "state":
                yield from self._about_moment(moment.name)
        for rule in self.program.rules:
            if rule.end_of_turn:
                yield "rule", rule.name


def _judged(part: Part) -> tuple[object, ...]:
    """What is evaluated when a part is judged."""
    match part:
        case Rule():
            return part.requires, part.when, part.unless
        case Allowance():
            return part.when, part.unless
        case Definition():
            return (part.body,)
        case Moment():
            return (part.when,)
        case Action():
            return tuple(param.domain for param in part.params)
