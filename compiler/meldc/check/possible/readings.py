"""What each kind of expression can be, one reader for each."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, TypeAlias

from meldc.check.possible import domain
from meldc.check.possible.domain import (
    ANYTHING,
    CARDS,
    EITHER,
    NUMBER,
    SOMETHING,
    Card,
    Possible,
)
from meldc.check.possible.melds import Form
from meldc.check.reckoning import Value
from meldc_runtime.cards import BLACK, RANK_OF, RED, SUIT_OF
from meldc_runtime.program import expressions as x
from meldc_runtime.program.declarations import Table

if TYPE_CHECKING:
    from meldc.check.possible.judge import Judge

Thing: TypeAlias = Card | Form | Possible
Env: TypeAlias = Mapping[str, Thing]


def _const(judge: Judge, node: x.Const, env: Env) -> Possible:
    return domain.exactly(node.value)


def _var(judge: Judge, node: x.Var, env: Env) -> Possible:
    thing = env.get(node.name)
    if isinstance(thing, Possible):
        return thing
    if isinstance(thing, Card):
        return domain.exactly(thing.face)
    return SOMETHING


def _setting(judge: Judge, node: x.SettingValue, env: Env) -> Possible:
    return judge.once(("setting", node.name), lambda: judge.of(judge.settings[node.name]))


def _remembered(judge: Judge, node: x.Remembered, env: Env) -> Possible:
    name = node.memory
    return judge.once(("memory", name), lambda: judge.written.value(judge, name))


def _count(judge: Judge, node: x.Count, env: Env) -> Possible:
    return judge.counted(node.source, node.var, node.where, env)


def _exists(judge: Judge, node: x.Exists, env: Env) -> Possible:
    number = judge.counted(node.source, node.var, node.where, env)
    if number.most == 0:
        return domain.NO
    return domain.YES if (number.least or 0) > 0 else EITHER


def _for_all(judge: Judge, node: x.ForAll, env: Env) -> Possible:
    number = judge.counted(node.source, node.var, x.Not(node.where), env)
    if number.most == 0:
        return domain.YES
    return domain.NO if (number.least or 0) > 0 else EITHER


def _sum(judge: Judge, node: x.Sum, env: Env) -> Possible:
    faces = judge.faces(node.source, env)
    low = high = 0
    if faces is not None:
        for face in faces:
            worth = judge.of(node.by, {**env, node.var: CARDS[face]})
            if worth.least is None or worth.most is None:
                if worth.few != frozenset((None,)):
                    return NUMBER
                continue
            low += min(0, worth.least) * judge.pack[face]
            high += max(0, worth.most) * judge.pack[face]
        return domain.between(low, high)
    melds = judge.melds(node.source, env)
    if melds is None:
        number = judge.size(node.source, env)
        worth = judge.of(node.by, env)
        many = domain.between(0, number.most)
        return domain.reckoned("*", many, domain.without_nothing(worth))
    counting: list[Form] = []
    for meld in melds:
        worth = judge.of(node.by, {**env, node.var: meld})
        if worth.few is not None and worth.few <= {None, 0}:
            continue
        if worth.least is None or worth.most is None:
            return NUMBER
        counting.append(meld)
        low, high = min(low, worth.least), max(high, worth.most)
    times = judge.most_melds(counting)
    return domain.between(low * times, high * times)


def _and(judge: Judge, node: x.And, env: Env) -> Possible:
    found = [judge.of(each, env).truth for each in node.operands]
    return domain.NO if False in found else EITHER if None in found else domain.YES


def _or(judge: Judge, node: x.Or, env: Env) -> Possible:
    found = [judge.of(each, env).truth for each in node.operands]
    return domain.YES if True in found else EITHER if None in found else domain.NO


def _not(judge: Judge, node: x.Not, env: Env) -> Possible:
    truth = judge.of(node.operand, env).truth
    return domain.condition(None if truth is None else not truth)


def _comparison(judge: Judge, node: x.Compare, env: Env) -> Possible:
    left, right = judge.of(node.left, env), judge.of(node.right, env)
    if node.left == node.right and not left.can_be_nothing and not left.known:
        return domain.condition(node.op in ("=", "<=", ">="))
    return domain.compared(node.op, left, right)


def _arith(judge: Judge, node: x.Arith, env: Env) -> Possible:
    return domain.reckoned(node.op, judge.of(node.left, env), judge.of(node.right, env))


def _remainder(judge: Judge, node: x.Remainder, env: Env) -> Possible:
    """From 0 up to one less than what is divided by."""
    right = judge.of(node.right, env)
    left = judge.of(node.left, env)
    nothing = left.can_be_nothing or right.can_be_nothing or (right.least or 0) < 1
    if right.most is None:
        return domain.between(0, None, nothing=nothing)
    return domain.between(0, max(0, right.most - 1), nothing=nothing)


def _unmelded(judge: Judge, node: x.Unmelded, env: Env) -> Possible:
    """A sum over some of the cards, and nothing of too many."""
    whole = _sum(judge, x.Sum(node.source, node.var, node.by), env)
    return domain.between(whole.least, whole.most, nothing=True)


def _if(judge: Judge, node: x.If, env: Env) -> Possible:
    truth = judge.truth(node.condition, env)
    if truth is not None:
        return judge.of(node.then if truth else node.otherwise, env)
    return domain.union((judge.of(node.then, env), judge.of(node.otherwise, env)))


def _otherwise(judge: Judge, node: x.Otherwise, env: Env) -> Possible:
    found: list[Possible] = []
    for option in node.options:
        value = judge.of(option, env)
        found.append(value)
        if not value.can_be_nothing:
            return domain.union(
                (*(domain.without_nothing(each) for each in found[:-1] if _is(each)), value)
            )
    return domain.union(found)


def _is(value: Possible) -> bool:
    return value.few != frozenset((None,))


def _something(judge: Judge, node: x.IsSomething, env: Env) -> Possible:
    value = judge.of(node.operand, env)
    if not value.can_be_nothing:
        return EITHER if value.few is None and value.low is None else domain.YES
    return EITHER if _is(value) else domain.NO


def _member(judge: Judge, node: x.Member, env: Env) -> Possible:
    element = judge.of(node.element, env)
    match node.source:
        case x.ListOf(items):
            found = [domain.compared("=", element, judge.of(item, env)).truth for item in items]
            return domain.YES if True in found else EITHER if None in found else domain.NO
        case x.Range(low, high):
            ends = (
                domain.compared(">=", element, judge.of(low, env)).truth,
                domain.compared("<=", element, judge.of(high, env)).truth,
            )
            return domain.NO if False in ends else EITHER if None in ends else domain.YES
    return EITHER


def _card_attr(judge: Judge, node: x.CardAttr, env: Env) -> Possible:
    thing = env.get(node.card.name) if isinstance(node.card, x.Var) else None
    if node.attr == "value":
        face = thing.face if isinstance(thing, Card) else None
        return judge.of_card(judge.tables["values"], face)
    if isinstance(thing, Card):
        match node.attr:
            case "rank" | "number":
                return domain.exactly(RANK_OF[thing.face])
            case "suit":
                return domain.exactly(SUIT_OF[thing.face])
            case "red":
                return domain.condition(RED[thing.face])
            case "black":
                return domain.condition(BLACK[thing.face])
    return ANYTHING


def _meld_attr(judge: Judge, node: x.MeldAttr, env: Env) -> Possible:
    thing = env.get(node.meld.name) if isinstance(node.meld, x.Var) else None
    if isinstance(thing, Form):
        match node.attr:
            case "suit" | "lowest" | "highest" if judge.program.kinds[thing.kind].shape != "run":
                return domain.exactly(None)
            case "kind":
                return domain.exactly(thing.kind)
            case "rank":
                return domain.exactly(thing.rank)
            case "naturals":
                return domain.exactly(thing.naturals)
            case "wilds":
                return domain.exactly(thing.wilds)
            case "size":
                top = thing.size >= judge.cap and judge.program.kinds[thing.kind].size[1] is None
                return domain.between(thing.size, None) if top else domain.exactly(thing.size)
    if node.attr in ("naturals", "wilds"):
        return domain.between(0, None, nothing=True)
    return domain.between(1, None, nothing=True) if node.attr == "size" else ANYTHING


def _sorted(judge: Judge, node: x.SortedAs, env: Env) -> Possible:
    thing = env.get(node.meld.name) if isinstance(node.meld, x.Var) else None
    return judge.sorted_rows(judge.tables[node.table], thing)


def _row_attr(judge: Judge, node: x.RowAttr, env: Env) -> Possible:
    table = judge.tables[node.table]
    row = judge.of(node.row, env)
    if row.few is None:
        places: list[Value] = [*range(len(table.rows)), None]
    else:
        places = list(row.few)
    if node.column == "place":
        return domain.union(
            domain.exactly(None if each is None else int(each) + 1) for each in places
        )
    melds = [each for each in env.values() if isinstance(each, Form)]
    thing = {"meld": melds[-1]} if melds else {}
    return domain.union(
        domain.exactly(None)
        if not isinstance(each, int)
        else judge.cell(table.rows[each], node.column, thing)
        for each in places
    )


def _lookup(judge: Judge, node: x.Lookup, env: Env) -> Possible:
    table = judge.tables[node.table]
    if table.form == "card":
        thing = env.get(node.key.name) if isinstance(node.key, x.Var) else None
        return judge.of_card(table, thing.face if isinstance(thing, Card) else None)
    key = judge.of(node.key, env)
    cells = [judge.cell(row) for row in table.rows]
    if key.known and key.few is not None:
        return _row_of(judge, table, next(iter(key.few)))
    found = [domain.exactly(0), *cells]
    if table.each_more is not None:
        return NUMBER
    return domain.union(found)


def _row_of(judge: Judge, table: Table, key: Value) -> Possible:
    if not isinstance(key, int):
        return domain.exactly(None)
    if table.form == "number":
        for row in table.rows:
            if row.key == key:
                return judge.cell(row)
        last = max((row.key for row in table.rows if isinstance(row.key, int)), default=0)
        return NUMBER if table.each_more is not None and key > last else domain.exactly(0)
    below = [row for row in table.rows if row.key is None or int(row.key) <= key]
    return judge.cell(below[-1]) if below else domain.exactly(0)


def _apply(judge: Judge, node: x.Apply, env: Env) -> Possible:
    inner = judge.bound(node.definition, node.arguments, env)
    body = judge.definitions[node.definition].body
    if not inner:
        return judge.once(("definition", node.definition), lambda: judge.of(body))
    return judge.of(body, inner)


def _either(judge: Judge, node: x.Expr, env: Env) -> Possible:
    return EITHER


def _somebody(judge: Judge, node: x.Expr, env: Env) -> Possible:
    return SOMETHING


READERS: dict[type, Callable[[Judge, Any, Env], Possible]] = {
    x.Const: _const,
    x.Var: _var,
    x.SettingValue: _setting,
    x.Remembered: _remembered,
    x.Count: _count,
    x.Exists: _exists,
    x.ForAll: _for_all,
    x.Sum: _sum,
    x.And: _and,
    x.Or: _or,
    x.Not: _not,
    x.Compare: _comparison,
    x.Arith: _arith,
    x.Remainder: _remainder,
    x.Unmelded: _unmelded,
    x.If: _if,
    x.Otherwise: _otherwise,
    x.IsSomething: _something,
    x.Member: _member,
    x.CardAttr: _card_attr,
    x.MeldAttr: _meld_attr,
    x.SortedAs: _sorted,
    x.RowAttr: _row_attr,
    x.Lookup: _lookup,
    x.Apply: _apply,
    x.Can: _either,
    x.Only: _either,
    x.Acting: _somebody,
    x.SideOf: _somebody,
}
