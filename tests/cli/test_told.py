"""What the table tells beside the actions themselves: what came of them, long lists in short, what
still matters, the rules on a card.
"""

from __future__ import annotations

import threading
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from cli.support import ROOT, run_apart

import meldc
from meldc.cli.play import terminal
from meldc.cli.play.news import News, news_of
from meldc.cli.play.options import MOST_LINES, options
from meldc.cli.play.rules_card import rules_card
from meldc.cli.play.screen import Screen
from meldc.cli.play.sheet import score_sheet
from meldc.cli.play.terminal import Terminal
from meldc_runtime import legality
from meldc_runtime.game import Game, Position

HEARTS = str(ROOT / "specs" / "examples" / "hearts.yaml")


@cache
def game(variant: str) -> Game:
    return meldc.load(variant)


def made(variant: str, given: dict[str, Any], action: str) -> News:
    before = game(variant).position(given)
    after = before.copy()
    after.apply(action)
    return news_of(Screen(before.game), before, after, action)


# -- what came of an action


def test_bonus_card_that_was_drawn__is_told() -> None:
    news = made("classic", {"turn": "P2", "phase": "draw", "stock": "3H 5C", "pile": "9C"}, "draw")
    assert news.cards == ("bonus 3H",)


def test_pile_that_was_taken__is_told_with_its_size_and_the_opening_with_its_side() -> None:
    given = {"turn": "P1", "phase": "draw", "hands": {"P1": "AC AD 5C 6C"}, "pile": "4C 5D KH AS"}
    news = made("classic", given, "take pile with AC AD")
    assert str(news) == "pile of 4, opened"
    assert news.in_full == ("A opened",)


CANASTA = {"A": ["KC KD KH KS KC KD KH"]}


@pytest.mark.parametrize("player", ["P1", "P3"])
def test_who_goes_out__is_told(player: str) -> None:
    given = {"turn": player, "phase": "play", "hands": {player: "5C"}, "melds": CANASTA}
    news = made("classic", given, "discard 5C")
    assert news.in_full == (f"{player} out",)


def test_going_out_concealed__is_told() -> None:
    hand = "AC AC AD AD AH AH AS 6C"
    given = {"turn": "P2", "phase": "play", "hands": {"P2": hand}}
    position = game("classic").position(given)
    position.apply("meld AC AC AD AD AH AH AS")
    before = position.copy()
    position.apply("discard 6C")
    news = news_of(Screen(position.game), before, position, "discard 6C")
    assert set(news.in_full) == {"P2 out", "concealed"}


def test_who_takes_a_trick__is_told() -> None:
    position = game("paston").start(3)
    for action in ("pass", "pass", "pass"):
        position.apply(action)
    tricks = []
    for _ in range(40):
        if position.is_over:
            break
        listed = [str(action) for action in position.legal_actions()]
        action = next((each for each in listed if each.startswith("whist")), listed[0])
        before = position.copy()
        position.apply(action)
        tricks.append(str(news_of(Screen(position.game), before, position, action)))
    assert sum("tricks" in each for each in tricks) == 10


def test_what_an_action_says_itself__is_not_told_again() -> None:
    assert str(made("paston", {"turn": "P1", "phase": "bid"}, "call spades")) == ""


# -- what still matters


def shown(position: Position) -> str:
    return "\n".join(Screen(position.game).table(position.view("P1")))


def test_zones_that_only_served_the_deal__are_left_out() -> None:
    assert "stock" not in shown(game("paston").start(1))
    assert "stock: " in shown(game("classic").start(1))


@pytest.mark.parametrize(
    ("spec", "given", "told", "untold"),
    [
        ("classic", {"frozen": True, "turned_over": True}, "frozen", "turned over"),
        ("british", {"opened": {"A": True}, "acaba_asker": "P1"}, "opened", "asker"),
        ("rummy-5000", {"wild_rank": 4, "discarder": "P2", "kept": "5H"}, "wild rank 4", "kept"),
        ("rummy-5000", {"wild_rank": 4, "discarder": "P2"}, "wild rank 4", "discarder"),
        (HEARTS, {"trick": "4C", "started": True}, "trick", "started"),
        (HEARTS, {"trick": "4C", "broken": True}, "hearts are broken", "started"),
        ("british", {"caller": "A"}, "acaba called by A", "caller"),
    ],
)
def test_memories__are_told_in_their_own_words_or_stay_in_the_program(
    spec: str, given: dict[str, Any], told: str, untold: str
) -> None:
    position = game(spec).position({"turn": "P1", "phase": "play", **given})
    table = shown(position)
    assert told in table
    assert untold not in table


