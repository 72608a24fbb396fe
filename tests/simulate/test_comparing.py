"""Two games from the same deals: differences, sentences, the page."""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path
from statistics import mean, stdev
from typing import Any
from xml.etree import ElementTree

import pytest
from cli.support import run
from simulate.test_rows import game_of

from meldc.simulate import plots
from meldc.simulate.rows_file import file_of_the_rest, flat, read_rows, rows_file
from meldc.simulate.wording import Wording, digits
from meldc_runtime.simulation import Difference, Key
from meldc_runtime.simulation.measuring import FORCED, OPTIONS, SCORE, TURNS
from meldc_runtime.statistics import Estimate, student

DEALS = 30
COMPARED = ("simulate", "classic", "--house", "deal-size=15", "--against", "none")


@pytest.fixture(scope="module")
def rows(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The rows of a comparison."""
    from meldc.simulate.campaign import Campaign
    from meldc_runtime.simulation import Task, workforce

    path = tmp_path_factory.mktemp("compared") / "rows.jsonl"
    campaign = Campaign(
        game_of("classic", "deal-size=15"), game_of("classic"), Task(DEALS, False, 1), 0, path
    )
    outcome, _ = campaign.play(lambda match: workforce(match, 1), lambda played: None)
    assert outcome.stopped is None
    return path


@pytest.fixture
def data(rows: Path, capsys: pytest.CaptureFixture[str]) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(run(capsys, *COMPARED, "--rows", str(rows), "--json").out)
    return found


def test_pairs__come_from_the_same_seeds(rows: Path, data: dict[str, Any]) -> None:
    by_set: dict[str, list[int]] = {}
    for row in read_rows(rows):
        by_set.setdefault(row["set"], []).append(row["seed"])
    assert list(by_set) == ["classic", "classic with deal-size=15"]
    assert by_set["classic"] == by_set["classic with deal-size=15"]
    assert (data["pairs"], data["subject"]) == (DEALS, "deal-size=15")


def test_differences__are_those_of_the_pairs(rows: Path, data: dict[str, Any]) -> None:
    turns: dict[str, list[int]] = {}
    for row in read_rows(rows):
        turns.setdefault(row["set"], []).append(row["turns"])
    one, two = turns.values()
    apart = [second - first for first, second in zip(one, two, strict=True)]
    (found,) = [
        each for each in data["differences"] if (each["section"], each["name"]) == ("deal", "turns")
    ]
    half = student(DEALS - 1) * stdev(apart) / DEALS**0.5
    assert found["difference"]["value"] == pytest.approx(mean(apart), abs=1e-3)
    assert found["difference"]["high"] - mean(apart) == pytest.approx(half, abs=1e-3)
    assert found["first"]["value"] == pytest.approx(mean(one), abs=1e-3)


def test_shown_differences__come_first(data: dict[str, Any]) -> None:
    shown = [each["shown"] for each in data["differences"]]
    assert shown == sorted(shown, reverse=True)
    assert any(shown)
    assert not all(shown)
    for each in data["differences"]:
        if each["shown"]:
            assert each["difference"]["low"] > 0 or each["difference"]["high"] < 0


def test_text__says_what_differs(rows: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = run(capsys, *COMPARED, "--rows", str(rows)).out
    assert "deal-size=15 compared with classic, 30 pairs:" in out
    assert re.search(r"with `deal-size=15`, .* from \d+.* to \d+", out)
    assert re.search(r"no difference is shown in \d+ other figures", out)


def test_game_against_itself__shows_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    ran = run(capsys, "simulate", "classic", "--against", "none", "--deals", "4", "--seed", "1")
    assert "no difference is shown" in ran.out
    assert "other figures" not in ran.out


def test_other_game__may_have_house_rules(capsys: pytest.CaptureFixture[str]) -> None:
    ran = run(
        capsys, "simulate", "samba", "--against", "classic", "--against-house", "fewer-wilds",
        "--deals", "2", "--seed", "1", "--json",
    )  # fmt: skip
    data = json.loads(ran.out)
    assert (data["subject"], data["reference"]) == ("samba", "classic with fewer-wilds")
    assert data["reference_data"]["house"] == ["fewer-wilds"]


def difference(key: Key, first: float, second: float, half: float) -> Difference:
    change = second - first
    return Difference(
        key,
        Estimate(first, first, first, 9),
        Estimate(second, second, second, 9),
        Estimate(change, change - half, change + half, 9),
        0.0,
        1.0,
        True,
    )


@pytest.mark.parametrize(
    ("key", "first", "second", "half", "sentence"),
    [
        (TURNS, 59.6, 62.7, 0.2, "deals last 3.1 ± 0.2 turns longer (59.6 → 62.7)"),
        (TURNS, 62.7, 59.6, 0.2, "deals last 3.1 ± 0.2 turns shorter (62.7 → 59.6)"),
        (
            Key("sort", "canastas.mixed", "per deal", "deals"), 2.91, 1.69, 0.1,
            "mixed canastas fall from 2.9 to 1.7 a deal (± 0.1)",
        ),
        (SCORE, 958.2, 838.4, 31.0, "a side scores 120 ± 31 points less a deal (958 → 838)"),
        (FORCED, 0.29, 0.331, 0.005, "decisions without a choice rise from 29.0 to 33.1 % (± 0.5)"),
        (OPTIONS, 6.0, 5.5, 0.1, "a player chooses among 0.5 ± 0.1 fewer actions (6.0 → 5.5)"),
        (
            Key("line", "canasta_bonuses", "per side", "sides"), 471.0, 305.0, 20.0,
            "“canastas” gives a side 166 ± 20 points less a deal (471 → 305)",
        ),
        (
            Key("end", "going_out", "deals", "watched deals", True), 0.72, 0.6, 0.02,
            "deals that end by `going out` fall from 72.0 to 60.0 % (± 2.0)",
        ),
        (
            Key("moment", "opening", "first turn", "sides with opening"), 4.0, 5.5, 0.3,
            "`opening` comes 1.5 ± 0.3 turns later for a side (turn 4.0 → 5.5)",
        ),
        (
            Key("rule", "frozen_pile", "decisions", "asked decisions", True), 0.05, 0.08, 0.01,
            "`frozen pile` refuses something in 8.0 % of decisions instead of 5.0 % (± 1.0)",
        ),
    ],
)  # fmt: skip
def test_sentence__says_it_as_players_do(
    key: Key, first: float, second: float, half: float, sentence: str
) -> None:
    wording = Wording(game_of("classic").program)
    assert wording.sentence(difference(key, first, second, half)) == sentence


@pytest.mark.parametrize(("half", "number"), [(31, 0), (2, 1), (0.2, 1), (0.03, 2), (0, 1)])
def test_digits__follow_the_interval(half: float, number: int) -> None:
    assert digits(half) == number


def test_page__stands_alone(rows: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("matplotlib")
    path = tmp_path / "page.html"
    assert run(capsys, *COMPARED, "--rows", str(rows), "--report", str(path)).code == 0
    text = path.read_text(encoding="utf-8")
    drawings = re.findall(r"<svg.*?</svg>", text, re.DOTALL)
    assert len(drawings) > 8
    for drawing in drawings:
        ElementTree.fromstring(drawing)
        assert "var(--ink)" in drawing
    assert not re.findall(r"""(?:src|href)=["'](?!#)|@import|<script""", text)
    assert "prefers-color-scheme: dark" in text
    assert "With deal-size=15" in text
    assert len(text) < 600_000


def test_page__of_one_game_has_no_differences(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("matplotlib")
    path = tmp_path / "page.html"
    ran = run(capsys, "simulate", "paston", "--games", "3", "--seed", "1", "--report", str(path))
    assert ran.code == 0
    text = path.read_text(encoding="utf-8")
    assert "Deals of a game" in text
    assert "Differences" not in text


def test_missing_extra__is_said_before_anything_is_played(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    for package in ("matplotlib", "ray", "pyarrow"):
        monkeypatch.setitem(sys.modules, package, None)
    play = ("simulate", "classic", "--deals", "1", "--seed", "1")
    wanted = {
        ("--report", str(tmp_path / "page.html")): 'pip install "meldc[report]"',
        ("--cluster",): 'pip install "meldc[cluster]"',
        ("--out", str(tmp_path / "rows.parquet")): 'pip install "meldc[parquet]"',
    }
    for options, cure in wanted.items():
        ran = run(capsys, *play, *options)
        assert ran.code == 2
        assert cure in ran.err
        assert ran.out == ""


def test_parquet__holds_the_same_rows(rows: Path, tmp_path: Path) -> None:
    pytest.importorskip("pyarrow")
    path = tmp_path / "rows.parquet"
    with rows_file(path) as file:
        file.write(rows.read_text(encoding="utf-8").splitlines())
    assert list(read_rows(path)) == list(read_rows(rows))


def test_rest_of_parquet__goes_to_a_file_of_its_own(tmp_path: Path) -> None:
    assert file_of_the_rest(tmp_path / "rows.parquet", 20) == tmp_path / "rows-20.parquet"
    assert file_of_the_rest(tmp_path / "rows.jsonl", 20) == tmp_path / "rows.jsonl"


def test_label__is_no_formula() -> None:
    pytest.importorskip("matplotlib")
    drawing = plots.distribution("points", "points", [("from $5 to $6^$", {"1": 2, "2": 1})] * 2)
    assert "from $5 to $6^$" in drawing


def test_flat__keeps_numbers_and_words_as_columns(rows: Path) -> None:
    row = flat(dict(next(iter(read_rows(rows)))))
    assert type(row["decisions"]) is int
    assert row["set"] == "classic"
    assert json.loads(row["scores"]) == next(iter(read_rows(rows)))["scores"]
