"""Rules must not tell what a player does not see: a refusal is an answer, too."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields, is_dataclass

from meldc.check.elaborator import Elaborator
from meldc.check.packs import span_of
from meldc.check.walk import substituted
from meldc_runtime.program.declarations import Definition, Program, Zone
from meldc_runtime.program.expressions import Apply, Count, Exists, Expr, Top, Var, ZoneCards


def check_secrecy(el: Elaborator, program: Program) -> None:
    """Warns of rules, and of choices, that read cards the acting player does not see."""
    reader = _Reader(program)
    for rule in program.rules:
        read = (rule.requires, rule.when, rule.unless, rule.sentence)
        for name in dict.fromkeys(reader.secrets(read)):
            el.warn(
                "MC0704",
                f"`{rule.name}` reads cards of `{name}` that the player does not see",
                span_of(rule.origin),
                "a refusal would tell what they are",
                help=("how many they are is public; which they are is not",),
            )
    for action in program.actions:
        domains = tuple(param.domain for param in action.params)
        for name in dict.fromkeys(reader.secrets(domains)):
            el.warn(
                "MC0704",
                f"`{action.name}` chooses from cards of `{name}` that the player does not see",
                span_of(action.origin),
                "its list would tell what they are",
                help=("take a number of cards, `move 1 from …`, instead of chosen ones",),
            )


class _Reader:
    def __init__(self, program: Program) -> None:
        self.zones = {zone.name: zone for zone in program.zones}
        self.definitions = {each.name: each for each in program.definitions}

    def secrets(self, node: object) -> Iterator[str]:
        """The zones of which more is read than the acting player sees."""
        match node:
            case Count(ZoneCards(), _, None) | Exists(ZoneCards(), _, None):
                return
            case Top(ZoneCards(zone)) if self.zones[zone].visibility == "top":
                return
            case ZoneCards(zone, owner):
                if not _is_seen(self.zones[zone], owner):
                    yield zone
            case Apply(name, arguments):
                for argument in arguments:
                    yield from self.secrets(argument)
                yield from self.secrets(_applied(self.definitions[name], arguments))
            case tuple():
                for each in node:
                    yield from self.secrets(each)
            case _ if is_dataclass(node):
                for each in fields(node):
                    yield from self.secrets(getattr(node, each.name))
            case _:
                return


def _is_seen(zone: Zone, owner: Expr | None) -> bool:
    if zone.visibility == "owner":
        return owner == Var("player")
    return zone.visibility == "shown"


def _applied(definition: Definition, arguments: tuple[Expr, ...]) -> Expr:
    names = [name for name, _ in definition.params]
    given = {n: a for n, a in zip(names, arguments, strict=True) if a != Var(n)}
    return substituted(definition.body, given) if given else definition.body
