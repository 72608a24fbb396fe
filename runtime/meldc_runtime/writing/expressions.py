"""Every expression as Python text: what lies, who sits where, attributes, definitions."""

from __future__ import annotations

from meldc_runtime.program import expressions as x
from meldc_runtime.writing.facts import MAY_LACK
from meldc_runtime.writing.queries import Queries
from meldc_runtime.writing.readings import Parts, Scope, offset, or_empty
from meldc_runtime.writing.writer import bare


class Expressions(Queries):
    """Writes expressions for one module."""

    # ---- plain values

    def _var(self, e: x.Var, sc: Scope) -> Parts:
        return [], sc.names[e.name], e.name in sc.nullable

    def _remembered(self, e: x.Remembered, sc: Scope) -> Parts:
        base = self.table.memory_base[e.memory]
        nullable = e.memory not in self.facts.never_nothing
        if e.owner is None:
            return [], f"s.memory[{base}]", nullable
        guards, owner = self.firm(e.owner, sc)
        return guards, f"s.memory[{offset(base, owner)}]", nullable

    def _zonecards(self, e: x.ZoneCards, sc: Scope) -> Parts:
        base = self.table.zone_base[e.zone]
        if e.owner is None:
            return [], f"s.zones[{base}]", False
        if e.many:
            return [], f"[{self.clauses_text(e, 'o0', sc)}]", False
        guards, owner = self.firm(e.owner, sc)
        return [], or_empty(guards, f"s.zones[{offset(base, owner)}]"), False

    def _meldsof(self, e: x.MeldsOf, sc: Scope) -> Parts:
        if e.many:
            return [], f"[{self.clauses_text(e, 'm0', sc)}]", False
        guards, owner = self.firm(e.owner, sc)
        return [], or_empty(guards, f"s.melds[{owner}]"), False

    def _meldcards(self, e: x.MeldCards, sc: Scope) -> Parts:
        return [], f"[{self.clauses_text(e, 'o0', sc)}]", False

    # ---- who

    def _allplayers(self, e: x.AllPlayers, sc: Scope) -> Parts:
        return [], "PLAYERS", False

    def _allsides(self, e: x.AllSides, sc: Scope) -> Parts:
        return [], "SIDES", False

    def _allkinds(self, e: x.AllKinds, sc: Scope) -> Parts:
        return [], f"range({len(self.table.program.kinds)})", False

    def _rowsof(self, e: x.RowsOf, sc: Scope) -> Parts:
        return [], f"range({len(self.table.tables[e.table].rows)})", False

    def _acting(self, e: x.Acting, sc: Scope) -> Parts:
        return [], "s.player", False

    def _sideof(self, e: x.SideOf, sc: Scope) -> Parts:
        guards, player = self.firm(e.player, sc)
        return (
            guards,
            player if self.table.side_size == 1 else f"({player} % {self.table.sides})",
            False,
        )

    def _playersof(self, e: x.PlayersOf, sc: Scope) -> Parts:
        if e.many:
            return [], f"[{self.clauses_text(e, 'o0', sc)}]", False
        guards, side = self.firm(e.side, sc)
        return [], or_empty(guards, f"PLAYERS_OF[{side}]"), False

    def _neighbour(self, e: x.Neighbour, sc: Scope) -> Parts:
        guards, player = self.firm(e.player, sc)
        return guards, f"(({player} + {e.step}) % {self.table.players})", False

    def _seatson(self, e: x.SeatsOn, sc: Scope) -> Parts:
        guards, player = self.firm(e.player, sc)
        more, steps = self.firm(e.steps, sc)
        return [*guards, *more], f"(({player} + {steps}) % {self.table.players})", False

    def _partners(self, e: x.Partners, sc: Scope) -> Parts:
        guards, player = self.firm(e.player, sc)
        return [], or_empty(guards, f"PARTNERS[{player}]"), False

    def _opponents(self, e: x.Opponents, sc: Scope) -> Parts:
        guards, side = self.firm(e.side, sc)
        return [], or_empty(guards, f"OPPONENTS[{side}]"), False

    def _nextof(self, e: x.NextOf, sc: Scope) -> Parts:
        players, after = self.listing(e.players, sc), self.value(e.after, sc)
        return [], f"next_of({bare(players)}, {bare(after)}, {self.table.players})", True

    def _startingat(self, e: x.StartingAt, sc: Scope) -> Parts:
        players, start = self.listing(e.players, sc), self.value(e.start, sc)
        return [], f"starting_at({bare(players)}, {bare(start)}, {self.table.players})", False

    # ---- attributes

    def _cardattr(self, e: x.CardAttr, sc: Scope) -> Parts:
        guards, card = self.firm(e.card, sc)
        face = card if not self.facts.marked(e.card, sc.plain) else f"{card} & 63"
        match e.attr:
            case "rank" | "number":
                return guards, f"RANK[{face}]", True
            case "suit":
                return guards, f"SUIT[{face}]", True
            case "red" | "black":
                return guards, f"{e.attr.upper()}[{face}]", False
            case "laid_by":
                return guards, f"laid_by({card})", True
        return guards, f"(t_values(s, {face}) or 0)", False

    def _meldattr(self, e: x.MeldAttr, sc: Scope) -> Parts:
        guards, meld = self.firm(e.meld, sc)
        match e.attr:
            case "size":
                return guards, f"len({meld}.cards)", False
            case "naturals":
                return guards, f"(len({meld}.cards) - {meld}.wilds)", False
            case "stands_for":
                return [], or_empty(guards, f"standing_faces({meld})"), False
            case "cards":
                return [], or_empty(guards, f"{meld}.cards"), False
            case "lowest" | "highest":
                return guards, f"{e.attr}_face({meld})", True
        return guards, f"{meld}.{e.attr}", e.attr in MAY_LACK

    def _sortedas(self, e: x.SortedAs, sc: Scope) -> Parts:
        guards, meld = self.firm(e.meld, sc)
        return guards, f"sort_{e.table}(s, {bare(meld)})", True

    def _rowattr(self, e: x.RowAttr, sc: Scope) -> Parts:
        guards, row = self.firm(e.row, sc)
        if e.column == "place":
            return guards, f"({row} + 1)", False
        return (
            guards,
            self.module.column(e.table, e.column, row),
            self.facts.nullable(x.RowAttr(x.Var(""), e.table, e.column)),
        )

    def _lookup(self, e: x.Lookup, sc: Scope) -> Parts:
        guards, key = self.firm(e.key, sc)
        if self.table.tables[e.table].form == "card":
            return guards, f"t_{e.table}(s, {bare(self._card_face(e.key, key, sc))})", True
        return guards, f"t_{e.table}(s, {bare(key)})", False

    def _apply(self, e: x.Apply, sc: Scope) -> Parts:
        guards: list[str] = []
        arguments = []
        for argument in e.arguments:
            more, value = self.firm(argument, sc)
            guards += more
            arguments.append(bare(value))
        text = f"d_{e.definition}({', '.join(['s', *arguments])})"
        return guards, text, e.definition not in self.facts.certain

    def _currentphase(self, e: x.CurrentPhase, sc: Scope) -> Parts:
        return [], "s.phase", False

    def _dealscore(self, e: x.DealScore, sc: Scope) -> Parts:
        guards, side = self.firm(e.side, sc)
        return [*guards, "s.scores"], f"s.scores[{bare(side)}]", False

    # ---- the meld to be, the plays to come

    def _joined(self, e: x.Joined, sc: Scope) -> Parts:
        return [], f"joined_meld(s, {bare(self.listing(e.cards, sc))})", True

    def _can(self, e: x.Can, sc: Scope) -> Parts:
        guards, player = self.firm(e.player, sc)
        if e.subject == "end_of_turn":
            text = f"s.table.foresight.can_end_turn(s, {bare(player)}, {e.without!r})"
        else:
            text = (
                f"s.table.foresight.can_{e.subject}(s, {e.name!r}, {bare(player)}, {e.without!r})"
            )
        return [], f"bool({' and '.join([*guards, text])})" if guards else text, False

    def _only(self, e: x.Only, sc: Scope) -> Parts:
        return [], f"s.table.foresight.only(s, {e.actions!r})", False
