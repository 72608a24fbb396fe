"""Judges expressions before a card is dealt: what they can be at a table of a size."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from functools import cached_property

from meldc.check.packs import Seating
from meldc.check.possible import domain
from meldc.check.possible.domain import ANYTHING, CARDS, Card, Possible
from meldc.check.possible.melds import Form, forms, named_ranks
from meldc.check.possible.memories import Written
from meldc.check.possible.readings import READERS, Env, Thing
from meldc.check.possible.zones import contents
from meldc.check.reckoning import Value
from meldc.check.walk import walk
from meldc_runtime.cards import RANK_OF
from meldc_runtime.program import expressions as x
from meldc_runtime.program.declarations import Program, Row, Table

NOBODY: Env = {}
HIGHEST_SIZE = 16


class Judge:
    """What expressions of a Program can be with a number of players.

    What the Program does not tell is anything at all, never a guess.
    """

    def __init__(self, program: Program, seating: Seating) -> None:
        self.program = program
        self.seating = seating
        self.settings = {each.name: each.value for each in program.settings}
        self.definitions = {each.name: each for each in program.definitions}
        self.tables = {each.name: each for each in program.tables}
        self.memories = {each.name: each for each in program.memories}
        self.written = Written(program)
        self._known: dict[object, Possible] = {}
        self._busy: set[object] = set()
        self._worked_out: dict[object, tuple[Possible, x.Expr, list[Thing]]] = {}
        self._names: dict[int, tuple[x.Expr, tuple[str, ...]]] = {}
        self._own: dict[int, set[int]] = {}
        self._of_cards: dict[tuple[str, int | None], Possible] = {}
        self._those: dict[int, tuple[set[int], set[int], x.Expr]] = {}
        self._zones: dict[str, set[int]] | None = None

    # ---- what there is ---------------------------------------------------------------------

    @property
    def pack(self) -> Counter[int]:
        return self.seating.cards

    @property
    def zones(self) -> dict[str, set[int]]:
        """The faces that can ever lie in each zone; while that is worked out, none is known."""
        if self._zones is None:
            self._zones = {}
            self._zones = contents(self)
        return self._zones

    @cached_property
    def cap(self) -> int:
        """Sizes from here on are told apart by nothing."""
        bounds = [n for kind in self.program.kinds for n in (*kind.size, *kind.naturals) if n]
        numbers = [
            node.value
            for table in self.program.tables
            if table.form == "sorts"
            for row in table.rows
            for node in walk(row.condition)
            if isinstance(node, x.Const) and node.type == "number" and isinstance(node.value, int)
        ]
        for node in walk((self.program.rules, self.program.definitions)):
            match node:
                case x.Compare(_, x.MeldAttr(_, "size"), x.Const(int(number))):
                    numbers.append(number)
                case _:
                    pass
        return min(HIGHEST_SIZE, max((*bounds, *numbers, 7)) + 1)

    @cached_property
    def forms(self) -> tuple[Form, ...]:
        """Every meld that can lie, as far as it matters."""
        found: list[Form] = []
        named = named_ranks(self.program)
        for place, kind in enumerate(self.program.kinds):
            each = forms(
                kind,
                place,
                self.pack,
                lambda face, cards=kind.cards: self.fits(cards, face),  # type: ignore[misc]
                self.is_wild,
                self.cap,
                named,
            )
            condition = kind.condition
            if condition is None:
                found.extend(each)
            else:
                found.extend(f for f in each if self.of(condition, {"meld": f}).truth is not False)
        return tuple(found)

    def fits(self, condition: x.Expr, face: int) -> bool:
        """Whether a card may fit a pattern."""
        return self.of(condition, {"card": CARDS[face]}).truth is not False

    def own(self, place: int) -> set[int]:
        """The faces that may lie as themselves in melds of a kind."""
        if place not in self._own:
            cards = self.program.kinds[place].cards
            self._own[place] = {face for face in self.pack if self.fits(cards, face)}
        return self._own[place]

    def is_wild(self, face: int) -> bool:
        """Whether a card may stand for others."""
        wild = self.definitions.get("wild")
        return wild is not None and self.fits(wild.body, face)

    # ---- values ----------------------------------------------------------------------------

    def truth(self, expr: x.Expr | None, env: Env = NOBODY) -> bool | None:
        """A condition: yes, no, None where only the deal tells. None at all holds."""
        return True if expr is None else self.of(expr, env).truth

    def of(self, expr: x.Expr, env: Env = NOBODY) -> Possible:
        """What an expression can be; `env`: what is known of its variables."""
        reader = READERS.get(type(expr))
        if reader is None:
            return ANYTHING
        if isinstance(expr, _SIMPLE):
            return reader(self, expr, env)
        known: list[Thing] = []
        key: object = id(expr)
        if env:
            known = [env[name] for name in self._free(expr) if name in env]
            key = (key, *map(id, known))
        found = self._worked_out.get(key)
        if found is None:
            # What it hangs on is kept too: while it lives, nothing else has its number.
            found = self._worked_out[key] = (reader(self, expr, env), expr, known)
        return found[0]

    def _free(self, expr: x.Expr) -> tuple[str, ...]:
        """The variables that stand in an expression, those it binds itself among them."""
        key = id(expr)
        if key not in self._names:
            names = dict.fromkeys(n.name for n in walk(expr) if isinstance(n, x.Var))
            self._names[key] = (expr, (*names, "meld") if _takes_meld(expr) else tuple(names))
        return self._names[key][1]

    def once(self, key: object, work: Callable[[], Possible]) -> Possible:
        """What is worked out once; anything, where it hangs on itself."""
        if key not in self._known:
            if key in self._busy:
                return ANYTHING
            self._busy.add(key)
            try:
                self._known[key] = work()
            finally:
                self._busy.discard(key)
        return self._known[key]

    # ---- collections -----------------------------------------------------------------------

    def faces(self, expr: x.Expr, env: Env = NOBODY) -> set[int] | None:
        """The faces that a list of cards can hold; None where it may be no list of cards."""
        match expr:
            case x.ZoneCards(zone):
                return self.zones.get(zone, set(self.pack))
            case x.MeldCards() | x.MeldAttr(_, "cards"):
                return set(self.pack)
            case x.Filter(source, var, where):
                found = self.faces(source, env)
                return None if found is None else self.passing(found, var, where, env)
            case x.Join(left, right):
                one, two = self.faces(left, env), self.faces(right, env)
                return None if one is None or two is None else one | two
            case x.If(holds, then, otherwise):
                truth = self.truth(holds, env)
                if truth is not None:
                    return self.faces(then if truth else otherwise, env)
                one, two = self.faces(then, env), self.faces(otherwise, env)
                return None if one is None or two is None else one | two
            case x.Apply(name, arguments):
                return self.faces(self.definitions[name].body, self.bound(name, arguments, env))
            case _:
                return None

    def those(self, where: x.Expr, var: str) -> tuple[set[int], set[int]]:
        """The faces of the pack for which a condition may hold, and for which it does."""
        if id(where) not in self._those:
            truths = {face: self.truth(where, {var: CARDS[face]}) for face in self.pack}
            may = {face for face, truth in truths.items() if truth is not False}
            self._those[id(where)] = may, {f for f in may if truths[f] is True}, where
        return self._those[id(where)][:2]

    def passing(self, faces: set[int], var: str, where: x.Expr, env: Env) -> set[int]:
        """Those of these faces for which a condition may hold."""
        if not env:
            return faces & self.those(where, var)[0]
        return {f for f in faces if self.of(where, {**env, var: Card(f)}).truth is not False}

    def melds(self, expr: x.Expr, env: Env = NOBODY) -> tuple[Form, ...] | None:
        """The melds that a list can hold; None where it may be no list of melds."""
        match expr:
            case x.MeldsOf():
                return self.forms
            case x.Filter(source, var, where):
                found = self.melds(source, env)
                if found is None:
                    return None
                return tuple(f for f in found if self.truth(where, {**env, var: f}) is not False)
            case x.Apply(name, arguments):
                return self.melds(self.definitions[name].body, self.bound(name, arguments, env))
            case _:
                return None

    def elements(self, expr: x.Expr, env: Env) -> list[Thing] | None:
        """What a list can hold, one by one; None where that is not known."""
        faces = self.faces(expr, env)
        if faces is not None:
            return [CARDS[face] for face in faces]
        melds = self.melds(expr, env)
        return None if melds is None else list(melds)

    def size(self, expr: x.Expr, env: Env) -> Possible:
        """How many a list can hold."""
        side = self.seating.players // self.seating.sides
        match expr:
            case x.AllPlayers():
                return domain.exactly(self.seating.players)
            case x.AllSides():
                return domain.exactly(self.seating.sides)
            case x.AllKinds():
                return domain.exactly(len(self.program.kinds))
            case x.Partners():
                return domain.exactly(side - 1)
            case x.Opponents():
                return domain.exactly(self.seating.sides - 1)
            case x.PlayersOf(_, False):
                return domain.exactly(side)
            case x.RowsOf(table):
                return domain.exactly(len(self.tables[table].rows))
            case x.ListOf(items):
                return domain.between(0, len(items))
            case x.StartingAt(players):
                return self.size(players, env)
            case x.Filter(source, var, where):
                return self.counted(source, var, where, env)
        faces = self.faces(expr, env)
        if faces is not None:
            return domain.between(0, sum(self.pack[face] for face in faces))
        melds = self.melds(expr, env)
        if melds is not None:
            return domain.between(0, self.most_melds(melds))
        return domain.between(0, None)

    def counted(self, source: x.Expr, var: str, where: x.Expr | None, env: Env) -> Possible:
        """How many of a list satisfy a condition."""
        if where is None:
            return self.size(source, env)
        things = self.elements(source, env)
        if things is None:
            whole = self.size(source, env)
            truth = self.truth(where, {k: v for k, v in env.items() if k != var})
            if truth is not None:
                return whole if truth else domain.exactly(0)
            return domain.between(0, whole.most)
        truths = [self.truth(where, {**env, var: thing}) for thing in things]
        fitting = [thing for thing, truth in zip(things, truths, strict=True) if truth is not False]
        if not fitting:
            return domain.exactly(0)
        if all(truths):
            return self.size(source, env)
        return domain.between(0, self._bound(fitting))

    def _bound(self, things: list[Thing]) -> int | None:
        if all(isinstance(thing, Form) for thing in things):
            return self.most_melds([thing for thing in things if isinstance(thing, Form)])
        return sum(self.pack[thing.face] for thing in things if isinstance(thing, Card))

    def most_melds(self, melds: Iterable[Form]) -> int:
        """How many melds of these forms the pack allows at most."""
        found = list(melds)
        if not found:
            return 0
        whole = sum(self.pack.values()) // min(each.size for each in found)
        places = {each.kind for each in found}
        return min(whole, sum(self._most_of_kind(found, place) for place in places))

    def _most_of_kind(self, melds: list[Form], place: int) -> int:
        """The same for the melds of one kind: each needs naturals, one of a rank may be all."""
        kind, total = self.program.kinds[place], 0
        by_rank: dict[int | None, int] = {}
        for each in melds:
            if each.kind == place:
                least = by_rank.get(each.rank, each.naturals)
                by_rank[each.rank] = min(least, each.naturals)
        for rank, least in by_rank.items():
            own = sum(
                self.pack[face] for face in self.own(place) if rank is None or RANK_OF[face] == rank
            )
            most = own // least if least else sum(self.pack.values())
            alike = next(each.alike for each in melds if each.kind == place and each.rank == rank)
            total += (min(most, 1) if kind.how_many == "one" else most) * alike
        return total

    # ---- names -----------------------------------------------------------------------------

    def bound(self, name: str, arguments: tuple[x.Expr, ...], env: Env) -> dict[str, Thing]:
        """What is known of the parameters of a definition."""
        found: dict[str, Thing] = {}
        for (param, type_), argument in zip(self.definitions[name].params, arguments, strict=True):
            if isinstance(argument, x.Var):
                if argument.name in env:
                    found[param] = env[argument.name]
            elif type_ not in ("card", "meld"):
                value = self.of(argument, env)
                if value.few is not None:
                    found[param] = value
        return found

    def sorted_rows(self, table: Table, form: Thing | None) -> Possible:
        """The rows of a sorting table that a meld can belong to, by place."""
        melds = [form] if isinstance(form, Form) else None
        if melds is None:
            return self.once(
                ("rows", table.name),
                lambda: domain.union(
                    (domain.exactly(None), *(self.sorted_rows(table, f) for f in self.forms))
                ),
            )
        found: list[Value] = []
        for place in reversed(range(len(table.rows))):
            row = table.rows[place]
            truth = True
            if row.condition is not None:
                truth = self.truth(row.condition, {"meld": melds[0]})  # type: ignore[assignment]
            if truth is not False:
                found.append(place)
            if truth is True:
                return domain.exactly(*found)
        return domain.exactly(*found, None)

    def cell(self, row: Row, column: str = "", env: Env = NOBODY) -> Possible:
        """What a cell of a row can be."""
        cells = dict(row.cells)
        return self.of(cells[column], env) if column in cells else ANYTHING

    def of_card(self, table: Table, face: int | None) -> Possible:
        """What a table by card gives for a card; face None: for any card of the pack."""
        key = (table.name, face)
        if key not in self._of_cards:
            self._of_cards[key] = (
                self._for_face(table, face)
                if face is not None
                else domain.union([self.of_card(table, each) for each in self.pack])
            )
        return self._of_cards[key]

    def _for_face(self, table: Table, face: int) -> Possible:
        env = {"card": CARDS[face]}
        found: list[Possible] = []
        for row in reversed(table.rows):
            truth = self.truth(row.condition, env)
            if truth is not False:
                found.append(self.cell(row, "", env))
            if truth is True:
                return domain.union(found)
        return domain.union((*found, domain.exactly(None)))


_SIMPLE = (x.Const, x.Var, x.SettingValue, x.Remembered)


def _takes_meld(expr: x.Expr) -> bool:
    """Whether a column of a row stands in it, which may be about the meld looked at."""
    return any(isinstance(node, x.RowAttr) for node in walk(expr))