def test_row_of_a_table__is_told_with_its_title() -> None:
    given = {"turn": "P1", "phase": "bid", "standing": "clubs", "declarer": "P2"}
    table = shown(game("paston").position(given))
    assert "standing clubs (Glitch)" in table
    line_of_p2 = next(line for line in table.splitlines() if line.startswith("  P2"))
    assert line_of_p2.endswith("declarer")


# -- long lists


def listed(position: Position, in_full: bool = False) -> list[str]:
    plays = legality.legal_plays(position.state)
    actions = [position.action(play) for play in plays]
    return options(Screen(position.game), plays, actions, in_full)


def test_choice_of_several_cards__is_summed_up() -> None:
    position = game("paston").start(3)
    for action in ("call spades", "pass", "pass"):
        position.apply(action)
    assert listed(position)[0].startswith("  1 to 66 bury 2 cards: 66 ways, for example bury ")
    assert listed(position)[-1] == "  `list` shows all 66"
    assert len(listed(position, in_full=True)) > MOST_LINES


def test_short_list__stands_as_it_is() -> None:
    position = game("paston").start(3)
    assert listed(position) == ["  1 call spades  2 pass"]


# -- the rules on a card


def test_rules_card__has_what_matters_in_words() -> None:
    card = "\n".join(rules_card(Screen(game("classic"))))
    for said in (
        "4 players, in 2 sides of 2; 108 cards",
        "below 0: 15;  from 0: 50;  from 1500: 90;  from 3000: 120",
        "canastas a side needs to go out: 1",
        "going out 100; canastas;",
    ):
        assert said in card
    other = "\n".join(rules_card(Screen(game("paston"))))
    assert "cards dealt to each hand" not in other
    assert "grkha                  Paston Grkha, suit spades, times 4" in other


# -- waiting


def test_bot_that_thinks_long__is_named_to_the_person_who_waits(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(terminal, "PATIENCE", 0.0)
    said: list[str] = []
    told = threading.Event()

    class Listening(Terminal):
        def say(self, *lines: str) -> None:
            said.extend(lines)
            told.set()

    with Listening(interactive=True).waiting("P2 is still thinking"):
        assert told.wait(60)
    with Listening(interactive=False).waiting("nobody sits there"):
        pass
    assert said == ["P2 is still thinking"]


# -- going on


def test_resumed_game__tells_what_was_done_since_the_last_look(tmp_path: Path) -> None:
    path = str(tmp_path / "game.jsonl")
    run_apart("play", "classic", "--seed", "7", "--seat", "P1=human", "--bot", "random",
              "--record", path, stdin=b"quit\n")  # fmt: skip
    again = run_apart("play", "--resume", path, stdin=b"quit\n")
    assert "P2: draw" in again.out
    assert "P4: draw" in again.out


# -- the score of a deal


def scored(width: int) -> list[str]:
    """The sheet of a deal that A ends with two natural canastas, a mixed one, two red threes."""
    melds = [["K"] * 7, ["Q"] * 7, ["J"] * 5]
    laid = [" ".join(f"{rank}{'CDHSCDH'[at]}" for at, rank in enumerate(each)) for each in melds]
    given = {"turn": "P1", "phase": "play", "hands": {"P1": "5C"}, "bonus": {"A": "3H 3D"},
             "melds": {"A": [laid[0], laid[1], f"{laid[2]} 2S 2H"]}}  # fmt: skip
    position = game("classic").position(given)
    position.apply("discard 5C")
    return score_sheet(Screen(position.game, width=width), position)


def test_sheet__says_how_many_there_are_of_what_is_counted() -> None:
    lines = scored(80)
    start = next(at for at, line in enumerate(lines) if line.startswith("  canastas"))
    assert [line.split() for line in lines[start : start + 3]] == [
        ["canastas", "1300", "0"], ["natural", "x2"], ["mixed", "x1"],
    ]  # fmt: skip
    bonus = next(at for at, line in enumerate(lines) if line.startswith("  bonus cards"))
    assert lines[bonus + 1].split() == ["cards", "x2"]
    assert max(map(len, lines)) <= 80


def test_sheet__in_paragraphs_says_the_same() -> None:
    text = " ".join(" ".join(scored(36)).split())
    assert "canastas 1300 (2 natural, 1 mixed)" in text
    assert "bonus cards 200 (2 cards)" in text
