"""Rows: what is written down of deals, and the figures worked out from it once more."""

from __future__ import annotations

import json
from itertools import pairwise
from pathlib import Path
from statistics import mean, stdev
from typing import Any

import pytest
from cli.support import run, run_apart

from meldc.compilation import compile_spec
from meldc_runtime.game import Game
from meldc_runtime.simulation import Row, Task
from meldc_runtime.simulation.bulk import BulkPlayer
from meldc_runtime.simulation.playing import MachinePlayer
from meldc_runtime.simulation.rows import OF_WATCHED
from meldc_runtime.simulation.spans import player_for
from meldc_runtime.statistics import student

DEALS = 40


def game_of(name: str, *houses: str) -> Game:
    program = compile_spec(name, houses).program
    assert program is not None
    return Game(program)


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> tuple[dict[str, Any], list[Row], Path]:
    """A table as JSON, and the rows written beside it."""
    path = tmp_path_factory.mktemp("rows") / "deals.jsonl"
    ran = run_apart(
        "simulate", "classic", "--deals", str(DEALS), "--seed", "3", "--rules-every", "8",
        "--workers", "2", "--out", str(path), "--json",
    )  # fmt: skip
    assert ran.code == 0, ran.err
    rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    return json.loads(ran.out), rows, path


def test_rows__are_one_a_deal_in_order(played: tuple[dict[str, Any], list[Row], Path]) -> None:
    _, rows, _ = played
    assert [row["game"] for row in rows] == list(range(DEALS))
    assert {row["set"] for row in rows} == {"classic"}


def test_means__are_those_of_the_rows(played: tuple[dict[str, Any], list[Row], Path]) -> None:
    data, rows, _ = played
    of_rows = {
        "turns_per_deal": [row["turns"] for row in rows],
        "decisions_per_deal": [row["decisions"] for row in rows],
        "margin": [abs(row["scores"][0] - row["scores"][1]) for row in rows],
    }
    for name, values in of_rows.items():
        half = student(DEALS - 1) * stdev(values) / DEALS**0.5
        assert data[name]["value"] == pytest.approx(mean(values), abs=1e-4)
        assert data[name]["high"] - data[name]["value"] == pytest.approx(half, abs=1e-3)


def test_counts__are_those_of_the_rows(played: tuple[dict[str, Any], list[Row], Path]) -> None:
    data, rows, _ = played
    decisions = sum(row["decisions"] for row in rows)
    assert data["decisions"] == decisions
    assert data["options_per_decision"]["value"] == pytest.approx(
        sum(row["options"] for row in rows) / decisions, abs=1e-4
    )
    for name, each in data["actions"].items():
        times = sum(row["actions"].get(name, 0) for row in rows)
        assert each["value"] == pytest.approx(times / decisions, abs=1e-4)
    for name, each in data["ends"].items():
        deals = sum(row["ended_by"] == name for row in rows)
        assert each["value"] == pytest.approx(deals / DEALS, abs=1e-4)
    for name, each in data["moments"].items():
        happened = [sum(row["moments"][name]["times"]) for row in rows if name in row["moments"]]
        assert each["per_deal"]["value"] == pytest.approx(sum(happened) / DEALS, abs=1e-4)
        assert each["deals"]["value"] == pytest.approx(len(happened) / DEALS, abs=1e-4)


def test_score_and_melds__are_those_of_the_rows(
    played: tuple[dict[str, Any], list[Row], Path],
) -> None:
    data, rows, _ = played
    for name, each in data["lines"].items():
        points = [p for row in rows for p in row["lines"].get(name, ()) if p is not None]
        assert each["points"]["value"] == pytest.approx(mean(points), abs=1e-4)
        assert each["per_side"]["value"] == pytest.approx(sum(points) / (2 * DEALS), abs=1e-4)
    for name, each in data["sorts"].items():
        table, _, kind = name.partition(".")
        found = [sum(row["sorts"].get(table, {}).get(kind, [0])) for row in rows]
        assert each["per_deal"]["value"] == pytest.approx(mean(found), abs=1e-4)
    for row in rows:
        assert row["scores"] == [
            sum(by_side[side] or 0 for by_side in row["lines"].values()) for side in (0, 1)
        ]


