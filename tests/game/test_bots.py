"""Bots: for every game, by what they see alone, and named in all ways that are promised."""

from __future__ import annotations

import sys
from functools import cache
from pathlib import Path

import pytest
from properties.tables import all_seats

import meldc
from meldc.load.catalogue import shipped_variants
from meldc_runtime import legality, machine
from meldc_runtime.bots import Bot, BotError, choose, make_bot
from meldc_runtime.bots.comparing import Comparison
from meldc_runtime.bots.greedy import GreedyBot
from meldc_runtime.bots.playout import after_blind
from meldc_runtime.bots.search import SearchBot
from meldc_runtime.bots.worth import worth_of
from meldc_runtime.cards import UNKNOWN
from meldc_runtime.game import Game
from meldc_runtime.randomness import Random
from meldc_runtime.sight import Sight, blank, imagine
from meldc_runtime.simulation import Task, seated, seed_of
from meldc_runtime.state import State

SOME = ("classic", "samba", "hand-and-foot", "rummy-5000", "paston", "pennies-from-heaven")
EXAMPLES = Path(__file__).parents[2] / "specs" / "examples"
SMALL = SearchBot(moves=40, most=3, first=1, plies=12)


@cache
def game(variant: str) -> Game:
    return meldc.load(variant)


def decide(variant: str, bot: Bot, state: State, seed: int = 1) -> int:
    plays = legality.legal_plays(state)
    sight = Sight(game(variant), state, state.player, plays)
    return choose("it", bot, sight, Random.of(seed))


def positions(variant: str, seed: int, every: int, count: int) -> list[State]:
    """Positions of a deal among greedy bots, with a choice in each."""
    state = machine.start_game(game(variant).table, seed)
    found: list[State] = []
    for number in range(every * count):
        if state.over:
            break
        plays = legality.legal_plays(state)
        if number % every == 0 and len(plays) > 1:
            found.append(state.copy())
        machine.apply(state, plays[decide(variant, GreedyBot(), state)])
    return found


@pytest.mark.parametrize("variant", SOME)
def test_imagined_position__has_the_whole_pack_and_looks_alike(variant: str) -> None:
    for state in positions(variant, seed=5, every=6, count=4):
        seen = blank(state, state.player)
        world = imagine(seen, Random.of(3))
        laid = [card for melds in world.melds for meld in melds for card in meld.cards]
        cards = [card & 63 for zone in (*world.zones, laid) for card in zone]
        assert sorted(cards) == list(state.table.pack)
        assert blank(world, state.player).zones == seen.zones
        assert any(UNKNOWN in zone for zone in seen.zones)


@pytest.mark.parametrize("variant", shipped_variants())
def test_every_game__is_played_by_every_bot(variant: str) -> None:
    bots = [GreedyBot(), SMALL]
    state = machine.start_game(game(variant).table, 2)
    for number in range(24):
        if state.over:
            break
        plays = legality.legal_plays(state)
        machine.apply(state, plays[decide(variant, bots[number % 2], state)])
    assert state.over or number == 23


def test_greedy_bot__beats_the_random_one_in_a_few_deals() -> None:
    names = ("greedy", "random")
    lead = 0
    for seed in range(4):
        state = machine.start_game(game("samba").table, seed)
        bots = [make_bot(names[player % 2]) for player in range(4)]
        while not state.over:
            plays = legality.legal_plays(state)
            machine.apply(state, plays[decide("samba", bots[state.player], state)])
        lead += state.scores[0] - state.scores[1]
    assert lead > 0


def test_partner_who_can_go_out_ahead__is_told_yes() -> None:
    position = game("classic").position(
        {
            "turn": "P1",
            "phase": "play",
            "hands": {"P1": "9C 4D", "P3": "5H", "P2": "KH KD KC QS QD", "P4": "AH AD AC JS"},
            "melds": {"A": ["9H 9D 9S 9C 9H 9D 9S"], "B": ["4H 4S 4C"]},
            "stock": 20,
        }
    )
    position.apply("ask P3")
    state = position.state
    plays = legality.legal_plays(state)
    sight = Sight(position.game, state, state.player, plays)
    place = choose("it", GreedyBot(), sight, Random.of(1))
    assert str(sight.actions[place]) == "answer yes"


def test_worth__is_the_score_once_the_deal_is_over() -> None:
    state = machine.start_game(game("paston").table, 1)
    while not state.over:
        machine.apply(state, legality.legal_plays(state)[0])
    worth = worth_of(state.table)
    assert [worth.points(state, side) for side in range(state.table.sides)] == list(state.scores)


# -- hands that are split into melds


def at_gin(hand: str) -> tuple[Game, State, list[str]]:
    """A position of the example of gin, and its actions."""
    example = meldc.load(str(EXAMPLES / "gin.yaml"))
    position = example.position(
        {"turn": "P1", "phase": "play", "pile": "4C", "stock": 20, "hands": {"P1": hand}}
    )
    return example, position.state, [str(action) for action in position.legal_actions()]


def test_hand_split_into_melds__keeps_what_leaves_least() -> None:
    example, state, actions = at_gin("5C 6C 7C 9D 9H 9S QD KS 10H 8H 3D")
    plays = legality.legal_plays(state)
    sight = Sight(example, state, state.player, plays)
    chosen = actions[choose("it", GreedyBot(), sight, Random.of(1))]
    assert chosen in ("discard QD", "discard KS")


def test_what_others_get_of_hands_unseen__is_imagined() -> None:
    # by what is seen the other, with no card known, would have less left than any who knocks
    example, state, actions = at_gin("5C 6C 7C 9D 9H 9S 10H JH QH AC KS")
    plays = legality.legal_plays(state)
    sight = Sight(example, state, state.player, plays)
    assert actions[choose("it", GreedyBot(), sight, Random.of(1))] == "knock with KS"


