"""Random play by the machine alone, and the comparison of written code with the oracle."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

from meldc_runtime import machine, melds
from meldc_runtime.cards import FACE
from meldc_runtime.oracle import evaluate
from meldc_runtime.program import expressions as x
from meldc_runtime.program.declarations import Rule
from meldc_runtime.state import Meld, Play, Refused, State
from meldc_runtime.table import Table


class Guess:
    """A look-ahead that says the same to every question, so that written code and oracle can be
    compared.
    """

    def __init__(self, answer: bool) -> None:
        self.answer = answer

    def can_action(self, state: State, action: str, player: int, without: str | None) -> bool:
        return self.answer

    can_moment = can_action

    def can_end_turn(self, state: State, player: int, without: str | None) -> bool:
        return self.answer

    def only(self, state: State, actions: tuple[str, ...]) -> bool:
        return False


def random_argument(
    rng: random.Random, state: State, play_env: dict[str, Any], action: Any, param: Any
) -> Any:
    """An argument of the domain, None where there is none."""
    domain = state.table.code.param_domain[action.name, param.name](state, play_env)
    if not domain:
        return None
    if param.mode == "some":
        wild = state.table.wilds(state)
        face = rng.choice(domain) & FACE
        rank, suit = face // 4, face % 4
        alike = [c for c in domain if c // 4 == rank or (wild[c] and rng.random() < 0.2)]
        near = [c for c in domain if c % 4 == suit and 0 <= c // 4 - rank < 4]
        some = rng.sample(domain, rng.randint(1, min(5, len(domain))))
        return tuple(sorted(rng.choice([alike, alike, near, some]) or some))
    return rng.choice(domain)


def random_play(rng: random.Random, state: State) -> Play | None:
    """Some play of the present phase, legal or not."""
    actions = [i for i in range(len(state.table.program.actions)) if machine.in_phase(state, i)]
    if not actions:
        return None
    laying = [
        i for i in actions if any(p.mode == "some" for p in state.table.program.actions[i].params)
    ]
    index = rng.choice(laying if laying and rng.random() < 0.8 else actions)
    action = state.table.program.actions[index]
    args: list[Any] = []
    env: dict[str, Any] = {"player": state.player}
    for param in action.params:
        value = random_argument(rng, state, env, action, param)
        if value is None:
            return None
        env[param.name] = value
        args.append((value.owner, value.serial) if isinstance(value, Meld) else value)
    return Play(index, tuple(args))


def positions(table: Table, seed: int, steps: int) -> Iterator[State]:
    """Positions of random play; a deal that gets stuck gives way to another game."""
    rng = random.Random(seed)
    state = machine.start_game(table, seed)
    tries = 0
    while steps > 0:
        if state.over or tries > 60:
            seed += 1000
            state = machine.start_game(table, seed)
            tries = 0
            if state.over:
                steps -= 1
                continue
        play = random_play(rng, state)
        tries += 1
        if play is None:
            continue
        after = state.copy()
        try:
            machine.apply(after, play)
        except Refused:
            continue
        state, tries = after, 0
        steps -= 1
        yield state


def broken(table: Table, state: State, env: dict[str, Any], rule: Rule) -> bool:
    """Whether a rule is broken, by the oracle."""

    def holds(e: x.Expr) -> bool:
        return bool(evaluate(table, state, env, e))

    if rule.when is not None and not holds(rule.when):
        return False
    if rule.unless is not None and holds(rule.unless):
        return False
    return rule.requires is None or not holds(rule.requires)


def plain(value: Any) -> Any:
    """A value for comparison: lists of any sort alike."""
    return list(value) if isinstance(value, (list, tuple, range)) else value


def arguments(rng: random.Random, state: State, kind: str) -> list[Any]:
    """Things of a type that lie in a position."""
    table = state.table
    match kind:
        case "player":
            return list(range(table.players))
        case "side":
            return list(range(table.sides))
        case "card":
            cards = [c for zone in state.zones for c in zone] + [53]
            return rng.sample(cards, min(8, len(cards)))
        case "meld":
            return [meld for side in state.melds for meld in side]
        case "number":
            return [-5, 0, 1, 3, 7, 50]
    return []


def disagreements(rng: random.Random, state: State) -> Iterator[str]:
    """Where written code and oracle differ in a position."""
    table, code, program = state.table, state.table.code, state.table.program
    for definition in program.definitions:
        for _ in range(3):
            choices = [arguments(rng, state, kind) for _, kind in definition.params]
            if not all(choices):
                continue
            args = [rng.choice(choice) for choice in choices]
            expected = evaluate(
                table,
                state,
                {},
                x.Apply(definition.name, tuple(x.Var(f"a{i}") for i in range(len(args)))),
            )
            names = {f"a{i}": value for i, value in enumerate(args)}
            applied = x.Apply(definition.name, tuple(x.Var(name) for name in names))
            expected = evaluate(table, state, names, applied)
            got = code.definitions[definition.name](state, *args)
            if plain(got) != plain(expected) or (
                definition.type == "yes_no" and expected is not None and got not in (True, False)
            ):
                yield f"{definition.name}{args}: {got!r}, oracle {expected!r}"
    yield from _rules(rng, state)
    for moment in program.moments:
        env = _environment(rng, state, moment.trigger.targets)
        expected = moment.when is None or bool(evaluate(table, state, env, moment.when))
        if code.moment_when[moment.name](state, env) is not expected:
            yield f"when {moment.name}"
    for line in program.scores:
        for owner in range(table.players if line.owner == "player" else table.sides):
            names = {line.owner if line.owner == "player" else "side": owner}
            applies = line.when is None or bool(evaluate(table, state, names, line.when))
            applies = applies and not (
                line.unless is not None and evaluate(table, state, names, line.unless)
            )
            expected = evaluate(table, state, names, line.gives) if applies else None
            got = code.scores[line.name](state, owner)
            if got != expected:
                yield f"score {line.name} of {owner}: {got}, oracle {expected}"
    yield from _tables(rng, state)


def _environment(rng: random.Random, state: State, targets: tuple[str, ...]) -> dict[str, Any]:
    env: dict[str, Any] = {"player": state.player}
    for action in state.table.program.actions:
        if action.name in targets:
            for param in action.params:
                value = random_argument(rng, state, env, action, param)
                if value is None and param.mode == "some":
                    value = ()
                env[param.name] = value
    for name in ("held", "found", "winner"):
        env.setdefault(name, rng.choice([0, 1, 5, 11, None]))
    return env


def _rules(rng: random.Random, state: State) -> Iterator[str]:
    table, code = state.table, state.table.code
    for rule in table.program.rules:
        env = _environment(rng, state, rule.actions)
        if any(
            value is None for name, value in env.items() if name not in ("held", "found", "winner")
        ):
            continue
        if rule.kinds:
            lying = [
                m
                for m in state.melds[table.side_of(state.player)]
                if table.program.kinds[m.kind].name in rule.kinds
            ]
            if not lying:
                continue
            meld = rng.choice(lying)
            env |= {"meld": meld, "new": tuple(c & FACE for c in meld.cards[:2])}
        expected = broken(table, state, env, rule)
        if code.rules[rule.name](state, env) is not expected:
            yield f"rule {rule.name} {env}: {code.rules[rule.name](state, env)}, oracle {expected}"


def _tables(rng: random.Random, state: State) -> Iterator[str]:
    table, code = state.table, state.table.code
    lying = arguments(rng, state, "meld")
    for name, sort in code.sort.items():
        for meld in lying:
            if sort(state, meld) != evaluate(
                table, state, {"m": meld}, x.SortedAs(x.Var("m"), name)
            ):
                yield f"sorting {name}"
    for name, lookup in code.lookups.items():
        by_card = table.tables[name].form == "card"
        for key in arguments(rng, state, "card" if by_card else "number"):
            if by_card:
                key &= FACE
            if lookup(state, key) != evaluate(table, state, {"k": key}, x.Lookup(name, x.Var("k"))):
                yield f"table {name}[{key}]"
    for index, kind in enumerate(table.program.kinds):
        natural = table.naturals(state, index)
        for card in arguments(rng, state, "card"):
            expected = card & FACE != 53 and bool(
                evaluate(table, state, {"card": card}, kind.cards)
            )
            if (
                natural[card & FACE] is not expected
                or bool(code.kind_cards[kind.name](state, card)) is not expected
            ):
                yield f"cards of {kind.name}: {card}"
        for meld in lying:
            if meld.kind == index:
                again = melds.would_be(table, state, index, None, [c & FACE for c in meld.cards], 0)
                if again is None:
                    yield f"{meld} is no {kind.name}"
