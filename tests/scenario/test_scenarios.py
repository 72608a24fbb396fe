"""Scenario files: what passes, what fails and what is said then."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from cli.support import run

from meldc.diagnostics import CODES, CompileError
from meldc.diagnostics.pages.page import Example
from meldc.diagnostics.pages.scenarios import PAGES
from meldc.scenario import Outcome, run_file
from meldc.source import Sources

HEAD = "variant: classic\ntests:\n"
TURN = (
    "{turn: P1, phase: draw, hands: {P1: 9C 9D 5H 6S}, melds: {A: [KH KD KS]}, "
    "pile: 4C 9H, stock: 10}"
)


def outcomes(tmp_path: Path, text: str) -> tuple[Outcome, ...]:
    path = tmp_path / "mine.yaml"
    path.write_text(text, encoding="utf-8")
    return run_file(path, Sources())


def case(*steps: str, given: str = TURN) -> str:
    lines = [f"      - {step}" for step in steps]
    return "\n".join(["  - name: mine", f"    given: {given}", "    steps:", *lines, ""])


@pytest.mark.parametrize(
    "step",
    [
        "legal: take pile with 9C 9D",
        "legal: take pile with 9♣ 9d",
        "illegal: take pile with 5H 6S",
        "{illegal: take pile with 5H 6S, because: natural_needed}",
        "legal: take the pile with 9D and 9C",
        "legal: take pile with nines",
        "illegal: acaba",
        "illegal: end turn",
        "illegal: add the 5H to kings",
        "do: draw",
        "expect: count(hand(P1)) = 4",
        "expect: [count(hand(P1)) = 4, opened(A), not opened(B)]",
        "expect: phase = draw",
        "expect: frozen = false and opened(A) = true",
        "expect: total(A) = 0 and any(melds(A) where rank = K)",
        "expect: dealer = P1",
        "turn: P1",
        "to_act: P1",
        "over: false",
        "totals: {A: 0, B: 0}",
        "game: on",
        "expect: turn = P1 and to_act = P1",
        "totals: {P1: 0}",
        "winner: none",
        "options: [draw, take pile with 9C 9D]",
        "options: [take pile with 9D 9C, draw]",
        "illegal: ask P7",
        "illegal: meld 9C 9D 5H as flush",
        "illegal: add 9C to flush 4H",
    ],
)
def test_step__holds(tmp_path: Path, step: str) -> None:
    (outcome,) = outcomes(tmp_path, HEAD + case(step))
    assert outcome.passed, outcome.reason


@pytest.mark.parametrize(
    ("step", "said"),
    [
        ("legal: take pile with 5H 6S", "natural_needed (one of the cards must be a natural 9)"),
        ("illegal: draw", "expected `draw` to be illegal, but it is legal"),
        (
            "{illegal: take pile with 5H 6S, because: frozen_pile}",
            "because of frozen_pile, found natural_needed",
        ),
        ("legal: fly away", "`fly away` is no action of this game"),
        ("illegal: fly away", "`fly away` is no action of this game"),
        ("illegal: discard 1H", "`discard 1H` is no action of this game"),
        ("{illegal: ask P7, because: x}", "`ask P7` is no action of this game"),
        ("do: discard 5H", "`discard 5H` is not legal"),
        ("expect: count(hand(P1)) = 3", "expected count(hand(P1)) = 3, found 4"),
        ("expect: opened(B)", "expected opened(B), found no"),
        ("expect: turn = P2", "expected turn = P2, found P1"),
        ("expect: [over = 1]", "MC0450"),
        ("expect: count(hand(P9)) = 1", "MC0805: there is no player `P9`"),
        ("expect: opened(C)", "MC0805: there is no side `C`"),
        ("do: discard 5X", "`5X` is no card here; legal now are `draw`, `take pile with 9C 9D`"),
        ("do: take pile", "it is written `take pile with {cards}` or `take pile onto {home}`"),
        ("next: deal", "there is no next deal"),
        ("turn: P9", "there is no player `P9`; players are P1 to P4"),
        ("{illegal: take pile with 5H 6S, because: no_such}", "the game has no rule of this name"),
        ("expect: phase = play", "expected phase = play, found draw"),
        ("turn: P2", "expected turn: P2, found P1"),
        ("to_act: P3", "expected to act: P3, found P1"),
        ("over: true", "expected over: true, found false"),
        ("scores: {A: 5}", "the deal is not over"),
        ("totals: {B: 5}", "expected totals of B: 5, found A: 0, B: 0"),
        ("game: over", "expected game: over, found on"),
        ("winner: A", "expected winner: A, found none"),
        ("winner: C", "there is no side `C`; sides are A to B"),
        ("options: [draw]", "legal but not expected: `take pile with 9C 9D`"),
        ("options: [draw, take pile with 9C 9D, discard 5H]", "not listed as legal: `discard 5H`"),
    ],
)
def test_step_that_fails__says_what_was_found(tmp_path: Path, step: str, said: str) -> None:
    (outcome,) = outcomes(tmp_path, HEAD + case("to_act: P1", step))
    assert not outcome.passed
    assert said in outcome.reason
    assert "line 7, step 2" in outcome.reason or "mine.yaml:7:" in outcome.reason


def test_card_without_suit__is_asked_for_where_suits_matter(tmp_path: Path) -> None:
    given = "{turn: P1, phase: play, hands: {P1: 9C 9D 5H 6S}}"
    text = HEAD.replace("classic", "samba") + case("do: discard 9", given=given)
    (outcome,) = outcomes(tmp_path, text)
    assert outcome.reason.endswith("`discard 9` is not clear: which 9: 9C or 9D?")


def test_finished_deal__is_scored(tmp_path: Path) -> None:
    given = "out: P1, melds: {A: [KH KD KS KC KH KD KS]}, hands: {P2: QH}"
    score = f"    score: {{{given}, expect: {{A: %d}}}}\n"
    for points, passed in ((670, True), (671, False)):
        (outcome,) = outcomes(tmp_path, HEAD + "  - name: mine\n" + score % points)
        assert outcome.passed is passed


def test_seed__deals_the_cards(tmp_path: Path) -> None:
    text = HEAD + "  - name: mine\n    seed: 4\n    steps: [expect: count(hand(P3)) = 11]\n"
    (outcome,) = outcomes(tmp_path, text)
    assert outcome.passed, outcome.reason


def test_seed__deals_in_a_game_that_has_come_so_far(tmp_path: Path) -> None:
    given = "{seed: 4, deal: 2, scores: {A: 1600, B: -20}, opened: {A: true}}"
    steps = ("turn: P3", "totals: {A: 1600, B: -20}", "expect: minimum(P1) = 90 and opened(A)")
    (outcome,) = outcomes(tmp_path, HEAD + case(*steps, given=given))
    assert outcome.passed, outcome.reason


def test_next_deal__is_dealt_by_the_next_player(tmp_path: Path) -> None:
    given = (
        "{turn: P1, phase: play, hands: {P1: 9C, P2: 4C, P3: '', P4: ''}, "
        "melds: {A: [KH KD KS KC KH KD KS]}, stock: 10}"
    )
    steps = ("do: discard 9C", "over: true", "totals: {A: 670}", "next: deal", "over: false")
    dealt = ("expect: dealer = P2 and deal_number = 2", "turn: P3", "expect: total(A) = 670")
    (outcome,) = outcomes(tmp_path, HEAD + case(*steps, *dealt, given=given))
    assert outcome.passed, outcome.reason


@pytest.mark.parametrize(
    ("given", "place", "said"),
    [
        ("{hands: {P9: 4C}}", "4:25", "there is no player `P9`; players are P1 to P4"),
        ("{melds: {A: [{cards: 8H 8D 8S, as: fan}]}}", "4:25", "the kinds are set, black_threes"),
        ("{pile: 4C 4C, hands: {P1: 4C}}", "4:38", "3 of 4C are given, the pack has 2"),
        ("{stock: 300}", "4:20", "are left for it"),
        ("{side_size: 3}", "4:24", "4 players do not make sides of 3"),
        ("{seed: 3, pile: 4C}", "4:28", "`pile` cannot be given beside it"),
        ("{seed: 3, turn: P1}", "4:28", "`turn` cannot be given beside it"),
        ("{wombat: 3}", "4:21", "no zone and no memory `wombat`"),
    ],
)
def test_wrong_position__is_told_with_its_place(
    tmp_path: Path, given: str, place: str, said: str
) -> None:
    (outcome,) = outcomes(tmp_path, HEAD + case("over: false", given=given))
    assert f"mine.yaml:{place}: MC080" in outcome.reason
    assert said in outcome.reason


@pytest.mark.parametrize(
    ("house", "place", "said"),
    [
        ("house: deal-size=abc", "2:8", "`abc` is no choice"),
        ("house: [keep-jokers, wombat]", "2:22", "no house rule is called `wombat`"),
    ],
)
def test_wrong_house_rule__is_told_with_its_place_in_the_file(
    tmp_path: Path, house: str, place: str, said: str
) -> None:
    text = HEAD.replace("tests:", f"{house}\ntests:") + case("over: false")
    with pytest.raises(CompileError) as caught:
        outcomes(tmp_path, text)
    (diagnostic,) = caught.value.diagnostics
    assert said in diagnostic.message
    assert str(diagnostic.primary.span).endswith(f"mine.yaml:{place}")


def test_players__are_chosen_by_the_file_or_the_test(tmp_path: Path) -> None:
    text = "variant: hand-and-foot\nplayers: 6\ntests:\n"
    text += "  - {name: six, steps: [expect: count(players) = 6]}\n"
    text += "  - {name: two, players: 2, steps: [expect: count(players) = 2]}\n"
    assert [outcome.passed for outcome in outcomes(tmp_path, text)] == [True, True]


def test_house_rule__is_laid_over_the_game(tmp_path: Path) -> None:
    given = "{turn: P1, hands: {P1: 9C 2S 5H}, melds: {A: [KH KD KS]}, pile: 9H, stock: 5}"
    text = HEAD + case("{illegal: take pile with 9C 2S, because: frozen_pile}", given=given)
    text = text.replace("tests:", "house: natural-pair-pickup\ntests:")
    (outcome,) = outcomes(tmp_path, text)
    assert outcome.passed, outcome.reason


def test_mistake_in_one_test__lets_the_others_run(tmp_path: Path) -> None:
    wrong = case("expect: wombat = 3").replace("mine", "wrong")
    first, second, third = outcomes(
        tmp_path, HEAD + wrong + case("draw: x", given=TURN).replace("draw: x", "turn: P1") + wrong
    )
    assert (first.passed, second.passed, third.passed) == (False, True, False)
    assert "wombat" in first.reason


PAGES_OF_SCENARIOS = [page for page in PAGES if page.kind is Example.SCENARIO]


@pytest.mark.parametrize("code", [page.code for page in PAGES_OF_SCENARIOS])
def test_example__fails_with_its_code(tmp_path: Path, code: str) -> None:
    (outcome,) = outcomes(tmp_path, CODES[code].example)
    assert not outcome.passed
    assert [diagnostic.code for diagnostic in outcome.diagnostics] == [code]
    assert f"{code}: " in outcome.reason


@pytest.mark.parametrize("text", ["", "variant: classic\n", "tests: [\n", "- a\n"])
def test_file_that_is_no_scenario__is_refused(tmp_path: Path, text: str) -> None:
    with pytest.raises(CompileError):
        outcomes(tmp_path, text)


def test_command__passes_and_fails(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    good, bad = tmp_path / "good.yaml", tmp_path / "bad.yaml"
    good.write_text(HEAD + case("turn: P1"), encoding="utf-8")
    bad.write_text(HEAD + case("turn: P2"), encoding="utf-8")
    assert run(capsys, "test", str(good)).code == 0
    ran = run(capsys, "test", str(tmp_path))
    assert ran.code == 1
    assert "FAILED" in ran.out
    assert "1 passed, 1 failed" in ran.out
    data = json.loads(run(capsys, "test", str(good), str(bad), "--json").out)
    assert (data["passed"], data["failed"]) == (1, 1)
    assert data["tests"][1] == {
        "file": str(bad),
        "name": "mine",
        "clause": "",
        "passed": False,
        "reason": "line 6, step 1: expected turn: P2, found P1",
    }


@pytest.mark.parametrize(
    "text", ["tests: [", "variant: no-such-game\ntests: [{name: a, steps: [turn: P1]}]"]
)
def test_command__cannot_read(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, text: str
) -> None:
    path = tmp_path / "bad.yaml"
    path.write_text(text, encoding="utf-8")
    ran = run(capsys, "test", str(path))
    assert ran.code == 2
    assert "MC0" in ran.err


@pytest.mark.parametrize("name", ["none.yaml", "."])
def test_command__finds_nothing(
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    name: str,
) -> None:
    monkeypatch.chdir(tmp_path)
    assert run(capsys, "test", name).code == 2


def test_expected__of_several_parts_those_that_fail_are_told(tmp_path: Path) -> None:
    step = "expect: count(hand(P1)) = 4 and phase = play and count(pile) = 2"
    (found,) = outcomes(tmp_path, HEAD + case(step))
    assert found.reason.endswith("found `phase = play`: draw")


def test_misspelt_action__is_told_what_may_be_meant(tmp_path: Path) -> None:
    (found,) = outcomes(tmp_path, HEAD + case("do: dicard 5H"))
    assert "did you mean `discard 5H`?" in found.reason
