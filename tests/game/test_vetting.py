"""Saved programs may come from anybody: an unsound one is refused, any other can be played."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import replace
from functools import cache
from random import Random
from typing import Any

import pytest
from game.spoiling import spoilt
from runtime.building import CARD, MELD, NO, PLAYER, YES, become, eq, memory, num, ref, zone

import meldc
from meldc_runtime.game import Game
from meldc_runtime.program import ProgramError, codec
from meldc_runtime.program import declarations as d
from meldc_runtime.program import effects as f
from meldc_runtime.program import expressions as x
from meldc_runtime.program.reserved import MELD_ATTRS
from meldc_runtime.table import SeatingError
from meldc_runtime.vetting import growth, vet
from meldc_runtime.vetting.effects import CHECKS
from meldc_runtime.vetting.expressions import RULES

GAMES = ("classic", "paston", "rummy-5000")
HAND = zone("hand", PLAYER)


@cache
def program_of(name: str) -> d.Program:
    return meldc.load(name).program


def melding() -> d.Program:
    return program_of("classic")


@pytest.mark.parametrize("name", GAMES)
def test_game__is_sound(name: str) -> None:
    vet(program_of(name))
    assert codec.load(codec.dump(program_of(name))) == program_of(name)


def test_every_expression_and_effect__is_vetted() -> None:
    classes = codec.node_classes().values()
    expressions = {c for c in classes if issubclass(c, x.Expr) and c is not x.Expr}
    effects = {c for c in classes if issubclass(c, f.Effect) and c is not f.Effect}
    assert (expressions, effects) == (set(RULES), set(CHECKS))


@pytest.mark.parametrize("attr", sorted(MELD_ATTRS))
def test_all_that_rules_ask_of_a_meld__can_be_saved(attr: str) -> None:
    program = melding()
    asked = x.IsSomething(x.MeldAttr(MELD, attr))
    kind = replace(program.kinds[0], condition=asked)
    changed = replace(program, kinds=(kind, *program.kinds[1:]))
    assert codec.load(codec.dump(changed)) == changed


CONDITIONS: list[tuple[x.Expr, str]] = [
    (num(1), "a yes_no is needed here, found a number"),
    (x.Not(HAND), "a yes_no is needed here, found a cards"),
    (x.Const(1, "yes_no"), "`1` is no yes_no"),
    (x.Const(10**30, "number"), "is no number"),
    (x.Const(99, "kind"), "`99` is no kind"),
    (x.Const(9, "player"), "`9` is no player"),
    (x.Const("wombat", "phase"), "`wombat` is no phase"),
    (x.Const(3, "wombat"), "there is no type `wombat`"),
    (eq(num(1), PLAYER), "number and player cannot stand for each other"),
    (x.Compare("<", PLAYER, PLAYER), "players have no order"),
    (x.Compare("~", num(1), num(1)), "there is no comparison `~`"),
    (eq(x.Arith("+", HAND, num(1)), num(1)), "cannot stand for each other"),
    (eq(x.Arith("+", PLAYER, PLAYER), PLAYER), "there is no `+` of players"),
    (eq(x.Arith("^", num(1), num(1)), num(1)), "there is no arithmetic `^`"),
    (eq(x.CardAttr(HAND, "rank"), num(1)), "a card is needed here, found a cards"),
    (eq(x.MeldAttr(PLAYER, "size"), num(1)), "a meld is needed here, found a player"),
    (x.Member(PLAYER, HAND), "a player is never among cards"),
    (x.Exists(x.Filter(HAND, "it", x.Var("that"))), "`that` is no name here"),
    (x.Exists(x.Filter(HAND, "it", x.Var("it"))), "a yes_no is needed here, found a card"),
    (x.Exists(x.Range(PLAYER, PLAYER)), "there is no range of players"),
    (x.Exists(x.Range(num(1), num(10**6))), "a range goes up to"),
    (x.Exists(zone("hand")), "an owner is missing"),
    (x.Exists(zone("stock", PLAYER)), "it has no owner"),
    (x.Exists(zone("hand", x.SideOf(PLAYER))), "a player is needed here, found a side"),
    (x.Exists(zone("wombat")), "there is no zone `wombat`"),
    (eq(x.Neighbour(PLAYER, 10**9), PLAYER), "is too far"),
    (x.Exists(x.ListOf((PLAYER, num(1)))), "cannot stand for each other"),
    (x.Exists(x.ListOf((HAND,))), "a list of lists"),
    (x.Apply("wombat", ()), "there is no definition `wombat`"),
    (x.Apply("wild", (PLAYER,)), "a card is needed here, found a player"),
    (x.Can("action", "wombat", PLAYER), "there is no action `wombat`"),
    (x.Can("end_of_turn", "", PLAYER, "wombat"), "there is no rule `wombat`"),
    (x.Only(("wombat",)), "there is no action `wombat`"),
    (x.Compare("=", PLAYER, PLAYER, cards=True), "a player is no card"),
    (MELD, "`meld` is no name here"),
    (CARD, "`card` is no name here"),
]


def with_condition(condition: x.Expr) -> d.Program:
    program = melding()
    return replace(
        program, moments=(replace(program.moments[0], when=condition), *program.moments[1:])
    )


@pytest.mark.parametrize(("condition", "said"), CONDITIONS)
def test_condition__is_refused_with_its_place(condition: x.Expr, said: str) -> None:
    with pytest.raises(ProgramError) as caught:
        vet(with_condition(condition))
    place, _, message = str(caught.value).partition(": ")
    assert place.startswith("program.moments[0].when")
    assert said in message


EFFECTS: list[tuple[f.Effect, str]] = [
    (f.MoveCount(YES, ref("stock"), ref("pile")), "a number is needed here"),
    (f.MoveCount(num(1), ref("wombat"), ref("pile")), "there is no zone `wombat`"),
    (f.MoveCards(num(1), ref("stock"), ref("pile")), "a list of cards is needed here"),
    (f.MoveUntil(ref("stock"), ref("pile"), num(1)), "a yes_no is needed here"),
    (f.GoTo("wombat", None), "there is no phase `wombat`"),
    (f.GoTo("play", num(1)), "a player is needed here"),
    (f.EndGame(PLAYER), "a list of sides is needed here"),
    (become("wombat", num(1)), "there is no memory `wombat`"),
    (become("dealer", num(1)), "a player is needed here"),
    (f.Gain("dealer", None, num(1)), "a memory of numbers is needed here"),
    (f.Chance("dealer", None, num(1), num(2)), "a memory of yes and no is needed here"),
    (f.Branch(num(1), ()), "a yes_no is needed here"),
    (f.ForEach("each", HAND, (become("dealer", x.Var("each")),)), "a player is needed here"),
    (f.LayMeld((f.MeldPart(PLAYER, ref("hand", PLAYER)),), None, None), "a list of cards"),
    (
        become("deal_number", x.Arith("*", memory("deal_number"), memory("deal_number"))),
        "`deal_number` would grow by itself without measure",
    ),
]


@pytest.mark.parametrize(("effect", "said"), EFFECTS)
def test_effect__is_refused_with_its_place(effect: f.Effect, said: str) -> None:
    program = melding()
    first = replace(program.moments[0], effects=(effect,))
    with pytest.raises(ProgramError) as caught:
        vet(replace(program, moments=(first, *program.moments[1:])))
    assert str(caught.value).startswith("program.moments[0].effects[0]")
    assert said in str(caught.value)


def test_name_of_a_step__is_known_behind_it() -> None:
    program = melding()
    let = f.Let("held", x.Count(HAND))
    for value, is_sound in ((x.Var("held"), True), (x.Var("other"), False)):
        effects = (let, become("deal_number", value))
        spoken = replace(program.moments[0], effects=effects)
        changed = replace(program, moments=(spoken, *program.moments[1:]))
        if is_sound:
            vet(changed)
        else:
            with pytest.raises(ProgramError):
                vet(changed)


def test_names_that_double_each_other__are_bounded() -> None:
    program = melding()
    lets = [f.Let("n0", HAND)]
    for number in range(40):
        before = x.Var(f"n{number}")
        lets.append(f.Let(f"n{number + 1}", x.Join(before, before)))
    first = replace(program.moments[0], effects=tuple(lets))
    with pytest.raises(ProgramError, match="doubled too often"):
        vet(replace(program, moments=(first, *program.moments[1:])))


def test_what_flows_into_memory_from_everywhere__is_looked_at_once() -> None:
    program = melding()
    gains = [
        f.Gain("deal_number", None, x.Arith("*", memory("deal_number"), num(factor)))
        for factor in range(700)
    ]
    first = replace(program.moments[0], effects=tuple(gains))
    vet(replace(program, moments=(first, *program.moments[1:])))


def test_more_than_can_be_looked_at__is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(growth, "MOST_STEPS", 10)
    with pytest.raises(ProgramError, match="too much flows into what is kept"):
        vet(melding())


def spoil_declaration(program: d.Program, group: str, **fields: Any) -> d.Program:
    first, *others = getattr(program, group)
    changes: dict[str, Any] = {group: (replace(first, **fields), *others)}
    return replace(program, **changes)


@pytest.mark.parametrize(
    ("group", "fields", "said"),
    [
        ("zones", {"owner": "wombat"}, "there is no owner `wombat`"),
        ("zones", {"visibility": "wombat"}, "there is no visibility `wombat`"),
        ("memories", {"type": "wombat"}, "is kept otherwise in every game"),
        ("memories", {"scope": "wombat"}, "there is no scope `wombat`"),
        ("memories", {"scope": "turn"}, "is kept otherwise in every game"),
        ("kinds", {"shape": "wombat"}, "there is no shape `wombat`"),
        ("kinds", {"size": (5, 3)}, "5..3 is no range"),
        ("kinds", {"size": (-1, 3)}, "-1..3 is no range"),
        ("kinds", {"groups": (10**9,)}, "a group"),
        ("kinds", {"cards": num(1)}, "a yes_no is needed"),
        ("kinds", {"condition": NO, "contains": (MELD,)}, "`meld` is no name here"),
        ("actions", {"text": " "}, "names the cards that it takes"),
        ("actions", {"phases": ("wombat",)}, "there is no phase `wombat`"),
        ("rules", {"soft": "wombat"}, "there is no soft `wombat`"),
        ("rules", {"actions": ("wombat",)}, "there is no action `wombat`"),
        ("scores", {"gives": YES}, "a number is needed"),
    ],
)
def test_declaration__is_refused(group: str, fields: dict[str, Any], said: str) -> None:
    with pytest.raises(ProgramError) as caught:
        vet(spoil_declaration(melding(), group, **fields))
    assert str(caught.value).startswith(f"program.{group}[0]")
    assert said in str(caught.value)


@pytest.mark.parametrize("name", GAMES[:2])
def test_spoilt_program__is_refused_or_can_be_played(
    monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    monkeypatch.setattr(codec, "content_hash", lambda program: "fits")
    plain = codec.to_plain(replace(program_of(name), provenance=()))
    became: Counter[str] = Counter()
    for seed in range(50):
        random = Random(seed)
        data = spoilt(plain, random)
        try:
            game = Game(codec.load(json.dumps({**data, "hash": "fits"})))
            play(game, seed, random)
        except (ProgramError, SeatingError):
            became["refused"] += 1
        else:
            became["played"] += 1
    assert min(became["refused"], became["played"]) > 5


def play(game: Game, seed: int, random: Random) -> None:
    """Some actions of a deal."""
    position = game.deal(seed)
    for _ in range(12):
        actions = position.legal_actions()
        if not actions:
            break
        position.view(position.to_act)
        position.apply(random.choice(actions))