def test_rules__are_those_of_the_rows(played: tuple[dict[str, Any], list[Row], Path]) -> None:
    data, rows, _ = played
    asked = sum(row["asked"]["decisions"] for row in rows)
    assert data["rules"]["asked"] == asked > 500
    for name, each in data["rules"]["decided"].items():
        refused = [row["asked"]["rules"].get(name, [0, 0]) for row in rows]
        assert each["decisions"]["value"] == pytest.approx(
            sum(one for one, _ in refused) / asked, abs=1e-4
        )
        assert each["alone"]["value"] == pytest.approx(
            sum(alone for _, alone in refused) / asked, abs=1e-4
        )
    assert "frozen_pile" in data["rules"]["decided"]
    assert not data["rules"]["decided"].keys() & {*data["rules"]["never"]}


def test_recount__of_rows_gives_the_same_table(
    played: tuple[dict[str, Any], list[Row], Path], capsys: pytest.CaptureFixture[str]
) -> None:
    data, _, path = played
    ran = run(capsys, "simulate", "classic", "--rows", str(path), "--json")
    again = json.loads(ran.out)
    differing = {"seconds", "decisions_per_second", "seed", "start_at", "next"}
    assert {k: v for k, v in again.items() if k not in differing} == {
        k: v for k, v in data.items() if k not in differing
    }


