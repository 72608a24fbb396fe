"""A Program may come from anybody: what cannot be written is refused, and nothing of it is run."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from runtime.building import PLAYER, define, num
from runtime.games import melding

from meldc_runtime import machine
from meldc_runtime.program import ProgramError, codec
from meldc_runtime.program import declarations as d
from meldc_runtime.program import effects as f
from meldc_runtime.program import expressions as x
from meldc_runtime.table import Table

EVIL = 'x(s): pass\nraise SystemExit("run")\ndef y'


def with_body(body: x.Expr) -> d.Program:
    program = melding()
    extra = define("extra", body, "number")
    return replace(program, definitions=(*program.definitions, extra))


def with_effect(effect: f.Effect) -> d.Program:
    program = melding()
    first = replace(program.moments[0], effects=(effect,))
    return replace(program, moments=(first, *program.moments[1:]))


BODIES: list[Any] = [
    x.Var(EVIL),
    x.Count(x.AllPlayers(), EVIL, x.Const(True, "yes_no")),
    x.Arith("; raise SystemExit;", num(1), num(2)),
    x.Compare("; raise SystemExit;", num(1), num(2)),
    x.MeldAttr(x.First(x.MeldsOf(num(0))), "__class__"),
    x.CardAttr(num(3), "colour"),
    x.Can("x(); raise SystemExit", "draw", PLAYER),
    x.Can("action", "no_such", PLAYER),
    x.Remembered("no_such", None),
    x.ZoneCards("no_such", None),
    x.SettingValue("no_such"),
    x.Apply("no_such", ()),
    x.Apply("wild", ()),
    x.Apply("extra", ()),
    x.Lookup("no_such", num(1)),
    x.Lookup("big", num(1)),
    x.RowAttr(num(0), "big", EVIL),
    x.Const("no_such", "row:big"),
    x.Const("no_such", "kind"),
    x.Var("no_such"),
]


@pytest.mark.parametrize("body", BODIES, ids=lambda body: type(body).__name__)
def test_guard__refuses_expressions_that_cannot_be(body: x.Expr) -> None:
    with pytest.raises(ProgramError):
        Table(with_body(body))


@pytest.mark.parametrize(
    "effect",
    [
        f.Let(EVIL, num(1)),
        f.ForEach(EVIL, x.AllPlayers(), ()),
        f.Become("no_such", None, num(1)),
        f.GoTo("no_such", None),
        f.Shuffle(f.ZoneRef("no_such", None)),
    ],
    ids=lambda effect: type(effect).__name__,
)
def test_guard__refuses_effects_that_cannot_be(effect: f.Effect) -> None:
    with pytest.raises(ProgramError):
        Table(with_effect(effect))


@pytest.mark.parametrize(
    "group",
    ["settings", "tables", "zones", "memories", "phases", "definitions", "kinds", "actions",
     "moments", "rules", "allowances", "scores"],
)  # fmt: skip
def test_guard__refuses_names_that_are_no_words_or_come_twice(group: str) -> None:
    program = melding()
    declared = getattr(program, group)
    for bad in ((replace(declared[0], name=EVIL), *declared[1:]), (*declared, declared[0])):
        change: dict[str, Any] = {group: bad}
        changed = replace(program, **change)
        with pytest.raises(ProgramError):
            Table(changed)


def test_guard__refuses_circles() -> None:
    program = melding()
    one, two = (define(a, x.Apply(b, ()), "number") for a, b in (("one", "two"), ("two", "one")))
    with pytest.raises(ProgramError, match="refers to itself"):
        Table(replace(program, definitions=(*program.definitions, one, two)))


@pytest.mark.parametrize(
    "change",
    [
        {"players": ()},
        {"players": (4, 1000)},
        {"phases": ()},
        {"pack": d.Pack(num(10**9), num(0), (2, 14))},
        {"pack": d.Pack(num(1), num(0), (2, 99))},
    ],
)
def test_guard__refuses_what_is_no_game(change: dict[str, Any]) -> None:
    with pytest.raises(ProgramError):
        Table(replace(melding(), **change))


@pytest.mark.parametrize("template", ["draw {no_such}", "meld {cards} {cards}"])
def test_guard__refuses_templates_that_cannot_be_read(template: str) -> None:
    program = melding()
    actions = tuple(
        replace(action, text=template)
        if template.count("{") == 1 or any(param.name == "cards" for param in action.params)
        else action
        for action in program.actions
    )
    with pytest.raises(ProgramError, match="parameter"):
        Table(replace(program, actions=actions))


def test_guard__refuses_an_action_and_a_moment_of_one_name() -> None:
    program = melding()
    moment = replace(program.moments[0], name=program.actions[0].name)
    with pytest.raises(ProgramError, match="declared twice"):
        Table(replace(program, moments=(moment, *program.moments[1:])))


def test_guard__refuses_chains_without_end() -> None:
    program = melding()
    chain = [define("link_0", x.Count(x.ZoneCards("stock", None)), "number")]
    for number in range(1, 900):
        before = x.Apply(f"link_{number - 1}", ())
        chain.append(define(f"link_{number}", x.Arith("+", before, num(1)), "number"))
    with pytest.raises(ProgramError, match="grows too large"):
        Table(replace(program, definitions=(*program.definitions, *chain)))


def test_guard__refuses_what_doubles_without_end() -> None:
    program = melding()
    doubled = x.Arith("+", x.Var("n"), x.Var("n"))
    twice = replace(define("twice", doubled, "number"), params=(("n", "number"),))
    nested: x.Expr = x.Count(x.ZoneCards("stock", None))
    for _ in range(30):
        nested = x.Apply("twice", (nested,))
    more = (*program.definitions, twice, define("large", nested, "number"))
    with pytest.raises(ProgramError, match="large grows too large"):
        Table(replace(program, definitions=more))


def test_constants__stand_beside_what_is_written_for_every_game() -> None:
    program = melding()
    row = d.Row("one", None, (("of", num(7)),), "", None)
    table = d.Table("players", "lists", "one", (("of", "number"),), (row,), None, "", None)
    read = define("seven", x.RowAttr(x.Const("one", "row:players"), "players", "of"), "number")
    two = define("two", x.Count(x.PlayersOf(num(0))), "number")
    reads = define("reads", x.RowAttr(x.First(x.RowsOf("players")), "players", "of"), "number")
    more = (*program.definitions, read, two, reads)
    seated = Table(replace(program, tables=(*program.tables, table), definitions=more))
    state = machine.new_state(seated)
    assert [seated.code.definitions[name](state) for name in ("seven", "two", "reads")] == [7, 2, 7]


def test_text_of_people__stays_text() -> None:
    program = melding()
    quotes = '"""\nraise SystemExit("run")\n"""\0\f\u2028'
    origin = d.Origin("a\nraise SystemExit('run')\n\0\ud800", 1, 1, 1, 1)
    rules = tuple(replace(rule, origin=origin) for rule in program.rules)
    tables = tuple(
        replace(t, rows=tuple(replace(row, key=quotes) for row in t.rows))
        if t.form == "sorts"
        else t
        for t in program.tables
    )
    table = Table(replace(program, title=quotes, name=quotes, rules=rules, tables=tables))
    assert len(machine.new_state(table).zones[0]) == len(table.pack)


def test_read__no_more_than_a_program_can_have(tmp_path: Path) -> None:
    path = tmp_path / "endless.json"
    with path.open("wb") as file:
        file.truncate(codec.LARGEST_FILE + 1)
    with pytest.raises(ProgramError, match="larger"):
        codec.read(path)


def test_load__half_a_character() -> None:
    text = codec.dump(melding()).replace('"title":"', '"title":"\\ud800', 1)
    with pytest.raises(ProgramError, match="half a character"):
        codec.load(text)
