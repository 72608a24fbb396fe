"""Whether the effects of actions and moments fit what they work on."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from meldc_runtime.program import effects as f
from meldc_runtime.vetting.expressions import Names, Typing
from meldc_runtime.vetting.types import elements_of


class Effects:
    """Checks effects; raises UnsoundError."""

    def __init__(self, typing: Typing) -> None:
        self.typing = typing

    def check(self, effects: Iterable[f.Effect], names: Names) -> Names:
        """Checks effects in their order; the names that are known after them."""
        for effect in effects:
            names = CHECKS[effect.__class__](self, effect, names)
        return names

    def zone(self, node: f.ZoneRef, names: Names) -> None:
        zone = self.typing.known(node, node.zone, self.typing.zones, "zone")
        self.typing.owner(node, zone.owner, node.owner, names)

    def let(self, node: f.Let, names: Names) -> Names:
        return {**names, node.name: self.typing.of(node.value, names)}

    def _move(self, node: Any, names: Names) -> Names:
        self.zone(node.source, names)
        self.zone(node.to, names)
        for exception in node.exceptions:
            inner = {**names, exception.var: "card"}
            self.typing.want(exception.cards, inner, "yes_no")
            self.zone(exception.to, names)
        return names

    def move_count(self, node: f.MoveCount, names: Names) -> Names:
        self.typing.want(node.count, names, "number")
        return self._move(node, names)

    def move_cards(self, node: f.MoveCards, names: Names) -> Names:
        self.typing.want_list(node.cards, names, "card")
        return self._move(node, names)

    def move_until(self, node: f.MoveUntil, names: Names) -> Names:
        self.typing.want(node.until, names, "yes_no")
        self.zone(node.source, names)
        self.zone(node.to, names)
        return names

    def lay_meld(self, node: f.LayMeld, names: Names) -> Names:
        for part in node.parts:
            self.typing.want_list(part.cards, names, "card")
            self.zone(part.source, names)
        if node.kind is not None:
            self.typing.want(node.kind, names, "kind")
        if node.onto is not None:
            self.typing.want(node.onto, names, "meld")
        return names

    def exchange(self, node: f.Exchange, names: Names) -> Names:
        self.typing.want(node.card, names, "card")
        self.typing.want(node.meld, names, "meld")
        self.zone(node.source, names)
        self.zone(node.to, names)
        return names

    def become(self, node: f.Become, names: Names) -> Names:
        memory = self._memory(node, names)
        self.typing.want_declared(node.value, names, memory.type)
        return names

    def gain(self, node: f.Gain, names: Names) -> Names:
        if self._memory(node, names).type != "number":
            self.typing.want(node.value, names, "a memory of numbers")
        self.typing.want(node.value, names, "number")
        return names

    def chance(self, node: f.Chance, names: Names) -> Names:
        if self._memory(node, names).type != "yes_no":
            self.typing.want(node.numerator, names, "a memory of yes and no")
        self.typing.want(node.numerator, names, "number")
        self.typing.want(node.denominator, names, "number")
        return names

    def _memory(self, node: f.Become | f.Gain | f.Chance, names: Names) -> Any:
        memory = self.typing.known(node, node.memory, self.typing.memories, "memory")
        self.typing.owner(node, memory.owner, node.owner, names)
        return memory

    def go_to(self, node: f.GoTo, names: Names) -> Names:
        self.typing.known(node, node.phase, self.typing.phases, "phase")
        if node.player is not None:
            self.typing.want(node.player, names, "player")
        return names

    def end_game(self, node: f.EndGame, names: Names) -> Names:
        if node.winners is not None:
            self.typing.want_list(node.winners, names, "side")
        return names

    def shuffle(self, node: f.Shuffle, names: Names) -> Names:
        self.zone(node.zone, names)
        return names

    def branch(self, node: f.Branch, names: Names) -> Names:
        self.typing.want(node.condition, names, "yes_no")
        return {**names, **self.check(node.then, names), **self.check(node.otherwise, names)}

    def for_each(self, node: f.ForEach, names: Names) -> Names:
        element = elements_of(self.typing.of(node.source, names))
        self.check(node.body, {**names, node.var: element})
        return names


CHECKS: dict[type[f.Effect], Callable[[Effects, Any, Names], Names]] = {
    f.Let: Effects.let,
    f.MoveCount: Effects.move_count,
    f.MoveCards: Effects.move_cards,
    f.MoveUntil: Effects.move_until,
    f.LayMeld: Effects.lay_meld,
    f.Exchange: Effects.exchange,
    f.Become: Effects.become,
    f.Gain: Effects.gain,
    f.Chance: Effects.chance,
    f.GoTo: Effects.go_to,
    f.GoBack: lambda _, __, names: names,
    f.EndTurn: lambda _, __, names: names,
    f.EndDeal: lambda _, __, names: names,
    f.EndGame: Effects.end_game,
    f.Shuffle: Effects.shuffle,
    f.Redeal: lambda _, __, names: names,
    f.Branch: Effects.branch,
    f.ForEach: Effects.for_each,
}
