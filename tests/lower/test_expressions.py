"""What expressions mean: the nodes they become, with everything left out filled in."""

from __future__ import annotations

from pathlib import Path

import pytest
from small_game import compile_small, show


def lowered(folder: Path, owner: str, written: str) -> str:
    small = compile_small(folder, f"define asked{owner} = {written}")
    return show(small.named("definitions", "asked").body)


MELDS = "MeldsOf(SideOf(player))"
TOP = "Top(pile)"

OF_PLAYER = {
    # owners
    "count(hand)": "Count(hand(player))",
    "opened": "opened(SideOf(player))",
    "total": "total(SideOf(player))",
    "turns + held": "(turns(player) + held(player))",
    "points": "points(SideOf(player))",
    "any(melds)": f"Exists({MELDS})",
    "count(hand(dealer))": "Count(hand(dealer))",
    "count(hand(side))": "Count(hand*(PlayersOf(SideOf(player))))",
    "count(hand(opponents))": "Count(hand*(PlayersOf(Opponents(SideOf(player)), True)))",
    "count(melds(opponents))": "Count(MeldsOf(Opponents(SideOf(player)), True))",
    "count(melds(sides))": "Count(MeldsOf(AllSides(), True))",
    "dealer.turns": "turns(dealer)",
    "dealer.opened": "opened(SideOf(dealer))",
    "any(partners)": "Exists(Partners(player))",
    "next(players)": "NextOf(AllPlayers(), player)",
    "next(players where opened after dealer)": "NextOf(Filter(AllPlayers(), It1, "
    "opened(SideOf(It1))), dealer)",
    "next((low, high) after standing)": "After(ListOf([0:row:bids, 1:row:bids]), standing)",
    "next((3, 5) after top(pile).rank)": f"After(ListOf([3:rank, 5:rank]), {TOP}.rank)",
    "next(2..A after top(pile).rank)": f"After(Range(2:rank, 14:rank), {TOP}.rank)",
    "next(hand after top(pile))": f"After(hand(player), {TOP}, True)",
    "left(dealer, 2)": "SeatsOn(dealer, 2)",
    "right(dealer, held)": "SeatsOn(dealer, (0 - held(player)))",
    "remainder(held, 4)": "Remainder(held(player), 4)",
    "quotient(held, 4)": "Quotient(held(player), 4)",
    "unmelded(hand by value)": "Unmelded(hand(player), It1, It1.value)",
    "deal_score": "DealScore(SideOf(player))",
    "deal_score(dealer)": "DealScore(SideOf(dealer))",
    "dealer.side.deal_score": "DealScore(SideOf(dealer))",
    "phase is none": "not IsSomething(CurrentPhase())",
    "first(melds).suit = led": f"(First({MELDS}).suit = led)",
    "first(melds).lowest": f"First({MELDS}).lowest",
    "right(left(dealer))": "Neighbour(Neighbour(dealer, 1), -1)",
    # whom a query looks at is in question
    "count(players where turns > 1)": "Count(AllPlayers(), It1, (turns(It1) > 1))",
    "all(players are opened)": "ForAll(AllPlayers(), It1, opened(SideOf(It1)))",
    "any(sides where any(melds))": "Exists(AllSides(), It1, Exists(MeldsOf(It1)))",
    "best(sides by total)": "Best(AllSides(), It1, total(It1), True)",
    "any(players where it = player)": "Exists(AllPlayers(), It1, (It1 = player))",
    # words that the other side explains
    "pace = quick": "(@pace = quick:word)",
    "quick = pace": "(quick:word = @pace)",
    "standing = high": "(standing = 1:row:bids)",
    "led = spades": "(led = 3:suit)",
    "standing.suit = led": "(RowAttr(standing, bids, suit) = led)",
    "any(melds where kind = run)": f"Exists({MELDS}, It1, (It1.kind = 1:kind))",
    "any(melds where kind in (set, run))": f"Exists({MELDS}, It1, "
    "Member(It1.kind, ListOf([0:kind, 1:kind])))",
    "top(pile).rank = 7": f"({TOP}.rank = 7:rank)",
    "top(pile).rank in (7, A)": f"Member({TOP}.rank, ListOf([7:rank, 14:rank]))",
    "top(pile).rank in 7..Q": f"Member({TOP}.rank, Range(7:rank, 12:rank))",
    "top(pile) = 7S": f"({TOP} = 23:card of cards)",
    "(standing = low) = (led = clubs)": "((standing = 0:row:bids) = (led = 0:suit))",
    # properties
    "hand is empty": "not Exists(hand(player))",
    "hand is not empty": "Exists(hand(player))",
    "standing is none": "not IsSomething(standing)",
    "standing exists": "IsSomething(standing)",
    "top(pile) is wild": f"wild({TOP})",
    "top(pile) is not wild": f"not wild({TOP})",
    "top(pile) is (wild and not red)": f"(wild({TOP}) and not {TOP}.red)",
    "pace is quick": "(@pace = quick:word)",
    "all(hand are wild or red)": "ForAll(hand(player), It1, (wild(It1) or It1.red))",
    # melds and the tables that sort them
    "count(sets)": f"Count({MELDS}, It1, IsSomething(SortedAs(It1, sets)))",
    "count(sets where sort = mixed)": f"Count({MELDS}, It1, "
    "(IsSomething(SortedAs(It1, sets)) and (SortedAs(It1, sets) = 1:row:sets)))",
    "sum(sets by sort.bonus)": f"Sum(Filter({MELDS}, It1, IsSomething(SortedAs(It1, sets))), It1, "
    "RowAttr(SortedAs(It1, sets), sets, bonus))",
    "any(sets(dealer))": "Exists(MeldsOf(SideOf(dealer)), It1, IsSomething(SortedAs(It1, sets)))",
    "any(melds where complete)": f"Exists({MELDS}, It1, complete(It1))",
    "sum((melds where size > 3).cards by value)": f"Sum(MeldCards(Filter({MELDS}, It1, "
    "(It1.size > 3))), It1, It1.value)",
    "joined(hand) is complete": "complete(Joined(hand(player)))",
    "count((hand where red) where wild)": "Count(hand(player), It1, (It1.red and wild(It1)))",
    # numbers, tables, places
    "2 * 3 - 7": "-1",
    "- held": "(0 - held(player))",
    "max(held, 3, 5)": "((held(player) max 3) max 5)",
    "tiers[total]": "Lookup(tiers, total(SideOf(player)))",
    "costs[top(pile)] otherwise 3": f"Otherwise([Lookup(costs, {TOP}), 3])",
    "pile[2]": "Nth(pile, 2)",
    "bids": "RowsOf(bids)",
    "standing.place otherwise 0": "Otherwise([RowAttr(standing, bids, place), 0])",
    "if opened then 1 else 2": "If(opened(SideOf(player)), 1, 2)",
    "if yes then 1 else 2": "1",
    "pile + hand": "Join(pile, hand(player))",
    "top(pile) + hand": "Join(Top(pile), hand(player))",
    "if opened then players(side) else player": "If(opened(SideOf(player)), "
    "PlayersOf(SideOf(player)), ListOf([player]))",
    "out in players(side)": "Member(out, PlayersOf(SideOf(player)))",
    "top(pile) in hand": "Member(Top(pile), hand(player), True)",
    # looking ahead
    "can(take)": "Can(action, take, player)",
    "can(going_out)": "Can(moment, going_out, player)",
    "can(end of turn)": "Can(end_of_turn, player)",
    "players where can(take)": "Filter(AllPlayers(), It1, Can(action, take, It1))",
    "only(take, leave)": "Only([take, leave])",
}

