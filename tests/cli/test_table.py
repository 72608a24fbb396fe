"""At the table: what people see and type, one at a screen or several."""

from __future__ import annotations

import json
import os
import pty
import re
import select
import signal
import subprocess
import sys
import time
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from cli.support import ROOT, environment, run, run_apart, start
from properties.hiding import exchanged

import meldc
from meldc.cli.play.asking import Asking
from meldc.cli.play.cards import grouped
from meldc.cli.play.moves import Moves
from meldc.cli.play.options import options
from meldc.cli.play.paint import Paint, wild_texts
from meldc.cli.play.rules_card import rules_card
from meldc.cli.play.screen import Screen
from meldc.cli.play.session import HUMAN, Session
from meldc.cli.play.terminal import Terminal
from meldc.load.catalogue import shipped_variants
from meldc.typed import read as read_typed
from meldc_runtime import legality
from meldc_runtime.game import ActionError, Game, Position
from meldc_runtime.randomness import Random
from meldc_runtime.records import Undo, read

CLASSIC = ("play", "classic", "--seed", "7", "--seat", "P1=human", "--bot", "random")


@cache
def game(variant: str) -> Game:
    return meldc.load(variant)


# -- cards as they are typed

HAND = ["9C", "9H", "KD", "KD", "2S", "Jkr", "10S"]


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("discard 9c", "discard 9C"),
        ("DISCARD 9♣", "discard 9C"),
        ("discard nine of clubs", "discard 9C"),
        ("discard Ten of Spades", "discard 10S"),
        ("discard ts", "discard 10S"),
        ("discard joker", "discard Jkr"),
        ("dis king", "discard KD"),
        ("discard 10", "discard 10S"),
        ("meld 9 9 2", "meld 9C 9H 2S"),
        ("meld nines of hearts, 9c, joker", "meld 9H 9C Jkr"),
        ("add 9c 9h to 9", "add 9C 9H to 9"),
        ("add 2 to 9", "add 2S to 9"),
        ("take pile with 9 9", "take pile with 9C 9H"),
        ("draw", "draw"),
        ("dr", "draw"),
    ],
)
def test_typed__is_read_in_any_sane_way(typed: str, meant: str) -> None:
    assert read_typed(game("classic"), typed, HAND) == meant


@pytest.mark.parametrize("typed", ["nonsense", "d", "discard", "discard 5", "", "discard 1C", "9"])
def test_typed__that_says_nothing_is_refused(typed: str) -> None:
    with pytest.raises(ActionError):
        read_typed(game("classic"), typed, HAND)


def test_bare_rank_of_unequal_cards__is_asked_back() -> None:
    with pytest.raises(ActionError, match="which 9: 9C or 9H"):
        read_typed(game("samba"), "discard 9", HAND)
    assert read_typed(game("samba"), "meld 9 9 2", HAND) == "meld 9C 9H 2S"


# -- what is shown


def test_hand__is_sorted_as_players_sort() -> None:
    hand = ["4C", "2S", "KD", "Jkr", "4H", "10S"]
    assert grouped(hand, suits=False, wild={"2S", "Jkr"}) == [
        ["Jkr", "2S"], ["KD"], ["10S"], ["4C", "4H"],
    ]  # fmt: skip
    assert grouped(hand, suits=True) == [["4C"], ["KD"], ["4H"], ["2S", "10S"], ["Jkr"]]
    assert grouped(["KD", "AD", "AC"], suits=True, ace_low=True) == [["AC"], ["AD", "KD"]]
    assert grouped(["KD", "AD", "AC"], suits=True) == [["AC"], ["KD", "AD"]]


def test_hand__has_aces_where_they_stand_in_runs() -> None:
    gin = meldc.load(str(ROOT / "specs" / "examples" / "gin.yaml"))
    assert Screen(gin).hand(["KD", "AD", "2D"]) == "AD 2D KD"
    assert Screen(game("samba")).hand(["KD", "AD", "QD"]) == "QD KD AD"