def test_card_drawn_unseen__makes_no_hand_look_melded(tmp_path: Path) -> None:
    # a score line cannot split a hand with a card that is not known, and says nothing of it
    for file in EXAMPLES.glob("gin.*"):
        (tmp_path / file.name).write_text(file.read_text(encoding="utf-8"), encoding="utf-8")
    (tmp_path / "left.yaml").write_text(
        "variant: left\ntitle: What is left\nextends: gin.yaml\nrules: |\n"
        "  score left_over of player\n    gives - unmelded(hand by value)\n"
        '    because "cards unmelded"\n',
        encoding="utf-8",
    )
    given = {"turn": "P1", "phase": "draw", "pile": "4C", "stock": 20, "hands": {"P1": "KS KD QC"}}
    state = blank(meldc.load(str(tmp_path / "left.yaml")).position(given).state, 0)
    worth = worth_of(state.table)
    draw = next(play for play in legality.legal_plays(state) if not play.args)
    after = after_blind(state, draw)
    assert after is not None
    assert worth.points(state, 0) == -30
    assert worth.points(after, 0) == 0
    assert worth.own(after, 0) == pytest.approx(worth.own(state, 0))


# -- comparing plays in imagined worlds


def compared(sooner: list[float], *worlds: list[float]) -> Comparison:
    comparison = Comparison(list(range(len(sooner))), sooner)
    for values in worlds:
        comparison.add(dict(enumerate(values)))
    return comparison


def test_play_at_first_sight__is_left_for_what_gains_in_every_world() -> None:
    assert compared([9, 8], [0, 50], [100, 145], [-80, -33]).ranking() == [1, 0]


def test_play_at_first_sight__stays_where_the_worlds_do_not_agree() -> None:
    assert compared([9, 8], [0, 400], [100, -290], [-80, -60]).ranking() == [0, 1]


def test_plays_alike_in_all_worlds__are_compared_once() -> None:
    comparison = compared([9, 8, 7, 6], [0, 0, 20, 30], [5, 5, 30, 25])
    comparison.narrow()
    assert comparison.left in ([0, 2, 3], [0, 2], [0, 3])


def test_play_that_is_surely_behind__is_left_out() -> None:
    comparison = compared([9, 8, 7], [0, -200, 10], [5, -190, -10], [0, -210, 5])
    comparison.narrow()
    assert comparison.left == [0, 2]


def test_play_that_cannot_be_made_in_a_world__is_left_out() -> None:
    comparison = compared([9, 8, 7], [0, 5, 2])
    comparison.add({0: None, 1: 4.0, 2: 1.0})
    assert comparison.left == [1, 2]
    assert comparison.ranking() == [1, 2]


def test_world_in_which_no_play_can_be_made__tells_nothing() -> None:
    comparison = compared([9, 8], [0, 5])
    comparison.add({0: None, 1: None})
    assert comparison.left == [0, 1]


# -- names


@pytest.mark.parametrize("name", ["random", "greedy", "search", "search:50", "search:0.1s"])
def test_bot__is_found_by_its_name(name: str) -> None:
    assert callable(make_bot(name).choose)


def test_bot_of_others__is_found_by_its_path(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "mine_for_test.py").write_text(
        "class Last:\n    def choose(self, sight, random):\n        return sight.actions[-1]\n"
        "class Wrong:\n    def choose(self, sight, random):\n        return 'nothing'\n"
        "class Broken:\n    def choose(self, sight, random):\n        return 1 / 0\n"
        "class Leaving:\n    def choose(self, sight, random):\n        raise SystemExit(0)\n"
        "class Text:\n    def choose(self, sight, random):\n        return str(sight.actions[1])\n"
        "class Unmade:\n    def __init__(self, needed):\n        pass\n",
        encoding="utf-8",
    )
    monkeypatch.syspath_prepend(str(tmp_path))
    state = machine.start_game(game("paston").table, 1)
    last = decide("paston", make_bot("mine_for_test:Last"), state)
    assert last == len(legality.legal_plays(state)) - 1
    assert decide("paston", make_bot("mine_for_test:Text"), state) == 1
    for wrong, said in {
        "Wrong": "chose `nothing`, which is not legal",
        "Broken": r"ZeroDivisionError: division by zero \(mine_for_test.py, line 9\)",
        "Leaving": "SystemExit",
        "Unmade": "cannot be made",
    }.items():
        with pytest.raises(BotError, match=said):
            decide("paston", make_bot(f"mine_for_test:{wrong}"), state)
    del sys.modules["mine_for_test"]


@pytest.mark.parametrize(
    "name",
    ["", "nobody", "search:", "search:x", "search:-1", "search:1.5", "no.such:Bot", "os:nothing",
     "os:sep", "pathlib:Path", ":"],
)  # fmt: skip
def test_name_of_no_bot__is_refused(name: str) -> None:
    with pytest.raises(BotError):
        make_bot(name)


# -- comparing


def test_bots__play_each_deal_from_each_place() -> None:
    task = Task(4, False, 7, ("greedy", "random"))
    assert seed_of(task, 0) == seed_of(task, 1) != seed_of(task, 2)
    assert seated(task, game("classic"), 0) == ("greedy", "random", "greedy", "random")
    assert seated(task, game("classic"), 1) == ("random", "greedy", "random", "greedy")


def test_partners__are_the_same_bot() -> None:
    for seat in all_seats():
        names = seated(Task(1, False, 1, ("greedy", "random")), seat.game, 0)
        for side in range(seat.game.table.sides):
            assert len({names[player] for player in seat.game.table.players_of(side)}) == 1
