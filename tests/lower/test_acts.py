"""Actions, moments and rules: effects, what they see, when they come."""

from __future__ import annotations

from pathlib import Path

import pytest
from small_game import compile_small, show

from meldc_runtime.program.declarations import Trigger

EFFECTS = {
    "move 2 from stock to hand": "MoveCount(2, ZoneRef(stock), ZoneRef(hand, player))",
    "move 1 from stock under pile": "MoveCount(1, ZoneRef(stock), ZoneRef(pile), True)",
    "move hand to pile": "MoveCards(hand(player), ZoneRef(hand, player), ZoneRef(pile))",
    "move hand where red to bonus": "MoveCards(Filter(hand(player), It1, It1.red), "
    "ZoneRef(hand, player), ZoneRef(bonus, SideOf(player)))",
    "move top(pile) to hand(dealer)": "MoveCards(Top(pile), ZoneRef(pile), ZoneRef(hand, dealer))",
    "move 3 from stock to hand, but threes to bonus": "MoveCount(3, ZoneRef(stock), "
    "ZoneRef(hand, player), [Exception_(It1, threes(It1), ZoneRef(bonus, SideOf(player)))])",
    "move from stock to pile until top(pile) is natural": "MoveUntil(ZoneRef(stock), "
    "ZoneRef(pile), natural(Top(pile)))",
    "meld top(pile) + hand as run": "LayMeld([MeldPart(Top(pile), ZoneRef(pile)), "
    "MeldPart(hand(player), ZoneRef(hand, player))], 1:kind)",
    "meld hand onto first(melds)": "LayMeld([MeldPart(hand(player), ZoneRef(hand, player))], "
    "First(MeldsOf(SideOf(player))))",
    "exchange top(pile) with first(melds) to hand": "Exchange(Top(pile), ZoneRef(pile), "
    "First(MeldsOf(SideOf(player))), ZoneRef(hand, player))",
    "opened becomes yes": "Become(opened, SideOf(player), True:yes_no)",
    "standing becomes high": "Become(standing, 1:row:bids)",
    "led becomes spades": "Become(led, 3:suit)",
    "winner becomes dealer": "Become(winner, SideOf(dealer))",
    "out becomes none": "Become(out, None)",
    "turns(dealer) gains 2": "Gain(turns, dealer, 2)",
    "noted becomes chance(1, count(stock))": "Chance(noted, 1, Count(stock))",
    "go to play for left(player)": "GoTo(play, Neighbour(player, 1))",
    "go back": "GoBack()",
    "end game for winner": "EndGame(winner)",
    "shuffle stock": "Shuffle(ZoneRef(stock))",
}


@pytest.mark.parametrize("written", EFFECTS)
def test_effect__names_zones_and_owners(written: str, tmp_path: Path) -> None:
    small = compile_small(tmp_path, f"moment asked\n  then {written}")
    assert show(small.named("moments", "asked").effects) == f"[{EFFECTS[written]}]"


def test_for_each__player_is_in_question(tmp_path: Path) -> None:
    rules = "moment asked at end of deal\n  then\n    for each player from dealer\n"
    rules += "      move hand to pile\n      opened becomes no"
    small = compile_small(tmp_path, rules)
    assert show(small.named("moments", "asked").effects) == (
        "[ForEach(player, StartingAt(AllPlayers(), dealer), [MoveCards(hand(player), "
        "ZoneRef(hand, player), ZoneRef(pile)), Become(opened, SideOf(player), False:yes_no)])]"
    )


def test_let__is_read_and_not_worked_out_again(tmp_path: Path) -> None:
    rules = "moment asked after take\n  when count(hand) = before\n  then end deal"
    small = compile_small(tmp_path, rules)
    assert show(small.named("moments", "asked").when) == "(Count(hand(player)) = before)"


def test_let__keeps_where_its_cards_lie(tmp_path: Path) -> None:
    rules = "moment asked\n  then\n    let found = hand where red\n    move found to pile"
    small = compile_small(tmp_path, rules)
    assert show(small.named("moments", "asked").effects[1]) == (
        "MoveCards(found, ZoneRef(hand, player), ZoneRef(pile))"
    )


@pytest.mark.parametrize(
    ("written", "trigger"),
    [
        ("", Trigger("state")),
        ("at start of turn", Trigger("start", "turn")),
        ("at end of deal", Trigger("end", "deal")),
        ("after take, leave", Trigger("after", "", ("take", "leave"))),
        ("after going_out", Trigger("after", "", ("going_out",))),
        ("before leave", Trigger("before", "", ("leave",))),
        ("before going_out", Trigger("state")),
        ("before turn_passes", Trigger("end", "turn")),
    ],
)
def test_trigger__of_a_moment(written: str, trigger: Trigger, tmp_path: Path) -> None:
    small = compile_small(
        tmp_path, f"moment asked {written}\n  when stock is empty\n  then end deal"
    )
    assert small.named("moments", "asked").trigger == trigger


