"""What is parsed is kept: in the process, between runs, and never where a text has changed."""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from meldc.source import Rebase, SourceFile
from meldc.syntax import kept, parse
from meldc.syntax.kept import keeping
from meldc_runtime.folder import keep

TEXT = 'rule one\n  discard forbidden when card is wild\n  because "no"\n'


def rebase(text: str = TEXT, name: str = "mine.rules") -> Rebase:
    return Rebase.whole(SourceFile(name, text))


def another_run(monkeypatch: pytest.MonkeyPatch) -> None:
    """Forgets all that the process knows."""
    for known in ("_known", "_used", "_on_disk"):
        monkeypatch.setattr(kept, known, {})


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("MELDC_CACHE_DIR", str(tmp_path / "kept"))
    another_run(monkeypatch)
    return tmp_path / "kept" / "parsed"


def test_kept__is_what_the_parser_gives(folder: Path) -> None:
    for _ in range(2):
        assert kept.parse_rules(TEXT, rebase()) == parse.parse_rules(TEXT, rebase())


def test_kept__is_recalled_by_the_next_run(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with keeping():
        first = kept.parse_rules(TEXT, rebase())
    another_run(monkeypatch)
    monkeypatch.setattr(parse, "parse_rules", None)  # not asked again
    with keeping():
        assert kept.parse_rules(TEXT, rebase()) == first


def test_kept__not_for_another_text_or_place(folder: Path) -> None:
    with keeping():
        kept.parse_rules(TEXT, rebase())
    changed = TEXT.replace("wild", "red")
    assert kept.parse_rules(changed, rebase(changed))[0] != kept.parse_rules(TEXT, rebase())[0]
    moved = kept.parse_rules(TEXT, rebase(name="other.rules"))[0]
    assert moved[0].span.file == "other.rules"


def test_kept__a_text_with_a_mistake_is_read_again(folder: Path) -> None:
    wrong = "rule one\n  discard forbidden wen\n"
    for _ in range(2):
        assert kept.parse_rules(wrong, rebase(wrong))[1]
    assert not kept._known


@pytest.mark.parametrize("damage", [b"", b"no pickle", b"\x80\x05]\x94."])
@pytest.mark.parametrize("write", [Path.write_bytes, keep])
def test_kept__a_damaged_file_is_passed_over(
    folder: Path,
    write: Callable[[Path, bytes], object],
    damage: bytes,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with keeping():
        kept.parse_rules(TEXT, rebase())
    (file,) = folder.iterdir()
    write(file, damage)
    another_run(monkeypatch)
    with keeping():
        assert not kept.parse_rules(TEXT, rebase())[1]


class Evil:
    def __reduce__(self) -> tuple[object, tuple[str]]:
        return os.mkdir, ("run",)


def test_kept__code_in_a_file_is_not_run(
    folder: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    with keeping():
        kept.parse_rules(TEXT, rebase())
    (file,) = folder.iterdir()
    keep(file, pickle.dumps({("parse_rules", TEXT, rebase()): Evil()}))
    another_run(monkeypatch)
    with keeping():
        assert kept.parse_rules(TEXT, rebase())[0]
    assert not (tmp_path / "run").exists()


@pytest.mark.skipif(not hasattr(os, "getuid"), reason="no rights to tell by")
def test_kept__nothing_where_others_may_write(folder: Path) -> None:
    folder.parent.mkdir()
    folder.parent.chmod(0o777)
    with keeping():
        kept.parse_rules(TEXT, rebase())
    assert not folder.exists()


def test_new_game__finds_what_it_builds_on(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with keeping():
        kept.parse_rules(TEXT, rebase(name="specs/base.rules"))
    another_run(monkeypatch)
    read: list[str] = []
    monkeypatch.setattr(parse, "parse_rules", lambda text, origin: (read.append(origin.file), []))
    with keeping():
        kept.parse_rules(TEXT, rebase(name="specs/base.rules"))
        kept.parse_rules(TEXT, rebase(name="new.rules"))
    assert read == ["new.rules"]


def test_second_run__needs_neither_grammar_nor_validator(tmp_path: Path) -> None:
    script = (
        "import sys; from meldc.compilation import compile_spec; compile_spec('classic');"
        "print(sorted({'lark', 'jsonschema', 'meldc_runtime.game'} & set(sys.modules)))"
    )
    environment = {**os.environ, "MELDC_CACHE_DIR": str(tmp_path)}
    said = [
        subprocess.run(
            [sys.executable, "-c", script],
            env=environment,
            capture_output=True,
            text=True,
            check=True,
        ).stdout.strip()
        for _ in range(2)
    ]
    assert said == ["['lark']", "[]"]
