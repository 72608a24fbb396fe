"""At the table: what is typed short, wrong, or where only Enter was asked for."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest
from cli.support import ROOT, run, run_apart

import meldc
from meldc.cli.play import terminal as terminals
from meldc.cli.play.meant import always_against, meant, not_held
from meldc.cli.play.screen import Screen
from meldc.cli.play.session import HUMAN, Session
from meldc.cli.play.terminal import EndOfInput, Terminal
from meldc.typed import read as read_typed
from meldc_runtime.game import Game, Position
from meldc_runtime.records import read

CLASSIC = ("play", "classic", "--seed", "7", "--seat", "P1=human", "--bot", "random")
HEARTS = str(ROOT / "specs" / "examples" / "hearts.yaml")


@cache
def game(variant: str) -> Game:
    return meldc.load(variant)


# -- short and wrong

HAND = "4D 5D 6D 7D 4H QS KC"


def understood(position: Position, typed: str) -> str | None:
    found = meant(position, typed, HAND.split(), position.legal_actions())
    return None if found is None else str(found)


@pytest.mark.parametrize(
    ("phase", "typed", "action"),
    [
        ("draw", "d", "draw"),
        ("draw", "take pile", "take pile with 4D 4H"),
        ("draw", "take", "take pile with 4D 4H"),
        ("play", "meld 4 5 6", "meld 4D 5D 6D"),
        ("play", "meld 4 5 6 7", "meld 4D 5D 6D 7D"),
        ("play", "meld 4 5 q", None),
        ("play", "discard 4", None),
        ("play", "discard", None),
        ("play", "d", None),
        ("play", "nonsense", None),
    ],
)
def test_short_text__is_the_only_action_it_can_be(
    phase: str, typed: str, action: str | None
) -> None:
    given = {"turn": "P1", "phase": phase, "hands": {"P1": HAND}, "pile": "9C 4C",
             "melds": {"A": ["8S 8H 8D"]}}  # fmt: skip
    assert understood(game("samba").position(given), typed) == action


def test_too_many_choices__are_not_tried() -> None:
    position = game("samba").deal(1)
    hand = [f"{rank}{suit}" for rank in "456789" for suit in "CDHS"]
    assert meant(position, "meld 4 5 6 7 8 9 " + "9 " * 300, hand, []) is None


@pytest.mark.parametrize(
    ("typed", "told"),
    [
        ("meld jacks", ["not in the hand: J"]),
        ("meld 4 4 4", ["not in the hand: so many 4, only 2"]),
        ("add j to k", ["not in the hand: J"]),
        ("add q to j", []),
        ("discard 4", []),
    ],
)
def test_cards_that_are_not_held__are_told(typed: str, told: list[str]) -> None:
    assert not_held(typed, HAND.split()) == told


@pytest.mark.parametrize(
    ("typed", "phase", "reasons"),
    [
        ("take pile", "draw", {"nobody takes a pile with 3C on top"}),
        ("take", "draw", {"nobody takes a pile with 3C on top"}),
        ("meld", "draw", {"now it is time to: draw a card or take the pile"}),
        ("meld", "play", set()),
        ("ask", "play", set()),
        ("nonsense", "play", set()),
    ],
)
def test_beginning_of_an_action__is_told_what_always_stands_against_it(
    typed: str, phase: str, reasons: set[str]
) -> None:
    given = {"turn": "P1", "phase": phase, "hands": {"P1": HAND}, "pile": "9C 3C",
             "melds": {"A": ["8S 8H 8D"]}}  # fmt: skip
    position = game("samba").position(given)
    legal = position.legal_actions()
    found = always_against(position, typed, HAND.split(), ["8"], legal)
    assert reasons <= set(found)
    assert bool(reasons) == bool(found)


def test_meld_named_in_words__is_found() -> None:
    assert read_typed(game("classic"), "add qs to queen", HAND.split()) == "add QS to Q"
    assert read_typed(game("classic"), "add qs to queens", HAND.split()) == "add QS to Q"


def test_answers__say_what_is_wrong() -> None:
    lines = ("9", "why not 1", "why not 9", "d", "meld fours", "add 8d 8h", "save it", "d", "quit")
    told = run_apart(*CLASSIC, stdin="\n".join(lines).encode()).out.split("P1> ")
    assert "There is no number 9; there is only 1." in told[1]
    assert "It is possible: draw" in told[2]
    assert "There is no number 9" in told[3]
    assert "new: " in told[4]
    assert "Not possible:\n  - not in the hand: 4" in told[5]
    assert "It is said so: `add CARDS to MELD`" in told[6]
    assert "Every action is kept in" in told[7]
    assert "It is said so: `discard CARD`, for example discard " in " ".join(told[8].split())


def test_help__is_ascii_where_suits_are_letters() -> None:
    assert run_apart(*CLASSIC, stdin=b"help\n?\nquit\n", LC_ALL="C").out.isascii()


# -- where only Enter was asked for


class Typing(Terminal):
    """A person who types these lines."""

    def __init__(self, *lines: str) -> None:
        super().__init__(interactive=True)
        self.lines = list(lines)
        self.said: list[str] = []

    def say(self, *lines: str) -> None:
        self.said.extend(lines)

    def ask(self, prompt: str, who: str = "", complete: object = None) -> str:
        self.said.append(prompt)
        return self.lines.pop(0)

    def wipe(self) -> None:
        self.said.append("wiped")


@pytest.mark.parametrize("word", ["quit", " Q ", "exit"])
def test_leaving__is_possible_between_deals_and_seats(word: str) -> None:
    for wait in (Typing.pause, Typing.change_places):
        with pytest.raises(EndOfInput):
            wait(Typing("what now", word), "Enter for the next deal")


def test_pause__says_what_it_waits_for() -> None:
    typing = Typing("help", "")
    typing.pause("Enter")
    assert any("`quit` leaves" in line for line in typing.said)


def test_long_text__is_shown_a_screen_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LINES", "11")
    monkeypatch.setenv("COLUMNS", "80")
    lines = [str(number) for number in range(25)]
    typing = Typing("", "q")
    typing.page(lines)
    assert [line for line in typing.said if "Enter" not in line] == lines[:20]
    typing = Typing("", "")
    typing.page(lines)
    assert [line for line in typing.said if "Enter" not in line] == lines
    assert terminals.FEWEST_LINES < 10


def test_table_of_several_people__is_cleared_when_they_leave() -> None:
    for people, cleared in ((1, False), (2, True)):
        position = game("classic").deal(1)
        seats = {p: HUMAN if n < people else "random" for n, p in enumerate(position.game.players)}
        typing = Typing()
        Session(position, seats, 1, Screen(position.game), typing, None).clear_table()
        assert ("wiped" in typing.said) == cleared


# -- taking back


def test_undo__takes_back_what_only_hides_a_card() -> None:
    ran = run_apart("play", HEARTS, "--seed", "5", "--seat", "P2=human", "--bot", "random",
                    stdin=b"1\nundo\nquit\n")  # fmt: skip
    assert "Taken back." in ran.out


# -- going on


def test_game_of_a_file__is_gone_on_with_from_another_folder(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    mine, house, other = tmp_path / "mine.yaml", tmp_path / "own.yaml", tmp_path / "other"
    mine.write_text("variant: mine\ntitle: Mine\nextends: paston\n", encoding="utf-8")
    house.write_text("house: own\ntitle: Own\nmachine: tricks\ntarget: 300\n", encoding="utf-8")
    other.mkdir()
    monkeypatch.chdir(tmp_path)
    seated = ("--seat", "P1=random", "--bot", "random", "--seed", "3")
    ran = run(capsys, "play", "mine.yaml", "--house", "own.yaml", *seated, "--record", "game.jsonl")
    assert ran.code == 0, ran.err
    assert "House rules: own.yaml" in ran.out
    path = tmp_path / "game.jsonl"
    path.write_bytes(b"".join(path.read_bytes().splitlines(keepends=True)[:20]))
    monkeypatch.chdir(other)
    assert run(capsys, "play", "--resume", str(path)).code == 0
    moved = mine.rename(other / "moved.yaml")
    for command in (("play", "--resume", str(path)), ("replay", str(path))):
        ran = run(capsys, *command)
        assert ran.code == 2
        assert "name the one that holds the rules now" in ran.err
    assert run(capsys, "replay", str(path), str(moved)).code == 0


def test_redacted_record__names_files_without_their_folder(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home, sent = tmp_path / "home", tmp_path / "sent"
    home.mkdir()
    sent.mkdir()
    mine, house = home / "mine.yaml", home / "own.yaml"
    mine.write_text("variant: mine\ntitle: Mine\nextends: paston\n", encoding="utf-8")
    house.write_text("house: own\ntitle: Own\nmachine: tricks\ntarget: 20\n", encoding="utf-8")
    path, seen = home / "game.jsonl", sent / "p2.jsonl"
    ran = run(capsys, "play", str(mine), "--house", str(house), "--seat", "P1=random", "--bot",
              "random", "--seed", "3", "--record", str(path))  # fmt: skip
    assert ran.code == 0, ran.err
    assert run(capsys, "replay", str(path), "--redact", "P2", str(seen)).code == 0
    assert str(tmp_path) not in seen.read_text(encoding="utf-8")
    assert read(seen).header.game == "mine.yaml"
    assert read(seen).header.house == ("own.yaml",)
    monkeypatch.chdir(tmp_path)
    assert "name the one that holds the rules" in run(capsys, "replay", str(seen)).err
    for file in (mine, house):
        file.rename(sent / file.name)
    assert run(capsys, "replay", str(seen)).code == 0


def test_game_that_stands_between_deals__tells_the_score_of_the_last(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    path = tmp_path / "game.jsonl"
    run(capsys, "play", "paston", "--seed", "3", "--seat", "P1=random", "--bot", "random",
        "--record", str(path))  # fmt: skip
    first = sum(entry.deal == 1 for entry in read(path).entries)
    lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join(lines[: 1 + first]))
    ran = run_apart("play", "--resume", str(path), "--seat", "P1=human", stdin=b"quit\n")
    assert "Deal 1 is over." in ran.out
    assert "this deal" in ran.out.split("Deal 2, dealer")[0]


def test_record_broken_in_the_middle__says_how_to_keep_its_good_lines(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    path = tmp_path / "my game.jsonl"
    run_apart(*CLASSIC, "--record", str(path), stdin=b"draw\n")
    lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join([*lines[:3], b"{broken\n", *lines[3:]]))
    ran = run(capsys, "replay", str(path))
    assert ran.code == 2
    assert f"head -n 3 '{path}' > kept.jsonl" in ran.err
