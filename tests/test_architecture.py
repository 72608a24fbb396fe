"""The plan of the house, held against the house."""

from __future__ import annotations

import ast
import importlib.util
import os
import re
import subprocess
import sys
import tomllib
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
LONGEST_FILE = 600

GAME_WORDS = re.compile(
    r"canasta|samba|bolivia|escalera|acaba|paston|grkha|prikup|whist|pennies|trump|rummy"
    r"|(red|black)[ _-]?threes?|frozen",
    re.IGNORECASE,
)
PYTHON_WORDS = re.compile(r"frozen=True|frozen: bool|if frozen:|frozenset|FrozenInstanceError")

# The Program, the numbering of cards in it, where things are kept, what data classes are made by;
# nothing that plays.
CONTRACT = (
    "meldc_runtime.program",
    "meldc_runtime.cards",
    "meldc_runtime.folder",
    "meldc_runtime.light",
)
PASSES = ("diagnostics", "load", "syntax", "resolve", "check", "lower")


def sources(*folders: str, endings: tuple[str, ...] = (".py", ".lark")) -> list[Path]:
    return sorted(
        path
        for folder in folders
        for path in (ROOT / folder).rglob("*")
        if path.suffix in endings and "__pycache__" not in path.parts
    )


def imports(path: Path) -> Iterator[str]:
    """The absolute names of the modules a file imports, wherever the import stands."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.level == 0:
            yield node.module or ""


def test_code__knows_no_game() -> None:
    found = []
    for path in sources("compiler", "runtime"):
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            for match in GAME_WORDS.finditer(PYTHON_WORDS.sub("", line)):
                found.append(f"{path.relative_to(ROOT)}:{number}: {match.group()}")
    assert not found, "\n".join(found)


def test_file_names__know_no_game() -> None:
    paths = [path.relative_to(ROOT) for path in sources("compiler", "runtime")]
    assert not [str(path) for path in paths if GAME_WORDS.search(str(path))]


def test_runtime__stands_alone() -> None:
    allowed = sys.stdlib_module_names | {"meldc_runtime"}
    found = [
        f"{path.relative_to(ROOT)}: {name}"
        for path in sources("runtime", endings=(".py",))
        for name in imports(path)
        if name.split(".")[0] not in allowed
    ]
    assert not found, "\n".join(found)


def test_passes__see_only_the_contract_of_the_runtime() -> None:
    found = [
        f"{path.relative_to(ROOT)}: {name}"
        for path in sources(*(f"compiler/meldc/{each}" for each in PASSES), endings=(".py",))
        for name in imports(path)
        if name.split(".")[0] == "meldc_runtime"
        if not any(name == module or name.startswith(f"{module}.") for module in CONTRACT)
    ]
    assert not found, "\n".join(found)


def test_files__are_short() -> None:
    lengths = {
        str(path.relative_to(ROOT)): len(path.read_text(encoding="utf-8").splitlines())
        for path in sources("compiler", "runtime", "tests")
    }
    assert not {name: length for name, length in lengths.items() if length > LONGEST_FILE}


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    if importlib.util.find_spec("hatchling") is None:
        pytest.skip("hatchling, the build backend, is not installed")
    folder = tmp_path_factory.mktemp("wheel")
    command = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)]
    built = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert built.returncode == 0, built.stderr
    (file,) = folder.glob("*.whl")
    return file


def test_wheel__holds_all_data(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        held = set(archive.namelist())
    data = [
        path.relative_to(ROOT).as_posix()
        for folder in ("specs", "schemas")
        for path in (ROOT / folder).rglob("*")
        if path.is_file()
    ]
    assert data
    assert not [name for name in data if f"meldc/_data/{name}" not in held]
    assert {"meldc/py.typed", "meldc_runtime/py.typed"} <= held
    grammars = sources("compiler", endings=(".lark", ".json"))
    assert not [p for p in grammars if p.relative_to(ROOT / "compiler").as_posix() not in held]
    assert {name.split("/")[0].split("-")[0] for name in held} == {"meldc", "meldc_runtime"}


def test_wheel__finds_its_data(wheel: Path, tmp_path: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(tmp_path)
    program = (
        "from meldc.load.catalogue import Kind, find, shipped_variants\n"
        "from meldc.load.documents import load_variant\n"
        "import meldc.assets\n"
        "name = shipped_variants()[0]\n"
        "load_variant(find(Kind.VARIANT, name))\n"
        "print(meldc.assets.data_root('specs'))\n"
    )
    ran = subprocess.run(
        [sys.executable, "-c", program],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(tmp_path)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.returncode == 0, ran.stderr
    assert Path(ran.stdout.strip()) == tmp_path / "meldc" / "_data" / "specs"


def test_runtime__plays_alone(wheel: Path, tmp_path: Path) -> None:
    """Importing all of the runtime needs nothing beside the standard library."""
    with zipfile.ZipFile(wheel) as archive:
        runtime = [name for name in archive.namelist() if name.startswith("meldc_runtime/")]
        archive.extractall(tmp_path, runtime)
    program = (
        "import importlib, pkgutil, sys, meldc_runtime\n"
        "for module in pkgutil.walk_packages(meldc_runtime.__path__, 'meldc_runtime.'):\n"
        "    importlib.import_module(module.name)\n"
        "assert not {'yaml', 'lark', 'jsonschema', 'click', 'meldc'} & set(sys.modules)\n"
    )
    command = [sys.executable, "-I", "-S", "-c"]
    command.append(f"import sys; sys.path.insert(0, {str(tmp_path)!r})\n{program}")
    ran = subprocess.run(command, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stderr


def test_developers__get_the_same_by_extra_and_by_group() -> None:
    """`pip install -e ".[dev]"` and `uv sync` read different lists; neither can name the other."""
    told = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    assert told["project"]["optional-dependencies"]["dev"] == told["dependency-groups"]["dev"]
