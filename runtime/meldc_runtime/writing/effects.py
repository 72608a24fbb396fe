"""Effects as Python statements."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from meldc_runtime.program import effects as f
from meldc_runtime.program import expressions as x
from meldc_runtime.writing.expressions import Expressions
from meldc_runtime.writing.facts import marks
from meldc_runtime.writing.nodes import walk
from meldc_runtime.writing.readings import Scope, offset
from meldc_runtime.writing.writer import Writer, bare, safe_name

if TYPE_CHECKING:
    from meldc_runtime.writing.module import Module


class Effects:
    """Writes effects for one module; an effect on nothing does nothing, so most stand below a test
    for it.
    """

    def __init__(self, module: Module, writer: Writer, expressions: Expressions) -> None:
        self.module = module
        self.table = module.table
        self.writer = writer
        self.expressions = expressions

    def write(self, effects: tuple[f.Effect, ...], sc: Scope) -> None:
        for effect in effects:
            getattr(self, "_" + type(effect).__name__.lower())(effect, sc)

    def _when(self, guards: list[str], statement: str) -> None:
        if not guards:
            self.writer.line(statement)
            return
        with self.writer.block(f"if {' and '.join(guards)}:"):
            self.writer.line(statement)

    def _kept(self, e: x.Expr, sc: Scope) -> tuple[list[str], str]:
        """A value that is kept: conditions as yes or no, cards without marks."""
        if isinstance(e, (x.And, x.Or, x.Not, x.Exists, x.Compare)):
            return [], self.expressions.yes_no(e, sc)
        return [], bare(self.expressions.value(e, sc))

    # ---- names and memory

    def _let(self, e: f.Let, sc: Scope) -> None:
        _, value = self._kept(e.value, sc)
        self.writer.line(f'{sc.names[e.name]} = env["{e.name}"] = {value}')

    def _place(self, memory: str, owner: x.Expr | None, sc: Scope) -> tuple[list[str], str]:
        base = self.table.memory_base[memory]
        if owner is None:
            return [], f"s.memory[{base}]"
        guards, text = self.expressions.firm(owner, sc)
        return guards, f"s.memory[{offset(base, text)}]"

    def _become(self, e: f.Become, sc: Scope) -> None:
        guards, place = self._place(e.memory, e.owner, sc)
        _, value = self._kept(e.value, sc)
        if self.table.memories[e.memory].type == "card" and self.module.facts.marked(
            e.value, sc.plain
        ):
            value = f"face({value})"
        self._when(guards, f"{place} = {value}")

    def _gain(self, e: f.Gain, sc: Scope) -> None:
        guards, place = self._place(e.memory, e.owner, sc)
        more, value = self.expressions.firm(e.value, sc)
        guards += more
        if e.memory not in self.module.facts.never_nothing:
            guards.append(f"{place} is not None")
        self._when(guards, f"{place} += {bare(value)}")

    def _chance(self, e: f.Chance, sc: Scope) -> None:
        guards, place = self._place(e.memory, e.owner, sc)
        numerator, denominator = (
            self.expressions.value(e.numerator, sc),
            self.expressions.value(e.denominator, sc),
        )
        self._when(guards, f"{place} = chance(s, {bare(numerator)}, {bare(denominator)})")

    # ---- cards

    def _zone(self, ref: f.ZoneRef, sc: Scope) -> tuple[list[str], str, str]:
        """Conditions, the zone, and its owner."""
        base = self.table.zone_base[ref.zone]
        if ref.owner is None:
            return [], f"s.zones[{base}]", ""
        guards, owner = self.expressions.firm(ref.owner, sc)
        return guards, f"s.zones[{offset(base, owner)}]", owner

    def _unseen(self, source: f.ZoneRef, owner: str, to: f.ZoneRef) -> str:
        """What a look-ahead must forget of cards for a hand: `ALL`, `BELOW_TOP`, or `NONE`."""
        if self.table.zones[to.zone].visibility != "owner":
            return "NONE"
        match self.table.zones[source.zone].visibility:
            case "hidden":
                return "ALL"
            case "top":
                return "BELOW_TOP"
            case "owner" if owner and owner != "s.player":
                return f"NONE if {owner} == s.player else ALL"
        return "NONE"

    def _options(self, e: Any, source_owner: str, sc: Scope) -> str:
        options = []
        unseen = self._unseen(e.source, source_owner, e.to)
        if unseen != "NONE":
            options.append(f"unseen={unseen}")
        if marks(self.table, e.to.zone):
            options.append("marked=True")
        if getattr(e, "under", False):
            options.append("under=True")
        if getattr(e, "exceptions", ()):
            options.append(
                f"but=({' '.join(self._exception(one, sc) + ',' for one in e.exceptions)})"
            )
        return "".join(f", {option}" for option in options)

    def _exception(self, e: f.Exception_, sc: Scope) -> str:
        guards, to, _ = self._zone(e.to, sc)
        name = safe_name(e.var, set(sc.names.values()))
        test = self.expressions.truth(e.cards, sc.bind(e.var, name, plain=True))
        if test.endswith(f"[{name}]") and test.count("[") == 1:
            test = self.module.getter(test[: test.index("[")])
        else:
            test = f"lambda {name}: {bare(test)}"
        if guards:
            to = f"({to} if {' and '.join(guards)} else None)"
        return f"({test}, {to}, {marks(self.table, e.to.zone)})"

    def _movecount(self, e: f.MoveCount, sc: Scope) -> None:
        count_guards, count = self.expressions.firm(e.count, sc)
        source_guards, source, owner = self._zone(e.source, sc)
        to_guards, to, _ = self._zone(e.to, sc)
        options = self._options(e, owner, sc)
        guards = [*count_guards, *source_guards, *to_guards]
        self._when(guards, f"move_count(s, {bare(count)}, {source}, {to}{options})")

    def _movecards(self, e: f.MoveCards, sc: Scope) -> None:
        source_guards, source, owner = self._zone(e.source, sc)
        to_guards, to, _ = self._zone(e.to, sc)
        whole = (
            isinstance(e.cards, x.ZoneCards) and not e.cards.many and e.cards.zone == e.source.zone
        )
        if whole and e.cards.owner == e.source.owner:  # type: ignore[attr-defined]
            cards = f"{source}[:]"
        else:
            cards = bare(self.expressions.listing(e.cards, sc))
        options = self._options(e, owner, sc)
        self._when([*source_guards, *to_guards], f"move_cards(s, {cards}, {source}, {to}{options})")

    def _moveuntil(self, e: f.MoveUntil, sc: Scope) -> None:
        source_guards, source, owner = self._zone(e.source, sc)
        to_guards, to, _ = self._zone(e.to, sc)
        options = self._options(e, owner, sc)
        guards = [*source_guards, *to_guards]
        with self.writer.block(f"while {' and '.join([*guards, source])}:"):
            self.writer.line(f"move_count(s, 1, {source}, {to}{options})")
            with self.writer.block(f"if {bare(self.expressions.truth(e.until, sc))}:"):
                self.writer.line("break")

    def _laymeld(self, e: f.LayMeld, sc: Scope) -> None:
        parts = []
        for part in e.parts:
            guards, zone, _ = self._zone(part.source, sc)
            cards = bare(self.expressions.listing(part.cards, sc))
            if guards:
                zone = f"{zone} if {' and '.join(guards)} else []"
            parts.append(f"({cards}, {zone})")
        kind = "None" if e.kind is None else bare(self.expressions.value(e.kind, sc))
        onto = "None" if e.onto is None else bare(self.expressions.value(e.onto, sc))
        call = f"lay_meld(s, env, ({', '.join(parts)},), {kind}, {onto})"
        if isinstance(e.onto, x.Var):
            name = sc.names[e.onto.name]
            self.writer.line(f'{name} = env["{e.onto.name}"] = {call}')
        elif e.onto is not None:
            with self.writer.block(f"if {onto} is not None:"):
                self.writer.line(call)
        else:
            self.writer.line(call)

    def _exchange(self, e: f.Exchange, sc: Scope) -> None:
        guards, source, _ = self._zone(e.source, sc)
        to_guards, to, _ = self._zone(e.to, sc)
        card, meld = (bare(self.expressions.value(part, sc)) for part in (e.card, e.meld))
        options = ", marked=True" if marks(self.table, e.to.zone) else ""
        call = f"exchange(s, env, {card}, {source}, {meld}, {to}{options})"
        if isinstance(e.meld, x.Var):
            call = f'{sc.names[e.meld.name]} = env["{e.meld.name}"] = {call}'
        self._when([*guards, *to_guards], call)

    def _shuffle(self, e: f.Shuffle, sc: Scope) -> None:
        guards, zone, _ = self._zone(e.zone, sc)
        self._when(guards, f"shuffle(s, {zone})")

    # ---- where the play goes

    def _goto(self, e: f.GoTo, sc: Scope) -> None:
        phase = self.table.phases[e.phase]
        guards, player = (
            ([], "s.player") if e.player is None else self.expressions.firm(e.player, sc)
        )
        self._when(guards, f'env["go to"] = ({phase}, {bare(player)})  # {e.phase}')
        if guards and e.player is not None and self._asks_for_hidden_cards(e.player):
            with self.writer.block("elif s.blind:  # who it is hangs on cards that nobody sees"):
                other = f"(s.player + 1) % {self.table.players}"
                self.writer.line(f'env["go to"] = ({phase}, {other})')

    def _asks_for_hidden_cards(self, e: x.Expr) -> bool:
        """Whether an expression reads cards that not all players see, through definitions."""
        seen: set[str] = set()
        waiting: list[x.Expr] = [e]
        while waiting:
            for node in walk(waiting.pop()):
                if isinstance(node, x.ZoneCards):
                    if self.table.zones[node.zone].visibility != "shown":
                        return True
                elif isinstance(node, x.Apply) and node.definition not in seen:
                    seen.add(node.definition)
                    waiting.append(self.module.folding.body(node.definition))
        return False

    def _goback(self, e: f.GoBack, sc: Scope) -> None:
        self.writer.line('env["go to"] = BACK')

    def _endturn(self, e: f.EndTurn, sc: Scope) -> None:
        self.writer.line('env["end turn"] = True')

    def _enddeal(self, e: f.EndDeal, sc: Scope) -> None:
        self.writer.line('env["end deal"] = True')

    def _endgame(self, e: f.EndGame, sc: Scope) -> None:
        winners = "None" if e.winners is None else bare(self.expressions.listing(e.winners, sc))
        self.writer.line(f"end_game(s, env, {winners})")

    def _redeal(self, e: f.Redeal, sc: Scope) -> None:
        self.writer.line("redeal(s)")

    # ---- blocks

    def _branch(self, e: f.Branch, sc: Scope) -> None:
        if isinstance(e.condition, x.Const):
            self.write(e.then if e.condition.value else e.otherwise, sc)
            return
        with self.writer.block(f"if {bare(self.expressions.truth(e.condition, sc))}:"):
            self.write(e.then, sc)
        if e.otherwise:
            with self.writer.block("else:"):
                self.write(e.otherwise, sc)

    def _foreach(self, e: f.ForEach, sc: Scope) -> None:
        elements = bare(self.expressions.listing(e.source, sc))
        name = safe_name(e.var, {*sc.names.values(), *self.module.loop_names})
        self.module.loop_names.add(name)
        if not isinstance(e.source, (x.AllPlayers, x.AllSides, x.StartingAt, x.Range, x.Filter)):
            elements = f"tuple({elements})"
        with self.writer.block(f"for {name} in {elements}:"):
            self.write(
                e.body, sc.bind(e.var, name, plain=not self.module.facts.marked(e.source, sc.plain))
            )
