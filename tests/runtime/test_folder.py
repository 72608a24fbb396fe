"""The folder of what is kept between runs: ours alone, and nothing in it is believed unseen."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from meldc_runtime.folder import MOST_FILES, folder_of, keep, kept_file, recall

owned = pytest.mark.skipif(not hasattr(os, "getuid"), reason="no rights to tell by")


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("MELDC_CACHE_DIR", str(tmp_path / "cache"))
    return tmp_path / "cache"


@pytest.fixture
def all_may_write() -> Iterator[None]:
    before = os.umask(0)
    yield
    os.umask(before)


def file_of(*key: object, maker: Path = Path(__file__).parent) -> Path:
    file = kept_file("things", maker, *key)
    assert file is not None
    return file


def test_file__gives_back_what_was_kept() -> None:
    assert recall(file_of(1)) is None
    keep(file_of(1), b"one")
    assert recall(file_of(1)) == b"one"
    assert recall(file_of(2)) is None


@pytest.mark.parametrize("at", [0, 20, 40])
def test_file__with_another_byte_is_passed_over(at: int) -> None:
    keep(file_of(1), b"some longer content")
    content = bytearray(file_of(1).read_bytes())
    content[at] ^= 1
    file_of(1).write_bytes(content)
    assert recall(file_of(1)) is None


def test_file__has_another_name_where_the_maker_is_another(tmp_path: Path) -> None:
    maker = tmp_path / "maker"
    maker.mkdir()
    (maker / "code.py").write_text("1")
    other = tmp_path / "other"
    other.mkdir()
    assert file_of(1, maker=maker) != file_of(1, maker=other)


def test_without_a_folder__nothing_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MELDC_CACHE_DIR", "")
    file = kept_file("things", Path(__file__).parent, 1)
    keep(file, b"one")
    assert recall(file) is None


def test_folder__does_not_grow_for_ever() -> None:
    for number in range(MOST_FILES + 10):
        keep(file_of(number), b"")
    assert len(list(file_of(0).parent.iterdir())) < MOST_FILES


@owned
def test_folders__are_ours_alone_whatever_the_mask(folder: Path, all_may_write: None) -> None:
    folder.mkdir(mode=0o755)
    keep(file_of(1), b"one")
    assert (folder / "things").stat().st_mode & 0o777 == 0o700
    assert file_of(1).stat().st_mode & 0o777 == 0o600


@owned
@pytest.mark.parametrize("rights", [0o770, 0o707])
def test_folders__that_others_write_are_not_used(folder: Path, rights: int) -> None:
    keep(file_of(1), b"one")
    (folder / "things").chmod(rights)
    assert folder_of("things") is None
    (folder / "things").chmod(0o700)
    folder.chmod(rights)
    assert folder_of("things") is None


@owned
@pytest.mark.skipif(hasattr(os, "getuid") and os.getuid() != 0, reason="gives a folder away")
def test_folders__of_somebody_else_are_not_used(folder: Path) -> None:
    keep(file_of(1), b"one")
    os.chown(folder / "things", 12345, 12345)
    assert folder_of("things") is None
