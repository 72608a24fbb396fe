"""Rulebooks come from the model: every rule in force is there with its clauses, and no other."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from cli.support import run

from meldc.compilation import compile_spec
from meldc.load.catalogue import shipped_variants
from meldc.rulebook import Section, write_rulebook
from meldc_runtime.game import Game


def book_of(variant: str, *houses: str) -> tuple[Game, list[Section]]:
    program = compile_spec(variant, houses).program
    assert program is not None
    game = Game(program)
    return game, write_rulebook(game)


def lines_of(sections: list[Section], title: str) -> list[str]:
    return [line.text for section in sections if section.title == title for line in section.lines]


@pytest.mark.parametrize("variant", shipped_variants())
def test_rulebook__has_every_rule_in_force_and_no_other(variant: str) -> None:
    game, sections = book_of(variant)
    keys = {line.key for section in sections for line in section.lines}
    code = game.table.code
    for rule in game.program.rules:
        assert (f"rules.{rule.name}" in keys) is (rule.name not in code.never_broken), rule.name
    for group in ("settings", "actions"):
        for node in getattr(game.program, group):
            assert f"{group}.{node.name}" in keys
    assert all(line.text.strip() for section in sections for line in section.lines)


@pytest.mark.parametrize("variant", ["classic", "samba", "rummy-5000", "paston"])
def test_lines__carry_their_clauses(variant: str) -> None:
    game, sections = book_of(variant)
    tags = {line.key: line.tags for section in sections for line in section.lines}
    for rule in game.program.rules:
        if f"rules.{rule.name}" in tags:
            assert tags[f"rules.{rule.name}"] == rule.tags


def test_numbers__are_those_of_the_game() -> None:
    _, sections = book_of("classic", "deal-size=15")
    deal = lines_of(sections, "The deal")
    assert any("15 cards go from the stock to the hand" in line for line in deal)
    players = lines_of(sections, "Players and cards")
    assert "4 players, in 2 sides of 2; 108 cards" in players
    assert "2, A: 20 each" in players
    assert "8 to K: 10 each" in players
    assert lines_of(sections, "Melds")[0] == (
        "set: cards of one rank; from natural cards; 3 or more cards; 2 or more of them natural; "
        "up to 3 wild cards; one of each rank in a side, which further cards join"
    )


def test_cards_and_suits__have_their_names() -> None:
    _, sections = book_of("paston")
    words = lines_of(sections, "Words used")
    assert (
        "jack holder: the holder of JS, or else the holder of 7S, or else the first bidder" in words
    )
    assert any("spades" in line and "7 to Q" in line for line in words)


def test_what_settings_switch_off__is_not_told() -> None:
    _, sections = book_of("classic")
    happens = lines_of(sections, "What happens by itself")
    assert not [line for line in happens if line.startswith("pile turned over")]
    _, recycled = book_of("classic", "recycle-pile")
    happens = lines_of(recycled, "What happens by itself")
    assert [line for line in happens if line.startswith("pile turned over")]


def test_json__has_sections_and_changes(capsys: pytest.CaptureFixture[str]) -> None:
    ran = run(capsys, "rulebook", "classic", "--house", "deal-size=15", "--json")
    data = json.loads(ran.out)
    assert data["changes"] == ["cards dealt to each hand: 11 -> 15 (house rule deal-size=15)"]
    first = data["sections"][0]
    assert first["title"] == "Players and cards"
    assert {"text", "tags", "key", "level"} == set(first["lines"][0])


def test_brackets__are_where_the_order_of_reckoning_needs_them(tmp_path: Path) -> None:
    reckoned = {
        "2 * (tricks - bid)": "2 times (tricks less bid)",
        "2 * tricks - bid": "2 times tricks less bid",
        "10 - (tricks - bid)": "10 less (tricks less bid)",
        "(if bid = 0 then 1 else 2) * tricks": "(1 where bid is 0, else 2) times tricks",
        "quotient(tricks + bid, 10) - 1": "((tricks plus bid) divided by 10, rounded down) less 1",
    }
    lines = "".join(
        f'  score line_{at} of player\n    gives {written}\n    because "line {at}"\n'
        for at, written in enumerate(reckoned)
    )
    path = tmp_path / "mine.yaml"
    path.write_text(
        "variant: mine\ntitle: Mine\nmachine: tricks\nplayers: 4\nside_size: 1\n"
        "pack: {packs: 1}\ntarget: 100\nrules: |\n"
        f"  remember bid of player = 3 each deal\n{lines}"
        "  score asked of player\n    gives 1\n    when bid = 1 or bid = 4 and tricks = 5\n"
        '    because "asked"\n'
    )
    _, sections = book_of(str(path))
    told = [line.text for section in sections for line in section.lines]
    for at, words in enumerate(reckoned.values()):
        assert f"line {at}: {words}" in told
    assert "asked: 1, when bid is 1 or (bid is 4 and tricks is 5)" in told


READS_BADLY = re.compile(
    r"number of (hand|trick|bonus|pile|stock|at play)\b|\bof it\b|\bof dealer\b|it is not so that"
    r"|\bthe found\b|\bthe held\b|there is (standing|leader)\b|\bwhere not \w+ of\b|as it is so"
)


@pytest.mark.parametrize("variant", shipped_variants())
def test_sentences__read_as_sentences(variant: str) -> None:
    """What is counted is named, persons have articles, and denials are short."""
    _, sections = book_of(variant)
    told = [line.text for section in sections for line in section.lines]
    assert [text for text in told if READS_BADLY.search(text)] == []


SENTENCES = {
    "classic": (
        "only bonus cards left (after draw, when the number of cards in the hand is `held`): "
        "the deal ends",
        "rest taken (as soon as opened and the aside is not empty): all cards go from the aside "
        "to the hand (but each bonus card to the bonus)",
        "black threes: cards of one rank; from stop cards; 3 or more cards; one of each rank in a "
        "side, which further cards join",
        "my melds: the melds where it has cards where the player who laid it is the player",
        "canastas: the sum, over the melds where it has a kind of canasta, of the bonus of its "
        "kind of canasta",
    ),
    "american": (
        "threes: sign times (three worth (the number of threes where it is red) plus three worth "
        "(the number of threes where it is black))",
    ),
    "american-league": (
        "dead: there are sides where it has melds where its rank is the rank of the card and its "
        "size is 7",
    ),
    "hand-and-foot": (
        "feet not picked up: minus the left values of the foot of each of the players of the "
        "side together",
    ),
    "paston": (
        "next to play (after play, when the number of cards in the trick is below the number of "
        "players at play): then the next of the players at play: play a card",
        "bad spades: (the number of cards in the hand where its suit is spades and its rank is "
        "from 7 to Q) is 6 and there are no cards in the hand where its suit is spades and its "
        "rank is K or A",
    ),
    "rummy-5000": ("callers: the players where rummy is possible and not declined",),
}


@pytest.mark.parametrize("variant", SENTENCES)
def test_sentence__of_each_kind(variant: str) -> None:
    _, sections = book_of(variant)
    told = {line.text for section in sections for line in section.lines}
    assert [text for text in SENTENCES[variant] if text not in told] == []