def test_meld__tells_naturals_wilds_and_what_is_missing() -> None:
    position = game("classic").position(
        {"turn": "P1", "melds": {"A": ["9H 2S 9D 9C", "KH KD KS KC KH KD KS"]}, "pile": "4H"}
    )
    lines = Screen(game("classic")).table(position.view("P1"), wild_texts(position.state))
    told = "\n".join(lines)
    assert re.search(r"9C 9D 9H 2S +3\+1 wild, 3 to mixed canasta", told)
    assert "7: natural canasta" in told
    assert "4H on top, 1 card" in told


@pytest.mark.parametrize("variant", shipped_variants())
@pytest.mark.parametrize("width", [80, 40])
def test_every_table__fits_the_terminal(variant: str, width: int) -> None:
    program = game(variant).program
    for players in {min(program.players), max(program.players)}:
        seated = game(variant).seated(players)
        screen = Screen(seated, width=width)
        position, random = seated.deal(2), Random.of(1)
        for _ in range(30):
            if position.is_over:
                break
            plays = legality.legal_plays(position.state)
            actions = [position.action(play) for play in plays]
            view = position.view(position.to_act)
            lines = [*screen.table(view), *screen.own_cards(view), *options(screen, plays, actions)]
            assert max(map(len, lines)) <= width
            position.apply(actions[random.below(len(actions))])
        assert max(map(len, rules_card(screen))) <= width


def test_colours__change_no_character() -> None:
    position = game("classic").position({"turn": "P1", "hands": {"P1": "KH 2S 10C Jkr"}})
    wild = wild_texts(position.state)
    for line in Screen(game("classic"), signs=True).own_cards(position.view("P1"), wild):
        painted = Paint(True, wild).line(line)
        assert painted != line
        assert re.sub(r"\x1b\[[\d;]*m", "", painted) == line
        assert Paint(False).line(line) == line


class Deaf(Terminal):
    """Keeps what is said."""

    said: list[str] = []  # noqa: RUF012 - set anew for each

    def say(self, *lines: str) -> None:
        self.said.extend(lines)


def shown_to(position: Position, player: str) -> list[str]:
    terminal = Deaf(False)
    terminal.said = []
    seats = dict.fromkeys(position.game.players, HUMAN)
    session = Session(position, seats, 1, Screen(position.game), terminal, None)
    asking = Asking(session, player, legality.legal_plays(position.state))
    asking.show([])
    asking._command("help")
    asking._command("why not discard 4c")
    return terminal.said


@pytest.mark.parametrize("variant", ["classic", "hand-and-foot", "rummy-5000", "paston", "samba"])
def test_screen__does_not_depend_on_hidden_cards(variant: str) -> None:
    position, random = game(variant).deal(6), Random.of(2)
    for number in range(40):
        if position.is_over:
            break
        if number % 4 == 0:
            player = position.to_act
            other = Position(position.game, exchanged(position.state, position.state.player, 5))
            assert shown_to(other, player) == shown_to(position, player)
        actions = position.legal_actions()
        position.apply(actions[random.below(len(actions))])


def test_moves__are_told_to_each_as_seen() -> None:
    moves = Moves(["P1", "P3"])
    moves.note("P1", {"P1": "bury 7H", "P3": "bury ??"}, "bury 7H")
    moves.note("P2", {"P1": "draw", "P3": "draw"}, "draw")
    moves.note("P2", {"P1": "pass", "P3": "pass"}, "pass")
    assert moves.take("P3") == [("P1", ["bury ??"]), ("P2", ["draw", "pass"])]
    assert moves.take("P1") == [("P2", ["draw", "pass"])]
    assert moves.take("P1") == []
    assert moves.last("P1") == [("P2", ["draw", "pass"])]
    assert "7H" not in str(moves.end_of_deal(3))


# -- commands


def test_commands__answer() -> None:
    words = ("help", "?", "moves", "why not discard 5h", "why not draw", "why not", "why not xyz")
    typed = "\n".join((*words, "hint", "save", "quit", "")).encode()
    ran = run_apart(*CLASSIC, stdin=typed)
    assert ran.code == 0
    assert "possible now for example" in ran.out
    assert re.search(r"^  draw$", ran.out, re.MULTILINE)
    assert "bonus 500" in ran.out
    assert "P4: draw" in ran.out.split("?", 1)[1]
    assert "  - now it is time to: draw a card or take the pile" in ran.out
    assert "It is possible: draw" in ran.out
    assert "Why not what?" in ran.out
    assert "not understood" in ran.out
    assert "Every action is kept in" in ran.out