def test_rest__is_exactly_what_was_missing(
    played: tuple[dict[str, Any], list[Row], Path],
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    _, _, whole = played
    lines = whole.read_text(encoding="utf-8").splitlines(keepends=True)
    part = tmp_path / "part.jsonl"
    part.write_text("".join(lines[:33]), encoding="utf-8")
    ran = run(
        capsys, "simulate", "classic", "--deals", str(DEALS), "--seed", "3", "--rules-every", "8",
        "--start-at", "33", "--out", str(part), "--json",
    )  # fmt: skip
    assert json.loads(ran.out)["deals"] == DEALS - 33
    assert part.read_text(encoding="utf-8") == whole.read_text(encoding="utf-8")


@pytest.mark.parametrize("name", ["classic", "paston"])
def test_deal__does_not_depend_on_those_before(name: str) -> None:
    game = game_of(name)
    task = Task(6, True, 11, rules_every=16)
    one, other = MachinePlayer(game, task), MachinePlayer(game, task)
    for index in range(3):
        list(one.play(index))
    assert list(one.play(3)) == list(other.play(3))


def test_watching__leaves_the_game_as_it_was() -> None:
    game = game_of("classic")
    before = (game.table.course, game.table.code)
    (row,) = MachinePlayer(game, Task(1, False, 5)).play(0)
    assert (game.table.course, game.table.code) == before
    assert sum(row["moments"]["turn_passes"]["times"]) <= row["turns"]


def test_imagined_deals_of_bots__are_not_counted() -> None:
    """A bot that tries deals to their end in its head: what it tries is not written down."""
    game = game_of("paston")
    (row,) = MachinePlayer(game, Task(1, False, 5, ("greedy",))).play(0)
    assert sum(row["moments"]["deal_passes"]["times"]) == 1
    assert sum(row["moments"]["trick_taken"]["times"]) <= 13


def test_bands__tell_what_was_needed(played: tuple[dict[str, Any], list[Row], Path]) -> None:
    data, rows, _ = played
    assert all(
        value in (None, 50) for row in rows for value in row["bands"]["opening"]["opening_points"]
    )
    assert data["bands"]["opening at opening_points 50"]["share"]["value"] == 1


def test_whole_games__have_a_row_a_deal(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "games.jsonl"
    ran = run(
        capsys, "simulate", "paston", "--games", "5", "--seed", "2", "--out", str(path), "--json"
    )
    data = json.loads(ran.out)
    rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    last = [row["deal"] for row in rows if row["game_over"]]
    assert len(last) == data["games"] == 5
    assert data["deals_per_game"]["value"] == pytest.approx(mean(last))
    for one, two in pairwise(rows):
        if one["game"] == two["game"]:
            assert two["deal"] == one["deal"] + 1
            assert two["totals"] != [0, 0, 0] or one["scores"] == [0, 0, 0]
    again = json.loads(run(capsys, "simulate", "paston", "--rows", str(path), "--json").out)
    assert (again["games"], again["wins"]) == (data["games"], data["wins"])


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("{}\n", "line 1 is no row"),
        ("nonsense\n", "line 1 is no row"),
        ('{"set": "samba"}\n', "line 1 is no row"),
    ],
)
def test_other_files__are_refused(
    text: str, wanted: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "other.jsonl"
    path.write_text(text, encoding="utf-8")
    ran = run(capsys, "simulate", "classic", "--rows", str(path))
    assert ran.code == 2
    assert wanted in ran.err


@pytest.mark.parametrize(
    ("place", "value"),
    [
        (("decisions",), 1.5),
        (("decisions",), True),
        (("scores",), [1, "two"]),
        (("end",), "somehow"),
        (("ended_by",), None),
        (("left", "stock"), float("nan")),
        (("moments",), {"opened": {"times": [1, 1]}, "other": 1}),
        (("asked", "rules"), {"frozen": [10**9, -1]}),
        (("more",), 1),
    ],
)
def test_spoilt_rows__are_refused(
    played: tuple[dict[str, Any], list[Row], Path],
    place: tuple[str, ...],
    value: Any,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    first, *others = (json.loads(line) for line in played[2].read_text("utf-8").splitlines())
    inner = first
    for name in place[:-1]:
        inner = inner[name]
    inner[place[-1]] = value
    path = tmp_path / "spoilt.jsonl"
    path.write_text("".join(f"{json.dumps(row)}\n" for row in (first, *others)), "utf-8")
    ran = run(capsys, "simulate", "classic", "--rows", str(path))
    assert ran.code == 2
    assert "is no row" in ran.err or "do not go together" in ran.err


def test_deeply_nested_text__is_no_row(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "deep.jsonl"
    path.write_text("[" * 100_000, encoding="utf-8")
    ran = run(capsys, "simulate", "classic", "--rows", str(path))
    assert ran.code == 2
    assert "line 1 is no row" in ran.err


def test_rows_of_another_game__are_refused(
    played: tuple[dict[str, Any], list[Row], Path], capsys: pytest.CaptureFixture[str]
) -> None:
    _, _, path = played
    ran = run(capsys, "simulate", "samba", "--rows", str(path))
    assert ran.code == 2
    assert "a row is of `classic`, not of `samba`" in ran.err
    ran = run(capsys, "simulate", "classic", "--rows", str(path), "--rows", str(path))
    assert ran.code == 2
    assert "rows stand in order" in ran.err


def test_watched_games__are_the_same_whatever_their_number() -> None:
    task = Task(1000, False, 1, fast=True)
    watched = [index for index in range(1000) if task.is_watched(index)]
    assert watched == list(range(0, 1000, 5))
    assert Task(1000, False, 1).watches_all
    assert Task(1000, False, 1, ("greedy",), fast=True).watches_all
    assert Task(100, False, 1, fast=True).watches_all


def test_kernel__writes_the_rows_of_the_machine() -> None:
    """But for what only the machine sees."""
    game = game_of("classic")
    task = Task(13, False, 3, fast=True, watch_every=13)
    bulk, watching = player_for(game, task, "classic"), MachinePlayer(game, task, "classic")
    assert isinstance(bulk, BulkPlayer)
    for index in range(1, 13):
        expected = [
            {key: value for key, value in row.items() if key not in OF_WATCHED}
            for row in watching.play(index)
        ]
        assert list(bulk.play(index)) == expected
    assert list(bulk.play(0)) == list(watching.play(0))


def test_game_without_kernel__is_played_by_the_machine() -> None:
    game = game_of("paston")
    task = Task(10, False, 3, fast=True, watch_every=10)
    assert isinstance(player_for(game, task, "paston"), MachinePlayer)
