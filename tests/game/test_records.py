"""Records: written line by line, read strictly, cut-off ends forgiven."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from meldc_runtime import records
from meldc_runtime.records import Entry, Header, Recorder, RecordError, parse, read

HEADER = Header("mine", "Mine", "abc", (), 3, 1, 5, (("P1", "human"), ("P2", "random")))
ENTRIES = (Entry(1, "P2", "draw"), Entry(1, "P2", "discard 10♠"))


def write(path: Path, *entries: Entry) -> bytes:
    with Recorder.create(path, HEADER) as recorder:
        for entry in entries:
            recorder.write(entry)
    return path.read_bytes()


def test_record__is_read_as_written(tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"
    data = write(path, *ENTRIES)
    record = read(path)
    assert (record.header, record.entries, record.length) == (HEADER, ENTRIES, len(data))


def test_line__is_on_the_disk_when_write_returns(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    synced: list[int] = []
    path = tmp_path / "game.jsonl"
    with Recorder.create(path, HEADER) as recorder:
        monkeypatch.setattr(os, "fsync", lambda descriptor: synced.append(path.stat().st_size))
        recorder.write(ENTRIES[0])
        assert synced == [path.stat().st_size]
        assert read(path).entries == ENTRIES[:1]


def test_every_cut__gives_the_whole_lines_before_it(tmp_path: Path) -> None:
    data = write(tmp_path / "game.jsonl", *ENTRIES)
    ends = [number + 1 for number, byte in enumerate(data) if byte == ord("\n")]
    for cut in range(ends[0], len(data)):
        record = parse(data[:cut])
        whole = sum(end <= cut for end in ends)
        assert record.entries == ENTRIES[: whole - 1]
        assert record.length == ends[whole - 1]


def test_resume__writes_behind_the_last_whole_line(tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"
    data = write(path, *ENTRIES)
    path.write_bytes(data[:-5])
    with Recorder.resume(path, read(path)) as recorder:
        recorder.write(Entry(1, "P3", "draw"))
    assert read(path).entries == (ENTRIES[0], Entry(1, "P3", "draw"))


def test_create__writes_over_nothing(tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"
    path.write_text("mine", encoding="utf-8")
    with pytest.raises(FileExistsError):
        Recorder.create(path, HEADER)
    assert path.read_text(encoding="utf-8") == "mine"


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("", 0),
        ("no line end", 0),
        ("hello\n", 1),
        ("[1]\n", 1),
        ("{}\n", 1),
        ('{"record": 2}\n', 1),
        ('{"record": 1, "seats": [], "house": []}\n', 1),
        ("\xff\xfe\x00\n", 1),
        ("[" * 100_000 + "\n", 1),
    ],
)
def test_other_text__is_refused_with_its_line(text: str, line: int) -> None:
    with pytest.raises(RecordError) as caught:
        parse(text.encode("latin-1"))
    assert caught.value.line == line


def test_bad_entry__is_refused_with_its_line(tmp_path: Path) -> None:
    data = write(tmp_path / "game.jsonl", *ENTRIES)
    with pytest.raises(RecordError) as caught:
        parse(data + b'{"deal": true, "player": "P1", "action": "draw"}\n')
    assert caught.value.line == 4


def test_read__no_more_than_a_record_can_have(tmp_path: Path) -> None:
    path = tmp_path / "endless.jsonl"
    with path.open("wb") as file:
        file.truncate(records.LARGEST_FILE + 1)
    with pytest.raises(RecordError, match="larger"):
        read(path)