OF_CARD = {
    "red and rank = 7": "(card.red and (card.rank = 7:rank))",
    "any(hand where rank = card.rank)": "Exists(hand(player), It1, (It1.rank = card.rank))",
    "any(sides where any(melds where rank = card.rank))": "Exists(AllSides(), It1, "
    "Exists(MeldsOf(It1), It2, (It2.rank = card.rank)))",
    "first(players where card in hand)": "First(Filter(AllPlayers(), It1, "
    "Member(card, hand(It1), True)))",
    "number + value": "(card.number + card.value)",
    "any(hand where it = card)": "Exists(hand(player), It1, (It1 = card of cards))",
}


@pytest.mark.parametrize("written", OF_PLAYER)
def test_of_player__names_every_owner(written: str, tmp_path: Path) -> None:
    assert lowered(tmp_path, " of player", written) == OF_PLAYER[written]


@pytest.mark.parametrize("written", OF_CARD)
def test_of_card__fields_come_first_and_the_subject_stays(written: str, tmp_path: Path) -> None:
    assert lowered(tmp_path, " of card", written) == OF_CARD[written]


def test_of_side__needs_no_player(tmp_path: Path) -> None:
    assert lowered(tmp_path, " of side", "opened and any(melds)") == (
        "(opened(side) and Exists(MeldsOf(side)))"
    )


@pytest.mark.parametrize(
    ("written", "params"),
    [
        ("count(pile)", ()),
        ("count(hand)", (("player", "player"),)),
        ("any(melds)", (("side", "side"),)),
        ("opened and hand is empty", (("player", "player"),)),
    ],
)
def test_of_nothing__takes_whom_it_needs_from_where_it_is_used(
    written: str, params: tuple[tuple[str, str], ...], tmp_path: Path
) -> None:
    small = compile_small(tmp_path, f"define asked = {written}")
    assert small.named("definitions", "asked").params == params


def test_of_nothing__is_filled_at_each_use(tmp_path: Path) -> None:
    rules = "define mine = any(melds)\ndefine hands = count(hand)\n"
    rules += "define both of player = mine and hands > 1\n"
    rules += "define others of side = any(opponents where mine)\n"
    rules += "define some = any(players where hands > 1)\n"
    small = compile_small(tmp_path, rules)
    bodies = {each.name: show(each.body) for each in small.program.definitions}
    assert bodies["both"] == "(mine(SideOf(player)) and (hands(player) > 1))"
    assert bodies["others"] == "Exists(Opponents(side), It1, mine(It1))"
    assert bodies["some"] == "Exists(AllPlayers(), It1, (hands(It1) > 1))"
    assert small.named("definitions", "some").params == ()