def test_before__stands_just_before_what_it_names(tmp_path: Path) -> None:
    rules = "moment one before turn_passes\n  then end deal\n"
    rules += "moment two before turn_passes\n  then end deal"
    names = [each.name for each in compile_small(tmp_path, rules).program.moments]
    assert names == ["dealt", "one", "two", "turn_passes", "won", "going_out"]


def test_before__sees_what_the_moment_sees(tmp_path: Path) -> None:
    rules = "moment left after leave\n  when card is wild\n  then end deal\n"
    rules += "moment earlier before left\n  when card is red\n  then end deal"
    small = compile_small(tmp_path, rules)
    assert show(small.named("moments", "earlier").when) == "card.red"
    assert small.named("moments", "earlier").trigger == Trigger("after", "", ("leave",))


def test_rule__of_actions_reads_parameters(tmp_path: Path) -> None:
    rules = "rule asked [AB-1]\n  leave requires card is not wild\n  when opened\n  unless noted\n"
    rules += '  while another will do\n  because "{card} of {player} stays: {count(hand)}"'
    rule = compile_small(tmp_path, rules).named("rules", "asked")
    assert (rule.actions, rule.moments, rule.kinds, rule.end_of_turn) == (("leave",), (), (), False)
    assert show(rule.requires) == "not wild(card)"
    assert show(rule.when) == "opened(SideOf(player))"
    assert show(rule.unless) == "noted"
    assert (rule.soft, rule.tags) == ("another", ("AB-1",))
    values = [part for part in rule.sentence if not isinstance(part, str)]
    assert [each.type for each in values] == ["card", "player", "number"]
    assert [part for part in rule.sentence if isinstance(part, str)] == [" of ", " stays: "]


def test_rule__of_a_kind_looks_at_the_meld(tmp_path: Path) -> None:
    rules = "rule asked\n  set, run forbidden when wilds > 1 and any(new where wild) and "
    rules += 'any(melds where rank = meld.rank)\n  because "no"'
    rule = compile_small(tmp_path, rules).named("rules", "asked")
    assert rule.kinds == ("set", "run")
    assert rule.requires is None
    assert show(rule.when) == (
        "((meld.wilds > 1) and Exists(new, It1, wild(It1)) and "
        "Exists(MeldsOf(SideOf(player)), It1, (It1.rank = meld.rank)))"
    )


def test_rule__of_several_things_sees_what_they_share(tmp_path: Path) -> None:
    rules = 'rule asked\n  leave, take, going_out, end of turn forbidden when noted\n  because "no"'
    rule = compile_small(tmp_path, rules).named("rules", "asked")
    assert (rule.actions, rule.moments, rule.end_of_turn) == (
        ("leave", "take"),
        ("going_out",),
        True,
    )


def test_allowance__is_no_rule(tmp_path: Path) -> None:
    rules = 'rule asked\n  lay allowed during draw\n  when opened\n  because "it may"'
    small = compile_small(tmp_path, rules)
    assert "asked" not in [rule.name for rule in small.program.rules]
    allowance = small.named("allowances", "asked")
    assert (allowance.actions, allowance.phases) == (("lay",), ("draw",))
    assert show(allowance.when) == "opened(SideOf(player))"


def test_parameter__knows_the_zone_of_its_cards(tmp_path: Path) -> None:
    rules = 'action asked(card in hand where red, last in top(pile)) "ask {card} {last}"\n'
    rules += "  during play\n  then move card to pile"
    action = compile_small(tmp_path, rules).named("actions", "asked")
    assert [show(each.source) for each in action.params] == [
        "ZoneRef(hand, player)",
        "ZoneRef(pile)",
    ]
    assert [each.type for each in action.params] == ["card", "card"]
    assert show(action.params[1].domain) == "ListOf([Top(pile)])"


def test_text__with_a_value_gets_a_parameter_without_a_choice(tmp_path: Path) -> None:
    rules = 'action asked "ask {top(pile)}"\n  during play\n  then end turn'
    action = compile_small(tmp_path, rules).named("actions", "asked")
    assert action.text == "ask {shown_1}"
    assert [(each.name, each.type) for each in action.params] == [("shown_1", "card")]


def test_score__is_of_a_side_or_a_player(tmp_path: Path) -> None:
    rules = 'score of_side\n  gives - points\n  when out in players(side)\n  because "a"\n'
    rules += 'score only of_player of player\n  gives held\n  unless opened\n  because "b"'
    small = compile_small(tmp_path, rules)
    side, player = small.named("scores", "of_side"), small.named("scores", "of_player")
    assert (side.owner, side.only, player.owner, player.only) == ("side", False, "player", True)
    assert show(side.gives) == "(0 - points(side))"
    assert show(side.when) == "Member(out, PlayersOf(side))"
    assert show(player.gives) == "held(player)"
    assert show(player.unless) == "opened(SideOf(player))"