def test_undo__takes_back_a_meld_but_no_draw(tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"
    typed = b"undo\ndraw\nundo\nmeld AC AD Jkr\nundo\nmeld 8D 8H Jkr\nmeld 2D AC AD\nundo\nquit\n"
    ran = run_apart(*CLASSIC, "--record", str(path), stdin=typed)
    assert ran.out.count("There is nothing to take back") == 2
    assert ran.out.count("Taken back.") == 2
    record = read(path)
    assert [step for step in record.steps if isinstance(step, Undo)] == [Undo(1), Undo(1)]
    own = [entry.action for entry in record.entries if entry.player == "P1"]
    assert own == ["draw", "meld 8D 8H Jkr"]
    assert run_apart("replay", str(path)).code == 0
    again = run_apart("play", "--resume", str(path), stdin=b"quit\n")
    assert "8D 8H Jkr" in again.out


# -- several people at one screen


def test_several_people__never_see_each_others_cards() -> None:
    """At a real terminal: between the wipes only one hand is shown, and nothing before Enter."""
    screens = at_terminal(
        ["play", "classic", "--seed", "7", "--bot", "random", "--seat", "P1=human",
         "--seat", "P3=human"],
        answers=12,
    )  # fmt: skip
    shown = [set(re.findall(r"(P\d)> ", screen)) for screen in screens]
    assert {"P1"} in shown
    assert {"P3"} in shown
    for screen, players in zip(screens, shown, strict=True):
        assert len(players) <= 1
        if "Enter when only you look" in screen:
            assert "hand (" not in screen.split("Enter when only you look")[1]


def at_terminal(arguments: list[str], answers: int) -> list[str]:
    """What stood on a terminal between one wipe and the next, for somebody who takes the first
    action each time.
    """
    process, terminal = pty.fork()
    if process == 0:
        os.environ.update(environment(TERM="xterm", LC_ALL="C.UTF-8"))
        os.execv(sys.executable, [sys.executable, "-m", "meldc", *arguments])
    seen = b""
    mark = 0
    ends = time.monotonic() + 100
    while answers and time.monotonic() < ends:
        if select.select([terminal], [], [], 0.2)[0]:
            try:
                seen += os.read(terminal, 65536)
            except OSError:
                break
        new = seen[mark:]
        if re.search(rb"only you look $|P\d> $", new):
            mark = len(seen)
            answers -= 1
            os.write(terminal, b"\r" if b"only you look " in new[-20:] else b"1\r")
    os.kill(process, signal.SIGKILL)
    os.waitpid(process, 0)
    os.close(terminal)
    assert not answers
    return seen.decode(errors="replace").split("\x1b[H\x1b[2J\x1b[3J")


# -- records


def test_record_of_a_game_being_played__is_locked(tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"
    with start(*CLASSIC, "--record", str(path)) as process:
        assert process.stdout is not None
        while b"P1> " not in process.stdout.read1():
            pass
        ran = run_apart("play", "--resume", str(path))
        assert ran.code == 2
        assert "another process is playing this game" in ran.err
        assert run_apart("replay", str(path)).code == 0
        process.kill()
    assert run_apart("play", "--resume", str(path), stdin=b"quit\n").code == 0


def test_replay__shows_any_point_from_any_seat_and_redacts(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    path, told = tmp_path / "game.jsonl", tmp_path / "p2.jsonl"
    run(capsys, "play", "paston", "--seed", "3", "--bot", "random", "--seat", "P1=random",
        "--record", str(path))  # fmt: skip
    seen = run(capsys, "replay", str(path), "--at", "5", "--player", "P2", "--json")
    assert json.loads(seen.out)["player"] == "P2"
    shown = run(capsys, "replay", str(path), "--at", "5", "--player", "P2")
    assert "hand (10)" in shown.out
    assert run(capsys, "replay", str(path), "--redact", "P2", str(told)).code == 0
    assert run(capsys, "replay", str(told), "--at", "5").out == shown.out
    assert "that player's own are legal" in run(capsys, "replay", str(told)).out
    refused: list[tuple[str, ...]] = [
        ("replay", str(told), "--player", "P1"),
        ("replay", str(told), "--redact", "P2", str(tmp_path / "x")),
        ("replay", str(path), "--redact", "P2", str(told)),
        ("replay", str(path), "--redact", "P9", str(tmp_path / "x")),
        ("replay", str(path), "--at", "99999"),
        ("play", "--resume", str(told)),
    ]
    for arguments in refused:
        ran = run(capsys, *arguments)
        assert ran.code == 2
        assert ran.err


def damaged(path: Path, change: Any) -> Path:
    lines = path.read_bytes().splitlines(keepends=True)
    change(lines)
    path.write_bytes(b"".join(lines))
    return path


def test_damaged_records__are_told_apart(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    path = tmp_path / "game.jsonl"
    run_apart(*CLASSIC, "--record", str(path), stdin=b"draw\n")
    whole = path.read_bytes()

    def other_rules(lines: list[bytes]) -> None:
        lines[0] = re.sub(rb'"program": "[^"]+"', b'"program": "0"', lines[0])

    def other_action(lines: list[bytes]) -> None:
        lines[2] = re.sub(rb'"action": "[^"]+"', b'"action": "discard 3H"', lines[2])

    def no_line(lines: list[bytes]) -> None:
        lines[3] = b"rubbish\n"

    def nobody(lines: list[bytes]) -> None:
        lines[0] = lines[0].replace(b'"P4": "random"', b'"P4": "nobody:Here"')

    for change, said in [
        (other_rules, "other rules"),
        (other_action, "game.jsonl:3:1"),
        (no_line, "not a JSON object"),
        (nobody, "cannot be loaded"),
    ]:
        path.write_bytes(whole)
        ran = run(capsys, "play", "--resume", str(damaged(path, change)))
        assert ran.code in (1, 2)
        assert said in ran.err
    path.write_bytes(whole[:-4])
    assert "cut short" in run(capsys, "replay", str(path)).out


def test_bot_that_fails__ends_the_game_and_keeps_it(tmp_path: Path) -> None:
    (tmp_path / "bad_bot.py").write_text(
        "class Bad:\n    def choose(self, sight, random):\n        raise KeyError('x')\n",
        encoding="utf-8",
    )
    paths = os.pathsep.join((environment()["PYTHONPATH"], str(tmp_path)))
    ran = run_apart(*CLASSIC, "--seat", "P2=bad_bot:Bad", PYTHONPATH=paths)
    assert ran.code == 1
    assert "the bot `bad_bot:Bad` failed: KeyError" in ran.err
    assert "go on with" in ran.err


@pytest.mark.parametrize("bot", ["nobody", "search:x", "os:sep"])
def test_unknown_bot__is_said(capsys: pytest.CaptureFixture[str], bot: str) -> None:
    for arguments in (
        ("play", "classic", "--bot", bot),
        ("simulate", "classic", "--deals", "1", "--bot", bot),
    ):
        ran = run(capsys, *arguments)
        assert ran.code == 2
        assert bot in ran.err


def test_simulated_bots__are_compared(capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ("simulate", "british", "--deals", "2", "--seed", "1", "--bot", "greedy", "--bot",
                 "random")  # fmt: skip
    data = json.loads(run(capsys, *arguments, "--json").out)
    assert data["leads"]["greedy"]["value"] == -data["leads"]["random"]["value"]
    assert "lead of greedy" in run(capsys, *arguments).out


def test_dumb_terminal__gets_no_escapes() -> None:
    process = subprocess.run(
        [sys.executable, "-m", "meldc", *CLASSIC],
        input=b"hint\nquit\n",
        capture_output=True,
        env=environment(TERM="dumb", LC_ALL="C"),
        check=False,
        timeout=120,
    )
    assert b"\x1b" not in process.stdout
    assert process.returncode == 0
