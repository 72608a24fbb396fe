"""The commands that do not play: what they print, and the code they end with."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from cli.support import run, run_apart

from meldc.load.catalogue import shipped_houses, shipped_variants
from meldc_runtime.program import load as load_program


def test_list__names_all_that_is_shipped(capsys: pytest.CaptureFixture[str]) -> None:
    ran = run(capsys, "list")
    assert ran.code == 0
    names = [line[12:].split()[0] for line in ran.out.splitlines()]
    assert names == [*shipped_variants(), *shipped_houses()]
    rows = json.loads(run(capsys, "list", "--json").out)
    assert {"kind": "variant", "name": "classic", "title": "Classic Canasta"} in rows


def test_check__is_content_with_good_games(capsys: pytest.CaptureFixture[str]) -> None:
    ran = run(capsys, "check", "classic", "paston", "--house", "keep-jokers")
    assert ran.code == 1  # a house rule of another family of games
    ran = run(capsys, "check", "classic", "paston")
    assert (ran.code, ran.out) == (0, "")
    assert "no problems" in ran.err


def test_check__tells_what_is_wrong(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = tmp_path / "mine.yaml"
    path.write_text(
        "variant: mine\ntitle: Mine\nextends: classic\nhand_sise: 9\n", encoding="utf-8"
    )
    ran = run(capsys, "check", str(path))
    assert ran.code == 1
    assert "hand_size" in ran.err
    (problem,) = json.loads(run(capsys, "check", str(path), "--json").out)
    assert (problem["line"], problem["severity"]) == (4, "error")


@pytest.mark.parametrize("spec", ["no-such-game", "no-such-file.yaml", "no-such-file.json"])
@pytest.mark.parametrize("command", ["check", "compile", "play"])
def test_game_that_is_not_there__is_unreadable(
    capsys: pytest.CaptureFixture[str], command: str, spec: str
) -> None:
    ran = run(capsys, command, spec)
    assert ran.code == 2
    assert spec in ran.err


@pytest.mark.parametrize("content", ["{}", "[", "", '{"node": "Program"}', "\x00"])
def test_json_that_is_no_program__is_unreadable(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, content: str
) -> None:
    path = tmp_path / "game.json"
    path.write_text(content, encoding="utf-8")
    ran = run(capsys, "check", str(path))
    assert ran.code == 2
    assert "MC0814" in ran.err


def test_compiled_program__takes_the_place_of_a_game(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    path = tmp_path / "game.json"
    assert run(capsys, "compile", "paston", "-o", str(path)).code == 0
    text = path.read_text(encoding="utf-8")
    assert run(capsys, "compile", "paston").out == text
    assert load_program(text).name == "paston"
    for command in (("check",), ("simulate", "--deals", "2", "--seed", "1")):
        assert run(capsys, *command, str(path)).code == 0
    assert run(capsys, "check", str(path), "--house", "keep-jokers").code in (0, 2)
    assert run(capsys, "play", str(path), "--house", "keep-jokers").code == 2


def test_compile__writes_whole_files_only(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    assert run(capsys, "compile", "paston", "-o", str(tmp_path / "no" / "game.json")).code == 2
    assert run(capsys, "compile", "paston", "-o", "/dev/null").code == 0
    assert list(tmp_path.iterdir()) == []


def test_simulate__counts_alike_whatever_the_workers(capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ("simulate", "paston", "--games", "9", "--seed", "5", "--json")
    one = json.loads(run(capsys, *arguments).out)
    three = json.loads(run_apart(*arguments, "--workers", "3").out)
    for each in (one, three):
        assert each.pop("seconds") >= 0
        assert each.pop("decisions_per_second") >= 0
    assert one == three
    assert one["games"] == 9
    assert one["dead_ends"] == one["solver_cut_offs"] == one["unfinished_games"] == 0
    assert sum(side["value"] for side in one["wins"].values()) == pytest.approx(1, abs=0.001)
    for estimate in (one["deals_per_game"], *one["scores"].values(), *one["wins"].values()):
        assert estimate["low"] <= estimate["value"] <= estimate["high"]


def test_simulate__reports_for_people(capsys: pytest.CaptureFixture[str]) -> None:
    ran = run(capsys, "simulate", "paston", "--deals", "20", "--seed", "1")
    assert ran.code == 0
    assert "dead ends: 0" in ran.out
    assert "95 % interval" in ran.out


def test_explain__prints_the_page(capsys: pytest.CaptureFixture[str]) -> None:
    ran = run(capsys, "explain", "mc0111")
    assert ran.code == 0
    assert ran.out.startswith("MC0111: key given twice\n")
    assert run(capsys, "explain", "MC9999").code == 2


def test_why__shows_the_chain(capsys: pytest.CaptureFixture[str]) -> None:
    ran = run(capsys, "why", "classic-two", "draws")
    assert ran.out.splitlines() == [
        "settings.draws: 2",
        "  machine melding: 1  (specs/machines/melding.rules:5:17)",
        "  variant classic-two: 2  (specs/variants/classic-two.yaml:7:8)",
    ]
    (value,) = json.loads(run(capsys, "why", "classic-two", "settings.draws", "--json").out)
    assert [step["value"] for step in value["steps"]] == ["1", "2"]
    ran = run(capsys, "why", "classic-two", "drawz")
    assert ran.code == 1
    assert "did you mean" in ran.err


def test_diff__shows_a_deal_in_words_only(capsys: pytest.CaptureFixture[str]) -> None:
    ran = run(capsys, "diff", "classic", "samba", "--deal", "--json")
    assert (ran.code, ran.out) == (2, "")
    assert "does not go with `--json`" in ran.err


def test_diff__says_what_changes(capsys: pytest.CaptureFixture[str]) -> None:
    ran = run(capsys, "diff", "classic", "samba")
    assert ran.code == 0
    assert "  canastas a side needs to go out: 1 -> 2" in ran.out.splitlines()
    assert "no rule differs" in run(capsys, "diff", "classic", "classic").out
    (change,) = json.loads(
        run(capsys, "diff", "classic", "classic", "--house", "natural-pair-pickup", "--json").out
    )
    assert change["key"] == "settings.pile_frozen"


def test_rulebook__has_the_rules_in_force_only(capsys: pytest.CaptureFixture[str]) -> None:
    plain = run(capsys, "rulebook", "classic")
    assert plain.code == 0
    assert "- cards dealt to each hand: 11" in plain.out.splitlines()
    assert "- below 0: 15" in plain.out.splitlines()
    needed = "a partner must be asked before going out"
    assert f"refused: {needed}" not in plain.out
    assert f"refused: {needed}" in run(capsys, "rulebook", "hand-and-foot").out


def test_new__writes_a_variant_that_is_good(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert run(capsys, "new", "our-game", "--from", "samba").code == 0
    assert run(capsys, "check", "our-game.yaml").code == 0
    assert run(capsys, "new", "our-game", "--from", "samba").code == 2
    assert run(capsys, "new", "second", "--from", "our-game.yaml").code == 0
    assert run(capsys, "check", "second.yaml").code == 0
    assert run(capsys, "new", "Bad Name", "--from", "samba").code == 2
    assert run(capsys, "new", "other", "--from", "/etc/passwd").code == 2


@pytest.mark.parametrize(
    ("content", "code"),
    [
        ("hello\n", "MC0811"),
        (
            '{"record": 1, "game": "paston", "title": "", "program": "0", "house": [], '
            '"players": 3, "side_size": 1, "seed": 1, "seats": {}}\n',
            "MC0812",
        ),
    ],
)
def test_replay__refuses_other_files(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, content: str, code: str
) -> None:
    path = tmp_path / "game.jsonl"
    path.write_text(content, encoding="utf-8")
    ran = run(capsys, "replay", str(path))
    assert ran.code == 2
    assert code in ran.err


def test_replay__names_the_line_that_does_not_fit(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    path = tmp_path / "game.jsonl"
    bots = ("--seat", "P1=random", "--bot", "random")
    run(capsys, "play", "paston", "--seed", "3", *bots, "--record", str(path))
    lines = path.read_text(encoding="utf-8").splitlines()
    lines[4] = '{"deal": 1, "player": "P1", "action": "play 7S"}'
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    ran = run(capsys, "replay", str(path))
    assert ran.code == 2
    assert "MC0813" in ran.err
    assert f"{path}:5:1" in ran.err


@pytest.mark.parametrize("arguments", [(), ("--help",), ("play", "--help"), ("--version",)])
def test_help__is_there(capsys: pytest.CaptureFixture[str], arguments: tuple[str, ...]) -> None:
    ran = run(capsys, *arguments)
    assert ran.code in (0, 2)
    assert ran.out or ran.err


def test_mistake_of_the_program__is_no_traceback(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*arguments: object) -> None:
        raise ZeroDivisionError("surprise")

    monkeypatch.delenv("MELDC_TRACEBACK", raising=False)
    monkeypatch.setattr("meldc.cli.checking.compile_spec", fail)
    ran = run(capsys, "check", "classic")
    assert ran.code == 70
    assert "mistake in meldc" in ran.err


def test_folder_of_games_and_scenarios__has_its_scenarios_run(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    game, proof, other = (tmp_path / name for name in ("mine.yaml", "proof.yaml", "other.yaml"))
    game.write_text("variant: mine\ntitle: Mine\nextends: classic\n", encoding="utf-8")
    ran = run(capsys, "test", str(tmp_path))
    assert ran.code == 2
    assert "no scenario file among these" in ran.err
    proof.write_text(f"variant: {game}\nseed: 1\ntests:\n- {{name: deals, steps: [game: on]}}\n")
    ran = run(capsys, "test", str(tmp_path))
    assert (ran.code, ran.out) == (0, "1 passed, 0 failed\n")
    house = tmp_path / "house.yaml"
    house.write_text("house: little\ntitle: Little\nmachine: canasta\n", encoding="utf-8")
    other.write_text(proof.read_text().replace(str(game), str(house)), encoding="utf-8")
    ran = run(capsys, "test", str(tmp_path))
    assert ran.code == 2
    assert "a variant is needed" in ran.err
    assert run(capsys, "test", str(game)).code == 2
